//! Web Push (RFC 8030): notifications in browsers, also while they are closed. The queue of messages.

pub(crate) mod dispatcher;
pub(crate) mod endpoint;
mod resolver;
pub(crate) mod sender;
pub(crate) mod subscription;
pub(crate) mod vapid;

use kit::encryption::Encryptor;
use kit_db::outbox::{Backoff, QueueState};
use kit_db::span;
use sqlx::PgConnection;
use time::{Duration, OffsetDateTime};
use tracing::Instrument as _;
use uuid::Uuid;

use crate::error::Error;
use crate::notification_topic::Topic;

/// The pauses between the attempts to send a push.
const BACKOFF: Backoff = Backoff { first: Duration::SECOND, longest: Duration::HOUR };
/// A push expires when it has been due for this time; the push service gets the same time to deliver it.
const EXPIRY: Duration = Duration::DAY;
/// How long a push that no dispatcher takes is kept.
const RETENTION: Duration = Duration::days(2);

/// What a browser shows. Its text names no person.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub(crate) struct PushMessage<'a> {
    /// The notification. A second push of it replaces the first.
    pub(crate) id: Uuid,
    pub(crate) text: &'a str,
    /// The page that a click opens.
    pub(crate) path: &'a str,
}

/// Queues a message for every browser of an account.
pub(crate) async fn add(
    database: &mut PgConnection,
    (account, topic): (Uuid, Topic),
    message: &PushMessage<'_>,
    encryptor: &Encryptor,
    (now, due): (OffsetDateTime, OffsetDateTime),
) -> Result<(), Error> {
    let subscriptions = subscription::list_active(database, account).await?;
    let content = serde_json::to_vec(message).map_err(|_| Error::Sealing)?;
    for subscription in subscriptions {
        let id = Uuid::now_v7();
        let sealed = encryptor.seal(&id.to_string(), &content).map_err(|_| Error::Sealing)?;
        sqlx::query!(
            "INSERT INTO push (id, subscription, notification, topic, sealed, created_at, traceparent, tries, next_try_at) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, 0, $8)",
            id,
            subscription,
            message.id,
            topic.name(),
            sealed,
            now,
            kit::trace::current_traceparent(),
            due
        )
        .execute(&mut *database)
        .instrument(span("INSERT push"))
        .await?;
    }
    Ok(())
}

/// A push that waits to be sent.
pub(crate) struct QueuedPush {
    pub(crate) id: Uuid,
    pub(crate) subscription: Uuid,
    sealed: Vec<u8>,
    /// The subscription, encrypted; `None` if it ended.
    subscription_sealed: Option<Vec<u8>>,
    /// When the first attempt was due.
    due_at: OffsetDateTime,
    pub(crate) traceparent: Option<String>,
    /// Attempts so far, including the current one.
    tries: i32,
}

impl QueuedPush {
    /// The message, and where to send it. `None` if they were encrypted with another secret.
    pub(crate) fn decrypt(&self, encryptor: &Encryptor) -> Option<(Vec<u8>, subscription::Keys)> {
        let message = encryptor.open(&self.id.to_string(), &self.sealed).ok()?;
        let keys =
            subscription::Keys::open(encryptor, self.subscription, self.subscription_sealed.as_deref()?)?;
        Some((message, keys))
    }
}

/// Takes the oldest push that is due, and leases it for `lease`.
pub(crate) async fn take_due(
    database: &mut PgConnection,
    now: OffsetDateTime,
    lease: Duration,
) -> sqlx::Result<Option<QueuedPush>> {
    // No span: the last call of each round finds nothing.
    sqlx::query_as!(
        QueuedPush,
        r#"UPDATE push SET tries = tries + 1, due_at = COALESCE(due_at, next_try_at), next_try_at = $2 WHERE id = (
            SELECT id FROM push WHERE next_try_at <= $1 ORDER BY created_at, id LIMIT 1 FOR UPDATE SKIP LOCKED)
        RETURNING id, subscription, sealed, due_at AS "due_at!", traceparent, tries,
            (SELECT sealed FROM push_subscription WHERE push_subscription.id = subscription) AS subscription_sealed"#,
        now,
        now + lease
    )
    .fetch_optional(database)
    .await
}

/// Extends the lease of a push, unless another dispatcher has taken it since.
pub(crate) async fn extend_lease(
    database: &mut PgConnection,
    push: &QueuedPush,
    until: OffsetDateTime,
) -> sqlx::Result<()> {
    // No span: it says nothing about the delivery.
    sqlx::query!("UPDATE push SET next_try_at = $3 WHERE id = $1 AND tries = $2", push.id, push.tries, until)
        .execute(database)
        .await?;
    Ok(())
}

/// Deletes a push that a push service accepted, and records that its notification was sent.
pub(crate) async fn accept(database: &mut PgConnection, id: Uuid) -> sqlx::Result<()> {
    sqlx::query!(
        "WITH accepted AS (DELETE FROM push WHERE id = $1 RETURNING notification) \
         UPDATE notification SET is_pushed = true FROM accepted \
         WHERE notification.id = accepted.notification AND NOT is_pushed",
        id
    )
    .execute(database)
    .instrument(span("DELETE push"))
    .await?;
    Ok(())
}

/// Deletes a push that was refused or has expired.
pub(crate) async fn finish(database: &mut PgConnection, id: Uuid) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM push WHERE id = $1", id)
        .execute(database)
        .instrument(span("DELETE push"))
        .await?;
    Ok(())
}

/// Postpones a push after a failed attempt, by `pause` or the usual pause. It expires when it has been due for a day.
pub(crate) async fn postpone(
    database: &mut PgConnection,
    push: &QueuedPush,
    pause: Option<Duration>,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    let next = now + pause.unwrap_or_else(|| BACKOFF.pause(push.tries));
    if next - push.due_at >= EXPIRY {
        return finish(database, push.id).await;
    }
    sqlx::query!("UPDATE push SET next_try_at = $3 WHERE id = $1 AND tries = $2", push.id, push.tries, next)
        .execute(database)
        .instrument(span("UPDATE push"))
        .await?;
    Ok(())
}

/// Reads since when the oldest push has been due, and whether one is due. Pushes in quiet hours do not count.
pub(crate) async fn probe(database: &mut PgConnection, now: OffsetDateTime) -> sqlx::Result<QueueState> {
    // No span: it runs every 2 s and mostly finds nothing.
    sqlx::query_as!(
        QueueState,
        r#"SELECT
            (SELECT min(COALESCE(due_at, next_try_at)) FROM push
                WHERE COALESCE(due_at, next_try_at) <= $1) AS oldest,
            EXISTS (SELECT FROM push WHERE next_try_at <= $1) AS "is_due!""#,
        now
    )
    .fetch_one(database)
    .await
}

/// Deletes the waiting pushes of these notifications.
pub(crate) async fn withdraw(database: &mut PgConnection, notifications: &[Uuid]) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM push WHERE notification = ANY ($1)", notifications)
        .execute(database)
        .instrument(span("DELETE push"))
        .await?;
    Ok(())
}

/// Deletes the waiting pushes of an account about these topics, and sets when the others are sent unless an attempt was
/// made.
pub(crate) async fn apply_settings(
    database: &mut PgConnection,
    account: Uuid,
    topics_off: &[String],
    due: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "DELETE FROM push USING push_subscription AS own \
         WHERE own.id = subscription AND own.account = $1 AND topic = ANY ($2)",
        account,
        topics_off
    )
    .execute(&mut *database)
    .instrument(span("DELETE push"))
    .await?;
    sqlx::query!(
        "UPDATE push SET next_try_at = $2 FROM push_subscription AS own \
         WHERE own.id = subscription AND own.account = $1 AND tries = 0",
        account,
        due
    )
    .execute(database)
    .instrument(span("UPDATE push"))
    .await?;
    Ok(())
}

/// Deletes at most `limit` pushes older than 2 days. Returns their number. Without a dispatcher (no `DESK_PUSH_SECRET`),
/// nothing else deletes them.
pub(crate) async fn sweep(database: &mut PgConnection, now: OffsetDateTime, limit: i64) -> sqlx::Result<u64> {
    let deleted = sqlx::query!(
        "DELETE FROM push WHERE id IN (SELECT id FROM push WHERE created_at < $1 LIMIT $2 FOR UPDATE SKIP LOCKED)",
        now - RETENTION,
        limit
    )
    .execute(database)
    .instrument(span("DELETE push"))
    .await?;
    Ok(deleted.rows_affected())
}

#[cfg(test)]
mod tests {
    use kit::encryption::KeyedHash;
    use kit_db::test::TestDatabase;
    use time::macros::datetime;

    use super::*;

    #[tokio::test]
    async fn the_age_and_the_expiry_of_a_push_count_from_the_end_of_the_quiet_hours() {
        let database = TestDatabase::new(&crate::MIGRATIONS).await;
        let mut connection = database.pool.begin().await.unwrap();
        let [evening, night, morning] =
            [datetime!(2026-11-21 22:00 +9), datetime!(2026-11-22 05:00 +9), datetime!(2026-11-22 07:00 +9)];
        let account = Uuid::from_u128(7);
        let encryptor = Encryptor::new([7; 32]);
        let keys = subscription::Keys {
            endpoint: "https://push.example/1".to_owned(),
            p256dh: vec![4; 65],
            auth: vec![1; 16],
        };
        let secrets = (&encryptor, &KeyedHash::new([7; 32]));
        subscription::save(&mut connection, (account, "Chrome"), &keys, secrets, evening).await.unwrap();
        let message =
            PushMessage { id: Uuid::now_v7(), text: "模試の成績が確定しました", path: "/mypage" };
        let to = (account, Topic::ExamResult);
        add(&mut connection, to, &message, &encryptor, (evening, night)).await.unwrap();
        assert_eq!(probe(&mut connection, night).await.unwrap().oldest, Some(night));
        apply_settings(&mut connection, account, &[], morning).await.unwrap();
        assert_eq!(probe(&mut connection, morning - Duration::SECOND).await.unwrap().oldest, None);
        let push = take_due(&mut connection, morning, Duration::MINUTE).await.unwrap().unwrap();
        let during = morning + Duration::SECOND;
        assert_eq!(probe(&mut connection, during).await.unwrap().oldest, Some(morning), "the first attempt");
        extend_lease(&mut connection, &push, morning + Duration::HOUR).await.unwrap();
        apply_settings(&mut connection, account, &[], morning + Duration::HOUR).await.unwrap();
        assert_eq!(probe(&mut connection, during).await.unwrap().oldest, Some(morning));

        let pause = Some(Duration::HOUR);
        let last = morning + EXPIRY - Duration::HOUR;
        postpone(&mut connection, &push, pause, last - Duration::SECOND).await.unwrap();
        assert_eq!(probe(&mut connection, last).await.unwrap().oldest, Some(morning), "a retry");
        postpone(&mut connection, &push, pause, last).await.unwrap();
        assert_eq!(probe(&mut connection, last).await.unwrap().oldest, None);
    }
}
