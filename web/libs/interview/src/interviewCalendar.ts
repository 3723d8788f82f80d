import { calendarFile } from "@konomana/browser";
import { paths } from "@konomana/paths";
import type { Interview } from "./interviewCalls";

type Dates = Pick<
  Interview,
  "kind_name" | "teacher" | "starts_at" | "ends_at" | "calendar_id" | "calendar_sequence"
>;

/** The calendar file of an interview. A changed interview keeps its event. `origin` is that of the site. */
export function interviewCalendar(interview: Dates, origin: string): string {
  const { kind_name, teacher, starts_at, ends_at, calendar_id, calendar_sequence } = interview;
  const url = new URL(paths.interviews(), origin);
  return calendarFile({
    uid: `interview-${calendar_id}@${url.hostname}`,
    sequence: calendar_sequence,
    title: `${kind_name}（${teacher}先生）`,
    description: `開始の10分前から、次のページで参加できます：${url.href}`,
    starts_at,
    ends_at,
    url: url.href,
  });
}
