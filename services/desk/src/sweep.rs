//! Deletes expired rows in small batches, and counts the questions that wait.

use std::time::Duration;

use kit::clock::Clock;
use kit::error;
use kit::shutdown::Shutdown;
use kit_db::{Pool, erased_account, inbox};
use sqlx::PgConnection;
use time::OffsetDateTime;

use crate::teacher_question::{self, answering};
use crate::{contact, faq, interview, japan_time, mail, notification, picture, push, school_event};

const PERIOD: Duration = Duration::from_mins(1);
/// Batch size. Small batches keep locks short.
const BATCH: i64 = 5_000;

/// Sweeps every minute until `shutdown`.
pub(crate) fn spawn(pool: Pool, clock: Clock, inquiry_retention: time::Duration, shutdown: Shutdown) {
    kit_db::sweep(PERIOD, shutdown, move || {
        let (pool, clock) = (pool.clone(), clock.clone());
        async move {
            let mut connection = pool.acquire().await?;
            open_interview_slots(&pool, clock.now()).await?;
            if let Err(error) = answering::update_metrics(&mut connection, clock.now()).await {
                tracing::warn!(error = error::chain(&error), "could not count the waiting questions");
            }
            sweep_once(&mut connection, clock.now(), inquiry_retention).await
        }
    });
}

/// Opens the slots of weekly hours for the coming weeks.
pub async fn open_interview_slots(pool: &Pool, now: OffsetDateTime) -> sqlx::Result<()> {
    let mut transaction = pool.begin().await?;
    interview::hours::open_due(&mut transaction, now).await?;
    transaction.commit().await
}

/// Sweeps once and returns the number of deleted rows. Inquiries older than `inquiry_retention` are deleted. Replicas
/// may sweep at the same time.
pub async fn sweep_once(
    database: &mut PgConnection,
    now: OffsetDateTime,
    inquiry_retention: time::Duration,
) -> sqlx::Result<u64> {
    let deleted = [
        mail::sweep(database, now, BATCH).await?,
        picture::sweep(database, now, BATCH).await?,
        contact::sweep(database, now, inquiry_retention, BATCH).await?,
        faq::sweep(database, japan_time::date_in_japan(now), BATCH).await?,
        interview::booking::sweep(database, now, BATCH).await?,
        interview::slot::sweep(database, now, BATCH).await?,
        kit_db::limit::sweep(database, now, BATCH).await?,
        kit_db::idempotency::sweep(database, now, BATCH).await?,
        inbox::sweep(database, now, BATCH).await?,
        erased_account::sweep(database, now, BATCH).await?,
        school_event::stored_entry::sweep(database, now, BATCH).await?,
        notification::sweep(database, now, BATCH).await?,
        teacher_question::picture::sweep(database, now, BATCH).await?,
        push::sweep(database, now, BATCH).await?,
    ];
    Ok(deleted.into_iter().sum())
}
