import { useState } from "react";
import { Button } from "../button/Button";
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
      <Button pill variant="default" onClick={() => void copy()}>
        <span aria-live="polite">{copied ? "コピーしました" : "番号をコピー"}</span>
      </Button>
    </div>
  );
}
