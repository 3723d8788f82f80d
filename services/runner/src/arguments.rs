//! Arguments of several commands.

use std::path::PathBuf;

use clap::Args;

/// The state folder of the product.
#[derive(Args, Clone)]
pub struct At {
    /// The folder of databases, logs, ports and secrets [default: .dev in the repository]
    #[arg(long, value_name = "DIR")]
    pub state: Option<PathBuf>,
}

/// The processes of the services.
#[derive(Args, Clone)]
pub struct Processes {
    /// The number of processes of auth, lms and edge each; with several, each auth hashes one password at a time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=4))]
    pub replicas: u8,
    /// A setting of a service, for example `AUTH_LOGINS_BURST=1000`; may be repeated
    #[arg(long, value_name = "NAME=VALUE", value_parser = setting)]
    pub set: Vec<(String, String)>,
}

fn setting(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err("expected NAME=VALUE".to_owned()),
    }
}
