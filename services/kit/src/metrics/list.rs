//! Every metric of the product, once. Rules and dashboards may name these and no others of ours.
//!
//! Names follow OpenTelemetry's conventions where there is one, written as Prometheus writes them.

/// A metric.
#[derive(Clone, Copy, Debug)]
pub struct Metric {
    /// As Prometheus knows it; of a histogram without `_bucket`, `_count` and `_sum`.
    pub name: &'static str,
    /// What it is.
    pub kind: Kind,
    /// The names of its labels.
    pub labels: &'static [&'static str],
    /// The processes that show it.
    pub processes: &'static [&'static str],
    /// What it says.
    pub help: &'static str,
}

/// What a metric is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Only grows.
    Counter,
    /// Goes up and down.
    Gauge,
    /// How many of each size.
    Histogram,
}

impl Metric {
    /// The names of the time series that Prometheus makes of it.
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

/// Upper bounds of the buckets of every duration, in seconds: fine around what is usual, exact at the 500 ms that are
/// promised and at the 1 s beyond which every trace is kept, and up to the edge's own limit.
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
    help: "From a request's head to the head of its answer; 499 is a caller who left before",
};
/// Requests being served over HTTP.
pub const HTTP_SERVER_ACTIVE_REQUESTS: Metric = Metric {
    name: "http_server_active_requests",
    kind: Kind::Gauge,
    labels: &[],
    processes: &["edge", "site"],
    help: "Requests whose answer has not begun",
};
/// Requests sent away at the edge.
pub const REQUESTS_REFUSED: Metric = Metric {
    name: "konomana_requests_refused_total",
    kind: Kind::Counter,
    labels: &["reason"],
    processes: &["edge"],
    help: "Answers of 429: rate, somebody tries too often; load, there is no room",
};
/// Calls served over gRPC, by method.
pub const RPC_SERVER_CALL_DURATION: Metric = Metric {
    name: "rpc_server_call_duration_seconds",
    kind: Kind::Histogram,
    labels: &["rpc_method", "rpc_response_status_code"],
    processes: &["auth", "commerce", "desk", "lms", "maintenance"],
    help: "From a call's head to the head of its answer",
};
/// Calls refused because of who calls, or who does not say it.
pub const CALLERS_REFUSED: Metric = Metric {
    name: "konomana_callers_refused_total",
    kind: Kind::Counter,
    labels: &["reason"],
    processes: &["auth", "commerce", "desk", "lms", "maintenance"],
    help: "Calls refused before their rpc ran: missing, invalid or expired, the caller assertion; not_allowed, this caller may not call this rpc",
};
/// Calls made over gRPC, by method.
pub const RPC_CLIENT_CALL_DURATION: Metric = Metric {
    name: "rpc_client_call_duration_seconds",
    kind: Kind::Histogram,
    labels: &["rpc_method", "rpc_response_status_code"],
    processes: &["auth", "edge"],
    help: "From a call to the head of its answer, as the caller sees it",
};
/// How long work waits for a connection.
pub const DB_CLIENT_CONNECTION_WAIT_TIME: Metric = Metric {
    name: "db_client_connection_wait_time_seconds",
    kind: Kind::Histogram,
    labels: &[],
    processes: WITH_DATABASE,
    help: "The wait for a connection to the database, also where none came",
};
/// Connections of the pool.
pub const DB_CLIENT_CONNECTION_COUNT: Metric = Metric {
    name: "db_client_connection_count",
    kind: Kind::Gauge,
    labels: &["db_client_connection_state"],
    processes: WITH_DATABASE,
    help: "Connections to the database, idle or used",
};
/// The most connections of the pool.
pub const DB_CLIENT_CONNECTION_MAX: Metric = Metric {
    name: "db_client_connection_max",
    kind: Kind::Gauge,
    labels: &[],
    processes: WITH_DATABASE,
    help: "The most connections to the database that there may be",
};
/// How old the key is that signs.
pub const SIGNING_KEY_AGE: Metric = Metric {
    name: "konomana_signing_key_age_seconds",
    kind: Kind::Gauge,
    labels: &[],
    processes: &["auth"],
    help: "For how long the key that signs access tokens has done so; not there while none can sign",
};
/// For how long what goes to others has waited.
pub const OUTBOX_AGE: Metric = Metric {
    name: "konomana_outbox_age_seconds",
    kind: Kind::Gauge,
    labels: &["receiver"],
    processes: &["auth", "desk"],
    help: "For how long the oldest event or mail that its receiver has not taken has waited; 0 where none waits",
};
/// How sending mails ended.
pub const MAILS: Metric = Metric {
    name: "konomana_mails_total",
    kind: Kind::Counter,
    labels: &["end"],
    processes: &["desk"],
    help: "Mails that nothing more is done about: sent, the mail server has it; bounced, it will never take it; expired, it was tried for a day",
};
/// Mails that a ceiling kept back.
pub const MAILS_WITHHELD: Metric = Metric {
    name: "konomana_mails_withheld_total",
    kind: Kind::Counter,
    labels: &["mail"],
    processes: &["auth", "desk"],
    help: "Mails beyond the ceiling an hour of the whole service: sign_up, the sign-up was refused; receipt, the inquiry was taken without a receipt",
};
/// What is closed now.
pub const MAINTENANCE_WINDOWS_ACTIVE: Metric = Metric {
    name: "konomana_maintenance_windows_active",
    kind: Kind::Gauge,
    labels: &["scope"],
    processes: &["maintenance"],
    help: "Maintenance windows in force now",
};
/// For how long a window has been in force.
pub const MAINTENANCE_WINDOW_AGE: Metric = Metric {
    name: "konomana_maintenance_window_age_seconds",
    kind: Kind::Gauge,
    labels: &["name", "ends"],
    processes: &["maintenance"],
    help: "For how long a window has been in force; ends is planned where it has an end of its own, and open elsewhere",
};
/// Edges that follow this process.
pub const MAINTENANCE_EDGES: Metric = Metric {
    name: "konomana_maintenance_edges",
    kind: Kind::Gauge,
    labels: &["state"],
    processes: &["maintenance"],
    help: "Edges that listen: known, all of them; told, those that have the newest list",
};
/// Whether windows can be read.
pub const MAINTENANCE_SOURCE_UP: Metric = Metric {
    name: "konomana_maintenance_source_up",
    kind: Kind::Gauge,
    labels: &[],
    processes: &["maintenance"],
    help: "1 while the place where windows are declared can be read and understood, 0 while the last good list stays",
};
/// What runs.
pub const BUILD_INFO: Metric = Metric {
    name: "konomana_build_info",
    kind: Kind::Gauge,
    labels: &["version"],
    processes: EVERY,
    help: "Always 1",
};
/// Memory.
pub const PROCESS_RESIDENT_MEMORY: Metric = Metric {
    name: "process_resident_memory_bytes",
    kind: Kind::Gauge,
    labels: &[],
    processes: EVERY,
    help: "Memory of the process that is in RAM",
};
/// Processor time.
pub const PROCESS_CPU: Metric = Metric {
    name: "process_cpu_seconds_total",
    kind: Kind::Counter,
    labels: &[],
    processes: EVERY,
    help: "Processor time of the process, in user and system mode",
};
/// When the process began.
pub const PROCESS_START_TIME: Metric = Metric {
    name: "process_start_time_seconds",
    kind: Kind::Gauge,
    labels: &[],
    processes: EVERY,
    help: "When the process began, in seconds since 1970",
};

/// Everything there is.
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
