//! `classes.yaml`: the classes with their timetables. The file is optional.

use kit::Failure;
use kit_content::{Difference, Faults, File, Folder, date_time};
use serde::Deserialize;
use serde_saphyr::Spanned;
use sqlx::PgConnection;
use time::macros::format_description;
use time::{Date, OffsetDateTime, Time};

use super::courses::AuthoredCourse;
use super::teachers::AuthoredTeacher;
use crate::class::content::{
    self, ClassContent, FirstDay, HomeworkContent, LessonContent, Move, StoredClass,
};

const FILE: &str = "classes.yaml";
/// The longest lesson, in minutes.
const MOST_MINUTES: u16 = 300;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ClassesFile {
    classes: Vec<ClassEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ClassEntry {
    id: Spanned<i64>,
    course: Spanned<i64>,
    name: Spanned<String>,
    teacher: Spanned<i64>,
    join_url: Spanned<String>,
    first: Spanned<String>,
    time: Spanned<String>,
    minutes: Spanned<u16>,
    rule: Spanned<String>,
    #[serde(default)]
    except: Vec<Spanned<String>>,
    #[serde(default)]
    lessons: Vec<LessonEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LessonEntry {
    number: Spanned<u16>,
    title: Spanned<String>,
    moved: Option<MoveEntry>,
    cancelled: Option<Spanned<String>>,
    recording: Option<Spanned<i64>>,
    homework: Option<HomeworkEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MoveEntry {
    days: i16,
    time: Spanned<String>,
    reason: Spanned<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct HomeworkEntry {
    text: Spanned<String>,
    due_days: u16,
}

/// Parses the classes and checks them against the teachers and courses of the folder.
pub(super) fn read_classes(
    folder: &Folder,
    teachers: &[AuthoredTeacher],
    courses: &[AuthoredCourse],
    now: OffsetDateTime,
    faults: &mut Faults,
) -> Vec<ClassContent> {
    if !folder.has(FILE) {
        return Vec::new();
    }
    let mut file = File { name: FILE, faults };
    let Some(ClassesFile { classes }) = file.read_document(folder) else { return Vec::new() };
    let mut taken = Vec::new();
    classes.into_iter().map(|entry| check(&mut file, entry, teachers, courses, now, &mut taken)).collect()
}

fn check(
    file: &mut File<'_>,
    entry: ClassEntry,
    teachers: &[AuthoredTeacher],
    courses: &[AuthoredCourse],
    now: OffsetDateTime,
    taken: &mut Vec<i64>,
) -> ClassContent {
    let course = courses.iter().find(|course| course.content.id == entry.course.value);
    if course.is_none() {
        file.fault(&entry.course, "course", format!("{} is not in courses", entry.course.value));
    }
    if !teachers.iter().any(|teacher| teacher.teacher.id == entry.teacher.value) {
        file.fault(&entry.teacher, "teacher", format!("{} is not in teachers.yaml", entry.teacher.value));
    }
    let url = &entry.join_url.value;
    if !url.starts_with("https://") || url.chars().any(|sign| sign.is_control() || sign == ' ') {
        file.fault(&entry.join_url, "join_url", format!("'{url}' is not an https address"));
    }
    if !(1..=MOST_MINUTES).contains(&entry.minutes.value) {
        file.fault(&entry.minutes, "minutes", format!("is not from 1 to {MOST_MINUTES}"));
    }
    let content = ClassContent {
        id: file.id(&entry.id, taken),
        course: entry.course.value,
        name: file.text(entry.name, "name"),
        teacher: entry.teacher.value,
        join_url: entry.join_url.value,
        first: parse_first(file, &entry.first),
        time: parse_time(file, &entry.time),
        minutes: entry.minutes.value,
        rule: entry.rule.value.clone(),
        except: entry.except.iter().map(|day| parse_day(file, day, "except")).collect(),
        lessons: Vec::new(),
    };
    let count = match content.list_starts(content.first.resolve(now)) {
        Ok(starts) => starts.len(),
        Err(reason) => {
            file.fault(&entry.rule, "rule", reason);
            usize::MAX
        }
    };
    let mut numbers = Vec::new();
    let lessons = entry.lessons.into_iter().map(|lesson| {
        let number = lesson.number.value;
        if number == 0 || usize::from(number) > count {
            file.fault(&lesson.number, "number", format!("{number} is not a lesson of the timetable"));
        } else if numbers.contains(&number) {
            file.fault(&lesson.number, "number", format!("{number} is there twice"));
        }
        numbers.push(number);
        check_lesson(file, lesson, course)
    });
    let lessons = lessons.collect();
    ClassContent { lessons, ..content }
}

fn check_lesson(file: &mut File<'_>, entry: LessonEntry, course: Option<&AuthoredCourse>) -> LessonContent {
    if let Some((recording, course)) = entry.recording.as_ref().zip(course)
        && !course.content.lessons().any(|lesson| lesson.id == recording.value)
    {
        let reason = format!("{} is not a lesson of course {}", recording.value, course.content.id);
        file.fault(recording, "recording", reason);
    }
    LessonContent {
        number: entry.number.value,
        title: file.text(entry.title, "title"),
        moved: entry.moved.map(|moved| Move {
            days: moved.days,
            time: parse_time(file, &moved.time),
            reason: file.text(moved.reason, "reason"),
        }),
        cancelled: entry.cancelled.map(|reason| file.text(reason, "cancelled")),
        recording: entry.recording.map(|recording| recording.value),
        homework: entry.homework.map(|homework| HomeworkContent {
            text: file.text(homework.text, "text"),
            due_days: homework.due_days,
        }),
    }
}

/// A day, `2026-12-07`, or weeks from the week of the import, `-P3W`.
fn parse_first(file: &mut File<'_>, value: &Spanned<String>) -> FirstDay {
    let (sign, text) = value.value.strip_prefix('-').map_or((1, value.value.as_str()), |text| (-1, text));
    let weeks = text.strip_prefix('P').and_then(|text| text.strip_suffix('W')?.parse::<u8>().ok());
    match weeks {
        Some(weeks) => FirstDay::Weeks(sign * i16::from(weeks)),
        None => FirstDay::On(parse_day(file, value, "first")),
    }
}

fn parse_day(file: &mut File<'_>, value: &Spanned<String>, field: &str) -> Date {
    date_time::parse_date(&value.value).unwrap_or_else(|reason| {
        file.fault(value, field, reason);
        OffsetDateTime::UNIX_EPOCH.date()
    })
}

/// A time in Tokyo, `18:30`.
fn parse_time(file: &mut File<'_>, value: &Spanned<String>) -> Time {
    Time::parse(&value.value, format_description!("[hour]:[minute]")).unwrap_or_else(|_| {
        file.fault(value, "time", format!("'{}' is not a time like 18:30", value.value));
        Time::MIDNIGHT
    })
}

/// Writes new and changed classes with their live lessons, and notes them in the difference. A class that is stored and
/// not in `classes` is a fault, because marks of learners refer to it.
pub(super) async fn write_classes(
    connection: &mut PgConnection,
    classes: &[ClassContent],
    now: OffsetDateTime,
    difference: &mut Difference,
) -> Result<(), Failure> {
    let before = content::list_stored(connection).await?;
    let mut faults = Faults::default();
    for StoredClass { content: old, .. } in &before {
        if !classes.iter().any(|class| class.id == old.id) {
            let reason = format!("{} ({}) is in the catalogue and no longer here", old.id, old.name);
            faults.add_whole(FILE, "classes", reason);
        }
    }
    faults.into_result()?;
    for class in classes {
        let old = before.iter().find(|old| old.content.id == class.id);
        if !difference.note("class", class.id, &class.name, old.map(|old| &old.content), class) {
            continue;
        }
        // Days that count from the import stay as they were at the first one.
        let stored = old.filter(|old| old.content.first == class.first).map(|old| old.first_day);
        let first_day = stored.unwrap_or_else(|| class.first.resolve(now));
        let starts = class.list_starts(first_day)?;
        content::put(connection, class, first_day, &starts, now).await?;
    }
    Ok(())
}
