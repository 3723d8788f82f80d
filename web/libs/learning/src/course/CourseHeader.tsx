import { bookmarkedCoursesQuery, type InventoryItem } from "@konomana/api";
import {
  Alert,
  Anchor,
  Button,
  formatDuration,
  Group,
  Paper,
  Stack,
  Text,
  Title,
} from "@konomana/ui";
import { CourseArt } from "@konomana/ui/art";
import { Link } from "react-router";
import { CourseProgress } from "../parts/CourseProgress";
import { BookmarkIcon } from "../parts/icons";
import { Expiry, ItemBadges } from "../parts/ItemBadges";
import { lessonsOf, nextLesson } from "../parts/progress";
import { useMark } from "../parts/useMark";
import styles from "./CourseHeader.module.css";
import { useShowInList, type CourseMarks } from "./useCourseMarks";

interface CourseHeaderProps {
  item: InventoryItem;
  /** Null while they are on their way. */
  marks: CourseMarks | null;
}

/** What the course is, how far the learner has come, and where to go on. */
export function CourseHeader({ item, marks }: CourseHeaderProps) {
  const { course } = item;
  const lessons = lessonsOf(course);
  const checked = new Set(marks?.checked);
  const done = marks ? lessons.filter(({ id }) => checked.has(id)).length : item.check_count;
  return (
    <Paper className={styles.header} p={{ base: "md", xs: "xl" }} radius="lg" withBorder mb="xl">
      <div className={styles.picture}>
        <CourseArt category={course.category} schoolYear={course.school_year} />
      </div>
      <Stack gap="md">
        <ItemBadges item={item} />
        <Title order={1} size="h2">
          {course.name}
        </Title>
        <Text c="dimmed">
          {course.teacher.name}先生・全{course.lesson_count}レッスン・
          {formatDuration(course.duration_sum)}
        </Text>
        <Text>{course.summary}</Text>
        {item.is_expired && (
          <Alert color="gray" title="この講座は期限切れです">
            レッスンの一覧と学習の記録は、これからも見ることができます。
          </Alert>
        )}
        <CourseProgress
          name={course.name}
          done={done}
          lessons={course.lesson_count}
          completed={item.completed_at !== null}
        />
        <div className={styles.foot}>
          <Expiry item={item} />
          <div className={styles.actions}>
            {marks && <GoOn item={item} marks={marks} />}
            {marks && <BookmarkButton course={course.id} bookmarked={marks.bookmarked} />}
          </div>
        </div>
        <Downloads course={course} />
      </Stack>
    </Paper>
  );
}

function GoOn({ item, marks }: { item: InventoryItem; marks: CourseMarks }) {
  const lesson = nextLesson(item.course, marks.checked);
  if (!lesson) return null;
  return (
    <Button component={Link} to={`#lesson-${lesson.id}`} replace size="md">
      つづきのレッスンへ
    </Button>
  );
}

function BookmarkButton({ course, bookmarked }: { course: number; bookmarked: boolean }) {
  const mark = useMark("bookmark", course, useShowInList(bookmarkedCoursesQuery.queryKey, course));
  return (
    <Button
      variant="default"
      size="md"
      aria-pressed={bookmarked}
      leftSection={<BookmarkIcon filled={bookmarked} />}
      onClick={() => mark.mutate(!bookmarked)}
    >
      あとで見る
    </Button>
  );
}

function Downloads({ course }: { course: InventoryItem["course"] }) {
  if (!course.textbook_bundle && !course.whiteboard_bundle) return null;
  return (
    <Group gap="lg">
      {course.textbook_bundle && (
        <Anchor href={course.textbook_bundle} download py={10}>
          テキストをダウンロード
        </Anchor>
      )}
      {course.whiteboard_bundle && (
        <Anchor href={course.whiteboard_bundle} download py={10}>
          板書をダウンロード
        </Anchor>
      )}
    </Group>
  );
}
