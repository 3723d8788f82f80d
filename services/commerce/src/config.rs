//! Commands and settings. `--help` is the manual.

use std::net::SocketAddr;

use clap::{Args, Subcommand};

/// The commands of commerce.
#[derive(Subcommand)]
pub enum Command {
    /// Serve products and their prices over gRPC
    Serve(Serve),
    /// Bring the database's schema up to date
    Migrate(Database),
    /// Import products; a fault in the content changes nothing
    ///
    /// A folder has `products.yaml`; an archive has the same in `commerce/`.
    Import(Import),
    /// List the imported versions of the content, newest first
    Content(Database),
}

/// Settings of `serve`.
#[derive(Args)]
pub struct Serve {
    /// The address to serve gRPC and the probes on
    #[arg(long, env = "COMMERCE_LISTEN", default_value = "127.0.0.1:7600")]
    pub listen: SocketAddr,
    #[command(flatten)]
    pub database: Database,
    #[command(flatten)]
    pub caller_keys: kit::caller::CallerKeys,
    #[command(flatten)]
    pub server: kit::config::Serve,
}

/// Settings of `import`.
#[derive(Args)]
pub struct Import {
    #[command(flatten)]
    pub content: kit::content::Content,
    /// Only report what would change
    #[arg(long)]
    pub dry_run: bool,
    #[command(flatten)]
    pub database: Database,
}

/// The settings of the database of commerce.
pub type Database = kit::config::DatabaseArgs<CommerceDatabase>;

/// Their names and defaults.
pub struct CommerceDatabase;

impl kit::config::DatabaseSettings for CommerceDatabase {
    const URL: &'static str = "COMMERCE_DATABASE_URL";
    const CONNECTIONS: &'static str = "COMMERCE_DATABASE_CONNECTIONS";
    const DEFAULT_CONNECTIONS: &'static str = "8";
}
