import { Button, Checkbox, Note, Title } from "@konomana/ui-base";
import { type RefObject, useId } from "react";
import { keyHelp } from "./shortcuts";
import styles from "./player.module.css";
import { prefer, usePreferences } from "./preferences";

/** A dialog with the keyboard shortcuts. */
export function KeyHelp({ dialog }: { dialog: RefObject<HTMLDialogElement | null> }) {
  const title = useId();
  const kept = useId();
  const { letterKeys } = usePreferences();
  return (
    <dialog ref={dialog} className={styles.dialog} aria-labelledby={title} closedby="any">
      <Title order={2} size="h4" id={title}>
        キーボードでの操作
      </Title>
      <table>
        <tbody>
          {keyHelp.map(([key, does]) => (
            <tr key={key}>
              <th scope="row">{key}</th>
              <td>{does}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <Checkbox
        label="文字・数字・記号のキーで操作する"
        aria-describedby={kept}
        checked={letterKeys}
        onChange={(event) => prefer({ letterKeys: event.currentTarget.checked })}
      />
      <Note id={kept} size="sm" mb="md">
        切っても、スペースと矢印のキーは使えます。
      </Note>
      <Button variant="default" onClick={() => dialog.current?.close()}>
        閉じる
      </Button>
    </dialog>
  );
}
