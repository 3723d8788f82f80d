//! `events.yaml`: the events of the school.

use std::ops::RangeInclusive;

use kit_content::{File, Folder};
use serde::Deserialize;
use serde_saphyr::Spanned;

use super::{check_line, check_prose, parse_time};
use crate::school_event;

/// Places of an event.
const CAPACITIES: RangeInclusive<i32> = 1..=10_000;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct EventsFile {
    events: Vec<EventEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct EventEntry {
    id: Spanned<i64>,
    title: Spanned<String>,
    place: Spanned<String>,
    starts: Spanned<String>,
    ends: Spanned<String>,
    sign_up_until: Spanned<String>,
    capacity: Spanned<i32>,
    summary: Spanned<String>,
    description: Spanned<String>,
    materials: Option<Spanned<String>>,
}

/// The events. The file is optional.
pub(super) fn parse(folder: &Folder, file: &mut File<'_>) -> Vec<school_event::Content> {
    if !folder.has(file.name) {
        return Vec::new();
    }
    let Some(EventsFile { events }) = file.read_document(folder) else { return Vec::new() };
    let mut taken = Vec::new();
    let check = |entry: EventEntry| {
        let [starts_at, ends_at, sign_up_until] =
            [(&entry.starts, "starts"), (&entry.ends, "ends"), (&entry.sign_up_until, "sign_up_until")]
                .map(|(value, field)| parse_time(file, value, field));
        if ends_at <= starts_at {
            file.fault(&entry.ends, "ends", "is not after starts");
        }
        if sign_up_until > starts_at {
            file.fault(&entry.sign_up_until, "sign_up_until", "is after starts");
        }
        if !CAPACITIES.contains(&entry.capacity.value) {
            file.fault(&entry.capacity, "capacity", "is not from 1 to 10000");
        }
        school_event::Content {
            id: file.id(&entry.id, &mut taken),
            title: check_line(file, entry.title, "title"),
            summary: check_line(file, entry.summary, "summary"),
            description: check_prose(file, entry.description, "description"),
            place: check_line(file, entry.place, "place"),
            starts_at,
            ends_at,
            sign_up_until,
            capacity: entry.capacity.value,
            materials: entry.materials.map(|text| check_prose(file, text, "materials")).unwrap_or_default(),
        }
    };
    events.into_iter().map(check).collect()
}
