//! The start of a sitting.

use kit_db::span;
use sqlx::PgConnection;
use time::{Duration, OffsetDateTime};
use tracing::Instrument as _;
use uuid::Uuid;

use super::{Device, PaperCache, Sitting, device, lock};
use crate::config::Rules;
use crate::error::Error;
use crate::{application, extra_time, learner, seat};

/// Returns the running sitting of a paper to its active device. Without a sitting, the paper is not found.
pub(crate) async fn resume(
    connection: &mut PgConnection,
    papers: &PaperCache,
    learner: Uuid,
    paper_id: i64,
    device: Device,
    now: OffsetDateTime,
    rules: Rules,
) -> Result<Sitting, Error> {
    let resumed = resume_started(connection, papers, learner, paper_id, device, now, rules).await?;
    resumed.ok_or(Error::NotFound)
}

/// Starts the sitting of a paper. Returns the running sitting to its active device.
pub(crate) async fn start(
    connection: &mut PgConnection,
    papers: &PaperCache,
    learner: Uuid,
    paper_id: i64,
    device: Device,
    now: OffsetDateTime,
    rules: Rules,
) -> Result<Sitting, Error> {
    // Two tabs that start at the same time get one sitting.
    learner::lock(connection, learner).await?;
    let paper = sqlx::query!(
        "
        SELECT paper.exam_id, paper.minutes, exam.starts_at, exam.ends_at
        FROM paper
        JOIN exam ON exam.id = paper.exam_id
        WHERE paper.id = $1
        ",
        paper_id,
    )
    .fetch_optional(&mut *connection)
    .instrument(span("SELECT paper"))
    .await?
    .ok_or(Error::NotFound)?;
    let resumed = resume_started(connection, papers, learner, paper_id, device, now, rules).await?;
    if let Some(sitting) = resumed {
        return Ok(sitting);
    }
    if !seat::has_seat(connection, learner, paper.exam_id).await? {
        return Err(Error::NoSeat);
    }
    application::require_exam_step(connection, learner, paper.exam_id).await?;
    if now < paper.starts_at {
        return Err(Error::NotOpenYet);
    }
    if now >= paper.ends_at {
        return Err(Error::ExamEnded);
    }
    if let Some(running) = find_running(connection, learner, now).await? {
        return Err(Error::PaperRunning(running));
    }
    freeze(connection, paper_id, now).await?;
    let percent = extra_time::find_percent(connection, learner).await?;
    let limit = Duration::seconds(i64::from(paper.minutes) * 60 * i64::from(percent) / 100);
    // PostgreSQL stores microseconds, and every reply has the same deadline.
    let started_at = now.truncate_to_microsecond();
    let sitting = Sitting {
        id: Uuid::new_v4(),
        learner_id: learner,
        paper_id,
        started_at,
        deadline_at: paper.ends_at.min(started_at + limit),
        epoch: 1,
        device_id: device.id,
        away_seconds: 0,
        transcript: None,
    };
    insert(connection, &sitting).await?;
    device::observe(connection, &sitting, device, None, now).await?;
    Ok(sitting)
}

async fn resume_started(
    connection: &mut PgConnection,
    papers: &PaperCache,
    learner: Uuid,
    paper_id: i64,
    device: Device,
    now: OffsetDateTime,
    rules: Rules,
) -> Result<Option<Sitting>, Error> {
    let Some(id) = find_id(connection, learner, paper_id).await? else { return Ok(None) };
    let sitting = lock(connection, papers, learner, id, now, rules).await?;
    sitting.require_unsealed()?;
    sitting.require_active(device.id)?;
    device::observe(connection, &sitting, device, None, now).await?;
    Ok(Some(sitting))
}

/// Finds the learner's sitting of a paper.
async fn find_id(connection: &mut PgConnection, learner: Uuid, paper: i64) -> sqlx::Result<Option<Uuid>> {
    sqlx::query_scalar!("SELECT id FROM sitting WHERE learner_id = $1 AND paper_id = $2", learner, paper)
        .fetch_optional(connection)
        .instrument(span("SELECT sitting"))
        .await
}

/// Finds the learner's sitting that runs at `now`.
async fn find_running(
    connection: &mut PgConnection,
    learner: Uuid,
    now: OffsetDateTime,
) -> sqlx::Result<Option<Uuid>> {
    sqlx::query_scalar!(
        "SELECT id FROM sitting WHERE learner_id = $1 AND transcript IS NULL AND deadline_at > $2",
        learner,
        now,
    )
    .fetch_optional(connection)
    .instrument(span("SELECT sitting"))
    .await
}

/// Freezes a paper at its first sitting. No import changes it afterwards.
pub(super) async fn freeze(
    connection: &mut PgConnection,
    paper: i64,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!("UPDATE paper SET frozen_at = $2 WHERE id = $1 AND frozen_at IS NULL", paper, now)
        .execute(connection)
        .instrument(span("UPDATE paper"))
        .await?;
    Ok(())
}

async fn insert(connection: &mut PgConnection, sitting: &Sitting) -> sqlx::Result<()> {
    sqlx::query!(
        "
        INSERT INTO sitting (id, learner_id, paper_id, started_at, deadline_at, epoch, device_id, away_seconds)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
        ",
        sitting.id,
        sitting.learner_id,
        sitting.paper_id,
        sitting.started_at,
        sitting.deadline_at,
        sitting.epoch,
        sitting.device_id,
        sitting.away_seconds,
    )
    .execute(connection)
    .instrument(span("INSERT sitting"))
    .await?;
    Ok(())
}
