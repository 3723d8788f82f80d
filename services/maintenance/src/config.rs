//! What the process can be asked to do. `--help` is the manual.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand, ValueEnum};

/// What to do.
#[derive(Subcommand)]
pub enum Command {
    /// Tell every edge which maintenance windows are declared, and each change as it happens
    Serve(Serve),
    /// Say whether a file of windows is right, and what is in it
    Check {
        /// YAML, one `MaintenanceWindow` a document
        file: PathBuf,
    },
    /// Print the definition of `MaintenanceWindow` for Kubernetes
    Crd,
}

/// How to serve.
#[derive(Args)]
pub struct Serve {
    /// The address to serve gRPC and the probes on
    #[arg(long, env = "MAINTENANCE_LISTEN", default_value = "127.0.0.1:7300")]
    pub listen: SocketAddr,
    /// Where windows are declared
    #[arg(long, env = "MAINTENANCE_SOURCE", default_value = "file")]
    pub source: Origin,
    /// The file of windows: YAML, one `MaintenanceWindow` a document; followed while it changes. One that is empty or
    /// not there declares none
    #[arg(long, env = "MAINTENANCE_FILE")]
    pub file: Option<PathBuf>,
    /// How long after the start nothing is written back to Kubernetes, in milliseconds: by then every edge is taken to
    /// have found this process
    #[arg(long, env = "MAINTENANCE_SETTLE_MS", default_value = "10000", value_parser = kit::config::milliseconds)]
    pub settle: Duration,
    /// Who may call.
    #[command(flatten)]
    pub caller_keys: kit::caller::CallerKeys,
    /// Drain.
    #[command(flatten)]
    pub server: kit::config::Serve,
}

/// Where windows are declared.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Origin {
    /// In a file
    File,
    /// As objects of Kubernetes, in this pod's namespace or the one that KUBECONFIG says
    Kube,
}
