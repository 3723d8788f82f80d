import { Button, Note } from "@konomana/ui-base";
import { prefer, usePreferences } from "../lecture/player/preferences";
import styles from "./question.module.css";

/** Explains the keyboard shortcuts, with a button that switches them off. */
export function KeyHint({ children }: { children: string }) {
  const { letterKeys } = usePreferences();
  return (
    <Note as="span" className={styles.keys}>
      {letterKeys && children}
      <Button pill variant="quiet" onClick={() => prefer({ letterKeys: !letterKeys })}>
        {letterKeys ? "文字と数字のキーを使わない" : "文字と数字のキーを使う"}
      </Button>
    </Note>
  );
}
