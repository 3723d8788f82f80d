//! What one learner has here, as a whole.

use kit::caller::CallerOf as _;
use proto::lms as wire;
use proto::lms::learner_service_server::LearnerService;
use tonic::{Request, Response, Status};

use super::{Lms, callers, commit, timestamp};
use crate::error::Error;
use crate::{inventory, learner as noun};

#[tonic::async_trait]
impl LearnerService for Lms {
    async fn list_progress(
        &self,
        request: Request<wire::ListProgressRequest>,
    ) -> Result<Response<wire::ListProgressResponse>, Status> {
        let relation = request.caller()?.guardian_of()?;
        let mut transaction = self.begin_for(relation, callers::LIST_PROGRESS).await?;
        let courses = inventory::progress(&mut transaction, relation.child).await.map_err(Error::from)?;
        commit(transaction).await?;
        let courses = courses.into_iter().map(|course| wire::CourseProgress {
            course_id: course.course_id,
            name: course.name,
            lesson_count: course.lesson_count,
            check_count: course.check_count,
            completed_at: course.completed_at.map(timestamp),
            expire_at: course.expire_at.map(timestamp),
            last_watched_at: course.last_watched_at.map(timestamp),
        });
        Ok(Response::new(wire::ListProgressResponse { courses: courses.collect() }))
    }

    async fn export_learner(
        &self,
        request: Request<wire::ExportLearnerRequest>,
    ) -> Result<Response<wire::ExportLearnerResponse>, Status> {
        let learner = request.caller()?.account()?;
        let mut transaction = self.begin().await?;
        let export = export(&mut transaction, learner).await.map_err(Error::from)?;
        commit(transaction).await?;
        Ok(Response::new(export))
    }
}

async fn export(
    connection: &mut sqlx::PgConnection,
    learner: uuid::Uuid,
) -> sqlx::Result<wire::ExportLearnerResponse> {
    use noun::export;
    let items = export::items(connection, learner).await?.into_iter().map(|item| wire::ExportedItem {
        course: item.course,
        product_id: item.product_id,
        created: Some(timestamp(item.created)),
        expire_at: item.expire_at.map(timestamp),
    });
    let bookmarks = export::bookmarks(connection, learner)
        .await?
        .into_iter()
        .map(|mark| wire::ExportedBookmark { course: mark.course, created: Some(timestamp(mark.created)) });
    let mark = |mark: export::Mark| wire::ExportedMark {
        course: mark.course,
        lesson: mark.lesson,
        created: Some(timestamp(mark.created)),
    };
    let favorites = export::favorites(connection, learner).await?.into_iter().map(mark);
    let checks = export::checks(connection, learner).await?.into_iter().map(mark);
    let watches = export::watches(connection, learner).await?.into_iter().map(|watch| wire::ExportedWatch {
        course: watch.course,
        lesson: watch.lesson,
        position: watch.position,
        covered: watch.covered,
        times: watch.times,
        first_seen: Some(timestamp(watch.first_seen)),
        last_seen: Some(timestamp(watch.last_seen)),
    });
    let progress =
        export::progress(connection, learner).await?.into_iter().map(|progress| wire::ExportedProgress {
            course: progress.course,
            check_count: progress.check_count,
            completed_at: progress.completed_at.map(timestamp),
            opened_at: progress.opened_at.map(timestamp),
            last_watched_at: progress.last_watched_at.map(timestamp),
        });
    let days = export::days(connection, learner).await?.into_iter().map(wire::WatchedDay::from);
    let notes = export::notes(connection, learner).await?.into_iter().map(wire::Note::from);
    let answers =
        export::answers(connection, learner).await?.into_iter().map(|answer| wire::ExportedAnswer {
            course: answer.course,
            lesson: answer.lesson,
            question: answer.question,
            kind: wire::ResultKind::from(answer.kind).into(),
            given: answer.given,
            is_right: answer.is_right,
            created: Some(timestamp(answer.created)),
        });
    let reviews =
        export::reviews(connection, learner).await?.into_iter().map(|review| wire::ExportedReview {
            course: review.course,
            lesson: review.lesson,
            question: review.question,
            step: review.step,
            due_at: review.due_at.map(timestamp),
        });
    Ok(wire::ExportLearnerResponse {
        items: items.collect(),
        bookmarks: bookmarks.collect(),
        favorites: favorites.collect(),
        checks: checks.collect(),
        watches: watches.collect(),
        progress: progress.collect(),
        days: days.collect(),
        notes: notes.collect(),
        answers: answers.collect(),
        reviews: reviews.collect(),
    })
}
