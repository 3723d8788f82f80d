//! All metrics of the product. Alert rules and dashboards may use no others of ours.
//!
//! Names follow OpenTelemetry's conventions where one exists, in Prometheus notation.

/// A metric.
#[derive(Clone, Copy, Debug)]
pub struct Metric {
    /// The name in Prometheus; for a histogram without `_bucket`, `_count` and `_sum`.
    pub name: &'static str,
    /// The type.
    pub kind: Kind,
    /// The names of its labels.
    pub labels: &'static [&'static str],
    /// The processes that expose it.
    pub processes: &'static [&'static str],
    /// The help text.
    pub help: &'static str,
}

/// The type of a metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Only grows.
    Counter,
    /// Goes up and down.
    Gauge,
    /// A distribution over buckets.
    Histogram,
}

impl Metric {
    /// The names of its time series in Prometheus.
    #[must_use]
    pub fn series(&self) -> Vec<String> {
        match self.kind {
            Kind::Counter | Kind::Gauge => vec![self.name.to_owned()],
            Kind::Histogram => {
                ["bucket", "count", "sum"].iter().map(|part| format!("{}_{part}", self.name)).collect()
            }
        }
    }
}

/// Upper bounds of the buckets of every duration, in seconds: dense around usual durations, exact at the 500 ms of the
/// service level objective and at the 1 s beyond which every trace is kept, up to the edge's time limit.
pub const SECONDS: [f64; 14] =
    [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 0.75, 1.0, 2.5, 5.0, 10.0];

const EVERY: &[&str] = &["auth", "commerce", "desk", "edge", "lms", "maintenance", "site"];
const WITH_DATABASE: &[&str] = &["auth", "commerce", "desk", "lms"];

/// Requests served over HTTP, by route.
pub const HTTP_SERVER_REQUEST_DURATION: Metric = Metric {
    name: "http_server_request_duration_seconds",
    kind: Kind::Histogram,
    labels: &["http_request_method", "http_route", "http_response_status_code"],
    processes: &["edge", "site"],
    help: "Time from a request's head to the head of its answer; 499 is a client that closed the connection",
};
/// HTTP requests in flight.
pub const HTTP_SERVER_ACTIVE_REQUESTS: Metric = Metric {
    name: "http_server_active_requests",
    kind: Kind::Gauge,
    labels: &[],
    processes: &["edge", "site"],
    help: "Requests whose answer has not begun",
};
/// Requests rejected by the edge.
pub const REQUESTS_REFUSED: Metric = Metric {
    name: "konomana_requests_refused_total",
    kind: Kind::Counter,
    labels: &["reason"],
    processes: &["edge"],
    help: "Answers with 429: rate, a rate limit; load, the edge is overloaded",
};
/// Calls served over gRPC, by method.
pub const RPC_SERVER_CALL_DURATION: Metric = Metric {
    name: "rpc_server_call_duration_seconds",
    kind: Kind::Histogram,
    labels: &["rpc_method", "rpc_response_status_code"],
    processes: &["auth", "commerce", "desk", "lms", "maintenance"],
    help: "Time from a call's head to the head of its answer",
};
/// Calls refused because of their caller.
pub const CALLERS_REFUSED: Metric = Metric {
    name: "konomana_callers_refused_total",
    kind: Kind::Counter,
    labels: &["reason"],
    processes: &["auth", "commerce", "desk", "lms", "maintenance"],
    help: "Calls refused before their rpc ran: the caller assertion is missing, invalid or expired; not_allowed, this caller may not call this rpc",
};
/// Calls made over gRPC, by method.
pub const RPC_CLIENT_CALL_DURATION: Metric = Metric {
    name: "rpc_client_call_duration_seconds",
    kind: Kind::Histogram,
    labels: &["rpc_method", "rpc_response_status_code"],
    processes: &["auth", "edge"],
    help: "Time from a call to the head of its answer, measured by the caller",
};
/// The wait for a database connection.
pub const DB_CLIENT_CONNECTION_WAIT_TIME: Metric = Metric {
    name: "db_client_connection_wait_time_seconds",
    kind: Kind::Histogram,
    labels: &[],
    processes: WITH_DATABASE,
    help: "The wait for a database connection, including failed waits",
};
/// Connections of the pool.
pub const DB_CLIENT_CONNECTION_COUNT: Metric = Metric {
    name: "db_client_connection_count",
    kind: Kind::Gauge,
    labels: &["db_client_connection_state"],
    processes: WITH_DATABASE,
    help: "Connections to the database, idle or used",
};
/// The pool's limit.
pub const DB_CLIENT_CONNECTION_MAX: Metric = Metric {
    name: "db_client_connection_max",
    kind: Kind::Gauge,
    labels: &[],
    processes: WITH_DATABASE,
    help: "The limit of database connections",
};
/// The age of the signing key.
pub const SIGNING_KEY_AGE: Metric = Metric {
    name: "konomana_signing_key_age_seconds",
    kind: Kind::Gauge,
    labels: &[],
    processes: &["auth"],
    help: "Time since the key that signs access tokens came into use; absent while there is none",
};
/// The age of the oldest outbox entry.
pub const OUTBOX_AGE: Metric = Metric {
    name: "konomana_outbox_age_seconds",
    kind: Kind::Gauge,
    labels: &["receiver"],
    processes: &["auth", "commerce", "desk"],
    help: "Age of the oldest undelivered event or mail for a receiver; 0 if there is none",
};
/// Mails by their final state.
pub const MAILS: Metric = Metric {
    name: "konomana_mails_total",
    kind: Kind::Counter,
    labels: &["end"],
    processes: &["desk"],
    help: "Mails in a final state: sent, accepted by the mail server; bounced, refused permanently; expired, tried for a day",
};
/// Mails withheld by an hourly limit.
pub const MAILS_WITHHELD: Metric = Metric {
    name: "konomana_mails_withheld_total",
    kind: Kind::Counter,
    labels: &["mail"],
    processes: &["auth", "desk"],
    help: "Mails beyond an hourly limit of the whole service: sign_up, the sign-up was refused; receipt, the inquiry was accepted without a receipt",
};
/// Active maintenance windows.
pub const MAINTENANCE_WINDOWS_ACTIVE: Metric = Metric {
    name: "konomana_maintenance_windows_active",
    kind: Kind::Gauge,
    labels: &["scope"],
    processes: &["maintenance"],
    help: "Active maintenance windows",
};
/// The age of an active maintenance window.
pub const MAINTENANCE_WINDOW_AGE: Metric = Metric {
    name: "konomana_maintenance_window_age_seconds",
    kind: Kind::Gauge,
    labels: &["name", "ends"],
    processes: &["maintenance"],
    help: "Time since a maintenance window became active; ends is planned for a window with an end, and open otherwise",
};
/// Edges that follow the maintenance service.
pub const MAINTENANCE_EDGES: Metric = Metric {
    name: "konomana_maintenance_edges",
    kind: Kind::Gauge,
    labels: &["state"],
    processes: &["maintenance"],
    help: "Connected edges: known, all of them; told, those with the newest list",
};
/// Whether the maintenance windows can be read.
pub const MAINTENANCE_SOURCE_UP: Metric = Metric {
    name: "konomana_maintenance_source_up",
    kind: Kind::Gauge,
    labels: &[],
    processes: &["maintenance"],
    help: "1 while the declared windows can be read and parsed, 0 while the last valid list stays active",
};
/// The build.
pub const BUILD_INFO: Metric = Metric {
    name: "konomana_build_info",
    kind: Kind::Gauge,
    labels: &["version"],
    processes: EVERY,
    help: "Always 1",
};
/// Resident memory.
pub const PROCESS_RESIDENT_MEMORY: Metric = Metric {
    name: "process_resident_memory_bytes",
    kind: Kind::Gauge,
    labels: &[],
    processes: EVERY,
    help: "Resident memory of the process",
};
/// CPU time.
pub const PROCESS_CPU: Metric = Metric {
    name: "process_cpu_seconds_total",
    kind: Kind::Counter,
    labels: &[],
    processes: EVERY,
    help: "CPU time of the process, user and system",
};
/// The start time of the process.
pub const PROCESS_START_TIME: Metric = Metric {
    name: "process_start_time_seconds",
    kind: Kind::Gauge,
    labels: &[],
    processes: EVERY,
    help: "Start time of the process, in seconds since 1970",
};

/// All metrics.
pub const ALL: [Metric; 21] = [
    HTTP_SERVER_REQUEST_DURATION,
    HTTP_SERVER_ACTIVE_REQUESTS,
    REQUESTS_REFUSED,
    RPC_SERVER_CALL_DURATION,
    CALLERS_REFUSED,
    RPC_CLIENT_CALL_DURATION,
    DB_CLIENT_CONNECTION_WAIT_TIME,
    DB_CLIENT_CONNECTION_COUNT,
    DB_CLIENT_CONNECTION_MAX,
    SIGNING_KEY_AGE,
    OUTBOX_AGE,
    MAILS,
    MAILS_WITHHELD,
    MAINTENANCE_WINDOWS_ACTIVE,
    MAINTENANCE_WINDOW_AGE,
    MAINTENANCE_EDGES,
    MAINTENANCE_SOURCE_UP,
    BUILD_INFO,
    PROCESS_RESIDENT_MEMORY,
    PROCESS_CPU,
    PROCESS_START_TIME,
];

/// The names of all of them.
pub const NAMES: [&str; ALL.len()] = {
    let mut names = [""; ALL.len()];
    let mut at = 0;
    while at < names.len() {
        names[at] = ALL[at].name;
        at += 1;
    }
    names
};
