import { bookmarkedCoursesQuery, type InventoryItem } from "@konomana/learner";
import { findBundle, type HandoutKind, type RecentLesson } from "../api";
import { type QueryState, useMark, useShowInList } from "@konomana/query";
import { paths } from "@konomana/paths";
import {
  Alert,
  Button,
  formatDuration,
  Group,
  Panel,
  Skeleton,
  Text,
  Title,
  ButtonLink,
} from "@konomana/ui-base";
import { CourseArt } from "@konomana/ui-base/art";
import { CourseProgress } from "../parts/CourseProgress";
import { FileButton } from "../parts/FileButton";
import { handoutNames } from "../parts/handouts";
import { BookmarkIcon } from "../parts/markIcons";
import { Expiry, ItemBadges } from "../parts/ItemBadges";
import { lessonsOf, nextLesson } from "../parts/progress";
import { isFinished } from "../parts/position";
import styles from "./CourseHeader.module.css";
import type { CourseMarks } from "./useCourseMarks";

interface CourseHeaderProps {
  item: InventoryItem;
  /** Null while loading. */
  marks: CourseMarks | null;
  /** The watched lessons, last watched first. */
  watched: QueryState<readonly RecentLesson[]>;
}

/** The course, the learner's progress, and the lesson to continue with. */
export function CourseHeader({ item, marks, watched }: CourseHeaderProps) {
  const { course } = item;
  const lessons = lessonsOf(course);
  const checked = new Set(marks?.checked);
  const done = marks ? lessons.filter(({ id }) => checked.has(id)).length : item.check_count;
  return (
    <Panel pad="lg" mb="xl" gap="md">
      <div className="kn-band">
        <CourseArt category={course.category} schoolYear={course.school_year} />
      </div>
      <ItemBadges item={item} />
      <Title order={1} size="h2">
        {course.name}
      </Title>
      <Text dimmed>
        {course.teacher.name}先生・全{course.lesson_count}レッスン・
        {formatDuration(course.duration_sum)}
      </Text>
      <Text>{course.summary}</Text>
      {item.is_expired && (
        <Alert color="gray" title="この講座は期限切れです">
          動画と資料をまた見るには、もう一度購入してください。学習の記録、ノート、問題の結果は、これからも見ることができます。
        </Alert>
      )}
      <CourseProgress
        name={course.name}
        done={done}
        lessons={course.lesson_count}
        completed={item.completed_at !== null}
      />
      <Group gap="sm" justify="space-between">
        <Expiry item={item} />
        <Group actions gap="sm" className={styles.actions}>
          {item.is_expired ? (
            <ButtonLink to={paths.course(course.id)}>もう一度購入する</ButtonLink>
          ) : (
            marks && <GoOn item={item} marks={marks} watched={watched} />
          )}
          {marks && <BookmarkButton course={course.id} bookmarked={marks.bookmarked} />}
        </Group>
      </Group>
      {!item.is_expired && <Downloads item={item} />}
    </Panel>
  );
}

interface GoOnProps {
  item: InventoryItem;
  marks: CourseMarks;
  watched: QueryState<readonly RecentLesson[]>;
}

/** The lesson watched last if it is unfinished, or else the next one. */
function GoOn({ item, marks, watched }: GoOnProps) {
  if (watched.isPending) return <Skeleton width="11rem" height="2.75rem" />;
  // If the watched lessons can't be loaded, the checks alone decide.
  const last = watched.data?.[0];
  const lesson =
    last && !isFinished(last, last.lesson.duration)
      ? last.lesson
      : nextLesson(item.course, marks.checked, last?.lesson.id);
  if (!lesson) return null;
  return (
    <ButtonLink to={paths.lecture(lesson.id)}>
      {last || marks.checked.length > 0 ? "つづきから見る" : "最初のレッスンを見る"}
    </ButtonLink>
  );
}

function BookmarkButton({ course, bookmarked }: { course: number; bookmarked: boolean }) {
  const mark = useMark("bookmark", course, useShowInList(bookmarkedCoursesQuery.queryKey, course));
  return (
    <Button
      variant="default"
      aria-pressed={bookmarked}
      leftSection={<BookmarkIcon filled={bookmarked} />}
      onClick={() => mark.mutate(!bookmarked)}
    >
      あとで見る
    </Button>
  );
}

/** Downloads of the hand-outs of all lessons, one file for each kind. */
function Downloads({ item: { id, course } }: { item: InventoryItem }) {
  const kinds: HandoutKind[] = [];
  if (course.textbook_bundle !== null) kinds.push("textbook");
  if (course.whiteboard_bundle !== null) kinds.push("whiteboard");
  if (kinds.length === 0) return null;
  return (
    <Group gap="sm">
      {kinds.map((kind) => (
        <FileButton
          key={kind}
          name={handoutNames[kind]}
          file={`${course.name} ${handoutNames[kind]}.pdf`}
          address={async () => (await findBundle(id, kind)).url}
        />
      ))}
    </Group>
  );
}
