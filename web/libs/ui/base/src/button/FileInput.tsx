import type { ComponentProps } from "react";
import styles from "./button.module.css";
import hidden from "./FileInput.module.css";
import { lookOf } from "./look";

interface FileInputProps extends Omit<ComponentProps<"input">, "type" | "children"> {
  id: string;
  /** The text of the button. */
  label: string;
}

/** Chooses a file. Looks like a button; screen readers get the name of the input. */
export function FileInput({ label, ...input }: FileInputProps) {
  return (
    <div className={hidden.group}>
      <input {...input} className={hidden.input} type="file" />
      <label
        {...lookOf({ variant: "default" })}
        className={styles.button}
        htmlFor={input.id}
        aria-hidden="true"
      >
        {label}
      </label>
    </div>
  );
}
