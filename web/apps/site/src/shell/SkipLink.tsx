import styles from "./SkipLink.module.css";

/** The element that holds a screen's content; every layout has it once. */
export const MAIN_ID = "main";

/** The first stop of the tab key: past the navigation, to the content. */
export function SkipLink() {
  return (
    <a className={styles.skip} href={`#${MAIN_ID}`}>
      本文へ移動
    </a>
  );
}
