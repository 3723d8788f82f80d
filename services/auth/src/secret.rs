//! The secret that all replicas share, and a key derived from it for each purpose.

use std::str::FromStr;

use kit::encryption::{Encryptor, KeyedHash};

/// The configured secret. It is never printed.
#[derive(Clone, Debug)]
pub struct Secret(kit::encryption::Secret);

impl FromStr for Secret {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.parse().map(Self)
    }
}

impl Secret {
    /// Encrypts the private keys in the database.
    pub(crate) fn sealing(&self) -> Encryptor {
        Encryptor::new(self.key("signing keys"))
    }

    /// Encrypts the events in the outbox.
    #[must_use]
    pub fn outbox(&self) -> Encryptor {
        Encryptor::new(self.key("outbox"))
    }

    /// Makes the keyed hashes of limits, so the database holds no addresses.
    pub(crate) fn keyed_hash(&self) -> KeyedHash {
        KeyedHash::new(self.key("limits"))
    }

    /// Signs the tokens of known devices.
    pub(crate) fn known_devices(&self) -> KeyedHash {
        KeyedHash::new(self.key("known devices"))
    }

    fn key(&self, purpose: &str) -> [u8; 32] {
        self.0.key("auth", purpose)
    }
}
