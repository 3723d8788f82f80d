import { CopyButton } from "./CopyButton";
import { Note } from "@konomana/ui-base";

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
    <div>
      <Note as="dt">{name}</Note>
      <dd className="kn-row kn-bold">
        <span className={large ? "kn-figure kn-code" : undefined}>{children}</span>
        {copies !== undefined && (
          <span data-screen-only>
            <CopyButton text={copies} name={name} />
          </span>
        )}
      </dd>
    </div>
  );
}
