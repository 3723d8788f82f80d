//! The command line. `--help` is the manual.

use std::net::SocketAddr;
use std::time::Duration;

use clap::{Args, Subcommand};
use kit::config::seconds;
use uuid::Uuid;
use webauthn_rs::prelude::Url;

use crate::secret::Secret;

/// Default memory of one password hash, in KiB.
pub(crate) const HASH_MEMORY_KIB: u32 = 19 * 1024;

/// What the process does.
#[derive(Subcommand)]
pub enum Command {
    /// Serve accounts, sessions and keys to the edge
    Serve(Box<Serve>),
    /// Bring the database's schema up to date
    Migrate(Database),
    /// Import accounts; unchanged ones are not written
    ///
    /// A folder has `accounts.yaml`; an archive has it in `auth/`.
    Import {
        /// The content.
        #[command(flatten)]
        content: kit_content::Content,
        /// Change nothing, and print what would change
        #[arg(long)]
        dry_run: bool,
        /// The database.
        #[command(flatten)]
        database: Database,
    },
    /// Manage the keys that sign access tokens
    ///
    /// To rotate: `keys add`, wait a few seconds until every edge knows the new key, `keys sign KID`, wait 24 hours
    /// until the last token of the old key has expired, `keys retire OLD`. Running servers and edges follow within a
    /// second.
    #[command(subcommand)]
    Keys(Keys),
    /// Decide about the birth date of an account, as a guardian does by mail
    ///
    /// An earlier date of a minor needs the approval of a guardian. If there is no guardian to ask, the person writes
    /// to the school. The table `birth_date_change` keeps both dates, the operator and the time. The owner of the
    /// account is notified by mail.
    BirthDate(BirthDate),
}

/// A decision by staff about a birth date.
#[derive(Args)]
pub struct BirthDate {
    /// The account
    #[arg(long)]
    pub account: Uuid,
    /// The name of the operator, which is stored
    #[arg(long, value_parser = clap::builder::NonEmptyStringValueParser::new())]
    pub operator: String,
    /// The decision.
    #[command(flatten)]
    pub decision: Decision,
    /// Encrypts the mail.
    #[command(flatten)]
    pub secret: SecretArg,
    /// The database.
    #[command(flatten)]
    pub database: Database,
}

/// A decision about a birth date.
#[derive(Args)]
#[group(required = true, multiple = false)]
pub struct Decision {
    /// Approve the pending date
    #[arg(long)]
    pub approve: bool,
    /// Decline the pending date
    #[arg(long)]
    pub decline: bool,
    /// Set this date and discard a pending one: YYYY-MM-DD
    #[arg(long)]
    pub date: Option<String>,
}

/// Commands for signing keys.
#[derive(Subcommand)]
pub enum Keys {
    /// Add a key; edges accept tokens signed with it from now on
    Add {
        /// Sign with it at once. Right for the first key; in a rotation wait until every edge knows the key
        #[arg(long)]
        sign: bool,
        /// Do nothing if there is a signing key
        #[arg(long)]
        if_none: bool,
        /// Encrypts the private key.
        #[command(flatten)]
        secret: SecretArg,
        /// The database.
        #[command(flatten)]
        database: Database,
    },
    /// Sign with this key from now on; tokens of the previous key stay valid
    Sign {
        /// The key id, from `keys list`
        kid: String,
        /// The database.
        #[command(flatten)]
        database: Database,
    },
    /// Reject tokens of this key from now on, and delete its private part
    ///
    /// Edges reject every access token that it signed within a second. After a rotation wait 24 hours, the lifetime of
    /// an access token. Retire a key at once only if it may be compromised.
    Retire {
        /// The key id, from `keys list`
        kid: String,
        /// The database.
        #[command(flatten)]
        database: Database,
    },
    /// List the keys, oldest first
    List(Database),
}

/// Settings of a server.
#[derive(Args)]
pub struct Serve {
    /// The address to serve gRPC, the public keys (`/.well-known/jwks.json`) and the probes on
    #[arg(long, env = "AUTH_LISTEN", default_value = "127.0.0.1:7100")]
    pub listen: SocketAddr,
    /// The database.
    #[command(flatten)]
    pub database: Database,
    /// Decrypts the private keys.
    #[command(flatten)]
    pub secret: SecretArg,
    /// The services that receive events.
    #[command(flatten)]
    pub receivers: Receivers,
    /// The public origin of the site, e.g. `https://www.konomana.jp`. Passkeys are made for its host name and work for
    /// no other; browsers support none for a bare IP address
    #[arg(long, env = "AUTH_PUBLIC_ORIGIN", default_value = "http://localhost:8080")]
    pub public_origin: Url,
    /// Settings of tokens.
    #[command(flatten)]
    pub tokens: Tokens,
    /// Settings of sign-up and password reset.
    #[command(flatten)]
    pub sign_up: SignUp,
    /// Settings of what owners change.
    #[command(flatten)]
    pub owner: Owner,
    /// Limits.
    #[command(flatten)]
    pub limits: Limits,
    /// Password hashing.
    #[command(flatten)]
    pub hashing: Hashing,
    /// The keys of the services that may call.
    #[command(flatten)]
    pub caller_keys: kit::caller::CallerKeys,
    /// Settings of every server.
    #[command(flatten)]
    pub server: kit::config::Serve,
}

/// The settings of the database of auth.
pub type Database = kit_db::config::DatabaseArgs<AuthDatabase>;

/// Their names and defaults.
pub struct AuthDatabase;

impl kit_db::config::DatabaseSettings for AuthDatabase {
    const URL: &'static str = "AUTH_DATABASE_URL";
    const CONNECTIONS: &'static str = "AUTH_DATABASE_CONNECTIONS";
    const DEFAULT_CONNECTIONS: &'static str = "16";
    const LEAST_CONNECTIONS: i64 = 2;
}

/// The secret that all replicas share.
#[derive(Args)]
#[command(next_help_heading = "Secret")]
pub struct SecretArg {
    /// At least 32 random bytes in hex or base64, the same for every replica: `openssl rand -hex 32`. Encrypts the
    /// private keys and the waiting events in the database. If it is lost, add a new key and sign with it; waiting
    /// events stay unsent
    #[arg(long, env = "AUTH_SECRET", hide_env_values = true)]
    secret: String,
}

impl SecretArg {
    /// Parses the secret. Clap does not parse it, because it prints values that it cannot parse.
    pub fn parse_secret(&self) -> Result<Secret, kit::Failure> {
        Ok(self.secret.parse().map_err(|error| format!("AUTH_SECRET {error}"))?)
    }
}

/// The services that receive events about accounts.
#[derive(Args, Clone)]
#[command(next_help_heading = "Receivers of events")]
pub struct Receivers {
    /// Address of desk, which sends the mails, e.g. `http://desk:7000`. Separate several addresses by commas. An
    /// address after a `;` is a balancer in front of all replicas; it is dialled while no other address accepts a
    /// connection
    #[arg(long, env = "AUTH_DESK_URL")]
    pub desk_url: String,
    /// Signs calls to desk: at least 32 random bytes in hex or base64, the same as desk's `CALLER_KEYS` has for auth
    // Not parsed by clap, which prints values that it cannot parse.
    #[arg(long, env = "AUTH_DESK_KEY", hide_env_values = true)]
    pub desk_key: String,
    /// Address of lms, which deletes the learning data of an erased account, in the same form as desk's
    #[arg(long, env = "AUTH_LMS_URL")]
    pub lms_url: String,
    /// Signs calls to lms, in the same form as desk's
    #[arg(long, env = "AUTH_LMS_KEY", hide_env_values = true)]
    pub lms_key: String,
    /// Address of commerce, which deletes the cart and the personal data of the orders of an erased account, in the same
    /// form as desk's
    #[arg(long, env = "AUTH_COMMERCE_URL")]
    pub commerce_url: String,
    /// Signs calls to commerce, in the same form as desk's
    #[arg(long, env = "AUTH_COMMERCE_KEY", hide_env_values = true)]
    pub commerce_key: String,
    /// Address of exam, which deletes the applications and sittings of an erased account, in the same form as desk's
    #[arg(long, env = "AUTH_EXAM_URL")]
    pub exam_url: String,
    /// Signs calls to exam, in the same form as desk's
    #[arg(long, env = "AUTH_EXAM_KEY", hide_env_values = true)]
    pub exam_key: String,
}

/// Contents and lifetimes of tokens.
#[derive(Args, Clone)]
#[command(next_help_heading = "Tokens")]
pub struct Tokens {
    /// The `iss` claim of access tokens
    #[arg(long, env = "AUTH_TOKEN_ISSUER", default_value = "konomana-auth")]
    pub issuer: String,
    /// The `aud` claim of access tokens
    #[arg(long, env = "AUTH_TOKEN_AUDIENCE", default_value = "konomana")]
    pub audience: String,
    /// Lifetime of an access token, in seconds; it never outlives its session
    #[arg(long, env = "AUTH_ACCESS_SECONDS", default_value = "86400", value_parser = seconds)]
    pub access_lifetime: Duration,
    /// Lifetime of a session after its login, in seconds; refreshing does not extend it
    #[arg(long, env = "AUTH_SESSION_SECONDS", default_value = "2592000", value_parser = seconds)]
    pub session_lifetime: Duration,
    /// How long a used refresh token still returns the same successor, in seconds. Used later, it ends its session
    #[arg(long, env = "AUTH_REFRESH_GRACE_SECONDS", default_value = "10", value_parser = seconds)]
    pub refresh_grace: Duration,
}

/// Settings of sign-up and password reset.
#[derive(Args, Clone)]
#[command(next_help_heading = "Sign-up and password reset")]
pub struct SignUp {
    /// Lifetime of a sign-up until it is verified, and again until it is completed, in seconds
    #[arg(long, env = "AUTH_SIGN_UP_SECONDS", default_value = "86400", value_parser = seconds)]
    pub sign_up_lifetime: Duration,
    /// Wrong codes for one mail; after that the sign-up needs another mail
    #[arg(long, env = "AUTH_CODE_TRIES", default_value_t = 5, value_parser = clap::value_parser!(i16).range(1..))]
    pub code_tries: i16,
    /// Minimum interval between two mails of the same kind, in seconds
    #[arg(long, env = "AUTH_RESEND_SECONDS", default_value = "60", value_parser = seconds)]
    pub resend_after: Duration,
    /// Lifetime of a password reset link, in seconds
    #[arg(long, env = "AUTH_RESET_SECONDS", default_value = "1800", value_parser = seconds)]
    pub reset_lifetime: Duration,
}

/// Settings of what owners change in their accounts.
#[derive(Args, Clone)]
#[command(next_help_heading = "Owners")]
pub struct Owner {
    /// Lifetime of the link that confirms a new e-mail address, in seconds
    #[arg(long, env = "AUTH_EMAIL_SECONDS", default_value = "86400", value_parser = seconds)]
    pub email_lifetime: Duration,
    /// How long a change of the e-mail address can be undone from the old address, in seconds
    #[arg(long, env = "AUTH_EMAIL_UNDO_SECONDS", default_value = "86400", value_parser = seconds)]
    pub email_undo_lifetime: Duration,
    /// Lifetime of a request for a guardian's consent, in seconds
    #[arg(long, env = "AUTH_CONSENT_SECONDS", default_value = "172800", value_parser = seconds)]
    pub consent_lifetime: Duration,
    /// Lifetime of the code that a learner gives a guardian, in seconds
    #[arg(long, env = "AUTH_GUARDIAN_CODE_SECONDS", default_value = "86400", value_parser = seconds)]
    pub guardian_code_lifetime: Duration,
    /// Maximum number of guardians of one learner
    #[arg(long, env = "AUTH_GUARDIANS_MOST", default_value_t = 4)]
    pub guardians_most: u32,
    /// How long a learner can see when a guardian viewed their progress, in seconds
    #[arg(long, env = "AUTH_GUARDIAN_VIEWS_SECONDS", default_value = "7776000", value_parser = seconds)]
    pub guardian_views_kept: Duration,
    /// How long a closed account can be reopened before it is erased, in seconds
    #[arg(long, env = "AUTH_CLOSING_SECONDS", default_value = "2592000", value_parser = seconds)]
    pub closing_period: Duration,
}

/// Rate limits, shared by all replicas.
#[derive(Args, Clone)]
#[command(next_help_heading = "Limits")]
pub struct Limits {
    /// Burst of login attempts of one client address. Each session and each browser that signed in before has a bucket
    /// of the same size of its own
    #[arg(long, env = "AUTH_LOGINS_BURST", default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..))]
    pub logins_burst: u32,
    /// Login attempts of one client address a minute after that
    #[arg(long, env = "AUTH_LOGINS_PER_MINUTE", default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..))]
    pub logins_per_minute: u32,
    /// Burst of invalid refresh tokens from one client address; valid ones are limited by session
    #[arg(long, env = "AUTH_REFRESHES_BURST", default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..))]
    pub refreshes_burst: u32,
    /// Invalid refresh tokens from one client address a minute after that
    #[arg(long, env = "AUTH_REFRESHES_PER_MINUTE", default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..))]
    pub refreshes_per_minute: u32,
    /// Refreshes of one session an hour. Further ones are refused, and the session stays alive
    #[arg(long, env = "AUTH_SESSION_REFRESHES_PER_HOUR", default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..))]
    pub session_refreshes_per_hour: u32,
    /// Burst of mails that one client address may request, for sign-ups and password resets
    #[arg(long, env = "AUTH_MAILS_BURST", default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..))]
    pub mails_burst: u32,
    /// Mails that one client address may request a minute after that
    #[arg(long, env = "AUTH_MAILS_PER_MINUTE", default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..))]
    pub mails_per_minute: u32,
    /// Hourly limit of sign-up mails of the whole service. Sign-ups beyond it are refused
    #[arg(long, env = "AUTH_SIGN_UP_MAILS_PER_HOUR", default_value_t = 2_000, value_parser = clap::value_parser!(u32).range(1..))]
    pub sign_up_mails_per_hour: u32,
    /// Sign-up mails that one client address may request an hour: an IPv4 address or an IPv6 /64. A /56 may request
    /// twice as many, a /48 and an IPv4 /24 four times as many. Keep it far below the limit of the whole service, so
    /// that one network cannot use that up
    #[arg(long, env = "AUTH_SIGN_UP_MAILS_PER_ADDRESS_PER_HOUR", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..))]
    pub sign_up_mails_per_address_per_hour: u32,
    /// Sign-up mails to one mailbox an hour
    #[arg(long, env = "AUTH_SIGN_UPS_PER_HOUR", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    pub sign_ups_per_hour: u32,
    /// Password reset mails to one mailbox an hour
    #[arg(long, env = "AUTH_RESETS_PER_HOUR", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    pub resets_per_hour: u32,
    /// Burst of invalid links and wrong codes from one client address; valid ones are never limited
    #[arg(long, env = "AUTH_DEAD_LINKS_BURST", default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..))]
    pub dead_links_burst: u32,
    /// Invalid links and wrong codes from one client address a minute after that
    #[arg(long, env = "AUTH_DEAD_LINKS_PER_MINUTE", default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..))]
    pub dead_links_per_minute: u32,
    /// Mails that one account may cause an hour
    #[arg(long, env = "AUTH_ACCOUNT_MAILS_PER_HOUR", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    pub account_mails_per_hour: u32,
    /// Changes of the birth date of one account an hour; each is stored
    #[arg(long, env = "AUTH_BIRTH_DATES_PER_HOUR", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    pub birth_dates_per_hour: u32,
    /// Wrong passwords for one account within the window before the next attempt has to wait. Counted separately for
    /// each session, for each browser that signed in before, and for all other callers together
    #[arg(long, env = "AUTH_FAILURES_LIMIT", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    pub failures_limit: u32,
    /// The window, in seconds; also the longest wait
    #[arg(long, env = "AUTH_FAILURES_WINDOW_SECONDS", default_value = "900", value_parser = seconds)]
    pub failures_window: Duration,
    /// The first wait, in seconds; it doubles with each further wrong password
    #[arg(long, env = "AUTH_FAILURES_DELAY_SECONDS", default_value = "30", value_parser = seconds)]
    pub failures_delay: Duration,
}

/// Capacity of password hashing: one hash takes 19 MiB and one core.
#[derive(Args, Clone)]
#[command(next_help_heading = "Hashing")]
pub struct Hashing {
    /// Passwords hashed at the same time
    #[arg(long, env = "AUTH_HASHES_AT_ONCE", default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..))]
    pub hashes_at_once: u16,
    /// Passwords that may wait to be hashed; further ones are refused with a time to retry after
    #[arg(long, env = "AUTH_HASHES_QUEUED", default_value_t = 40)]
    pub hashes_queued: u16,
    /// Memory of one hash, in KiB. A stored hash keeps the value it was made with. Use less in tests only
    #[arg(long, env = "AUTH_HASH_MEMORY_KIB", default_value_t = HASH_MEMORY_KIB, value_parser = clap::value_parser!(u32).range(8..))]
    pub hash_memory_kib: u32,
}
