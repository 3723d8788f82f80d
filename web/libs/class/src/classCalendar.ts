import { calendarFileOf } from "@konomana/browser";
import { paths } from "@konomana/paths";
import { formatLessonTitle, type LearnerClass, type LiveLesson } from "./classCalls";

type Named = Pick<LearnerClass, "name" | "teacher">;
type Dates = Pick<
  LiveLesson,
  "id" | "number" | "title" | "revision" | "starts_at" | "ends_at" | "is_cancelled" | "reason"
>;

/** The calendar file of a class. `origin` is that of the site. */
export function classCalendar(
  { name, teacher }: Named,
  lessons: readonly Dates[],
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
