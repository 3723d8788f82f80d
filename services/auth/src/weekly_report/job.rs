//! Sends the weekly reports: figures come from lms and exam, the mail goes through desk. Every replica runs the job; a lease
//! divides the guardians, and one row a guardian and week lets each report be sent once.

use std::collections::HashMap;
use std::time::Duration;

use kit::client::Channel;
use kit::clock::Clock;
use kit::shutdown::Shutdown;
use kit::{error, task};
use kit_db::Pool;
use kit_db::outbox::Outbox;
use proto::auth::{WeeklyReportChild, WeeklyReportDue, WeeklyReportFact};
use proto::exam::result_service_client::ResultServiceClient;
use proto::exam::{ExamWeek, ListExamWeeksRequest};
use proto::lms;
use proto::lms::weekly_report_service_client::WeeklyReportServiceClient;
use proto::lms::{ListWeeklySummariesRequest, WeeklyFact, WeeklySubject, WeeklySummary};
use time::Date;
use uuid::Uuid;

use super::Family;

const PERIOD: Duration = Duration::from_mins(1);
/// Longer than the preparation of a batch. If that fails, it is tried again afterwards.
const LEASE: time::Duration = time::Duration::minutes(5);
/// Guardians in one batch.
const BATCH: i64 = 50;
/// Learners in one call.
const LEARNERS: usize = 50;

/// Why a batch of reports was not sent.
#[derive(Debug, thiserror::Error)]
pub enum JobError {
    /// The database failed.
    #[error(transparent)]
    Database(#[from] sqlx::Error),
    /// lms or exam failed.
    #[error("lms or exam did not return the figures: {}", .0.message())]
    Figures(#[from] tonic::Status),
}

/// The periodic sending of reports.
#[derive(Clone)]
pub struct WeeklyReportJob {
    pool: Pool,
    outbox: Outbox,
    lms: Channel,
    exam: Channel,
    clock: Clock,
}

impl WeeklyReportJob {
    /// A job that gets figures from `lms` and `exam`.
    #[must_use]
    pub fn new(pool: Pool, outbox: Outbox, lms: Channel, exam: Channel, clock: Clock) -> Self {
        Self { pool, outbox, lms, exam, clock }
    }

    /// Runs every minute until `shutdown`. A failure is logged, and a later run tries again.
    pub fn spawn(self, shutdown: Shutdown) {
        task::every("weekly reports", PERIOD, shutdown, move || {
            let job = self.clone();
            async move {
                if let Err(error) = job.run_once().await {
                    tracing::warn!(error = error::chain(&error), "could not send the weekly reports");
                }
            }
        });
    }

    /// Sends the reports that are due now.
    pub async fn run_once(&self) -> Result<(), JobError> {
        loop {
            let now = self.clock.now();
            let Some(week) = super::find_due_week(now) else { return Ok(()) };
            let mut connection = self.pool.acquire().await?;
            let guardians = super::lease(&mut connection, week, (now, now + LEASE), BATCH).await?;
            if guardians.is_empty() {
                return Ok(());
            }
            let learners = super::list_learners(&mut connection, &guardians).await?;
            drop(connection);
            let summaries = self.list_summaries(week, &learners).await?;
            for guardian in guardians {
                self.send(guardian, week, &summaries).await?;
            }
        }
    }

    async fn list_summaries(
        &self,
        week: Date,
        learners: &[Uuid],
    ) -> Result<HashMap<Uuid, WeeklySummary>, JobError> {
        let mut summaries = HashMap::with_capacity(learners.len());
        for learners in learners.chunks(LEARNERS) {
            let ids = || learners.iter().map(Uuid::to_string);
            let request = ListExamWeeksRequest { week: week.to_string(), learner_ids: ids().collect() };
            let exams = ResultServiceClient::new(self.exam.clone()).list_exam_weeks(request).await?;
            let subjects = ids()
                .zip(exams.into_inner().weeks)
                .map(|(learner_id, exams)| WeeklySubject { learner_id, exams: Some(encode_exams(exams)) });
            let request = ListWeeklySummariesRequest { week: week.to_string(), learners: subjects.collect() };
            let found =
                WeeklyReportServiceClient::new(self.lms.clone()).list_weekly_summaries(request).await?;
            let found = found.into_inner().summaries.into_iter();
            summaries.extend(found.filter_map(|one| Some((one.learner_id.parse().ok()?, one))));
        }
        Ok(summaries)
    }

    async fn send(
        &self,
        guardian: Uuid,
        week: Date,
        summaries: &HashMap<Uuid, WeeklySummary>,
    ) -> Result<(), JobError> {
        let now = self.clock.now();
        let mut transaction = self.pool.begin().await?;
        if !super::set_sent(&mut transaction, guardian, week, now).await? {
            return Ok(());
        }
        // Read again: a link may have ended since.
        let family = super::find_family(&mut transaction, guardian).await?;
        if let Some(event) = family.and_then(|family| make_event(guardian, week, family, summaries)) {
            self.outbox.publish(&mut transaction, &event, now).await?;
        }
        transaction.commit().await?;
        Ok(())
    }
}

/// Makes the event. `None` without a child.
fn make_event(
    guardian: Uuid,
    week: Date,
    family: Family,
    summaries: &HashMap<Uuid, WeeklySummary>,
) -> Option<WeeklyReportDue> {
    let children = family.children.into_iter().filter_map(|(id, name)| {
        let WeeklySummary { note, facts, next, .. } = summaries.get(&id)?.clone();
        Some(WeeklyReportChild {
            id: id.to_string(),
            name,
            note,
            facts: encode_facts(facts),
            next: encode_facts(next),
        })
    });
    let children: Vec<_> = children.collect();
    (!children.is_empty()).then(|| WeeklyReportDue {
        to: family.email,
        account_id: guardian.to_string(),
        name: family.name,
        week: week.to_string(),
        children,
    })
}

fn encode_facts(facts: Vec<WeeklyFact>) -> Vec<WeeklyReportFact> {
    facts.into_iter().map(|WeeklyFact { name, value }| WeeklyReportFact { name, value }).collect()
}

/// Passes the exams of a week from exam on to lms.
fn encode_exams(week: ExamWeek) -> lms::WeeklyExams {
    let results = week.results.into_iter().map(|result| lms::WeeklyExamResult {
        exam_name: result.exam_name,
        total: result.total.map(|total| lms::WeeklyExamTotal {
            points: total.points,
            full_points: total.full_points,
            deviation_score_tenths: total.deviation_score_tenths,
        }),
    });
    let next = week.next.into_iter();
    let next = next.map(|next| lms::WeeklyNextExam { exam_name: next.name, starts_at: next.starts_at });
    lms::WeeklyExams { results: results.collect(), next: next.collect() }
}
