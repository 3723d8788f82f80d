import { CloseButton } from "@konomana/ui-base";
import { useEffect, useRef } from "react";
import { SearchBox } from "./SearchBox";
import styles from "./SearchDialog.module.css";

/**
 * The search dialog, opened from the header. Closing returns the focus to the element that had it.
 */
export function SearchDialog({ onClose }: { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  const close = () => dialog.current?.close();
  return (
    <dialog
      ref={dialog}
      className={styles.dialog}
      aria-label="サイト内を検索"
      closedby="any"
      onClose={onClose}
    >
      <div className={`kn-container kn-row ${styles.inner}`}>
        <SearchBox onGo={close} />
        <CloseButton aria-label="検索を閉じる" onClick={close} />
      </div>
    </dialog>
  );
}
