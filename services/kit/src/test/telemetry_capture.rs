//! Captures spans and log lines.

use std::io;
use std::sync::{Arc, Mutex};

use opentelemetry_sdk::error::OTelSdkResult;
use opentelemetry_sdk::trace::{SdkTracerProvider, SpanData, SpanExporter};
use serde_json::Value;
use tracing::subscriber::DefaultGuard;
use tracing_subscriber::EnvFilter;

use crate::telemetry;

/// Captures the spans and log lines of the current thread until it is dropped. A `#[tokio::test]` runs its servers on
/// the same thread.
pub struct TelemetryCapture {
    spans: Spans,
    lines: Lines,
    _guard: DefaultGuard,
}

impl TelemetryCapture {
    /// Starts capturing. Log lines pass `filter`, in the syntax of `LOG`.
    #[must_use]
    pub fn start(filter: &str) -> Self {
        let spans = Spans::default();
        let provider = SdkTracerProvider::builder().with_simple_exporter(spans.clone()).build();
        let lines = Lines::default();
        let filter = EnvFilter::try_new(filter).expect("the filter is valid");
        let writer = lines.clone();
        let subscriber = telemetry::subscriber("test", &provider, filter, move || writer.clone());
        Self { spans, lines, _guard: tracing::subscriber::set_default(subscriber) }
    }

    /// The ended spans, in the order of their ends.
    #[must_use]
    pub fn spans(&self) -> Vec<SpanData> {
        self.spans.0.lock().expect("the lock is not poisoned").clone()
    }

    /// The log lines.
    #[must_use]
    pub fn lines(&self) -> Vec<Value> {
        let text = self.lines.0.lock().expect("the lock is not poisoned").clone();
        let text = String::from_utf8(text).expect("lines are UTF-8");
        text.lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect()
    }
}

#[derive(Clone, Debug, Default)]
struct Spans(Arc<Mutex<Vec<SpanData>>>);

impl SpanExporter for Spans {
    async fn export(&self, batch: Vec<SpanData>) -> OTelSdkResult {
        self.0.lock().expect("the lock is not poisoned").extend(batch);
        Ok(())
    }
}

#[derive(Clone, Default)]
struct Lines(Arc<Mutex<Vec<u8>>>);

impl io::Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("the lock is not poisoned").extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
