//! Commands and settings. `--help` is the manual.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand};
use kit::Failure;
use kit::encryption::{Encryptor, KeyedHash, Secret};
use kit_db::outbox::Outbox;
use uuid::Uuid;

/// The commands of commerce.
#[derive(Subcommand)]
pub enum Command {
    /// Serve products, carts and orders over gRPC
    Serve(Box<Serve>),
    /// Bring the database's schema up to date
    Migrate(Database),
    /// Import products and coupons; a fault in the content changes nothing
    ///
    /// A folder has `products.yaml`, `coupons.yaml` if there are any and, for a demo,
    /// `coupon-holders.yaml`; an archive has the same in `commerce/`.
    Import(Import),
    /// List the imported versions of the content, newest first
    Content(Database),
    /// Prove that the ledger agrees with itself, with the orders, and with the payment provider
    ///
    /// Prints a table of checks and each difference by name, and ends with status 1 if there is
    /// one. Books the provider's fees and payouts first. A payment or a refund in progress shows as
    /// a difference: run it again.
    Audit(Audit),
    /// Record that the money of a refund that failed was returned from the school's own bank
    /// account
    ///
    /// Run it after the transfer was made. The books and the buyer's page show the refund as paid,
    /// its return invoice (返還インボイス) is issued, and the buyer gets an email. `audit` lists the
    /// refunds that failed and are still owed.
    RecordReturn(RecordReturn),
}

/// Settings of `serve`.
#[derive(Args)]
pub struct Serve {
    /// The address to serve gRPC and the probes on
    #[arg(long, env = "COMMERCE_LISTEN", default_value = "127.0.0.1:7600")]
    pub listen: SocketAddr,
    #[command(flatten)]
    pub database: Database,
    #[command(flatten)]
    pub secret: SecretArg,
    #[command(flatten)]
    pub receivers: Receivers,
    #[command(flatten)]
    pub provider: ProviderArgs,
    /// Origin of the site, e.g. `https://konomana.example`: the provider sends buyers back to its
    /// pages
    #[arg(long, env = "COMMERCE_SITE_URL", value_parser = parse_origin)]
    pub site_url: String,
    #[command(flatten)]
    pub issuer: Issuer,
    /// Folder with the font of receipts: that of the npm package
    /// `@expo-google-fonts/biz-udpgothic`. The image has it at the default
    #[arg(long, env = "COMMERCE_FONTS", default_value = "/usr/local/share/fonts/biz-udpgothic")]
    pub fonts: PathBuf,
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
    #[command(flatten)]
    pub secret: SecretArg,
}

/// Settings of `audit`.
#[derive(Args)]
pub struct Audit {
    #[command(flatten)]
    pub database: Database,
    #[command(flatten)]
    pub provider: ProviderArgs,
}

/// Settings of `record-return`.
#[derive(Args)]
pub struct RecordReturn {
    /// Id of the refund that failed, as `audit` prints it
    pub refund: Uuid,
    #[command(flatten)]
    pub database: Database,
    #[command(flatten)]
    pub secret: SecretArg,
}

/// The settings of the database of commerce.
pub type Database = kit_db::config::DatabaseArgs<CommerceDatabase>;

/// The names and defaults of the database settings.
pub struct CommerceDatabase;

impl kit_db::config::DatabaseSettings for CommerceDatabase {
    const URL: &'static str = "COMMERCE_DATABASE_URL";
    const CONNECTIONS: &'static str = "COMMERCE_DATABASE_CONNECTIONS";
    const DEFAULT_CONNECTIONS: &'static str = "8";
}

/// The secret that all replicas share.
#[derive(Args, Clone)]
#[command(next_help_heading = "Secret")]
pub struct SecretArg {
    /// At least 32 random bytes in hex or base64, the same for every replica and for `import`:
    /// `openssl rand -hex 32`. Encrypts the pending events in the database, and hashes idempotency
    /// keys. If it is lost, pending events are not sent: the grants and emails of the latest paid
    /// orders
    // Not parsed by clap, which prints values that it cannot parse.
    #[arg(long, env = "COMMERCE_SECRET", hide_env_values = true)]
    secret: String,
}

impl SecretArg {
    /// Opens the outbox with a key of the secret.
    pub fn outbox(&self) -> Result<Outbox, Failure> {
        Ok(Outbox::new(Encryptor::new(self.parse_secret()?.key("commerce", "outbox"))))
    }

    /// Hashes idempotency keys with a key of the secret.
    pub fn keyed_hash(&self) -> Result<KeyedHash, Failure> {
        Ok(KeyedHash::new(self.parse_secret()?.key("commerce", "hash")))
    }

    fn parse_secret(&self) -> Result<Secret, Failure> {
        Ok(self.secret.parse().map_err(|error| format!("COMMERCE_SECRET {error}"))?)
    }
}

/// lms, which receives events and stores which courses learners own.
#[derive(Args, Clone)]
#[command(next_help_heading = "Receivers of events")]
pub struct Receivers {
    /// Address of lms, e.g. `http://lms:7000`. lms sorts its catalogue by price, grants purchased
    /// courses, and stores which courses learners own. Separate several addresses by commas. An
    /// address after a `;` is a balancer in front of all replicas; it is dialled while no other
    /// address accepts a connection
    #[arg(long, env = "COMMERCE_LMS_URL")]
    pub lms_url: String,
    /// Signs calls to lms: at least 32 random bytes in hex or base64, the same as lms's
    /// `CALLER_KEYS` has for commerce
    // Not parsed by clap, which prints values that it cannot parse.
    #[arg(long, env = "COMMERCE_LMS_KEY", hide_env_values = true)]
    pub lms_key: String,
    /// Address of desk, which sends emails to buyers, e.g. `http://desk:7000`; same format as for
    /// lms
    #[arg(long, env = "COMMERCE_DESK_URL")]
    pub desk_url: String,
    /// Signs calls to desk: at least 32 random bytes in hex or base64, the same as desk's
    /// `CALLER_KEYS` has for commerce
    // Not parsed by clap, which prints values that it cannot parse.
    #[arg(long, env = "COMMERCE_DESK_KEY", hide_env_values = true)]
    pub desk_key: String,
    /// Address of exam, which grants bought seats, e.g. `http://exam:7000`; same format as for lms
    #[arg(long, env = "COMMERCE_EXAM_URL")]
    pub exam_url: String,
    /// Signs calls to exam: at least 32 random bytes in hex or base64, the same as exam's
    /// `CALLER_KEYS` has for commerce
    // Not parsed by clap, which prints values that it cannot parse.
    #[arg(long, env = "COMMERCE_EXAM_KEY", hide_env_values = true)]
    pub exam_key: String,
}

/// The seller, which issues receipts and qualified invoices (適格請求書).
#[derive(Args, Clone)]
#[command(next_help_heading = "Receipts")]
pub struct Issuer {
    /// Name of the issuer
    #[arg(long = "issuer-name", env = "COMMERCE_ISSUER_NAME", default_value = "株式会社コノマナ")]
    pub name: String,
    /// Registration number of the qualified issuer
    #[arg(long = "issuer-number", env = "COMMERCE_ISSUER_NUMBER", default_value = "T0000000000000")]
    pub number: String,
}

/// The payment provider (Stripe).
#[derive(Args, Clone)]
#[command(next_help_heading = "Payment provider")]
pub struct ProviderArgs {
    /// Address of the provider's API: scheme and host only; `http` only for the sandbox
    #[arg(long, env = "COMMERCE_PROVIDER_URL", default_value = "https://api.stripe.com")]
    pub provider_url: String,
    /// The secret key of the API, `sk_…` or `rk_…`. Whether it is a live key decides which webhook
    /// events are accepted
    // Not parsed by clap, which prints values that it cannot parse.
    #[arg(long, env = "COMMERCE_PROVIDER_KEY", hide_env_values = true)]
    pub provider_key: String,
    /// The secret of the webhook endpoint, `whsec_…`
    #[arg(long, env = "COMMERCE_PROVIDER_WEBHOOK_SECRET", hide_env_values = true)]
    pub provider_webhook_secret: String,
    /// Time limit of a call, in milliseconds. A call without an answer counts as unknown and is
    /// repeated later with the same idempotency key
    #[arg(
        long = "provider-limit-ms",
        env = "COMMERCE_PROVIDER_LIMIT_MS",
        default_value = "6000",
        value_parser = kit::config::milliseconds
    )]
    pub provider_limit: Duration,
}

/// Parses an origin: scheme, host and port.
fn parse_origin(text: &str) -> Result<String, String> {
    let uri: Option<http::Uri> = text.parse().ok();
    let is_origin = uri.is_some_and(|uri| {
        matches!(uri.scheme_str(), Some("http" | "https"))
            && uri.host().is_some()
            && uri.path() == "/"
            && uri.query().is_none()
    });
    if is_origin {
        Ok(text.to_owned())
    } else {
        Err(format!("'{text}' is no origin, like https://konomana.example"))
    }
}
