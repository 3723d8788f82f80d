//! A learner's progress and export.

mod export;
mod overview;

use futures_util::StreamExt as _;
use futures_util::stream::{self, BoxStream};
use kit::caller::CallerOf as _;
use proto::lms as wire;
use proto::lms::learner_service_server::LearnerService;
use tonic::{Request, Response, Status};

use self::export::Part;
use super::{Lms, callers, commit};
use crate::error::Error;
use crate::{day, exam_review, inventory, lesson, review};

#[tonic::async_trait]
impl LearnerService for Lms {
    async fn get_learning_overview(
        &self,
        request: Request<wire::GetLearningOverviewRequest>,
    ) -> Result<Response<wire::GetLearningOverviewResponse>, Status> {
        let caller = request.caller()?;
        let learner = caller.learner_or_child()?;
        let mut transaction = self.begin_as(&caller, callers::GET_LEARNING_OVERVIEW).await?;
        let found = overview::find(&mut transaction, learner, self.clock.now()).await;
        let found = found.map_err(Error::from)?;
        commit(transaction).await?;
        Ok(Response::new(found))
    }

    async fn list_progress(
        &self,
        request: Request<wire::ListProgressRequest>,
    ) -> Result<Response<wire::ListProgressResponse>, Status> {
        let relation = request.caller()?.guardian_of()?;
        let mut transaction = self.begin_for(relation, callers::LIST_PROGRESS).await?;
        let (child, now) = (relation.child, self.clock.now());
        let courses = inventory::list_progress(&mut transaction, child).await.map_err(Error::from)?;
        let week = day::find_week(&mut transaction, child, now).await.map_err(Error::from)?;
        let next_lesson = lesson::find_next(&mut transaction, child, now).await.map_err(Error::from)?;
        let due = review::count_due(&mut transaction, child, now, now).await.map_err(Error::from)?
            + exam_review::count_due(&mut transaction, child, now).await.map_err(Error::from)?;
        commit(transaction).await?;
        Ok(Response::new(wire::ListProgressResponse {
            courses: courses.into_iter().map(overview::encode_course).collect(),
            week_seconds: week.days.iter().map(|day| day.seconds.unsigned_abs()).sum(),
            next_lesson: next_lesson.map(overview::encode_next_lesson),
            due_count: u32::try_from(due).unwrap_or(u32::MAX),
        }))
    }

    async fn export_learner(
        &self,
        request: Request<wire::ExportLearnerRequest>,
    ) -> Result<Response<wire::ExportLearnerResponse>, Status> {
        let learner = request.caller()?.account()?;
        let mut transaction = self.begin().await?;
        let export = export::export_all(&mut transaction, learner).await.map_err(Error::from)?;
        commit(transaction).await?;
        Ok(Response::new(export))
    }

    type ExportLearnerInPartsStream = BoxStream<'static, Result<wire::ExportLearnerInPartsResponse, Status>>;

    async fn export_learner_in_parts(
        &self,
        request: Request<wire::ExportLearnerInPartsRequest>,
    ) -> Result<Response<Self::ExportLearnerInPartsStream>, Status> {
        let learner = request.caller()?.account()?;
        let lms = self.clone();
        let parts = stream::try_unfold(Some(Part::FIRST), move |part| {
            let lms = lms.clone();
            async move {
                let Some(part) = part else { return Ok(None) };
                // Each part takes its own connection, so a slow reader holds none.
                let mut connection = lms.acquire().await?;
                let read = export::export_part(&mut connection, learner, part).await;
                let (part, next) = read.map_err(Error::from)?;
                Ok::<_, Status>(Some((wire::ExportLearnerInPartsResponse { part: Some(part) }, next)))
            }
        });
        Ok(Response::new(parts.boxed()))
    }
}
