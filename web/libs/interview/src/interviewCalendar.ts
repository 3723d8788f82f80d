import { calendarFile } from "@konomana/browser";
import { paths } from "@konomana/paths";
import { canJoin, type ChildId, type Interview } from "./interviewCalls";

type Dates = Pick<
  Interview,
  "kind" | "kind_name" | "teacher" | "starts_at" | "ends_at" | "calendar_id" | "calendar_sequence"
>;

/**
 * The calendar file of an interview. A changed interview keeps its event. `origin` is that of the
 * site. With `child`, it is for the guardian.
 */
export function interviewCalendar(interview: Dates, origin: string, child?: ChildId): string {
  const { kind, kind_name, teacher, starts_at, ends_at, calendar_id, calendar_sequence } =
    interview;
  const url = new URL(paths.interviews(child), origin);
  return calendarFile({
    uid: `interview-${calendar_id}@${url.hostname}`,
    sequence: calendar_sequence,
    title: `${kind_name}（${teacher}先生）`,
    description: canJoin(kind, child)
      ? `開始の10分前から、次のページで参加できます：${url.href}`
      : `お子さまと先生の1対1の面談です。変更とキャンセルは、次のページでできます：${url.href}`,
    starts_at,
    ends_at,
    url: url.href,
  });
}
