import { Panel } from "@konomana/ui-base";
import type { Order } from "../api";
import styles from "./history.module.css";

/** What the buyer agreed to when they ordered, word for word. */
export function ConfirmedTerms({ order: { confirmation } }: { order: Order }) {
  if (confirmation === null) return null;
  const { terms } = confirmation.document;
  return (
    <Panel as="section">
      <details>
        <summary className={styles.open}>ご注文のときに確認した内容</summary>
        <dl className={styles.terms}>
          {terms.map(({ title, text }) => (
            <div key={title}>
              <dt>{title}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
      </details>
    </Panel>
  );
}
