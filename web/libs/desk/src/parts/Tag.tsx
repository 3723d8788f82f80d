import styles from "./Tag.module.css";

/** What something is about, in a word. */
export function Tag({ strong = false, children }: { strong?: boolean; children: string }) {
  return (
    <span className={styles.tag} data-strong={strong || undefined}>
      {children}
    </span>
  );
}
