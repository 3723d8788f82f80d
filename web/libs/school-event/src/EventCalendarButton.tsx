import { saveFile } from "@konomana/browser";
import { Button } from "@konomana/ui-base";
import { eventCalendar } from "./eventCalendar";
import type { SchoolEvent } from "./schoolEventCalls";

/** Saves an event as a calendar file. */
export function EventCalendarButton({ event }: { event: SchoolEvent }) {
  const save = () => {
    const text = eventCalendar(event, location.origin);
    saveFile(`event-${event.id}.ics`, new Blob([text], { type: "text/calendar" }));
  };
  return (
    <Button variant="default" onClick={save}>
      カレンダーに入れる
    </Button>
  );
}
