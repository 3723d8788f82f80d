//! Sittings: a learner's one try at a paper. `exam/v1/sitting.proto` documents the states and their
//! guards.

mod choice_order;
mod device;
mod device_clock;
pub(crate) mod export;
mod handed_in;
mod paper;
mod picture;
mod record;
mod save;
mod seal;
mod start;
mod transcript;

pub(crate) use choice_order::shuffle_choices;
pub(crate) use device::Device;
pub(crate) use handed_in::{HandedInPaper, add_handed_in};
pub(crate) use paper::{PaperCache, SittingPaper};
pub(crate) use picture::{check_picture, put_picture};
pub(crate) use record::{SittingRecord, list_records, list_seconds, number_devices};
pub(crate) use save::{Save, save};
pub(crate) use seal::{has_due, seal_due};
pub(crate) use start::{resume, start};
pub(crate) use transcript::{SealedBy, StoredTranscript, Transcript};

use kit_db::span;
use sqlx::PgConnection;
use time::{Duration, OffsetDateTime};
use tracing::Instrument as _;
use uuid::Uuid;

use crate::config::Rules;
use crate::error::Error;

/// The state of a stored sitting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SittingState {
    /// Before the deadline.
    Running,
    /// After the deadline. Answers that were given before it are still accepted.
    Grace,
    /// The transcript is stored.
    Sealed,
}

/// A sitting.
#[derive(Debug)]
pub(crate) struct Sitting {
    pub(crate) id: Uuid,
    pub(crate) learner_id: Uuid,
    pub(crate) paper_id: i64,
    pub(crate) started_at: OffsetDateTime,
    /// Never changes.
    pub(crate) deadline_at: OffsetDateTime,
    /// Increases by 1 with each take-over.
    pub(crate) epoch: i32,
    /// The active device.
    pub(crate) device_id: Uuid,
    /// Seconds out of focus.
    pub(crate) away_seconds: i32,
    /// `None` until the sitting is sealed.
    pub(crate) transcript: Option<StoredTranscript>,
}

impl Sitting {
    /// Returns the state at `now`.
    pub(crate) fn state(&self, now: OffsetDateTime) -> SittingState {
        if self.transcript.is_some() {
            SittingState::Sealed
        } else if now < self.deadline_at {
            SittingState::Running
        } else {
            SittingState::Grace
        }
    }

    fn is_due(&self, now: OffsetDateTime, grace: Duration) -> bool {
        self.transcript.is_none() && now >= self.deadline_at + grace
    }

    /// Fails if the sitting is sealed.
    fn require_unsealed(&self) -> Result<(), Error> {
        self.transcript.as_ref().map_or(Ok(()), |transcript| {
            Err(Error::HandedIn { sitting: self.id, digest: transcript.digest_text() })
        })
    }

    /// Fails if another device is active.
    fn require_active(&self, device: Uuid) -> Result<(), Error> {
        if self.device_id == device { Ok(()) } else { Err(Error::OtherDevice(self.id)) }
    }
}

/// A row of `sitting`.
struct Row {
    id: Uuid,
    learner_id: Uuid,
    paper_id: i64,
    started_at: OffsetDateTime,
    deadline_at: OffsetDateTime,
    epoch: i32,
    device_id: Uuid,
    away_seconds: i32,
    transcript: Option<Vec<u8>>,
    digest: Option<Vec<u8>>,
}

impl From<Row> for Sitting {
    fn from(row: Row) -> Self {
        let transcript = row.transcript.zip(row.digest);
        Self {
            id: row.id,
            learner_id: row.learner_id,
            paper_id: row.paper_id,
            started_at: row.started_at,
            deadline_at: row.deadline_at,
            epoch: row.epoch,
            device_id: row.device_id,
            away_seconds: row.away_seconds,
            transcript: transcript.map(|(document, digest)| StoredTranscript { document, digest }),
        }
    }
}

/// Finds the learner's sitting. Seals it if its grace is over.
pub(crate) async fn find(
    connection: &mut PgConnection,
    papers: &PaperCache,
    learner: Uuid,
    id: Uuid,
    now: OffsetDateTime,
    rules: Rules,
) -> Result<Sitting, Error> {
    let row = sqlx::query_as!(
        Row,
        "
        SELECT
            id, learner_id, paper_id, started_at, deadline_at, epoch, device_id, away_seconds, transcript, digest
        FROM sitting
        WHERE id = $1 AND learner_id = $2
        ",
        id,
        learner,
    )
    .fetch_optional(&mut *connection)
    .instrument(span("SELECT sitting"))
    .await?;
    let sitting = Sitting::from(row.ok_or(Error::NotFound)?);
    if sitting.is_due(now, rules.grace) {
        return lock(connection, papers, learner, id, now, rules).await;
    }
    Ok(sitting)
}

/// Finds the learner's sitting and locks it until the transaction ends. Seals it if its grace is
/// over.
async fn lock(
    connection: &mut PgConnection,
    papers: &PaperCache,
    learner: Uuid,
    id: Uuid,
    now: OffsetDateTime,
    rules: Rules,
) -> Result<Sitting, Error> {
    let row = sqlx::query_as!(
        Row,
        "
        SELECT
            id, learner_id, paper_id, started_at, deadline_at, epoch, device_id, away_seconds, transcript, digest
        FROM sitting
        WHERE id = $1 AND learner_id = $2
        FOR UPDATE
        ",
        id,
        learner,
    )
    .fetch_optional(&mut *connection)
    .instrument(span("SELECT sitting"))
    .await?;
    let sitting = Sitting::from(row.ok_or(Error::NotFound)?);
    if sitting.is_due(now, rules.grace) {
        return seal::seal(connection, papers, sitting, now).await;
    }
    Ok(sitting)
}

/// Makes a device the active one, in a new epoch. Changes nothing for the active device.
pub(crate) async fn take_over(
    connection: &mut PgConnection,
    papers: &PaperCache,
    learner: Uuid,
    id: Uuid,
    device: Device,
    now: OffsetDateTime,
    rules: Rules,
) -> Result<Sitting, Error> {
    let mut sitting = lock(connection, papers, learner, id, now, rules).await?;
    sitting.require_unsealed()?;
    if sitting.device_id != device.id {
        record::add_device(connection, &sitting, device.id, now).await?;
        sitting.epoch += 1;
        sitting.device_id = device.id;
        sqlx::query!(
            "UPDATE sitting SET epoch = $2, device_id = $3 WHERE id = $1",
            id,
            sitting.epoch,
            device.id,
        )
        .execute(&mut *connection)
        .instrument(span("UPDATE sitting"))
        .await?;
    }
    device::observe(connection, &sitting, device, None, now).await?;
    Ok(sitting)
}

/// Seals a sitting for its active device in the current epoch. A sealed sitting is returned
/// unchanged.
pub(crate) async fn hand_in(
    connection: &mut PgConnection,
    papers: &PaperCache,
    learner: Uuid,
    id: Uuid,
    (device, epoch): (Uuid, i32),
    now: OffsetDateTime,
    rules: Rules,
) -> Result<Sitting, Error> {
    let sitting = lock(connection, papers, learner, id, now, rules).await?;
    if sitting.transcript.is_some() {
        return Ok(sitting);
    }
    sitting.require_active(device)?;
    if epoch != sitting.epoch {
        return Err(Error::OtherDevice(id));
    }
    seal::seal(connection, papers, sitting, now).await
}

/// Deletes the learner's sittings and all rows that belong to them.
pub(crate) async fn erase(connection: &mut PgConnection, learner: Uuid) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM sitting WHERE learner_id = $1", learner)
        .execute(connection)
        .instrument(span("DELETE sitting"))
        .await?;
    Ok(())
}
