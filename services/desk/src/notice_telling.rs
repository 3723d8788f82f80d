//! Tells the readers of a new notice. Auth knows the readers and sends them in batches, in the order of their accounts. A
//! batch moves the position of the notice and queues its notifications in one transaction, so each reader is told once.

use kit_db::span;
use sqlx::PgConnection;
use time::{Date, Duration, OffsetDateTime};
use tracing::Instrument as _;
use uuid::Uuid;

use crate::email::notice::write_new_notice;
use crate::error::Error;
use crate::notification::{self, Notification, Notifier};
use crate::{account_age, learner_contact};

/// A notice is new for this time after its publication. Readers who are not told by then find it in the site.
const NEW: Duration = Duration::days(7);

/// A notice whose readers are not all told.
pub(crate) struct NoticeToTell {
    pub(crate) id: i64,
    pub(crate) audience: String,
    pub(crate) course_id: Option<i64>,
    pub(crate) school_year: Option<String>,
    pub(crate) account: Option<Uuid>,
    /// Accounts up to this one are told.
    pub(crate) told_until: Option<Uuid>,
}

/// A batch of readers.
pub(crate) struct Batch {
    pub(crate) notice: i64,
    /// The batch begins after this account.
    pub(crate) told_until: Option<Uuid>,
    /// The account at which the batch ends; `None` for the last batch.
    pub(crate) last: Option<Uuid>,
    /// In the order of their accounts.
    pub(crate) readers: Vec<ToldReader>,
}

/// A reader to tell.
pub(crate) struct ToldReader {
    pub(crate) account: Uuid,
    pub(crate) email: String,
    pub(crate) birth_date: Option<Date>,
}

/// Finds the oldest new notice whose readers are not all told, except for `skipped` ones.
pub(crate) async fn find_next(
    database: &mut PgConnection,
    skipped: &[i64],
    now: OffsetDateTime,
) -> sqlx::Result<Option<NoticeToTell>> {
    // No span: it runs often and mostly finds nothing.
    sqlx::query_as!(
        NoticeToTell,
        r#"SELECT id, audience, course_id, school_year, account, told_until AS "told_until?"
        FROM notice LEFT JOIN notice_telling AS telling ON telling.notice = id
        WHERE state = 'published' AND published_at <= $1 AND published_at > $2 AND done_at IS NULL AND id <> ALL ($3)
        ORDER BY published_at, id LIMIT 1"#,
        now,
        now - NEW,
        skipped
    )
    .fetch_optional(database)
    .await
}

/// Queues the notifications of a batch. Does nothing if the batch was told before, or if the notice is not published.
/// Requires a transaction.
pub(crate) async fn tell(
    database: &mut PgConnection,
    batch: &Batch,
    notifier: &Notifier,
    now: OffsetDateTime,
) -> Result<(), Error> {
    // The notice stays as it is until the transaction ends: a withdrawal waits, and deletes what was queued. It is locked
    // before its telling, as a withdrawal does.
    sqlx::query!(
        "INSERT INTO notice_telling (notice, about) SELECT id, $2 FROM notice WHERE id = $1 FOR SHARE \
         ON CONFLICT ON CONSTRAINT notice_telling_pkey DO NOTHING",
        batch.notice,
        Uuid::now_v7()
    )
    .execute(&mut *database)
    .instrument(span("INSERT notice_telling"))
    .await?;
    let telling = sqlx::query!(
        "SELECT about, told_until, title, summary, account FROM notice_telling AS telling \
         JOIN notice ON notice.id = telling.notice \
         WHERE telling.notice = $1 AND done_at IS NULL AND state = 'published' AND published_at <= $2 \
         FOR UPDATE OF telling",
        batch.notice,
        now
    )
    .fetch_optional(&mut *database)
    .instrument(span("SELECT notice_telling"))
    .await?;
    let Some(telling) = telling.filter(|telling| telling.told_until == batch.told_until) else {
        return Ok(());
    };
    for reader in &batch.readers {
        // Serialises with an erasure and with changes of settings.
        learner_contact::lock(database, reader.account).await?;
        if let Some(birth) = reader.birth_date {
            account_age::learn_first(database, reader.account, birth, now).await?;
        }
        let text = (telling.account.is_none()).then_some((telling.title.as_str(), telling.summary.as_str()));
        let email = write_new_notice((reader.account, reader.email.clone()), batch.notice, text);
        let notification = Notification {
            account: reader.account,
            dedupe_key: &format!("{} {}", email.kind, batch.notice),
            about: Some(telling.about),
            email: &email,
        };
        notifier.notify(database, &notification, now).await?;
    }
    sqlx::query!(
        "UPDATE notice_telling SET told_until = COALESCE($2, told_until), done_at = $3 WHERE notice = $1",
        batch.notice,
        batch.last,
        batch.last.is_none().then_some(now)
    )
    .execute(database)
    .instrument(span("UPDATE notice_telling"))
    .await?;
    Ok(())
}

/// Marks a notice as told: its reader gets a mail with the same text.
pub(crate) async fn set_told(
    database: &mut PgConnection,
    notice: i64,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO notice_telling (notice, about, done_at) VALUES ($1, $2, $3)",
        notice,
        Uuid::now_v7(),
        now
    )
    .execute(database)
    .instrument(span("INSERT notice_telling"))
    .await?;
    Ok(())
}

/// Takes back what waits to be sent about a notice that was withdrawn or has other readers. Its readers are told again if
/// they can read it. Requires a transaction, after the change of the notice.
pub(crate) async fn withdraw(database: &mut PgConnection, notice: i64) -> sqlx::Result<()> {
    // Before its telling, as the job does.
    sqlx::query_scalar!("SELECT id FROM notice WHERE id = $1 FOR NO KEY UPDATE", notice)
        .fetch_optional(&mut *database)
        .instrument(span("SELECT notice"))
        .await?;
    let about = sqlx::query_scalar!("DELETE FROM notice_telling WHERE notice = $1 RETURNING about", notice)
        .fetch_all(&mut *database)
        .instrument(span("DELETE notice_telling"))
        .await?;
    notification::withdraw(database, &about).await
}
