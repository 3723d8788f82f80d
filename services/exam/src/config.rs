//! The commands and settings of the process. `--help` is the manual.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Args, Subcommand};
use kit::Failure;
use kit::encryption::{Encryptor, Secret};
use kit_db::outbox::Outbox;
use time::Duration;
use uuid::Uuid;

use crate::receipt_keys::{PublicKey, ReceiptKeys};

/// A command.
#[derive(Subcommand)]
pub enum Command {
    /// Serve exams, applications and sittings over gRPC
    Serve(Box<Serve>),
    /// Bring the database's schema up to date
    Migrate(Database),
    /// Grant a learner extra time in sittings that start from now on
    ExtraTime(ExtraTime),
    /// Mark written answers by hand, after the end of their exam
    ///
    /// Two markers mark each answer. If their points differ, a third marker decides. A marker sees neither the candidate
    /// nor the marks of others. The result of an exam becomes final once all its written answers are decided.
    #[command(subcommand)]
    Mark(Mark),
    /// Show how the questions of an exam worked, and compute its statistics again
    ///
    /// Version 1 is computed after the result of the exam has become final, and results keep its distributions. A later
    /// version counts the marks that exist when it is computed, e.g. without erased accounts. Equal marks give equal
    /// figures.
    #[command(subcommand)]
    Statistics(Statistics),
    /// Print the public key of `EXAM_RECEIPT_KEY` in hex
    ///
    /// To rotate: add the public key of the next one to `EXAM_RECEIPT_FURTHER_KEYS`, restart, and
    /// wait an hour until caches have it. Then set the next one as `EXAM_RECEIPT_KEY` and add the
    /// public key of the old one, whose receipts stay valid.
    ReceiptKey(ReceiptSecret),
    /// Import exams, free checks and schools; changes nothing when anything in it is wrong
    ///
    /// A folder has `exams/<id>.yaml`, the files of their papers, `checks/<id>.yaml`,
    /// `schools.yaml`, `figures/<name>.svg` and, for a demo, `candidates.yaml`. An archive has the
    /// same files in `exam/`.
    Import(Import),
    /// List the imported versions of the content, newest first
    Content(Database),
}

/// Commands for written answers.
#[derive(Subcommand)]
pub enum Mark {
    /// Show the marker's open task, or take the next one
    Next {
        /// Write an answer that is a picture to this file, as a JPEG; `-` for standard output, then the task goes to standard
        /// error
        #[arg(long, value_name = "FILE")]
        picture: Option<PathBuf>,
        /// The marker.
        #[command(flatten)]
        marker: MarkerArgs,
        /// Business rules.
        #[command(flatten)]
        rules: Rules,
    },
    /// Give points for a task; a mark never changes
    Give {
        /// The task, from `exam mark next`
        #[arg(long)]
        task: Uuid,
        /// The points, from 0 to the question's points
        #[arg(long)]
        points: i32,
        /// A comment for the candidate, at most 500 characters; the final result shows it
        #[arg(long, default_value = "")]
        comment: String,
        /// The marker.
        #[command(flatten)]
        marker: MarkerArgs,
    },
    /// Return the marker's open task to the queue
    Release {
        /// The marker.
        #[command(flatten)]
        marker: MarkerArgs,
    },
    /// Count the written answers of each exam, and those that are decided
    Status(Database),
}

/// Commands for statistics.
#[derive(Subcommand)]
pub enum Statistics {
    /// Print the distributions and the item analysis, as a table with tabs
    ///
    /// The difficulty is the average score divided by the full points, so an easy question is near 1. The discrimination
    /// is the correlation of the score with the points of the other questions of the paper: a good question has 0.2 or
    /// more. That of a wrong choice is below 0 if it attracts weaker candidates. '-' is a figure that does not exist,
    /// because all scores are equal.
    Items {
        /// The version; by default that of the results
        #[arg(long)]
        version: Option<i32>,
        /// The exam.
        #[command(flatten)]
        exam: ExamArgs,
    },
    /// List the versions with the SHA-256 of what `items` prints
    Versions(ExamArgs),
    /// Compute a new version from the marks that exist now
    Compute(ExamArgs),
}

/// An exam and the database.
#[derive(Args)]
pub struct ExamArgs {
    /// The id of the exam
    pub exam: i64,
    /// The database.
    #[command(flatten)]
    pub database: Database,
}

/// A marker and the database.
#[derive(Args)]
pub struct MarkerArgs {
    /// The name of the marker, the same in every call: 1 to 50 letters, digits, '.', '-' and '_'. Capital letters count as
    /// small ones
    #[arg(long)]
    pub marker: String,
    /// The database.
    #[command(flatten)]
    pub database: Database,
}

/// Settings of `serve`.
#[derive(Args)]
pub struct Serve {
    /// The address to serve gRPC and the probes on
    #[arg(long, env = "EXAM_LISTEN", default_value = "127.0.0.1:7800")]
    pub listen: SocketAddr,
    /// The database.
    #[command(flatten)]
    pub database: Database,
    /// Business rules.
    #[command(flatten)]
    pub rules: Rules,
    /// Folder with the font of reports: that of the npm package `@expo-google-fonts/biz-udpgothic`. The image has it at
    /// the default
    #[arg(long, env = "EXAM_FONTS", default_value = "/usr/local/share/fonts/biz-udpgothic")]
    pub fonts: PathBuf,
    /// The keys of receipts.
    #[command(flatten)]
    pub receipt_keys: ReceiptKeyArgs,
    /// The secret that encrypts waiting events.
    #[command(flatten)]
    pub secret: SecretArg,
    /// The receivers of events.
    #[command(flatten)]
    pub receivers: Receivers,
    /// The keys of callers.
    #[command(flatten)]
    pub caller_keys: kit::caller::CallerKeys,
    /// Graceful shutdown and metrics.
    #[command(flatten)]
    pub server: kit::config::Serve,
}

/// The key that signs receipts.
///
/// Not a clap group, for the same reason as [`Serve`](kit::config::Serve).
#[derive(Args, Clone)]
#[command(next_help_heading = "Receipts")]
#[group(skip)]
pub struct ReceiptSecret {
    /// The Ed25519 key that signs receipts of handed-in papers: 32 random bytes in hex, the same for every replica
    // Not parsed by clap, which prints values that it cannot parse.
    #[arg(long, env = "EXAM_RECEIPT_KEY", hide_env_values = true)]
    receipt_key: String,
}

impl ReceiptSecret {
    /// Parses the key. `further` are other public keys to publish.
    pub(crate) fn parse_keys(&self, further: &[PublicKey]) -> Result<ReceiptKeys, Failure> {
        Ok(ReceiptKeys::new(&self.receipt_key, further)
            .map_err(|error| format!("EXAM_RECEIPT_KEY {error}"))?)
    }
}

/// The keys of receipts.
#[derive(Args, Clone)]
#[command(next_help_heading = "Receipts")]
#[group(skip)]
pub struct ReceiptKeyArgs {
    /// The signing key.
    #[command(flatten)]
    secret: ReceiptSecret,
    /// Other public keys to publish beside that of `EXAM_RECEIPT_KEY`, in hex, separated by commas:
    /// the earlier ones, whose receipts stay valid, and the next one. See `exam receipt-key --help`
    #[arg(long, env = "EXAM_RECEIPT_FURTHER_KEYS", value_delimiter = ',')]
    receipt_further_keys: Vec<PublicKey>,
}

impl ReceiptKeyArgs {
    /// Parses the keys.
    pub fn parse_keys(&self) -> Result<ReceiptKeys, Failure> {
        self.secret.parse_keys(&self.receipt_further_keys)
    }
}

/// Settings of `extra-time`.
#[derive(Args)]
pub struct ExtraTime {
    /// The learner's account
    #[arg(long)]
    pub learner: Uuid,
    /// The percentage of a paper's minutes: 130 or 150; 100 withdraws it
    #[arg(long, value_parser = extra_time_percent)]
    pub percent: i32,
    /// The database.
    #[command(flatten)]
    pub database: Database,
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

/// The secret that all replicas share.
#[derive(Args, Clone)]
#[command(next_help_heading = "Secret")]
pub struct SecretArg {
    /// At least 32 random bytes in hex or base64, the same for every replica: `openssl rand -hex 32`. Encrypts the waiting
    /// events in the database. If it is lost, waiting events stay unsent: the reviews and emails of results that became
    /// final just before
    // Not parsed by clap, which prints values that it cannot parse.
    #[arg(long, env = "EXAM_SECRET", hide_env_values = true)]
    secret: String,
}

impl SecretArg {
    /// Opens the outbox with a key of the secret.
    pub fn outbox(&self) -> Result<Outbox, Failure> {
        let secret: Secret = self.secret.parse().map_err(|error| format!("EXAM_SECRET {error}"))?;
        Ok(Outbox::new(Encryptor::new(secret.key("exam", "outbox"))))
    }
}

/// The services that receive events.
#[derive(Args, Clone)]
#[command(next_help_heading = "Receivers of events")]
pub struct Receivers {
    /// Address of lms, e.g. `http://lms:7000`. lms lets learners review the questions that they
    /// missed. Separate several addresses by commas. An address after a `;` is a balancer in front
    /// of all replicas; it is used while no other address accepts a connection
    #[arg(long, env = "EXAM_LMS_URL")]
    pub lms_url: String,
    /// Signs calls to lms: at least 32 random bytes in hex or base64, the same as lms's `CALLER_KEYS` has for exam
    // Not parsed by clap, which prints values that it cannot parse.
    #[arg(long, env = "EXAM_LMS_KEY", hide_env_values = true)]
    pub lms_key: String,
    /// Address of auth, in the same form as lms's. auth notifies learners and their guardians of final results
    #[arg(long, env = "EXAM_AUTH_URL")]
    pub auth_url: String,
    /// Signs calls to auth, in the same form as lms's
    #[arg(long, env = "EXAM_AUTH_KEY", hide_env_values = true)]
    pub auth_key: String,
}

/// Business rules.
#[derive(Args, Clone, Copy, Debug)]
#[command(next_help_heading = "Rules")]
pub struct Rules {
    /// Seconds after a deadline in which answers are accepted that were given before it
    #[arg(long, env = "EXAM_GRACE", default_value = "120", value_parser = kit::config::time_seconds)]
    pub grace: Duration,
}

fn extra_time_percent(text: &str) -> Result<i32, String> {
    match text {
        "100" => Ok(100),
        "130" => Ok(130),
        "150" => Ok(150),
        _ => Err(format!("'{text}' is not 100, 130 or 150")),
    }
}

/// Settings of the database of exam.
pub type Database = kit_db::config::DatabaseArgs<ExamDatabase>;

/// Names and defaults of the settings of the database.
pub struct ExamDatabase;

impl kit_db::config::DatabaseSettings for ExamDatabase {
    const URL: &'static str = "EXAM_DATABASE_URL";
    const CONNECTIONS: &'static str = "EXAM_DATABASE_CONNECTIONS";
    const DEFAULT_CONNECTIONS: &'static str = "16";
}
