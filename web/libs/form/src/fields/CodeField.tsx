import { TextField } from "@konomana/ui-kit";
import styles from "./CodeField.module.css";
import type { FieldProps } from "./props";

/** The six-digit code of a mail. Phones suggest it from the mail. */
export function CodeField(field: FieldProps) {
  return (
    <TextField
      {...field}
      onChange={(event) => field.onChange(event.currentTarget.value)}
      inputClassName={styles.digits}
      name="code"
      label="確認コード（6桁の数字）"
      autoComplete="one-time-code"
      inputMode="numeric"
      required
    />
  );
}
