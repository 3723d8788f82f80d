//! The setting with the keys of a service's callers.

use clap::Args;

use super::{Callers, Row, Service};
use crate::Failure;
use crate::clock::Clock;

/// The keys of the services that may call.
///
/// Belongs to no clap group, for the reason that [`Serve`](crate::config::Serve) has.
#[derive(Args, Clone)]
#[command(next_help_heading = "Callers")]
#[group(skip)]
pub struct CallerKeys {
    /// The keys that callers sign their calls with, separated by commas, like `edge=HEX,auth=HEX`: each at least 32
    /// random bytes in hex or base64, the same that the caller has for this service. To rotate a key, list its caller
    /// twice, with the old and the new key
    // Not parsed by clap, which prints values that it cannot parse.
    #[arg(long, env = "CALLER_KEYS", hide_env_values = true)]
    caller_keys: String,
}

impl CallerKeys {
    /// The checks of the server of `receiver`, with this table of callers.
    pub fn callers(&self, receiver: Service, table: &[Row]) -> Result<Callers, Failure> {
        Callers::new(receiver, table, &self.caller_keys, Clock::system())
    }
}
