import { type FieldProps, lengthOf, limits } from "@konomana/form";
import { Note } from "@konomana/ui-base";
import { TextAreaField } from "@konomana/ui-kit";

const number = new Intl.NumberFormat("ja-JP");

/** The text of a question with a character count. */
export function QuestionTextField({ label, ...field }: FieldProps & { label: string }) {
  const length = lengthOf((field.value ?? "").trim());
  const { max } = limits.questionText;
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
      <Note
        mt="0.25rem"
        className={length > max ? "kn-end kn-bold kn-accent" : "kn-end"}
        aria-hidden="true"
      >
        {number.format(length)} / {number.format(max)}文字
      </Note>
    </div>
  );
}
