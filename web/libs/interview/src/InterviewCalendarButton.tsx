import { saveFile } from "@konomana/browser";
import { Button } from "@konomana/ui-base";
import type { Interview } from "./interviewCalls";
import { interviewCalendar } from "./interviewCalendar";

/** Saves an interview as a calendar file. */
export function InterviewCalendarButton({ interview }: { interview: Interview }) {
  const save = () => {
    const text = interviewCalendar(interview, location.origin);
    saveFile("interview.ics", new Blob([text], { type: "text/calendar" }));
  };
  return (
    <Button variant="default" onClick={save}>
      カレンダーに入れる
    </Button>
  );
}
