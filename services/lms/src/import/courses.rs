//! `courses/<id>.yaml`: a course with its chapters, units, lessons and their questions.

use std::ops::{Range, RangeInclusive};

use kit_content::{Faults, File, date_time, files};
use serde::{Deserialize, Serialize};
use serde_saphyr::Spanned;
use time::OffsetDateTime;

use super::check::{check_child_id, check_url, take_readings};
use super::entry::{self, Readings};
use super::questions::{self, QuestionEntry};
use super::teachers::AuthoredTeacher;
use crate::course::{
    Chapter, Content, HANDOUTS, Handout, LEVELS, Lesson, Media, SCHOOL_YEARS, SUBJECTS, Unit, VideoMark,
};
use crate::question::Question;
use crate::search::Entry;

/// The valid length of a lesson, in seconds. A longer one is a typing error.
const LESSON_SECONDS: RangeInclusive<i32> = 1..=6 * 3600;
/// A course with its search entries and questions.
#[derive(PartialEq, Serialize)]
pub(super) struct AuthoredCourse {
    #[serde(flatten)]
    pub(super) content: Content,
    pub(super) search: Vec<Entry>,
    /// Ordered by lesson and position.
    pub(super) questions: Vec<Question>,
}

impl AuthoredCourse {
    /// Makes a course without search entries and questions.
    pub(super) fn from_content(content: Content) -> Self {
        Self { content, search: Vec::new(), questions: Vec::new() }
    }
}

/// Parts of a course's file that are not part of its tree.
#[derive(Default)]
struct Supplement {
    readings: Readings,
    questions: Vec<Question>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CourseFile {
    id: Spanned<i64>,
    name: Spanned<String>,
    #[serde(default)]
    readings: Vec<Spanned<String>>,
    category: Spanned<String>,
    school_year: Spanned<String>,
    level: Spanned<String>,
    teacher: Spanned<i64>,
    summary: Spanned<String>,
    description: Spanned<String>,
    created: Spanned<String>,
    media: Option<Spanned<Media>>,
    chapters: Spanned<Vec<ChapterEntry>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ChapterEntry {
    id: Spanned<i64>,
    name: Spanned<String>,
    #[serde(default)]
    readings: Vec<Spanned<String>>,
    units: Spanned<Vec<UnitEntry>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct UnitEntry {
    id: Spanned<i64>,
    name: Spanned<String>,
    #[serde(default)]
    readings: Vec<Spanned<String>>,
    lessons: Spanned<Vec<LessonEntry>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LessonEntry {
    id: Spanned<i64>,
    name: Spanned<String>,
    #[serde(default)]
    readings: Vec<Spanned<String>>,
    summary: Spanned<String>,
    duration: Spanned<i32>,
    #[serde(default)]
    video: bool,
    #[serde(default)]
    marks: Vec<Spanned<VideoMark>>,
    #[serde(default)]
    handouts: Vec<Spanned<Handout>>,
    questions: Option<Spanned<Vec<QuestionEntry>>>,
}

/// Parses the courses. `teachers` is `None` after a fault in their file. Then no teacher is
/// reported as missing.
pub(super) fn read_courses(
    folder: &kit_content::Folder,
    teachers: Option<&[AuthoredTeacher]>,
    faults: &mut Faults,
) -> Vec<AuthoredCourse> {
    let names = files(folder, "courses", faults);
    names.iter().filter_map(|name| read_course(folder, &mut File { name, faults }, teachers)).collect()
}

fn read_course(
    folder: &kit_content::Folder,
    file: &mut File<'_>,
    teachers: Option<&[AuthoredTeacher]>,
) -> Option<AuthoredCourse> {
    let course: CourseFile = file.read_document(folder)?;
    let id = course.id.value;
    if file.name != format!("courses/{id}.yaml") {
        file.fault(&course.id, "id", format!("{id} is not the name of the file"));
    }
    if id < 1 {
        file.fault(&course.id, "id", "is not positive");
    }
    let teacher_id = course.teacher.value;
    let teacher = teachers.and_then(|all| all.iter().find(|authored| authored.teacher.id == teacher_id));
    if teachers.is_some() && teacher.is_none() {
        file.fault(&course.teacher, "teacher", format!("{teacher_id} is not in teachers.yaml"));
    }
    let created = date_time::parse_day(&course.created.value).unwrap_or_else(|reason| {
        file.fault(&course.created, "created", reason);
        OffsetDateTime::UNIX_EPOCH
    });
    let mut taken = Vec::new();
    let chapters = file.some(course.chapters, "chapters");
    let mut beside = Supplement::default();
    beside.readings.insert(id, take_readings(file, course.readings));
    let content = Content {
        id,
        name: file.text(course.name, "name"),
        category: file.one_of(course.category, "category", &SUBJECTS),
        school_year: file.one_of(course.school_year, "school_year", &SCHOOL_YEARS),
        level: file.one_of(course.level, "level", &LEVELS),
        description: file.text(course.description, "description"),
        summary: file.text(course.summary, "summary"),
        teacher_id,
        teacher_name: teacher.map(|authored| authored.teacher.name.clone()).unwrap_or_default(),
        media: course.media.map(|media| check_media(file, media)).unwrap_or_default(),
        created,
        chapters: chapters
            .into_iter()
            .map(|chapter| check_chapter(file, chapter, id, &mut taken, &mut beside))
            .collect(),
    };
    let Supplement { readings, mut questions } = beside;
    questions.sort_by_key(|question| (question.lesson_id, question.position));
    let search = entry::course_entries(&content, &readings);
    Some(AuthoredCourse { content, search, questions })
}

fn check_media(file: &mut File<'_>, media: Spanned<Media>) -> Media {
    for (kind, url) in media.value.kinds() {
        check_url(file, &media, kind, url);
    }
    media.value
}

fn check_chapter(
    file: &mut File<'_>,
    entry: ChapterEntry,
    course: i64,
    taken: &mut Vec<i64>,
    beside: &mut Supplement,
) -> Chapter {
    let id = check_child_id(file, &entry.id, course, taken);
    beside.readings.insert(id, take_readings(file, entry.readings));
    let mut taken = Vec::new();
    let units = file.some(entry.units, "units");
    Chapter {
        id,
        name: file.text(entry.name, "name"),
        units: units.into_iter().map(|unit| check_unit(file, unit, id, &mut taken, beside)).collect(),
    }
}

fn check_unit(
    file: &mut File<'_>,
    entry: UnitEntry,
    chapter: i64,
    taken: &mut Vec<i64>,
    beside: &mut Supplement,
) -> Unit {
    let id = check_child_id(file, &entry.id, chapter, taken);
    beside.readings.insert(id, take_readings(file, entry.readings));
    let mut taken = Vec::new();
    let lessons = file.some(entry.lessons, "lessons");
    Unit {
        id,
        name: file.text(entry.name, "name"),
        lessons: lessons
            .into_iter()
            .map(|lesson| check_lesson(file, lesson, id, &mut taken, beside))
            .collect(),
    }
}

fn check_lesson(
    file: &mut File<'_>,
    entry: LessonEntry,
    unit: i64,
    taken: &mut Vec<i64>,
    beside: &mut Supplement,
) -> Lesson {
    if !LESSON_SECONDS.contains(&entry.duration.value) {
        file.fault(&entry.duration, "duration", "is not 1 second to 6 hours");
    }
    let id = check_child_id(file, &entry.id, unit, taken);
    let seconds = 0..entry.duration.value;
    beside.readings.insert(id, take_readings(file, entry.readings));
    beside.questions.extend(questions::check(file, entry.questions, id, entry.duration.value));
    Lesson {
        id,
        name: file.text(entry.name, "name"),
        summary: file.text(entry.summary, "summary"),
        duration: entry.duration.value,
        has_video: entry.video,
        marks: check_marks(file, entry.marks, &seconds),
        handouts: check_handouts(file, entry.handouts, &seconds),
    }
}

fn check_marks(file: &mut File<'_>, marks: Vec<Spanned<VideoMark>>, seconds: &Range<i32>) -> Vec<VideoMark> {
    let mut last = None;
    for mark in &marks {
        let VideoMark { at, name } = &mark.value;
        check_moment(file, mark, "marks", *at, &mut last, seconds);
        if name.trim().is_empty() {
            file.fault(mark, "marks", "has no name");
        }
    }
    marks.into_iter().map(|mark| mark.value).collect()
}

fn check_handouts(
    file: &mut File<'_>,
    handouts: Vec<Spanned<Handout>>,
    seconds: &Range<i32>,
) -> Vec<Handout> {
    let mut taken = Vec::new();
    for handout in &handouts {
        let Handout { kind, page_count, pages } = &handout.value;
        if !HANDOUTS.contains(&kind.as_str()) {
            file.fault(handout, "handouts", format!("'{kind}' is none of {}", HANDOUTS.join(", ")));
        } else if taken.contains(&kind) {
            file.fault(handout, "handouts", format!("{kind} is there twice"));
        }
        taken.push(kind);
        let mut last = None;
        for page in pages {
            check_moment(file, handout, "handouts", page.at, &mut last, seconds);
            if !(1..=*page_count).contains(&page.page) {
                file.fault(handout, "handouts", format!("page {} is not one of {page_count}", page.page));
            }
        }
    }
    handouts.into_iter().map(|handout| handout.value).collect()
}

/// Checks that a time is within the lesson and after the previous one.
fn check_moment<T>(
    file: &mut File<'_>,
    place: &Spanned<T>,
    field: &str,
    at: i32,
    last: &mut Option<i32>,
    seconds: &Range<i32>,
) {
    if !seconds.contains(&at) {
        file.fault(place, field, format!("{at} is not within the lesson"));
    }
    if last.replace(at).is_some_and(|last| at <= last) {
        file.fault(place, field, format!("{at} is not later than what stands before it"));
    }
}
