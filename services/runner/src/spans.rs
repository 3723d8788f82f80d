//! The latest spans of the product, kept in memory with a limit.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Serialize};

/// Maximum number of spans; the oldest are dropped.
const SPANS_LIMIT: usize = 50_000;
/// Maximum number of attributes of a span; further ones are dropped.
const ATTRIBUTES_LIMIT: usize = 32;
/// Maximum length of names and values, in characters; longer ones are cut.
const TEXT_LIMIT: usize = 256;

/// A span as `cargo dev trace` needs it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Span {
    /// 32 hexadecimal digits.
    pub trace_id: String,
    /// 16 hexadecimal digits.
    pub id: String,
    /// Id of the parent span; empty for a root span.
    pub parent_id: String,
    /// Name of the process's service.
    pub service: String,
    /// Name of the span.
    pub name: String,
    /// `SERVER`, `CLIENT`, …; empty for internal spans.
    pub kind: String,
    /// Nanoseconds since 1970.
    pub start: u64,
    /// Nanoseconds since 1970.
    pub end: u64,
    /// Whether its status is an error.
    pub failed: bool,
    /// Names and values.
    pub attributes: Vec<(String, String)>,
}

impl Span {
    /// Cuts the span to the limits.
    fn bounded(mut self) -> Self {
        self.attributes.truncate(ATTRIBUTES_LIMIT);
        let texts = self.attributes.iter_mut().flat_map(|(name, value)| [name, value]);
        for text in texts.chain([&mut self.service, &mut self.name]) {
            if let Some((end, _)) = text.char_indices().nth(TEXT_LIMIT) {
                text.truncate(end);
            }
        }
        self
    }
}

/// The spans. Cheap to clone; clones share the state.
#[derive(Clone, Default)]
pub struct Spans(Arc<Mutex<Buffer>>);

#[derive(Default)]
struct Buffer {
    last: VecDeque<Span>,
    arrived: u64,
}

impl Spans {
    /// Adds `spans` and drops the oldest beyond the limit.
    pub fn add(&self, spans: impl IntoIterator<Item = Span>) {
        let mut buffer = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let before = buffer.last.len();
        buffer.last.extend(spans.into_iter().map(Span::bounded));
        buffer.arrived += (buffer.last.len() - before) as u64;
        let surplus = buffer.last.len().saturating_sub(SPANS_LIMIT);
        buffer.last.drain(..surplus);
    }

    /// Number of spans received, including dropped ones.
    pub fn arrived(&self) -> u64 {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).arrived
    }

    /// The spans of a trace, by start time.
    pub fn find_trace(&self, trace_id: &str) -> Vec<Span> {
        let buffer = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut spans: Vec<Span> =
            buffer.last.iter().filter(|span| span.trace_id == trace_id).cloned().collect();
        spans.sort_by_key(|span| span.start);
        spans
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_spans_are_dropped_and_long_texts_are_cut() {
        let spans = Spans::default();
        let span = |trace: usize| Span {
            trace_id: trace.to_string(),
            name: "あ".repeat(1000),
            attributes: vec![("a".into(), "b".into()); 100],
            ..Span::default()
        };
        spans.add((0..=SPANS_LIMIT).map(span));
        assert!(spans.find_trace("0").is_empty());
        let buffer = spans.find_trace("1");
        assert_eq!(buffer[0].name.chars().count(), TEXT_LIMIT);
        assert_eq!(buffer[0].attributes.len(), ATTRIBUTES_LIMIT);
    }
}
