import { classes } from "@konomana/ui-base";
import type { ComponentProps } from "react";
import styles from "./field.module.css";

/** The input of a composed field. Set `aria-invalid` if it has an error. */
export function Input({ className, ...rest }: ComponentProps<"input">) {
  return <input {...rest} className={classes(styles.input, className)} />;
}
