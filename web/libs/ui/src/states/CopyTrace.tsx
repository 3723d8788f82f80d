import { useState } from "react";
import { PlainButton } from "../button/PlainButton";
import styles from "./states.module.css";

/** The number to give to support, with a button that copies it. */
export function CopyTrace({ traceId }: { traceId: string }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(traceId);
    setCopied(true);
  };
  return (
    <div className={styles.trace}>
      <span>
        お問い合わせ番号 <code>{traceId}</code>
      </span>
      <PlainButton variant="default" onClick={() => void copy()}>
        <span aria-live="polite">{copied ? "コピーしました" : "番号をコピー"}</span>
      </PlainButton>
    </div>
  );
}
