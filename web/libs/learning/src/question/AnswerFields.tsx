import type { Choice, Question } from "../api";
import { Text, Stack } from "@konomana/ui-base";
import { TextField, InputError } from "@konomana/ui-kit";
import type { UseFormReturnType } from "@mantine/form";
import { useRef } from "react";
import { TexText } from "../parts/tex/TexText";
import type { Answer } from "./answer";
import styles from "./question.module.css";

interface AnswerFieldsProps {
  question: Question;
  form: UseFormReturnType<Answer>;
}

/** What is chosen or typed to answer a question of a kind. */
export function AnswerFields({ question, form }: AnswerFieldsProps) {
  switch (question.kind) {
    case "single":
      return <Choices choices={question.choices} form={form} several={false} />;
    case "multiple":
      return <Choices choices={question.choices} form={form} several />;
    case "number":
      return <NumberAnswer form={form} />;
    case "text":
      return (
        <TextField
          {...form.getInputProps("answer")}
          name="answer"
          label="答え"
          autoComplete="off"
          enterKeyHint="send"
        />
      );
  }
}

interface ChoicesProps {
  choices: readonly Choice[];
  form: UseFormReturnType<Answer>;
  /** Whether more than one may be chosen. */
  several: boolean;
}

function Choices({ choices, form, several }: ChoicesProps) {
  const chosen = form.values.chosen;
  const error = form.errors["chosen"];
  const choose = (id: number, on: boolean) => {
    if (!several) form.setFieldValue("chosen", [id]);
    else {
      const next = new Set(chosen);
      if (on) next.add(id);
      else next.delete(id);
      // In the order in which they are shown.
      const kept = choices.filter((choice) => next.has(choice.id)).map((choice) => choice.id);
      form.setFieldValue("chosen", kept);
    }
  };
  return (
    <div
      role={several ? "group" : "radiogroup"}
      aria-labelledby="prompt"
      aria-describedby="about-choices"
    >
      <div id="about-choices">
        {several && (
          <Text size="sm" dimmed mb="xs">
            いくつ選んでもよい問題です。あてはまるものをすべて選んでください。
          </Text>
        )}
        {error !== undefined && <InputError mb="xs">{error}</InputError>}
      </div>
      <Stack gap="xs">
        {choices.map(({ id, text }, index) => (
          <label key={id} className={styles.choice}>
            <input
              type={several ? "checkbox" : "radio"}
              name="answer"
              data-choice
              data-path={index === 0 ? "chosen" : undefined}
              aria-invalid={error !== undefined || undefined}
              checked={chosen.includes(id)}
              onChange={(event) => choose(id, event.currentTarget.checked)}
            />
            <span className={styles.number}>{index + 1}</span>
            <span className={styles.words}>
              <TexText>{text}</TexText>
            </span>
          </label>
        ))}
      </Stack>
    </div>
  );
}

/** The keys that a phone's number pad lacks. */
const MISSING_KEYS = [
  { text: "-", shown: "−", name: "マイナスを入れる" },
  { text: "/", shown: "／", name: "分数の線を入れる" },
] as const;

function NumberAnswer({ form }: { form: UseFormReturnType<Answer> }) {
  const field = useRef<HTMLInputElement>(null);
  const insert = (text: string) => {
    const input = field.current;
    if (!input) return;
    const { value, selectionStart, selectionEnd } = input;
    const from = selectionStart ?? value.length;
    const to = selectionEnd ?? value.length;
    form.setFieldValue("answer", value.slice(0, from) + text + value.slice(to));
    input.focus();
    requestAnimationFrame(() => input.setSelectionRange(from + 1, from + 1));
  };
  return (
    <TextField
      {...form.getInputProps("answer")}
      ref={field}
      className={styles.typed}
      name="answer"
      label="答え（数）"
      description="分数は 3/4 のように入力できます。"
      inputMode="decimal"
      autoComplete="off"
      enterKeyHint="send"
      rightSectionWidth="6.25rem"
      rightSection={
        <div className={styles.missing}>
          {MISSING_KEYS.map(({ text, shown, name }) => (
            <button key={text} type="button" aria-label={name} onClick={() => insert(text)}>
              {shown}
            </button>
          ))}
        </div>
      }
    />
  );
}
