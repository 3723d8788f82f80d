import "@mantine/core/styles/UnstyledButton.layer.css";
import "@mantine/core/styles/ActionIcon.layer.css";
import "@mantine/core/styles/Input.layer.css";
import "@mantine/core/styles/PasswordInput.layer.css";
import { PasswordInput, type PasswordInputProps } from "@mantine/core";

interface PasswordFieldProps extends PasswordInputProps {
  /** Whether the password exists already or is a new one. */
  purpose: "current-password" | "new-password";
}

/** A password, which can be made visible. */
export function PasswordField({ purpose, ...props }: PasswordFieldProps) {
  return <PasswordInput autoComplete={purpose} label="パスワード" {...props} />;
}
