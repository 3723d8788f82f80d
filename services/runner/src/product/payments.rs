//! The stand-in for the payment provider: its page and the secrets that it shares with commerce.

use tooling::failure::Outcome;

use super::Product;
use crate::services::SANDBOX;

/// Name of its state file in the state folder.
const STATE_FILE: &str = "sandbox.json";
/// The path of the edge that receives the provider's events.
const WEBHOOK: &str = "/api/commerce/webhook/";

/// A card number for successful payments.
pub const TEST_CARD: &str = "4242 4242 4242 4242";

impl Product {
    /// Its URL for browsers and commerce. A page there shows all payments.
    pub fn payments(&mut self) -> Outcome<String> {
        Ok(format!("http://{}", self.address(SANDBOX)?))
    }

    /// The key that commerce uses to call it.
    pub(super) fn provider_key(&mut self) -> Outcome<String> {
        Ok(format!("sk_test_{}", self.state.secret("provider key")?))
    }

    /// The secret that signs its events.
    pub(super) fn provider_webhook_secret(&mut self) -> Outcome<String> {
        Ok(format!("whsec_{}", self.state.secret("provider webhook")?))
    }

    /// Its settings, as environment variables.
    pub(super) fn sandbox_settings(&mut self) -> Outcome<Vec<(String, String)>> {
        let mut settings = vec![
            ("SANDBOX_URL".into(), self.payments()?),
            ("SANDBOX_KEY".into(), self.provider_key()?),
            ("SANDBOX_WEBHOOK_SECRET".into(), self.provider_webhook_secret()?),
            // Through the gateway, like events of the real provider.
            ("SANDBOX_WEBHOOK_URL".into(), self.origin() + WEBHOOK),
        ];
        if self.options.stores_payments {
            settings.push(("SANDBOX_STATE".into(), self.state.path(STATE_FILE).display().to_string()));
        }
        Ok(settings)
    }
}
