import { lessonQuery, type Result, type ResultAnswer, resultQuery } from "../api";
import { QueryBoundary } from "@konomana/query";
import { paths } from "@konomana/paths";
import {
  Badge,
  ButtonLink,
  formatDateTime,
  Group,
  Head,
  LoadingState,
  NotFoundContent,
  ProgressBar,
  Stack,
  Text,
  Title,
  Panel,
} from "@konomana/ui-base";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "react-router";
import { WatchAgain } from "../parts/WatchAgain";
import { AnswerCard } from "./AnswerCard";
import { PracticeButton } from "./PracticeButton";
import styles from "./result.module.css";

/** /lecture/{id}/result/{resultId}: how one round of questions went, and what to do about it. */
export function ResultScreen() {
  const { id = "", resultId = "" } = useParams();
  const query = useQuery(resultQuery(resultId));
  return (
    <QueryBoundary query={query} loading={<ResultLoading />}>
      {(result) =>
        result.lesson.id === Number(id) ? <Round result={result} /> : <NotFoundContent />
      }
    </QueryBoundary>
  );
}

function ResultLoading() {
  return (
    <>
      <Head title="結果" />
      <LoadingState rows={1} height="14rem" />
      <LoadingState rows={3} height="12rem" />
    </>
  );
}

function Round({ result }: { result: Result }) {
  const { lesson, answers } = result;
  return (
    <Stack gap="lg">
      <Head title={`結果・${lesson.name}`} />
      <Score result={result} />
      <WhatNext result={result} />
      <ToWatch result={result} />
      <section aria-labelledby="answers">
        <Title order={2} size="h4" id="answers" mb="sm">
          問題ごとの結果
        </Title>
        <Stack as="ol">
          {answers.map((answer) => (
            <AnswerCard key={answer.question.id} answer={answer} result={result} />
          ))}
        </Stack>
      </section>
    </Stack>
  );
}

function Score({ result }: { result: Result }) {
  const { lesson, course, kind, question_count: of, right_count: right, finished_at } = result;
  return (
    <Panel as="section" pad="lg" gap="0.5rem" aria-labelledby="score">
      <Group gap="xxs">
        <Badge color={kind === "graded" ? "gray" : "blue"} size="lg">
          {kind === "graded" ? "採点" : "練習"}
        </Badge>
        <Text size="sm" dimmed>
          {course.name}
        </Text>
      </Group>
      <Title order={1} size="h3" id="score">
        {lesson.name}の結果
      </Title>
      <p className={styles.figure}>
        <strong>{right}</strong> / {of}問正解
      </p>
      <ProgressBar
        size="lg"
        value={of === 0 ? 0 : (right / of) * 100}
        color="teal"
        label="正解した問題"
        valueText={`${of}問中${right}問`}
      />
      <Text size="sm" dimmed>
        {finished_at === null
          ? `${result.answered_count}問に答えました。のこりは${of - result.answered_count}問です。`
          : `${formatDateTime(finished_at)}に終わりました。`}
      </Text>
    </Panel>
  );
}

/** The scenes of the video that explain what went wrong. */
function ToWatch({ result }: { result: Result }) {
  const scenes = result.answers.flatMap(
    ({ question: { id, number }, is_right, watch_again_at: at }) =>
      is_right === false && at !== null ? [{ id, number, at }] : [],
  );
  if (scenes.length === 0) return null;
  return (
    <Panel as="section" variant="tint" aria-labelledby="scenes">
      <Title order={2} size="h4" id="scenes">
        もう一度見るところ
      </Title>
      <ul>
        {scenes.map(({ id, number, at }) => (
          <Group key={id} as="li" gap="0rem 0.75rem">
            <span>問題 {number}</span>
            <WatchAgain lesson={result.lesson.id} at={at} />
          </Group>
        ))}
      </ul>
    </Panel>
  );
}

/** The first question that has no answer yet. */
function firstOpen(answers: readonly ResultAnswer[]): number | null {
  return answers.find(({ is_right }) => is_right === null)?.question.id ?? null;
}

function WhatNext({ result }: { result: Result }) {
  const {
    lesson: { id },
    kind,
    answers,
  } = result;
  const lesson = useQuery(lessonQuery(id));
  const open = firstOpen(answers);
  const round = kind === "practice" ? { result: result.id } : {};
  const next = lesson.data?.next;
  return (
    <Group as="nav" actions gap="sm" aria-label="次にすること">
      {open !== null ? (
        <ButtonLink pill to={paths.question(id, open, round)} size="lg">
          のこりの問題に答える
        </ButtonLink>
      ) : (
        <PracticeButton lesson={id} />
      )}
      <ButtonLink pill to={paths.lecture(id)} variant="default">
        レッスンにもどる
      </ButtonLink>
      {next && (
        <ButtonLink pill to={paths.lecture(next.id)} variant="default">
          次のレッスン「{next.name}」へ
        </ButtonLink>
      )}
    </Group>
  );
}
