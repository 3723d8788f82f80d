import type { TextInputProps } from "@mantine/core";
import { TextField } from "./TextField";

/** A mail address, with the matching keyboard and autofill. */
export function EmailField(props: TextInputProps) {
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
