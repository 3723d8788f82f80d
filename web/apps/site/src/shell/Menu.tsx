import { Suspense, useEffect, useState } from "react";
import styles from "./Header.module.css";
import { MenuIcon } from "./icons";
import { lazyPart } from "./lazyPart";

const load = async () => (await import("./MenuDialog")).MenuDialog;

const ahead = () => void load().catch(() => {});

/** Fallback if the menu fails to load: the footer has the same links. */
function FooterInstead({ onClose }: { onClose: () => void }) {
  useEffect(() => {
    document.querySelector("footer")?.scrollIntoView();
    onClose();
  }, [onClose]);
  return null;
}

const MenuDialog = lazyPart(load, FooterInstead);

/** The button that opens the menu on a phone. The menu is loaded on hover or focus. */
export function Menu() {
  const [open, setOpen] = useState(false);
  return (
    <div className={styles.mobile}>
      <button
        type="button"
        className={styles.icon}
        onClick={() => setOpen(true)}
        onPointerEnter={ahead}
        onFocus={ahead}
        aria-label="メニューを開く"
        aria-haspopup="dialog"
      >
        <MenuIcon />
      </button>
      <Suspense>{open && <MenuDialog onClose={() => setOpen(false)} />}</Suspense>
    </div>
  );
}
