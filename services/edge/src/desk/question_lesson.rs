//! The lesson of a question to the teachers.

use proto::{desk, lms};

use super::incomplete;
use crate::Edge;
use crate::error::Error;
use crate::session::Learner;

/// A lesson that the caller owns or owned, with the names of it and its course.
pub(super) async fn find_lesson(
    edge: &Edge,
    learner: &Learner,
    lesson: i64,
) -> Result<desk::QuestionPlace, Error> {
    let request = lms::GetLessonRequest { learner_id: learner.id(), lesson_id: lesson };
    let lesson = edge.lessons(learner).get_lesson(request).await?.into_inner().lesson;
    let (reference, lesson) =
        lesson.and_then(|of| Some((of.clone(), of.lesson?))).ok_or_else(|| incomplete("lesson"))?;
    Ok(desk::QuestionPlace {
        course_id: reference.course_id,
        course_name: reference.course_name,
        lesson_id: lesson.id,
        lesson_name: lesson.name,
        at: None,
        exercise_id: None,
        exercise_text: None,
    })
}
