//! Settings of every process. A service flattens them into its own. `--help` is the manual.

use std::marker::PhantomData;
use std::net::SocketAddr;
use std::num::NonZeroUsize;
use std::os::fd::AsFd as _;
use std::time::Duration;

use clap::{Args, Parser, Subcommand};
use tokio::net::TcpListener;

use crate::Failure;

/// The command line of a process: how much of the machine is its, the settings of its telemetry, and what it is to do.
#[derive(Parser)]
#[command(version, about)]
pub struct Cli<Command: Subcommand> {
    /// How many threads serve; by default as many as there are processors
    #[arg(long, env = "TOKIO_WORKER_THREADS", global = true)]
    pub worker_threads: Option<NonZeroUsize>,
    /// Logs and traces.
    #[command(flatten)]
    pub telemetry: Telemetry,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// Logs and traces.
#[derive(Args, Clone)]
#[command(next_help_heading = "Telemetry")]
pub struct Telemetry {
    /// Where spans are sent (OTLP over gRPC), e.g. `http://collector:4317`; without it none are
    #[arg(long, env = "OTEL_EXPORTER_OTLP_ENDPOINT", global = true)]
    pub otlp_endpoint: Option<String>,
    /// Which share of the traces that begin here is kept, 0 to 1; the decision of another service of ours goes first
    #[arg(long, env = "OTEL_TRACES_SAMPLER_ARG", default_value_t = 1.0, global = true)]
    pub sample_ratio: f64,
    /// Which log lines are written, in the syntax of tracing's `EnvFilter`
    #[arg(long, env = "LOG", default_value = "info", global = true)]
    pub log: String,
}

/// Where and how a process serves.
///
/// Belongs to no clap group: the settings of a service that hold these are mostly called `Serve` as well.
#[derive(Args, Clone)]
#[command(next_help_heading = "Server")]
#[group(skip)]
pub struct Serve {
    /// How long to go on accepting after SIGTERM, so that balancers can look away, in milliseconds
    #[arg(long, env = "DRAIN_DELAY_MS", default_value = "5000", value_parser = milliseconds)]
    pub drain_delay: Duration,
    /// How long requests and background tasks may take to finish after that, in milliseconds
    #[arg(long, env = "DRAIN_LIMIT_MS", default_value = "12000", value_parser = milliseconds)]
    pub drain_limit: Duration,
    /// The address to show metrics on (`GET /metrics`, for Prometheus), e.g. `0.0.0.0:9090`; without it none are shown
    #[arg(long, env = "METRICS_LISTEN")]
    pub metrics_listen: Option<SocketAddr>,
}

/// How long commands wait for a database.
///
/// Belongs to no clap group, for the reason that [`Serve`] has.
#[derive(Args, Clone, Copy)]
#[group(skip)]
pub struct DatabaseWait {
    /// How many seconds a command that runs once tries to reach the database; a server tries without an end
    #[arg(long = "database-wait", env = "DATABASE_WAIT", default_value = "60", value_parser = seconds)]
    pub limit: Duration,
}

/// What the settings of a service's own database are called, and their defaults. clap's derive takes the name of a variable
/// as an expression, but joins no prefix to it.
pub trait DatabaseSettings {
    /// The variable of the URL, e.g. `LMS_DATABASE_URL`.
    const URL: &'static str;
    /// The variable of the number of connections, e.g. `LMS_DATABASE_CONNECTIONS`.
    const CONNECTIONS: &'static str;
    /// The default number of connections.
    const DEFAULT_CONNECTIONS: &'static str;
    /// The smallest number of connections that the service can work with.
    const LEAST_CONNECTIONS: i64 = 1;
}

/// The settings of a service's own database.
///
/// Belongs to no clap group, for the reason that [`Serve`] has.
#[derive(Args)]
#[command(next_help_heading = "Database")]
#[group(skip)]
pub struct DatabaseArgs<Settings: DatabaseSettings> {
    /// `postgres://user:password@host:port/name`
    #[arg(long = "database-url", env = Settings::URL, hide_env_values = true)]
    url: String,
    /// Maximum number of connections
    #[arg(
        long = "database-connections",
        env = Settings::CONNECTIONS,
        default_value = Settings::DEFAULT_CONNECTIONS,
        value_parser = clap::value_parser!(u32).range(Settings::LEAST_CONNECTIONS..)
    )]
    max_connections: u32,
    /// How long commands wait for the database.
    #[command(flatten)]
    wait: DatabaseWait,
    #[arg(skip)]
    settings: PhantomData<Settings>,
}

impl<Settings: DatabaseSettings> From<&DatabaseArgs<Settings>> for Database {
    fn from(arguments: &DatabaseArgs<Settings>) -> Self {
        Self { wait: arguments.wait.limit, ..Self::new(arguments.url.clone(), arguments.max_connections) }
    }
}

/// How a service connects to its database.
#[derive(Clone, Debug)]
pub struct Database {
    /// `postgres://user:password@host:port/name`
    pub url: String,
    /// The most connections held at once.
    pub max_connections: u32,
    /// How long a request waits while all connections are in use. For an absent database it waits some seconds.
    pub patience: Duration,
    /// How long a command that runs once waits for the database to answer.
    pub wait: Duration,
}

impl Database {
    /// With the defaults: `patience` 1 s, `wait` 60 s.
    #[must_use]
    pub fn new(url: String, max_connections: u32) -> Self {
        Self { url, max_connections, patience: Duration::from_secs(1), wait: Duration::from_mins(1) }
    }
}

/// Parses a number of milliseconds.
pub fn milliseconds(text: &str) -> Result<Duration, String> {
    text.parse().map(Duration::from_millis).map_err(|_| format!("'{text}' is not a number of milliseconds"))
}

/// Parses a number of seconds.
pub fn seconds(text: &str) -> Result<Duration, String> {
    text.parse().map(Duration::from_secs).map_err(|_| format!("'{text}' is not a number of seconds"))
}

/// Listens on `address`, or takes the listening socket that standard input is.
///
/// A supervisor that restarts a process and keeps its socket (`StandardInput=socket` in systemd) loses no connection:
/// callers wait meanwhile.
///
/// The backlog is the system's maximum (`net.core.somaxconn`). Connections come in bursts, and a client that finds the
/// backlog full retries only after a second. tokio's default is 128.
///
/// # Errors
///
/// When the address is in use or not of this machine.
pub async fn bind(address: SocketAddr) -> Result<TcpListener, Failure> {
    let listener = match inherited()? {
        Some(listener) => listener,
        None => TcpListener::bind(address).await.map_err(|error| {
            format!("cannot listen on {address}: {error}; stop what uses it or choose another")
        })?,
    };
    rustix::net::listen(&listener, i32::MAX)
        .map_err(|error| format!("cannot listen on {address}: {error}"))?;
    Ok(listener)
}

/// Standard input, when it is a listening socket.
fn inherited() -> std::io::Result<Option<TcpListener>> {
    let stdin = std::io::stdin();
    if !rustix::net::sockopt::socket_acceptconn(&stdin).unwrap_or(false) {
        return Ok(None);
    }
    let listener = std::net::TcpListener::from(stdin.as_fd().try_clone_to_owned()?);
    listener.set_nonblocking(true)?;
    TcpListener::from_std(listener).map(Some)
}
