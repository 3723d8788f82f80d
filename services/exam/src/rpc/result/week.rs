//! The exams of learners in a week.

use kit::error::FieldError;
use proto::exam as wire;
use uuid::Uuid;

use super::overview::{encode_next, encode_total};
use crate::error::Error;
use crate::exam_week::{ExamWeek, Week};
use crate::rpc::Exam;

/// Most learners in one call.
const LEARNER_LIMIT: usize = 200;

impl Exam {
    /// Finds the exams of learners in a week, in their order.
    pub(super) async fn find_exam_weeks(
        &self,
        week: &str,
        learners: &[Uuid],
    ) -> Result<Vec<wire::ExamWeek>, Error> {
        let (week, now) = (Week::parse(week)?, self.clock.now());
        let mut connection = self.acquire().await?;
        let mut weeks = Vec::with_capacity(learners.len());
        for learner in learners {
            weeks.push(encode_week(ExamWeek::find(&mut connection, *learner, week, now).await?));
        }
        self.pool.keep(connection);
        Ok(weeks)
    }
}

/// Parses at most 200 ids.
pub(super) fn parse_learners(ids: &[String]) -> Result<Vec<Uuid>, Error> {
    let invalid = || FieldError::new("learner_ids", "INVALID_FORMAT");
    if ids.len() > LEARNER_LIMIT {
        return Err(invalid().into());
    }
    ids.iter().map(|id| id.parse().map_err(|_| invalid().into())).collect()
}

fn encode_week(week: ExamWeek) -> wire::ExamWeek {
    let results = week.results.into_iter().map(|result| wire::FinalExamResult {
        exam_name: result.exam_name,
        total: result.total.as_ref().map(encode_total),
    });
    wire::ExamWeek { results: results.collect(), next: week.next.iter().map(encode_next).collect() }
}
