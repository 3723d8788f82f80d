import { classes } from "@konomana/ui-base";
import type { ComponentProps } from "react";
import { Field, type FieldTexts, type OwnAttributes } from "./Field";
import styles from "./field.module.css";

interface TextAreaFieldProps extends FieldTexts, Omit<ComponentProps<"textarea">, OwnAttributes> {}

/** A field for several lines. */
export function TextAreaField({
  label,
  description,
  error,
  id,
  className,
  ...rest
}: TextAreaFieldProps) {
  return (
    <Field {...{ label, description, error, id, className }}>
      {(attributes) => (
        <textarea
          rows={8}
          {...rest}
          {...attributes}
          className={classes(styles.input, styles.area)}
        />
      )}
    </Field>
  );
}
