import { lengthOf } from "@konomana/form";
import { CharacterCount } from "@konomana/ui-base";
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

/** The field of a longer answer, with a character count. Longer text is kept, not truncated. */
export function WrittenAnswer({
  name,
  value,
  onChange,
  error,
  labelledBy,
  characterLimit,
}: WrittenAnswerProps) {
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
        <CharacterCount
          length={lengthOf(value.trim())}
          max={characterLimit}
          tooLong={(over) => `${over}文字多いため、保存できません`}
        />
      )}
    </div>
  );
}
