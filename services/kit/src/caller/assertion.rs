//! The wire format of an assertion: a fixed binary layout and an HMAC-SHA256, in base64url.
//!
//! | bytes | content |
//! |---|---|
//! | 1 | version, 1 |
//! | 1 | the calling service |
//! | 1 | 1 with a person, 0 without |
//! | 8 | expiry, milliseconds since 1970, big-endian |
//! | 50 | with a person: actor, subject, session (16 each), scopes (2, big-endian) |
//! | 32 | HMAC-SHA256 of all bytes before it and the rpc's path |
//!
//! The receiver is not in the layout: the key is derived for one caller and one receiver, so an assertion is valid only
//! at its receiver.

use std::fmt;

use aws_lc_rs::hmac;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use http::HeaderValue;
use uuid::Uuid;

use super::{Caller, CallerError, Person, Scopes, Service};
use crate::Failure;
use crate::clock::Clock;
use crate::encryption::Secret;

const VERSION: u8 = 1;
/// Lifetime of an assertion in milliseconds: a call takes at most 10 s; the rest allows for clock differences.
const LIFE: i64 = 30_000;
/// Latest accepted expiry, in milliseconds from now: the lifetime, and as much again for clock differences.
const LONGEST_LIFE: i64 = 2 * LIFE;
const HEAD: usize = 11;
const PERSON: usize = 50;
const MAC: usize = 32;
const LONGEST: usize = HEAD + PERSON + MAC;
/// As base64url without padding.
const LONGEST_TEXT: usize = (LONGEST * 4).div_ceil(3);

/// Signs the calls of one service to one other.
#[derive(Clone)]
pub struct Signer {
    caller: Service,
    key: hmac::Key,
    clock: Clock,
}

impl fmt::Debug for Signer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Signer").field("caller", &self.caller).finish_non_exhaustive()
    }
}

impl Signer {
    /// A signer for calls from `caller` to `receiver`, with the value of a setting like `EDGE_LMS_KEY`. An error names
    /// the setting and never contains its value.
    pub fn new(caller: Service, receiver: Service, secret: &str, clock: Clock) -> Result<Self, Failure> {
        let secret: Secret = secret.parse().map_err(|error| {
            let setting = format!("{}_{}_KEY", caller.name(), receiver.name()).to_uppercase();
            format!("{setting} {error}")
        })?;
        Ok(Self { caller, key: key(caller, receiver, &secret), clock })
    }

    /// The assertion for one call of the rpc at `path`, e.g. `/lms.v1.MarkService/ListBookmarks`.
    #[must_use]
    pub fn sign(&self, person: Option<&Person>, path: &str) -> HeaderValue {
        let now = self.clock.now().unix_timestamp_nanos() / 1_000_000;
        let expires = i64::try_from(now).unwrap_or(i64::MAX).saturating_add(LIFE);
        let mut bytes = [0; LONGEST];
        bytes[..3].copy_from_slice(&[VERSION, self.caller as u8, person.is_some().into()]);
        bytes[3..HEAD].copy_from_slice(&expires.to_be_bytes());
        let mut end = HEAD;
        if let Some(person) = person {
            for part in [&person.actor, &person.subject, &person.session] {
                bytes[end..end + 16].copy_from_slice(part.as_bytes());
                end += 16;
            }
            bytes[end..end + 2].copy_from_slice(&person.scopes.0.to_be_bytes());
            end += 2;
        }
        let mac = mac(&self.key, &bytes[..end], path);
        bytes[end..end + MAC].copy_from_slice(mac.as_ref());
        header(&bytes[..end + MAC])
    }
}

#[expect(
    clippy::expect_used,
    reason = "base64url is a header value, and the buffer is as long as the longest text"
)]
fn header(bytes: &[u8]) -> HeaderValue {
    let mut text = [0; LONGEST_TEXT];
    let length = URL_SAFE_NO_PAD.encode_slice(bytes, &mut text).expect("the buffer is long enough");
    let mut value = HeaderValue::from_bytes(&text[..length]).expect("base64url is a header value");
    // Excluded from HPACK's table and from `Debug` output.
    value.set_sensitive(true);
    value
}

/// The keys with which a receiver verifies its callers. A caller has several keys during a rotation.
#[derive(Clone)]
pub struct Keyring(Vec<(Service, hmac::Key)>);

impl fmt::Debug for Keyring {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let callers: Vec<_> = self.0.iter().map(|(caller, _)| caller).collect();
        formatter.debug_tuple("Keyring").field(&callers).finish()
    }
}

impl Keyring {
    /// Parses `edge=HEX,auth=HEX`, the keys of the callers of `receiver`. An error never contains a key.
    pub fn new(receiver: Service, keys: &str) -> Result<Self, Failure> {
        let keys: Vec<_> = keys
            .split(',')
            .map(|entry| {
                let (caller, secret) = entry.trim().split_once('=').ok_or("is not like edge=HEX,auth=HEX")?;
                let caller: Service = caller.parse()?;
                let secret: Secret = secret.parse()?;
                Ok((caller, key(caller, receiver, &secret)))
            })
            .collect::<Result<_, &str>>()
            .map_err(|error| format!("CALLER_KEYS: an entry {error}"))?;
        Ok(Self(keys))
    }

    /// Verifies a header for the rpc at `path` and returns the caller. `now` is in milliseconds since 1970. Accepts
    /// arbitrary bytes.
    pub fn verify(&self, header: &[u8], path: &str, now: i64) -> Result<Caller, CallerError> {
        let mut bytes = [0; LONGEST];
        if header.len() > LONGEST_TEXT {
            return Err(CallerError::Invalid);
        }
        let length = URL_SAFE_NO_PAD.decode_slice(header, &mut bytes).map_err(|_| CallerError::Invalid)?;
        let parts = Parts::parse(&bytes[..length]).ok_or(CallerError::Invalid)?;
        let mut keys = self.0.iter().filter(|(caller, _)| *caller == parts.caller.service);
        if !keys.any(|(_, key)| is_signed(key, &parts, path)) {
            return Err(CallerError::Invalid);
        }
        if parts.expires <= now || parts.expires > now.saturating_add(LONGEST_LIFE) {
            return Err(CallerError::Expired);
        }
        Ok(parts.caller)
    }
}

/// A parsed assertion, not verified yet.
struct Parts<'a> {
    caller: Caller,
    expires: i64,
    signed: &'a [u8],
    mac: &'a [u8],
}

impl<'a> Parts<'a> {
    fn parse(bytes: &'a [u8]) -> Option<Self> {
        let (signed, mac) = bytes.split_at_checked(bytes.len().checked_sub(MAC)?)?;
        let (head, rest) = signed.split_at_checked(HEAD)?;
        let person = match (head[2], rest.len()) {
            (0, 0) => None,
            (1, PERSON) => Some(parse_person(rest)?),
            _ => return None,
        };
        let service = Service::from_byte(head[1]).filter(|_| head[0] == VERSION)?;
        let expires = i64::from_be_bytes(head[3..].try_into().ok()?);
        Some(Self { caller: Caller { service, person }, expires, signed, mac })
    }
}

fn parse_person(bytes: &[u8]) -> Option<Person> {
    let id = |at: usize| Uuid::from_slice(bytes.get(at..at + 16)?).ok();
    let scopes = Scopes(u16::from_be_bytes(bytes.get(48..)?.try_into().ok()?));
    Some(Person { actor: id(0)?, subject: id(16)?, session: id(32)?, scopes })
}

/// The key of one pair reveals no other key, even if an operator configured the same secret twice.
fn key(caller: Service, receiver: Service, secret: &Secret) -> hmac::Key {
    hmac::Key::new(hmac::HMAC_SHA256, &secret.key(receiver.name(), &format!("caller {}", caller.name())))
}

fn mac(key: &hmac::Key, signed: &[u8], path: &str) -> hmac::Tag {
    let mut context = hmac::Context::with_key(key);
    context.update(signed);
    context.update(path.as_bytes());
    context.sign()
}

/// Compares in constant time.
fn is_signed(key: &hmac::Key, parts: &Parts<'_>, path: &str) -> bool {
    let mac = mac(key, parts.signed, path);
    aws_lc_rs::constant_time::verify_slices_are_equal(mac.as_ref(), parts.mac).is_ok()
}

#[cfg(test)]
mod tests {
    use time::OffsetDateTime;

    use super::*;
    use crate::caller::Scope;

    const NOW: i64 = 1_800_000_000_000;
    const PATH: &str = "/lms.v1.MarkService/ListBookmarks";

    fn secret(byte: u8) -> String {
        hex::encode([byte; 32])
    }

    fn signer(caller: Service, receiver: Service, byte: u8) -> Signer {
        let clock = Clock::new(|| OffsetDateTime::from_unix_timestamp(NOW / 1_000).unwrap());
        Signer::new(caller, receiver, &secret(byte), clock).unwrap()
    }

    fn edge_to_lms() -> Signer {
        signer(Service::Edge, Service::Lms, 1)
    }

    fn lms() -> Keyring {
        Keyring::new(Service::Lms, &format!("edge={},auth={}", secret(1), secret(2))).unwrap()
    }

    fn person() -> Person {
        let scopes = [Scope::Guardian, Scope::StaffCommerce].into_iter().collect();
        Person::new(Uuid::from_u128(1), Uuid::from_u128(2), scopes).acting_for(Uuid::from_u128(3))
    }

    #[test]
    fn an_assertion_is_verified_and_fits_200_bytes() {
        for person in [None, Some(person())] {
            let header = edge_to_lms().sign(person.as_ref(), PATH);
            assert!(header.len() <= 200, "{}", header.len());
            let caller = lms().verify(header.as_bytes(), PATH, NOW).unwrap();
            assert_eq!(caller, Caller { service: Service::Edge, person });
        }
    }

    #[test]
    fn an_assertion_is_good_for_30_s() {
        let header = edge_to_lms().sign(None, PATH);
        let at = |now| lms().verify(header.as_bytes(), PATH, now);
        assert!(at(NOW + LIFE - 1).is_ok());
        assert_eq!(at(NOW + LIFE), Err(CallerError::Expired));
        assert!(at(NOW - LIFE).is_ok(), "a clock that is 30 s behind");
        assert_eq!(at(NOW - LIFE - 1), Err(CallerError::Expired));
    }

    #[test]
    fn no_bit_of_an_assertion_can_be_changed() {
        for person in [None, Some(person())] {
            let header = edge_to_lms().sign(person.as_ref(), PATH);
            let bytes = URL_SAFE_NO_PAD.decode(&header).unwrap();
            for bit in 0..bytes.len() * 8 {
                let mut changed = bytes.clone();
                changed[bit / 8] ^= 1 << (bit % 8);
                let changed = URL_SAFE_NO_PAD.encode(changed);
                assert_eq!(lms().verify(changed.as_bytes(), PATH, NOW), Err(CallerError::Invalid), "{bit}");
            }
        }
    }

    #[test]
    fn an_assertion_is_for_one_receiver_one_rpc_and_of_one_caller() {
        let refused = |signer: Signer, path: &str| {
            let header = signer.sign(None, path);
            assert_eq!(lms().verify(header.as_bytes(), PATH, NOW), Err(CallerError::Invalid));
        };
        refused(signer(Service::Edge, Service::Desk, 1), PATH);
        refused(signer(Service::Edge, Service::Lms, 2), PATH);
        refused(signer(Service::Auth, Service::Lms, 1), PATH);
        refused(signer(Service::Desk, Service::Lms, 1), PATH);
        refused(edge_to_lms(), "/lms.v1.MarkService/ListFavorites");
    }

    #[test]
    fn a_caller_may_have_two_keys_while_they_are_rotated() {
        let keys = format!("edge={}, edge={}", secret(7), secret(1));
        let header = edge_to_lms().sign(None, PATH);
        let both = Keyring::new(Service::Lms, &keys).unwrap();
        assert!(both.verify(header.as_bytes(), PATH, NOW).is_ok());
        let new = Keyring::new(Service::Lms, &format!("edge={}", secret(7))).unwrap();
        assert_eq!(new.verify(header.as_bytes(), PATH, NOW), Err(CallerError::Invalid));
    }

    #[test]
    fn junk_is_refused() {
        let whole = edge_to_lms().sign(Some(&person()), PATH);
        let whole = whole.as_bytes();
        let long = [b'A'; LONGEST_TEXT + 1];
        let junk: [&[u8]; 7] =
            [b"", b"x", b"====", b"\xff\xfe", &whole[..whole.len() - 1], &long, &long[..LONGEST_TEXT]];
        for junk in junk {
            assert_eq!(lms().verify(junk, PATH, NOW), Err(CallerError::Invalid), "{junk:?}");
        }
    }

    #[test]
    fn keys_are_never_printed() {
        let keyring = format!("{:?} {:?}", lms(), edge_to_lms());
        assert_eq!(keyring, "Keyring([Edge, Auth]) Signer { caller: Edge, .. }");
        let bad = ["", "edge", "edge=", "edge=c0ffee", "nobody=00", &format!("edge={},", secret(1))];
        for bad in bad {
            let error = Keyring::new(Service::Lms, bad).unwrap_err().to_string();
            assert!(!error.contains("c0ffee") && !error.contains("0101"), "{error}");
        }
        let wrong = Signer::new(Service::Edge, Service::Lms, "c0ffee", Clock::system());
        let error = wrong.unwrap_err().to_string();
        assert!(error.starts_with("EDGE_LMS_KEY ") && !error.contains("c0ffee"), "{error}");
    }
}
