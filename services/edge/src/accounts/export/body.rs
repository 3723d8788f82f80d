//! The export as a streamed JSON body. It is never in memory as a whole.

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

/// The lists that are written as they come, in the order of their fields, with what stands before each; and the end.
const BEFORE: [&str; 3] = ["\"notes\":[", "],\"results\":[", "],\"answers\":["];
const END: &str = "]}}";

/// The body of `export`, whose last three lists are empty, with those lists as `parts` bring them. Where `parts` fail the
/// body breaks off, so nobody takes a piece for the whole.
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

/// The lists as far as they are written.
struct Lists {
    /// What is not sent yet.
    written: String,
    /// How many lists have begun.
    list: usize,
    /// Whether the one that began last has no element yet.
    is_empty: bool,
    /// `None` once all has come.
    parts: Option<Streaming<lms::ExportLearnerInPartsResponse>>,
}

impl Lists {
    /// Begins lists until so many have.
    fn begin(&mut self, count: usize) {
        for before in BEFORE.iter().take(count).skip(self.list) {
            self.written.push_str(before);
            self.is_empty = true;
        }
        self.list = self.list.max(count);
    }

    /// Adds to the list of this number.
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
