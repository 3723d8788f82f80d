//! The secret of all replicas, and the keys derived from it: one for each purpose.

use std::str::FromStr;

use aws_lc_rs::hmac;
use kit::seal::Seal;

/// The secret as it was configured. Never shown.
#[derive(Clone, Debug)]
pub struct Secret(kit::seal::Secret);

impl FromStr for Secret {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.parse().map(Self)
    }
}

impl Secret {
    /// Seals the private keys in the database.
    pub(crate) fn sealing(&self) -> Seal {
        Seal::new(self.key("signing keys"))
    }

    /// Seals events that wait to be delivered.
    #[must_use]
    pub fn outbox(&self) -> Seal {
        Seal::new(self.key("outbox"))
    }

    /// Hashes what limits are kept for: whoever reads the database learns no address from them.
    pub(crate) fn blinding(&self) -> Blinding {
        Blinding(hmac::Key::new(hmac::HMAC_SHA256, &self.key("limits")))
    }

    fn key(&self, purpose: &str) -> [u8; 32] {
        self.0.key("auth", purpose)
    }
}

/// HMAC-SHA256 under a key of its own.
#[derive(Clone)]
pub(crate) struct Blinding(hmac::Key);

impl Blinding {
    /// 32 bytes that stand for `text` among all that is called `kind`.
    pub(crate) fn blind(&self, kind: &str, text: &str) -> Vec<u8> {
        let mut context = hmac::Context::with_key(&self.0);
        context.update(kind.as_bytes());
        context.update(&[0]);
        context.update(text.as_bytes());
        context.sign().as_ref().to_vec()
    }
}
