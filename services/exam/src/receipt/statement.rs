//! The statement of a receipt, as bytes.

use time::OffsetDateTime;

use crate::error::Error;
use crate::receipt_keys::KeyId;
use crate::sitting::{SealedBy, StoredTranscript, Transcript};

/// The first bytes of every receipt: a magic number and the version of the layout.
const MARK: &[u8; 4] = b"KNR\x01";

/// The statement of a receipt: a transcript without its answers.
pub(super) struct Statement {
    transcript: Transcript,
    /// SHA-256 of the stored transcript.
    digest: Vec<u8>,
}

impl Statement {
    /// Makes the statement of a stored transcript.
    pub(super) fn new(stored: &StoredTranscript) -> Result<Self, Error> {
        Ok(Self { transcript: stored.parse_transcript()?, digest: stored.digest.clone() })
    }

    /// Serializes the statement for a signature with this key.
    pub(super) fn write(&self, key: KeyId) -> Result<Vec<u8>, Error> {
        let Self { transcript, digest } = self;
        let mut bytes = MARK.to_vec();
        bytes.extend(key);
        bytes.push(match transcript.sealed_by {
            SealedBy::Candidate => 1,
            SealedBy::Deadline => 2,
        });
        for time in [transcript.started_at, transcript.handed_in_at] {
            bytes.extend(to_milliseconds(time).to_be_bytes());
        }
        bytes.extend(digest);
        for text in [&transcript.exam, &transcript.subject] {
            bytes.extend(convert_number::<_, u16>(text.len())?.to_be_bytes());
            bytes.extend(text.as_bytes());
        }
        bytes.push(convert_number(transcript.answers.len())?);
        for answer in &transcript.answers {
            let (Some(saved_at), Some(digest)) = (answer.saved_at, &answer.digest) else {
                bytes.push(0);
                continue;
            };
            bytes.push(if answer.answer.is_some() { 2 } else { 1 });
            let since_start = to_milliseconds(saved_at) - to_milliseconds(transcript.started_at);
            bytes.extend(convert_number::<_, u32>(since_start)?.to_be_bytes());
            bytes.extend(hex::decode(digest).map_err(|_| Error::Receipt)?);
        }
        Ok(bytes)
    }
}

fn convert_number<From, To: TryFrom<From>>(number: From) -> Result<To, Error> {
    number.try_into().map_err(|_| Error::Receipt)
}

/// Milliseconds since 1970.
fn to_milliseconds(time: OffsetDateTime) -> i64 {
    time.unix_timestamp() * 1_000 + i64::from(time.millisecond())
}

#[cfg(test)]
mod tests;
