//! Metrics recorded while requests are served, without allocation and with two short locks.

use std::collections::HashSet;
use std::fmt::{self, Write as _};
use std::sync::{LazyLock, PoisonError, RwLock};
use std::time::Duration;

use opentelemetry::TraceId;
use opentelemetry::trace::SpanContext;
use prometheus_client::encoding::{EncodeLabelSet, EncodeLabelValue, LabelValueEncoder};
use prometheus_client::metrics::exemplar::HistogramWithExemplars;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;

use super::metric::{Kind, Metric, SECONDS};
use super::recorder::Counter;
use super::registry::register;
use crate::clock::Clock;

/// Requests served over HTTP, by route.
const HTTP_SERVER_REQUEST_DURATION: Metric = Metric {
    name: "http_server_request_duration_seconds",
    kind: Kind::Histogram,
    labels: &["http_request_method", "http_route", "http_response_status_code"],
    help: "Time from a request's head to the head of its answer; 499 is a client that closed the connection",
};
/// HTTP requests in flight.
const HTTP_SERVER_ACTIVE_REQUESTS: Metric = Metric {
    name: "http_server_active_requests",
    kind: Kind::Gauge,
    labels: &[],
    help: "Requests whose answer has not begun",
};
/// Calls served over gRPC, by method.
const RPC_SERVER_CALL_DURATION: Metric = Metric {
    name: "rpc_server_call_duration_seconds",
    kind: Kind::Histogram,
    labels: &["rpc_method", "rpc_response_status_code"],
    help: "Time from a call's head to the head of its answer",
};
/// Calls refused because of their caller.
const CALLERS_REFUSED: Metric = Metric {
    name: "konomana_callers_refused_total",
    kind: Kind::Counter,
    labels: &["reason"],
    help: "Calls refused before their rpc ran: the caller assertion is missing, invalid or expired; not_allowed, this caller may not call this rpc",
};
/// Calls made over gRPC, by method.
const RPC_CLIENT_CALL_DURATION: Metric = Metric {
    name: "rpc_client_call_duration_seconds",
    kind: Kind::Histogram,
    labels: &["rpc_method", "rpc_response_status_code"],
    help: "Time from a call to the head of its answer, measured by the caller",
};

/// The metrics of a process that serves HTTP.
pub const HTTP_SERVER: &[Metric] = &[HTTP_SERVER_REQUEST_DURATION, HTTP_SERVER_ACTIVE_REQUESTS];
/// The metrics of a process that serves gRPC and checks its callers.
pub const RPC_SERVER: &[Metric] = &[RPC_SERVER_CALL_DURATION, CALLERS_REFUSED];
/// The metrics of a process that calls others over gRPC.
pub const RPC_CLIENT: &[Metric] = &[RPC_CLIENT_CALL_DURATION];

/// The label of an unknown name, or of a name beyond [`NAMES_LIMIT`].
const OTHER: &str = "_OTHER";
/// Limit of distinct names: more than the product has routes and methods.
const NAMES_LIMIT: usize = 512;
/// The status for a client that closed the connection before the answer, as in nginx.
const CLIENT_CLOSED: u16 = 499;

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
#[expect(clippy::struct_field_names, reason = "the names of the labels")]
struct Http {
    http_request_method: &'static str,
    http_route: &'static str,
    http_response_status_code: u16,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Rpc {
    rpc_method: &'static str,
    rpc_response_status_code: &'static str,
}

/// The trace that an exemplar links to.
#[derive(Debug, EncodeLabelSet)]
struct Exemplar {
    trace_id: Id,
}

#[derive(Debug)]
struct Id(TraceId);

impl EncodeLabelValue for Id {
    fn encode(&self, encoder: &mut LabelValueEncoder<'_>) -> fmt::Result {
        write!(encoder, "{}", self.0)
    }
}

type ExemplarFamily<Labels> =
    Family<Labels, HistogramWithExemplars<Exemplar>, fn() -> HistogramWithExemplars<Exemplar>>;
type Plain<Labels> = Family<Labels, Histogram, fn() -> Histogram>;

static HTTP_SERVED: LazyLock<ExemplarFamily<Http>> =
    LazyLock::new(|| register(&HTTP_SERVER_REQUEST_DURATION, Family::new_with_constructor(traced)));
static HTTP_ACTIVE: LazyLock<Gauge> =
    LazyLock::new(|| register(&HTTP_SERVER_ACTIVE_REQUESTS, Gauge::default()));
static RPC_SERVED: LazyLock<ExemplarFamily<Rpc>> =
    LazyLock::new(|| register(&RPC_SERVER_CALL_DURATION, Family::new_with_constructor(traced)));
static RPC_CALLED: LazyLock<Plain<Rpc>> =
    LazyLock::new(|| register(&RPC_CLIENT_CALL_DURATION, Family::new_with_constructor(plain)));
static REFUSED_CALLERS: Counter<1> = Counter::new(CALLERS_REFUSED);
static CLOCK: LazyLock<Clock> = LazyLock::new(Clock::system);

fn plain() -> Histogram {
    Histogram::new(SECONDS)
}

fn traced() -> HistogramWithExemplars<Exemplar> {
    HistogramWithExemplars::new(SECONDS.into_iter())
}

/// Counts an HTTP request as active until it is dropped.
pub(crate) struct Active(());

impl Active {
    /// Starts counting.
    pub(crate) fn begin() -> Self {
        HTTP_ACTIVE.inc();
        Self(())
    }
}

impl Drop for Active {
    fn drop(&mut self) {
        HTTP_ACTIVE.dec();
    }
}

/// Records an HTTP request that was answered with `status`, or `None` when the client left before.
pub(crate) fn http_served(
    method: &'static str,
    route: &str,
    status: Option<http::StatusCode>,
    took: Duration,
    trace: &SpanContext,
) {
    let http_response_status_code = status.map_or(CLIENT_CLOSED, |status| status.as_u16());
    let labels = Http { http_request_method: method, http_route: name(route), http_response_status_code };
    observe(&HTTP_SERVED.get_or_create(&labels), took, trace);
}

/// Records a gRPC call that this server answered with `code`.
pub(crate) fn rpc_served(method: &str, code: &'static str, took: Duration, trace: &SpanContext) {
    // The client chose the name of an unimplemented method.
    let rpc_method = if code == "UNIMPLEMENTED" { OTHER } else { name(method) };
    let labels = Rpc { rpc_method, rpc_response_status_code: code };
    observe(&RPC_SERVED.get_or_create(&labels), took, trace);
}

/// Records a gRPC call of this process that was answered with `code`.
pub(crate) fn rpc_called(method: &str, code: &'static str, took: Duration) {
    let labels = Rpc { rpc_method: name(method), rpc_response_status_code: code };
    RPC_CALLED.get_or_create(&labels).observe(took.as_secs_f64());
}

/// Exposes the counter of each of `reasons` at zero.
pub(crate) fn expose_refused_callers(reasons: &[&'static str]) {
    for reason in reasons {
        REFUSED_CALLERS.expose([reason]);
    }
}

/// Counts a call that was refused before its rpc ran.
pub(crate) fn count_refused_caller(reason: &'static str) {
    REFUSED_CALLERS.increment([reason]);
}

fn observe(histogram: &HistogramWithExemplars<Exemplar>, took: Duration, trace: &SpanContext) {
    // An exemplar links only to a trace that is kept.
    let exemplar = trace.is_sampled().then(|| Exemplar { trace_id: Id(trace.trace_id()) });
    let time = exemplar.is_some().then(|| CLOCK.now().into());
    histogram.observe(took.as_secs_f64(), exemplar, time);
}

/// The interned name of a route or a method.
fn name(text: &str) -> &'static str {
    static NAMES: LazyLock<Names> = LazyLock::new(Names::default);
    NAMES.one(text)
}

/// Interned names, never freed. At most [`NAMES_LIMIT`].
#[derive(Default)]
struct Names(RwLock<HashSet<&'static str>>);

impl Names {
    fn one(&self, text: &str) -> &'static str {
        if let Some(name) = self.0.read().unwrap_or_else(PoisonError::into_inner).get(text) {
            return name;
        }
        let mut names = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(name) = names.get(text) {
            return name;
        }
        if names.len() >= NAMES_LIMIT {
            return OTHER;
        }
        let name = Box::leak(text.to_owned().into_boxed_str());
        names.insert(name);
        name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_interned_up_to_the_limit() {
        let names = Names::default();
        let first = names.one("/first/");
        let again = String::from("/first/");
        assert!(std::ptr::eq(first, names.one(&again)));
        for number in 1..NAMES_LIMIT {
            assert_ne!(names.one(&number.to_string()), OTHER);
        }
        assert_eq!(names.one("one too many"), OTHER);
        assert_eq!(names.one("/first/"), "/first/");
    }
}
