//! The exams of a learner in short, for the learner and linked guardians.

use kit::timestamp::to_timestamp;
use proto::exam as wire;
use uuid::Uuid;

use crate::application::{self, Application, ApplicationState, Stage};
use crate::error::Error;
use crate::result::{self, ExamResult, ListedResult};
use crate::rpc::Exam;
use crate::statistics::{Standing, Tenths};

impl Exam {
    /// Finds the learner's exams that have not ended, and the results.
    pub(super) async fn exam_overview(&self, learner: Uuid) -> Result<wire::GetExamOverviewResponse, Error> {
        let now = self.clock.now();
        let mut connection = self.acquire().await?;
        let applications = application::list(&mut connection, learner, None).await?;
        let results = result::list(&mut connection, learner).await?;
        let last_total = match results.first() {
            Some(last) => ExamResult::find(&mut connection, learner, last.id).await?.total,
            None => None,
        };
        self.pool.keep(connection);
        let next = applications.iter().filter(|application| application.state(now) == ApplicationState::Mine);
        Ok(wire::GetExamOverviewResponse {
            next: next.map(encode_next).collect(),
            results: results.into_iter().map(encode_listed).collect(),
            last_total: last_total.as_ref().map(encode_total),
        })
    }
}

pub(super) fn encode_next(application: &Application) -> wire::NextExam {
    wire::NextExam {
        exam_id: application.exam.id,
        name: application.exam.name.clone(),
        starts_at: Some(to_timestamp(application.exam.starts_at)),
        ends_at: Some(to_timestamp(application.exam.ends_at)),
        is_application_open: !matches!(application.stage(), Stage::Exam | Stage::HandedIn),
    }
}

/// Encodes an exam with a result.
pub(in crate::rpc) fn encode_listed(exam: ListedResult) -> wire::ListedResult {
    wire::ListedResult {
        exam_id: exam.id,
        exam_name: exam.name,
        ends_at: Some(to_timestamp(exam.ends_at)),
        is_final: exam.is_final,
    }
}

pub(super) fn encode_total(total: &Standing) -> wire::ExamTotal {
    wire::ExamTotal {
        points: total.points,
        full_points: total.full_points,
        deviation_score_tenths: total.deviation_score().map(Tenths::tenths),
    }
}
