//! Tells the readers of new notices. desk has the notices, and lms who can use a course; auth has the accounts and sends desk
//! the readers in batches. Every replica runs the job; desk takes each batch once.

use std::collections::HashSet;
use std::time::Duration;

use kit::client::Channel;
use kit::clock::Clock;
use kit::shutdown::Shutdown;
use kit::{deadline, error, task};
use kit_db::{Pool, span};
use proto::desk::notice_telling_service_client::NoticeTellingServiceClient;
use proto::desk::{FindNoticeToTellRequest, NoticeToTell, TellReadersRequest, ToldReader};
use proto::lms::ListCourseUsersRequest;
use proto::lms::inventory_service_client::InventoryServiceClient;
use sqlx::PgConnection;
use time::Date;
use tokio::time::Instant;
use tracing::Instrument as _;
use uuid::Uuid;

use crate::school;

const PERIOD: Duration = Duration::from_secs(30);
/// Longest wait for a call.
const CALL_LIMIT: Duration = Duration::from_secs(10);
/// Accounts in a batch. desk tells a batch in one transaction.
const BATCH: i64 = 100;

/// Why a notice was not told.
#[derive(Debug, thiserror::Error)]
pub enum JobError {
    /// The database failed.
    #[error(transparent)]
    Database(#[from] sqlx::Error),
    /// desk failed.
    #[error("desk failed: {}", .0.message())]
    Desk(tonic::Status),
    /// lms failed.
    #[error("lms failed: {}", .0.message())]
    Lms(tonic::Status),
    /// desk is newer.
    #[error("notice {0} has an unknown audience or position")]
    Unknown(i64),
}

/// An account that may read a notice.
struct Account {
    id: Uuid,
    email: String,
    birth_date: Option<Date>,
    school_year_shift: i16,
}

impl Account {
    fn school_year(&self, today: Date) -> Option<String> {
        self.birth_date.and_then(|birth| school::compute_year(birth, self.school_year_shift, today))
    }
}

/// The periodic telling.
#[derive(Clone)]
pub struct NoticeTellingJob {
    pool: Pool,
    desk: Channel,
    lms: Channel,
    clock: Clock,
}

impl NoticeTellingJob {
    /// A job that tells `desk` the readers.
    #[must_use]
    pub fn new(pool: Pool, desk: Channel, lms: Channel, clock: Clock) -> Self {
        Self { pool, desk, lms, clock }
    }

    /// Runs every 30 s until `shutdown`. A failure is logged, and a later run tries again.
    pub fn spawn(self, shutdown: Shutdown) {
        task::every("new notices", PERIOD, shutdown.clone(), move || {
            let (job, shutdown) = (self.clone(), shutdown.clone());
            async move {
                if let Err(error) = job.run_until(&shutdown).await {
                    tracing::warn!(error = error::chain(&error), "could not tell the readers of new notices");
                }
            }
        });
    }

    /// Tells the readers of all new notices. Stops between batches when `shutdown` begins. A notice that fails does not hold
    /// up the others; the last failure is returned.
    pub async fn run_until(&self, shutdown: &Shutdown) -> Result<(), JobError> {
        let (mut skipped, mut outcome, mut last) = (Vec::new(), Ok(()), None);
        while !shutdown.begun() {
            let request = FindNoticeToTellRequest { skipped_notice_ids: skipped.clone() };
            let mut desk = NoticeTellingServiceClient::new(self.desk.clone());
            let found =
                with_deadline(desk.find_notice_to_tell(request)).await.map_err(JobError::Desk)?.into_inner();
            let Some(notice) = found.notice else { break };
            let batch = Some((notice.notice_id, notice.told_until.clone()));
            if batch == last {
                // Desk took nothing of the batch. A later run tries again.
                skipped.push(notice.notice_id);
                continue;
            }
            last = batch;
            if let Err(error) = self.tell_batch(&notice).await {
                skipped.push(notice.notice_id);
                outcome = Err(error);
            }
        }
        outcome
    }

    /// Tells the next batch of readers.
    async fn tell_batch(&self, notice: &NoticeToTell) -> Result<(), JobError> {
        let unknown = || JobError::Unknown(notice.notice_id);
        let scope = match notice.audience.as_str() {
            "everyone" | "account" => None,
            "learner" | "course" | "school_year" => Some("learner"),
            "guardian" => Some("guardian"),
            _ => return Err(unknown()),
        };
        let parse = |id: &str| id.parse::<Uuid>().map_err(|_| unknown());
        let account = notice.account_id.as_deref().map(parse).transpose()?;
        let after = if notice.told_until.is_empty() { Uuid::nil() } else { parse(&notice.told_until)? };
        let mut connection = self.pool.acquire().await?;
        let mut accounts = list_accounts(&mut connection, after, scope, account).await?;
        drop(connection);
        let is_full = i64::try_from(accounts.len()).is_ok_and(|count| count >= BATCH);
        let last = accounts.last().filter(|_| is_full).map(|account| account.id.to_string());
        if let Some(year) = &notice.school_year {
            let today = school::today(self.clock.now());
            accounts.retain(|account| account.school_year(today).as_ref() == Some(year));
        }
        if let Some(course_id) = notice.course_id {
            let learner_ids = accounts.iter().map(|account| account.id.to_string()).collect();
            let request = ListCourseUsersRequest { course_id, learner_ids };
            let mut lms = InventoryServiceClient::new(self.lms.clone());
            let users = with_deadline(lms.list_course_users(request)).await.map_err(JobError::Lms)?;
            let users = users.into_inner().learner_ids;
            let users: HashSet<String> = users.into_iter().collect();
            accounts.retain(|account| users.contains(&account.id.to_string()));
        }
        let readers = accounts.into_iter().map(|account| ToldReader {
            account_id: account.id.to_string(),
            email: account.email,
            birth_date: account.birth_date.map(|birth| birth.to_string()),
        });
        let request = TellReadersRequest {
            notice_id: notice.notice_id,
            told_until: notice.told_until.clone(),
            last_account_id: last,
            readers: readers.collect(),
        };
        let mut desk = NoticeTellingServiceClient::new(self.desk.clone());
        with_deadline(desk.tell_readers(request)).await.map_err(JobError::Desk)?;
        Ok(())
    }
}

/// Lists the accounts of a batch: those after `after`, with this scope, or only `account`. Closing accounts are left out.
async fn list_accounts(
    database: &mut PgConnection,
    after: Uuid,
    scope: Option<&str>,
    account: Option<Uuid>,
) -> sqlx::Result<Vec<Account>> {
    sqlx::query_as!(
        Account,
        "SELECT id, email, birth_date, school_year_shift FROM account \
         WHERE id > $1 AND erase_at IS NULL AND ($2::text IS NULL OR $2 = ANY (scope)) AND ($3::uuid IS NULL OR id = $3) \
         ORDER BY id LIMIT $4",
        after,
        scope,
        account,
        BATCH
    )
    .fetch_all(database)
    .instrument(span("SELECT account"))
    .await
}

/// Adds the deadline of a call.
fn with_deadline<Call: Future>(call: Call) -> impl Future<Output = Call::Output> {
    deadline::scope(Instant::now() + CALL_LIMIT, call)
}
