//! Taking a seat of a free exam.

use kit_db::span;
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::Instrument as _;
use uuid::Uuid;

use crate::error::Error;
use crate::{exam, learner, seat};

/// Takes a seat of a free exam. Taking it again changes nothing.
pub(crate) async fn take_seat(
    connection: &mut PgConnection,
    learner: Uuid,
    exam_id: i64,
    now: OffsetDateTime,
) -> Result<(), Error> {
    learner::lock(connection, learner).await?;
    lock_exam(connection, exam_id).await?;
    let exam = exam::find(connection, exam_id).await?.ok_or(Error::NotFound)?;
    if seat::has_seat(connection, learner, exam_id).await? {
        return Ok(());
    }
    if exam.product_id.is_some() {
        return Err(Error::SeatForSale);
    }
    if now < exam.application_opens_at || now >= exam.application_closes_at {
        return Err(Error::ApplicationClosed);
    }
    if exam.seats_left() == Some(0) {
        return Err(Error::SeatsGone);
    }
    seat::take(connection, learner, exam_id, now).await?;
    Ok(())
}

/// Locks the seats of an exam, so that no two learners take the last one.
async fn lock_exam(connection: &mut PgConnection, id: i64) -> sqlx::Result<()> {
    sqlx::query!("SELECT id FROM exam WHERE id = $1 FOR UPDATE", id)
        .fetch_optional(connection)
        .instrument(span("SELECT exam"))
        .await?;
    Ok(())
}
