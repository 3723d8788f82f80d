import type { ReactNode } from "react";

/** What a form gives each of its inputs: `form.getInputProps(name)`, of a form in controlled mode. */
export interface FieldProps {
  value?: string;
  /** Takes the new value, or the event that carries it. */
  onChange: (value: string) => void;
  onBlur?: ((event: never) => void) | undefined;
  error?: ReactNode;
}
