import type { ComponentProps, ReactNode } from "react";
import { classes } from "../layout/classes";
import styles from "./Checkbox.module.css";

interface CheckboxProps extends Omit<ComponentProps<"input">, "type"> {
  /** Without a label, give the box an `aria-label`. */
  label?: ReactNode;
}

/** A checkbox with its label, at least 44 px high. Forms use the kit's `CheckboxField`, which shows errors. */
export function Checkbox({ label, className, ...rest }: CheckboxProps) {
  return (
    <label className={classes(styles.checkbox, className)}>
      <input {...rest} type="checkbox" />
      {label}
    </label>
  );
}
