import { calendarFile } from "@konomana/browser";
import { paths } from "@konomana/paths";
import type { Exam } from "../../api";

type Dates = Pick<Exam, "id" | "name" | "subjects" | "starts_at" | "ends_at">;

/** The calendar file of an exam. `origin` is that of the site. */
export function examCalendar(exam: Dates, origin: string): string {
  const { id, name, subjects, starts_at, ends_at } = exam;
  const url = new URL(paths.mockExam(id), origin);
  return calendarFile({
    uid: `exam-${id}@${url.hostname}`,
    title: name,
    description: `${subjects.join("・")}\n準備と受験：${url.href}`,
    starts_at,
    ends_at,
    url: url.href,
  });
}
