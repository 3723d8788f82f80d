//! The folder as its authors wrote it, read and checked: `teachers.yaml`, `courses/<id>.yaml`, `learners.yaml`.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_saphyr::Spanned;
use time::OffsetDateTime;

use super::fault::Faults;
use super::learners::{self, Learner};
use super::moment;
use crate::course::{Chapter, Content, LEVELS, Lesson, Media, SCHOOL_YEARS, SUBJECTS, Unit};

/// Longer is a slip of the pen.
const LESSON_SECONDS: std::ops::RangeInclusive<i32> = 1..=6 * 3600;
/// A child's id is its parent's followed by two digits.
const CHILDREN: i64 = 100;

/// All that a folder says.
pub(super) struct Folder {
    pub(super) teachers: Vec<Teacher>,
    pub(super) courses: Vec<Content>,
    pub(super) learners: Vec<Learner>,
}

/// Who teaches.
pub(super) struct Teacher {
    pub(super) id: i64,
    pub(super) name: String,
    pub(super) kana: String,
    pub(super) subjects: Vec<String>,
    pub(super) message: String,
    pub(super) career: String,
}

impl Folder {
    /// Reads all files of `folder` and checks them against each other.
    pub(super) fn read(folder: &Path, now: OffsetDateTime) -> Result<Self, Faults> {
        let mut faults = Faults::default();
        let teachers = read_teachers(folder, &mut faults);
        let courses = read_courses(folder, teachers.as_deref(), &mut faults);
        let learners = learners::read(folder, &courses, now, &mut faults);
        faults.into_result()?;
        Ok(Self { teachers: teachers.unwrap_or_default(), courses, learners })
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TeachersFile {
    teachers: Vec<TeacherEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TeacherEntry {
    id: Spanned<i64>,
    name: Spanned<String>,
    kana: Spanned<String>,
    subjects: Vec<Spanned<String>>,
    message: Spanned<String>,
    career: Spanned<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CourseFile {
    id: Spanned<i64>,
    name: Spanned<String>,
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
    units: Spanned<Vec<UnitEntry>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct UnitEntry {
    id: Spanned<i64>,
    name: Spanned<String>,
    lessons: Spanned<Vec<LessonEntry>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LessonEntry {
    id: Spanned<i64>,
    name: Spanned<String>,
    summary: Spanned<String>,
    duration: Spanned<i32>,
}

/// One file under check: where its faults go.
pub(super) struct File<'a> {
    pub(super) name: &'a str,
    pub(super) faults: &'a mut Faults,
}

impl File<'_> {
    /// Reads it; `None`, with the fault noted, where that can't be done.
    pub(super) fn read<T: DeserializeOwned>(&mut self, folder: &Path) -> Option<T> {
        let text = match fs::read_to_string(folder.join(self.name)) {
            Ok(text) => text,
            Err(error) => {
                self.faults.add_whole(self.name, "file", error.to_string());
                return None;
            }
        };
        let options = serde_saphyr::options! { with_snippet: false };
        serde_saphyr::from_str_with_options(&text, options)
            .inspect_err(|error| {
                let (line, column) =
                    error.location().map_or((1, 1), |location| (location.line(), location.column()));
                let reason = error.to_string();
                // The place is told once, in front.
                let reason = reason.rsplit_once(" at line ").map_or(reason.as_str(), |(reason, _)| reason);
                self.faults.add(self.name, line, key(&text, line, column), reason);
            })
            .ok()
    }

    /// Notes that `value`, the value of `field`, is wrong.
    pub(super) fn fault<T>(&mut self, value: &Spanned<T>, field: &str, reason: impl Into<String>) {
        self.faults.add(self.name, value.referenced.line(), field, reason);
    }

    /// A text that says something, and nothing that can't be shown.
    pub(super) fn text(&mut self, value: Spanned<String>, field: &str) -> String {
        if value.value.trim().is_empty() {
            self.fault(&value, field, "is empty");
        } else if value.value.chars().any(|sign| sign.is_control() && sign != '\n') {
            self.fault(&value, field, "holds a control character");
        }
        value.value
    }

    fn one_of(&mut self, value: Spanned<String>, field: &str, words: &[&str]) -> String {
        if !words.contains(&value.value.as_str()) {
            self.fault(&value, field, format!("'{}' is none of {}", value.value, words.join(", ")));
        }
        value.value
    }

    /// A list with something in it.
    fn some<T>(&mut self, list: Spanned<Vec<T>>, field: &str) -> Vec<T> {
        if list.value.is_empty() {
            self.fault(&list, field, "is empty");
        }
        list.value
    }

    /// The id of a child of `parent`, which no other child in `taken` has.
    fn child(&mut self, id: &Spanned<i64>, parent: i64, taken: &mut Vec<i64>) -> i64 {
        let id_value = id.value;
        if id_value.div_euclid(CHILDREN) != parent || id_value.rem_euclid(CHILDREN) == 0 {
            self.fault(id, "id", format!("{id_value} is not {parent} followed by 01 to 99"));
        } else if taken.contains(&id_value) {
            self.fault(id, "id", format!("{id_value} is there twice"));
        }
        taken.push(id_value);
        id_value
    }
}

/// The key at a place in YAML, or that of the value at this place, as the name of what is wrong there.
fn key(text: &str, line: u64, column: u64) -> &str {
    let index = |number: u64| usize::try_from(number).unwrap_or(usize::MAX).saturating_sub(1);
    let line = text.lines().nth(index(line)).unwrap_or_default();
    let place = line.char_indices().nth(index(column)).map_or(line.len(), |(place, _)| place);
    let (before, at) = line.split_at(place);
    let is_word = |sign: char| sign.is_alphanumeric() || sign == '_';
    match before.trim_end().strip_suffix(':') {
        Some(before) => before.rsplit(|sign| !is_word(sign)).next().unwrap_or_default(),
        None => at.split(|sign| !is_word(sign)).next().unwrap_or_default(),
    }
}

/// `None`, with the fault noted, where the file can't be read.
fn read_teachers(folder: &Path, faults: &mut Faults) -> Option<Vec<Teacher>> {
    let mut file = File { name: "teachers.yaml", faults };
    let TeachersFile { teachers: entries } = file.read(folder)?;
    let mut teachers: Vec<Teacher> = Vec::new();
    for entry in entries {
        if entry.id.value < 1 {
            file.fault(&entry.id, "id", "is not positive");
        } else if teachers.iter().any(|teacher| teacher.id == entry.id.value) {
            file.fault(&entry.id, "id", format!("{} is there twice", entry.id.value));
        }
        teachers.push(Teacher {
            id: entry.id.value,
            name: file.text(entry.name, "name"),
            kana: file.text(entry.kana, "kana"),
            subjects: entry.subjects.into_iter().map(|subject| file.text(subject, "subjects")).collect(),
            message: file.text(entry.message, "message"),
            career: file.text(entry.career, "career"),
        });
    }
    Some(teachers)
}

/// Without teachers nobody is missed: that fault is noted already.
fn read_courses(folder: &Path, teachers: Option<&[Teacher]>, faults: &mut Faults) -> Vec<Content> {
    let mut names = match course_files(folder) {
        Ok(names) => names,
        Err(error) => {
            faults.add_whole("courses", "folder", error.to_string());
            return Vec::new();
        }
    };
    names.sort();
    names.iter().filter_map(|name| read_course(folder, &mut File { name, faults }, teachers)).collect()
}

/// Names of the files in `courses`, from `folder` on.
fn course_files(folder: &Path) -> std::io::Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder.join("courses"))? {
        let name = entry?.file_name();
        let name = name.to_str().ok_or(ErrorKind::InvalidFilename)?;
        if !name.starts_with('.') {
            names.push(format!("courses/{name}"));
        }
    }
    Ok(names)
}

fn read_course(folder: &Path, file: &mut File<'_>, teachers: Option<&[Teacher]>) -> Option<Content> {
    let course: CourseFile = file.read(folder)?;
    let id = course.id.value;
    if file.name != format!("courses/{id}.yaml") {
        file.fault(&course.id, "id", format!("{id} is not the name of the file"));
    }
    if id < 1 {
        file.fault(&course.id, "id", "is not positive");
    }
    let teacher_id = course.teacher.value;
    let teacher = teachers.and_then(|teachers| teachers.iter().find(|teacher| teacher.id == teacher_id));
    if teachers.is_some() && teacher.is_none() {
        file.fault(&course.teacher, "teacher", format!("{teacher_id} is not in teachers.yaml"));
    }
    let created = moment::day(&course.created.value).unwrap_or_else(|reason| {
        file.fault(&course.created, "created", reason);
        OffsetDateTime::UNIX_EPOCH
    });
    let mut taken = Vec::new();
    let chapters = file.some(course.chapters, "chapters");
    Some(Content {
        id,
        name: file.text(course.name, "name"),
        category: file.one_of(course.category, "category", &SUBJECTS),
        school_year: file.one_of(course.school_year, "school_year", &SCHOOL_YEARS),
        level: file.one_of(course.level, "level", &LEVELS),
        description: file.text(course.description, "description"),
        summary: file.text(course.summary, "summary"),
        teacher_id,
        teacher_name: teacher.map(|teacher| teacher.name.clone()).unwrap_or_default(),
        media: course.media.map(|media| check_media(file, media)).unwrap_or_default(),
        created,
        chapters: chapters.into_iter().map(|chapter| check_chapter(file, chapter, id, &mut taken)).collect(),
    })
}

fn check_media(file: &mut File<'_>, media: Spanned<Media>) -> Media {
    for (kind, url) in media.value.kinds() {
        if !(url.starts_with("https://") || url.starts_with('/')) || url.chars().any(char::is_control) {
            file.fault(&media, kind, format!("'{url}' is neither an https address nor a path of the site"));
        }
    }
    media.value
}

fn check_chapter(file: &mut File<'_>, entry: ChapterEntry, course: i64, taken: &mut Vec<i64>) -> Chapter {
    let id = file.child(&entry.id, course, taken);
    let mut taken = Vec::new();
    let units = file.some(entry.units, "units");
    Chapter {
        id,
        name: file.text(entry.name, "name"),
        units: units.into_iter().map(|unit| check_unit(file, unit, id, &mut taken)).collect(),
    }
}

fn check_unit(file: &mut File<'_>, entry: UnitEntry, chapter: i64, taken: &mut Vec<i64>) -> Unit {
    let id = file.child(&entry.id, chapter, taken);
    let mut taken = Vec::new();
    let lessons = file.some(entry.lessons, "lessons");
    Unit {
        id,
        name: file.text(entry.name, "name"),
        lessons: lessons.into_iter().map(|lesson| check_lesson(file, lesson, id, &mut taken)).collect(),
    }
}

fn check_lesson(file: &mut File<'_>, entry: LessonEntry, unit: i64, taken: &mut Vec<i64>) -> Lesson {
    if !LESSON_SECONDS.contains(&entry.duration.value) {
        file.fault(&entry.duration, "duration", "is not 1 second to 6 hours");
    }
    Lesson {
        id: file.child(&entry.id, unit, taken),
        name: file.text(entry.name, "name"),
        summary: file.text(entry.summary, "summary"),
        duration: entry.duration.value,
    }
}
