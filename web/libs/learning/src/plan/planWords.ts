import type { PlannedDay, PlanShortfall, StudyPlan } from "./studyPlanCalls";
import { dayInWords } from "../home/week";

/** What does not fit until a day: `期限（12月4日(金)）までに3つ残ります`. */
export function formatShortfall({ deadline, lesson_count, date }: PlanShortfall): string {
  const until = { expiry: "期限", exam: "模試の前の日", homework: "宿題の期限" }[deadline];
  return `${until}（${dayInWords({ date })}）までに${lesson_count}つ残ります`;
}

/** How to avoid a shortfall. */
export function formatAdvice({ enough_minutes }: Pick<StudyPlan, "enough_minutes">): string {
  return enough_minutes === null
    ? "1日120分でも間に合わないので、先に見たいレッスンからえらんでみましょう。"
    : `1日${enough_minutes}分なら間に合います。`;
}

/** The time that the server plans for homework. */
export const HOMEWORK_SECONDS = 600;

/** Whether a day has neither a lesson nor homework. */
export function isEmpty({ lessons, homework }: PlannedDay): boolean {
  return lessons.length === 0 && homework.length === 0;
}

/** Whether everything on a day is done. */
export function isDone({ lessons, homework }: PlannedDay): boolean {
  return [...lessons, ...homework].every(({ is_done }) => is_done);
}

/** Whether every lesson of the courses that can be used is checked, and the homework is done. */
export function isComplete({ days, later_count, shortfalls }: StudyPlan): boolean {
  return later_count === 0 && shortfalls.length === 0 && days.every(isDone);
}
