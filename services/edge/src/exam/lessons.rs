//! The lessons that teach the questions of exams, from lms.

use std::collections::HashMap;

use proto::lms as wire;
use serde::Serialize;
use utoipa::ToSchema;

use crate::Edge;
use crate::session::OnBehalf;

/// Id and name of a course.
#[derive(Serialize, ToSchema)]
struct TeachingCourse {
    id: i64,
    name: String,
}

/// The lesson that teaches a question.
#[derive(Serialize, ToSchema)]
pub(crate) struct TeachingLesson {
    id: i64,
    name: String,
    /// The course that it belongs to.
    course: TeachingCourse,
    /// The second of its video from which it is taught; null: its beginning.
    #[schema(required)]
    watch_again_at: Option<i32>,
    /// Whether the caller can play it now.
    is_usable: bool,
}

/// Lessons and their courses, by the id of the lesson.
pub(super) struct TeachingLessons(HashMap<i64, wire::LessonCourse>);

impl TeachingLessons {
    /// Fetches lessons from lms. While lms does not answer, questions are shown without them.
    pub(super) async fn fetch(edge: &Edge, who: &impl OnBehalf, ids: impl Iterator<Item = i64>) -> Self {
        let mut lesson_ids: Vec<i64> = ids.collect();
        lesson_ids.sort_unstable();
        lesson_ids.dedup();
        if lesson_ids.is_empty() {
            return Self(HashMap::new());
        }
        let request = wire::FindLessonCoursesRequest { lesson_ids };
        match edge.lessons(who).find_lesson_courses(request).await {
            Ok(found) => {
                let lessons = found.into_inner().lessons.into_iter();
                Self(lessons.map(|lesson| (lesson.lesson_id, lesson)).collect())
            }
            Err(error) => {
                tracing::warn!(%error, "questions of an exam are shown without lessons");
                Self(HashMap::new())
            }
        }
    }

    /// Finds the lesson of a question. Returns `None` if no lesson teaches it, or if it is unknown to lms.
    pub(super) fn find(&self, lesson: Option<i64>, watch_again_at: Option<i32>) -> Option<TeachingLesson> {
        let found = self.0.get(&lesson?)?;
        Some(TeachingLesson {
            id: found.lesson_id,
            name: found.lesson_name.clone(),
            course: TeachingCourse { id: found.course_id, name: found.course_name.clone() },
            watch_again_at,
            is_usable: found.is_usable,
        })
    }
}
