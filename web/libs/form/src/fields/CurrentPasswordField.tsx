import { PasswordField } from "@konomana/ui-kit";
import type { ComponentProps } from "react";

type CurrentPasswordFieldProps = Omit<
  ComponentProps<typeof PasswordField>,
  "purpose" | "name" | "label" | "required"
>;

/** The current password, which confirms a sensitive change. */
export function CurrentPasswordField(field: CurrentPasswordFieldProps) {
  return (
    <PasswordField
      {...field}
      purpose="current-password"
      name="password"
      label="いまのパスワード"
      required
    />
  );
}
