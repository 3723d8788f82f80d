import type { Answer } from "@konomana/question";
import { Button, Panel, Stack, Title } from "@konomana/ui-base";
import { type FormEvent, useRef, useState } from "react";
import type { Question } from "../api";
import { faultsOf } from "./checkAnswers";
import { QuestionFields } from "./QuestionFields";

interface AllQuestionsProps {
  questions: readonly Question[];
  answerOf: (question: number) => Answer;
  onAnswer: (question: number, answer: Answer) => void;
  busy: boolean;
  onScore: () => void;
}

/** All questions on one page. */
export function AllQuestions({ questions, answerOf, onAnswer, busy, onScore }: AllQuestionsProps) {
  const form = useRef<HTMLFormElement>(null);
  const [isJudged, setJudged] = useState(false);
  const score = (event: FormEvent) => {
    event.preventDefault();
    setJudged(true);
    const wrong = questions.find(
      (question) => Object.keys(faultsOf(question, answerOf(question.id))).length > 0,
    );
    if (wrong === undefined) onScore();
    else form.current?.querySelector<HTMLElement>(`[name="answer-${wrong.id}"]`)?.focus();
  };
  return (
    <form ref={form} method="dialog" onSubmit={score} aria-label="すべての問題">
      <Stack gap="lg">
        {questions.map((question) => (
          <Panel
            key={question.id}
            as="section"
            variant="raised"
            gap="lg"
            aria-label={`問${question.number}`}
          >
            <Title order={2} size="h4">
              問{question.number}
            </Title>
            <QuestionFields
              question={question}
              answer={answerOf(question.id)}
              onAnswer={(answer) => onAnswer(question.id, answer)}
              errors={isJudged ? faultsOf(question, answerOf(question.id)) : {}}
            />
          </Panel>
        ))}
        <Button type="submit" size="lg" busy={busy}>
          {busy ? "採点しています…" : "採点する"}
        </Button>
      </Stack>
    </form>
  );
}
