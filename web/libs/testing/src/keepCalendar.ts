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
 * Keeps a calendar file and what it must say in the folder `CALENDAR_FOLDER`, if that is set. `cargo dev test schema` reads
 * the folder with a library of other authors (`services/dev/tools/read_calendars.py`).
 */
export function keepCalendar(name: string, text: string, expected: readonly ExpectedEvent[]) {
  const folder = process.env["CALENDAR_FOLDER"];
  if (folder === undefined) return;
  writeFileSync(join(folder, `${name}.ics`), text);
  writeFileSync(join(folder, `${name}.json`), JSON.stringify(expected));
}
