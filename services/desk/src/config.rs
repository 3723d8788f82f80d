//! What the process can be asked to do. `--help` is the manual.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand};
use kit::config::seconds;
use kit::seal::{Blinding, Seal, Secret};

/// What to do.
#[derive(Subcommand)]
pub enum Command {
    /// Show notices and answers, take inquiries and events, send mails, know postal codes
    Serve(Box<Serve>),
    /// Bring the database's schema up to date
    Migrate(Database),
    /// Bring notices, answers, success stories and entrance exams in line with content; changes nothing when
    /// anything in it is wrong
    ///
    /// A folder has `notices.yaml`, `faqs.yaml`, `success/<year>.yaml` and `entry-exams.yaml`; an archive has the
    /// same in `desk/`.
    Import(Import),
    /// Say which versions of the content were imported, newest first
    Content(Database),
    /// Put the postal codes of a file in the place of those that are there; all of them or none
    ///
    /// The file has a line for each town, in UTF-8, with tabs between: code (7 digits), prefecture, city, town, and the
    /// kana of those three. `cargo dev postal FILE` makes one of what Japan Post publishes each month; importing the
    /// same again changes nothing, and `serve` answers from the new ones at once.
    ImportPostal {
        /// The file
        file: PathBuf,
        /// Where to.
        #[command(flatten)]
        database: Database,
    },
}

/// How to serve.
#[derive(Args)]
pub struct Serve {
    /// The address to serve gRPC and the probes on
    #[arg(long, env = "DESK_LISTEN", default_value = "127.0.0.1:7500")]
    pub listen: SocketAddr,
    /// Mails and postal codes.
    #[command(flatten)]
    pub database: Database,
    /// Seals mails that wait.
    #[command(flatten)]
    pub secret: SecretArg,
    /// What mails say.
    #[command(flatten)]
    pub letters: Letters,
    /// How mails leave.
    #[command(flatten)]
    pub smtp: Smtp,
    /// What people may write.
    #[command(flatten)]
    pub contacts: Contacts,
    /// Who may call.
    #[command(flatten)]
    pub caller_keys: kit::caller::CallerKeys,
    /// Drain.
    #[command(flatten)]
    pub server: kit::config::Serve,
}

/// What to import, and where to.
#[derive(Args)]
pub struct Import {
    /// What to import.
    #[command(flatten)]
    pub content: kit::content::Content,
    /// Read, check and tell what would change, and change nothing
    #[arg(long)]
    pub dry_run: bool,
    /// Where to.
    #[command(flatten)]
    pub database: Database,
}

/// The service's own database.
#[derive(Args, Clone)]
#[command(next_help_heading = "Database")]
pub struct Database {
    /// `postgres://user:password@host:port/name`
    #[arg(long, env = "DESK_DATABASE_URL", hide_env_values = true)]
    pub database_url: String,
    /// The most connections held at once
    #[arg(long, env = "DESK_DATABASE_CONNECTIONS", default_value_t = 8, value_parser = clap::value_parser!(u32).range(2..))]
    pub database_connections: u32,
    /// For commands.
    #[command(flatten)]
    pub wait: kit::config::DatabaseWait,
}

impl From<&Database> for kit::config::Database {
    fn from(database: &Database) -> Self {
        Self {
            wait: database.wait.limit,
            ..Self::new(database.database_url.clone(), database.database_connections)
        }
    }
}

/// The secret of all replicas.
#[derive(Args)]
#[command(next_help_heading = "Secret")]
pub struct SecretArg {
    /// At least 32 random bytes in hex or base64, the same for every replica: `openssl rand -hex 32`. Seals mails that
    /// wait in the database; with it lost, those stay unsent
    #[arg(long, env = "DESK_SECRET", hide_env_values = true)]
    secret: String,
}

impl SecretArg {
    /// What stands for addresses that are counted.
    pub fn blinding(&self) -> Result<Blinding, kit::Failure> {
        Ok(Blinding::new(self.read()?.key("desk", "limits")))
    }

    /// What seals inquiries and their pictures.
    pub fn contact_seal(&self) -> Result<Seal, kit::Failure> {
        Ok(Seal::new(self.read()?.key("desk", "contact")))
    }

    /// What seals mails.
    pub fn seal(&self) -> Result<Seal, kit::Failure> {
        Ok(Seal::new(self.read()?.key("desk", "mail")))
    }

    /// Not with the command line: clap would show what it could not read.
    fn read(&self) -> Result<Secret, kit::Failure> {
        self.secret.parse().map_err(|error| format!("DESK_SECRET {error}").into())
    }
}

/// What mails say.
#[derive(Args, Clone)]
#[command(next_help_heading = "Mails")]
pub struct Letters {
    /// Where people reach the product, scheme and host only, e.g. `https://www.konomana.jp`: links lead there
    #[arg(long, env = "DESK_PUBLIC_ORIGIN", value_parser = origin)]
    pub public_origin: String,
    /// The address that mails come from, e.g. `no-reply@konomana.jp`; people see the name コノマナ with it
    #[arg(long, env = "DESK_MAIL_FROM", value_parser = sender)]
    pub mail_from: lettre::Address,
}

/// How mails leave.
#[derive(Args, Clone)]
#[command(next_help_heading = "SMTP")]
pub struct Smtp {
    /// The mail server: `smtps://user:password@host:465` (TLS), `smtp://…:587?tls=required` (STARTTLS), or `smtp://…:25`
    /// (in clear)
    #[arg(long, env = "DESK_SMTP_URL", hide_env_values = true)]
    pub smtp_url: String,
    /// The most connections to it, and so the most mails sent at once
    #[arg(long, env = "DESK_SMTP_CONNECTIONS", default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..=64))]
    pub smtp_connections: u16,
    /// How long sending one mail may take, in seconds
    #[arg(long = "smtp-seconds", env = "DESK_SMTP_SECONDS", default_value = "30", value_parser = seconds)]
    pub smtp_limit: Duration,
}

/// What people may write to the school.
#[derive(Args, Clone)]
#[command(next_help_heading = "Contact")]
pub struct Contacts {
    /// The school's own address, which inquiries go to, e.g. `support@konomana.jp`
    #[arg(long, env = "DESK_CONTACT_TO", value_parser = sender)]
    pub contact_to: lettre::Address,
    /// How many inquiries one client address may send in an hour, and one mailbox get receipts for
    #[arg(long = "contacts-per-hour", env = "DESK_CONTACTS_PER_HOUR", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=3600))]
    pub per_hour: u32,
    /// How many receipts all of the school sends in an hour; beyond that inquiries are taken without one
    #[arg(long, env = "DESK_RECEIPTS_PER_HOUR", default_value_t = 2_000, value_parser = clap::value_parser!(u32).range(1..))]
    pub receipts_per_hour: u32,
    /// How many pictures may wait for their inquiry at once; they wait for an hour at most
    #[arg(long, env = "DESK_PICTURES_WAITING", default_value_t = 500, value_parser = clap::value_parser!(u32).range(1..))]
    pub pictures_waiting: u32,
    /// How much those may take, in MiB
    #[arg(long, env = "DESK_PICTURES_WAITING_MIB", default_value_t = 512, value_parser = clap::value_parser!(u32).range(1..))]
    pub pictures_waiting_mib: u32,
    /// How much all pictures may take, also those that were sent, in MiB; beyond that none is taken
    #[arg(long, env = "DESK_PICTURES_MIB", default_value_t = 4_096, value_parser = clap::value_parser!(u32).range(1..))]
    pub pictures_mib: u32,
    /// How many pictures one client address may put in an hour
    #[arg(long, env = "DESK_PICTURES_PER_HOUR", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=3600))]
    pub pictures_per_hour: u32,
    /// For how many days an inquiry is kept; then it is forgotten
    #[arg(long = "contact-days", env = "DESK_CONTACT_DAYS", default_value = "90", value_parser = days)]
    pub kept_for: time::Duration,
}

/// Reads a number of days.
fn days(text: &str) -> Result<time::Duration, String> {
    text.parse::<u16>()
        .map(|days| time::Duration::days(days.into()))
        .map_err(|_| format!("'{text}' is not a number of days"))
}

fn origin(text: &str) -> Result<String, String> {
    let host = ["http://", "https://"].iter().find_map(|scheme| text.strip_prefix(scheme));
    match host {
        Some(host) if !host.is_empty() && !host.contains(['/', '?', '#', '@', ' ']) => Ok(text.to_owned()),
        _ => Err("must be a scheme and a host, like https://www.konomana.jp".to_owned()),
    }
}

fn sender(text: &str) -> Result<lettre::Address, String> {
    text.parse().map_err(|_| "must be a mail address, like no-reply@konomana.jp".to_owned())
}
