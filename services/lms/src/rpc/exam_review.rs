//! Reviews of questions of mock exams.

use kit::caller::CallerOf as _;
use kit::page::Page;
use kit::timestamp::to_timestamp;
use proto::lms as wire;
use proto::lms::exam_review_service_server::ExamReviewService;
use tonic::{Request, Response, Status};

use super::{Lms, commit};
use crate::error::Error;
use crate::exam_review;

#[tonic::async_trait]
impl ExamReviewService for Lms {
    async fn list_exam_reviews(
        &self,
        request: Request<wire::ListExamReviewsRequest>,
    ) -> Result<Response<wire::ListExamReviewsResponse>, Status> {
        let learner = request.caller()?.learner()?;
        let page = Page::parse(request.into_inner().page, exam_review::PAGE_SIZE)?;
        let mut connection = self.acquire().await?;
        let due = exam_review::list_page(&mut connection, learner, page, self.clock.now());
        let due = due.await.map_err(Error::from)?;
        let count = page.encode_count(due.first().map_or(0, |review| review.count)).ok_or(Error::NotFound)?;
        let reviews = due.into_iter().map(|review| wire::ExamReview {
            question_id: review.question_id,
            exam_id: review.exam_id,
            step: review.step,
            due_at: Some(to_timestamp(review.due_at)),
        });
        Ok(Response::new(wire::ListExamReviewsResponse { count, reviews: reviews.collect() }))
    }

    async fn record_exam_review(
        &self,
        request: Request<wire::RecordExamReviewRequest>,
    ) -> Result<Response<wire::RecordExamReviewResponse>, Status> {
        let learner = request.caller()?.learner()?;
        let wire::RecordExamReviewRequest { question_id, is_solved } = request.into_inner();
        let mut transaction = self.begin().await?;
        let due_at =
            exam_review::record(&mut transaction, learner, question_id, is_solved, self.clock.now()).await?;
        commit(transaction).await?;
        Ok(Response::new(wire::RecordExamReviewResponse { due_at: due_at.map(to_timestamp) }))
    }
}
