import { TextField } from "@konomana/ui-kit";
import type { FieldProps } from "../fields/props";

/** 電話番号 in the national format. */
export function PhoneField(field: FieldProps) {
  return (
    <TextField
      {...field}
      onChange={(event) => field.onChange(event.currentTarget.value)}
      type="tel"
      name="phone"
      label="電話番号"
      placeholder="090-1234-5678"
      autoComplete="tel-national"
      inputMode="tel"
      required
    />
  );
}
