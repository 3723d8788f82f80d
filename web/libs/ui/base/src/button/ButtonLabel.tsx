import type { ComponentProps } from "react";
import styles from "./button.module.css";
import { lookOf } from "./look";

interface ButtonLabelProps extends ComponentProps<"label"> {
  /** The input's id. */
  htmlFor: string;
}

/** What is pressed to choose a file: the label of an input that is not seen itself, as a button. */
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
