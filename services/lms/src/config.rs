//! The commands and settings of the process. `--help` is the manual.

use std::net::SocketAddr;

use clap::{Args, Subcommand};
use time::Duration;

/// A command.
#[derive(Subcommand)]
pub enum Command {
    /// Serve the catalogue, inventories, marks and watch history over gRPC
    Serve(Serve),
    /// Bring the database's schema up to date
    Migrate(Database),
    /// Bring the catalogue in line with content; changes nothing when anything in it is wrong
    ///
    /// A folder has `teachers.yaml`, `courses/<id>.yaml` and, for a demo, `learners.yaml`; an archive has the same in
    /// `lms/`.
    Import(Import),
    /// Say which versions of the content were imported, newest first
    Content(Database),
}

/// Settings of `serve`.
#[derive(Args)]
pub struct Serve {
    /// The address to serve gRPC and the probes on
    #[arg(long, env = "LMS_LISTEN", default_value = "127.0.0.1:7200")]
    pub listen: SocketAddr,
    /// Where everything is kept.
    #[command(flatten)]
    pub database: Database,
    /// The numbers of the business.
    #[command(flatten)]
    pub rules: Rules,
    /// For how many days the audit keeps that a guardian read a learner's data
    #[arg(long = "audit-days", env = "LMS_AUDIT_DAYS", default_value = "365", value_parser = days)]
    pub audit_kept: Duration,
    /// Who may call.
    #[command(flatten)]
    pub caller_keys: kit::caller::CallerKeys,
    /// Drain.
    #[command(flatten)]
    pub server: kit::config::Serve,
}

/// Settings of `import`.
#[derive(Args)]
pub struct Import {
    /// What to import.
    #[command(flatten)]
    pub content: kit_content::Content,
    /// Only tell what would change
    #[arg(long)]
    pub dry_run: bool,
    /// Where everything is kept.
    #[command(flatten)]
    pub database: Database,
}

/// The settings of the database of lms.
pub type Database = kit_db::config::DatabaseArgs<LmsDatabase>;

/// Their names and defaults.
pub struct LmsDatabase;

impl kit_db::config::DatabaseSettings for LmsDatabase {
    const URL: &'static str = "LMS_DATABASE_URL";
    const CONNECTIONS: &'static str = "LMS_DATABASE_CONNECTIONS";
    const DEFAULT_CONNECTIONS: &'static str = "16";
}

/// The numbers of the business.
#[derive(Args, Clone, Copy, Debug)]
#[command(next_help_heading = "Rules")]
pub struct Rules {
    /// How many bookmarks, favorites, checks and notes one learner may have, of each
    #[arg(long, env = "LMS_MARK_LIMIT", default_value_t = 500)]
    pub mark_limit: i64,
    /// For how many days an item that was never opened is new
    #[arg(long = "new-days", env = "LMS_NEW_DAYS", default_value = "7", value_parser = days)]
    pub new_for: Duration,
    /// How much of a lesson has to be watched for it to be done, in percent
    #[arg(long, env = "LMS_DONE_PERCENT", default_value_t = 90)]
    pub done_percent: i32,
    /// How many players of one learner may run at once
    #[arg(long, env = "LMS_STREAM_LIMIT", default_value_t = 2)]
    pub stream_limit: usize,
    /// After how many seconds without a heartbeat a player no longer counts
    #[arg(long, env = "LMS_STREAM_SILENCE", default_value = "60", value_parser = seconds)]
    pub stream_silence: Duration,
    /// How long the address of a lesson's file works, in seconds: at least what `EDGE_MEDIA_LINK_TIME` says
    #[arg(long = "media-link-time", env = "LMS_MEDIA_LINK_TIME", default_value = "7200", value_parser = seconds)]
    pub link_time: Duration,
    /// How many rounds of practice one learner may begin of one lesson on one day
    #[arg(long, env = "LMS_PRACTICE_LIMIT", default_value_t = 100)]
    pub practice_limit: i64,
}

/// Parses a number of seconds.
fn seconds(text: &str) -> Result<Duration, String> {
    text.parse::<u32>()
        .map(|seconds| Duration::seconds(seconds.into()))
        .map_err(|_| format!("'{text}' is not a number of seconds"))
}

/// Parses a number of days.
fn days(text: &str) -> Result<Duration, String> {
    text.parse::<u16>()
        .map(|days| Duration::days(days.into()))
        .map_err(|_| format!("'{text}' is not a number of days"))
}
