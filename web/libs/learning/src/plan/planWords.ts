import type { PlanShortfall, StudyPlan } from "./studyPlanCalls";
import { dayInWords } from "../home/week";

/** What does not fit until a day: `期限（12月4日(金)）までに3本残ります`. */
export function formatShortfall({ deadline, lesson_count, date }: PlanShortfall): string {
  const until = deadline === "expiry" ? "期限" : "模試の前の日";
  return `${until}（${dayInWords({ date })}）までに${lesson_count}本残ります`;
}

/** How to avoid a shortfall. */
export function formatAdvice({ enough_minutes }: Pick<StudyPlan, "enough_minutes">): string {
  return enough_minutes === null
    ? "1日120分でも間に合わないので、先に見たいレッスンからえらんでみましょう。"
    : `1日${enough_minutes}分なら間に合います。`;
}

/** Whether every lesson of the courses that can be used is checked. */
export function isComplete({ days, later_count, shortfalls }: StudyPlan): boolean {
  return (
    later_count === 0 &&
    shortfalls.length === 0 &&
    days.every(({ lessons }) => lessons.every(({ is_done }) => is_done))
  );
}
