//! The commands and settings of the process. `--help` is the manual.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Args, Subcommand};
use time::Duration;

/// A command.
#[derive(Subcommand)]
pub enum Command {
    /// Serve the catalogue, inventories, marks and watch history over gRPC
    Serve(Serve),
    /// Bring the database's schema up to date
    Migrate(Database),
    /// Make the catalogue match content. Changes nothing if the content has faults
    ///
    /// A folder has `teachers.yaml`, `courses/<id>.yaml`, `classes.yaml` if there are classes and, for a
    /// demo, `learners.yaml`. An archive has the same files in `lms/`.
    Import(Import),
    /// List the imported versions of the content, newest first
    Content(Database),
}

/// Settings of `serve`.
#[derive(Args)]
pub struct Serve {
    /// The address to serve gRPC and the probes on
    #[arg(long, env = "LMS_LISTEN", default_value = "127.0.0.1:7200")]
    pub listen: SocketAddr,
    /// The database.
    #[command(flatten)]
    pub database: Database,
    /// Business rules.
    #[command(flatten)]
    pub rules: Rules,
    /// Retention of the audit of guardians who read a learner's data, in days
    #[arg(long = "audit-days", env = "LMS_AUDIT_DAYS", default_value = "365", value_parser = days)]
    pub audit_kept: Duration,
    /// Folder with the font of certificates: that of the npm package `@expo-google-fonts/biz-udpgothic`. The image has it
    /// at the default
    #[arg(long, env = "LMS_FONTS", default_value = "/usr/local/share/fonts/biz-udpgothic")]
    pub fonts: PathBuf,
    /// The keys of callers.
    #[command(flatten)]
    pub caller_keys: kit::caller::CallerKeys,
    /// Graceful shutdown and metrics.
    #[command(flatten)]
    pub server: kit::config::Serve,
}

/// Settings of `import`.
#[derive(Args)]
pub struct Import {
    /// The content to import.
    #[command(flatten)]
    pub content: kit_content::Content,
    /// Only report what would change
    #[arg(long)]
    pub dry_run: bool,
    /// The database.
    #[command(flatten)]
    pub database: Database,
}

/// Settings of the database of lms.
pub type Database = kit_db::config::DatabaseArgs<LmsDatabase>;

/// Names and defaults of the settings of the database.
pub struct LmsDatabase;

impl kit_db::config::DatabaseSettings for LmsDatabase {
    const URL: &'static str = "LMS_DATABASE_URL";
    const CONNECTIONS: &'static str = "LMS_DATABASE_CONNECTIONS";
    const DEFAULT_CONNECTIONS: &'static str = "16";
}

/// Business rules.
#[derive(Args, Clone, Copy, Debug)]
#[command(next_help_heading = "Rules")]
pub struct Rules {
    /// Maximum number of bookmarks, favorites, checks and notes of one learner, for each kind
    #[arg(long, env = "LMS_MARK_LIMIT", default_value_t = 500)]
    pub mark_limit: i64,
    /// Days for which an item that was never opened is new
    #[arg(long = "new-days", env = "LMS_NEW_DAYS", default_value = "7", value_parser = days)]
    pub new_for: Duration,
    /// Percentage of a lesson that must be watched for it to be done
    #[arg(long, env = "LMS_DONE_PERCENT", default_value_t = 90)]
    pub done_percent: i32,
    /// Maximum number of running players of one learner
    #[arg(long, env = "LMS_STREAM_LIMIT", default_value_t = 2)]
    pub stream_limit: usize,
    /// Seconds without a heartbeat after which a player no longer counts
    #[arg(long, env = "LMS_STREAM_SILENCE", default_value = "60", value_parser = kit::config::time_seconds)]
    pub stream_silence: Duration,
    /// Lifetime of the signed URL of a lesson's file, in seconds. At least `EDGE_MEDIA_LINK_TIME`
    #[arg(long = "media-link-time", env = "LMS_MEDIA_LINK_TIME", default_value = "7200", value_parser = kit::config::time_seconds)]
    pub link_time: Duration,
    /// Maximum number of rounds of practice of one learner in one lesson on one day
    #[arg(long, env = "LMS_PRACTICE_LIMIT", default_value_t = 100)]
    pub practice_limit: i64,
    /// Percentage of the questions of a course that must be answered right for its certificate
    #[arg(long, env = "LMS_CERTIFICATE_PERCENT", default_value_t = 70)]
    pub certificate_percent: i32,
}

/// Parses a number of days.
fn days(text: &str) -> Result<Duration, String> {
    text.parse::<u16>()
        .map(|days| Duration::days(days.into()))
        .map_err(|_| format!("'{text}' is not a number of days"))
}
