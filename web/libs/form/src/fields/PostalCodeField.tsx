import { TextField } from "@konomana/ui-kit";
import type { FieldProps } from "./props";

/** 郵便番号, with or without a hyphen. */
export function PostalCodeField(field: FieldProps) {
  return (
    <TextField
      {...field}
      onChange={(event) => field.onChange(event.currentTarget.value)}
      name="postal_code"
      label="郵便番号"
      placeholder="100-0001"
      autoComplete="postal-code"
      inputMode="numeric"
      required
    />
  );
}
