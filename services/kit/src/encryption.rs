//! Cryptography with the secret of a service: all replicas share one secret, and each purpose has a derived key.

use std::fmt;
use std::str::FromStr;

use aws_lc_rs::aead::{AES_256_GCM, Aad, Nonce, RandomizedNonceKey};
use aws_lc_rs::error::Unspecified;
use aws_lc_rs::{hkdf, hmac};
use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD, URL_SAFE, URL_SAFE_NO_PAD};

/// Minimum length of a secret, in bytes.
const MIN_BYTES: usize = 32;
const NONCE_BYTES: usize = 12;

/// The configured secret of a service. `Debug` does not print it.
#[derive(Clone)]
pub struct Secret(Vec<u8>);

impl fmt::Debug for Secret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Secret")
    }
}

impl FromStr for Secret {
    type Err = &'static str;

    /// Parses hex or base64 (standard or URL-safe alphabet, with or without padding).
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let bytes = hex::decode(text)
            .ok()
            .or_else(|| {
                [STANDARD, STANDARD_NO_PAD, URL_SAFE, URL_SAFE_NO_PAD]
                    .iter()
                    .find_map(|engine| engine.decode(text).ok())
            })
            .ok_or("must be hex or base64")?;
        if bytes.len() < MIN_BYTES {
            return Err("must be at least 32 random bytes, e.g. from `openssl rand -hex 32`");
        }
        Ok(Self(bytes))
    }
}

impl Secret {
    /// Derives the key of `service` for `purpose`. A key reveals neither another key nor the secret.
    #[must_use]
    #[expect(
        clippy::expect_used,
        clippy::missing_panics_doc,
        reason = "32 bytes is a length that HKDF-SHA256 gives"
    )]
    pub fn key(&self, service: &str, purpose: &str) -> [u8; 32] {
        let mut key = [0; 32];
        hkdf::Salt::new(hkdf::HKDF_SHA256, format!("konomana {service}").as_bytes())
            .extract(&self.0)
            .expand(&[purpose.as_bytes()], hkdf::HKDF_SHA256)
            .and_then(|output| output.fill(&mut key))
            .expect("HKDF gives 32 bytes");
        key
    }
}

/// A keyed hash (HMAC-SHA256), for values that the database must not reveal.
#[derive(Clone)]
pub struct KeyedHash(hmac::Key);

impl KeyedHash {
    /// Uses a key of [`Secret::key`].
    #[must_use]
    pub fn new(key: [u8; 32]) -> Self {
        Self(hmac::Key::new(hmac::HMAC_SHA256, &key))
    }

    /// Hashes `text` to 32 bytes. The same text of another `kind` has another hash.
    #[must_use]
    pub fn hash(&self, kind: &str, text: &str) -> Vec<u8> {
        self.hash_bytes(kind, text.as_bytes())
    }

    /// As [`hash`](Self::hash), of any bytes.
    #[must_use]
    pub fn hash_bytes(&self, kind: &str, bytes: &[u8]) -> Vec<u8> {
        let mut context = hmac::Context::with_key(&self.0);
        context.update(kind.as_bytes());
        context.update(&[0]);
        context.update(bytes);
        context.sign().as_ref().to_vec()
    }
}

/// Encrypts values that the database must not reveal, with AES-256-GCM.
#[derive(Clone)]
pub struct Encryptor([u8; 32]);

impl Encryptor {
    /// Uses a key of [`Secret::key`].
    #[must_use]
    pub fn new(key: [u8; 32]) -> Self {
        Self(key)
    }

    /// Encrypts `plain` for `owner`, e.g. the id of its row. Returns nonce, ciphertext and tag.
    pub fn seal(&self, owner: &str, plain: &[u8]) -> Result<Vec<u8>, Unspecified> {
        let mut sealed = plain.to_vec();
        let nonce = RandomizedNonceKey::new(&AES_256_GCM, &self.0)?
            .seal_in_place_append_tag(Aad::from(owner.as_bytes()), &mut sealed)?;
        sealed.splice(0..0, nonce.as_ref().iter().copied());
        Ok(sealed)
    }

    /// Decrypts a value that was encrypted for the same `owner` with the same key.
    pub fn open(&self, owner: &str, sealed: &[u8]) -> Result<Vec<u8>, Unspecified> {
        let (nonce, sealed) = sealed.split_at_checked(NONCE_BYTES).ok_or(Unspecified)?;
        let mut plain = sealed.to_vec();
        let length = RandomizedNonceKey::new(&AES_256_GCM, &self.0)?
            .open_in_place(Nonce::try_assume_unique_for_key(nonce)?, Aad::from(owner.as_bytes()), &mut plain)?
            .len();
        plain.truncate(length);
        Ok(plain)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn secret(byte: u8) -> Secret {
        hex::encode([byte; 32]).parse().unwrap()
    }

    fn seal(byte: u8) -> Encryptor {
        Encryptor::new(secret(byte).key("auth", "test"))
    }

    #[test]
    fn a_secret_is_hex_or_base64_of_at_least_32_bytes() {
        for good in ["00".repeat(32), STANDARD.encode([7; 32]), URL_SAFE_NO_PAD.encode([255; 40])] {
            assert!(good.parse::<Secret>().is_ok(), "{good}");
        }
        for bad in
            [String::new(), "00".repeat(31), STANDARD.encode([7; 31]), "correct horse battery staple".into()]
        {
            assert!(bad.parse::<Secret>().is_err(), "{bad}");
        }
    }

    #[test]
    fn a_secret_is_never_printed() {
        assert_eq!(format!("{:?}", secret(7)), "Secret");
    }

    #[test]
    fn every_service_has_a_key_of_its_own_for_each_purpose_and_always_the_same() {
        let key = secret(1).key("auth", "outbox");
        assert_eq!(key, secret(1).key("auth", "outbox"));
        for other in
            [secret(2).key("auth", "outbox"), secret(1).key("desk", "outbox"), secret(1).key("auth", "mail")]
        {
            assert_ne!(key, other);
        }
    }

    #[test]
    fn a_sealed_value_opens_only_unchanged_for_its_owner_with_its_secret() {
        let sealed = seal(1).seal("kid", b"private").unwrap();
        assert!(!sealed.windows(7).any(|window| window == b"private"));
        assert_eq!(seal(1).open("kid", &sealed).unwrap(), b"private");
        assert!(seal(1).open("other", &sealed).is_err());
        assert!(seal(2).open("kid", &sealed).is_err());
        let mut changed = sealed.clone();
        changed[14] ^= 1;
        assert!(seal(1).open("kid", &changed).is_err());
        assert!(seal(1).open("kid", &sealed[..8]).is_err());
    }
}
