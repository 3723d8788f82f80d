import { calendarFile } from "@konomana/browser";
import { paths } from "@konomana/paths";
import type { SchoolEvent } from "./schoolEventCalls";

type Dates = Pick<
  SchoolEvent,
  "id" | "round" | "revision" | "title" | "place" | "summary" | "starts_at" | "ends_at"
>;

/** The calendar file of an event. A file of a changed event replaces the last one. `origin` is that of the site. */
export function eventCalendar(event: Dates, origin: string): string {
  const { id, round, revision, title, place, summary, starts_at, ends_at } = event;
  const url = new URL(paths.schoolEvent(id), origin);
  return calendarFile({
    uid: `event-${id}-${round}@${url.hostname}`,
    sequence: revision,
    title,
    place,
    description: `${summary}\n内容と取り消し：${url.href}`,
    starts_at,
    ends_at,
    url: url.href,
  });
}
