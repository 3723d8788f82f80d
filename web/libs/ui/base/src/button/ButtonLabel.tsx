import type { ComponentProps } from "react";
import styles from "./button.module.css";
import { lookOf } from "./look";

interface ButtonLabelProps extends ComponentProps<"label"> {
  /** The input's id. */
  htmlFor: string;
}

/** The label of a visually hidden input, e.g. for a file, styled as a button. */
export function ButtonLabel({ htmlFor, ...rest }: ButtonLabelProps) {
  return (
    <label
      {...rest}
      {...lookOf({ variant: "default" })}
      className={styles.button}
      htmlFor={htmlFor}
    />
  );
}
