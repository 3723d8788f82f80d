import { type Answer, nothing } from "@konomana/question";
import { FailureAlert } from "@konomana/query";
import { Button, Group, Note, Stack, Title } from "@konomana/ui-base";
import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { type Check, scoreCheck } from "../api";
import { AllQuestions } from "./AllQuestions";
import { FreeCheckOutcome } from "./FreeCheckOutcome";
import { isAnswered, toGiven } from "./checkAnswers";
import { OneByOne } from "./OneByOne";
import { useProgress } from "./checkProgress";

/** A free check: its questions until it is scored, then its result. */
export function FreeCheck({ check }: { check: Check }) {
  const { id, questions, school_year, subject } = check;
  const { progress, change, restart } = useProgress(check);
  const top = useRef<HTMLHeadingElement>(null);
  const alert = useRef<HTMLDivElement>(null);
  const scoring = useMutation({
    mutationFn: () =>
      scoreCheck(
        id,
        questions.map((question) => ({
          question_id: question.id,
          answer: toGiven(question, progress.answers[question.id]),
        })),
      ),
    onSuccess: (result) => change({ result }),
    onError: () => alert.current?.focus(),
  });
  const wasScored = useRef(progress.result !== null);
  const isScored = progress.result !== null;
  useEffect(() => {
    if (isScored !== wasScored.current) top.current?.focus();
    wasScored.current = isScored;
  }, [isScored]);
  const open = questions.filter((question) => !isAnswered(question, progress.answers[question.id]));
  const form = {
    questions,
    answerOf: (question: number) => progress.answers[question] ?? nothing,
    onAnswer: (question: number, answer: Answer) =>
      change({ answers: { ...progress.answers, [question]: answer } }),
    busy: scoring.isPending,
    onScore: () => {
      if (!scoring.isPending) scoring.mutate();
    },
  };
  return (
    <>
      <Stack as="header" gap="xxs">
        <Note>
          {school_year}・{subject}
        </Note>
        <Title order={1} size="h2" ref={top} tabIndex={-1}>
          {progress.result === null ? check.title : `${check.title}の結果`}
        </Title>
      </Stack>
      {progress.result === null ? (
        <>
          <Group justify="space-between" gap="sm">
            <Note role="status">
              {open.length === 0
                ? "すべての問題に答えました。"
                : `${questions.length}問中${questions.length - open.length}問に答えました。`}
            </Note>
            <Button
              variant="default"
              size="sm"
              onClick={() => change({ isList: !progress.isList })}
            >
              {progress.isList ? "1問ずつ表示する" : "全部の問題を並べる"}
            </Button>
          </Group>
          <div ref={alert} tabIndex={-1}>
            {scoring.isError && (
              <FailureAlert
                key={scoring.submittedAt}
                error={scoring.error}
                title="採点できませんでした。答えは残っています"
              />
            )}
          </div>
          {progress.isList ? (
            <AllQuestions {...form} />
          ) : (
            <OneByOne {...form} at={progress.at} onMove={(at) => change({ at })} />
          )}
        </>
      ) : (
        <FreeCheckOutcome
          check={check}
          result={progress.result}
          onRestart={() => {
            scoring.reset();
            restart();
          }}
        />
      )}
    </>
  );
}
