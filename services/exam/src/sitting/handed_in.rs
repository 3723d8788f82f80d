//! Sittings that are added as a whole: those of a demo's candidates.

use kit_db::span;
use sqlx::PgConnection;
use time::{Duration, OffsetDateTime};
use tracing::Instrument as _;
use uuid::Uuid;

use super::{SealedBy, Sitting, SittingPaper, StoredTranscript, Transcript, start};
use crate::answer::{self, Answer, Content, SavedAnswer, Version};
use crate::error::Error;
use crate::question::AnswerInput;

/// The share of a paper's time after which it is handed in.
const TIME_USED: f64 = 0.9;

/// A paper of one candidate.
pub(crate) struct HandedInPaper {
    pub(crate) learner: Uuid,
    pub(crate) started_at: OffsetDateTime,
    /// One for each question, in order; `None`: blank.
    pub(crate) answers: Vec<Option<AnswerInput>>,
    /// Whether the answers are stored for an export, too. The transcript always has them.
    pub(crate) is_exported: bool,
}

impl HandedInPaper {
    /// The sealed sitting and its answers, which are saved at equal intervals.
    fn into_sitting(
        self,
        paper_id: i64,
        paper: &SittingPaper,
    ) -> Result<(Sitting, StoredTranscript, Vec<SavedAnswer>), Error> {
        let time = Duration::minutes(paper.minutes.into());
        let sitting = Sitting {
            id: Uuid::new_v4(),
            learner_id: self.learner,
            paper_id,
            started_at: self.started_at,
            deadline_at: self.started_at + time,
            epoch: 1,
            device_id: self.learner,
            away_seconds: 0,
            transcript: None,
        };
        let time_used = time * TIME_USED;
        let count = i32::try_from(paper.questions.len()).unwrap_or(i32::MAX).max(1);
        let answers = paper.questions.iter().zip(self.answers).zip(1..).filter_map(
            |((question, answer), number): (_, i32)| {
                let content = Content::parse(question, Some(answer?), false)?;
                let version = Version { epoch: 1, sequence: number.into() };
                Some(SavedAnswer {
                    answer: Answer { question_id: question.id, version, content },
                    saved_at: self.started_at + time_used * number / count,
                })
            },
        );
        let answers: Vec<_> = answers.collect();
        let handed_in_at = self.started_at + time_used;
        let transcript = Transcript::new(&sitting, paper, &answers, SealedBy::Candidate, handed_in_at)?;
        Ok((sitting, StoredTranscript::write(&transcript)?, answers))
    }
}

/// Adds sealed sittings of a paper, which freezes it, and queues them for marking. Learners with a sitting keep theirs.
pub(crate) async fn add_handed_in(
    connection: &mut PgConnection,
    paper_id: i64,
    paper: &SittingPaper,
    handed_in: impl Iterator<Item = HandedInPaper>,
    now: OffsetDateTime,
) -> Result<(), Error> {
    let (mut sittings, mut documents, mut digests) = (Vec::new(), Vec::new(), Vec::new());
    let mut exported = Vec::new();
    for one in handed_in {
        let is_exported = one.is_exported;
        let (sitting, transcript, answers) = one.into_sitting(paper_id, paper)?;
        if is_exported {
            exported.push((sitting.id, answers));
        }
        documents.push(transcript.document);
        digests.push(transcript.digest);
        sittings.push(sitting);
    }
    if sittings.is_empty() {
        return Ok(());
    }
    start::freeze(connection, paper_id, now).await?;
    let added = sqlx::query_scalar!(
        r#"
        WITH added AS (
            INSERT INTO sitting (
                id, learner_id, paper_id, started_at, deadline_at, epoch, device_id, away_seconds, transcript, digest
            )
            SELECT id, learner_id, $1, started_at, deadline_at, 1, learner_id, 0, transcript, digest
            FROM unnest($2::uuid[], $3::uuid[], $4::timestamptz[], $5::timestamptz[], $6::bytea[], $7::bytea[])
                AS given (id, learner_id, started_at, deadline_at, transcript, digest)
            ON CONFLICT ON CONSTRAINT sitting_learner_paper_key DO NOTHING
            RETURNING id, paper_id
        )
        INSERT INTO marking_queue (sitting_id, paper_id) SELECT id, paper_id FROM added
        RETURNING sitting_id
        "#,
        paper_id,
        &sittings.iter().map(|sitting| sitting.id).collect::<Vec<_>>(),
        &sittings.iter().map(|sitting| sitting.learner_id).collect::<Vec<_>>(),
        &sittings.iter().map(|sitting| sitting.started_at).collect::<Vec<_>>(),
        &sittings.iter().map(|sitting| sitting.deadline_at).collect::<Vec<_>>(),
        &documents,
        &digests,
    )
    .fetch_all(&mut *connection)
    .instrument(span("INSERT sitting"))
    .await?;
    for (sitting, answers) in exported.iter().filter(|(sitting, _)| added.contains(sitting)) {
        for saved in answers {
            answer::store(connection, *sitting, std::slice::from_ref(&saved.answer), saved.saved_at).await?;
        }
    }
    Ok(())
}
