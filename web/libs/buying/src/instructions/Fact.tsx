import { CopyButton } from "./CopyButton";
import styles from "./instructions.module.css";

interface FactProps {
  name: string;
  /** As it is read. */
  children: string;
  /** What the button copies; without it there is no button. */
  copies?: string;
  /** Is typed, at a store or at a bank. */
  large?: boolean;
}

/** Something that the buyer types or tells: a code, an account, an amount. Stands in a `dl`. */
export function Fact({ name, children, copies, large }: FactProps) {
  return (
    <div className={styles.fact}>
      <dt>{name}</dt>
      <dd>
        <span className={large ? styles.code : undefined}>{children}</span>
        {copies !== undefined && (
          <span className={styles.screenOnly}>
            <CopyButton text={copies} name={name} />
          </span>
        )}
      </dd>
    </div>
  );
}
