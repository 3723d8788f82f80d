//! A learner's sittings and answers in the export of an account.

use std::collections::BTreeMap;

use kit_db::span;
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::Instrument as _;
use uuid::Uuid;

use super::record::{ActiveDevice, list_devices, list_seconds};
use crate::written_answer::{self, MarkHistory};

/// A sitting with its answers.
pub(crate) struct ExportedSitting {
    pub(crate) exam_name: String,
    pub(crate) subject: String,
    pub(crate) started_at: OffsetDateTime,
    pub(crate) answers: Vec<ExportedAnswer>,
    /// Seconds out of focus.
    pub(crate) away_seconds: i32,
    /// By time. Empty without a take-over.
    pub(crate) devices: Vec<ActiveDevice>,
    /// Seconds on the screen, by question.
    pub(crate) seconds: BTreeMap<i64, i32>,
}

/// A stored answer.
pub(crate) struct ExportedAnswer {
    pub(crate) question_id: i64,
    /// JSON. `None` for a blank answer.
    pub(crate) answer: Option<String>,
    pub(crate) saved_at: OffsetDateTime,
    /// Of a written answer with a final result.
    pub(crate) history: Option<MarkHistory>,
    /// The JPEG that the answer names.
    pub(crate) picture: Option<Vec<u8>>,
}

/// Lists the learner's sittings, oldest first.
pub(crate) async fn list_sittings(
    connection: &mut PgConnection,
    learner: Uuid,
) -> sqlx::Result<Vec<ExportedSitting>> {
    let rows = sqlx::query!(
        r#"
        SELECT
            sitting.id, exam.name, paper.subject, sitting.started_at, sitting.away_seconds,
            answer.question_id AS "question_id?", answer.answer, answer.saved_at AS "saved_at?",
            answer_picture.jpeg AS "picture?"
        FROM sitting
        JOIN paper ON paper.id = sitting.paper_id
        JOIN exam ON exam.id = paper.exam_id
        LEFT JOIN answer ON answer.sitting_id = sitting.id
        LEFT JOIN answer_picture
            ON answer_picture.sitting_id = answer.sitting_id AND answer_picture.question_id = answer.question_id
            AND encode(answer_picture.digest, 'hex') = answer.answer::jsonb ->> 'picture'
        WHERE sitting.learner_id = $1
        ORDER BY sitting.started_at, sitting.id, answer.question_id
        "#,
        learner,
    )
    .fetch_all(&mut *connection)
    .instrument(span("SELECT sitting"))
    .await?;
    let mut sittings: Vec<(Uuid, ExportedSitting)> = Vec::new();
    for row in rows {
        if sittings.last().is_none_or(|(id, _)| *id != row.id) {
            let sitting = ExportedSitting {
                exam_name: row.name,
                subject: row.subject,
                started_at: row.started_at,
                answers: Vec::new(),
                away_seconds: row.away_seconds,
                devices: Vec::new(),
                seconds: BTreeMap::new(),
            };
            sittings.push((row.id, sitting));
        }
        if let (Some(question_id), Some(saved_at), Some((_, sitting))) =
            (row.question_id, row.saved_at, sittings.last_mut())
        {
            sitting.answers.push(ExportedAnswer {
                question_id,
                answer: row.answer,
                saved_at,
                history: None,
                picture: row.picture,
            });
        }
    }
    let ids: Vec<_> = sittings.iter().map(|(id, _)| *id).collect();
    let mut devices = list_devices(connection, &ids).await?;
    let mut seconds = list_seconds(connection, &ids).await?;
    let mut histories = written_answer::list_histories(connection, &ids).await?;
    for (id, sitting) in &mut sittings {
        sitting.devices = devices.remove(id).unwrap_or_default();
        sitting.seconds = seconds.remove(id).unwrap_or_default();
        for answer in &mut sitting.answers {
            answer.history = histories.remove(&(*id, answer.question_id));
        }
    }
    Ok(sittings.into_iter().map(|(_, sitting)| sitting).collect())
}
