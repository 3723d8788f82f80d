import type { ComponentProps } from "react";
import { classes } from "./classes";
import styles from "./Rows.module.css";

/** A list on one panel. A `CoverLink` inside makes the whole row clickable. */
export function Rows({ className, ...rest }: ComponentProps<"ul">) {
  return <ul {...rest} className={classes(styles.rows, className)} />;
}
