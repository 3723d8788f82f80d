//! Logs as JSON lines with the trace id; spans to an OTLP receiver.

use std::fmt;
use std::time::Duration;

use opentelemetry::trace::{TraceContextExt as _, TracerProvider as _};
use opentelemetry::{KeyValue, global};
use opentelemetry_otlp::{SpanExporter, WithExportConfig as _};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::propagation::TraceContextPropagator;
use opentelemetry_sdk::trace::{Sampler, SdkTracerProvider};
use tracing::field::{Field, Visit};
use tracing::{Event, Level, Span, Subscriber};
use tracing_opentelemetry::OpenTelemetrySpanExt as _;
use tracing_subscriber::filter::LevelFilter;
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::{FmtContext, FormatEvent, FormatFields};
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::registry::LookupSpan;
use tracing_subscriber::util::SubscriberInitExt as _;
use tracing_subscriber::{EnvFilter, Layer as _, Registry};

use crate::Failure;
use crate::clock::Clock;
use crate::config::Telemetry as Config;

/// How long the last spans may take to be sent.
const FLUSH_LIMIT: Duration = Duration::from_secs(3);

/// What was started; flush it when everything else has ended.
pub struct Telemetry(SdkTracerProvider);

impl Telemetry {
    /// Sends the last spans. Blocks, at most 3 s.
    pub fn flush(self) {
        if let Err(error) = self.0.shutdown_with_timeout(FLUSH_LIMIT) {
            tracing::warn!(%error, "the last spans were not sent");
        }
    }
}

/// Starts logs and traces for the whole process. Needs a Tokio runtime.
pub fn start(service: &'static str, config: &Config) -> Result<Telemetry, Failure> {
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
            let root = Sampler::TraceIdRatioBased(config.sample_ratio);
            provider.with_batch_exporter(exporter).with_sampler(Sampler::ParentBased(Box::new(root)))
        }
        // Ids are still given out, for error bodies and log lines.
        None => provider.with_sampler(Sampler::AlwaysOff),
    };
    let provider = provider.build();
    global::set_text_map_propagator(TraceContextPropagator::new());
    let spans = tracing_opentelemetry::layer()
        .with_tracer(provider.tracer(service))
        .with_location(false)
        .with_threads(false)
        .with_tracked_inactivity(false)
        .with_level(false)
        .with_target(false)
        // Otherwise h2's and hyper's own spans are exported, dozens a request; an event of ours is a log line, not a
        // part of a span.
        .with_filter(tracing_subscriber::filter::filter_fn(|meta| {
            meta.is_span() && *meta.level() <= Level::INFO
        }))
        .with_filter(LevelFilter::INFO);
    let lines = tracing_subscriber::fmt::layer()
        .event_format(Lines { service, clock: Clock::system() })
        .with_writer(std::io::stdout)
        .with_filter(filter);
    tracing_subscriber::registry().with(spans).with(lines).try_init()?;
    Ok(Telemetry(provider))
}

/// The trace that a span belongs to, kept on the span for its log lines.
struct TraceId(String);

/// Keeps the trace id on `span`, so that every log line within it can say it.
pub(crate) fn remember_trace_id(span: &Span) {
    let id = span.context().span().span_context().trace_id().to_string();
    span.with_subscriber(|(span, dispatch)| {
        if let Some(span) = dispatch.downcast_ref::<Registry>().and_then(|registry| registry.span(span)) {
            span.extensions_mut().replace(TraceId(id));
        }
    });
}

/// One JSON object a line: time, level, service, trace id, the request's name, the event's own fields.
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
        let time = self
            .clock
            .now()
            .format(&time::format_description::well_known::Rfc3339)
            .map_err(|_| fmt::Error)?;
        let mut line = serde_json::Map::new();
        line.insert("time".into(), time.into());
        line.insert("level".into(), event.metadata().level().as_str().into());
        line.insert("service".into(), self.service.into());
        event.record(&mut Fields(&mut line));
        if let Some(scope) = context.event_scope() {
            for span in scope.from_root() {
                if let Some(TraceId(id)) = span.extensions().get::<TraceId>() {
                    line.insert("trace_id".into(), id.as_str().into());
                }
            }
        }
        writeln!(writer, "{}", serde_json::Value::Object(line))
    }
}

struct Fields<'a>(&'a mut serde_json::Map<String, serde_json::Value>);

impl Visit for Fields<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.0.insert(field.name().into(), format!("{value:?}").into());
    }
    fn record_str(&mut self, field: &Field, value: &str) {
        self.0.insert(field.name().into(), value.into());
    }
    fn record_f64(&mut self, field: &Field, value: f64) {
        self.0.insert(field.name().into(), value.into());
    }
    fn record_i64(&mut self, field: &Field, value: i64) {
        self.0.insert(field.name().into(), value.into());
    }
    fn record_u64(&mut self, field: &Field, value: u64) {
        self.0.insert(field.name().into(), value.into());
    }
    fn record_bool(&mut self, field: &Field, value: bool) {
        self.0.insert(field.name().into(), value.into());
    }
}
