//! The keys and the ended sessions as one process knows them.

use std::collections::{HashSet, VecDeque};
use std::sync::Arc;

use kit::encryption::Encryptor;
use time::OffsetDateTime;
use uuid::Uuid;

use super::{Reading, Revocation};
use crate::key::{Key, Signer};

/// A public key in force.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicKey {
    /// Its id.
    pub kid: String,
    /// The raw Ed25519 key, 32 bytes.
    pub ed25519: Vec<u8>,
}

/// The keys in force, and the ended sessions that may still have a valid access token.
pub struct View {
    sealing: Encryptor,
    keys: Vec<PublicKey>,
    /// Increases with each change of `keys`.
    keys_version: u64,
    /// The id of the key that was opened last, and the signer; no signer if it could not be opened.
    signer: Option<(String, Option<Arc<Signer>>)>,
    /// When this key began to sign.
    signing_at: Option<OffsetDateTime>,
    /// Oldest first, in the order in which this process learned of them.
    revoked: VecDeque<Revocation>,
    /// Number of entries removed from the front of `revoked`.
    forgotten: usize,
    known: HashSet<Uuid>,
}

impl View {
    pub(super) fn new(sealing: Encryptor) -> Self {
        Self {
            sealing,
            keys: Vec::new(),
            keys_version: 0,
            signer: None,
            signing_at: None,
            revoked: VecDeque::new(),
            forgotten: 0,
            known: HashSet::new(),
        }
    }

    /// The keys in force, oldest first.
    #[must_use]
    pub fn keys(&self) -> impl ExactSizeIterator<Item = &PublicKey> {
        self.keys.iter()
    }

    /// The signer, if there is a signing key that can be opened.
    pub(crate) fn signer(&self) -> Option<Arc<Signer>> {
        self.signer.as_ref().and_then(|(_, signer)| signer.clone())
    }

    /// When the key began to sign, if there is a signer.
    pub(crate) fn signing_since(&self) -> Option<OffsetDateTime> {
        self.signer().and(self.signing_at)
    }

    pub(crate) fn keys_version(&self) -> u64 {
        self.keys_version
    }

    /// At most `limit` sessions after `position`, and the position after them.
    pub(crate) fn revoked_since(&self, position: usize, limit: usize) -> (Vec<Uuid>, usize) {
        let skip = position.saturating_sub(self.forgotten);
        let sids: Vec<_> = self.revoked.iter().skip(skip).take(limit).map(|revoked| revoked.sid).collect();
        let next = self.forgotten + skip + sids.len();
        (sids, next)
    }

    /// The position after the newest session.
    pub(crate) fn position(&self) -> usize {
        self.forgotten + self.revoked.len()
    }

    /// Applies a reading, and drops sessions that ended before `oldest`.
    pub(super) fn apply(&mut self, reading: Reading, oldest: OffsetDateTime) {
        if let Some(keys) = reading.keys {
            self.open_signer(&keys);
            let keys: Vec<_> =
                keys.into_iter().map(|key| PublicKey { kid: key.kid, ed25519: key.public }).collect();
            if keys != self.keys {
                self.keys = keys;
                self.keys_version += 1;
            }
        }
        for revoked in reading.revoked {
            if self.known.insert(revoked.sid) {
                self.revoked.push_back(revoked);
            }
        }
        while let Some(revoked) = self.revoked.pop_front_if(|revoked| revoked.revoked_at <= oldest) {
            self.known.remove(&revoked.sid);
            self.forgotten += 1;
        }
    }

    /// Opens the signing key if it is not the one that is open.
    fn open_signer(&mut self, keys: &[Key]) {
        let Some(key) = keys.iter().find(|key| key.signing) else {
            self.signer = None;
            return;
        };
        self.signing_at = key.signing_at;
        if self.signer.as_ref().is_some_and(|(kid, _)| *kid == key.kid) {
            return;
        }
        let signer = Signer::open(key, &self.sealing).map(Arc::new);
        if signer.is_some() {
            tracing::info!(kid = key.kid, "signing");
        } else {
            tracing::error!(kid = key.kid, "the signing key was encrypted with another AUTH_SECRET");
        }
        self.signer = Some((key.kid.clone(), signer));
    }
}

#[cfg(test)]
mod tests {
    use time::Duration;
    use time::macros::datetime;

    use super::*;
    use crate::access::Position;

    const NOW: OffsetDateTime = datetime!(2026-11-20 09:00 UTC);

    fn view() -> View {
        View::new("00".repeat(32).parse::<crate::secret::Secret>().unwrap().sealing())
    }

    fn reading(sids: &[u128]) -> Reading {
        let revoked =
            sids.iter().map(|sid| Revocation { sid: Uuid::from_u128(*sid), revoked_at: NOW }).collect();
        Reading { keys: None, revoked, position: Position::default() }
    }

    fn numbers(sids: &[Uuid]) -> Vec<u128> {
        sids.iter().map(Uuid::as_u128).collect()
    }

    #[test]
    fn a_session_that_is_read_twice_is_published_once() {
        let mut view = view();
        view.apply(reading(&[1, 2]), NOW - Duration::DAY);
        view.apply(reading(&[2, 3]), NOW - Duration::DAY);
        let (sids, next) = view.revoked_since(0, 100);
        assert_eq!((numbers(&sids), next), (vec![1, 2, 3], 3));
        assert_eq!(view.revoked_since(next, 100), (vec![], 3));
    }

    #[test]
    fn many_sessions_are_published_in_parts() {
        let mut view = view();
        view.apply(reading(&[1, 2, 3]), NOW - Duration::DAY);
        let (first, next) = view.revoked_since(0, 2);
        let (second, next) = view.revoked_since(next, 2);
        assert_eq!((numbers(&first), numbers(&second), next), (vec![1, 2], vec![3], view.position()));
    }

    #[test]
    fn sessions_without_a_valid_token_are_dropped_and_positions_stay_valid() {
        let mut view = view();
        view.apply(reading(&[1, 2]), NOW - Duration::DAY);
        view.apply(reading(&[]), NOW);
        assert_eq!(view.revoked_since(0, 100), (vec![], 2));
        let later = Revocation { sid: Uuid::from_u128(3), revoked_at: NOW + Duration::DAY };
        view.apply(Reading { revoked: vec![later], ..reading(&[]) }, NOW);
        assert_eq!(numbers(&view.revoked_since(2, 100).0), vec![3]);
        assert_eq!(numbers(&view.revoked_since(1, 100).0), vec![3]);
    }
}
