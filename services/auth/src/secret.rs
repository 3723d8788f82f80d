//! The secret of all replicas, and the keys derived from it: one for each purpose.

use std::fmt;
use std::str::FromStr;

use aws_lc_rs::aead::{AES_256_GCM, Aad, Nonce, RandomizedNonceKey};
use aws_lc_rs::error::Unspecified;
use aws_lc_rs::{hkdf, hmac};
use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD, URL_SAFE, URL_SAFE_NO_PAD};

/// The least that cannot be guessed.
const LEAST_BYTES: usize = 32;
const NONCE_BYTES: usize = 12;

/// The secret as it was configured. Never shown.
#[derive(Clone)]
pub struct Secret(Vec<u8>);

impl fmt::Debug for Secret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Secret")
    }
}

impl FromStr for Secret {
    type Err = &'static str;

    /// Reads hex or base64, with or without padding, of either alphabet.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let bytes = hex::decode(text)
            .ok()
            .or_else(|| {
                [STANDARD, STANDARD_NO_PAD, URL_SAFE, URL_SAFE_NO_PAD]
                    .iter()
                    .find_map(|engine| engine.decode(text).ok())
            })
            .ok_or("must be hex or base64")?;
        if bytes.len() < LEAST_BYTES {
            return Err("must be at least 32 random bytes, like `openssl rand -hex 32` makes them");
        }
        Ok(Self(bytes))
    }
}

impl Secret {
    /// Seals the private keys in the database.
    pub(crate) fn sealing(&self) -> Sealing {
        Sealing(self.derive(b"signing keys"))
    }

    /// Hashes what limits are kept for: whoever reads the database learns no address from them.
    pub(crate) fn blinding(&self) -> Blinding {
        Blinding(hmac::Key::new(hmac::HMAC_SHA256, &self.derive(b"limits")))
    }

    #[expect(clippy::expect_used, reason = "32 bytes is a length that HKDF-SHA256 gives")]
    fn derive(&self, purpose: &[u8]) -> [u8; 32] {
        let mut key = [0; 32];
        hkdf::Salt::new(hkdf::HKDF_SHA256, b"konomana auth")
            .extract(&self.0)
            .expand(&[purpose], hkdf::HKDF_SHA256)
            .and_then(|output| output.fill(&mut key))
            .expect("HKDF gives 32 bytes");
        key
    }
}

/// AES-256-GCM under a key of its own.
#[derive(Clone)]
pub(crate) struct Sealing([u8; 32]);

impl Sealing {
    /// Seals `plain` for `owner`: nonce, ciphertext, tag.
    pub(crate) fn seal(&self, owner: &str, plain: &[u8]) -> Result<Vec<u8>, Unspecified> {
        let mut sealed = plain.to_vec();
        let nonce = RandomizedNonceKey::new(&AES_256_GCM, &self.0)?
            .seal_in_place_append_tag(Aad::from(owner.as_bytes()), &mut sealed)?;
        sealed.splice(0..0, nonce.as_ref().iter().copied());
        Ok(sealed)
    }

    /// Opens what was sealed for the same `owner` with the same secret.
    pub(crate) fn open(&self, owner: &str, sealed: &[u8]) -> Result<Vec<u8>, Unspecified> {
        let (nonce, sealed) = sealed.split_at_checked(NONCE_BYTES).ok_or(Unspecified)?;
        let mut plain = sealed.to_vec();
        let length = RandomizedNonceKey::new(&AES_256_GCM, &self.0)?
            .open_in_place(Nonce::try_assume_unique_for_key(nonce)?, Aad::from(owner.as_bytes()), &mut plain)?
            .len();
        plain.truncate(length);
        Ok(plain)
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

#[cfg(test)]
mod tests {
    use super::*;

    fn secret(byte: u8) -> Secret {
        hex::encode([byte; 32]).parse().unwrap()
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
    fn a_secret_is_never_shown() {
        assert_eq!(format!("{:?}", secret(7)), "Secret");
    }

    #[test]
    fn what_is_sealed_opens_only_for_its_owner_with_its_secret_and_unchanged() {
        let sealed = secret(1).sealing().seal("kid", b"private").unwrap();
        assert!(!sealed.windows(7).any(|window| window == b"private"));
        assert_eq!(secret(1).sealing().open("kid", &sealed).unwrap(), b"private");
        assert!(secret(1).sealing().open("other", &sealed).is_err());
        assert!(secret(2).sealing().open("kid", &sealed).is_err());
        let mut changed = sealed.clone();
        changed[14] ^= 1;
        assert!(secret(1).sealing().open("kid", &changed).is_err());
        assert!(secret(1).sealing().open("kid", &sealed[..8]).is_err());
    }
}
