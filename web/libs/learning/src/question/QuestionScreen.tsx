import type { Outcome, Question } from "../api";
import { QueryBoundary } from "@konomana/query";
import { paths } from "@konomana/paths";
import { Prompt } from "@konomana/question";
import {
  TextLink,
  Badge,
  Group,
  Head,
  LoadingState,
  NotFoundContent,
  ProgressBar,
  Title,
  Stack,
} from "@konomana/ui-base";
import { useState } from "react";
import { useParams, useSearchParams } from "react-router";
import { AnswerForm } from "./AnswerForm";
import { modeIn, turnOf, type Mode } from "./mode";
import { OutcomePanel } from "./OutcomePanel";
import type { ShownOutcome } from "./useAnswering";
import { useAsked } from "./useAsked";

/** /lecture/{id}/question/{questionId}: one question of a lesson. */
export function QuestionScreen() {
  const { id = "", questionId = "" } = useParams();
  const mode = modeIn(useSearchParams()[0]);
  const query = useAsked(questionId, mode);
  return (
    <QueryBoundary query={query} loading={<QuestionLoading />}>
      {({ question, outcome }) =>
        question.lesson.id === Number(id) ? (
          <Turn key={turnOf(question.id, mode)} question={question} mode={mode} before={outcome} />
        ) : (
          <NotFoundContent />
        )
      }
    </QueryBoundary>
  );
}

function QuestionLoading() {
  return (
    <>
      <Head title="問題" />
      <LoadingState rows={1} height="3rem" />
      <LoadingState rows={1} height="20rem" />
    </>
  );
}

interface TurnProps {
  question: Question;
  mode: Mode;
  /** The outcome of an answer given before this screen was opened. */
  before: Outcome | null;
}

/** One question, from the prompt to the explanation. */
function Turn({ question, mode, before }: TurnProps) {
  const [told, setTold] = useState<(ShownOutcome & { fresh: boolean }) | null>(
    before && { outcome: before, earlier: false, fresh: false },
  );
  return (
    <Stack as="article" gap="lg">
      <Head title={`問題${question.number}・${question.lesson.name}`} />
      <Top question={question} mode={mode} />
      <Prompt id="prompt" figures={question.picture ? [question.picture] : []}>
        {question.prompt}
      </Prompt>
      {told === null ? (
        <AnswerForm
          question={question}
          mode={mode}
          onOutcome={(now) => setTold({ ...now, fresh: true })}
        />
      ) : (
        <OutcomePanel question={question} mode={mode} told={told} fresh={told.fresh} />
      )}
    </Stack>
  );
}

/** A link back, the question's number, and its mode. */
function Top({ question, mode }: { question: Question; mode: Mode }) {
  const { lesson, number, of, is_required } = question;
  return (
    <header>
      <TextLink to={paths.lecture(lesson.id)}>← {lesson.name}にもどる</TextLink>
      <Group justify="space-between" gap="xs" mt="xs" mb="xxs">
        <Title order={1} size="h3">
          問題 {number} / {of}
        </Title>
        <Group gap="xxs">
          {mode.kind !== "graded" && (
            <Badge color="blue" size="lg">
              {mode.kind === "practice" ? "練習" : "復習"}
            </Badge>
          )}
          {is_required && (
            <Badge variant="outline" color="gray" size="lg">
              かならず答える
            </Badge>
          )}
        </Group>
      </Group>
      <ProgressBar
        size="sm"
        value={(number / of) * 100}
        label="問題の番号"
        valueText={`${of}問中の${number}問目`}
      />
    </header>
  );
}
