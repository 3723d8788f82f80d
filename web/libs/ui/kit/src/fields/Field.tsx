import { classes } from "@konomana/ui-base";
import { type ReactNode, useId } from "react";
import { FieldError } from "./FieldError";
import styles from "./field.module.css";

/** The texts of a field. An error is always text beside the field, never colour alone. */
export interface FieldTexts {
  label?: ReactNode;
  description?: ReactNode;
  error?: ReactNode;
}

/** Connects an input to the texts of its field. */
export interface FieldAttributes {
  id: string;
  "aria-invalid": true | undefined;
  "aria-describedby": string | undefined;
}

/** The ids of the texts of a field, and its attributes. */
export function useFieldAttributes({ description, error }: FieldTexts, id: string | undefined) {
  const own = useId();
  const errorId = error ? `${own}-error` : undefined;
  const descriptionId = description ? `${own}-description` : undefined;
  const attributes: FieldAttributes = {
    id: id ?? own,
    "aria-invalid": error ? true : undefined,
    "aria-describedby": classes(errorId, descriptionId) || undefined,
  };
  return { errorId, descriptionId, attributes };
}

/** Attributes that a field sets itself, so its callers may not. */
export type OwnAttributes = "aria-invalid" | "aria-describedby";

interface FieldProps extends FieldTexts {
  /** The id of the input. */
  id?: string | undefined;
  className?: string | undefined;
  /** Renders the input with these attributes. */
  children: (attributes: FieldAttributes) => ReactNode;
}

/** An input with its label and description above it and its error below. */
export function Field({ id, className, children, ...texts }: FieldProps) {
  const { label, description, error } = texts;
  const { errorId, descriptionId, attributes } = useFieldAttributes(texts, id);
  return (
    <div className={className}>
      {label && (
        <label htmlFor={attributes.id} className={styles.label}>
          {label}
        </label>
      )}
      {description && (
        <div id={descriptionId} className={styles.description}>
          {description}
        </div>
      )}
      {children(attributes)}
      {error && <FieldError id={errorId}>{error}</FieldError>}
    </div>
  );
}
