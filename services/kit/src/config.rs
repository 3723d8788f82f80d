//! Settings of every process. A service flattens them into its own. `--help` is the manual.

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
