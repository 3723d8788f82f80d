import { classes } from "@konomana/ui-base";
import type { ComponentProps } from "react";
import styles from "./field.module.css";

/** The error of a field. */
export function FieldError({ className, ...rest }: ComponentProps<"div">) {
  return <div {...rest} className={classes(styles.error, className)} />;
}
