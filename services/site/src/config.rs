//! Commands and settings. `--help` is the manual.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Args, Subcommand};

/// The commands of site.
#[derive(Subcommand)]
pub enum Command {
    /// Serve the site
    Serve(Serve),
}

/// Settings of `serve`.
#[derive(Args)]
pub struct Serve {
    /// The address to serve HTTP and the probes on
    #[arg(long, env = "SITE_LISTEN", default_value = "127.0.0.1:7400")]
    pub listen: SocketAddr,
    /// The output folder of the web build (`web/apps/site/dist/client`) with its `routes.json`; read once, at start
    #[arg(long, env = "SITE_ROOT")]
    pub root: PathBuf,
    /// Visitors use HTTPS: the security policy upgrades all requests to HTTPS
    #[arg(long, env = "SITE_HTTPS")]
    pub https: bool,
    #[command(flatten)]
    pub server: kit::config::Serve,
}
