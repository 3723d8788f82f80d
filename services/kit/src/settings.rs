//! The settings of a process as data. `edge settings` prints them, for the checks of the manifests (`k8s/check`).

use clap::{Arg, Command};
use serde::Serialize;

/// The hidden command that prints them.
pub(crate) const COMMAND: &str = "settings";

/// An environment variable that a process reads.
#[derive(Debug, PartialEq, Eq, Serialize)]
struct Setting {
    /// `EDGE_AUTH_URL`.
    name: String,
    /// The command that reads it; `None` for a setting of every command.
    command: Option<String>,
    /// Whether the command refuses to run without it.
    required: bool,
    /// Its value when it is not set.
    default: Option<String>,
}

impl Setting {
    /// The setting of an argument; `None` for an argument that is not read from the environment.
    fn from_argument(argument: &Arg, command: Option<&str>) -> Option<Self> {
        let default = argument.get_default_values().first();
        Some(Self {
            name: argument.get_env()?.to_str()?.to_owned(),
            command: command.map(str::to_owned),
            required: argument.is_required_set(),
            default: default.map(|value| value.to_string_lossy().into_owned()),
        })
    }
}

/// Adds the hidden command to the command line of a process.
pub(crate) fn add_command(cli: Command) -> Command {
    cli.subcommand(Command::new(COMMAND).about("Print every setting as JSON").hide(true))
}

/// Every setting of `cli` and of its commands, as JSON.
pub(crate) fn to_json(cli: &Command) -> serde_json::Result<String> {
    serde_json::to_string_pretty(&collect(cli))
}

fn collect(cli: &Command) -> Vec<Setting> {
    let global = cli.get_arguments().filter_map(|argument| Setting::from_argument(argument, None));
    let of_commands = cli.get_subcommands().flat_map(|command| {
        let name = command.get_name();
        command.get_arguments().filter_map(move |argument| Setting::from_argument(argument, Some(name)))
    });
    global.chain(of_commands).collect()
}

#[cfg(test)]
mod tests {
    use clap::{CommandFactory as _, Parser as _, Subcommand};

    use super::*;
    use crate::config::{Cli, Database, DatabaseArgs, DatabaseSettings};

    #[derive(Subcommand)]
    enum Shop {
        Serve {
            #[arg(long, env = "SHOP_URL")]
            url: String,
            #[arg(long, env = "SHOP_LIMIT", default_value_t = 12)]
            limit: u32,
            #[arg(long, env = "SHOP_PEER")]
            peer: Option<String>,
            #[arg(long)]
            dry_run: bool,
        },
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

    #[test]
    fn the_settings_of_a_database_have_the_names_and_defaults_of_their_service() {
        let settings = collect(&Cli::<Shop>::command());
        let of_command = |command: &str| -> Vec<_> {
            let settings = settings.iter().filter(|one| one.command.as_deref() == Some(command));
            settings.map(|one| (one.name.as_str(), one.required, one.default.as_deref())).collect()
        };
        let wait = ("DATABASE_WAIT", false, Some("60"));
        assert_eq!(
            of_command("migrate"),
            [("SHOP_DATABASE_URL", true, None), ("SHOP_DATABASE_CONNECTIONS", false, Some("8")), wait]
        );
        assert_eq!(
            of_command("stock"),
            [("STOCK_DATABASE_URL", true, None), ("STOCK_DATABASE_CONNECTIONS", false, Some("16")), wait]
        );
    }

    #[test]
    fn a_database_has_the_connections_of_its_arguments_and_no_fewer_than_its_service_needs() {
        let parse = |command: &str, connections: &str| {
            let arguments = ["shop", command, "--database-url", "postgres://db", "--database-connections"];
            let cli = Cli::<Shop>::try_parse_from(arguments.iter().copied().chain([connections])).ok()?;
            match cli.command {
                Shop::Migrate(database) => Some(Database::from(&database)),
                Shop::Stock(database) => Some(Database::from(&database)),
                Shop::Serve { .. } => None,
            }
        };
        let database = parse("migrate", "1").unwrap();
        assert_eq!((database.url.as_str(), database.max_connections), ("postgres://db", 1));
        assert!(parse("migrate", "0").is_none());
        assert!(parse("stock", "1").is_none());
        assert_eq!(parse("stock", "2").unwrap().max_connections, 2);
    }

    #[test]
    fn settings_say_which_command_requires_them_and_their_default() {
        let settings = collect(&add_command(Cli::<Shop>::command()));
        let find = |name: &str| settings.iter().find(|one| one.name == name).expect(name);
        let serve = |name: &str, required, default: Option<&str>| Setting {
            name: name.to_owned(),
            command: Some("serve".to_owned()),
            required,
            default: default.map(str::to_owned),
        };
        assert_eq!(*find("SHOP_URL"), serve("SHOP_URL", true, None));
        assert_eq!(*find("SHOP_LIMIT"), serve("SHOP_LIMIT", false, Some("12")));
        assert_eq!(*find("SHOP_PEER"), serve("SHOP_PEER", false, None));
        assert_eq!(find("TOKIO_WORKER_THREADS").command, None);
        assert_eq!(settings.iter().filter(|one| one.command.as_deref() == Some("serve")).count(), 3);
    }
}
