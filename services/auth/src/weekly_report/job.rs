//! Sends the weekly reports: figures come from lms and exam, the mail goes through desk. Every replica runs the job; a lease
//! divides the guardians, and one row a guardian and week lets each report be sent once.

use std::collections::HashMap;
use std::time::Duration;

use kit::client::Channel;
use kit::clock::Clock;
use kit::shutdown::Shutdown;
use kit::{deadline, error, task};
use kit_db::Pool;
use kit_db::outbox::Outbox;
use proto::auth::{WeeklyReportChild, WeeklyReportDue, WeeklyReportFact};
use proto::exam::ListExamWeeksRequest;
use proto::exam::result_service_client::ResultServiceClient;
use proto::lms::weekly_report_service_client::WeeklyReportServiceClient;
use proto::lms::{ListWeeklySummariesRequest, WeeklyFact, WeeklySubject, WeeklySummary};
use time::Date;
use tokio::time::Instant;
use uuid::Uuid;

use super::{Attempt, Family};

const PERIOD: Duration = Duration::from_mins(1);
/// Longest wait for the figures of one call.
const CALL_LIMIT: Duration = Duration::from_secs(30);
/// Lease of a batch. A batch makes two calls for each [`LEARNERS_PER_CALL`] learners, so 5 minutes cover 250 learners at
/// [`CALL_LIMIT`]. If a batch takes longer, another replica may prepare its reports too; each is sent only once.
const LEASE: time::Duration = time::Duration::minutes(5);
/// Guardians in one batch.
const BATCH: i64 = 50;
/// Learners in one call.
const LEARNERS_PER_CALL: usize = 50;

/// Why a batch of reports was not sent.
#[derive(Debug, thiserror::Error)]
pub enum JobError {
    /// The database failed.
    #[error(transparent)]
    Database(#[from] sqlx::Error),
    /// lms or exam failed.
    #[error("lms or exam did not return the figures: {}", .0.message())]
    Figures(#[from] tonic::Status),
    /// lms or exam left learners out.
    #[error("{service} returned {found} {what} for {learners} learners")]
    Incomplete {
        /// `exam` or `lms`.
        service: &'static str,
        /// What it returned.
        what: &'static str,
        /// How many it returned.
        found: usize,
        /// How many learners were requested.
        learners: usize,
    },
    /// A repeated attempt failed.
    #[error("could not prepare the report for guardian {guardian}")]
    Guardian {
        /// Account id.
        guardian: Uuid,
        /// The cause.
        source: Box<Self>,
    },
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
        task::every("weekly reports", PERIOD, shutdown.clone(), move || {
            let (job, shutdown) = (self.clone(), shutdown.clone());
            async move {
                if let Err(error) = job.run_until(&shutdown).await {
                    tracing::warn!(error = error::chain(&error), "could not send the weekly reports");
                }
            }
        });
    }

    /// Sends the reports that are due now.
    pub async fn run_once(&self) -> Result<(), JobError> {
        self.run_until(&Shutdown::default()).await
    }

    /// Sends the reports that are due now. Stops between batches when `shutdown` begins.
    ///
    /// After a failed batch, each of its guardians is tried alone once the lease is over, so that one learner whose figures
    /// fail does not hold up the other guardians.
    pub async fn run_until(&self, shutdown: &Shutdown) -> Result<(), JobError> {
        while !shutdown.begun() {
            let now = self.clock.now();
            let Some(week) = super::find_due_week(now) else { return Ok(()) };
            let lease = (now, now + LEASE);
            let mut connection = self.pool.acquire().await?;
            let guardians = super::lease(&mut connection, week, Attempt::First, lease, BATCH).await?;
            if !guardians.is_empty() {
                drop(connection);
                self.send_batch(week, &guardians).await?;
                continue;
            }
            let guardians = super::lease(&mut connection, week, Attempt::Repeated, lease, 1).await?;
            drop(connection);
            let Some(&guardian) = guardians.first() else { return Ok(()) };
            self.send_batch(week, &guardians)
                .await
                .map_err(|error| JobError::Guardian { guardian, source: Box::new(error) })?;
        }
        Ok(())
    }

    async fn send_batch(&self, week: Date, guardians: &[Uuid]) -> Result<(), JobError> {
        let learners = super::list_learners(&mut *self.pool.acquire().await?, guardians).await?;
        let summaries = self.list_summaries(week, &learners).await?;
        for guardian in guardians {
            self.send(*guardian, week, &summaries).await?;
        }
        Ok(())
    }

    async fn list_summaries(
        &self,
        week: Date,
        learners: &[Uuid],
    ) -> Result<HashMap<Uuid, WeeklySummary>, JobError> {
        let mut summaries = HashMap::with_capacity(learners.len());
        for learners in learners.chunks(LEARNERS_PER_CALL) {
            let ids = || learners.iter().map(Uuid::to_string);
            let request = ListExamWeeksRequest { week: week.to_string(), learner_ids: ids().collect() };
            let mut exam = ResultServiceClient::new(self.exam.clone());
            let weeks = with_deadline(exam.list_exam_weeks(request)).await?.into_inner().weeks;
            check_count("exam", "weeks", weeks.len(), learners.len())?;
            let subjects = ids()
                .zip(weeks)
                .map(|(learner_id, week)| WeeklySubject { learner_id, exams: Some(week.into()) });
            let request = ListWeeklySummariesRequest { week: week.to_string(), learners: subjects.collect() };
            let mut lms = WeeklyReportServiceClient::new(self.lms.clone());
            let found = with_deadline(lms.list_weekly_summaries(request)).await?.into_inner().summaries;
            let found = found.into_iter().filter_map(|one| Some((one.learner_id.parse().ok()?, one)));
            let found: HashMap<Uuid, _> = found.collect();
            check_count("lms", "summaries", found.len(), learners.len())?;
            summaries.extend(found);
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

/// Adds the deadline of a call.
fn with_deadline<Call: Future>(call: Call) -> impl Future<Output = Call::Output> {
    deadline::scope(Instant::now() + CALL_LIMIT, call)
}

fn check_count(
    service: &'static str,
    what: &'static str,
    found: usize,
    learners: usize,
) -> Result<(), JobError> {
    if found == learners { Ok(()) } else { Err(JobError::Incomplete { service, what, found, learners }) }
}

/// Makes the event. `None` without a child.
fn make_event(
    guardian: Uuid,
    week: Date,
    family: Family,
    summaries: &HashMap<Uuid, WeeklySummary>,
) -> Option<WeeklyReportDue> {
    let children = family.children.into_iter().filter_map(|(id, name)| {
        // Linked since the figures were read: left out.
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
