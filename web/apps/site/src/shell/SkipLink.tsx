import styles from "./SkipLink.module.css";

/** Id of the main element. Every layout has one. */
export const MAIN_ID = "main";

/** The first tab stop: a link past the navigation to the content. */
export function SkipLink() {
  return (
    <a className={styles.skip} href={`#${MAIN_ID}`}>
      本文へ移動
    </a>
  );
}
