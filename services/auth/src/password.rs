//! Passwords: argon2id, with a limit on concurrent hashing.

pub(crate) mod strength;

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use argon2::password_hash;
use argon2::password_hash::phc::{Output, PasswordHash};
use argon2::{Algorithm, Argon2, Block, Params, Version};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use kit::error::FieldError;
use kit::shutdown::Shutdown;
use tokio::sync::Semaphore;

pub use forms::PASSWORD_LIMIT as LIMIT;

use crate::config::{HASH_MEMORY_KIB, Hashing};
use crate::error::Error;

const PASSES: u32 = 2;
const LANES: u32 = 1;
const SALT_BYTES: usize = 16;
const OUTPUT_BYTES: usize = 32;

/// The highest niceness, which is the lowest priority.
const LEAST_URGENT: i32 = 19;

/// How long unused memory is kept.
const IDLE: Duration = Duration::from_secs(10);

/// Hashes a password with a random salt; returns a PHC string. Takes 19 MiB and about 20 ms of one core.
pub fn hash(password: &str) -> Result<String, Error> {
    hash_in(HASH_MEMORY_KIB, password, &mut Memory::default())
}

/// Hashes a password with this much memory.
pub fn hash_in(memory_kib: u32, password: &str, memory: &mut Memory) -> Result<String, Error> {
    let salt: [u8; SALT_BYTES] = random_bytes()?;
    let params = Params::new(memory_kib, PASSES, LANES, None).map_err(password_hash::Error::from)?;
    let blocks = memory.blocks(params.block_count());
    let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
    let mut output = [0; OUTPUT_BYTES];
    argon2
        .hash_password_into_with_memory(password.as_bytes(), &salt, &mut output, blocks)
        .map_err(password_hash::Error::from)?;
    Ok(format_phc(memory_kib, &salt, &output))
}

/// A hash that no password matches. It is random, because computing a real one would take time.
fn make_decoy(memory_kib: u32) -> Result<String, Error> {
    Ok(format_phc(memory_kib, &random_bytes::<SALT_BYTES>()?, &random_bytes::<OUTPUT_BYTES>()?))
}

fn random_bytes<const BYTES: usize>() -> Result<[u8; BYTES], Error> {
    let mut bytes = [0; BYTES];
    aws_lc_rs::rand::fill(&mut bytes)?;
    Ok(bytes)
}

fn format_phc(memory_kib: u32, salt: &[u8], output: &[u8]) -> String {
    let (salt, output) = (STANDARD_NO_PAD.encode(salt), STANDARD_NO_PAD.encode(output));
    format!("$argon2id$v=19$m={memory_kib},t={PASSES},p={LANES}${salt}${output}")
}

/// Whether the password matches `hash`, a PHC string. Compares in constant time.
///
/// # Errors
///
/// If `hash` is no PHC string.
pub fn matches(password: &str, hash: &str, memory: &mut Memory) -> Result<bool, password_hash::Error> {
    let hash = PasswordHash::new(hash)?;
    let (Some(salt), Some(expected)) = (&hash.salt, &hash.hash) else {
        return Err(password_hash::Error::EncodingInvalid);
    };
    let version = hash.version.map_or(Ok(Version::default()), Version::try_from)?;
    let params = Params::try_from(&hash)?;
    let blocks = memory.blocks(params.block_count());
    let argon2 = Argon2::new(Algorithm::try_from(hash.algorithm.as_str())?, version, params);
    let mut output = [0; Output::MAX_LENGTH];
    let output = &mut output[..expected.len()];
    argon2.hash_password_into_with_memory(password.as_bytes(), salt, output, blocks)?;
    Ok(Output::new(output)? == *expected)
}

/// Memory of a hash. It is reused, because to allocate 19 MiB takes as long as to hash.
#[derive(Default)]
pub struct Memory(Vec<Block>);

impl Memory {
    /// Reserved size. The allocator returns a block of more than 32 MiB to the system when it is dropped, and keeps
    /// smaller ones for each thread. Pages that are never touched take no memory.
    const CAPACITY: usize = 33 * 1024 * 1024 / Block::SIZE;

    fn blocks(&mut self, count: usize) -> &mut [Block] {
        self.0.reserve(count.max(Self::CAPACITY).saturating_sub(self.0.len()));
        if self.0.len() < count {
            self.0.resize(count, Block::new());
        }
        &mut self.0[..count]
    }
}

/// Hashes and verifies passwords, a few at the same time. Some calls may wait; further ones are refused.
#[derive(Clone)]
pub(crate) struct Hasher {
    /// One permit for each call that runs or waits.
    places: Arc<Semaphore>,
    /// One permit for each call that runs.
    cores: Arc<Semaphore>,
    memory_kib: u32,
    /// Verified if there is no account, so that the answer takes as long.
    decoy: Arc<str>,
    memories: MemoryPool,
}

impl Hasher {
    pub(crate) fn new(config: &Hashing, shutdown: Shutdown) -> Result<Self, Error> {
        let at_once = usize::from(config.hashes_at_once);
        Ok(Self {
            places: Arc::new(Semaphore::new(at_once + usize::from(config.hashes_queued))),
            cores: Arc::new(Semaphore::new(at_once)),
            memory_kib: config.hash_memory_kib,
            decoy: make_decoy(config.hash_memory_kib)?.into(),
            memories: MemoryPool::new(shutdown),
        })
    }

    /// Whether the password matches `hash`. Without a hash it does not match, after the same time.
    pub(crate) async fn matches(&self, password: String, hash: Option<&str>) -> Result<bool, Error> {
        let known = hash.is_some();
        let hash = hash.unwrap_or(&self.decoy).to_owned();
        let matches = self.run(move |memory| Ok(matches(&password, &hash, memory)?)).await?;
        Ok(known && matches)
    }

    /// A hash that no password matches.
    pub(crate) fn unusable_hash(&self) -> Result<String, Error> {
        make_decoy(self.memory_kib)
    }

    /// Hashes a new password from the field `field`. Refuses one that is easy to guess for a person who knows the words
    /// `known`.
    pub(crate) async fn choose(
        &self,
        field: &'static str,
        password: String,
        known: Vec<String>,
    ) -> Result<String, Error> {
        let memory_kib = self.memory_kib;
        self.run(move |memory| {
            let known: Vec<&str> = known.iter().map(String::as_str).collect();
            strength::check(&password, &known)
                .map_err(|wrong| Error::Field(FieldError::new(field, wrong.code())))?;
            hash_in(memory_kib, &password, memory)
        })
        .await
    }

    /// Runs some hashing when a permit is free.
    async fn run<Answer: Send + 'static>(
        &self,
        hashing: impl FnOnce(&mut Memory) -> Result<Answer, Error> + Send + 'static,
    ) -> Result<Answer, Error> {
        let place = self.places.clone().try_acquire_owned().map_err(|_| Error::Overloaded)?;
        // The semaphore is never closed, so this does not fail.
        let core = self.cores.clone().acquire_owned().await.map_err(|_| Error::Overloaded)?;
        let memories = self.memories.clone();
        tokio::task::spawn_blocking(move || {
            lower_priority();
            let mut memory = memories.take();
            let answer = hashing(&mut memory);
            memories.give_back(memory);
            // Held until the work ends, even if the caller has gone.
            drop((place, core));
            answer
        })
        .await?
    }
}

/// Gives the current thread the lowest priority. Hashing is the only blocking work of this process, and a flood of
/// logins must not take the processors from other requests.
fn lower_priority() {
    thread_local!(static DONE: Cell<bool> = const { Cell::new(false) });
    // Only Linux sets the priority of a single thread.
    if cfg!(target_os = "linux") && !DONE.replace(true) {
        // Lowering the priority is always allowed.
        let _ = rustix::process::nice(LEAST_URGENT);
    }
}

/// Unused memory of earlier hashes. It is released after a time without use.
#[derive(Clone, Default)]
struct MemoryPool {
    free: Arc<Mutex<Vec<Memory>>>,
    used: Arc<AtomicBool>,
}

impl MemoryPool {
    fn new(shutdown: Shutdown) -> Self {
        let memories = Self::default();
        let resting = memories.clone();
        kit::task::every("hashing memory", IDLE, shutdown, move || {
            resting.release_idle();
            async {}
        });
        memories
    }

    fn take(&self) -> Memory {
        self.used.store(true, Ordering::Relaxed);
        self.free.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default()
    }

    fn give_back(&self, memory: Memory) {
        self.free.lock().unwrap_or_else(PoisonError::into_inner).push(memory);
    }

    /// Releases all memory if none was used since the last call.
    fn release_idle(&self) {
        if !self.used.swap(false, Ordering::Relaxed) {
            self.free.lock().unwrap_or_else(PoisonError::into_inner).clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use argon2::{PasswordHasher as _, PasswordVerifier as _};

    use super::*;

    #[test]
    fn a_hash_is_argon2id_with_19_mib_two_passes_and_a_salt_of_its_own() {
        let (one, other) = (hash("じゃんけんぽん2026").unwrap(), hash("じゃんけんぽん2026").unwrap());
        assert!(one.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{one}");
        assert_ne!(one, other);
    }

    #[test]
    fn a_password_matches_only_its_hash_whatever_the_memory_contained() {
        let hash = hash("じゃんけんぽん2026").unwrap();
        // Compares with the library's own verification.
        Argon2::default().verify_password("じゃんけんぽん2026".as_bytes(), hash.as_str()).unwrap();
        let mut memory = Memory::default();
        for _ in 0..2 {
            assert!(matches("じゃんけんぽん2026", &hash, &mut memory).unwrap());
            assert!(!matches("じゃんけんぽん2027", &hash, &mut memory).unwrap());
        }
    }

    #[test]
    fn the_decoy_takes_the_work_of_a_hash_and_no_password_matches() {
        let decoy = make_decoy(HASH_MEMORY_KIB).unwrap();
        let begins = |hash: &str| hash.split('$').take(4).map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(begins(&decoy), begins(&hash("x").unwrap()));
        assert!(!matches("x", &decoy, &mut Memory::default()).unwrap());
    }

    #[test]
    fn a_hash_is_verified_with_its_own_parameters() {
        let params = Params::new(64, 3, 2, Some(16)).unwrap();
        let argon2 = Argon2::new(Algorithm::Argon2i, Version::V0x10, params);
        let hash = argon2.hash_password(b"old").unwrap().to_string();
        let mut memory = Memory::default();
        matches("warm", &super::hash("warm").unwrap(), &mut memory).unwrap();
        assert!(matches("old", &hash, &mut memory).unwrap());
        assert!(!matches("new", &hash, &mut memory).unwrap());
    }

    #[test]
    fn an_invalid_hash_is_an_error() {
        for junk in ["", "plain", "$argon2id$v=19$m=19456,t=2,p=1"] {
            assert!(matches("password", junk, &mut Memory::default()).is_err(), "{junk}");
        }
    }

    #[tokio::test]
    async fn memory_is_reused_and_released_when_idle() {
        let memories = MemoryPool::new(Shutdown::default());
        memories.give_back(memories.take());
        memories.release_idle();
        assert_eq!(memories.free.lock().unwrap().len(), 1);
        memories.release_idle();
        assert!(memories.free.lock().unwrap().is_empty());
    }
}
