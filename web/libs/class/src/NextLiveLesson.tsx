import { paths } from "@konomana/paths";
import { QueryBoundary } from "@konomana/query";
import { formatPeriod, Group, LoadingState, Note, Text, TextLink } from "@konomana/ui-base";
import { useQuery } from "@tanstack/react-query";
import { classWeekQuery, findNextLesson, formatLessonTitle, type LiveLesson } from "./classCalls";
import { JoinButton } from "./LiveLessonPanel";

/** The live lesson of the learner's classes that is on or comes next, with the link to join. */
export function NextLiveLesson() {
  const query = useQuery(classWeekQuery());
  return (
    <>
      <TextLink strong to={paths.classWeek()}>
        ライブ授業
      </TextLink>
      <QueryBoundary part query={query} loading={<LoadingState rows={1} height="1.75rem" />}>
        {(week) => {
          const next = findNextLesson(week);
          if (next) return <Next lesson={next} />;
          return (
            <Note>
              {week.classes.length === 0
                ? "参加しているクラスはありません。"
                : "これからの授業はありません。"}
            </Note>
          );
        }}
      </QueryBoundary>
    </>
  );
}

function Next({ lesson }: { lesson: LiveLesson }) {
  const { class_name, join_url, starts_at } = lesson;
  return (
    <Group gap="sm" justify="space-between">
      <div>
        <Text>
          {join_url !== null && "授業に参加できます："}
          <time dateTime={starts_at}>{formatPeriod(lesson)}</time>
        </Text>
        <Note>
          {class_name}・{formatLessonTitle(lesson)}
        </Note>
      </div>
      <JoinButton lesson={lesson} />
    </Group>
  );
}
