import { CheckboxField } from "@konomana/ui-kit";
import type { ReactNode } from "react";

interface AgreementFieldProps {
  checked?: boolean;
  onChange: (checked: boolean) => void;
  onBlur?: ((event: never) => void) | undefined;
  error?: ReactNode;
  name: string;
  label: ReactNode;
  /** What the person should know before they agree. */
  description?: ReactNode;
  required?: boolean;
}

/** A checkbox for consent. It starts unticked, because the person has to agree themselves. */
export function AgreementField({ checked = false, onChange, ...rest }: AgreementFieldProps) {
  return (
    <CheckboxField
      {...rest}
      checked={checked}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  );
}
