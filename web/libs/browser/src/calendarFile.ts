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
  /** The page of the event. */
  url: string;
}

const encoder = new TextEncoder();

/** The maximum length of a line in RFC 5545, in bytes of UTF-8. */
const LINE_BYTES = 75;

/** A calendar file with one event (RFC 5545), with a reminder one day before. */
export function calendarFile(event: CalendarEvent, now = new Date()): string {
  const { uid, sequence = 0, title, place, description, starts_at, ends_at, url } = event;
  const lines = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Konomana//Konomana//JA",
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
    "BEGIN:VALARM",
    "ACTION:DISPLAY",
    "TRIGGER:-P1D",
    `DESCRIPTION:${escaped(title)}`,
    "END:VALARM",
    "END:VEVENT",
    "END:VCALENDAR",
  ];
  return lines.map((line) => `${folded(line)}\r\n`).join("");
}

/** Formats a time as `20261213T000000Z`. */
function utc(moment: Date): string {
  return moment.toISOString().replaceAll(/[-:]|\.\d{3}/g, "");
}

function escaped(text: string): string {
  return text.replaceAll(/[\\;,]/g, String.raw`\$&`).replaceAll("\n", String.raw`\n`);
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
