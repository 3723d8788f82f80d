import { type FieldProps, lengthOf, limits } from "@konomana/form";
import { CharacterCount } from "@konomana/ui-base";
import { TextAreaField } from "@konomana/ui-kit";

/** The text of a question with a character count. */
export function QuestionTextField({ label, ...field }: FieldProps & { label: string }) {
  return (
    <div>
      <TextAreaField
        {...field}
        onChange={(event) => field.onChange(event.currentTarget.value)}
        name="text"
        label={label}
        description="10文字から2,000文字まで。どこまでわかって、どこからわからないかを書くと、回答が早くわかりやすくなります。"
        rows={6}
        required
      />
      <CharacterCount length={lengthOf((field.value ?? "").trim())} max={limits.questionText.max} />
    </div>
  );
}
