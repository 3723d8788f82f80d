import { useStore } from "@konomana/browser";
import { paths } from "@konomana/paths";
import { AnswerFields, answerOf, type Answer, givenOf, Prompt } from "@konomana/question";
import { Button, ButtonLink, Checkbox, Group, Head, Stack, Text, Title } from "@konomana/ui-base";
import { useEffect, useRef, useState } from "react";
import { useSearchParams } from "react-router";
import type { SittingSession } from "../protocol/SittingSession";
import type { Entry } from "../protocol/sittingState";
import type { ExamAnswer, ExamQuestion } from "../protocol/sittingTypes";
import { useReadingAids } from "../reading/readingAids";
import { ReadingAids } from "../reading/ReadingAids";
import { PictureAnswer } from "../written/PictureAnswer";
import { noteQuestion, questionBefore } from "./lastQuestion";
import { PlaceText } from "./PlaceText";
import { QuestionMap } from "./QuestionMap";
import { SittingState } from "./SittingState";
import styles from "./questions.module.css";

interface QuestionViewProps {
  exam: number;
  session: SittingSession;
}

/** The questions of a paper, one at a time. */
export function QuestionView({ exam, session }: QuestionViewProps) {
  const { sitting, entries, phase, isTakenOver } = useStore(session.state);
  const { questions, subject } = sitting.paper;
  const [search, setSearch] = useSearchParams();
  const named = search.get("question") ?? questionBefore(sitting);
  const index = Math.max(
    0,
    questions.findIndex(({ number }) => String(number) === named),
  );
  const question = questions[index];
  const [hasMoved, setHasMoved] = useState(false);
  useReadingAids();
  useEffect(() => {
    if (question !== undefined) noteQuestion(sitting, question.number);
  }, [sitting, question]);
  const isClosed = phase !== "running" || isTakenOver;
  const shown = isClosed ? null : (question?.id ?? null);
  useEffect(() => {
    session.show(shown);
    return () => session.show(null);
  }, [session, shown]);
  if (question === undefined) return null;

  const go = (to: ExamQuestion | undefined) => {
    if (to === undefined) return;
    setHasMoved(true);
    const next = { paper: String(sitting.paper_id), question: String(to.number) };
    setSearch(next, { replace: true, preventScrollReset: true });
  };
  return (
    <Stack gap="lg">
      <Head title={`問題${question.number}・${subject}`} />
      <SittingState session={session} />
      <OneQuestion
        key={question.id}
        session={session}
        question={question}
        of={questions.length}
        entry={entries.get(question.id)}
        isClosed={isClosed}
        takesFocus={hasMoved}
      />
      <Group as="nav" aria-label="前後の問題" justify="space-between" className={styles.steps}>
        <Button
          variant="default"
          aria-disabled={index === 0}
          onClick={() => go(questions[index - 1])}
        >
          ← 前の問題
        </Button>
        {index < questions.length - 1 ? (
          <Button onClick={() => go(questions[index + 1])}>次の問題 →</Button>
        ) : (
          <ButtonLink to={paths.examCheck(exam, sitting.paper_id)}>提出前の確認へ</ButtonLink>
        )}
      </Group>
      <QuestionMap questions={questions} entries={entries} current={question.id} onChoose={go} />
      {index < questions.length - 1 && (
        <Group justify="flex-end">
          <ButtonLink to={paths.examCheck(exam, sitting.paper_id)} variant="default">
            提出前の確認へ
          </ButtonLink>
        </Group>
      )}
      <ReadingAids />
    </Stack>
  );
}

interface OneQuestionProps {
  session: SittingSession;
  question: ExamQuestion;
  of: number;
  entry: Entry | undefined;
  /** Whether the question is read-only at the moment. */
  isClosed: boolean;
  /** Whether the learner came from another question. */
  takesFocus: boolean;
}

function OneQuestion({ session, question, of, entry, isClosed, takesFocus }: OneQuestionProps) {
  const { id, number, prompt, figures, points } = question;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (takesFocus) heading.current?.focus();
  }, [takesFocus]);
  const place = entry?.place ?? null;
  return (
    <Stack as="article" gap="md" aria-labelledby="question">
      <Group justify="space-between" gap="xs">
        <Title order={1} size="h3" id="question" ref={heading} tabIndex={-1}>
          問題 {number} / {of}
        </Title>
        <Text size="sm" dimmed>
          {points}点
        </Text>
      </Group>
      <Prompt id="prompt" figures={figures}>
        {prompt}
      </Prompt>
      <fieldset disabled={isClosed} className={styles.fields}>
        <legend className="kn-hidden">答え</legend>
        <Fields
          key={entry?.revision ?? 0}
          session={session}
          question={question}
          given={entry?.answer ?? null}
        />
        <Group justify="space-between" gap="xs" mt="sm">
          <PlaceText place={place} isBlank={entry?.answer == null} />
        </Group>
        <Checkbox
          label="あとで見直す"
          checked={entry?.isFlagged ?? false}
          onChange={(event) => session.flag(id, event.currentTarget.checked)}
        />
      </fieldset>
    </Stack>
  );
}

interface FieldsProps {
  session: SittingSession;
  question: ExamQuestion;
  given: ExamAnswer | null;
}

/** The answer fields. They show the input unchanged; the saved answer has no surrounding spaces. */
function Fields({ session, question, given }: FieldsProps) {
  const { id, kind, choices, character_limit, takes_picture } = question;
  const [typed, setTyped] = useState(() => answerOf(given));
  const change = (next: Answer) => {
    setTyped(next);
    const isBlank = next.chosen.length === 0 && next.answer.trim() === "";
    session.answer(id, isBlank ? null : givenOf(kind, next));
  };
  const fields = (
    <>
      <AnswerFields
        kind={kind}
        choices={choices}
        value={typed}
        onChange={change}
        labelledBy="prompt"
        enterKeyHint="done"
        characterLimit={character_limit}
      />
      {kind === "single" && typed.chosen.length > 0 && (
        <Button pill variant="quiet" onClick={() => change({ ...typed, chosen: [] })}>
          選んだ答えを取り消す
        </Button>
      )}
    </>
  );
  if (!takes_picture) return fields;
  return (
    <PictureAnswer session={session} question={id} given={given} onRemove={() => change(typed)}>
      {fields}
    </PictureAnswer>
  );
}
