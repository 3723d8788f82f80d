//! The commands and settings of the process. `--help` is the manual.

use std::net::SocketAddr;

use clap::{Args, Subcommand};

/// A command.
#[derive(Subcommand)]
pub enum Command {
    /// Serve exams, applications and sittings over gRPC
    Serve(Serve),
    /// Bring the database's schema up to date
    Migrate(Database),
}

/// Settings of `serve`.
#[derive(Args)]
pub struct Serve {
    /// The address to serve gRPC and the probes on
    #[arg(long, env = "EXAM_LISTEN", default_value = "127.0.0.1:7800")]
    pub listen: SocketAddr,
    /// Where everything is kept.
    #[command(flatten)]
    pub database: Database,
    /// Who may call.
    #[command(flatten)]
    pub caller_keys: kit::caller::CallerKeys,
    /// Drain.
    #[command(flatten)]
    pub server: kit::config::Serve,
}

/// The settings of the database of exam.
pub type Database = kit_db::config::DatabaseArgs<ExamDatabase>;

/// Their names and defaults.
pub struct ExamDatabase;

impl kit_db::config::DatabaseSettings for ExamDatabase {
    const URL: &'static str = "EXAM_DATABASE_URL";
    const CONNECTIONS: &'static str = "EXAM_DATABASE_CONNECTIONS";
    const DEFAULT_CONNECTIONS: &'static str = "16";
}
