//! What the process can be asked to do. `--help` is the manual.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Args, Subcommand};

/// What to do.
#[derive(Subcommand)]
pub enum Command {
    /// Serve the site
    Serve(Serve),
}

/// How to serve.
#[derive(Args)]
pub struct Serve {
    /// The address to serve HTTP and the probes on
    #[arg(long, env = "SITE_LISTEN", default_value = "127.0.0.1:7400")]
    pub listen: SocketAddr,
    /// The folder that the build of web/ made (`web/apps/site/dist/client`), with its `routes.json`; read once, at start
    #[arg(long, env = "SITE_ROOT")]
    pub root: PathBuf,
    /// People reach the site over HTTPS: browsers are told to fetch nothing without it
    #[arg(long, env = "SITE_HTTPS")]
    pub https: bool,
    /// Drain.
    #[command(flatten)]
    pub server: kit::config::Serve,
}
