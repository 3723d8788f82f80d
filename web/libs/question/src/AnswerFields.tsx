import { Group, Text, Stack } from "@konomana/ui-base";
import { FieldError, TextField } from "@konomana/ui-kit";
import { type ReactNode, useId, useRef } from "react";
import type { Answer } from "./answer";
import styles from "./AnswerFields.module.css";
import type { Choice, QuestionKind } from "./question";
import { TexText } from "./tex/TexText";
import { WrittenAnswer } from "./WrittenAnswer";

interface AnswerFieldsProps {
  kind: QuestionKind;
  choices: readonly Choice[];
  value: Answer;
  onChange: (value: Answer) => void;
  /** Error messages, shown beside their fields. */
  errors?: Readonly<Partial<Record<keyof Answer, ReactNode>>>;
  /** Id of the element with the question. */
  labelledBy: string;
  /** The name of the inputs. It must be unique on a page with several questions. */
  name?: string;
  /** The action of Enter on a phone keyboard. */
  enterKeyHint?: "send" | "next" | "done";
  /** The most characters of a written answer. */
  characterLimit?: number | null;
}

/** The answer fields for a question kind. */
export function AnswerFields({
  kind,
  choices,
  value,
  onChange,
  errors,
  labelledBy,
  name = "answer",
  enterKeyHint = "send",
  characterLimit = null,
}: AnswerFieldsProps) {
  const typed = {
    name,
    enterKeyHint,
    value: value.answer,
    onChange: (answer: string) => onChange({ ...value, answer }),
    error: errors?.answer,
    labelledBy,
  };
  switch (kind) {
    case "single":
    case "multiple":
      return (
        <Choices
          choices={choices}
          chosen={value.chosen}
          onChange={(chosen) => onChange({ ...value, chosen })}
          error={errors?.chosen}
          several={kind === "multiple"}
          labelledBy={labelledBy}
          name={name}
        />
      );
    case "number":
      return <NumberAnswer {...typed} />;
    case "text":
      return <TextAnswer {...typed} />;
    case "written":
      return (
        <WrittenAnswer
          name={name}
          value={value.answer}
          onChange={typed.onChange}
          error={errors?.answer}
          labelledBy={labelledBy}
          characterLimit={characterLimit}
        />
      );
  }
}

interface ChoicesProps {
  choices: readonly Choice[];
  /** The ids of the chosen choices. */
  chosen: readonly number[];
  onChange: (chosen: number[]) => void;
  error: ReactNode;
  /** Whether several choices are allowed. */
  several: boolean;
  labelledBy: string;
  name: string;
}

function Choices({ choices, chosen, onChange, error, several, labelledBy, name }: ChoicesProps) {
  const about = useId();
  const choose = (id: number, on: boolean) => {
    if (!several) onChange([id]);
    else {
      const next = new Set(chosen);
      if (on) next.add(id);
      else next.delete(id);
      // In display order.
      onChange(choices.filter((choice) => next.has(choice.id)).map((choice) => choice.id));
    }
  };
  return (
    <div
      role={several ? "group" : "radiogroup"}
      aria-labelledby={labelledBy}
      aria-describedby={about}
    >
      <div id={about}>
        {several && (
          <Text size="sm" dimmed mb="xs">
            いくつ選んでもよい問題です。あてはまるものをすべて選んでください。
          </Text>
        )}
        {error !== undefined && <FieldError className={styles.error}>{error}</FieldError>}
      </div>
      <Stack gap="xs">
        {choices.map(({ id, text }, index) => (
          <label key={id} className={`kn-option ${styles.choice}`}>
            <input
              type={several ? "checkbox" : "radio"}
              name={name}
              data-choice
              data-path={index === 0 ? "chosen" : undefined}
              aria-invalid={error !== undefined || undefined}
              checked={chosen.includes(id)}
              onChange={(event) => choose(id, event.currentTarget.checked)}
            />
            <span className={`kn-soft kn-fine ${styles.number}`}>{index + 1}</span>
            <span className="kn-grow kn-scroll">
              <TexText>{text}</TexText>
            </span>
          </label>
        ))}
      </Stack>
    </div>
  );
}

/** Keys that a phone's number pad lacks. */
const MISSING_KEYS = [
  { text: "-", shown: "−", name: "マイナスを入れる" },
  { text: "/", shown: "／", name: "分数の線を入れる" },
] as const;

interface TypedProps {
  name: string;
  enterKeyHint: "send" | "next" | "done";
  value: string;
  onChange: (value: string) => void;
  error: ReactNode;
  labelledBy: string;
}

function TextAnswer({ onChange, labelledBy, ...rest }: TypedProps) {
  return (
    <div role="group" aria-labelledby={labelledBy}>
      <TextField
        {...rest}
        onChange={(event) => onChange(event.currentTarget.value)}
        data-path="answer"
        label="答え"
        autoComplete="off"
      />
    </div>
  );
}

function NumberAnswer({ onChange, labelledBy, ...rest }: TypedProps) {
  const field = useRef<HTMLInputElement>(null);
  const insert = (text: string) => {
    const input = field.current;
    if (!input) return;
    const { value, selectionStart, selectionEnd } = input;
    const from = selectionStart ?? value.length;
    const to = selectionEnd ?? value.length;
    onChange(value.slice(0, from) + text + value.slice(to));
    input.focus();
    requestAnimationFrame(() => input.setSelectionRange(from + 1, from + 1));
  };
  return (
    <div role="group" aria-labelledby={labelledBy}>
      <TextField
        {...rest}
        onChange={(event) => onChange(event.currentTarget.value)}
        data-path="answer"
        ref={field}
        className={styles.typed}
        label="答え（数）"
        description="分数は 3/4 のように入力できます。"
        inputMode="decimal"
        autoComplete="off"
        buttonsWidth="6.25rem"
        buttons={
          <Group gap="0.25rem" nowrap>
            {MISSING_KEYS.map(({ text, shown, name }) => (
              <button
                key={text}
                type="button"
                className={`kn-bold ${styles.key}`}
                aria-label={name}
                onClick={() => insert(text)}
              >
                {shown}
              </button>
            ))}
          </Group>
        }
      />
    </div>
  );
}
