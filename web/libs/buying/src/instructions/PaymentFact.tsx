import { CopyButton } from "./CopyButton";
import { Note } from "@konomana/ui-base";

interface PaymentFactProps {
  name: string;
  /** The displayed value. */
  children: string;
  /** The text that the button copies. Without it there is no button. */
  copies?: string;
  /** Large text, for a value that is typed at a store or a bank. */
  large?: boolean;
}

/** A value that the buyer enters or states: a code, an account or an amount. Used in a `dl`. */
export function PaymentFact({ name, children, copies, large }: PaymentFactProps) {
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
