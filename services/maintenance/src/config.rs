//! Commands and settings. `--help` is the manual.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand, ValueEnum};

/// The commands of maintenance.
#[derive(Subcommand)]
pub enum Command {
    /// Serve the declared maintenance windows, and every change, to the edges
    Serve(Serve),
    /// Check a file of windows and print them
    Check {
        /// YAML, one `MaintenanceWindow` a document
        file: PathBuf,
    },
    /// Print the `CustomResourceDefinition` of `MaintenanceWindow`
    Crd,
}

/// Settings of `serve`.
#[derive(Args)]
pub struct Serve {
    /// The address to serve gRPC and the probes on
    #[arg(long, env = "MAINTENANCE_LISTEN", default_value = "127.0.0.1:7300")]
    pub listen: SocketAddr,
    /// Where windows are declared
    #[arg(long, env = "MAINTENANCE_SOURCE", default_value = "file")]
    pub source: Origin,
    /// The file of windows: YAML, one `MaintenanceWindow` a document. Changes are applied at once. An empty or missing
    /// file declares none
    #[arg(long, env = "MAINTENANCE_FILE")]
    pub file: Option<PathBuf>,
    /// Delay after the start before statuses are written to Kubernetes, in milliseconds: time for every edge to connect
    #[arg(long, env = "MAINTENANCE_SETTLE_MS", default_value = "10000", value_parser = kit::config::milliseconds)]
    pub settle: Duration,
    #[command(flatten)]
    pub caller_keys: kit::caller::CallerKeys,
    #[command(flatten)]
    pub server: kit::config::Serve,
}

/// Where windows are declared.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Origin {
    /// In a file
    File,
    /// As Kubernetes objects, in the pod's namespace or that of KUBECONFIG
    Kube,
}
