//! What the process can be asked to do. `--help` is the manual.

use std::net::SocketAddr;
use std::time::Duration;

use clap::{Args, Subcommand};
use kit::config::seconds;
use uuid::Uuid;
use webauthn_rs::prelude::Url;

use crate::secret::Secret;

/// Memory of one password hash unless it is configured otherwise, in KiB.
pub(crate) const HASH_MEMORY_KIB: u32 = 19 * 1024;

/// What to do.
#[derive(Subcommand)]
pub enum Command {
    /// Serve accounts, sessions and keys to the edge
    Serve(Box<Serve>),
    /// Bring the database's schema up to date
    Migrate(Database),
    /// Import accounts; what is unchanged stays untouched
    ///
    /// A folder has `accounts.yaml`; an archive has it in `auth/`.
    Import {
        /// What to import.
        #[command(flatten)]
        content: kit::content::Content,
        /// Change nothing, and say what would be changed
        #[arg(long)]
        dry_run: bool,
        /// Where to.
        #[command(flatten)]
        database: Database,
    },
    /// The keys that access tokens are signed with
    ///
    /// To rotate: `keys add`, wait a few seconds until every edge knows the new key, `keys sign KID`, wait 24 hours until
    /// the last token of the old key has expired, `keys retire OLD`. Running servers and edges follow within a second.
    #[command(subcommand)]
    Keys(Keys),
    /// Decide about the birth date of an account, as a guardian would by mail
    ///
    /// An earlier date for a minor waits for a guardian. Where none can be asked, the person writes to the school.
    /// Both dates, the operator and the time are kept in the table `birth_date_change`; the owner of the account is told by
    /// mail.
    BirthDate(BirthDate),
}

/// A decision of the staff about a birth date.
#[derive(Args)]
pub struct BirthDate {
    /// The account
    #[arg(long)]
    pub account: Uuid,
    /// Who decides, as it is kept
    #[arg(long, value_parser = clap::builder::NonEmptyStringValueParser::new())]
    pub operator: String,
    /// What is decided.
    #[command(flatten)]
    pub decision: Decision,
    /// Seals the mail.
    #[command(flatten)]
    pub secret: SecretArg,
    /// Where.
    #[command(flatten)]
    pub database: Database,
}

/// What the staff decides about a birth date.
#[derive(Args)]
#[group(required = true, multiple = false)]
pub struct Decision {
    /// Approve the date that waits
    #[arg(long)]
    pub approve: bool,
    /// Decline the date that waits
    #[arg(long)]
    pub decline: bool,
    /// Set this date, whatever waits: YYYY-MM-DD
    #[arg(long)]
    pub date: Option<String>,
}

/// The keys that access tokens are signed with.
#[derive(Subcommand)]
pub enum Keys {
    /// Add a key: tokens signed with it are believed from now on
    Add {
        /// Sign with it at once; right for the first key, while a rotation had better wait until every edge knows it
        #[arg(long)]
        sign: bool,
        /// Do nothing when there is a key that signs
        #[arg(long)]
        if_none: bool,
        /// Seals the private key.
        #[command(flatten)]
        secret: SecretArg,
        /// Where to.
        #[command(flatten)]
        database: Database,
    },
    /// Sign with this key from now on; tokens of the one before stay good
    Sign {
        /// The key, as `keys list` shows it
        kid: String,
        /// Where.
        #[command(flatten)]
        database: Database,
    },
    /// Believe this key no more, and forget its private part
    ///
    /// Every access token that it signed is refused within a second. After a rotation wait 24 hours, the life of an
    /// access token; at once only when the key may be in wrong hands.
    Retire {
        /// The key, as `keys list` shows it
        kid: String,
        /// Where.
        #[command(flatten)]
        database: Database,
    },
    /// Show the keys, oldest first
    List(Database),
}

/// How to serve.
#[derive(Args)]
pub struct Serve {
    /// The address to serve gRPC, the public keys (`/.well-known/jwks.json`) and the probes on
    #[arg(long, env = "AUTH_LISTEN", default_value = "127.0.0.1:7100")]
    pub listen: SocketAddr,
    /// Accounts and sessions.
    #[command(flatten)]
    pub database: Database,
    /// Opens the private keys.
    #[command(flatten)]
    pub secret: SecretArg,
    /// Others who act on what happens here.
    #[command(flatten)]
    pub receivers: Receivers,
    /// Where people meet the site, as in `https://www.konomana.jp`: passkeys are made for its host name and hold nowhere
    /// else. Browsers know none for a bare IP address
    #[arg(long, env = "AUTH_PUBLIC_ORIGIN", default_value = "http://localhost:8080")]
    pub public_origin: Url,
    /// Tokens.
    #[command(flatten)]
    pub tokens: Tokens,
    /// Sign-up and password reset.
    #[command(flatten)]
    pub sign_up: SignUp,
    /// Owners.
    #[command(flatten)]
    pub owner: Owner,
    /// Limits.
    #[command(flatten)]
    pub limits: Limits,
    /// Hashing.
    #[command(flatten)]
    pub hashing: Hashing,
    /// Who may call.
    #[command(flatten)]
    pub caller_keys: kit::caller::CallerKeys,
    /// Drain.
    #[command(flatten)]
    pub server: kit::config::Serve,
}

/// The service's own database.
#[derive(Args, Clone)]
#[command(next_help_heading = "Database")]
pub struct Database {
    /// `postgres://user:password@host:port/name`
    #[arg(long, env = "AUTH_DATABASE_URL", hide_env_values = true)]
    pub database_url: String,
    /// The most connections held at once
    #[arg(long, env = "AUTH_DATABASE_CONNECTIONS", default_value_t = 16, value_parser = clap::value_parser!(u32).range(2..))]
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
    /// At least 32 random bytes in hex or base64, the same for every replica: `openssl rand -hex 32`. Seals the private
    /// keys and waiting events in the database; with it lost, add and sign with a new key, and what waited stays unsent
    #[arg(long, env = "AUTH_SECRET", hide_env_values = true)]
    secret: String,
}

impl SecretArg {
    /// Reads it. (Not while the command line is read: clap would show what it could not read.)
    pub fn read(&self) -> Result<Secret, kit::Failure> {
        Ok(self.secret.parse().map_err(|error| format!("AUTH_SECRET {error}"))?)
    }
}

/// Who is told what happens to accounts.
#[derive(Args, Clone)]
#[command(next_help_heading = "Receivers of events")]
pub struct Receivers {
    /// Where desk is, who writes the mails, e.g. `http://desk:7000`; several addresses are separated by commas. After a `;`,
    /// one in front of all replicas, dialled while none of the others takes a connection
    #[arg(long, env = "AUTH_DESK_URL")]
    pub desk_url: String,
    /// Signs calls to desk: at least 32 random bytes in hex or base64, the same that desk has for auth in its `CALLER_KEYS`
    // Not parsed by clap, which would show what it can't read.
    #[arg(long, env = "AUTH_DESK_KEY", hide_env_values = true)]
    pub desk_key: String,
    /// Where lms is, who forgets what an erased account learned, in the same form as desk's
    #[arg(long, env = "AUTH_LMS_URL")]
    pub lms_url: String,
    /// Signs calls to lms, in the same way
    #[arg(long, env = "AUTH_LMS_KEY", hide_env_values = true)]
    pub lms_key: String,
}

/// What tokens say, and for how long.
#[derive(Args, Clone)]
#[command(next_help_heading = "Tokens")]
pub struct Tokens {
    /// The `iss` of access tokens
    #[arg(long, env = "AUTH_TOKEN_ISSUER", default_value = "konomana-auth")]
    pub issuer: String,
    /// The `aud` of access tokens
    #[arg(long, env = "AUTH_TOKEN_AUDIENCE", default_value = "konomana")]
    pub audience: String,
    /// How long an access token lives, in seconds; never longer than its session
    #[arg(long, env = "AUTH_ACCESS_SECONDS", default_value = "86400", value_parser = seconds)]
    pub access_lifetime: Duration,
    /// How long a session lives after its login, however often it is refreshed, in seconds
    #[arg(long, env = "AUTH_SESSION_SECONDS", default_value = "2592000", value_parser = seconds)]
    pub session_lifetime: Duration,
    /// How long a used refresh token still gives the same successor, in seconds; used later it ends its session
    #[arg(long, env = "AUTH_REFRESH_GRACE_SECONDS", default_value = "10", value_parser = seconds)]
    pub refresh_grace: Duration,
}

/// How somebody comes to an account.
#[derive(Args, Clone)]
#[command(next_help_heading = "Sign-up and password reset")]
pub struct SignUp {
    /// How long a sign-up waits for its code or its link, and then for the rest, in seconds
    #[arg(long, env = "AUTH_SIGN_UP_SECONDS", default_value = "86400", value_parser = seconds)]
    pub sign_up_lifetime: Duration,
    /// Wrong codes for one mail before it takes another
    #[arg(long, env = "AUTH_CODE_TRIES", default_value_t = 5, value_parser = clap::value_parser!(i16).range(1..))]
    pub code_tries: i16,
    /// How soon a mail may be asked for again, in seconds
    #[arg(long, env = "AUTH_RESEND_SECONDS", default_value = "60", value_parser = seconds)]
    pub resend_after: Duration,
    /// How long a link for a new password lives, in seconds
    #[arg(long, env = "AUTH_RESET_SECONDS", default_value = "1800", value_parser = seconds)]
    pub reset_lifetime: Duration,
}

/// What owners settle about their accounts.
#[derive(Args, Clone)]
#[command(next_help_heading = "Owners")]
pub struct Owner {
    /// How long a link to a new e-mail address lives, in seconds
    #[arg(long, env = "AUTH_EMAIL_SECONDS", default_value = "86400", value_parser = seconds)]
    pub email_lifetime: Duration,
    /// How long a change of the e-mail address can be undone from the old one, in seconds
    #[arg(long, env = "AUTH_EMAIL_UNDO_SECONDS", default_value = "86400", value_parser = seconds)]
    pub email_undo_lifetime: Duration,
    /// How long a guardian may take to agree to what a minor does here, in seconds
    #[arg(long, env = "AUTH_CONSENT_SECONDS", default_value = "172800", value_parser = seconds)]
    pub consent_lifetime: Duration,
    /// How long a learner's code for a guardian lives, in seconds
    #[arg(long, env = "AUTH_GUARDIAN_CODE_SECONDS", default_value = "86400", value_parser = seconds)]
    pub guardian_code_lifetime: Duration,
    /// The most guardians of one learner
    #[arg(long, env = "AUTH_GUARDIANS_MOST", default_value_t = 4)]
    pub guardians_most: u32,
    /// How long a learner sees when a guardian looked, in seconds
    #[arg(long, env = "AUTH_GUARDIAN_VIEWS_SECONDS", default_value = "31536000", value_parser = seconds)]
    pub guardian_views_kept: Duration,
    /// How long a closed account can be taken up again before it is erased, in seconds
    #[arg(long, env = "AUTH_CLOSING_SECONDS", default_value = "2592000", value_parser = seconds)]
    pub closing_period: Duration,
}

/// How often somebody may try; shared by all replicas.
#[derive(Args, Clone)]
#[command(next_help_heading = "Limits")]
pub struct Limits {
    /// Logins that one client address may try at once. As many have each session and each browser that signed in before,
    /// apart from their address
    #[arg(long, env = "AUTH_LOGINS_BURST", default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..))]
    pub logins_burst: u32,
    /// Logins that one client address may try a minute after that
    #[arg(long, env = "AUTH_LOGINS_PER_MINUTE", default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..))]
    pub logins_per_minute: u32,
    /// Dead refresh tokens that one client address may present at once; live ones are limited by session
    #[arg(long, env = "AUTH_REFRESHES_BURST", default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..))]
    pub refreshes_burst: u32,
    /// Dead refresh tokens that one client address may present a minute after that
    #[arg(long, env = "AUTH_REFRESHES_PER_MINUTE", default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..))]
    pub refreshes_per_minute: u32,
    /// Refreshes of one session an hour; beyond that they are refused, and the session stays alive
    #[arg(long, env = "AUTH_SESSION_REFRESHES_PER_HOUR", default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..))]
    pub session_refreshes_per_hour: u32,
    /// Mails that one client address may ask for at once: to sign up, for a new password
    #[arg(long, env = "AUTH_MAILS_BURST", default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..))]
    pub mails_burst: u32,
    /// Mails that one client address may ask for a minute after that
    #[arg(long, env = "AUTH_MAILS_PER_MINUTE", default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..))]
    pub mails_per_minute: u32,
    /// Mails for signing up an hour, of the whole service; beyond that nobody can sign up
    #[arg(long, env = "AUTH_SIGN_UP_MAILS_PER_HOUR", default_value_t = 2_000, value_parser = clap::value_parser!(u32).range(1..))]
    pub sign_up_mails_per_hour: u32,
    /// Mails for signing up that one client address may ask for an hour: an IPv4 address or an IPv6 /64. A /56 has twice as
    /// many, a /48 and an IPv4 /24 four times as many. Keep that far below the mails of the whole service, so that no network
    /// uses them up
    #[arg(long, env = "AUTH_SIGN_UP_MAILS_PER_ADDRESS_PER_HOUR", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..))]
    pub sign_up_mails_per_address_per_hour: u32,
    /// Mails for signing up to one mailbox an hour
    #[arg(long, env = "AUTH_SIGN_UPS_PER_HOUR", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    pub sign_ups_per_hour: u32,
    /// Mails for a new password to one mailbox an hour
    #[arg(long, env = "AUTH_RESETS_PER_HOUR", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    pub resets_per_hour: u32,
    /// Dead links and wrong codes that one client address may present at once; live ones are never limited
    #[arg(long, env = "AUTH_DEAD_LINKS_BURST", default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..))]
    pub dead_links_burst: u32,
    /// Dead links and wrong codes that one client address may present a minute after that
    #[arg(long, env = "AUTH_DEAD_LINKS_PER_MINUTE", default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..))]
    pub dead_links_per_minute: u32,
    /// Mails to whomever that one account may cause an hour
    #[arg(long, env = "AUTH_ACCOUNT_MAILS_PER_HOUR", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    pub account_mails_per_hour: u32,
    /// Changes of the birth date of one account an hour; each is kept
    #[arg(long, env = "AUTH_BIRTH_DATES_PER_HOUR", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    pub birth_dates_per_hour: u32,
    /// Wrong passwords for one account within the window before whoever types them has to wait; counted apart for each
    /// session, for each browser that signed in before, and for all others together
    #[arg(long, env = "AUTH_FAILURES_LIMIT", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    pub failures_limit: u32,
    /// The window, in seconds; also the longest wait
    #[arg(long, env = "AUTH_FAILURES_WINDOW_SECONDS", default_value = "900", value_parser = seconds)]
    pub failures_window: Duration,
    /// The first wait, in seconds; it doubles with each further wrong password
    #[arg(long, env = "AUTH_FAILURES_DELAY_SECONDS", default_value = "30", value_parser = seconds)]
    pub failures_delay: Duration,
}

/// How much password hashing there may be: each takes 19 MiB and one core.
#[derive(Args, Clone)]
#[command(next_help_heading = "Hashing")]
pub struct Hashing {
    /// Passwords hashed at once
    #[arg(long, env = "AUTH_HASHES_AT_ONCE", default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..))]
    pub hashes_at_once: u16,
    /// Passwords that may wait for that; more are told to come again
    #[arg(long, env = "AUTH_HASHES_QUEUED", default_value_t = 40)]
    pub hashes_queued: u16,
    /// Memory of one hash, in KiB; a password keeps what it was hashed with. Less is for tests alone
    #[arg(long, env = "AUTH_HASH_MEMORY_KIB", default_value_t = HASH_MEMORY_KIB, value_parser = clap::value_parser!(u32).range(8..))]
    pub hash_memory_kib: u32,
}
