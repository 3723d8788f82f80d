import { recentQuery, type RecentLesson, type RecentPage } from "../api";
import { paths } from "@konomana/paths";
import { PagedList, usePaged } from "@konomana/query";
import {
  Badge,
  EmptyState,
  formatDateTime,
  Group,
  LoadingState,
  Text,
  ButtonLink,
  Stack,
  Panel,
  TextLink,
} from "@konomana/ui-base";
import { useQuery } from "@tanstack/react-query";
import { WatchBar } from "../parts/WatchBar";
import { formatPosition } from "../parts/position";

/** The learner's watched lessons, last watched first. */
export function RecentLessons() {
  const paged = usePaged();
  const query = useQuery(recentQuery(paged.page, paged.link));
  return (
    <PagedList paged={paged} query={query} loading={<LoadingState rows={5} height="6.5rem" />}>
      {(list) => <Lessons list={list} />}
    </PagedList>
  );
}

function Lessons({ list }: { list: RecentPage }) {
  if (list.count === 0)
    return (
      <EmptyState
        title="まだ見たレッスンがありません"
        action={<ButtonLink to={paths.ownedCourses()}>所有講座を見る</ButtonLink>}
      >
        レッスンを見ると、ここに並びます。つづきは、どの端末からでも見られます。
      </EmptyState>
    );
  return (
    <Stack as="ul" gap="sm">
      {list.results.map((watched) => (
        <LessonRow key={watched.lesson.id} watched={watched} />
      ))}
    </Stack>
  );
}

function LessonRow({ watched }: { watched: RecentLesson }) {
  const { lesson, course, position, is_check, is_expired, last_seen } = watched;
  const action = is_check ? "もう一度見る" : "つづきを見る";
  return (
    <Panel as="li" pad="0.875rem 1.25rem" className="kn-row">
      <div className="kn-grow">
        <Group gap="xs">
          <Text size="sm" dimmed>
            {course.name}
          </Text>
          {is_check && <Badge color="teal">学習済み</Badge>}
          {is_expired && <Badge color="gray">期限切れ</Badge>}
        </Group>
        <TextLink strong to={paths.lesson(lesson.id)}>
          {lesson.name}
        </TextLink>
        <Text size="sm" dimmed mb="xxs">
          {formatPosition(position, lesson.duration)}・{formatDateTime(last_seen)}
        </Text>
        <WatchBar name={lesson.name} position={position} duration={lesson.duration} />
      </div>
      {!is_expired && (
        <ButtonLink
          to={paths.lecture(lesson.id)}
          variant="default"
          aria-label={`${lesson.name}・${action}`}
        >
          {action}
        </ButtonLink>
      )}
    </Panel>
  );
}
