//! Passwords: argon2id, and never more of it at once than the machine can bear.

use std::sync::Arc;

use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{self, PasswordHasher as _, PasswordVerifier as _};
use argon2::{Algorithm, Argon2, Params, Version};
use tokio::sync::Semaphore;

use crate::config::Hashing;
use crate::error::Error;

/// The longest password, in characters.
pub const LIMIT: usize = 128;

const MEMORY_KIB: u32 = 19 * 1024;
const PASSES: u32 = 2;
const LANES: u32 = 1;

/// Hashes a password with a salt of its own, as a PHC string. Takes 19 MiB and some 20 ms of one core.
pub fn hash(password: &str) -> Result<String, password_hash::Error> {
    let params = Params::new(MEMORY_KIB, PASSES, LANES, None)?;
    let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
    Ok(argon2.hash_password(password.as_bytes())?.to_string())
}

/// Whether `hash`, a PHC string, is of this password. Compares in constant time.
pub fn matches(password: &str, hash: &str) -> Result<bool, password_hash::Error> {
    match Argon2::default().verify_password(password.as_bytes(), &PasswordHash::new(hash)?) {
        Ok(()) => Ok(true),
        Err(password_hash::Error::PasswordInvalid) => Ok(false),
        Err(error) => Err(error),
    }
}

/// Verifies passwords, a few at once; some may wait, more are refused.
#[derive(Clone)]
pub(crate) struct Verifier {
    /// Those under way and those that wait.
    places: Arc<Semaphore>,
    /// Those under way.
    cores: Arc<Semaphore>,
    /// Of a password that nobody has.
    dummy: Arc<str>,
}

impl Verifier {
    pub(crate) fn new(config: &Hashing) -> Result<Self, Error> {
        let mut nobody = [0; 32];
        aws_lc_rs::rand::fill(&mut nobody)?;
        let at_once = usize::from(config.hashes_at_once);
        Ok(Self {
            places: Arc::new(Semaphore::new(at_once + usize::from(config.hashes_queued))),
            cores: Arc::new(Semaphore::new(at_once)),
            dummy: hash(&hex::encode(nobody))?.into(),
        })
    }

    /// Whether the password is that of `hash`. Without one it is not, after just as long.
    pub(crate) async fn matches(&self, password: String, hash: Option<&str>) -> Result<bool, Error> {
        let place = self.places.clone().try_acquire_owned().map_err(|_| Error::Overloaded)?;
        // Never closed; and no refusal but for load is left to happen here.
        let core = self.cores.clone().acquire_owned().await.map_err(|_| Error::Overloaded)?;
        let known = hash.is_some();
        let hash = hash.unwrap_or(&self.dummy).to_owned();
        let matches = tokio::task::spawn_blocking(move || {
            let matches = matches(&password, &hash);
            // Held to the end of the work, though the caller may have gone.
            drop((place, core));
            matches
        })
        .await??;
        Ok(known && matches)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_is_argon2id_with_19_mib_two_passes_and_a_salt_of_its_own() {
        let (one, other) = (hash("じゃんけんぽん2026").unwrap(), hash("じゃんけんぽん2026").unwrap());
        assert!(one.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{one}");
        assert_ne!(one, other);
        assert!(matches("じゃんけんぽん2026", &one).unwrap());
        assert!(!matches("じゃんけんぽん2027", &one).unwrap());
    }
}
