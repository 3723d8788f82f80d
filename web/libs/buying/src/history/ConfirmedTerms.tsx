import { Panel } from "@konomana/ui-base";
import type { Order } from "../api";

/** The terms that the buyer agreed to, verbatim. */
export function ConfirmedTerms({ order: { confirmation } }: { order: Order }) {
  if (confirmation === null) return null;
  const { terms } = confirmation.document;
  return (
    <Panel as="section">
      <details>
        <summary className="kn-fold">ご注文のときに確認した内容</summary>
        <dl className="kn-facts">
          {terms.map(({ title, text }) => (
            <div key={title}>
              <dt>{title}</dt>
              <dd className="kn-pre">{text}</dd>
            </div>
          ))}
        </dl>
      </details>
    </Panel>
  );
}
