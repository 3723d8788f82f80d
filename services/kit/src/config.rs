//! Settings of every process. Services flatten them into their own. `--help` is the manual.

use std::net::SocketAddr;
use std::num::NonZeroUsize;
use std::os::fd::AsFd as _;
use std::time::Duration;

use clap::{Args, Parser, Subcommand};
use tokio::net::TcpListener;

use crate::Failure;

/// The command line of a process: worker threads, telemetry, and the command.
#[derive(Parser)]
#[command(version, about)]
pub struct Cli<Command: Subcommand> {
    /// Number of threads that serve requests [default: the number of processors]
    #[arg(long, env = "TOKIO_WORKER_THREADS", global = true)]
    pub worker_threads: Option<NonZeroUsize>,
    /// Logs and traces.
    #[command(flatten)]
    pub telemetry: Telemetry,
    /// The command.
    #[command(subcommand)]
    pub command: Command,
}

/// Logs and traces.
#[derive(Args, Clone)]
#[command(next_help_heading = "Telemetry")]
pub struct Telemetry {
    /// Where to send spans (OTLP over gRPC), e.g. `http://collector:4317`; if absent, no spans are sent
    #[arg(long, env = "OTEL_EXPORTER_OTLP_ENDPOINT", global = true)]
    pub otlp_endpoint: Option<String>,
    /// Share of the traces started here that are kept, 0 to 1; traces started by another service keep its decision
    #[arg(long, env = "OTEL_TRACES_SAMPLER_ARG", default_value_t = 1.0, global = true)]
    pub sample_ratio: f64,
    /// Filter of log lines, in the syntax of tracing's `EnvFilter`
    #[arg(long, env = "LOG", default_value = "info", global = true)]
    pub log: String,
}

/// Settings of a server.
///
/// Not a clap group: a service that flattens these settings usually has a struct named `Serve`, too.
#[derive(Args, Clone)]
#[command(next_help_heading = "Server")]
#[group(skip)]
pub struct Serve {
    /// How long to keep accepting after SIGTERM, until load balancers have noticed, in milliseconds
    #[arg(long, env = "DRAIN_DELAY_MS", default_value = "5000", value_parser = milliseconds)]
    pub drain_delay: Duration,
    /// How long requests and background tasks may take to finish after that, in milliseconds
    #[arg(long, env = "DRAIN_LIMIT_MS", default_value = "12000", value_parser = milliseconds)]
    pub drain_limit: Duration,
    /// The address to serve metrics on (`GET /metrics`, for Prometheus), e.g. `0.0.0.0:9090`; if absent, metrics are
    /// not served
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

/// Parses a number of seconds below 2³² for a [`time::Duration`].
pub fn time_seconds(text: &str) -> Result<time::Duration, String> {
    text.parse::<u32>()
        .map(|seconds| time::Duration::seconds(seconds.into()))
        .map_err(|_| format!("'{text}' is not a number of seconds"))
}

/// Listens on `address`, or uses the listening socket passed as standard input.
///
/// A supervisor that keeps the socket while it restarts a process (`StandardInput=socket` in systemd) loses no
/// connection: clients wait in the backlog.
///
/// The backlog is the system's maximum (`net.core.somaxconn`). Connections come in bursts, and a client that finds the
/// backlog full retries only after a second. tokio's default is 128.
///
/// # Errors
///
/// If the address is in use or does not belong to this machine.
pub async fn bind(address: SocketAddr) -> Result<TcpListener, Failure> {
    let listener = match inherited()? {
        Some(listener) => listener,
        None => TcpListener::bind(address).await.map_err(|error| {
            format!(
                "cannot listen on {address}: {error}; stop the process that uses it or pass another address"
            )
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
