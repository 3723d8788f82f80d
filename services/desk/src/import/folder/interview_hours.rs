//! `interviews.yaml`: the weekly hours for interviews.

use kit_content::{File, Folder};
use serde::Deserialize;
use serde_saphyr::Spanned;
use time::macros::format_description;

use super::check_line;
use crate::config::interview::parse_join_url;
use crate::interview::{Kind, hours};
use crate::japan_time::WEEKDAYS;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct InterviewsFile {
    hours: Vec<HoursEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct HoursEntry {
    id: Spanned<i64>,
    kind: Spanned<String>,
    teacher: Spanned<String>,
    weekday: Spanned<String>,
    from: Spanned<String>,
    until: Spanned<String>,
    slot_minutes: Spanned<i32>,
    join_url: Spanned<String>,
}

/// The weekly hours for interviews. The file is optional.
pub(super) fn parse(folder: &Folder, file: &mut File<'_>) -> Vec<hours::Content> {
    if !folder.has(file.name) {
        return Vec::new();
    }
    let Some(InterviewsFile { hours }) = file.read_document(folder) else { return Vec::new() };
    let mut taken = Vec::new();
    let check = |entry: HoursEntry| {
        let from_minute = parse_minute(file, &entry.from, "from");
        let until_minute = parse_minute(file, &entry.until, "until");
        if !(5..=until_minute - from_minute).contains(&entry.slot_minutes.value) {
            file.fault(&entry.slot_minutes, "slot_minutes", "is less than 5, or longer than the hours");
        }
        if let Err(reason) = parse_join_url(&entry.join_url.value) {
            file.fault(&entry.join_url, "join_url", reason);
        }
        let kind = file.one_of(entry.kind, "kind", &Kind::NAMES);
        let weekday = file.one_of(entry.weekday, "weekday", &WEEKDAYS);
        hours::Content {
            id: file.id(&entry.id, &mut taken),
            kind: Kind::from_name(&kind).map_or(0, Kind::id),
            teacher: check_line(file, entry.teacher, "teacher"),
            weekday: WEEKDAYS.iter().zip(1..).find(|(name, _)| **name == weekday).map_or(0, |(_, n)| n),
            from_minute,
            until_minute,
            slot_minutes: entry.slot_minutes.value,
            join_url: entry.join_url.value,
        }
    };
    hours.into_iter().map(check).collect()
}

/// Minutes after midnight of a time, e.g. `17:30`.
fn parse_minute(file: &mut File<'_>, value: &Spanned<String>, field: &str) -> i32 {
    let time = time::Time::parse(&value.value, format_description!("[hour]:[minute]"));
    time.map_or_else(
        |_| {
            file.fault(value, field, format!("'{}' is not a time like 17:30", value.value));
            0
        },
        |time| i32::from(time.hour()) * 60 + i32::from(time.minute()),
    )
}
