import { lessonQuestionsQuery, type LectureLesson, type LessonQuestions } from "../api";
import { QueryBoundary } from "@konomana/query";
import { paths } from "@konomana/paths";
import { LoadingState, Text, ButtonLink, Group, TitledPanel } from "@konomana/ui-base";
import { useQuery } from "@tanstack/react-query";

/** The lesson's questions: how many there are and are answered, and a link to the next one. */
export function QuestionsState({ lesson }: { lesson: LectureLesson }) {
  return (
    <TitledPanel title="確認の問題">
      {lesson.question_count === 0 ? (
        <Text dimmed>このレッスンに問題はありません。</Text>
      ) : (
        <AnsweredCount lesson={lesson} />
      )}
    </TitledPanel>
  );
}

function AnsweredCount({ lesson }: { lesson: LectureLesson }) {
  const query = useQuery(lessonQuestionsQuery(lesson.id));
  return (
    <QueryBoundary part query={query} loading={<LoadingState rows={1} height="6rem" />}>
      {(questions) => <State lesson={lesson} questions={questions} />}
    </QueryBoundary>
  );
}

function State({ lesson, questions }: { lesson: LectureLesson; questions: LessonQuestions }) {
  const answered = questions.results.filter(({ graded }) => graded !== null);
  const right = answered.filter(({ graded }) => graded?.is_right);
  const open = questions.results.find(({ graded }) => graded === null);
  const required = questions.results.some(
    ({ is_required, graded }) => is_required && graded === null,
  );
  return (
    <>
      <Text>
        全{questions.count}問のうち{answered.length}問に答えました
        {answered.length > 0 && `（正解 ${right.length}問）`}
      </Text>
      {required && !lesson.is_expired && (
        <Text size="sm" dimmed>
          「かならず答える」問題に答えると、このレッスンは修了です。
        </Text>
      )}
      <Group actions gap="sm">
        {open && !lesson.is_expired && (
          <ButtonLink to={paths.question(lesson.id, open.id)}>
            {answered.length === 0 ? "問題に答える" : "つづきの問題に答える"}
          </ButtonLink>
        )}
        {questions.result !== null && (
          <ButtonLink to={paths.result(lesson.id, questions.result)} variant="default">
            結果を見る
          </ButtonLink>
        )}
      </Group>
    </>
  );
}
