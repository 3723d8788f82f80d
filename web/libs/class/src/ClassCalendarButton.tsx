import { calendarFileOf } from "@konomana/browser";
import { paths } from "@konomana/paths";
import { SaveFileButton } from "@konomana/query";
import {
  findLiveLessons,
  formatLessonTitle,
  type LearnerClass,
  type LiveLesson,
} from "./classCalls";

/**
 * Saves all live lessons of a class as a calendar file. In a later file, moved and cancelled lessons replace those of
 * the earlier one.
 */
export function ClassCalendarButton({ learnerClass }: { learnerClass: LearnerClass }) {
  const { id, name } = learnerClass;
  return (
    <SaveFileButton
      name={`class-${id}.ics`}
      what={`${name}のカレンダー`}
      load={async () => {
        const { results } = await findLiveLessons(id);
        return new Blob([classCalendar(learnerClass, results, location.origin)], {
          type: "text/calendar",
        });
      }}
    />
  );
}

/** The calendar file of a class. `origin` is that of the site. */
export function classCalendar(
  { name, teacher }: LearnerClass,
  lessons: readonly LiveLesson[],
  origin: string,
): string {
  const url = new URL(paths.classWeek(), origin);
  const events = lessons.map((lesson) => ({
    uid: `live-lesson-${lesson.id}@${url.hostname}`,
    sequence: lesson.revision,
    title: `${name} ${formatLessonTitle(lesson)}`,
    description: [
      `${teacher.name}先生。開始の10分前から、次のページで参加できます：${url.href}`,
      ...(lesson.reason === "" ? [] : [lesson.reason]),
    ].join("\n"),
    starts_at: lesson.starts_at,
    ends_at: lesson.ends_at,
    isCancelled: lesson.is_cancelled,
    url: url.href,
  }));
  return calendarFileOf(events, "PT10M");
}
