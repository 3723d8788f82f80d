//! Writes calendar files (RFC 5545) like `web/libs/browser/src/calendarFile.ts`: UIDs, sequences and texts agree, so that an
//! app that has both a file and the subscription sees the same events. `calendarCases.json` beside it tests both.

use std::fmt::Write as _;

use time::{OffsetDateTime, UtcOffset};

/// Longest line in RFC 5545, in bytes of UTF-8.
const LINE_BYTES: usize = 75;

/// The head of the calendar. Apps that follow RFC 7986 ask again after an hour; the lines with `X-` are for older ones.
const HEAD: [&str; 7] = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Konomana//Konomana//JA",
    "NAME:コノマナ",
    "X-WR-CALNAME:コノマナ",
    "REFRESH-INTERVAL;VALUE=DURATION:PT1H",
    "X-PUBLISHED-TTL:PT1H",
];

/// An event of a calendar.
#[derive(Clone)]
pub(super) struct CalendarEvent {
    /// Stable for the same event.
    pub(super) uid: String,
    /// Counts the changes of the event, so that an app takes the newest one.
    pub(super) sequence: u32,
    pub(super) title: String,
    pub(super) place: Option<String>,
    pub(super) description: String,
    pub(super) starts_at: OffsetDateTime,
    pub(super) ends_at: OffsetDateTime,
    pub(super) is_cancelled: bool,
    /// The page of the event.
    pub(super) url: String,
    pub(super) reminder: Reminder,
}

/// How long before an event its reminder is.
#[derive(Clone, Copy)]
pub(super) enum Reminder {
    Day,
    TenMinutes,
}

impl Reminder {
    fn duration(self) -> &'static str {
        match self {
            Self::Day => "P1D",
            Self::TenMinutes => "PT10M",
        }
    }
}

/// Writes a calendar with these events. `now` is the time of the writing.
pub(super) fn write_calendar(events: &[CalendarEvent], now: OffsetDateTime) -> String {
    let mut text = String::new();
    for line in HEAD {
        add_line(&mut text, line);
    }
    for event in events {
        add_event(&mut text, event, now);
    }
    add_line(&mut text, "END:VCALENDAR");
    text
}

fn add_event(text: &mut String, event: &CalendarEvent, now: OffsetDateTime) {
    let mut add = |line: &str| add_line(text, line);
    add("BEGIN:VEVENT");
    add(&format!("UID:{}", event.uid));
    add(&format!("SEQUENCE:{}", event.sequence));
    add(&format!("DTSTAMP:{}", format_utc(now)));
    add(&format!("DTSTART:{}", format_utc(event.starts_at)));
    add(&format!("DTEND:{}", format_utc(event.ends_at)));
    add(&format!("SUMMARY:{}", escape(&event.title)));
    add(&format!("DESCRIPTION:{}", escape(&event.description)));
    if let Some(place) = &event.place {
        add(&format!("LOCATION:{}", escape(place)));
    }
    add(&format!("URL:{}", event.url));
    if event.is_cancelled {
        add("STATUS:CANCELLED");
    } else {
        add("BEGIN:VALARM");
        add("ACTION:DISPLAY");
        add(&format!("TRIGGER:-{}", event.reminder.duration()));
        add(&format!("DESCRIPTION:{}", escape(&event.title)));
        add("END:VALARM");
    }
    add("END:VEVENT");
}

/// Formats a time as `20261213T000000Z`.
fn format_utc(moment: OffsetDateTime) -> String {
    let utc = moment.to_offset(UtcOffset::UTC);
    let (hour, minute, second) = utc.to_hms();
    let mut text = String::new();
    let _ = write!(text, "{:04}{:02}{:02}", utc.year(), u8::from(utc.month()), utc.day());
    let _ = write!(text, "T{hour:02}{minute:02}{second:02}Z");
    text
}

/// Escapes a text. Removes control characters other than the line feed.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for sign in text.chars() {
        match sign {
            '\\' | ';' | ',' => escaped.extend(['\\', sign]),
            '\n' => escaped.push_str("\\n"),
            sign if sign.is_control() => {}
            sign => escaped.push(sign),
        }
    }
    escaped
}

/// Appends a line. Folds a long one between characters: a continuation begins with a space.
fn add_line(text: &mut String, line: &str) {
    let mut bytes = 0;
    for sign in line.chars() {
        if bytes + sign.len_utf8() > LINE_BYTES {
            text.push_str("\r\n ");
            bytes = 1;
        }
        text.push(sign);
        bytes += sign.len_utf8();
    }
    text.push_str("\r\n");
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;
    use time::format_description::well_known::Rfc3339;

    use super::*;

    #[derive(Deserialize)]
    struct Cases {
        now: String,
        events: Vec<Case>,
        lines: Vec<String>,
    }

    #[derive(Deserialize)]
    struct Case {
        uid: String,
        #[serde(default)]
        sequence: u32,
        title: String,
        place: Option<String>,
        description: String,
        starts_at: String,
        ends_at: String,
        #[serde(default, rename = "isCancelled")]
        is_cancelled: bool,
        url: String,
    }

    fn parse(text: &str) -> OffsetDateTime {
        OffsetDateTime::parse(text, &Rfc3339).unwrap()
    }

    #[test]
    fn events_are_written_as_by_the_site() {
        let cases: Cases =
            serde_json::from_str(include_str!("../../../../web/libs/browser/src/calendarCases.json"))
                .unwrap();
        let events: Vec<_> = cases
            .events
            .into_iter()
            .map(|case| CalendarEvent {
                uid: case.uid,
                sequence: case.sequence,
                title: case.title,
                place: case.place,
                description: case.description,
                starts_at: parse(&case.starts_at),
                ends_at: parse(&case.ends_at),
                is_cancelled: case.is_cancelled,
                url: case.url,
                reminder: Reminder::TenMinutes,
            })
            .collect();
        let written = write_calendar(&events, parse(&cases.now));
        let body = written.split_once("BEGIN:VEVENT").unwrap().1;
        assert_eq!(format!("BEGIN:VEVENT{body}").split_terminator("\r\n").collect::<Vec<_>>(), cases.lines);
        assert!(written.split("\r\n").all(|line| line.len() <= LINE_BYTES));
        assert_eq!(written.matches('\n').count(), written.matches("\r\n").count());
    }

    #[test]
    fn a_calendar_without_events_is_complete() {
        let written = write_calendar(&[], OffsetDateTime::UNIX_EPOCH);
        assert!(written.starts_with("BEGIN:VCALENDAR\r\nVERSION:2.0\r\n"), "{written}");
        assert!(written.ends_with("END:VCALENDAR\r\n"), "{written}");
    }
}
