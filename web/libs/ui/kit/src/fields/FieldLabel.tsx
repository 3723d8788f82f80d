import type { ReactNode } from "react";
import styles from "./field.module.css";

interface FieldLabelProps {
  /** The id of the input. Without it, the label names a group of inputs as its `legend`. */
  htmlFor?: string;
  children: ReactNode;
}

/** The label of a composed field. */
export function FieldLabel({ htmlFor, children }: FieldLabelProps) {
  if (htmlFor === undefined) return <span className={styles.label}>{children}</span>;
  return (
    <label htmlFor={htmlFor} className={styles.label}>
      {children}
    </label>
  );
}
