//! Seats: the right to sit an exam. Seats of a sold exam are granted by events of commerce.

use kit_db::{erased_account, span};
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::Instrument as _;
use uuid::Uuid;

use crate::learner;

/// A seat that a learner bought.
#[derive(Debug)]
pub(crate) struct SeatGrant {
    pub(crate) order_line: String,
    pub(crate) learner: Uuid,
    pub(crate) exam: i64,
}

/// Grants a bought seat. Changes nothing if its order line was granted or revoked before, or if the account was erased.
pub(crate) async fn grant(
    connection: &mut PgConnection,
    grant: &SeatGrant,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    learner::lock(connection, grant.learner).await?;
    if erased_account::contains(connection, grant.learner).await? {
        return Ok(());
    }
    sqlx::query!(
        "
        INSERT INTO seat (order_line_id, learner_id, exam_id, granted_at) VALUES ($1, $2, $3, $4)
        ON CONFLICT ON CONSTRAINT seat_order_line_id_key DO NOTHING
        ",
        grant.order_line,
        grant.learner,
        grant.exam,
        now,
    )
    .execute(connection)
    .instrument(span("INSERT seat"))
    .await?;
    Ok(())
}

/// Gives the learner a seat of a free exam. The caller holds the lock of the exam.
pub(crate) async fn take(
    connection: &mut PgConnection,
    learner: Uuid,
    exam: i64,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO seat (learner_id, exam_id, granted_at) VALUES ($1, $2, $3)",
        learner,
        exam,
        now,
    )
    .execute(connection)
    .instrument(span("INSERT seat"))
    .await?;
    Ok(())
}

/// Revokes the seat of an order line. A grant that arrives later changes nothing.
pub(crate) async fn revoke(
    connection: &mut PgConnection,
    order_line: &str,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "
        INSERT INTO seat (order_line_id, revoked_at) VALUES ($1, $2)
        ON CONFLICT ON CONSTRAINT seat_order_line_id_key
        DO UPDATE SET revoked_at = coalesce(seat.revoked_at, excluded.revoked_at)
        ",
        order_line,
        now,
    )
    .execute(connection)
    .instrument(span("INSERT seat"))
    .await?;
    Ok(())
}

/// Whether the learner has a seat in the exam.
pub(crate) async fn has_seat(connection: &mut PgConnection, learner: Uuid, exam: i64) -> sqlx::Result<bool> {
    sqlx::query_scalar!(
        r#"
        SELECT EXISTS (
            SELECT FROM seat WHERE learner_id = $1 AND exam_id = $2 AND revoked_at IS NULL
        ) AS "has_seat!"
        "#,
        learner,
        exam,
    )
    .fetch_one(connection)
    .instrument(span("SELECT seat"))
    .await
}

/// Deletes the learner's seats.
pub(crate) async fn erase(connection: &mut PgConnection, learner: Uuid) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM seat WHERE learner_id = $1", learner)
        .execute(connection)
        .instrument(span("DELETE seat"))
        .await?;
    Ok(())
}
