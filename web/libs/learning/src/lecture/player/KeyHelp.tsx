import { Button, Title } from "@konomana/ui-base";
import { Checkbox } from "@konomana/ui-kit";
import { type RefObject, useId } from "react";
import { keyHelp } from "./shortcuts";
import styles from "./player.module.css";
import { prefer, usePreferences } from "./preferences";

/** What the keys do. */
export function KeyHelp({ dialog }: { dialog: RefObject<HTMLDialogElement | null> }) {
  const title = useId();
  const { letterKeys } = usePreferences();
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
      <Checkbox
        mb="md"
        label="文字・数字・記号のキーで操作する"
        description="切っても、スペースと矢印のキーは使えます。"
        checked={letterKeys}
        onChange={(event) => prefer({ letterKeys: event.currentTarget.checked })}
      />
      <Button variant="default" onClick={() => dialog.current?.close()}>
        閉じる
      </Button>
    </dialog>
  );
}
