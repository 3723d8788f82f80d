//! Transcripts: the handed-in answers, as bytes that never change.

use aws_lc_rs::digest::{SHA256, digest};
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use uuid::Uuid;

use super::{Sitting, SittingPaper};
use crate::answer::SavedAnswer;
use crate::error::Error;
use crate::question::AnswerValue;

/// The version of the layout. A change of the fields needs a new version.
const VERSION: u32 = 1;

/// How a sitting was sealed.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum SealedBy {
    /// Handed in before the deadline.
    Candidate,
    /// Sealed after the deadline.
    Deadline,
}

/// The handed-in answers of a sitting.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct Transcript {
    version: u32,
    sitting_id: Uuid,
    exam_id: i64,
    pub(crate) exam: String,
    paper_id: i64,
    pub(crate) subject: String,
    #[serde(with = "time::serde::rfc3339")]
    pub(crate) started_at: OffsetDateTime,
    #[serde(with = "time::serde::rfc3339")]
    deadline_at: OffsetDateTime,
    #[serde(with = "time::serde::rfc3339")]
    pub(crate) handed_in_at: OffsetDateTime,
    pub(crate) sealed_by: SealedBy,
    /// One for each question, in order.
    pub(crate) answers: Vec<TranscriptAnswer>,
}

/// The answer to one question.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct TranscriptAnswer {
    pub(crate) question_id: i64,
    pub(crate) number: i32,
    /// `None` for a blank answer.
    pub(crate) answer: Option<AnswerValue>,
    /// `None` if the answer was never saved.
    #[serde(with = "time::serde::rfc3339::option")]
    pub(crate) saved_at: Option<OffsetDateTime>,
    /// Hexadecimal. `None` if the answer was never saved.
    pub(crate) digest: Option<String>,
}

impl Transcript {
    /// Parses stored bytes.
    pub(crate) fn from_document(document: &[u8]) -> Result<Self, Error> {
        Ok(serde_json::from_slice(document)?)
    }

    /// Makes the transcript of a sitting with these stored answers.
    pub(super) fn new(
        sitting: &Sitting,
        paper: &SittingPaper,
        answers: &[SavedAnswer],
        sealed_by: SealedBy,
        handed_in_at: OffsetDateTime,
    ) -> Result<Self, Error> {
        let rows = paper.questions.iter().map(|question| {
            let saved = answers.iter().find(|saved| saved.answer.question_id == question.id);
            let text = saved.and_then(|saved| saved.answer.content.answer.as_deref());
            Ok(TranscriptAnswer {
                question_id: question.id,
                number: question.number,
                answer: text.map(serde_json::from_str).transpose()?,
                saved_at: saved.map(|saved| saved.saved_at),
                digest: saved.map(|saved| hex::encode(saved.answer.content.digest)),
            })
        });
        Ok(Self {
            version: VERSION,
            sitting_id: sitting.id,
            exam_id: paper.exam_id,
            exam: paper.exam_name.clone(),
            paper_id: sitting.paper_id,
            subject: paper.subject.clone(),
            started_at: sitting.started_at,
            deadline_at: sitting.deadline_at,
            handed_in_at,
            sealed_by,
            answers: rows.collect::<Result<_, Error>>()?,
        })
    }
}

/// A transcript as it is stored.
#[derive(Clone, Debug)]
pub(crate) struct StoredTranscript {
    /// JSON.
    pub(crate) document: Vec<u8>,
    /// SHA-256 of the document.
    pub(crate) digest: Vec<u8>,
}

impl StoredTranscript {
    /// Serializes a transcript.
    pub(super) fn write(transcript: &Transcript) -> Result<Self, Error> {
        let document = serde_json::to_vec(transcript)?;
        let digest = digest(&SHA256, &document).as_ref().to_vec();
        Ok(Self { document, digest })
    }

    /// Parses the transcript.
    pub(crate) fn parse_transcript(&self) -> Result<Transcript, Error> {
        Transcript::from_document(&self.document)
    }

    /// Returns the digest in hexadecimal.
    pub(crate) fn digest_text(&self) -> String {
        hex::encode(&self.digest)
    }
}
