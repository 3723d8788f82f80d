import type { ComponentProps } from "react";
import { type FieldTexts, type OwnAttributes, useFieldAttributes } from "./Field";
import { FieldError } from "./FieldError";
import styles from "./field.module.css";

interface CheckboxFieldProps
  extends FieldTexts, Omit<ComponentProps<"input">, "type" | OwnAttributes> {}

/** A checkbox of a form, with its label, description and error. */
export function CheckboxField({
  label,
  description,
  error,
  id,
  className,
  ...rest
}: CheckboxFieldProps) {
  const { errorId, descriptionId, attributes } = useFieldAttributes({ description, error }, id);
  return (
    <div className={className}>
      <label className={styles.choice}>
        <input {...rest} {...attributes} type="checkbox" />
        <span>{label}</span>
      </label>
      {description && (
        <div id={descriptionId} className={styles.description}>
          {description}
        </div>
      )}
      {error && <FieldError id={errorId}>{error}</FieldError>}
    </div>
  );
}
