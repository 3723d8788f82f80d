import { calendarFile, saveFile } from "@konomana/browser";
import { paths } from "@konomana/paths";
import { Button } from "@konomana/ui-base";
import type { Exam } from "../../api";

/** Saves the dates of an exam as a calendar file. */
export function CalendarButton({ exam }: { exam: Exam }) {
  const save = () => {
    const { id, name, subjects, starts_at, ends_at } = exam;
    const url = new URL(paths.mockExam(id), location.origin);
    const text = calendarFile({
      uid: `exam-${id}@${url.hostname}`,
      title: name,
      description: `${subjects.join("・")}\n準備と受験：${url.href}`,
      starts_at,
      ends_at,
      url: url.href,
    });
    saveFile(`mock-exam-${id}.ics`, new Blob([text], { type: "text/calendar" }));
  };
  return (
    <Button variant="default" onClick={save}>
      カレンダーに入れる
    </Button>
  );
}
