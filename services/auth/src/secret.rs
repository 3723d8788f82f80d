//! The secret of all replicas, and the keys derived from it: one for each purpose.

use std::str::FromStr;

use kit::seal::{Blinding, Seal};

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
        Blinding::new(self.key("limits"))
    }

    /// Signs the tokens of browsers that signed in before.
    pub(crate) fn known_devices(&self) -> Blinding {
        Blinding::new(self.key("known devices"))
    }

    fn key(&self, purpose: &str) -> [u8; 32] {
        self.0.key("auth", purpose)
    }
}
