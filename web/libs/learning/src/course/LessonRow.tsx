import { useMark, useShowInList } from "@konomana/query";
import { courseMarksQuery, type Lesson } from "@konomana/learner";
import type { RecentLesson } from "../api";
import { paths } from "@konomana/paths";
import { Badge, Checkbox, formatDuration, Text, Group, TextLink } from "@konomana/ui-base";
import { useEffect, useRef } from "react";
import { useLocation } from "react-router";
import { StarToggle } from "../parts/StarToggle";
import { WatchBar } from "../parts/WatchBar";
import { formatPosition } from "../parts/position";
import styles from "./LessonRow.module.css";

interface LessonRowProps {
  lesson: Lesson;
  course: number;
  checked: boolean;
  starred: boolean;
  /** The watched position; undefined if the lesson was not watched or the data is not loaded. */
  watched: RecentLesson | undefined;
  /** Whether the course was completed once. An unchecked lesson was then added later. */
  completed: boolean;
  /** The course has expired: the video is locked, but the rest can be read. */
  locked: boolean;
}

/**
 * One lesson. Its name opens the player, or its page if the video is locked. Both marks change at
 * once and are restored if the server refuses.
 */
export function LessonRow({
  lesson,
  course,
  checked,
  starred,
  watched,
  completed,
  locked,
}: LessonRowProps) {
  const row = useRef<HTMLLIElement>(null);
  const here = useLocation().hash === `#lesson-${lesson.id}`;
  const check = useMark(
    "check",
    lesson.id,
    useShowInList(courseMarksQuery("check", course).queryKey, lesson.id),
  );
  const showStar = useShowInList(courseMarksQuery("favorite", course).queryKey, lesson.id);

  // The list arrives after navigation, so the browser can't have scrolled to the lesson.
  useEffect(() => {
    if (here) row.current?.scrollIntoView({ block: "center" });
  }, [here]);

  return (
    <li ref={row} id={`lesson-${lesson.id}`} className={styles.row} data-here={here || undefined}>
      <Checkbox
        className={styles.check}
        checked={checked}
        onChange={(event) => check.mutate(event.currentTarget.checked)}
        aria-label={`${lesson.name}を学習済みにする`}
      />
      <div>
        <TextLink strong to={locked ? paths.lesson(lesson.id) : paths.lecture(lesson.id)}>
          {lesson.name}
        </TextLink>
        {completed && !checked && check.isIdle && <Badge color="red">新しいレッスン</Badge>}
        {lesson.summary && (
          <Text className="kn-narrow" size="sm" dimmed>
            {lesson.summary}
          </Text>
        )}
        <Group as="p" gap="0rem 1.25rem" className="kn-soft kn-fine">
          <span>
            {watched && !checked
              ? formatPosition(watched.position, lesson.duration)
              : formatDuration(lesson.duration)}
          </span>
          {!locked && (
            <TextLink
              size="sm"

              to={paths.lesson(lesson.id)}
              aria-label={`${lesson.name}の内容とノート`}
            >
              内容とノート
            </TextLink>
          )}
        </Group>
        {watched && !checked && (
          <WatchBar name={lesson.name} position={watched.position} duration={lesson.duration} />
        )}
      </div>
      <StarToggle lesson={lesson} starred={starred} show={showStar} />
    </li>
  );
}
