//! Logs as JSON lines with the trace id; spans to an OTLP receiver.

use std::fmt;
use std::str::Utf8Error;
use std::sync::OnceLock;
use std::time::Duration;

use opentelemetry::trace::{Link, SpanKind, TracerProvider as _};
use opentelemetry::{Context, KeyValue, global};
use opentelemetry_otlp::{SpanExporter, WithExportConfig as _};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::propagation::TraceContextPropagator;
use opentelemetry_sdk::trace::{
    IdGenerator as _, RandomIdGenerator, Sampler, SamplingDecision, SamplingResult, SdkTracerProvider,
    ShouldSample,
};
use serde::Serialize;
use time::format_description::well_known::Rfc3339;
use tracing::field::{Field, Visit};
use tracing::{Event, Level, Metadata, Span, Subscriber};
use tracing_subscriber::field::RecordFields;
use tracing_subscriber::filter::{FilterExt as _, LevelFilter, filter_fn};
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::{FmtContext, FormatEvent, FormatFields, MakeWriter};
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::registry::LookupSpan;
use tracing_subscriber::util::SubscriberInitExt as _;
use tracing_subscriber::{EnvFilter, Layer as _, Registry};

use crate::Failure;
use crate::clock::Clock;
use crate::config::Telemetry as Config;

/// Time limit for sending the last spans.
const FLUSH_LIMIT: Duration = Duration::from_secs(3);

/// The running telemetry. Flush it after everything else has ended.
pub struct Telemetry(SdkTracerProvider);

impl Telemetry {
    /// Sends the remaining spans. Blocks for at most 3 s.
    pub fn flush(self) {
        if let Err(error) = self.0.shutdown_with_timeout(FLUSH_LIMIT) {
            tracing::warn!(%error, "the last spans were not sent");
        }
    }
}

/// The share of root traces that are kept: 0 without an exporter. If unset, all are kept.
static SAMPLE_RATIO: OnceLock<f64> = OnceLock::new();

/// Decides whether the trace of a new request is kept.
pub(crate) fn keeps_a_root() -> bool {
    let sampler = Sampler::TraceIdRatioBased(SAMPLE_RATIO.get().copied().unwrap_or(1.0));
    let id = RandomIdGenerator::default().new_trace_id();
    let result = sampler.should_sample(None, id, "", &SpanKind::Server, &[], &[]);
    result.decision == SamplingDecision::RecordAndSample
}

/// Starts logs and traces for the whole process. Needs a Tokio runtime.
pub fn start(service: &'static str, config: &Config) -> Result<Telemetry, Failure> {
    // `start` is called once in a process, so this does not fail.
    let ratio = if config.otlp_endpoint.is_some() { config.sample_ratio } else { 0.0 };
    let _ = SAMPLE_RATIO.set(ratio);
    let filter = EnvFilter::try_new(&config.log).map_err(|error| format!("LOG: {error}"))?;
    let resource = Resource::builder()
        .with_attributes([
            KeyValue::new("service.name", service),
            KeyValue::new("service.namespace", "konomana"),
            KeyValue::new("service.version", env!("CARGO_PKG_VERSION")),
            KeyValue::new("service.instance.id", uuid::Uuid::now_v7().to_string()),
        ])
        .build();
    let mut provider = SdkTracerProvider::builder().with_resource(resource);
    provider = match &config.otlp_endpoint {
        Some(endpoint) => {
            let exporter = SpanExporter::builder().with_tonic().with_endpoint(endpoint).build()?;
            let root = Roots(Sampler::TraceIdRatioBased(config.sample_ratio));
            provider.with_batch_exporter(exporter).with_sampler(Sampler::ParentBased(Box::new(root)))
        }
        // Trace ids still exist, for error bodies and log lines.
        None => provider.with_sampler(Sampler::AlwaysOff),
    };
    let provider = provider.build();
    subscriber(service, &provider, filter, std::io::stdout).try_init()?;
    Ok(Telemetry(provider))
}

/// Samples root spans. That of a request is always kept, because [`keeps_a_root`] was called before it was created.
#[derive(Clone, Debug)]
struct Roots(Sampler);

impl ShouldSample for Roots {
    fn should_sample(
        &self,
        parent: Option<&Context>,
        trace_id: opentelemetry::TraceId,
        name: &str,
        kind: &SpanKind,
        attributes: &[KeyValue],
        links: &[Link],
    ) -> SamplingResult {
        let sampler = if *kind == SpanKind::Server { &Sampler::AlwaysOn } else { &self.0 };
        sampler.should_sample(parent, trace_id, name, kind, attributes, links)
    }
}

/// The subscriber of a process: spans go to `provider`, log lines that pass `filter` to `writer`.
pub(crate) fn subscriber<Writer>(
    service: &'static str,
    provider: &SdkTracerProvider,
    filter: EnvFilter,
    writer: Writer,
) -> impl Subscriber + Send + Sync + use<Writer>
where
    Writer: for<'writer> MakeWriter<'writer> + Send + Sync + 'static,
{
    global::set_text_map_propagator(TraceContextPropagator::new());
    let spans = tracing_opentelemetry::layer()
        .with_tracer(provider.tracer(service))
        .with_location(false)
        .with_threads(false)
        .with_tracked_inactivity(false)
        // Spans have their context. Activating it at each poll of a request is expensive.
        .with_context_activation(false)
        .with_level(false)
        .with_target(false)
        // Excludes the spans of h2 and hyper, which are dozens for each request, and events, which are log lines.
        .with_filter(filter_fn(|meta| is_span_of_ours(meta) && ![TASK, UNSAMPLED].contains(&meta.name())))
        .with_filter(LevelFilter::INFO);
    let lines = tracing_subscriber::fmt::layer()
        .event_format(Lines { service, clock: Clock::system() })
        .fmt_fields(Unwritten)
        // Otherwise a failed write of a log line is reported on standard error, and if that fails too (a full disk),
        // the process panics.
        .log_internal_errors(false)
        .with_writer(writer)
        // Spans pass any filter, because log lines take their trace id from spans.
        .with_filter(filter.or(filter_fn(is_span_of_ours)));
    tracing_subscriber::registry().with(spans).with(lines)
}

fn is_span_of_ours(meta: &Metadata<'_>) -> bool {
    meta.is_span() && *meta.level() <= Level::INFO
}

/// The trace id of a span, stored on the span for its log lines.
struct TraceId(opentelemetry::TraceId);

/// The name of a background task, stored on its span.
struct TaskName(&'static str);

/// The name of the span of a background task. The span is never exported, because a task may live as long as the process.
const TASK: &str = "task";

/// The root span of a background task, which gives its log lines their `task` field.
pub(crate) fn task_span(name: &'static str) -> Span {
    let span = tracing::info_span!(parent: None, TASK);
    remember(&span, TaskName(name));
    span
}

/// The name of the span of a request whose trace is not kept. It is never exported.
const UNSAMPLED: &str = "unsampled";

/// The span of a request whose trace is not kept, which gives its log lines their `trace_id` field.
pub(crate) fn unsampled_span(id: opentelemetry::TraceId) -> Span {
    let span = tracing::info_span!(parent: None, UNSAMPLED);
    remember_trace_id(&span, id);
    span
}

/// Stores the trace id on `span`, for the log lines within it.
pub(crate) fn remember_trace_id(span: &Span, id: opentelemetry::TraceId) {
    remember(span, TraceId(id));
}

fn remember<Fact: Send + Sync + 'static>(span: &Span, fact: Fact) {
    span.with_subscriber(|(span, dispatch)| {
        if let Some(span) = dispatch.downcast_ref::<Registry>().and_then(|registry| registry.span(span)) {
            span.extensions_mut().replace(fact);
        }
    });
}

/// Formats log lines: one JSON object with time, level, service, trace id or task name, and the fields of the event.
struct Lines {
    service: &'static str,
    clock: Clock,
}

impl<S, N> FormatEvent<S, N> for Lines
where
    S: Subscriber + for<'span> LookupSpan<'span>,
    N: for<'writer> FormatFields<'writer> + 'static,
{
    fn format_event(
        &self,
        context: &FmtContext<'_, S, N>,
        mut writer: Writer<'_>,
        event: &Event<'_>,
    ) -> fmt::Result {
        let time = self.clock.now().format(&Rfc3339).map_err(|_| fmt::Error)?;
        let mut line = Line(Vec::with_capacity(256));
        line.add("time", &time);
        line.add("level", event.metadata().level().as_str());
        line.add("service", self.service);
        event.record(&mut line);
        // The innermost span with either value wins: the trace of a request, not the task of its connection.
        for span in context.event_scope().into_iter().flatten() {
            let facts = span.extensions();
            if let Some(TraceId(id)) = facts.get() {
                line.add("trace_id", id.to_string());
                break;
            }
            if let Some(TaskName(name)) = facts.get() {
                line.add("task", name);
                break;
            }
        }
        writer.write_str(line.end().map_err(|_| fmt::Error)?)
    }
}

/// Omits span fields, because they are exported with the spans.
struct Unwritten;

impl<'writer> FormatFields<'writer> for Unwritten {
    fn format_fields<Fields: RecordFields>(&self, _: Writer<'writer>, _: Fields) -> fmt::Result {
        Ok(())
    }
}

/// A JSON object that is written field by field, without a map, because every request writes one.
struct Line(Vec<u8>);

impl Line {
    fn add(&mut self, name: &str, value: impl Serialize) {
        self.0.push(if self.0.is_empty() { b'{' } else { b',' });
        // Names and values are strings, numbers and booleans, which can always be written.
        let _ = serde_json::to_writer(&mut self.0, name);
        self.0.push(b':');
        let _ = serde_json::to_writer(&mut self.0, &value);
    }

    fn end(&mut self) -> Result<&str, Utf8Error> {
        self.0.extend_from_slice(b"}\n");
        str::from_utf8(&self.0)
    }
}

impl Visit for Line {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.add(field.name(), format!("{value:?}"));
    }
    fn record_str(&mut self, field: &Field, value: &str) {
        self.add(field.name(), value);
    }
    fn record_f64(&mut self, field: &Field, value: f64) {
        self.add(field.name(), value);
    }
    fn record_i64(&mut self, field: &Field, value: i64) {
        self.add(field.name(), value);
    }
    fn record_u64(&mut self, field: &Field, value: u64) {
        self.add(field.name(), value);
    }
    fn record_bool(&mut self, field: &Field, value: bool) {
        self.add(field.name(), value);
    }
}
