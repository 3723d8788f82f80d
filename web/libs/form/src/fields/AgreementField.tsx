import { CheckboxField } from "@konomana/ui-kit";
import type { ReactNode } from "react";

interface AgreementFieldProps {
  checked?: boolean;
  onChange: (checked: boolean) => void;
  onBlur?: ((event: never) => void) | undefined;
  error?: ReactNode;
  name: string;
  label: ReactNode;
  /** What to know before saying yes. */
  description?: ReactNode;
  required?: boolean;
}

/** A yes that the person gives themselves: never given beforehand. */
export function AgreementField({ checked = false, onChange, ...rest }: AgreementFieldProps) {
  return (
    <CheckboxField
      {...rest}
      checked={checked}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  );
}
