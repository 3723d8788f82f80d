//! Passwords: argon2id, and never more of it at once than the machine can bear.

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
use kit::shutdown::Shutdown;
use tokio::sync::Semaphore;

pub use kit::form::PASSWORD_LIMIT as LIMIT;

use crate::config::{HASH_MEMORY_KIB, Hashing};
use crate::error::Error;

const PASSES: u32 = 2;
const LANES: u32 = 1;
const SALT_BYTES: usize = 16;
const OUTPUT_BYTES: usize = 32;

/// The largest niceness there is.
const LEAST_URGENT: i32 = 19;

/// How long memory may lie idle.
const IDLE: Duration = Duration::from_secs(10);

/// Hashes a password with a salt of its own, as a PHC string. Takes 19 MiB and some 20 ms of one core.
pub fn hash(password: &str) -> Result<String, Error> {
    hash_in(HASH_MEMORY_KIB, password, &mut Memory::default())
}

/// The same in so many KiB.
pub fn hash_in(memory_kib: u32, password: &str, memory: &mut Memory) -> Result<String, Error> {
    let salt: [u8; SALT_BYTES] = random()?;
    let params = Params::new(memory_kib, PASSES, LANES, None).map_err(password_hash::Error::from)?;
    let blocks = memory.blocks(params.block_count());
    let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
    let mut output = [0; OUTPUT_BYTES];
    argon2
        .hash_password_into_with_memory(password.as_bytes(), &salt, &mut output, blocks)
        .map_err(password_hash::Error::from)?;
    Ok(phc(memory_kib, &salt, &output))
}

/// What looks like the hash of a password and is that of none: random from end to end, as nobody waits for a real one.
fn decoy(memory_kib: u32) -> Result<String, Error> {
    Ok(phc(memory_kib, &random::<SALT_BYTES>()?, &random::<OUTPUT_BYTES>()?))
}

fn random<const BYTES: usize>() -> Result<[u8; BYTES], Error> {
    let mut bytes = [0; BYTES];
    aws_lc_rs::rand::fill(&mut bytes)?;
    Ok(bytes)
}

fn phc(memory_kib: u32, salt: &[u8], output: &[u8]) -> String {
    let (salt, output) = (STANDARD_NO_PAD.encode(salt), STANDARD_NO_PAD.encode(output));
    format!("$argon2id$v=19$m={memory_kib},t={PASSES},p={LANES}${salt}${output}")
}

/// Whether `hash`, a PHC string, is of this password. Compares in constant time.
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

/// Where a hash is worked out. Worth keeping for the next one: to get 19 MiB from the system takes as long as to hash.
#[derive(Default)]
pub struct Memory(Vec<Block>);

impl Memory {
    /// Asked for at once, though pages that are never touched take no memory: what is larger than 32 MiB goes back to
    /// the system when it is dropped, while smaller pieces stay with the allocator, one for each thread that ever
    /// hashed.
    const CAPACITY: usize = 33 * 1024 * 1024 / Block::SIZE;

    fn blocks(&mut self, count: usize) -> &mut [Block] {
        self.0.reserve(count.max(Self::CAPACITY).saturating_sub(self.0.len()));
        if self.0.len() < count {
            self.0.resize(count, Block::new());
        }
        &mut self.0[..count]
    }
}

/// Hashes passwords and verifies them, a few at once; some may wait, more are refused.
#[derive(Clone)]
pub(crate) struct Hasher {
    /// Those under way and those that wait.
    places: Arc<Semaphore>,
    /// Those under way.
    cores: Arc<Semaphore>,
    memory_kib: u32,
    /// Of a password that nobody has.
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
            decoy: decoy(config.hash_memory_kib)?.into(),
            memories: MemoryPool::new(shutdown),
        })
    }

    /// Whether the password is that of `hash`. Without one it is not, after just as long.
    pub(crate) async fn matches(&self, password: String, hash: Option<&str>) -> Result<bool, Error> {
        let known = hash.is_some();
        let hash = hash.unwrap_or(&self.decoy).to_owned();
        let matches = self.run(move |memory| Ok(matches(&password, &hash, memory)?)).await?;
        Ok(known && matches)
    }

    /// A hash that no password has.
    pub(crate) fn unusable_hash(&self) -> Result<String, Error> {
        decoy(self.memory_kib)
    }

    /// The hash of a new password, typed into `field` by somebody of whom this is `known`; one that is soon guessed is
    /// refused.
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
                .map_err(|wrong| Error::Field { name: field, code: wrong.code() })?;
            hash_in(memory_kib, &password, memory)
        })
        .await
    }

    /// Does some hashing when it is its turn.
    async fn run<Answer: Send + 'static>(
        &self,
        hashing: impl FnOnce(&mut Memory) -> Result<Answer, Error> + Send + 'static,
    ) -> Result<Answer, Error> {
        let place = self.places.clone().try_acquire_owned().map_err(|_| Error::Overloaded)?;
        // Never closed; and no refusal but for load is left to happen here.
        let core = self.cores.clone().acquire_owned().await.map_err(|_| Error::Overloaded)?;
        let memories = self.memories.clone();
        tokio::task::spawn_blocking(move || {
            lower_priority();
            let mut memory = memories.take();
            let answer = hashing(&mut memory);
            memories.give_back(memory);
            // Held to the end of the work, though the caller may have gone.
            drop((place, core));
            answer
        })
        .await?
    }
}

/// Lets every other thread go first, from now on. Hashing is all that this process blocks on, and a flood of logins
/// would take the processors from people who are learning.
fn lower_priority() {
    thread_local!(static DONE: Cell<bool> = const { Cell::new(false) });
    // On other systems it would be the whole process that steps back.
    if cfg!(target_os = "linux") && !DONE.replace(true) {
        // It may always become less.
        let _ = rustix::process::nice(LEAST_URGENT);
    }
}

/// Memory that is not in use just now: no more pieces than there were hashes at once, and none after a rest.
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

    /// Gives everything back to the system, unless something was used since the last time.
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
    fn a_password_matches_its_hash_and_no_other_does_whatever_the_memory_held_before() {
        let hash = hash("じゃんけんぽん2026").unwrap();
        // As the library itself sees it.
        Argon2::default().verify_password("じゃんけんぽん2026".as_bytes(), hash.as_str()).unwrap();
        let mut memory = Memory::default();
        for _ in 0..2 {
            assert!(matches("じゃんけんぽん2026", &hash, &mut memory).unwrap());
            assert!(!matches("じゃんけんぽん2027", &hash, &mut memory).unwrap());
        }
    }

    #[test]
    fn the_decoy_takes_the_work_of_a_hash_and_no_password_matches() {
        let decoy = decoy(HASH_MEMORY_KIB).unwrap();
        let begins = |hash: &str| hash.split('$').take(4).map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(begins(&decoy), begins(&hash("x").unwrap()));
        assert!(!matches("x", &decoy, &mut Memory::default()).unwrap());
    }

    #[test]
    fn a_hash_made_with_other_numbers_is_verified_with_those() {
        let params = Params::new(64, 3, 2, Some(16)).unwrap();
        let argon2 = Argon2::new(Algorithm::Argon2i, Version::V0x10, params);
        let hash = argon2.hash_password(b"old").unwrap().to_string();
        let mut memory = Memory::default();
        matches("warm", &super::hash("warm").unwrap(), &mut memory).unwrap();
        assert!(matches("old", &hash, &mut memory).unwrap());
        assert!(!matches("new", &hash, &mut memory).unwrap());
    }

    #[test]
    fn a_hash_that_is_none_is_an_error() {
        for junk in ["", "plain", "$argon2id$v=19$m=19456,t=2,p=1"] {
            assert!(matches("password", junk, &mut Memory::default()).is_err(), "{junk}");
        }
    }

    #[tokio::test]
    async fn memory_is_kept_while_logins_come_and_given_back_after_a_rest() {
        let memories = MemoryPool::new(Shutdown::default());
        memories.give_back(memories.take());
        memories.release_idle();
        assert_eq!(memories.free.lock().unwrap().len(), 1);
        memories.release_idle();
        assert!(memories.free.lock().unwrap().is_empty());
    }
}
