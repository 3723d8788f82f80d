//! The settings of a process as data. `edge settings` prints them, for the checks of the manifests (`k8s/check`).

use clap::{Arg, Command};
use serde::Serialize;

/// The hidden command that prints them.
pub(crate) const COMMAND: &str = "settings";

/// An environment variable that a process reads.
#[derive(Debug, PartialEq, Eq, Serialize)]
struct Setting {
    /// E.g. `EDGE_AUTH_URL`.
    name: String,
    /// The command that reads it; `None` for a setting of every command.
    command: Option<String>,
    /// Whether the command requires it.
    required: bool,
    /// Its default value.
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
    use clap::{CommandFactory as _, Subcommand};

    use super::*;
    use crate::config::Cli;

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
