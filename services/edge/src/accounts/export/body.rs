//! The export as a streamed JSON body, which is never in memory as a whole.

use axum::body::Body;
use bytes::Bytes;
use futures_util::stream;
use proto::{commerce, desk, lms};
use serde::Serialize;
use tonic::Streaming;

use super::Export;
use super::learning::{ExportedAnswer, ExportedResult};
use super::pictures::ExportedQuestionPicture;
use crate::answer::serialization_error;
use crate::commerce::export::ExportedOrder;
use crate::error::Error;
use crate::lms::notes::Note;

/// JSON before each streamed list, in the order of the fields.
const BEFORE: [&str; 5] =
    ["\"notes\":[", "],\"results\":[", "],\"answers\":[", "]},\"orders\":[", "],\"question_pictures\":["];
const END: &str = "]}";

/// The sources of the streamed lists.
pub(super) struct Parts {
    /// `None` after the last part.
    pub(super) learning: Option<Streaming<lms::ExportLearnerInPartsResponse>>,
    /// `None` after the last part.
    pub(super) purchases: Option<Streaming<commerce::ExportPurchasesResponse>>,
    pub(super) pictures: Streaming<desk::ExportQuestionPicturesResponse>,
}

/// Streams `export`, whose last five lists are empty, and fills these lists from `parts`. If `parts` fail, the body is
/// aborted, so the client does not take it for complete.
pub(super) fn stream_body(export: &Export, parts: Parts) -> Result<Body, Error> {
    let text = serde_json::to_string(export).map_err(|error| serialization_error(&error))?;
    let empty = BEFORE.concat() + END;
    let head = text.strip_suffix(&empty).ok_or_else(|| {
        tracing::error!("the JSON of an export does not end with its streamed lists");
        Error::Internal
    })?;
    let lists = Lists { written: head.to_owned(), list: 0, is_empty: true };
    Ok(Body::from_stream(stream::try_unfold((lists, Some(parts)), async |(mut lists, mut open)| {
        let Some(parts) = &mut open else { return Ok::<_, Error>(None) };
        if !lists.add_part(parts).await? {
            open = None;
        }
        let written = Bytes::from(std::mem::take(&mut lists.written));
        Ok(Some((written, (lists, open))))
    })))
}

/// Writer of the streamed lists.
struct Lists {
    /// JSON that is not sent yet.
    written: String,
    /// Number of lists begun.
    list: usize,
    /// Whether the current list has no element yet.
    is_empty: bool,
}

impl Lists {
    /// Appends the next part. Returns `false` if there is none and the body ends.
    async fn add_part(&mut self, parts: &mut Parts) -> Result<bool, Error> {
        if let Some(learning) = &mut parts.learning {
            match learning.message().await? {
                Some(message) => {
                    let part = message.part.unwrap_or_default();
                    self.add(0, part.notes, Note::new)?;
                    self.add(1, part.results, ExportedResult::new)?;
                    self.add(2, part.answers, ExportedAnswer::new)?;
                }
                None => parts.learning = None,
            }
            return Ok(true);
        }
        if let Some(purchases) = &mut parts.purchases {
            match purchases.message().await? {
                Some(part) => self.add(3, part.orders, ExportedOrder::new)?,
                None => parts.purchases = None,
            }
            return Ok(true);
        }
        let Some(picture) = parts.pictures.message().await? else {
            self.begin(BEFORE.len());
            self.written.push_str(END);
            return Ok(false);
        };
        self.add(4, vec![picture], |picture| Ok(ExportedQuestionPicture::new(picture)))?;
        Ok(true)
    }

    /// Begins lists until `count` are begun.
    fn begin(&mut self, count: usize) {
        for before in BEFORE.iter().take(count).skip(self.list) {
            self.written.push_str(before);
            self.is_empty = true;
        }
        self.list = self.list.max(count);
    }

    /// Appends elements to the list with this number.
    fn add<From, To: Serialize>(
        &mut self,
        list: usize,
        elements: Vec<From>,
        new: impl Fn(From) -> Result<To, Error>,
    ) -> Result<(), Error> {
        if elements.is_empty() {
            return Ok(());
        }
        self.begin(list + 1);
        if self.list != list + 1 {
            tracing::error!("the parts of an export arrived out of order");
            return Err(Error::Internal);
        }
        for element in elements {
            if !std::mem::take(&mut self.is_empty) {
                self.written.push(',');
            }
            let element =
                serde_json::to_string(&new(element)?).map_err(|error| serialization_error(&error))?;
            self.written.push_str(&element);
        }
        Ok(())
    }
}
