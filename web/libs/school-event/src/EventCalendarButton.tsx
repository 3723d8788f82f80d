import { calendarFile, saveFile } from "@konomana/browser";
import { paths } from "@konomana/paths";
import { Button } from "@konomana/ui-base";
import type { SchoolEvent } from "./schoolEventCalls";

/** Saves an event as a calendar file. A file of a changed event replaces the last one. */
export function EventCalendarButton({ event }: { event: SchoolEvent }) {
  const save = () => {
    const { id, round, revision, title, place, summary, starts_at, ends_at } = event;
    const url = new URL(paths.schoolEvent(id), location.origin);
    const text = calendarFile({
      uid: `event-${id}-${round}@${url.hostname}`,
      sequence: revision,
      title,
      place,
      description: `${summary}\n内容と取り消し：${url.href}`,
      starts_at,
      ends_at,
      url: url.href,
    });
    saveFile(`event-${id}.ics`, new Blob([text], { type: "text/calendar" }));
  };
  return (
    <Button variant="default" onClick={save}>
      カレンダーに入れる
    </Button>
  );
}
