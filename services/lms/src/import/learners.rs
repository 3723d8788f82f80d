//! The items, marks and watch history of demo learners, from `learners.yaml`. The file is optional.

use kit_content::{Faults, File, Folder, date_time};
use serde::Deserialize;
use serde_saphyr::Spanned;
use time::OffsetDateTime;
use uuid::Uuid;

use super::courses::AuthoredCourse;
use crate::class::content::ClassContent;
use crate::course::Lesson;

const FILE: &str = "learners.yaml";

/// A demo learner.
pub(super) struct DemoLearner {
    pub(super) id: Uuid,
    pub(super) items: Vec<DemoItem>,
    /// Bookmarked courses.
    pub(super) bookmarks: Vec<DemoMark>,
    /// Favorite lessons.
    pub(super) favorites: Vec<DemoMark>,
    /// Checked lessons.
    pub(super) checks: Vec<DemoMark>,
    pub(super) watched: Vec<WatchEntry>,
    /// Past live lessons that the learner joined.
    pub(super) attended: Vec<AttendedEntry>,
}

/// An item of the inventory.
pub(super) struct DemoItem {
    pub(super) course: i64,
    pub(super) product: i64,
    pub(super) created: OffsetDateTime,
    pub(super) expire_at: Option<OffsetDateTime>,
    pub(super) is_auto_renewal: bool,
}

/// A mark on a course or a lesson.
pub(super) struct DemoMark {
    pub(super) id: i64,
    pub(super) created: OffsetDateTime,
}

/// A lesson watched from its start.
pub(super) struct WatchEntry {
    pub(super) lesson: i64,
    /// The lesson's length in seconds.
    pub(super) duration: i32,
    pub(super) position: i32,
    pub(super) seconds: i32,
    pub(super) last_seen: OffsetDateTime,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LearnersFile {
    learners: Vec<LearnerEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LearnerEntry {
    id: Spanned<String>,
    inventory: Vec<ItemEntry>,
    #[serde(default)]
    bookmarks: Vec<BookmarkEntry>,
    #[serde(default)]
    favorites: Vec<LessonMarkEntry>,
    #[serde(default)]
    checks: Vec<LessonMarkEntry>,
    #[serde(default)]
    watched: Vec<AuthoredWatch>,
    #[serde(default)]
    attended: Vec<AttendedEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ItemEntry {
    course: Spanned<i64>,
    product_id: Spanned<i64>,
    created: Spanned<String>,
    expire_at: Option<Spanned<String>>,
    is_auto_renewal: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BookmarkEntry {
    course: Spanned<i64>,
    created: Spanned<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LessonMarkEntry {
    lesson: Spanned<i64>,
    created: Spanned<String>,
}

/// A live lesson, by the number in its class.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AttendedEntry {
    pub(super) class: Spanned<i64>,
    pub(super) number: i32,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AuthoredWatch {
    lesson: Spanned<i64>,
    position: Spanned<i32>,
    seconds: Spanned<i32>,
    last_seen: Spanned<String>,
}

/// Parses the file if it exists, and checks it against the courses of the folder.
pub(super) fn parse_learners(
    folder: &Folder,
    courses: &[AuthoredCourse],
    classes: &[ClassContent],
    now: OffsetDateTime,
    faults: &mut Faults,
) -> Vec<DemoLearner> {
    if !folder.has(FILE) {
        return Vec::new();
    }
    let mut file = File { name: FILE, faults };
    let Some(LearnersFile { learners: entries }) = file.read_document(folder) else { return Vec::new() };
    let mut check = Check { file, courses, classes, now };
    let mut learners: Vec<DemoLearner> = Vec::new();
    for entry in entries {
        let line = entry.id.clone();
        let learner = check.learner(entry);
        if learners.iter().any(|other| other.id == learner.id) {
            check.file.fault(&line, "id", format!("{} is there twice", learner.id));
        }
        learners.push(learner);
    }
    learners
}

struct Check<'a> {
    file: File<'a>,
    courses: &'a [AuthoredCourse],
    classes: &'a [ClassContent],
    now: OffsetDateTime,
}

impl Check<'_> {
    fn learner(&mut self, entry: LearnerEntry) -> DemoLearner {
        let id = entry.id.value.parse().unwrap_or_else(|_| {
            self.file.fault(&entry.id, "id", format!("'{}' is not a UUID", entry.id.value));
            Uuid::nil()
        });
        let mut items: Vec<DemoItem> = Vec::new();
        for item in entry.inventory {
            if items.iter().any(|other| other.product == item.product_id.value) {
                self.file.fault(
                    &item.product_id,
                    "product_id",
                    format!("{} is there twice", item.product_id.value),
                );
            }
            items.push(self.item(&item));
        }
        let mut bookmarks: Vec<DemoMark> = Vec::new();
        for BookmarkEntry { course, created } in entry.bookmarks {
            self.course(&course);
            self.once(&course, &bookmarks, "course");
            bookmarks.push(DemoMark { id: course.value, created: self.past(&created, "created") });
        }
        for AttendedEntry { class, .. } in &entry.attended {
            if !self.classes.iter().any(|known| known.id == class.value) {
                self.file.fault(class, "class", format!("{} is not in classes.yaml", class.value));
            }
        }
        DemoLearner {
            id,
            bookmarks,
            favorites: self.lessons(entry.favorites, &items),
            checks: self.lessons(entry.checks, &items),
            watched: entry.watched.into_iter().filter_map(|watched| self.watched(&watched, &items)).collect(),
            items,
            attended: entry.attended,
        }
    }

    fn item(&mut self, entry: &ItemEntry) -> DemoItem {
        self.course(&entry.course);
        let expire_at = entry.expire_at.as_ref().map(|text| {
            date_time::parse_end(&text.value, self.now).unwrap_or_else(|reason| {
                self.file.fault(text, "expire_at", reason);
                self.now
            })
        });
        DemoItem {
            course: entry.course.value,
            product: entry.product_id.value,
            created: self.past(&entry.created, "created"),
            expire_at,
            is_auto_renewal: entry.is_auto_renewal,
        }
    }

    fn lessons(&mut self, entries: Vec<LessonMarkEntry>, items: &[DemoItem]) -> Vec<DemoMark> {
        let mut marks: Vec<DemoMark> = Vec::new();
        for LessonMarkEntry { lesson, created } in entries {
            self.lesson(&lesson, items);
            self.once(&lesson, &marks, "lesson");
            marks.push(DemoMark { id: lesson.value, created: self.past(&created, "created") });
        }
        marks
    }

    fn watched(&mut self, entry: &AuthoredWatch, items: &[DemoItem]) -> Option<WatchEntry> {
        let duration = self.lesson(&entry.lesson, items)?.duration;
        for (field, value) in [("position", &entry.position), ("seconds", &entry.seconds)] {
            if !(0..=duration).contains(&value.value) {
                self.file.fault(value, field, format!("is not within the {duration} seconds of the lesson"));
            }
        }
        Some(WatchEntry {
            lesson: entry.lesson.value,
            duration,
            position: entry.position.value,
            seconds: entry.seconds.value,
            last_seen: self.past(&entry.last_seen, "last_seen"),
        })
    }

    fn course(&mut self, id: &Spanned<i64>) {
        if !self.courses.iter().any(|course| course.content.id == id.value) {
            self.file.fault(id, "course", format!("{} is not in courses", id.value));
        }
    }

    /// Finds the lesson. The learner must have an item of its course.
    fn lesson(&mut self, id: &Spanned<i64>, items: &[DemoItem]) -> Option<&Lesson> {
        let found = self.courses.iter().find_map(|course| {
            let lesson = course.content.lessons().find(|lesson| lesson.id == id.value)?;
            Some((course.content.id, lesson))
        });
        match found {
            None => self.file.fault(id, "lesson", format!("{} is not in courses", id.value)),
            Some((course, _)) if !items.iter().any(|item| item.course == course) => {
                self.file.fault(id, "lesson", format!("course {course} is not in the inventory"));
            }
            Some(_) => {}
        }
        found.map(|(_, lesson)| lesson)
    }

    fn once(&mut self, id: &Spanned<i64>, marks: &[DemoMark], field: &str) {
        if marks.iter().any(|mark| mark.id == id.value) {
            self.file.fault(id, field, format!("{} is there twice", id.value));
        }
    }

    fn past(&mut self, text: &Spanned<String>, field: &str) -> OffsetDateTime {
        date_time::parse_past(&text.value, self.now).unwrap_or_else(|reason| {
            self.file.fault(text, field, reason);
            self.now
        })
    }
}
