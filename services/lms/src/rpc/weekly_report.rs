//! Weekly reports: the PDF, and the words for mails.

use kit::caller::CallerOf as _;
use kit::error::FieldError;
use kit::timestamp::from_timestamp;
use kit_pdf::Fact;
use proto::lms as wire;
use proto::lms::weekly_report_service_server::WeeklyReportService;
use tonic::{Request, Response, Status};
use uuid::Uuid;

use super::{Lms, callers, commit};
use crate::error::Error;
use crate::weekly_report::sheet::{self, ExamOutcome, ExamTotal, WeeklyExams};
use crate::weekly_report::{Week, WeeklyFigures};

/// Most learners in one call.
const LEARNER_LIMIT: usize = 200;

#[tonic::async_trait]
impl WeeklyReportService for Lms {
    async fn get_weekly_report_pdf(
        &self,
        request: Request<wire::GetWeeklyReportPdfRequest>,
    ) -> Result<Response<wire::GetWeeklyReportPdfResponse>, Status> {
        let caller = request.caller()?;
        let learner = caller.learner_or_child()?;
        let now = self.clock.now();
        let wire::GetWeeklyReportPdfRequest { week, learner_name, exams } = request.into_inner();
        let week = Week::parse(&week, now).map_err(Error::Field)?;
        let exams = exams.map(decode_exams).transpose()?;
        let permit = self.pdf_writer.permit().await.map_err(Error::from)?;
        let mut transaction = self.begin_as(&caller, callers::GET_WEEKLY_REPORT_PDF).await?;
        let figures = WeeklyFigures::find(&mut transaction, learner, week, now).await;
        let figures = figures.map_err(Error::from)?;
        commit(transaction).await?;
        let report = sheet::make_report(learner_name, week, &figures, exams.as_ref());
        let pdf = permit.write(move |fonts| report.write_pdf(fonts)).await.map_err(Error::from)?;
        Ok(Response::new(wire::GetWeeklyReportPdfResponse { pdf }))
    }

    async fn list_weekly_summaries(
        &self,
        request: Request<wire::ListWeeklySummariesRequest>,
    ) -> Result<Response<wire::ListWeeklySummariesResponse>, Status> {
        let now = self.clock.now();
        let wire::ListWeeklySummariesRequest { week, learners } = request.into_inner();
        let week = Week::parse(&week, now).map_err(Error::Field)?;
        if learners.len() > LEARNER_LIMIT {
            return Err(invalid("learners").into());
        }
        let mut connection = self.acquire().await?;
        let mut summaries = Vec::with_capacity(learners.len());
        for wire::WeeklySubject { learner_id, exams } in learners {
            let learner: Uuid = learner_id.parse().map_err(|_| invalid("learners"))?;
            let exams = exams.map(decode_exams).transpose()?;
            let figures = WeeklyFigures::find(&mut connection, learner, week, now).await;
            let figures = figures.map_err(Error::from)?;
            summaries.push(encode_summary(learner_id, &figures, exams.as_ref()));
        }
        Ok(Response::new(wire::ListWeeklySummariesResponse { summaries }))
    }
}

fn invalid(name: &'static str) -> Error {
    Error::Field(FieldError::new(name, "INVALID_FORMAT"))
}

fn encode_summary(
    learner_id: String,
    figures: &WeeklyFigures,
    exams: Option<&WeeklyExams>,
) -> wire::WeeklySummary {
    let summary = sheet::write_mail_summary(figures, exams);
    let encode = |fact: Fact| wire::WeeklyFact { name: fact.name, value: fact.value };
    wire::WeeklySummary {
        learner_id,
        note: summary.note,
        facts: summary.facts.into_iter().map(encode).collect(),
        next: summary.next.into_iter().map(encode).collect(),
    }
}

fn decode_exams(exams: wire::WeeklyExams) -> Result<WeeklyExams, Error> {
    let results = exams.results.into_iter().map(|result| ExamOutcome {
        exam_name: result.exam_name,
        total: result.total.map(|total| ExamTotal {
            points: total.points,
            full_points: total.full_points,
            deviation_score_tenths: total.deviation_score_tenths,
        }),
    });
    let next = exams.next.into_iter().map(|next| {
        let starts_at = next.starts_at.and_then(|time| from_timestamp(time).ok());
        let starts_at = starts_at.ok_or_else(|| invalid("exams"))?;
        Ok((next.exam_name, starts_at))
    });
    Ok(WeeklyExams { results: results.collect(), next: next.collect::<Result<_, Error>>()? })
}
