//! The stand-in for the payment provider: its page, and what it and commerce share.

use tooling::failure::Outcome;

use super::Product;
use crate::services::SANDBOX;

/// Its state file, in the state folder.
const STATE_FILE: &str = "sandbox.json";
/// Where the edge takes the provider's events.
const WEBHOOK: &str = "/api/commerce/webhook/";

/// A card number with which every payment succeeds.
pub const TEST_CARD: &str = "4242 4242 4242 4242";

impl Product {
    /// Its address, for browsers and for commerce: a page there shows every payment.
    pub fn payments(&mut self) -> Outcome<String> {
        Ok(format!("http://{}", self.address(SANDBOX)?))
    }

    /// The key with which commerce calls it.
    pub(super) fn provider_key(&mut self) -> Outcome<String> {
        Ok(format!("sk_test_{}", self.state.secret("provider key")?))
    }

    /// The secret with which it signs its events.
    pub(super) fn provider_webhook_secret(&mut self) -> Outcome<String> {
        Ok(format!("whsec_{}", self.state.secret("provider webhook")?))
    }

    /// Its settings, by their environment names.
    pub(super) fn sandbox_settings(&mut self) -> Outcome<[(String, String); 5]> {
        Ok([
            ("SANDBOX_URL".into(), self.payments()?),
            ("SANDBOX_KEY".into(), self.provider_key()?),
            ("SANDBOX_WEBHOOK_SECRET".into(), self.provider_webhook_secret()?),
            // Through the gateway, as events of the real one come.
            ("SANDBOX_WEBHOOK_URL".into(), self.origin() + WEBHOOK),
            ("SANDBOX_STATE".into(), self.state.path(STATE_FILE).display().to_string()),
        ])
    }
}
