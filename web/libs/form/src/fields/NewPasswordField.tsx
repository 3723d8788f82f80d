import { PasswordField } from "@konomana/ui-kit";
import type { FieldProps } from "./props";

interface NewPasswordFieldProps extends FieldProps {
  name?: string;
  label?: string;
}

/** A new password. The server checks its strength, and a refusal is shown as the field's error. */
export function NewPasswordField({
  name = "password",
  label = "パスワード",
  ...field
}: NewPasswordFieldProps) {
  return (
    <PasswordField
      {...field}
      onChange={(event) => field.onChange(event.currentTarget.value)}
      purpose="new-password"
      name={name}
      label={label}
      description="10文字以上。記号や大文字がなくても、長ければ大丈夫です。名前・メールアドレス・サイト名や、よくある言葉だけのものは使えません。"
      required
    />
  );
}
