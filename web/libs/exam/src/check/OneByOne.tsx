import { isComposing } from "@konomana/browser";
import { keepComposing } from "@konomana/query";
import type { Answer } from "@konomana/question";
import { Button, Group, Note, Panel, ProgressBar, Title } from "@konomana/ui-base";
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from "react";
import type { Question } from "../api";
import { faultsOf } from "./checkAnswers";
import { QuestionFields } from "./QuestionFields";

interface OneByOneProps {
  questions: readonly Question[];
  answerOf: (question: number) => Answer;
  onAnswer: (question: number, answer: Answer) => void;
  busy: boolean;
  onScore: () => void;
  /** Index of the current question, from 0. */
  at: number;
  onMove: (at: number) => void;
}

/** One question at a time. Number keys select a choice, Enter continues. */
export function OneByOne(props: OneByOneProps) {
  const { questions, answerOf, onAnswer, busy, onScore, at, onMove } = props;
  const heading = useRef<HTMLHeadingElement>(null);
  const shown = useRef(at);
  const [faults, setFaults] = useState<ReturnType<typeof faultsOf>>({});
  useEffect(() => {
    if (shown.current !== at) heading.current?.focus();
    shown.current = at;
  }, [at]);
  const question = questions[at];
  if (question === undefined) return null;
  const answer = answerOf(question.id);
  const isLast = at === questions.length - 1;
  const move = (to: number) => {
    setFaults({});
    onMove(to);
  };
  const goOn = (event: FormEvent) => {
    event.preventDefault();
    const found = faultsOf(question, answer);
    setFaults(found);
    if (Object.keys(found).length > 0) return;
    if (isLast) onScore();
    else move(at + 1);
  };
  const press = (event: KeyboardEvent) => {
    keepComposing(event);
    const chosen = choiceOfKey(event, question);
    if (chosen === undefined) return;
    event.preventDefault();
    onAnswer(question.id, { ...answer, chosen: toggled(question, answer.chosen, chosen) });
  };
  return (
    // The key events bubble up from the fields of the form.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <form method="dialog" onSubmit={goOn} onKeyDown={press} aria-label={`問${question.number}`}>
      <Panel variant="raised" gap="lg">
        <ProgressBar
          label="いまの問題"
          value={((at + 1) / questions.length) * 100}
          valueText={`${questions.length}問中${at + 1}問目`}
        />
        <Title order={2} size="h4" ref={heading} tabIndex={-1}>
          問{question.number}
          <Note as="span"> / {questions.length}</Note>
        </Title>
        <QuestionFields
          question={question}
          answer={answer}
          onAnswer={(next) => {
            setFaults({});
            onAnswer(question.id, next);
          }}
          errors={faults}
        />
        <Group justify="space-between" gap="sm">
          <Button variant="default" disabled={at === 0} onClick={() => move(at - 1)}>
            前の問題
          </Button>
          <Button type="submit" busy={busy}>
            {isLast ? (busy ? "採点しています…" : "採点する") : "次の問題"}
          </Button>
        </Group>
        <Note>わからない問題は、答えずに進めます。数字キーで選び、Enterキーで進めます。</Note>
      </Panel>
    </form>
  );
}

/** The choice of the pressed number key, outside of text fields. */
function choiceOfKey(event: KeyboardEvent, { choices }: Question): number | undefined {
  if (event.ctrlKey || event.metaKey || event.altKey || isComposing(event.nativeEvent)) return;
  if (event.target instanceof HTMLInputElement && event.target.type === "text") return;
  const key = event.key.normalize("NFKC");
  return /^[1-9]$/.test(key) ? choices[Number(key) - 1]?.id : undefined;
}

function toggled({ kind, choices }: Question, chosen: readonly number[], id: number): number[] {
  if (kind === "single") return [id];
  return choices
    .map((choice) => choice.id)
    .filter((one) => (one === id ? !chosen.includes(id) : chosen.includes(one)));
}
