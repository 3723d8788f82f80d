import { courseMarksQuery, type Lesson } from "@konomana/api";
import { Badge, Checkbox, formatDuration, Text } from "@konomana/ui";
import { useEffect, useRef } from "react";
import { useLocation } from "react-router";
import { StarToggle } from "../parts/StarToggle";
import { useMark } from "../parts/useMark";
import styles from "./LessonRow.module.css";
import { useShowInList } from "./useCourseMarks";

interface LessonRowProps {
  lesson: Lesson;
  course: number;
  checked: boolean;
  starred: boolean;
  /** Whether every lesson was checked once: one that is not has been added since. */
  completed: boolean;
}

/** One lesson with its two marks. Both show at once and are taken back when the server refuses. */
export function LessonRow({ lesson, course, checked, starred, completed }: LessonRowProps) {
  const row = useRef<HTMLLIElement>(null);
  const here = useLocation().hash === `#lesson-${lesson.id}`;
  const check = useMark(
    "check",
    lesson.id,
    useShowInList(courseMarksQuery("check", course).queryKey, lesson.id),
  );
  const showStar = useShowInList(courseMarksQuery("favorite", course).queryKey, lesson.id);

  // The list arrives after the address did, so the browser can't have gone there by itself.
  useEffect(() => {
    if (here) row.current?.scrollIntoView({ block: "center" });
  }, [here]);

  return (
    <li ref={row} id={`lesson-${lesson.id}`} className={styles.row} data-here={here || undefined}>
      <Checkbox
        className={styles.check}
        size="md"
        color="teal.8"
        checked={checked}
        onChange={(event) => check.mutate(event.currentTarget.checked)}
        aria-label={`${lesson.name}を学習済みにする`}
        label={
          <span className={styles.text}>
            <span className={styles.name}>{lesson.name}</span>
            {completed && !checked && check.isIdle && (
              <Badge color="red.8" mb={4}>
                新しいレッスン
              </Badge>
            )}
            {lesson.summary && (
              <Text span className={styles.summary} size="sm" c="dimmed">
                {lesson.summary}
              </Text>
            )}
          </span>
        }
      />
      <Text className={styles.length} size="sm" c="dimmed">
        {formatDuration(lesson.duration)}
      </Text>
      <StarToggle lesson={lesson} starred={starred} show={showStar} />
    </li>
  );
}
