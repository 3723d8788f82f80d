import { type FieldProps, lengthOf, limits } from "@konomana/form";
import { CharacterCount } from "@konomana/ui-base";
import { TextAreaField } from "@konomana/ui-kit";

/** The message field with a character count. */
export function MessageField(field: FieldProps) {
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
      <CharacterCount length={lengthOf((field.value ?? "").trim())} max={limits.contactText.max} />
    </div>
  );
}
