import type { PasswordInputProps, TextareaProps, TextInputProps } from "@mantine/core";
import { PasswordInput, Textarea, TextInput } from "../kit";

/**
 * Form fields with what browsers, password managers and screen readers need. The kit joins label,
 * description and error to the input; an error is text beside the field, never colour alone.
 */
export function TextField(props: TextInputProps) {
  return <TextInput size="md" {...props} />;
}

/** For more than a line. */
export function TextAreaField(props: TextareaProps) {
  return <Textarea size="md" rows={8} {...props} />;
}

export function EmailField(props: TextInputProps) {
  return (
    <TextInput
      size="md"
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

interface PasswordFieldProps extends PasswordInputProps {
  /** Whether the person types a password they have, or makes a new one. */
  purpose: "current-password" | "new-password";
}

export function PasswordField({ purpose, ...props }: PasswordFieldProps) {
  return <PasswordInput size="md" autoComplete={purpose} label="パスワード" {...props} />;
}
