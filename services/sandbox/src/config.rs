//! Commands and settings. `--help` is the manual.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand};
use http::Uri;
use kit::Failure;

/// The commands of sandbox.
#[derive(Subcommand)]
pub enum Command {
    /// Stand in for the payment provider; no money moves
    Serve(Serve),
}

/// Settings of `serve`.
#[derive(Args)]
pub struct Serve {
    /// The address to serve the API, the payment pages and the probes on
    #[arg(long, env = "SANDBOX_LISTEN", default_value = "127.0.0.1:7700")]
    pub listen: SocketAddr,
    #[command(flatten)]
    pub settings: Settings,
    #[command(flatten)]
    pub server: kit::config::Serve,
}

/// The settings that the sandbox shares with its client.
#[derive(Args, Clone)]
#[command(next_help_heading = "Sandbox")]
pub struct Settings {
    /// The address at which browsers reach the payment pages: scheme and host only
    #[arg(long, env = "SANDBOX_URL", default_value = "http://127.0.0.1:7700")]
    pub url: String,
    /// The secret key of the API that the client sends, `sk_…`; never a live key
    // Not parsed by clap, which prints values that it cannot parse.
    #[arg(long, env = "SANDBOX_KEY", hide_env_values = true)]
    pub key: String,
    /// The secret that webhook events are signed with, `whsec_…`
    #[arg(long, env = "SANDBOX_WEBHOOK_SECRET", hide_env_values = true)]
    pub webhook_secret: String,
    /// Where webhook events are sent, e.g. `http://127.0.0.1:7300/api/commerce/webhook/`; without
    /// TLS
    #[arg(long, env = "SANDBOX_WEBHOOK_URL")]
    pub webhook_url: String,
    /// The file that stores the state; without it, the state is lost when the process ends
    #[arg(long, env = "SANDBOX_STATE")]
    pub state: Option<PathBuf>,
    /// The delay of a slow answer, in milliseconds
    #[arg(long = "slow-ms", env = "SANDBOX_SLOW_MS", default_value = "8000", value_parser = kit::config::milliseconds)]
    pub slow: Duration,
}

impl Settings {
    /// Checks the settings. The error names a setting, and never a secret.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        if !self.key.starts_with("sk_") || self.key.contains("_live_") {
            return Err("SANDBOX_KEY must be `sk_…` and no live key".into());
        }
        if !self.webhook_secret.starts_with("whsec_") {
            return Err("SANDBOX_WEBHOOK_SECRET must be `whsec_…`".into());
        }
        let webhook: Uri = self.webhook_url.parse().map_err(|_| "SANDBOX_WEBHOOK_URL must be a URL")?;
        if webhook.scheme_str() != Some("http") || webhook.host().is_none() {
            return Err("SANDBOX_WEBHOOK_URL must begin with http://".into());
        }
        let url: Uri = self.url.parse().map_err(|_| "SANDBOX_URL must be a URL")?;
        if url.host().is_none() || self.url.ends_with('/') || !matches!(url.path(), "" | "/") {
            return Err("SANDBOX_URL must be a scheme and a host, like http://127.0.0.1:7700".into());
        }
        Ok(())
    }
}
