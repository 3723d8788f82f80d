//! Saving answers.

use std::collections::BTreeMap;

use kit::error::FieldError;
use kit_db::span;
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::Instrument as _;
use uuid::Uuid;

use super::device_clock::is_in_time;
use super::{Device, PaperCache, SittingState, device, lock, record};
use crate::answer::{self, Acknowledgement, AnswerToSave, Refusal, RefusalCode};
use crate::answer_picture;
use crate::config::Rules;
use crate::error::Error;
use crate::question::AnswerInput;

/// A message with answers.
#[derive(Debug)]
pub(crate) struct Save {
    pub(crate) sitting: Uuid,
    pub(crate) device: Device,
    /// The epoch in which the answers were given.
    pub(crate) epoch: i32,
    /// The number of answers that stay on the device.
    pub(crate) pending: i32,
    /// `answered_at` is by the device's clock.
    pub(crate) answers: Vec<AnswerToSave>,
    /// Seconds out of focus since the start.
    pub(crate) away_seconds: i32,
    /// Seconds that questions were on the screen and in focus since the start.
    pub(crate) question_seconds: BTreeMap<i64, i32>,
}

/// The outcome of a save.
#[derive(Debug)]
pub(crate) struct SaveReport {
    pub(crate) deadline_at: OffsetDateTime,
    pub(crate) state: SittingState,
    pub(crate) acknowledged: Vec<Acknowledgement>,
    pub(crate) refused: Vec<Refusal>,
}

/// Stores the answers of a message.
///
/// Answers of a device that was taken over are stored where the newer epoch has none. The call then
/// fails with [`Error::OtherDevice`], and the stored answers are committed.
pub(crate) async fn save(
    connection: &mut PgConnection,
    papers: &PaperCache,
    learner: Uuid,
    mut save: Save,
    now: OffsetDateTime,
    rules: Rules,
) -> Result<SaveReport, Error> {
    let sitting = lock(connection, papers, learner, save.sitting, now, rules).await?;
    sitting.require_unsealed()?;
    if !(1..=sitting.epoch).contains(&save.epoch) {
        return Err(Error::Field(FieldError::new("epoch", "OUT_OF_RANGE")));
    }
    let active = sitting.require_active(save.device.id);
    if save.epoch == sitting.epoch {
        // Only the active device writes into the current epoch.
        active?;
    }
    let clock = device::observe(connection, &sitting, save.device, Some(save.pending), now).await?;
    for answer in &mut save.answers {
        answer.answered_at = clock.correct(answer.answered_at, sitting.started_at, now);
    }
    let state = sitting.state(now);
    let paper = papers.find(connection, sitting.paper_id).await?;
    let ids: Vec<_> = save.answers.iter().map(|answer| answer.question_id).collect();
    let stored = answer::list_by_questions(connection, sitting.id, &ids).await?;
    let (answers, without_picture) = drop_missing_pictures(connection, sitting.id, save.answers).await?;
    let mut merge = answer::merge(&paper.questions, stored, save.epoch, answers, |answered_at| {
        state == SittingState::Running || is_in_time(answered_at, sitting.deadline_at)
    });
    merge.refused.extend(without_picture);
    answer::store(connection, sitting.id, &merge.to_store, now).await?;
    answer::store_late(connection, sitting.id, &merge.late, now).await?;
    sitting.require_active(save.device.id)?;
    if save.away_seconds > sitting.away_seconds {
        sqlx::query!("UPDATE sitting SET away_seconds = $2 WHERE id = $1", sitting.id, save.away_seconds)
            .execute(&mut *connection)
            .instrument(span("UPDATE sitting"))
            .await?;
    }
    record::store_seconds(connection, papers, &sitting, &save.question_seconds).await?;
    Ok(SaveReport {
        deadline_at: sitting.deadline_at,
        state,
        acknowledged: merge.acknowledged,
        refused: merge.refused,
    })
}

/// Separates answers whose picture is not stored. They are refused.
async fn drop_missing_pictures(
    connection: &mut PgConnection,
    sitting: Uuid,
    answers: Vec<AnswerToSave>,
) -> sqlx::Result<(Vec<AnswerToSave>, Vec<Refusal>)> {
    let (mut kept, mut refused) = (Vec::new(), Vec::new());
    for answer in answers {
        let (question_id, sequence) = (answer.question_id, answer.sequence);
        let is_stored = match &answer.answer {
            Some(AnswerInput::Picture(name)) => match answer_picture::parse_name(name) {
                Some(digest) => answer_picture::exists(connection, sitting, question_id, &digest).await?,
                None => false,
            },
            _ => true,
        };
        if is_stored {
            kept.push(answer);
        } else {
            refused.push(Refusal { question_id, sequence, code: RefusalCode::Invalid });
        }
    }
    Ok((kept, refused))
}
