import type { ComponentProps } from "react";
import { classes } from "./classes";
import styles from "./Rows.module.css";

/** A list on one sheet of paper. With a `CoverLink` in it, a row is one large target. */
export function Rows({ className, ...rest }: ComponentProps<"ul">) {
  return <ul {...rest} className={classes(styles.rows, className)} />;
}
