// The subscription of the edge (`services/edge/src/calendar/file.rs`) writes the same events. `calendarCases.json` tests both.

/** The data of a calendar event. Times are RFC 3339. */
export interface CalendarEvent {
  /** Stable for the same event, so a calendar does not show it twice. */
  uid: string;
  /** Counts the changes of the event, so that a calendar takes the newest one. */
  sequence?: number;
  title: string;
  place?: string;
  description: string;
  starts_at: string;
  ends_at: string;
  /** Whether the event does not take place. Calendars show it as cancelled. */
  isCancelled?: boolean;
  /** The page of the event. */
  url: string;
}

/** How long before an event its reminder is. */
type Reminder = "P1D" | "PT10M";

const encoder = new TextEncoder();

/** The maximum length of a line in RFC 5545, in bytes of UTF-8. */
const LINE_BYTES = 75;

/** A calendar file with one event (RFC 5545), with a reminder one day before. */
export function calendarFile(event: CalendarEvent, now = new Date()): string {
  return calendarFileOf([event], "P1D", now);
}

/** A calendar file with at least one event, each with a reminder. */
export function calendarFileOf(
  events: readonly CalendarEvent[],
  reminder: Reminder,
  now = new Date(),
): string {
  const lines = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Konomana//Konomana//JA",
    ...events.flatMap((event) => eventLines(event, reminder, now)),
    "END:VCALENDAR",
  ];
  return lines.map((line) => `${folded(line)}\r\n`).join("");
}

function eventLines(event: CalendarEvent, reminder: Reminder, now: Date): string[] {
  const { uid, sequence = 0, title, place, description, starts_at, ends_at, url } = event;
  return [
    "BEGIN:VEVENT",
    `UID:${uid}`,
    `SEQUENCE:${sequence}`,
    `DTSTAMP:${utc(now)}`,
    `DTSTART:${utc(new Date(starts_at))}`,
    `DTEND:${utc(new Date(ends_at))}`,
    `SUMMARY:${escaped(title)}`,
    `DESCRIPTION:${escaped(description)}`,
    ...(place === undefined ? [] : [`LOCATION:${escaped(place)}`]),
    `URL:${url}`,
    ...(event.isCancelled === true ? ["STATUS:CANCELLED"] : alarmLines(title, reminder)),
    "END:VEVENT",
  ];
}

function alarmLines(title: string, reminder: Reminder): string[] {
  return [
    "BEGIN:VALARM",
    "ACTION:DISPLAY",
    `TRIGGER:-${reminder}`,
    `DESCRIPTION:${escaped(title)}`,
    "END:VALARM",
  ];
}

/** Formats a time as `20261213T000000Z`. */
function utc(moment: Date): string {
  return moment.toISOString().replaceAll(/[-:]|\.\d{3}/g, "");
}

/** Escapes a text. Removes control characters other than the line feed. */
function escaped(text: string): string {
  const line = text.replaceAll(/[\\;,]/g, String.raw`\$&`).replaceAll("\n", String.raw`\n`);
  return line.replaceAll(/\p{Cc}/gu, "");
}

/** Folds a long line between characters. A continuation line begins with a space. */
function folded(line: string): string {
  let bytes = 0;
  let result = "";
  for (const character of line) {
    const size = encoder.encode(character).length;
    if (bytes + size > LINE_BYTES) {
      result += "\r\n ";
      bytes = 1;
    }
    result += character;
    bytes += size;
  }
  return result;
}
