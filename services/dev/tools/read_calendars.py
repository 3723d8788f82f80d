"""Reads calendar files with icalendar, which other authors wrote: read_calendars.py FOLDER FILE…

FOLDER has NAME.ics and NAME.json for every named file. The JSON lists the events that the file must have; null: any. Prints
each difference and fails.
"""

import json
import sys
from datetime import datetime, timedelta, timezone
from pathlib import Path
from zoneinfo import ZoneInfo

from icalendar import Calendar

TOKYO = ZoneInfo("Asia/Tokyo")
LINE_BYTES = 75
FIELDS = ["UID", "SEQUENCE", "DTSTAMP", "DTSTART", "DTEND", "SUMMARY", "URL"]
REMINDERS = [[-timedelta(days=1)], [-timedelta(minutes=10)]]


def check_lines(data):
    lines = data.split(b"\r\n")
    if lines.pop() != b"":
        yield "the last line does not end"
    for line in lines:
        if len(line) > LINE_BYTES:
            yield f"{len(line)} bytes in a line: {line!r}"
        if b"\n" in line or b"\r" in line:
            yield f"a line ends without CR LF: {line!r}"


def check_event(event):
    uid = event.get("UID")
    for part in event.walk():
        for name, error in part.errors:
            yield f"{uid}: {name} {error}"
    missing = [name for name in FIELDS if name not in event]
    yield from (f"{uid} has no {name}" for name in missing)
    if missing:
        return
    start, end = event.decoded("DTSTART"), event.decoded("DTEND")
    if start.tzinfo is None or end.tzinfo is None:
        yield f"{uid} has times without a zone"
    elif start >= end:
        yield f"{uid} ends at {end}, before {start}"
    alarms = [alarm.decoded("TRIGGER") for alarm in event.walk("VALARM")]
    is_cancelled = event.get("STATUS") == "CANCELLED"
    if alarms not in ([[]] if is_cancelled else REMINDERS):
        yield f"{uid} has the reminders {alarms}"


def describe(event):
    return {
        "uid": str(event["UID"]),
        "sequence": int(event["SEQUENCE"]),
        "title": str(event["SUMMARY"]),
        "starts_at": event.decoded("DTSTART").astimezone(TOKYO).isoformat(),
        "ends_at": event.decoded("DTEND").astimezone(TOKYO).isoformat(),
        "is_cancelled": event.get("STATUS") == "CANCELLED",
    }


def check(folder, name):
    data = (folder / f"{name}.ics").read_bytes()
    yield from check_lines(data)
    calendars = Calendar.from_ical(data, multiple=True)
    if len(calendars) != 1:
        yield f"{len(calendars)} calendars"
        return
    [calendar] = calendars
    for field, error in calendar.errors:
        yield f"{field} {error}"
    if calendar.get("VERSION") != "2.0" or not calendar.get("PRODID"):
        yield "VERSION or PRODID is missing"
    events = calendar.walk("VEVENT")
    for event in events:
        yield from check_event(event)
    # The other checks need the fields.
    if any(name not in event for event in events for name in FIELDS):
        return
    uids = [str(event["UID"]) for event in events]
    if len(uids) != len(set(uids)):
        yield f"a UID occurs twice: {uids}"
    if not uids:
        yield "there are no events"
    now = datetime.now(timezone.utc)
    if any(event.decoded("DTSTAMP") > now + timedelta(minutes=1) for event in events):
        yield "a DTSTAMP is in the future"
    expected = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
    if expected is not None:
        for found, wanted in zip(map(describe, events), expected):
            if found != wanted:
                yield f"{found} is not {wanted}"
        if len(events) != len(expected):
            yield f"{len(events)} events, not {len(expected)}"


def main():
    folder, names = Path(sys.argv[1]), sys.argv[2:]
    faults = [f"{name}: {fault}" for name in names for fault in check(folder, name)]
    print("\n".join(faults) or f"{len(names)} calendars were read")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
