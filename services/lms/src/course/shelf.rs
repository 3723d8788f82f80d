//! Whole courses kept in memory, ready for the wire: they are read for every page and change with an import only.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use proto::lms;
use sqlx::PgConnection;

use super::{Chapter, Course, Edition, Lesson, Unit, load};
use crate::rpc::timestamp;

/// The newest edition seen of every course that was asked for. Cheap to clone; never stale, as an edition never
/// changes.
#[derive(Clone, Default)]
pub(crate) struct Shelf(Arc<RwLock<HashMap<i64, Arc<lms::Course>>>>);

impl Shelf {
    /// The courses, in the order asked for; those that are not here yet are fetched with one statement.
    pub(crate) async fn get(
        &self,
        connection: &mut PgConnection,
        editions: &[Edition],
    ) -> sqlx::Result<Vec<Arc<lms::Course>>> {
        let missing: Vec<i64> = editions
            .iter()
            .filter(|edition| self.find(edition).is_none())
            .map(|edition| edition.id)
            .collect();
        if !missing.is_empty() {
            let fetched = load(connection, &missing).await?;
            let mut kept = self.0.write().unwrap_or_else(PoisonError::into_inner);
            for course in fetched {
                kept.insert(course.content.id, Arc::new(course.into()));
            }
        }
        let kept = self.0.read().unwrap_or_else(PoisonError::into_inner);
        Ok(editions.iter().filter_map(|edition| kept.get(&edition.id).cloned()).collect())
    }

    fn find(&self, edition: &Edition) -> Option<Arc<lms::Course>> {
        let kept = self.0.read().unwrap_or_else(PoisonError::into_inner);
        kept.get(&edition.id).filter(|course| course.revision >= edition.revision).cloned()
    }
}

impl From<Course> for lms::Course {
    fn from(course: Course) -> Self {
        let Course { content, modified, revision } = course;
        let lessons = content.lessons().count();
        let summary = lms::CourseSummary {
            id: content.id,
            duration_sum: content.lessons().map(|lesson| lesson.duration).sum(),
            lesson_count: i32::try_from(lessons).unwrap_or(i32::MAX),
            name: content.name,
            category: content.category,
            school_year: content.school_year,
            level: content.level,
            description: content.description,
            summary: content.summary,
            orientation: content.media.orientation,
            sample_video: content.media.sample_video,
            thumbnail: content.media.thumbnail,
            textbook_bundle: content.media.textbook_bundle,
            whiteboard_bundle: content.media.whiteboard_bundle,
            teacher: Some(lms::TeacherRef { id: content.teacher_id, name: content.teacher_name }),
            created: Some(timestamp(content.created)),
            modified: Some(timestamp(modified)),
        };
        let chapters = content.chapters.into_iter().map(lms::Chapter::from).collect();
        Self { summary: Some(summary), chapters, revision }
    }
}

impl From<Chapter> for lms::Chapter {
    fn from(Chapter { id, name, units }: Chapter) -> Self {
        Self { id, name, units: units.into_iter().map(lms::Unit::from).collect() }
    }
}

impl From<Unit> for lms::Unit {
    fn from(Unit { id, name, lessons }: Unit) -> Self {
        Self { id, name, lessons: lessons.into_iter().map(lms::Lesson::from).collect() }
    }
}

impl From<Lesson> for lms::Lesson {
    fn from(Lesson { id, name, summary, duration, .. }: Lesson) -> Self {
        Self { id, name, summary, duration }
    }
}
