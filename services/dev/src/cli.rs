//! The command line. `cargo dev --help` is the manual.

mod content;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

pub(crate) use bench::arguments::{Bench, Fill};
pub(crate) use content::{Cluster, Content, ContentCommand, ContentPack, ContentPush};
pub(crate) use runner::arguments::{At, Processes};

/// Run the whole product on one machine, and test it.
#[derive(Parser)]
#[command(name = "cargo dev", bin_name = "cargo dev", version)]
pub(crate) struct Cli {
    /// The command.
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// The command.
#[derive(Subcommand)]
pub(crate) enum Command {
    /// Set everything up and run the product
    Up(Up),
    /// Stop the product
    Down(At),
    /// Show the processes of the product
    Status(At),
    /// Print the logs of the services
    Logs(Logs),
    /// Stop the product and delete its state folder: databases, logs, secrets
    Reset(At),
    /// Print the span tree of a request
    Trace(Trace),
    /// Open or close the site for maintenance
    Maintenance(Maintenance),
    /// Run all tests, or the named parts
    Test(Test),
    /// Add learners to the running product's databases
    Fill(Fill),
    /// Measure the product under load
    Bench(Bench),
    /// Build the images of the services and list the contents of each
    Images(Images),
    /// Generate random secrets for a new cluster, as Kubernetes manifests
    Secrets(Secrets),
    /// Write every mail with example values to a folder, with an index page
    Mails(At),
    /// Fetch Japan's postal codes in the format of `desk import-postal`
    Postal(Postal),
    /// Check, pack and push content
    Content(Content),
    /// Become another program that ends when this one ends
    #[command(hide = true)]
    Child(runner::child::Arguments),
}

/// The arguments of `postal`.
#[derive(Args, Clone)]
pub(crate) struct Postal {
    /// The state folder that caches them.
    #[command(flatten)]
    pub(crate) at: At,
    /// The file to write
    pub(crate) file: PathBuf,
}

/// The arguments of `up`.
#[derive(Args, Clone)]
#[expect(clippy::struct_excessive_bools, reason = "the switches are independent")]
pub(crate) struct Up {
    /// The state folder of the product.
    #[command(flatten)]
    pub(crate) at: At,
    /// The port of the gateway on 127.0.0.1
    #[arg(long, default_value_t = 8080)]
    pub(crate) port: u16,
    /// Return once it is ready; `cargo dev down` stops it
    #[arg(long)]
    pub(crate) detach: bool,
    /// The URL of a PostgreSQL server, version 18 or newer, and of a role that may create roles and databases [default: starts its own]
    #[arg(long, env = "DATABASE_URL", hide_env_values = true)]
    pub(crate) database_url: Option<String>,
    /// Run the back end and the gateway without the site
    #[arg(long)]
    pub(crate) no_web: bool,
    /// Run the existing build
    #[arg(long)]
    pub(crate) no_build: bool,
    /// Build and run with optimization, as in production
    #[arg(long)]
    pub(crate) release: bool,
    /// The processes of the services.
    #[command(flatten)]
    pub(crate) processes: Processes,
}

/// The arguments of `logs`.
#[derive(Args)]
pub(crate) struct Logs {
    /// The state folder of the product.
    #[command(flatten)]
    pub(crate) at: At,
    /// The service [default: all]
    pub(crate) service: Option<String>,
    /// Print new lines as they are written
    #[arg(short, long)]
    pub(crate) follow: bool,
}

/// The arguments of `trace`.
#[derive(Args)]
pub(crate) struct Trace {
    /// The state folder of the product.
    #[command(flatten)]
    pub(crate) at: At,
    /// A trace id, or the traceparent of a `Server-Timing` header
    pub(crate) id: String,
}

/// The arguments of `maintenance`.
#[derive(Args)]
pub(crate) struct Maintenance {
    /// The state folder of the product.
    #[command(flatten)]
    pub(crate) at: At,
    /// `on` closes the whole site; `off` opens it; FILE is a YAML file of `MaintenanceWindow`s
    #[arg(value_name = "on|off|FILE")]
    pub(crate) what: String,
}

/// The arguments of `test`.
#[derive(Args)]
pub(crate) struct Test {
    /// The state folder of the product.
    #[command(flatten)]
    pub(crate) at: At,
    /// Parts, in this order [default: all, without the long ones that passed on the same files within 24 hours]
    pub(crate) parts: Vec<Part>,
}

/// A part of the tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub(crate) enum Part {
    /// Formatting of Rust and of the site's sources
    Format,
    /// Rust: lints, tests against a real PostgreSQL, `.sqlx` up to date
    Rust,
    /// Protocol: lint and breaking changes
    Proto,
    /// Dependencies: licences, sources, duplicates, known vulnerabilities
    Policy,
    /// Kubernetes: every overlay against schemas and allowed connections; alerts, Containerfile, Tiltfile
    K8s,
    /// The site: lint, types, unit and component tests, generated API types up to date, build
    Web,
    /// The product in a real browser
    E2e,
    /// The product while its parts fail: killed, hung, cut off
    Faults,
    /// The calendar files, and every API call against the OpenAPI document
    Schema,
    /// Each parser of untrusted input, one minute; runs by name only
    Fuzz,
}

/// The arguments of `images`.
#[derive(Args)]
pub(crate) struct Images {
    /// The state folder; its `images` folder gets a `CycloneDX` list of the contents of each image
    #[command(flatten)]
    pub(crate) at: At,
    /// The services [default: all]
    #[arg(value_parser = runner::services::SERVICES)]
    pub(crate) services: Vec<String>,
    /// The builder [default: the one on PATH, buildah first]; buildah without an OCI runtime needs
    /// `BUILDAH_ISOLATION=chroot`
    #[arg(long, value_enum)]
    pub(crate) builder: Option<Builder>,
    /// The base image [default: the one in services/Containerfile]; an image in the builder's own store needs no registry
    #[arg(long, value_name = "IMAGE")]
    pub(crate) base: Option<String>,
    /// The image to compile in; needs the same Debian release as the base
    #[arg(long, value_name = "IMAGE")]
    pub(crate) rust: Option<String>,
    /// The image to build the site in
    #[arg(long, value_name = "IMAGE")]
    pub(crate) node: Option<String>,
    /// Compile on this machine and copy the result: needs the base image only, whose C library must be as new as this
    /// machine's
    #[arg(long, conflicts_with_all = ["rust", "node"])]
    pub(crate) prebuilt: bool,
    /// Make the site's pages from the content of this product, for example `https://www.konomana.jp` [default: the content
    /// of the last build; after `cargo dev up`, the demo's]
    #[arg(long, value_name = "URL")]
    pub(crate) api: Option<String>,
    /// The address of the site, for its sitemap
    #[arg(long, value_name = "URL", default_value = "http://127.0.0.1:8080")]
    pub(crate) origin: String,
    /// The tag of the images
    #[arg(long, default_value = "dev")]
    pub(crate) tag: String,
}

/// An image builder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Builder {
    /// Needs no daemon
    Buildah,
    /// Needs the Docker engine and buildx
    Docker,
}

/// The arguments of `secrets`.
#[derive(Args)]
pub(crate) struct Secrets {
    /// The namespace of the product
    #[arg(short, long, default_value = "konomana", value_parser = namespace)]
    pub(crate) namespace: String,
    /// The mail server of desk, for example `smtps://user:password@host`
    #[arg(
        long,
        value_name = "URL",
        env = "DESK_SMTP_URL",
        hide_env_values = true,
        required_unless_present = "caller_keys"
    )]
    pub(crate) smtp_url: Option<String>,
    /// The key with which commerce calls the payment provider, `sk_…` or `rk_…`
    #[arg(
        long,
        value_name = "KEY",
        env = "COMMERCE_PROVIDER_KEY",
        hide_env_values = true,
        required_unless_present_any = ["caller_keys", "payment_sandbox"]
    )]
    pub(crate) provider_key: Option<String>,
    /// The secret of the provider's webhook endpoint, `whsec_…`
    #[arg(
        long,
        value_name = "SECRET",
        env = "COMMERCE_PROVIDER_WEBHOOK_SECRET",
        hide_env_values = true,
        required_unless_present_any = ["caller_keys", "payment_sandbox"]
    )]
    pub(crate) provider_webhook_secret: Option<String>,
    /// Random values in place of those two, for a cluster with the stand-in of the payment provider
    #[arg(long)]
    pub(crate) payment_sandbox: bool,
    /// Only the keys that sign calls between services, to add or replace them in a running cluster
    #[arg(long)]
    pub(crate) caller_keys: bool,
    /// Write them to this new file instead of printing them
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}

fn namespace(text: &str) -> Result<String, String> {
    let fits = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    let is_name = (1..=63).contains(&text.len())
        && text.bytes().all(fits)
        && !text.starts_with('-')
        && !text.ends_with('-');
    if is_name { Ok(text.to_owned()) } else { Err("not the name of a namespace".to_owned()) }
}
