//! Commands and settings. `--help` is the manual.

pub mod interview;
pub mod question;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand};
use kit::config::seconds;
use kit::encryption::{Encryptor, KeyedHash, Secret};

use crate::push::vapid::Vapid;
use interview::Interview;
use question::{Question, Questions};

/// The commands of desk.
#[derive(Subcommand)]
pub enum Command {
    /// Serve public content, inquiries, events and postal codes over gRPC, and send mails
    Serve(Box<Serve>),
    /// Bring the database's schema up to date
    Migrate(Database),
    /// Import notices, FAQs, success stories, entrance exams, hours for interviews and events; a fault in the content
    /// changes nothing
    ///
    /// A folder has `notices.yaml`, `faqs.yaml`, `success/<year>.yaml`, `entry-exams.yaml`, `interviews.yaml` and
    /// `events.yaml`; an archive has the same in `desk/`.
    Import(Import),
    /// List the imported versions of the content, newest first
    Content(Database),
    /// Send notices to one person
    ///
    /// The content has the notices for everyone, for learners, for guardians, for the owners of a course and for a school
    /// year: change it and run `import`.
    #[command(subcommand)]
    Notice(Notice),
    /// Open slots for interviews, and record what happened in interviews
    ///
    /// Weekly hours belong to the content: change it and run `import`. `interview open` opens additional slots. After an
    /// interview, `interview feedback ID FILE` sends the teacher's notes to the learner, or `interview no-show ID` records
    /// that the learner did not come: twice within 60 days pauses booking for 30 days.
    #[command(subcommand)]
    Interview(Interview),
    /// Answer the questions that learners ask the teachers
    ///
    /// A teacher takes the next question with `question next --teacher NAME`, reads it, writes the answer into a UTF-8
    /// file, and sends it with `question answer ID --teacher NAME FILE`. The learner sees the answer at once and gets a
    /// mail. An answer may contain TeX between dollar signs.
    #[command(subcommand)]
    Question(Question),
    /// Write every mail with example values to a folder, as HTML and text with an index page
    ///
    /// Prints the path of the index page. `cargo dev mails` runs it.
    Mails {
        /// The folder; created if it does not exist
        folder: PathBuf,
        /// The origin of the links
        #[arg(long, default_value = "http://localhost:8080", value_parser = parse_origin)]
        public_origin: String,
    },
    /// Replace all postal codes by those of a file, in one transaction
    ///
    /// The file is UTF-8 with one line a town and tab-separated columns: code (7 digits), prefecture, city, town, and
    /// the kana of those three. `cargo dev postal FILE` makes it from the monthly file of Japan Post. `serve` uses the
    /// new codes at once.
    ImportPostal {
        /// The file
        file: PathBuf,
        #[command(flatten)]
        database: Database,
    },
}

/// The commands for notices to one person.
#[derive(Subcommand)]
pub enum Notice {
    /// Send a notice to one person, who sees it in the own notices at once
    Send(Box<NoticeSend>),
    /// Withdraw a notice to one person: it is shown no more
    Withdraw {
        /// The id of the notice
        id: i64,
        #[command(flatten)]
        database: Database,
    },
}

/// Settings of `notice send`.
#[derive(Args)]
pub struct NoticeSend {
    /// The file with the text: UTF-8, at most 4,000 characters; `-` for the standard input
    ///
    /// Paragraphs and lists (`- `) separated by empty lines, headings (`## `) and links `[text](/path or https://…)`.
    pub file: PathBuf,
    /// The id of the account
    #[arg(long)]
    pub account: uuid::Uuid,
    /// At most 100 characters
    #[arg(long)]
    pub title: String,
    /// One or two sentences, at most 300 characters
    #[arg(long)]
    pub summary: String,
    /// お知らせ, 講座, イベント or メンテナンス
    #[arg(long, default_value = crate::notice_category::CATEGORIES[0], value_parser = clap::builder::PossibleValuesParser::new(crate::notice_category::CATEGORIES))]
    pub category: String,
    #[command(flatten)]
    pub database: Database,
}

/// Settings of `serve`.
#[derive(Args)]
pub struct Serve {
    /// The address to serve gRPC and the probes on
    #[arg(long, env = "DESK_LISTEN", default_value = "127.0.0.1:7500")]
    pub listen: SocketAddr,
    #[command(flatten)]
    pub database: Database,
    #[command(flatten)]
    pub secret: SecretArg,
    #[command(flatten)]
    pub emails: EmailSettings,
    #[command(flatten)]
    pub smtp: Smtp,
    #[command(flatten)]
    pub push: Push,
    #[command(flatten)]
    pub contacts: Contacts,
    #[command(flatten)]
    pub questions: Questions,
    #[command(flatten)]
    pub caller_keys: kit::caller::CallerKeys,
    #[command(flatten)]
    pub server: kit::config::Serve,
}

/// Settings of `import`.
#[derive(Args)]
pub struct Import {
    #[command(flatten)]
    pub content: kit_content::Content,
    /// Only report what would change
    #[arg(long)]
    pub dry_run: bool,
    #[command(flatten)]
    pub database: Database,
}

/// The settings of the database of desk.
pub type Database = kit_db::config::DatabaseArgs<DeskDatabase>;

/// Their names and defaults.
pub struct DeskDatabase;

impl kit_db::config::DatabaseSettings for DeskDatabase {
    const URL: &'static str = "DESK_DATABASE_URL";
    const CONNECTIONS: &'static str = "DESK_DATABASE_CONNECTIONS";
    const DEFAULT_CONNECTIONS: &'static str = "8";
    const LEAST_CONNECTIONS: i64 = 2;
}

/// The secret that all replicas share.
#[derive(Args)]
#[command(next_help_heading = "Secret")]
pub struct SecretArg {
    /// At least 32 random bytes in hex or base64, the same for every replica: `openssl rand -hex 32`. Encrypts queued
    /// mails, inquiries, questions, notes of interviews and entries of events; without it, they cannot be read
    #[arg(long, env = "DESK_SECRET", hide_env_values = true)]
    secret: String,
}

impl SecretArg {
    /// The key of keyed hashes.
    pub fn keyed_hash(&self) -> Result<KeyedHash, kit::Failure> {
        Ok(KeyedHash::new(self.parse()?.key("desk", "limits")))
    }

    /// The key of unsubscribe tokens.
    pub fn unsubscribe_hash(&self) -> Result<KeyedHash, kit::Failure> {
        Ok(KeyedHash::new(self.parse()?.key("desk", "unsubscribe")))
    }

    /// The encryptor of pushes and the keys of browsers.
    pub fn push_encryptor(&self) -> Result<Encryptor, kit::Failure> {
        Ok(Encryptor::new(self.parse()?.key("desk", "pushes")))
    }

    /// The encryptor of inquiries and their pictures.
    pub fn contact_encryptor(&self) -> Result<Encryptor, kit::Failure> {
        Ok(Encryptor::new(self.parse()?.key("desk", "contact")))
    }

    /// The encryptor of questions to teachers, their answers and the askers' addresses.
    pub fn question_encryptor(&self) -> Result<Encryptor, kit::Failure> {
        Ok(Encryptor::new(self.parse()?.key("desk", "question")))
    }

    /// The encryptor of the feedback after interviews.
    pub fn interview_encryptor(&self) -> Result<Encryptor, kit::Failure> {
        Ok(Encryptor::new(self.parse()?.key("desk", "interview")))
    }

    /// The encryptor of names and addresses of people who signed up for events.
    pub fn event_encryptor(&self) -> Result<Encryptor, kit::Failure> {
        Ok(Encryptor::new(self.parse()?.key("desk", "event")))
    }

    /// The encryptor of mails.
    pub fn encryptor(&self) -> Result<Encryptor, kit::Failure> {
        Ok(Encryptor::new(self.parse()?.key("desk", "mail")))
    }

    /// Not a value parser: clap would print the secret in its error.
    fn parse(&self) -> Result<Secret, kit::Failure> {
        self.secret.parse().map_err(|error| format!("DESK_SECRET {error}").into())
    }
}

/// Settings of emails.
#[derive(Args, Clone)]
#[command(next_help_heading = "Mails")]
pub struct EmailSettings {
    /// Public origin of the site for links, e.g. `https://www.konomana.jp`: scheme and host only
    #[arg(long, env = "DESK_PUBLIC_ORIGIN", value_parser = parse_origin)]
    pub public_origin: String,
    /// Sender address of emails, e.g. `no-reply@konomana.jp`; shown with the name コノマナ
    #[arg(long, env = "DESK_MAIL_FROM", value_parser = parse_mail_address)]
    pub mail_from: lettre::Address,
}

/// Settings of the mail server.
#[derive(Args, Clone)]
#[command(next_help_heading = "SMTP")]
pub struct Smtp {
    /// The mail server: `smtps://user:password@host:465` (TLS), `smtp://…:587?tls=required` (STARTTLS), or
    /// `smtp://…:25` (in clear)
    #[arg(long, env = "DESK_SMTP_URL", hide_env_values = true)]
    pub smtp_url: String,
    /// Number of connections to the mail server; each sends one mail at a time
    #[arg(long, env = "DESK_SMTP_CONNECTIONS", default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..=64))]
    pub smtp_connections: u16,
    /// Timeout for sending one mail, in seconds
    #[arg(long = "smtp-seconds", env = "DESK_SMTP_SECONDS", default_value = "30", value_parser = seconds)]
    pub smtp_limit: Duration,
}

/// Settings of Web Push.
#[derive(Args, Clone)]
#[command(next_help_heading = "Web Push")]
pub struct Push {
    /// At least 32 random bytes in hex or base64, the same for every replica: `openssl rand -hex 32`. The key pair of Web
    /// Push (VAPID) is derived from it; with another one, all browsers must subscribe again. Without it, Web Push is not
    /// offered. Pushes go to port 443 of the push services of browsers
    #[arg(long, env = "DESK_PUSH_SECRET", hide_env_values = true)]
    push_secret: Option<String>,
    /// Accept `http://127.0.0.1` as address of a push service, for tests
    #[arg(long, env = "DESK_PUSH_LOOPBACK")]
    pub push_loopback: bool,
}

impl Push {
    /// The key pair. Push services reach the operator at `contact`.
    pub(crate) fn vapid(&self, contact: &lettre::Address) -> Result<Option<Vapid>, kit::Failure> {
        let Some(secret) = &self.push_secret else { return Ok(None) };
        let secret: Secret = secret.parse().map_err(|error| format!("DESK_PUSH_SECRET {error}"))?;
        Vapid::new(&secret.key("desk", "push"), contact.as_ref()).map(Some)
    }
}

/// Settings of inquiries.
#[derive(Args, Clone)]
#[command(next_help_heading = "Contact")]
pub struct Contacts {
    /// Address of the school that receives inquiries, e.g. `support@konomana.jp`
    #[arg(long, env = "DESK_CONTACT_TO", value_parser = parse_mail_address)]
    pub contact_to: lettre::Address,
    /// Inquiries an hour from one client address, and receipts an hour for one mailbox
    #[arg(long = "contacts-per-hour", env = "DESK_CONTACTS_PER_HOUR", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=3600))]
    pub per_hour: u32,
    /// Receipts an hour in total; beyond the limit, inquiries are accepted without a receipt
    #[arg(long, env = "DESK_RECEIPTS_PER_HOUR", default_value_t = 2_000, value_parser = clap::value_parser!(u32).range(1..))]
    pub receipts_per_hour: u32,
    /// Most pictures without an inquiry; they are deleted after an hour
    #[arg(long, env = "DESK_PICTURES_WAITING", default_value_t = 500, value_parser = clap::value_parser!(u32).range(1..))]
    pub pictures_waiting: u32,
    /// Most storage for pictures without an inquiry, in MiB
    #[arg(long, env = "DESK_PICTURES_WAITING_MIB", default_value_t = 512, value_parser = clap::value_parser!(u32).range(1..))]
    pub pictures_waiting_mib: u32,
    /// Most storage for all pictures, in MiB; beyond the limit, uploads are refused
    #[arg(long, env = "DESK_PICTURES_MIB", default_value_t = 4_096, value_parser = clap::value_parser!(u32).range(1..))]
    pub pictures_mib: u32,
    /// Pictures an hour from one client address
    #[arg(long, env = "DESK_PICTURES_PER_HOUR", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=3600))]
    pub pictures_per_hour: u32,
    /// Days until an inquiry is deleted
    #[arg(long = "contact-days", env = "DESK_CONTACT_DAYS", default_value = "90", value_parser = parse_days)]
    pub retention: time::Duration,
}

fn parse_days(text: &str) -> Result<time::Duration, String> {
    text.parse::<u16>()
        .map(|days| time::Duration::days(days.into()))
        .map_err(|_| format!("'{text}' is not a number of days"))
}

fn parse_origin(text: &str) -> Result<String, String> {
    let host = ["http://", "https://"].iter().find_map(|scheme| text.strip_prefix(scheme));
    match host {
        Some(host) if !host.is_empty() && !host.contains(['/', '?', '#', '@', ' ']) => Ok(text.to_owned()),
        _ => Err("must be a scheme and a host, like https://www.konomana.jp".to_owned()),
    }
}

fn parse_mail_address(text: &str) -> Result<lettre::Address, String> {
    text.parse().map_err(|_| "must be a mail address, like no-reply@konomana.jp".to_owned())
}
