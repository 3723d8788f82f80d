//! The minutes a day that a learner chose.

use kit::error::FieldError;
use kit_db::span;
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::Instrument as _;
use uuid::Uuid;

use crate::error::Error;
use crate::learner;

/// Minutes of a learner who never chose.
pub(crate) const DEFAULT: u16 = 15;
/// The most minutes. 0 switches the plan off.
pub(crate) const MOST: u16 = 120;
/// Minutes are multiples of this.
pub(crate) const STEP: u16 = 5;

/// Finds the minutes that the learner chose.
pub(crate) async fn find_chosen(connection: &mut PgConnection, learner: Uuid) -> sqlx::Result<Option<u16>> {
    let minutes = sqlx::query_scalar!("SELECT minutes FROM study_plan WHERE learner_id = $1", learner)
        .fetch_optional(connection)
        .instrument(span("SELECT study_plan"))
        .await?;
    Ok(minutes.map(i16::unsigned_abs))
}

/// Stores the minutes. Fails for other numbers than 0, and 5 to 120 in steps of 5.
pub(crate) async fn save(
    connection: &mut PgConnection,
    learner: Uuid,
    minutes: u32,
    now: OffsetDateTime,
) -> Result<(), Error> {
    let minutes = i16::try_from(minutes)
        .ok()
        .filter(|minutes| minutes.unsigned_abs() <= MOST && minutes.unsigned_abs().is_multiple_of(STEP));
    let minutes = minutes.ok_or_else(|| FieldError::new("minutes", "OUT_OF_RANGE"))?;
    learner::lock(connection, learner).await?;
    sqlx::query!(
        "
        INSERT INTO study_plan (learner_id, minutes, modified)
        VALUES ($1, $2, $3)
        ON CONFLICT (learner_id) DO UPDATE SET minutes = excluded.minutes, modified = excluded.modified
        ",
        learner,
        minutes,
        now,
    )
    .execute(connection)
    .instrument(span("INSERT study_plan"))
    .await?;
    Ok(())
}

/// Deletes the learner's choice.
pub(crate) async fn erase(connection: &mut PgConnection, learner: Uuid) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM study_plan WHERE learner_id = $1", learner)
        .execute(connection)
        .instrument(span("DELETE study_plan"))
        .await?;
    Ok(())
}
