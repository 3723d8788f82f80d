import { paths } from "@konomana/paths";
import { PagedList, usePaged } from "@konomana/query";
import {
  Badge,
  ButtonLink,
  EmptyState,
  formatClock,
  formatDateTime,
  Group,
  Head,
  LoadingState,
  Panel,
  Stack,
  Text,
  TextLink,
  Title,
} from "@konomana/ui-base";
import { useQuery } from "@tanstack/react-query";
import { AllowanceNote } from "./AllowanceNote";
import { type TeacherQuestion, teacherQuestionsQuery } from "./teacherQuestionCalls";

/** /mypage/question: what is left this month, and the learner's questions. */
export function TeacherQuestionsScreen() {
  const paged = usePaged();
  const query = useQuery(teacherQuestionsQuery(paged.page, paged.link));
  return (
    <Stack gap="lg">
      <Head title="先生に質問" />
      <Title order={1} size="h2">
        先生に質問
      </Title>
      <AllowanceNote />
      <div>
        <ButtonLink to={paths.askTeacher()}>質問する</ButtonLink>
      </div>
      <PagedList paged={paged} query={query} loading={<LoadingState rows={3} height="7rem" />}>
        {(list) =>
          list.count === 0 ? (
            <EmptyState title="まだ質問がありません">
              わからないところがあれば、先生に質問してみましょう。レッスンの画面からは、見ている場面について質問できます。
            </EmptyState>
          ) : (
            <Stack as="ul" gap="sm" aria-label="わたしの質問">
              {list.results.map((question) => (
                <QuestionRow key={question.id} question={question} />
              ))}
            </Stack>
          )
        }
      </PagedList>
    </Stack>
  );
}

function QuestionRow({ question }: { question: TeacherQuestion }) {
  const { id, text, place, asked_at } = question;
  return (
    <Panel as="li" pad="0.875rem 1.25rem">
      <Group gap="sm">
        <QuestionState question={question} />
        <Text size="sm" dimmed>
          {formatDateTime(asked_at)}
        </Text>
      </Group>
      <TextLink strong to={paths.teacherQuestion(id)}>
        {shortened(text)}
      </TextLink>
      {place && (
        <Text size="sm" dimmed>
          {place.lesson_name}
          {place.at !== null && `（${formatClock(place.at)}）`}
        </Text>
      )}
    </Panel>
  );
}

/** Whether the question is answered, and who answers until when. */
export function QuestionState({ question }: { question: TeacherQuestion }) {
  const { is_waiting, is_unread, teacher, due_at } = question;
  if (!is_waiting)
    return is_unread ? <Badge color="red">新しい回答</Badge> : <Badge color="teal">回答あり</Badge>;
  return (
    <>
      <Badge color="gray">回答待ち</Badge>
      <Text size="sm">
        {teacher !== "" && `${teacher}先生が回答を準備しています。`}
        {due_at !== null && `${formatDateTime(due_at)}までに回答します。`}
      </Text>
    </>
  );
}

/** The beginning of a text on one line. */
function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, " ");
  return line.length > 60 ? `${line.slice(0, 60)}…` : line;
}
