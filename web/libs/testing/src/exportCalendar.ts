import { writeFileSync } from "node:fs";
import { join } from "node:path";

/** What another program must read of an event. Times are those of Japan, `2026-12-31T23:30:00+09:00`. */
export interface ExpectedEvent {
  uid: string;
  sequence: number;
  title: string;
  starts_at: string;
  ends_at: string;
  is_cancelled: boolean;
}

/**
 * Writes a calendar file and its expected events to `CALENDAR_FOLDER`, if set. `cargo dev test schema`
 * parses them with an independent library.
 */
export function exportCalendar(name: string, text: string, expected: readonly ExpectedEvent[]) {
  const folder = process.env["CALENDAR_FOLDER"];
  if (folder === undefined) return;
  writeFileSync(join(folder, `${name}.ics`), text);
  writeFileSync(join(folder, `${name}.json`), JSON.stringify(expected));
}
