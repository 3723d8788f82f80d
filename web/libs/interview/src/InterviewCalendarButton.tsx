import { calendarFile, saveFile } from "@konomana/browser";
import { paths } from "@konomana/paths";
import { Button } from "@konomana/ui-base";
import type { Interview } from "./interviewCalls";

/** Saves an interview as a calendar file. A changed interview keeps its event in the calendar. */
export function InterviewCalendarButton({ interview }: { interview: Interview }) {
  const save = () => {
    const { kind_name, teacher, starts_at, ends_at, calendar_id, calendar_sequence } = interview;
    const url = new URL(paths.interviews(), location.origin);
    const text = calendarFile({
      uid: `interview-${calendar_id}@${url.hostname}`,
      sequence: calendar_sequence,
      title: `${kind_name}（${teacher}先生）`,
      description: `開始の10分前から、次のページで参加できます：${url.href}`,
      starts_at,
      ends_at,
      url: url.href,
    });
    saveFile("interview.ics", new Blob([text], { type: "text/calendar" }));
  };
  return (
    <Button variant="default" onClick={save}>
      カレンダーに入れる
    </Button>
  );
}
