import { Button, Title } from "@konomana/ui";
import { type RefObject, useId } from "react";
import { keyHelp } from "./keys";
import styles from "./player.module.css";

/** What the keys do. */
export function KeyHelp({ dialog }: { dialog: RefObject<HTMLDialogElement | null> }) {
  const title = useId();
  return (
    <dialog ref={dialog} className={styles.dialog} aria-labelledby={title} closedby="any">
      <Title order={2} size="h4" id={title}>
        キーボードでの操作
      </Title>
      <dl className={styles.keys}>
        {keyHelp.map(([key, does]) => (
          <div key={key}>
            <dt>{key}</dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <Button variant="default" size="md" onClick={() => dialog.current?.close()}>
        閉じる
      </Button>
    </dialog>
  );
}
