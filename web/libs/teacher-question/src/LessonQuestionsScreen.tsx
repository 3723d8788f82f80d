import { paths } from "@konomana/paths";
import { PagedList, usePaged } from "@konomana/query";
import {
  ButtonLink,
  EmptyState,
  formatClock,
  Head,
  LoadingState,
  Stack,
  Text,
  TextLink,
  Title,
} from "@konomana/ui-base";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "react-router";
import { QuestionMessages } from "./QuestionMessages";
import { lessonQuestionsQuery, sharedQuestionPicture } from "./teacherQuestionCalls";

/** /mypage/question/lesson/{id}: the answered questions that other owners of the lesson share. */
export function LessonQuestionsScreen() {
  const lesson = Number(useParams()["id"]);
  const paged = usePaged();
  const query = useQuery(lessonQuestionsQuery(lesson, paged.page, paged.link));
  return (
    <Stack gap="lg">
      <Head title="みんなの質問と回答" />
      <TextLink to={paths.lesson(lesson)}>← レッスンへ</TextLink>
      <Title order={1} size="h2">
        みんなの質問と回答
      </Title>
      <PagedList paged={paged} query={query} loading={<LoadingState rows={3} height="8rem" />}>
        {(list) =>
          list.count === 0 ? (
            <EmptyState
              title="まだ質問がありません"
              action={<ButtonLink to={paths.askTeacher({ lesson })}>質問する</ButtonLink>}
            >
              このレッスンの質問と回答が、名前を出さずにここに集まります。
            </EmptyState>
          ) : (
            <Stack as="ul" gap="xl">
              {list.results.map(({ id, at, messages, is_own }) => (
                <li key={id}>
                  {at !== null && (
                    <Text>
                      <TextLink to={paths.lecture(lesson, { at })}>
                        {formatClock(at)}の場面
                      </TextLink>
                    </Text>
                  )}
                  <QuestionMessages
                    messages={messages}
                    asker={is_own ? "わたし" : "生徒"}
                    loadPicture={(picture) => sharedQuestionPicture(lesson, picture)}
                  />
                </li>
              ))}
            </Stack>
          )
        }
      </PagedList>
    </Stack>
  );
}
