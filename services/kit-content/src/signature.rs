//! Ed25519 signatures of archives. Keys are what `openssl genpkey -algorithm ed25519` and `openssl pkey -pubout` write.

use std::fmt;
use std::str::FromStr;

use aws_lc_rs::signature::{ED25519, Ed25519KeyPair, UnparsedPublicKey};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// Prefix of every signed message, so that a signature for another purpose does not verify.
const CONTEXT: &[u8] = b"konomana content archive\n";

/// Checks signatures.
#[derive(Clone, PartialEq, Eq)]
pub struct PublicKey(Vec<u8>);

impl FromStr for PublicKey {
    type Err = &'static str;

    /// Reads PEM, or only the base64 between its first and last line.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        /// The bytes in front of the 32 bytes of a key in its `SubjectPublicKeyInfo` (RFC 8410).
        const PREFIX: [u8; 12] = [0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00];
        let der = decode(text).ok_or("is neither PEM nor base64")?;
        match der.strip_prefix(&PREFIX) {
            Some(key) if key.len() == 32 => Ok(Self(key.to_vec())),
            _ => Err("is no Ed25519 public key, like `openssl pkey -pubout` writes it"),
        }
    }
}

impl fmt::Debug for PublicKey {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "PublicKey({})", STANDARD.encode(&self.0))
    }
}

impl PublicKey {
    /// Whether `signature` is a signature of `message` by this key.
    pub(super) fn verifies(&self, message: &[u8], signature: &[u8]) -> bool {
        let Ok(signature) = STANDARD.decode(signature) else { return false };
        UnparsedPublicKey::new(&ED25519, &self.0).verify(&[CONTEXT, message].concat(), &signature).is_ok()
    }
}

/// Makes signatures.
pub struct SigningKey(Ed25519KeyPair);

impl FromStr for SigningKey {
    type Err = &'static str;

    /// Reads PEM.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let der = decode(text).ok_or("is not PEM")?;
        let pair = Ed25519KeyPair::from_pkcs8(&der)
            .map_err(|_| "is no Ed25519 private key, like `openssl genpkey -algorithm ed25519` makes one")?;
        Ok(Self(pair))
    }
}

impl SigningKey {
    /// The signature of `message`, in base64.
    pub(super) fn sign(&self, message: &[u8]) -> String {
        STANDARD.encode(self.0.sign(&[CONTEXT, message].concat()))
    }
}

/// The bytes of a PEM block, or of base64.
fn decode(text: &str) -> Option<Vec<u8>> {
    let base64: String = text.lines().map(str::trim).filter(|line| !line.starts_with("-----")).collect();
    STANDARD.decode(base64).ok()
}
