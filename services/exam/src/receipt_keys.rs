//! The Ed25519 keys of receipts.

use std::str::FromStr;
use std::sync::Arc;

use aws_lc_rs::digest::{SHA256, digest};
use aws_lc_rs::signature::{Ed25519KeyPair, KeyPair as _};

/// The first 8 bytes of the SHA-256 of a public key.
pub(crate) type KeyId = [u8; 8];

/// A key is not 32 bytes in hex.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("is not 32 bytes in hex")]
pub struct InvalidKey;

/// A public key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PublicKey([u8; 32]);

impl PublicKey {
    pub(crate) fn id(&self) -> KeyId {
        let digest = digest(&SHA256, &self.0);
        let mut id = KeyId::default();
        id.copy_from_slice(&digest.as_ref()[..size_of::<KeyId>()]);
        id
    }

    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// Returns the key in hex.
    #[must_use]
    pub fn to_hex(&self) -> String {
        hex::encode(self.0)
    }
}

impl FromStr for PublicKey {
    type Err = InvalidKey;

    fn from_str(text: &str) -> Result<Self, InvalidKey> {
        parse_key(text).map(Self)
    }
}

/// The signing key, and all published keys.
#[derive(Clone)]
pub struct ReceiptKeys {
    signer: Arc<Ed25519KeyPair>,
    public_key: PublicKey,
    /// The signing key is first.
    published: Arc<[PublicKey]>,
}

impl ReceiptKeys {
    /// Makes the keys from a private key, 32 bytes in hex, and other public keys to publish.
    pub fn new(secret: &str, further: &[PublicKey]) -> Result<Self, InvalidKey> {
        let signer = Ed25519KeyPair::from_seed_unchecked(&parse_key(secret)?).map_err(|_| InvalidKey)?;
        let public = signer.public_key().as_ref().try_into().map_err(|_| InvalidKey)?;
        let own = PublicKey(public);
        let others = further.iter().copied().filter(|key| *key != own);
        let published = [own].into_iter().chain(others).collect();
        Ok(Self { signer: Arc::new(signer), public_key: own, published })
    }

    /// The published keys. The signing key is first.
    #[must_use]
    pub fn published(&self) -> &[PublicKey] {
        &self.published
    }

    /// The public key of the signing key.
    #[must_use]
    pub fn public_key(&self) -> PublicKey {
        self.public_key
    }

    /// The id of the signing key.
    pub(super) fn id(&self) -> KeyId {
        self.public_key.id()
    }

    /// Appends the signature to a statement.
    pub(super) fn sign(&self, mut statement: Vec<u8>) -> Vec<u8> {
        let signature = self.signer.sign(&statement);
        statement.extend_from_slice(signature.as_ref());
        statement
    }
}

fn parse_key(text: &str) -> Result<[u8; 32], InvalidKey> {
    let mut key = [0; 32];
    hex::decode_to_slice(text, &mut key).map_err(|_| InvalidKey)?;
    Ok(key)
}
