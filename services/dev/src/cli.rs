//! The command line. `cargo dev --help` is the manual.

mod content;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

pub(crate) use content::{Cluster, Content, ContentCommand, ContentPack, ContentPush};

/// Runs the whole product on one machine, and tests it.
#[derive(Parser)]
#[command(name = "cargo dev", bin_name = "cargo dev", version)]
pub(crate) struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// What to do.
#[derive(Subcommand)]
pub(crate) enum Command {
    /// Set everything up and run the product
    Up(Up),
    /// Stop the product
    Down(At),
    /// Say what runs, and how it is
    Status(At),
    /// Print what the services write
    Logs(Logs),
    /// Stop the product and delete its state folder: databases, logs, secrets
    Reset(At),
    /// Print the span tree of a request
    Trace(Trace),
    /// Open or close the site for maintenance
    Maintenance(Maintenance),
    /// Test everything, or parts
    Test(Test),
    /// Add learners to the running product's databases
    Fill(Fill),
    /// Measure the product under load
    Bench(Bench),
    /// Build the images of the services, and a list of what is in each
    Images(Images),
    /// Make random secrets for a fresh cluster, as Kubernetes manifests
    Secrets(Secrets),
    /// Fetch Japan's postal codes, in the form that `desk import-postal` takes
    Postal(Postal),
    /// Look after what people read
    Content(Content),
    /// Become another program, tied to this one's life
    #[command(hide = true)]
    Child(Child),
}

/// Which product.
#[derive(Args, Clone)]
pub(crate) struct At {
    /// Where databases, logs, ports and secrets are kept [default: .dev in the repository]
    #[arg(long, value_name = "DIR")]
    pub(crate) state: Option<PathBuf>,
}

/// Where postal codes go.
#[derive(Args, Clone)]
pub(crate) struct Postal {
    /// Which product's state folder they are kept in.
    #[command(flatten)]
    pub(crate) at: At,
    /// The file to write
    pub(crate) file: PathBuf,
}

/// How to run the product.
#[derive(Args, Clone)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub(crate) struct Up {
    /// Which product.
    #[command(flatten)]
    pub(crate) at: At,
    /// The port of 127.0.0.1 that browsers open
    #[arg(long, default_value_t = 8080)]
    pub(crate) port: u16,
    /// Return once it is ready; `cargo dev down` stops it
    #[arg(long)]
    pub(crate) detach: bool,
    /// Use this PostgreSQL 18 (or newer), as a role that may make roles and databases, in place of the one brought along
    #[arg(long, env = "DATABASE_URL", hide_env_values = true)]
    pub(crate) database_url: Option<String>,
    /// Run without the site: the back end and the gateway alone
    #[arg(long)]
    pub(crate) no_web: bool,
    /// Run what is built already
    #[arg(long)]
    pub(crate) no_build: bool,
    /// Build and run with optimisation, as for production
    #[arg(long)]
    pub(crate) release: bool,
    /// Which processes
    #[command(flatten)]
    pub(crate) processes: Processes,
}

/// How the services run.
#[derive(Args, Clone)]
pub(crate) struct Processes {
    /// How many processes of auth, lms and edge each, as in a cluster; each auth then hashes one password at a time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=4))]
    pub(crate) replicas: u8,
    /// A setting of a service by its environment name, e.g. `AUTH_LOGINS_BURST=1000`; may be repeated
    #[arg(long, value_name = "NAME=VALUE", value_parser = setting)]
    pub(crate) set: Vec<(String, String)>,
}

fn setting(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err("not like NAME=VALUE".to_owned()),
    }
}

/// Which logs.
#[derive(Args)]
pub(crate) struct Logs {
    /// Which product.
    #[command(flatten)]
    pub(crate) at: At,
    /// One service; without it, all
    pub(crate) service: Option<String>,
    /// Go on as lines are written
    #[arg(short, long)]
    pub(crate) follow: bool,
}

/// Which request.
#[derive(Args)]
pub(crate) struct Trace {
    /// Which product.
    #[command(flatten)]
    pub(crate) at: At,
    /// A trace id, or a whole traceparent as `Server-Timing` shows it
    pub(crate) id: String,
}

/// What to declare.
#[derive(Args)]
pub(crate) struct Maintenance {
    /// Which product.
    #[command(flatten)]
    pub(crate) at: At,
    /// `on` closes the whole site, `off` opens it, anything else is a YAML file of `MaintenanceWindow`s
    #[arg(value_name = "on|off|FILE")]
    pub(crate) what: String,
}

/// What to test.
#[derive(Args)]
pub(crate) struct Test {
    /// Which product.
    #[command(flatten)]
    pub(crate) at: At,
    /// Parts, in this order; without any, all but the long ones that passed today on the same files
    pub(crate) parts: Vec<Part>,
}

/// A part of the tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub(crate) enum Part {
    /// The format of Rust and of the site's sources
    Format,
    /// Lints, Rust tests against a real PostgreSQL, .sqlx clean
    Rust,
    /// Lint of the protocol, and no breaking change
    Proto,
    /// Licences, sources, duplicates and known vulnerabilities of what we depend on
    Policy,
    /// Kubernetes: every overlay renders, fits its schemas and the picture; alerts, container file, Tiltfile
    K8s,
    /// The site: lint, types, unit and component tests, generated API types clean, build
    Web,
    /// The product in a real browser
    E2e,
    /// The product while its parts fail
    Faults,
    /// Every call of the API against its own document
    Schema,
    /// A minute of arbitrary bytes for each reader of what strangers send; runs by name only
    Fuzz,
}

/// How many learners.
#[derive(Args)]
pub(crate) struct Fill {
    /// Which product.
    #[command(flatten)]
    pub(crate) at: At,
    /// How many
    #[arg(long, value_name = "N")]
    pub(crate) learners: u32,
    /// Where to write `email,password` of each
    #[arg(long, value_name = "FILE")]
    pub(crate) csv: PathBuf,
    /// The PostgreSQL that the product was started with, if not its own
    #[arg(long, env = "DATABASE_URL", hide_env_values = true)]
    pub(crate) database_url: Option<String>,
}

/// What `cargo dev bench --only` measures besides pages.
pub(crate) const PRESSURE: &str = "pressure";
pub(crate) const WATCHING: &str = "watching";
pub(crate) const HISTORY: &str = "history";
pub(crate) const SEARCH: &str = "search";
pub(crate) const CALLER: &str = "caller";
/// Everything that `--only` takes: pages first.
const MEASUREMENTS: [&str; 10] =
    ["inventory", "detail", "bookmark", "user", "login", PRESSURE, WATCHING, HISTORY, SEARCH, CALLER];

/// How to measure.
#[derive(Args)]
pub(crate) struct Bench {
    /// Which product; its bench has a state of its own in there
    #[command(flatten)]
    pub(crate) at: At,
    /// How long to load each page at each number of connections
    #[arg(long, default_value_t = 8)]
    pub(crate) seconds: u64,
    /// Only this page, or the product under more than it can bear, 500 learners watching, the inventory over ten million
    /// rows of watch history, or the search
    #[arg(long, value_name = "NAME", value_parser = MEASUREMENTS)]
    pub(crate) only: Option<String>,
    /// The smaller number of learners; the larger is a hundred times as many
    #[arg(long, default_value_t = 1_000)]
    pub(crate) learners: u32,
    /// Which processes
    #[command(flatten)]
    pub(crate) processes: Processes,
}

/// Which images, and how.
#[derive(Args)]
pub(crate) struct Images {
    /// Which product; what is in each image is listed in `images` of its state folder, as a `CycloneDX` file
    #[command(flatten)]
    pub(crate) at: At,
    /// Services; without any, all
    #[arg(value_parser = crate::services::SERVICES)]
    pub(crate) services: Vec<String>,
    /// What builds them [default: what is on PATH, buildah first]; buildah without an OCI runtime wants
    /// `BUILDAH_ISOLATION=chroot` in its environment
    #[arg(long, value_enum)]
    pub(crate) builder: Option<Builder>,
    /// Stand on this image instead of the one that services/Containerfile names; no registry is asked for one that lies
    /// in the builder's own store
    #[arg(long, value_name = "IMAGE")]
    pub(crate) base: Option<String>,
    /// Compile in this image instead: one of the same Debian as the base
    #[arg(long, value_name = "IMAGE")]
    pub(crate) rust: Option<String>,
    /// Build the site's files in this image instead
    #[arg(long, value_name = "IMAGE")]
    pub(crate) node: Option<String>,
    /// Compile on this machine, with its cargo and npm, and copy what came out: needs no image but the base, whose C
    /// library must not be older than this machine's
    #[arg(long, conflicts_with_all = ["rust", "node"])]
    pub(crate) prebuilt: bool,
    /// Make the site's pages from the content of this product, e.g. `https://www.konomana.jp`; without it they are
    /// made from what was asked for last, for `cargo dev up` the demo's
    #[arg(long, value_name = "URL")]
    pub(crate) api: Option<String>,
    /// Where people reach the site: its sitemap names it
    #[arg(long, value_name = "URL", default_value = "http://127.0.0.1:8080")]
    pub(crate) origin: String,
    /// The tag of the images
    #[arg(long, default_value = "dev")]
    pub(crate) tag: String,
}

/// A program that builds images.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Builder {
    /// Needs no service in the background
    Buildah,
    /// With its engine and its plugin buildx
    Docker,
}

/// Secrets for whom.
#[derive(Args)]
pub(crate) struct Secrets {
    /// The namespace of the product
    #[arg(short, long, default_value = "konomana", value_parser = namespace)]
    pub(crate) namespace: String,
    /// The mail server that desk sends by, which nobody can make up, e.g. `smtps://user:password@host`
    #[arg(
        long,
        value_name = "URL",
        env = "DESK_SMTP_URL",
        hide_env_values = true,
        required_unless_present = "caller_keys"
    )]
    pub(crate) smtp_url: Option<String>,
    /// Only the keys that services sign their calls with: for a cluster that has none yet, or new ones in their place
    #[arg(long)]
    pub(crate) caller_keys: bool,
    /// Write them to this file, which must not exist yet, instead of printing them
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}

fn namespace(text: &str) -> Result<String, String> {
    let fits = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    let is_name = (1..=63).contains(&text.len())
        && text.bytes().all(fits)
        && !text.starts_with('-')
        && !text.ends_with('-');
    if is_name { Ok(text.to_owned()) } else { Err("not a namespace's name".to_owned()) }
}

/// How to be a child.
#[derive(Args)]
pub(crate) struct Child {
    /// Who must be alive: the process whose end is this one's end
    #[arg(long)]
    pub(crate) parent: i32,
    /// What arrives when it ends: `term` or `int`
    #[arg(long)]
    pub(crate) signal: String,
    /// As whom to run
    #[arg(long)]
    pub(crate) uid: Option<u32>,
    /// In which group
    #[arg(long)]
    pub(crate) gid: Option<u32>,
    /// The program and its arguments
    #[arg(last = true, required = true)]
    pub(crate) program: Vec<std::ffi::OsString>,
}
