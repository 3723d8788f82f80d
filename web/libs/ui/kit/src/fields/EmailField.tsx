import { TextField, type TextFieldProps } from "./TextField";

/** A mail address, with the matching keyboard and autofill. */
export function EmailField(props: TextFieldProps) {
  return (
    <TextField
      type="email"
      inputMode="email"
      autoComplete="email"
      autoCapitalize="none"
      spellCheck={false}
      label="メールアドレス"
      {...props}
    />
  );
}
