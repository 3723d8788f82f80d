import { paths } from "@konomana/paths";
import { QueryBoundary } from "@konomana/query";
import { formatPeriod, Group, LoadingState, Note, Text, TextLink } from "@konomana/ui-base";
import { useQuery } from "@tanstack/react-query";
import {
  AGAIN_MS,
  type ClassWeek,
  classWeekQuery,
  formatLessonTitle,
  type LiveLesson,
} from "./classCalls";
import { JoinButton } from "./LiveLessonPanel";

/** From this time before the start, the link to join may appear soon. */
const SOON_MS = 15 * 60_000;
/** How often it is fetched again before that. */
const LATER_MS = 5 * 60_000;

/** The live lesson of the learner's classes that is on or comes next, with the link to join. */
export function NextLiveLesson() {
  const query = useQuery({
    ...classWeekQuery(),
    refetchInterval: ({ state: { data } }) => {
      const next = data && findNext(data);
      if (!next) return false;
      return Date.parse(next.starts_at) - Date.now() < SOON_MS ? AGAIN_MS : LATER_MS;
    },
  });
  return (
    <>
      <TextLink strong to={paths.classWeek()}>
        ライブ授業
      </TextLink>
      <QueryBoundary part query={query} loading={<LoadingState rows={1} height="1.75rem" />}>
        {(week) => {
          const next = findNext(week);
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

/** The soonest of the next lessons of all classes. */
function findNext({ classes }: ClassWeek): LiveLesson | undefined {
  const next = classes.flatMap(({ next_lesson }) => next_lesson ?? []);
  return next.toSorted((one, other) => Date.parse(one.starts_at) - Date.parse(other.starts_at))[0];
}
