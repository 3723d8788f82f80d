import { lengthOf } from "@konomana/form";
import { Note, VisuallyHidden } from "@konomana/ui-base";
import { TextAreaField } from "@konomana/ui-kit";
import type { ReactNode } from "react";

interface WrittenAnswerProps {
  name: string;
  value: string;
  onChange: (value: string) => void;
  error: ReactNode;
  labelledBy: string;
  /** The most characters. `null`: no limit. */
  characterLimit: number | null;
}

/**
 * The field of a longer answer, with a character count. Longer text is kept, not truncated. Screen
 * readers announce how many characters are too many.
 */
export function WrittenAnswer({
  name,
  value,
  onChange,
  error,
  labelledBy,
  characterLimit,
}: WrittenAnswerProps) {
  const length = lengthOf(value.trim());
  const over = characterLimit === null ? 0 : length - characterLimit;
  return (
    <div role="group" aria-labelledby={labelledBy}>
      <TextAreaField
        name={name}
        data-path="answer"
        label="答え（記述）"
        description={
          characterLimit === null ? undefined : `${characterLimit}文字までで書いてください。`
        }
        rows={5}
        autoComplete="off"
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        error={error}
      />
      {characterLimit !== null && (
        <Note mt="0.25rem" className={over > 0 ? "kn-end kn-bold kn-accent" : "kn-end"}>
          {length} / {characterLimit}文字
          {over > 0 && `（${over}文字多いため、保存できません）`}
        </Note>
      )}
      <VisuallyHidden role="status">
        {over > 0 ? `${over}文字多いため、保存できません。` : ""}
      </VisuallyHidden>
    </div>
  );
}
