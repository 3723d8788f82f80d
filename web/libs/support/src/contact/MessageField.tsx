import { type FieldProps, lengthOf } from "@konomana/form";
import { Note, VisuallyHidden } from "@konomana/ui-base";
import { TextAreaField } from "@konomana/ui-kit";
import { limits } from "@konomana/form";

const number = new Intl.NumberFormat("ja-JP");

/**
 * The message field with a character count. Screen readers announce the count when it exceeds the
 * limit.
 */
export function MessageField(field: FieldProps) {
  const length = lengthOf((field.value ?? "").trim());
  const over = length - limits.contactText.max;
  return (
    <div>
      <TextAreaField
        {...field}
        onChange={(event) => field.onChange(event.currentTarget.value)}
        name="text"
        label="お問い合わせの内容"
        description="10文字から2,000文字まで。困っていることと、いつ、どの画面で起きたかを書いていただくと、早くお返事できます。"
        required
      />
      <Note
        mt="0.25rem"
        className={over > 0 ? "kn-end kn-bold kn-accent" : "kn-end"}
        aria-hidden="true"
      >
        {number.format(length)} / {number.format(limits.contactText.max)}文字
      </Note>
      <VisuallyHidden role="status">
        {over > 0 ? `あと${number.format(over)}文字、へらしてください。` : ""}
      </VisuallyHidden>
    </div>
  );
}
