//! Search entries: the words of courses, lessons and teachers, and the authored readings.

use std::collections::HashMap;

use forms::search::{reading, shown, text};

use crate::course::{Content, Lesson};
use crate::search::Entry;
use crate::teacher::Teacher;

/// The readings in one course, by the id of their owner. Ids of a course, its chapters and its
/// units never collide.
pub(super) type Readings = HashMap<i64, Vec<String>>;

/// Makes the entries of a course and its lessons, by kind and id.
///
/// A course is also found by the titles of its chapters and units. A lesson is also found by the
/// titles of its unit, chapter and course, so a query may combine words of the course and of the
/// lesson.
pub(super) fn course_entries(content: &Content, readings: &Readings) -> Vec<Entry> {
    let named = |id: i64, name: &str| title(name, readings.get(&id).into_iter().flatten());
    let course = named(content.id, &content.name);
    let mut outline = Vec::new();
    let mut entries = Vec::new();
    for chapter in &content.chapters {
        let chapter_name = named(chapter.id, &chapter.name);
        for unit in &chapter.units {
            let unit_name = named(unit.id, &unit.name);
            entries.extend(unit.lessons.iter().map(|lesson| {
                let Lesson { id, name, summary, .. } = lesson;
                let title = named(*id, name);
                let body =
                    text([&title, &shown(summary), &unit_name, &chapter_name, &course].map(String::as_str));
                Entry { kind: "lesson".to_owned(), id: *id, title, body }
            }));
            outline.push(unit_name);
        }
        outline.push(chapter_name);
    }
    let words = [
        &course,
        &content.school_year,
        &content.category,
        &content.level,
        &content.teacher_name,
        &shown(&content.summary),
        &shown(&content.description),
    ];
    let body = text(words.into_iter().chain(&outline).map(String::as_str));
    entries.push(Entry { kind: "course".to_owned(), id: content.id, title: course, body });
    entries.sort();
    entries
}

/// Makes the entry of a teacher.
pub(super) fn teacher_entry(teacher: &Teacher, readings: &[String]) -> Entry {
    let title = title(&teacher.name, [&teacher.kana].into_iter().chain(readings));
    let others: Vec<_> =
        teacher.subjects.iter().chain([&teacher.message, &teacher.career]).map(|part| shown(part)).collect();
    let body = text([&title].into_iter().chain(&others).map(String::as_str));
    Entry { kind: "teacher".to_owned(), id: teacher.id, title, body }
}

/// Joins a name and its readings.
fn title<'a>(name: &str, readings: impl Iterator<Item = &'a String>) -> String {
    let parts: Vec<String> = [shown(name)].into_iter().chain(readings.map(|part| reading(part))).collect();
    text(parts.iter().map(String::as_str))
}
