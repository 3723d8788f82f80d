//! Settings of a database. A service flattens them into its own.

use std::marker::PhantomData;
use std::time::Duration;

use clap::Args;
use kit::config::seconds;

/// How long commands wait for a database.
///
/// Not a clap group, for the reason given at [`kit::config::Serve`].
#[derive(Args, Clone, Copy)]
#[group(skip)]
pub struct DatabaseWait {
    /// How many seconds a one-time command tries to reach the database; a server tries forever
    #[arg(long = "database-wait", env = "DATABASE_WAIT", default_value = "60", value_parser = seconds)]
    pub limit: Duration,
}

/// The names and defaults of the settings of a service's database. clap's derive accepts an expression as the name of a
/// variable, but cannot add a prefix.
pub trait DatabaseSettings {
    /// The variable of the URL, e.g. `LMS_DATABASE_URL`.
    const URL: &'static str;
    /// The variable of the number of connections, e.g. `LMS_DATABASE_CONNECTIONS`.
    const CONNECTIONS: &'static str;
    /// The default number of connections.
    const DEFAULT_CONNECTIONS: &'static str;
    /// The smallest number of connections that the service can work with.
    const LEAST_CONNECTIONS: i64 = 1;
}

/// The settings of a service's own database.
///
/// Not a clap group, for the reason given at [`kit::config::Serve`].
#[derive(Args)]
#[command(next_help_heading = "Database")]
#[group(skip)]
pub struct DatabaseArgs<Settings: DatabaseSettings> {
    /// `postgres://user:password@host:port/name`
    #[arg(long = "database-url", env = Settings::URL, hide_env_values = true)]
    url: String,
    /// Maximum number of connections
    #[arg(
        long = "database-connections",
        env = Settings::CONNECTIONS,
        default_value = Settings::DEFAULT_CONNECTIONS,
        value_parser = clap::value_parser!(u32).range(Settings::LEAST_CONNECTIONS..)
    )]
    max_connections: u32,
    /// How long commands wait for the database.
    #[command(flatten)]
    wait: DatabaseWait,
    #[arg(skip)]
    settings: PhantomData<Settings>,
}

impl<Settings: DatabaseSettings> From<&DatabaseArgs<Settings>> for Database {
    fn from(arguments: &DatabaseArgs<Settings>) -> Self {
        Self { wait: arguments.wait.limit, ..Self::new(arguments.url.clone(), arguments.max_connections) }
    }
}

/// How a service connects to its database.
#[derive(Clone, Debug)]
pub struct Database {
    /// `postgres://user:password@host:port/name`
    pub url: String,
    /// Maximum number of open connections.
    pub max_connections: u32,
    /// How long a request waits while all connections are in use. It waits some seconds for an absent database.
    pub patience: Duration,
    /// How long a one-time command waits for the database.
    pub wait: Duration,
}

impl Database {
    /// With the defaults: `patience` 1 s, `wait` 60 s.
    #[must_use]
    pub fn new(url: String, max_connections: u32) -> Self {
        Self { url, max_connections, patience: Duration::from_secs(1), wait: Duration::from_mins(1) }
    }
}

#[cfg(test)]
mod tests {
    use clap::{CommandFactory as _, Parser, Subcommand};

    use super::*;

    #[derive(Parser)]
    struct Cli {
        #[command(subcommand)]
        command: Shop,
    }

    #[derive(Subcommand)]
    enum Shop {
        Migrate(DatabaseArgs<ShopDatabase>),
        Stock(DatabaseArgs<StockDatabase>),
    }

    struct ShopDatabase;

    impl DatabaseSettings for ShopDatabase {
        const URL: &'static str = "SHOP_DATABASE_URL";
        const CONNECTIONS: &'static str = "SHOP_DATABASE_CONNECTIONS";
        const DEFAULT_CONNECTIONS: &'static str = "8";
    }

    struct StockDatabase;

    impl DatabaseSettings for StockDatabase {
        const URL: &'static str = "STOCK_DATABASE_URL";
        const CONNECTIONS: &'static str = "STOCK_DATABASE_CONNECTIONS";
        const DEFAULT_CONNECTIONS: &'static str = "16";
        const LEAST_CONNECTIONS: i64 = 2;
    }

    /// The variable of each setting of a command, whether it is required, and its default.
    fn settings(command: &str) -> Vec<(String, bool, Option<String>)> {
        let cli = Cli::command();
        let command = cli.find_subcommand(command).expect("the command is there");
        let settings = command.get_arguments().filter_map(|argument| {
            let name = argument.get_env()?.to_string_lossy().into_owned();
            let default = argument.get_default_values().first();
            Some((name, argument.is_required_set(), default.map(|it| it.to_string_lossy().into_owned())))
        });
        settings.collect()
    }

    #[test]
    fn the_settings_of_a_database_have_the_names_and_defaults_of_their_service() {
        let of_service = |url: &str, connections: &str, default: &str| {
            let optional = |name: &str, default: &str| (name.to_owned(), false, Some(default.to_owned()));
            let url = (url.to_owned(), true, None);
            vec![url, optional(connections, default), optional("DATABASE_WAIT", "60")]
        };
        assert_eq!(settings("migrate"), of_service("SHOP_DATABASE_URL", "SHOP_DATABASE_CONNECTIONS", "8"));
        assert_eq!(settings("stock"), of_service("STOCK_DATABASE_URL", "STOCK_DATABASE_CONNECTIONS", "16"));
    }

    #[test]
    fn a_database_has_the_connections_of_its_arguments_and_no_fewer_than_its_service_needs() {
        let parse = |command: &str, connections: &str| {
            let arguments = ["shop", command, "--database-url", "postgres://db", "--database-connections"];
            let cli = Cli::try_parse_from(arguments.iter().copied().chain([connections])).ok()?;
            match cli.command {
                Shop::Migrate(database) => Some(Database::from(&database)),
                Shop::Stock(database) => Some(Database::from(&database)),
            }
        };
        let database = parse("migrate", "1").unwrap();
        assert_eq!((database.url.as_str(), database.max_connections), ("postgres://db", 1));
        assert!(parse("migrate", "0").is_none());
        assert!(parse("stock", "1").is_none());
        assert_eq!(parse("stock", "2").unwrap().max_connections, 2);
    }
}
