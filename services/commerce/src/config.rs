//! What the process can be asked to do. `--help` is the manual.

use std::net::SocketAddr;

use clap::{Args, Subcommand};

/// What to do.
#[derive(Subcommand)]
pub enum Command {
    /// Serve products and their prices over gRPC
    Serve(Serve),
    /// Bring the database's schema up to date
    Migrate(Database),
    /// Bring the products in line with content; changes nothing when anything in it is wrong
    ///
    /// A folder has `products.yaml`; an archive has the same in `commerce/`.
    Import(Import),
    /// Say which versions of the content were imported, newest first
    Content(Database),
}

/// How to serve.
#[derive(Args)]
pub struct Serve {
    /// The address to serve gRPC and the probes on
    #[arg(long, env = "COMMERCE_LISTEN", default_value = "127.0.0.1:7600")]
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

/// What to import, and where to.
#[derive(Args)]
pub struct Import {
    /// What to import.
    #[command(flatten)]
    pub content: kit::content::Content,
    /// Change nothing, and say what would be changed
    #[arg(long)]
    pub dry_run: bool,
    /// Where everything is kept.
    #[command(flatten)]
    pub database: Database,
}

/// Where everything is kept.
#[derive(Args, Clone)]
#[command(next_help_heading = "Database")]
pub struct Database {
    /// `postgres://user:password@host:port/name`
    #[arg(long = "database-url", env = "COMMERCE_DATABASE_URL", hide_env_values = true)]
    pub url: String,
    /// The most connections held at once
    #[arg(long = "database-connections", env = "COMMERCE_DATABASE_CONNECTIONS", default_value_t = 8)]
    pub max_connections: u32,
    /// For commands.
    #[command(flatten)]
    pub wait: kit::config::DatabaseWait,
}

impl From<Database> for kit::config::Database {
    fn from(database: Database) -> Self {
        Self { wait: database.wait.limit, ..Self::new(database.url, database.max_connections) }
    }
}
