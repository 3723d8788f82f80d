//! A course with its tree of chapters, units and lessons. The import writes it. It is the same for
//! every learner.

mod cache;
pub(crate) mod catalogue;
mod revisions;

pub(crate) use cache::CourseCache;
pub(crate) use revisions::CourseRevisions;

use kit_db::span;
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use sqlx::types::Json;
use time::OffsetDateTime;
use tracing::Instrument as _;

/// The school years, in the catalogue's order.
pub(crate) const SCHOOL_YEARS: [&str; 6] = ["中1", "中2", "中3", "高1", "高2", "高3"];
/// The subjects, in the catalogue's order.
pub(crate) const SUBJECTS: [&str; 5] = ["英語", "数学", "国語", "理科", "社会"];
/// The levels, the easiest first.
pub(crate) const LEVELS: [&str; 3] = ["基礎", "標準", "発展"];
/// The kinds of handouts.
pub(crate) const HANDOUTS: [&str; 2] = ["textbook", "whiteboard"];

/// A course with its modification time and revision.
pub(crate) struct Course {
    pub(crate) content: Content,
    /// When the content last changed.
    pub(crate) modified: OffsetDateTime,
    /// Increases with each change of the content.
    pub(crate) revision: i64,
}

/// The authored content of a course.
#[derive(PartialEq, Serialize)]
pub(crate) struct Content {
    pub(crate) id: i64,
    pub(crate) name: String,
    pub(crate) category: String,
    pub(crate) school_year: String,
    pub(crate) level: String,
    pub(crate) description: String,
    pub(crate) summary: String,
    pub(crate) teacher_id: i64,
    pub(crate) teacher_name: String,
    pub(crate) media: Media,
    pub(crate) created: OffsetDateTime,
    pub(crate) chapters: Vec<Chapter>,
}

/// The URLs of a course's files.
#[derive(Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Media {
    pub(crate) orientation: Option<String>,
    pub(crate) sample_video: Option<String>,
    pub(crate) thumbnail: Option<String>,
    pub(crate) textbook_bundle: Option<String>,
    pub(crate) whiteboard_bundle: Option<String>,
}

impl Media {
    /// The URLs that are set, with their kinds.
    pub(crate) fn kinds(&self) -> impl Iterator<Item = (&'static str, &str)> {
        [
            ("orientation", &self.orientation),
            ("sample_video", &self.sample_video),
            ("thumbnail", &self.thumbnail),
            ("textbook_bundle", &self.textbook_bundle),
            ("whiteboard_bundle", &self.whiteboard_bundle),
        ]
        .into_iter()
        .filter_map(|(kind, url)| url.as_deref().map(|url| (kind, url)))
    }
}

/// A part of a course.
#[derive(Debug, Deserialize, PartialEq, Serialize)]
pub(crate) struct Chapter {
    pub(crate) id: i64,
    pub(crate) name: String,
    pub(crate) units: Vec<Unit>,
}

/// A part of a chapter.
#[derive(Debug, Deserialize, PartialEq, Serialize)]
pub(crate) struct Unit {
    pub(crate) id: i64,
    pub(crate) name: String,
    pub(crate) lessons: Vec<Lesson>,
}

/// A lesson: one video.
#[derive(Debug, Deserialize, PartialEq, Serialize)]
pub(crate) struct Lesson {
    pub(crate) id: i64,
    pub(crate) name: String,
    pub(crate) summary: String,
    /// Seconds.
    pub(crate) duration: i32,
    /// Whether a video exists.
    pub(crate) has_video: bool,
    /// Earliest first.
    pub(crate) marks: Vec<VideoMark>,
    pub(crate) handouts: Vec<Handout>,
}

/// A named position in a video.
#[derive(Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct VideoMark {
    /// Seconds from the start.
    pub(crate) at: i32,
    pub(crate) name: String,
}

/// A document beside a video.
#[derive(Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Handout {
    /// One of [`HANDOUTS`].
    pub(crate) kind: String,
    pub(crate) page_count: i32,
    /// The times at which pages are shown, earliest first.
    pub(crate) pages: Vec<HandoutPage>,
}

/// The time from which a page is shown.
#[derive(Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct HandoutPage {
    /// 1 or more.
    pub(crate) page: i32,
    /// Seconds from the start.
    pub(crate) at: i32,
}

impl Content {
    /// Iterates over the lessons in teaching order.
    pub(crate) fn lessons(&self) -> impl Iterator<Item = &Lesson> {
        self.chapters.iter().flat_map(|chapter| &chapter.units).flat_map(|unit| &unit.lessons)
    }
}

/// One version of a course. Its content never changes.
#[derive(Clone, Copy)]
pub(crate) struct CourseVersion {
    pub(crate) id: i64,
    pub(crate) revision: i64,
}

/// Finds the current versions of courses, in no particular order. Omits unknown ids.
pub(crate) async fn find_versions(
    connection: &mut PgConnection,
    ids: &[i64],
) -> sqlx::Result<Vec<CourseVersion>> {
    sqlx::query_as!(CourseVersion, "SELECT id, revision FROM course WHERE id = ANY ($1)", ids)
        .fetch_all(connection)
        .instrument(span("SELECT course"))
        .await
}

/// Loads courses. Omits unknown ids. Uses one statement, so that each tree belongs to its revision.
pub(crate) async fn load(connection: &mut PgConnection, ids: &[i64]) -> sqlx::Result<Vec<Course>> {
    let rows = sqlx::query!(
        r#"
        SELECT
            course.id,
            course.name,
            course.category,
            course.school_year,
            course.level,
            course.description,
            course.summary,
            course.teacher_id,
            teacher.name AS teacher_name,
            course.created,
            course.modified,
            course.revision,
            (
                SELECT coalesce(json_object_agg(media.kind, media.url), '{}')
                FROM media
                WHERE media.course_id = course.id
            ) AS "media!: Json<Media>",
            (
                SELECT coalesce(json_agg(json_build_object(
                    'id', chapter.id,
                    'name', chapter.name,
                    'units', (
                        SELECT coalesce(json_agg(json_build_object(
                            'id', unit.id,
                            'name', unit.name,
                            'lessons', (
                                SELECT coalesce(json_agg(json_build_object(
                                    'id', lesson.id,
                                    'name', lesson.name,
                                    'summary', lesson.summary,
                                    'duration', lesson.duration,
                                    'has_video', lesson.has_video,
                                    'marks', lesson.marks,
                                    'handouts', lesson.handouts
                                ) ORDER BY lesson.position), '[]')
                                FROM lesson
                                WHERE lesson.unit_id = unit.id
                            )
                        ) ORDER BY unit.position), '[]')
                        FROM unit
                        WHERE unit.chapter_id = chapter.id
                    )
                ) ORDER BY chapter.position), '[]')
                FROM chapter
                WHERE chapter.course_id = course.id
            ) AS "chapters!: Json<Vec<Chapter>>"
        FROM course
        JOIN teacher ON teacher.id = course.teacher_id
        WHERE course.id = ANY ($1)
        "#,
        ids,
    )
    .fetch_all(connection)
    .instrument(span("SELECT course"))
    .await?;
    let courses = rows.into_iter().map(|row| Course {
        content: Content {
            id: row.id,
            name: row.name,
            category: row.category,
            school_year: row.school_year,
            level: row.level,
            description: row.description,
            summary: row.summary,
            teacher_id: row.teacher_id,
            teacher_name: row.teacher_name,
            media: row.media.0,
            created: row.created,
            chapters: row.chapters.0,
        },
        modified: row.modified,
        revision: row.revision,
    });
    Ok(courses.collect())
}
