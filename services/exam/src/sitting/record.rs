//! What is recorded about how a paper was sat. The learner sees it with the result; nothing is
//! decided by it.

use std::collections::{BTreeMap, HashMap};

use kit_db::span;
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::Instrument as _;
use uuid::Uuid;

use super::{PaperCache, Sitting, Transcript};
use crate::error::Error;

/// The record of a sealed sitting.
#[derive(Debug)]
pub(crate) struct SittingRecord {
    pub(crate) started_at: OffsetDateTime,
    pub(crate) handed_in_at: OffsetDateTime,
    /// Seconds out of focus.
    pub(crate) away_seconds: i32,
    /// One for each epoch. Empty for a sitting on one device.
    pub(crate) devices: Vec<ActiveDevice>,
    /// One for each question, in order.
    pub(crate) questions: Vec<QuestionRecord>,
}

/// A device that was active from a time on.
#[derive(Debug)]
pub(crate) struct ActiveDevice {
    pub(crate) id: Uuid,
    pub(crate) since: OffsetDateTime,
}

/// The record of one question.
#[derive(Debug)]
pub(crate) struct QuestionRecord {
    pub(crate) number: i32,
    /// When the handed-in answer was saved. `None` if it was never saved.
    pub(crate) saved_at: Option<OffsetDateTime>,
    /// Seconds on the screen and in focus. `None` if no device reported them.
    pub(crate) seconds: Option<i32>,
}

/// Numbers devices from 1, in the order of their first use.
pub(crate) fn number_devices(devices: &[ActiveDevice]) -> Vec<(i32, OffsetDateTime)> {
    let mut known: Vec<Uuid> = Vec::new();
    let numbered = devices.iter().map(|device| {
        let index = known.iter().position(|id| *id == device.id).unwrap_or_else(|| {
            known.push(device.id);
            known.len() - 1
        });
        (i32::try_from(index).unwrap_or(i32::MAX).saturating_add(1), device.since)
    });
    numbered.collect()
}

/// Lists the records of the learner's sealed sittings in an exam, by paper.
pub(crate) async fn list_records(
    connection: &mut PgConnection,
    learner: Uuid,
    exam: i64,
) -> Result<BTreeMap<i64, SittingRecord>, Error> {
    let rows = sqlx::query!(
        r#"
        SELECT sitting.id, paper_id, away_seconds, transcript AS "transcript!"
        FROM sitting
        JOIN paper ON paper.id = paper_id
        WHERE learner_id = $1 AND exam_id = $2 AND transcript IS NOT NULL
        "#,
        learner,
        exam,
    )
    .fetch_all(&mut *connection)
    .instrument(span("SELECT sitting"))
    .await?;
    let ids: Vec<_> = rows.iter().map(|row| row.id).collect();
    let mut devices = list_devices(connection, &ids).await?;
    let mut seconds = list_seconds(connection, &ids).await?;
    let records = rows.into_iter().map(|row| {
        let transcript = Transcript::from_document(&row.transcript)?;
        let seconds = seconds.remove(&row.id).unwrap_or_default();
        let questions = transcript.answers.iter().map(|answer| QuestionRecord {
            number: answer.number,
            saved_at: answer.saved_at,
            seconds: seconds.get(&answer.question_id).copied(),
        });
        let record = SittingRecord {
            started_at: transcript.started_at,
            handed_in_at: transcript.handed_in_at,
            away_seconds: row.away_seconds,
            devices: devices.remove(&row.id).unwrap_or_default(),
            questions: questions.collect(),
        };
        Ok((row.paper_id, record))
    });
    records.collect()
}

/// Lists the active devices of sittings, each by epoch.
pub(crate) async fn list_devices(
    connection: &mut PgConnection,
    sittings: &[Uuid],
) -> sqlx::Result<HashMap<Uuid, Vec<ActiveDevice>>> {
    let rows = sqlx::query!(
        "
        SELECT sitting_id, device_id, active_since
        FROM active_device
        WHERE sitting_id = ANY ($1)
        ORDER BY sitting_id, epoch
        ",
        sittings,
    )
    .fetch_all(connection)
    .instrument(span("SELECT active_device"))
    .await?;
    let mut devices: HashMap<Uuid, Vec<ActiveDevice>> = HashMap::new();
    for row in rows {
        let device = ActiveDevice { id: row.device_id, since: row.active_since };
        devices.entry(row.sitting_id).or_default().push(device);
    }
    Ok(devices)
}

/// Lists the seconds of the questions of sittings, by sitting and question.
pub(crate) async fn list_seconds(
    connection: &mut PgConnection,
    sittings: &[Uuid],
) -> sqlx::Result<HashMap<Uuid, BTreeMap<i64, i32>>> {
    let rows = sqlx::query!(
        "SELECT sitting_id, question_id, seconds FROM question_time WHERE sitting_id = ANY ($1)",
        sittings,
    )
    .fetch_all(connection)
    .instrument(span("SELECT question_time"))
    .await?;
    let mut seconds: HashMap<Uuid, BTreeMap<i64, i32>> = HashMap::new();
    for row in rows {
        seconds.entry(row.sitting_id).or_default().insert(row.question_id, row.seconds);
    }
    Ok(seconds)
}

/// Records that `device` takes over from the active device of a sitting, which the caller has
/// locked, in a new epoch. The first take-over also records the device that started.
pub(super) async fn add_device(
    connection: &mut PgConnection,
    sitting: &Sitting,
    device: Uuid,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    let mut devices = vec![(sitting.epoch + 1, device, now)];
    if sitting.epoch == 1 {
        devices.push((1, sitting.device_id, sitting.started_at));
    }
    sqlx::query!(
        "
        INSERT INTO active_device (sitting_id, epoch, device_id, active_since)
        SELECT $1, given.epoch, given.device_id, given.active_since
        FROM unnest($2::integer[], $3::uuid[], $4::timestamptz[]) AS given (epoch, device_id, active_since)
        ",
        sitting.id,
        &devices.iter().map(|device| device.0).collect::<Vec<_>>(),
        &devices.iter().map(|device| device.1).collect::<Vec<_>>(),
        &devices.iter().map(|device| device.2).collect::<Vec<_>>(),
    )
    .execute(connection)
    .instrument(span("INSERT active_device"))
    .await?;
    Ok(())
}

/// Stores the seconds of questions of the paper. For each question the highest value stays. Skips
/// questions of other papers.
pub(super) async fn store_seconds(
    connection: &mut PgConnection,
    papers: &PaperCache,
    sitting: &Sitting,
    seconds: &BTreeMap<i64, i32>,
) -> Result<(), Error> {
    if seconds.is_empty() {
        return Ok(());
    }
    let paper = papers.find(connection, sitting.paper_id).await?;
    let is_known = |id: i64| paper.questions.iter().any(|question| question.id == id);
    let (ids, seconds): (Vec<_>, Vec<_>) =
        seconds.iter().filter(|(id, seconds)| is_known(**id) && **seconds > 0).unzip();
    sqlx::query!(
        "
        INSERT INTO question_time (sitting_id, question_id, seconds)
        SELECT $1, given.question_id, given.seconds
        FROM unnest($2::bigint[], $3::integer[]) AS given (question_id, seconds)
        ON CONFLICT ON CONSTRAINT question_time_pkey DO UPDATE SET seconds = excluded.seconds
        WHERE question_time.seconds < excluded.seconds
        ",
        sitting.id,
        &ids,
        &seconds,
    )
    .execute(connection)
    .instrument(span("INSERT question_time"))
    .await?;
    Ok(())
}
