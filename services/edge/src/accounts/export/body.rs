//! The export as a streamed JSON body, which is never in memory as a whole.

use axum::body::Body;
use bytes::Bytes;
use futures_util::stream;
use proto::lms;
use serde::Serialize;
use tonic::Streaming;

use super::Export;
use super::learning::{ExportedAnswer, ExportedResult};
use crate::answer::unwritten;
use crate::error::Error;
use crate::lms::notes::Note;

/// JSON before each streamed list, in the order of the fields.
const BEFORE: [&str; 3] = ["\"notes\":[", "],\"results\":[", "],\"answers\":["];
const END: &str = "]}}";

/// Streams `export`, whose last three lists are empty, and fills these lists from `parts`. If `parts` fails,
/// the body is aborted, so the client does not take it for complete.
pub(super) fn stream_body(
    export: &Export,
    parts: Streaming<lms::ExportLearnerInPartsResponse>,
) -> Result<Body, Error> {
    let text = serde_json::to_string(export).map_err(|error| unwritten(&error))?;
    let empty = BEFORE.concat() + END;
    let head = text.strip_suffix(&empty).ok_or_else(|| {
        tracing::error!("an export does not end with the lists that are written as they come");
        Error::Internal
    })?;
    let lists = Lists { written: head.to_owned(), list: 0, is_empty: true, parts: Some(parts) };
    Ok(Body::from_stream(stream::try_unfold(lists, async |mut lists: Lists| {
        let Some(parts) = &mut lists.parts else { return Ok::<_, Error>(None) };
        if let Some(message) = parts.message().await? {
            let part = message.part.unwrap_or_default();
            lists.add(0, part.notes, Note::new)?;
            lists.add(1, part.results, ExportedResult::new)?;
            lists.add(2, part.answers, ExportedAnswer::new)?;
        } else {
            lists.begin(BEFORE.len());
            lists.written.push_str(END);
            lists.parts = None;
        }
        let written = Bytes::from(std::mem::take(&mut lists.written));
        Ok(Some((written, lists)))
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
    /// `None` after the last part.
    parts: Option<Streaming<lms::ExportLearnerInPartsResponse>>,
}

impl Lists {
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
            tracing::error!("a part of an export came out of order");
            return Err(Error::Internal);
        }
        for element in elements {
            if !std::mem::take(&mut self.is_empty) {
                self.written.push(',');
            }
            let element = serde_json::to_string(&new(element)?).map_err(|error| unwritten(&error))?;
            self.written.push_str(&element);
        }
        Ok(())
    }
}
