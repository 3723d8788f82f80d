//! Records of guardians viewing a learner's data, for the learner to see.

use kit_db::span;
use sqlx::PgConnection;
use time::{Duration, OffsetDateTime};
use tracing::Instrument as _;
use uuid::Uuid;

/// Views within this interval count as one.
const ONCE_IN: Duration = Duration::minutes(10);
/// Maximum number of views that a learner sees at once.
pub(crate) const SHOWN: i64 = 1_000;
/// Maximum number of views in an export. An export is one gRPC message of at most 4 MiB.
pub(crate) const EXPORTED: i64 = 10_000;

/// A guardian viewed a learner's data.
pub(crate) struct GuardianView {
    pub(crate) last_name: String,
    pub(crate) first_name: String,
    pub(crate) what: String,
    pub(crate) at: OffsetDateTime,
}

/// Records a view. The caller holds the lock of the link.
pub(crate) async fn add(
    database: &mut PgConnection,
    learner: Uuid,
    guardian: Uuid,
    what: &str,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO guardian_view (learner, guardian, what, at) SELECT $1, $2, $3, $4 WHERE NOT EXISTS \
         (SELECT FROM guardian_view WHERE learner = $1 AND guardian = $2 AND what = $3 AND at > $5)",
        learner,
        guardian,
        what,
        now,
        now - ONCE_IN
    )
    .execute(database)
    .instrument(span("INSERT guardian_view"))
    .await?;
    Ok(())
}

/// The newest views of a learner's data, at most `limit`, newest first.
pub(crate) async fn list(
    database: &mut PgConnection,
    learner: Uuid,
    limit: i64,
) -> sqlx::Result<Vec<GuardianView>> {
    sqlx::query_as!(
        GuardianView,
        "SELECT last_name, first_name, what, at FROM guardian_view JOIN account ON account.id = guardian \
         WHERE learner = $1 ORDER BY at DESC LIMIT $2",
        learner,
        limit
    )
    .fetch_all(database)
    .instrument(span("SELECT guardian_view"))
    .await
}

/// Deletes at most `limit` views older than `before`; returns their number.
pub(crate) async fn sweep(
    database: &mut PgConnection,
    before: OffsetDateTime,
    limit: i64,
) -> sqlx::Result<u64> {
    let swept = sqlx::query!(
        "DELETE FROM guardian_view WHERE ctid = ANY(ARRAY(SELECT ctid FROM guardian_view WHERE at < $1 \
         LIMIT $2 FOR UPDATE SKIP LOCKED))",
        before,
        limit
    )
    .execute(database)
    .instrument(span("DELETE guardian_view"))
    .await?;
    Ok(swept.rows_affected())
}
