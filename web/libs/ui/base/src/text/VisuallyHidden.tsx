import type { ComponentProps } from "react";
import styles from "./text.module.css";

/** For those who hear the page. */
export function VisuallyHidden(props: ComponentProps<"span">) {
  return <span {...props} className={styles.hidden} />;
}
