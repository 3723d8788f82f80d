import { saveFile } from "@konomana/browser";
import { Button } from "@konomana/ui-base";
import type { Exam } from "../../api";
import { examCalendar } from "./examCalendar";

/** Saves the dates of an exam as a calendar file. */
export function CalendarButton({ exam }: { exam: Exam }) {
  const save = () => {
    const text = examCalendar(exam, location.origin);
    saveFile(`mock-exam-${exam.id}.ics`, new Blob([text], { type: "text/calendar" }));
  };
  return (
    <Button variant="default" onClick={save}>
      カレンダーに入れる
    </Button>
  );
}
