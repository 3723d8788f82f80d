import type { ComponentProps, ReactNode } from "react";
import { Field, type FieldTexts, type OwnAttributes } from "./Field";
import styles from "./field.module.css";
import { Input } from "./Input";

export interface TextFieldProps
  extends FieldTexts, Omit<ComponentProps<"input">, "style" | OwnAttributes> {
  inputClassName?: string | undefined;
  /** Buttons inside the input, at its end. */
  buttons?: ReactNode;
  /** The width of `buttons`, as a CSS length. */
  buttonsWidth?: string;
}

/** A field for one line. */
export function TextField({
  label,
  description,
  error,
  id,
  className,
  inputClassName,
  buttons,
  buttonsWidth,
  ...rest
}: TextFieldProps) {
  return (
    <Field {...{ label, description, error, id, className }}>
      {(attributes) => (
        <div className={styles.frame}>
          <Input
            type="text"
            {...rest}
            {...attributes}
            className={inputClassName}
            style={{ paddingInlineEnd: buttonsWidth }}
          />
          {buttons && <div className={styles.end}>{buttons}</div>}
        </div>
      )}
    </Field>
  );
}
