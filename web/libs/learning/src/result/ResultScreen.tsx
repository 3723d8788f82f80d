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
  formatClock,
} from "@konomana/ui-base";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "react-router";
import { AnswerCard } from "./AnswerCard";
import { PracticeButton } from "./PracticeButton";

/** /lecture/{id}/result/{resultId}: the result of one round of questions, and the next steps. */
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
      <ToWatch result={result} />
      <WhatNext result={result} />
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

/** The message after a finished round. */
function wordFor(right: number, of: number): string {
  if (right === of) return "全問正解です。よくがんばりました！";
  if (right === 0)
    return "動画で確かめてから、もう一度やってみましょう。きっとわかるようになります。";
  return `あと${of - right}問で全問正解です。まちがえた問題を見直しましょう。`;
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
      <p>
        <strong className={right > 0 ? "kn-figure kn-right" : "kn-figure"} data-large>
          {right}
        </strong>{" "}
        / {of}問正解
      </p>
      {finished_at !== null && <Text bold>{wordFor(right, of)}</Text>}
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

/** The positions in the video that explain the wrong answers. */
function scenesOf({ answers }: Result) {
  return answers.flatMap(({ question: { id, number }, is_right, watch_again_at: at }) =>
    is_right === false && at !== null ? [{ id, number, at }] : [],
  );
}

/** Links to the positions that explain the wrong answers. */
function ToWatch({ result }: { result: Result }) {
  const scenes = scenesOf(result);
  if (scenes.length === 0) return null;
  return (
    <Panel as="section" variant="tint" gap="sm" aria-labelledby="scenes">
      <Title order={2} size="h4" id="scenes">
        もう一度見るところ
      </Title>
      <Stack as="ul" gap="xs">
        {scenes.map(({ id, number, at }, index) => (
          <Group key={id} as="li" gap="0.25rem 1rem">
            <span>問題 {number}</span>
            <ButtonLink
              pill
              to={paths.lecture(result.lesson.id, { at })}
              variant={index === 0 && result.finished_at !== null ? "filled" : "default"}
            >
              この場面を見る（{formatClock(at)}から）
            </ButtonLink>
          </Group>
        ))}
      </Stack>
    </Panel>
  );
}

/** The first unanswered question. */
function firstOpen(answers: readonly ResultAnswer[]): number | null {
  return answers.find(({ is_right }) => is_right === null)?.question.id ?? null;
}

/**
 * The next steps. The primary button is the open question, the position to watch or, after full
 * marks, the next lesson.
 */
function WhatNext({ result }: { result: Result }) {
  const {
    lesson: { id },
    kind,
    answers,
    question_count: of,
    right_count: right,
  } = result;
  const lesson = useQuery(lessonQuery(id));
  const open = firstOpen(answers);
  const round = kind === "practice" ? { result: result.id } : {};
  const next = lesson.data?.next;
  const isFull = open === null && right === of;
  const nextLesson = next && (
    <ButtonLink pill to={paths.lecture(next.id)} variant={isFull ? "filled" : "default"}>
      次のレッスン「{next.name}」へ
    </ButtonLink>
  );
  return (
    <Group as="nav" actions gap="sm" aria-label="次にすること">
      {isFull && nextLesson}
      {open !== null ? (
        <ButtonLink pill to={paths.question(id, open, round)}>
          のこりの問題に答える
        </ButtonLink>
      ) : (
        <PracticeButton
          lesson={id}
          variant={isFull || scenesOf(result).length > 0 ? "default" : "filled"}
        />
      )}
      <ButtonLink pill to={paths.lecture(id)} variant="default">
        レッスンにもどる
      </ButtonLink>
      {!isFull && nextLesson}
    </Group>
  );
}
