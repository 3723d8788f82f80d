import type { ReactNode } from "react";

/** The props that a form in controlled mode gives each input: `form.getInputProps(name)`. */
export interface FieldProps {
  value?: string;
  /** Accepts the new value, or the event that carries it. */
  onChange: (value: string) => void;
  onBlur?: ((event: never) => void) | undefined;
  error?: ReactNode;
}
