import { paths } from "@konomana/paths";
import { Badge, formatDuration, Group, Lines, Note, TextLink } from "@konomana/ui-base";
import type { PlannedDay, PlannedHomework, PlannedLesson } from "./studyPlanCalls";
import { dayInWords } from "../home/week";
import { HOMEWORK_SECONDS } from "./planWords";

/** The lessons and the homework of a day. The link of a lesson opens the player where it was left. */
export function PlannedLessons({ day: { lessons, homework } }: { day: PlannedDay }) {
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
              {lesson.homework_due_date !== null && `・${formatDue(lesson.homework_due_date)}`}
            </Note>
          </div>
          {lesson.is_done && <Badge color="teal">✓ できた</Badge>}
        </Group>
      ))}
      {homework.map((one) => (
        <Homework key={`homework ${one.id}`} homework={one} />
      ))}
    </Lines>
  );
}

function Homework({ homework }: { homework: PlannedHomework }) {
  return (
    <Group as="li" gap="sm" justify="space-between" nowrap>
      <div>
        <TextLink strong to={paths.classWeek()}>
          {homework.text}
        </TextLink>
        <Note>
          {homework.class_name}・めやす{formatDuration(HOMEWORK_SECONDS)}・
          {formatDue(homework.due_date)}
        </Note>
      </div>
      {homework.is_done && <Badge color="teal">✓ できた</Badge>}
    </Group>
  );
}

/** Why it is planned: `宿題 12月4日(金)まで`. */
function formatDue(date: string): string {
  return `宿題 ${dayInWords({ date })}まで`;
}

function formatTimeLeft({ duration, seconds_left, is_done }: PlannedLesson): string {
  return is_done || seconds_left === duration
    ? formatDuration(duration)
    : `のこり${formatDuration(seconds_left)}`;
}
