//! `cargo dev content`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::namespace;

/// The subcommands of `content`.
#[derive(Args)]
pub(crate) struct Content {
    #[command(subcommand)]
    pub(crate) command: ContentCommand,
}

/// A subcommand of `content`.
#[derive(Subcommand)]
pub(crate) enum ContentCommand {
    /// Find dead links, missing pictures, missing alternative texts and courses without a teacher, in the
    /// built site and in the content. Prints a line `file: fault` for each, and fails if there are any
    Check(ContentCheck),
    /// Write an archive of content for `push`. The same files of the same commit make the same archive
    Pack(ContentPack),
    /// Import content into the services of a cluster, through `kubectl exec`
    ///
    /// Every service checks its part first; if one finds a fault, nothing is changed. Then each service
    /// imports its part in one transaction. To roll back, push an earlier archive. lms and commerce delete
    /// nothing, so it must contain every course and product that later archives added.
    Push(ContentPush),
    /// Print the versions of the content in the services of a cluster
    Status(ContentStatus),
}

/// Content to pack.
#[derive(Args)]
pub(crate) struct ContentFrom {
    /// A folder with a subfolder for each service: `lms`, `desk`, `commerce`
    #[arg(value_name = "FOLDER", required_unless_present = "demo")]
    pub(crate) folder: Option<PathBuf>,
    /// The demo's content and accounts; a folder never imports accounts. Their password is public: never use
    /// them in production
    #[arg(long, conflicts_with = "folder")]
    pub(crate) demo: bool,
}

/// The arguments of `content pack`.
#[derive(Args)]
pub(crate) struct ContentPack {
    #[command(flatten)]
    pub(crate) from: ContentFrom,
    /// The archive to write
    #[arg(long, value_name = "FILE")]
    pub(crate) out: PathBuf,
    /// Sign it with the Ed25519 key in this file (`openssl genpkey -algorithm ed25519`)
    #[arg(long, value_name = "PEM")]
    pub(crate) sign: Option<PathBuf>,
}

/// The arguments of `content push`.
#[derive(Args)]
pub(crate) struct ContentPush {
    /// An archive written by `pack`, or a folder with a subfolder for each service: `lms`, `desk`, `commerce`
    #[arg(value_name = "ARCHIVE|FOLDER", required_unless_present = "demo")]
    pub(crate) content: Option<PathBuf>,
    /// The demo's content and accounts. Their password is public: never use them in production
    #[arg(long, conflicts_with = "content")]
    pub(crate) demo: bool,
    #[command(flatten)]
    pub(crate) cluster: Cluster,
    /// Check, print what would change, and change nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
}

/// The arguments of `content status`.
#[derive(Args)]
pub(crate) struct ContentStatus {
    #[command(flatten)]
    pub(crate) cluster: Cluster,
}

/// A product in a cluster.
#[derive(Args)]
pub(crate) struct Cluster {
    /// The namespace of the product
    #[arg(short, long, value_parser = namespace)]
    pub(crate) namespace: String,
    /// The context of kubectl [default: its current one]
    #[arg(long)]
    pub(crate) context: Option<String>,
}

/// The arguments of `content check`.
#[derive(Args)]
pub(crate) struct ContentCheck {
    /// The folder of the built site [default: web/apps/site/dist/client]
    #[arg(long, value_name = "DIR")]
    pub(crate) site: Option<PathBuf>,
    /// A folder of content; may be repeated [default: the demo folders of lms, exam, commerce and desk]
    #[arg(long, value_name = "DIR")]
    pub(crate) content: Vec<PathBuf>,
}
