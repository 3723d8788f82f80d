import { paths } from "@konomana/paths";
import { Badge, formatDuration, Group, Lines, Note, TextLink } from "@konomana/ui-base";
import type { PlannedLesson } from "./studyPlanCalls";

/** The lessons of a day. Each link opens the player where the lesson was left. */
export function PlannedLessons({ lessons }: { lessons: readonly PlannedLesson[] }) {
  return (
    <Lines>
      {lessons.map((lesson) => (
        <Group key={lesson.id} as="li" gap="sm" justify="space-between" nowrap>
          <div>
            <TextLink strong to={paths.lecture(lesson.id)}>
              {lesson.name}
            </TextLink>
            <Note>
              {lesson.course.name}・{formatTimeLeft(lesson)}
            </Note>
          </div>
          {lesson.is_done && <Badge color="teal">✓ できた</Badge>}
        </Group>
      ))}
    </Lines>
  );
}

function formatTimeLeft({ duration, seconds_left, is_done }: PlannedLesson): string {
  return is_done || seconds_left === duration
    ? formatDuration(duration)
    : `のこり${formatDuration(seconds_left)}`;
}
