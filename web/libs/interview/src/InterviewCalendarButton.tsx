import { saveFile } from "@konomana/browser";
import { Button } from "@konomana/ui-base";
import type { ChildId, Interview } from "./interviewCalls";
import { interviewCalendar } from "./interviewCalendar";

interface InterviewCalendarButtonProps {
  interview: Interview;
  child: ChildId;
}

/** Saves an interview as a calendar file. */
export function InterviewCalendarButton({ interview, child }: InterviewCalendarButtonProps) {
  const save = () => {
    const text = interviewCalendar(interview, location.origin, child);
    saveFile("interview.ics", new Blob([text], { type: "text/calendar" }));
  };
  return (
    <Button variant="default" onClick={save}>
      カレンダーに入れる
    </Button>
  );
}
