//! The spans that the product sent last, kept in memory within bounds.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Serialize};

/// The oldest spans are forgotten beyond this many.
const MOST_SPANS: usize = 50_000;
/// Attributes beyond this many of a span are dropped.
const MOST_ATTRIBUTES: usize = 32;
/// Names and values are cut after this many characters.
const LONGEST: usize = 256;

/// A span as `cargo dev trace` needs it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Span {
    /// 32 hexadecimal digits.
    pub trace_id: String,
    /// 16 hexadecimal digits.
    pub id: String,
    /// The span above; empty at the top.
    pub parent_id: String,
    /// Which process.
    pub service: String,
    /// What it did.
    pub name: String,
    /// `SERVER`, `CLIENT`, …; empty for work within a process.
    pub kind: String,
    /// Nanoseconds since 1970.
    pub start: u64,
    /// Nanoseconds since 1970.
    pub end: u64,
    /// Whether it failed, by its own account.
    pub failed: bool,
    /// Name and value.
    pub attributes: Vec<(String, String)>,
}

impl Span {
    /// The same within our bounds.
    fn bounded(mut self) -> Self {
        self.attributes.truncate(MOST_ATTRIBUTES);
        let texts = self.attributes.iter_mut().flat_map(|(name, value)| [name, value]);
        for text in texts.chain([&mut self.service, &mut self.name]) {
            if let Some((end, _)) = text.char_indices().nth(LONGEST) {
                text.truncate(end);
            }
        }
        self
    }
}

/// The spans. Cheap to clone; every clone sees the same.
#[derive(Clone, Default)]
pub struct Spans(Arc<Mutex<Buffer>>);

#[derive(Default)]
struct Buffer {
    last: VecDeque<Span>,
    arrived: u64,
}

impl Spans {
    /// Keeps `spans`, and forgets as many of the oldest as it takes.
    pub fn add(&self, spans: impl IntoIterator<Item = Span>) {
        let mut buffer = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let before = buffer.last.len();
        buffer.last.extend(spans.into_iter().map(Span::bounded));
        buffer.arrived += (buffer.last.len() - before) as u64;
        let surplus = buffer.last.len().saturating_sub(MOST_SPANS);
        buffer.last.drain(..surplus);
    }

    /// How many there were, forgotten ones too.
    pub fn arrived(&self) -> u64 {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).arrived
    }

    /// Those of one trace, in order of their start.
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
    fn the_oldest_are_forgotten_and_the_rest_is_cut_to_size() {
        let spans = Spans::default();
        let span = |trace: usize| Span {
            trace_id: trace.to_string(),
            name: "あ".repeat(1000),
            attributes: vec![("a".into(), "b".into()); 100],
            ..Span::default()
        };
        spans.add((0..=MOST_SPANS).map(span));
        assert!(spans.find_trace("0").is_empty());
        let buffer = spans.find_trace("1");
        assert_eq!(buffer[0].name.chars().count(), LONGEST);
        assert_eq!(buffer[0].attributes.len(), MOST_ATTRIBUTES);
    }
}
