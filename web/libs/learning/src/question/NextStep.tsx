import { reviewQuery, type Question, type ResultProgress } from "../api";
import { paths } from "@konomana/paths";
import { ButtonLink, Text, Group } from "@konomana/ui-base";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useNavigate } from "react-router";
import { addressOf, type Mode } from "./mode";
import { KeyHint } from "./KeyHint";
import { useKeys } from "./useKeys";

interface NextStepProps {
  question: Question;
  mode: Mode;
  /** The round that the answer belongs to; null in review. */
  round: ResultProgress | null;
}

/** The links after an answered question. */
export function NextStep({ question, mode, round }: NextStepProps) {
  if (round === null || mode.kind === "review") return <NextReview question={question} />;
  return <NextInRound question={question} mode={mode} round={round} />;
}

/**
 * The next question, or the result at the end. A finished round also links to a question that is
 * still open.
 */
function NextInRound({ question, mode, round }: NextStepProps & { round: ResultProgress }) {
  const { lesson, next } = question;
  const toNext = next === null ? null : paths.question(lesson.id, next, addressOf(mode));
  const toResult = paths.result(lesson.id, round.id);
  const first = round.is_finished ? toResult : (toNext ?? toResult);
  return (
    <>
      <Text size="sm" dimmed>
        {round.of}問中 {round.answered}問に答えました。
      </Text>
      <Ways first={first}>
        <ButtonLink pill to={first} size="lg">
          {first === toNext ? "次の問題へ" : "結果を見る"}
        </ButtonLink>
        {round.is_finished && toNext !== null && (
          <ButtonLink pill to={toNext} variant="default">
            次の問題へ
          </ButtonLink>
        )}
        <ButtonLink pill to={paths.lecture(lesson.id)} variant="default">
          レッスンにもどる
        </ButtonLink>
      </Ways>
    </>
  );
}

/** The next question due for review, if there is one. */
function NextReview({ question }: { question: Question }) {
  const due = useQuery(reviewQuery());
  const next = due.isFetching
    ? undefined
    : due.data?.results.find(({ question_id }) => question_id !== question.id);
  const first =
    next === undefined ? null : paths.question(next.lesson.id, next.question_id, { review: true });
  return (
    <>
      {due.data !== undefined && !due.isFetching && first === null && (
        <Text bold>いまの復習は、これで終わりです。</Text>
      )}
      <Ways first={first}>
        {first !== null && (
          <ButtonLink pill to={first} size="lg">
            次の復習へ
          </ButtonLink>
        )}
        <ButtonLink pill to={paths.review()} variant="default">
          復習の一覧へ
        </ButtonLink>
      </Ways>
    </>
  );
}

/** Links to the next step; the key N opens the first one. */
function Ways({ first, children }: { first: string | null; children: ReactNode }) {
  const navigate = useNavigate();
  useKeys({ onNext: first === null ? undefined : () => void navigate(first) });
  return (
    <Group actions gap="sm">
      {children}
      {first !== null && <KeyHint>キーボードでは、Nで次へ進みます。</KeyHint>}
    </Group>
  );
}
