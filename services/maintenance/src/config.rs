//! What the process can be asked to do. `--help` is the manual.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Args, Subcommand};

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
}

/// How to serve.
#[derive(Args)]
pub struct Serve {
    /// The address to serve gRPC and the probes on
    #[arg(long, env = "MAINTENANCE_LISTEN", default_value = "127.0.0.1:7300")]
    pub listen: SocketAddr,
    /// Where windows are declared: YAML, one `MaintenanceWindow` a document; followed while it changes. A file that is
    /// empty or not there declares none
    #[arg(long, env = "MAINTENANCE_FILE")]
    pub file: PathBuf,
    /// Drain.
    #[command(flatten)]
    pub server: kit::config::Serve,
}
