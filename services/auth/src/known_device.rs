//! Known devices: browsers that signed in before.
//!
//! A browser holds a signed token for each account that it signed in to, all in one cookie. A token gives the browser
//! its own count of wrong passwords, so a stranger who locks the account does not lock the browser out. It proves
//! nothing else: the password is still required.
//!
//! A browser that resets the password by a link in a mail gets a token too.
//!
//! The tag covers the hash of the password. A changed password invalidates every earlier token of the account.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use kit::encryption::KeyedHash;
use subtle::ConstantTimeEq as _;
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

/// Lifetime of a token and of the cookie.
const LIFETIME: Duration = Duration::days(365);
/// Accounts in one cookie. A family may share a tablet.
const ACCOUNTS_LIMIT: usize = 4;
const SEPARATOR: char = '.';
const ID_BYTES: usize = 16;
const TIME_BYTES: usize = 8;
const TAG_BYTES: usize = 32;
const TOKEN_BYTES: usize = ID_BYTES + TIME_BYTES + TAG_BYTES;

/// Signs and verifies tokens.
pub(crate) struct KnownDevices(KeyedHash);

/// The account and the password that a token is valid for.
#[derive(Clone, Copy)]
pub(crate) struct Holder<'a> {
    pub(crate) account: Uuid,
    pub(crate) password_hash: &'a str,
}

/// A token from a cookie.
struct DeviceToken<'a> {
    text: &'a str,
    id: Uuid,
    issued: i64,
    tag: [u8; TAG_BYTES],
}

impl<'a> DeviceToken<'a> {
    fn parse(text: &'a str) -> Option<Self> {
        let bytes: [u8; TOKEN_BYTES] = URL_SAFE_NO_PAD.decode(text).ok()?.try_into().ok()?;
        let (id, rest) = bytes.split_at(ID_BYTES);
        let (issued, tag) = rest.split_at(TIME_BYTES);
        Some(Self {
            text,
            id: Uuid::from_slice(id).ok()?,
            issued: i64::from_be_bytes(issued.try_into().ok()?),
            tag: tag.try_into().ok()?,
        })
    }
}

impl KnownDevices {
    pub(crate) fn new(key: KeyedHash) -> Self {
        Self(key)
    }

    /// The id of the device, if `cookie` has a valid token for this account.
    pub(crate) fn find(&self, cookie: &str, holder: Holder<'_>, now: OffsetDateTime) -> Option<Uuid> {
        let mut tokens = cookie.split(SEPARATOR).take(ACCOUNTS_LIMIT).filter_map(DeviceToken::parse);
        tokens.find(|token| self.is_valid(token, holder, now)).map(|token| token.id)
    }

    /// The next cookie of a browser that signed in: a new token for this account, and the tokens of other accounts from
    /// `cookie`.
    pub(crate) fn issue(&self, cookie: &str, holder: Holder<'_>, now: OffsetDateTime) -> String {
        let (id, issued) = (Uuid::new_v4(), now.unix_timestamp());
        let tag = self.compute_tag(id, issued, holder);
        let token = URL_SAFE_NO_PAD.encode([id.as_bytes(), &issued.to_be_bytes()[..], &tag].concat());
        let others = cookie.split(SEPARATOR).take(ACCOUNTS_LIMIT).filter_map(DeviceToken::parse);
        let others = others.filter(|token| !self.is_valid(token, holder, now)).map(|token| token.text);
        let tokens: Vec<&str> = [token.as_str()].into_iter().chain(others).take(ACCOUNTS_LIMIT).collect();
        tokens.join(&SEPARATOR.to_string())
    }

    fn is_valid(&self, token: &DeviceToken<'_>, holder: Holder<'_>, now: OffsetDateTime) -> bool {
        let age = now.unix_timestamp().saturating_sub(token.issued);
        age < LIFETIME.whole_seconds()
            && bool::from(self.compute_tag(token.id, token.issued, holder).as_slice().ct_eq(&token.tag))
    }

    fn compute_tag(&self, id: Uuid, issued: i64, holder: Holder<'_>) -> Vec<u8> {
        let Holder { account, password_hash } = holder;
        self.0.hash("known device", &format!("{account} {id} {issued} {password_hash}"))
    }
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::*;

    const NOW: OffsetDateTime = datetime!(2026-11-20 09:00 UTC);

    fn devices(key: u8) -> KnownDevices {
        KnownDevices::new(KeyedHash::new([key; 32]))
    }

    fn holder(account: u128) -> Holder<'static> {
        Holder { account: Uuid::from_u128(account), password_hash: "$argon2id$one" }
    }

    #[test]
    fn a_token_is_valid_for_one_account_one_password_and_one_secret_for_a_year() {
        let cookie = devices(1).issue("", holder(1), NOW);
        let find = |key, holder, now| devices(key).find(&cookie, holder, now).is_some();
        assert!(find(1, holder(1), NOW));
        assert!(find(1, holder(1), NOW + LIFETIME - Duration::SECOND));
        assert!(!find(1, holder(1), NOW + LIFETIME));
        assert!(!find(1, holder(2), NOW));
        assert!(!find(2, holder(1), NOW));
        assert!(!find(1, Holder { password_hash: "$argon2id$other", ..holder(1) }, NOW));
    }

    #[test]
    fn a_changed_token_is_invalid_and_junk_is_ignored() {
        let cookie = devices(1).issue("", holder(1), NOW);
        for place in 0..cookie.len() {
            let mut forged = cookie.clone().into_bytes();
            forged[place] = if forged[place] == b'A' { b'B' } else { b'A' };
            let forged = String::from_utf8(forged).unwrap();
            // The last character has unused bits, which must be zero.
            assert_eq!(devices(1).find(&forged, holder(1), NOW), None, "{place}");
        }
        for junk in ["", ".", "....", "x", &"A".repeat(10_000), "é", "\0"] {
            assert_eq!(devices(1).find(junk, holder(1), NOW), None, "{junk:?}");
            assert!(!devices(1).issue(junk, holder(1), NOW).contains('.'), "{junk:?}");
        }
    }

    #[test]
    fn a_cookie_has_the_latest_four_accounts() {
        let devices = devices(1);
        let mut cookie = String::new();
        for account in [1, 2, 3, 4, 1, 5] {
            cookie = devices.issue(&cookie, holder(account), NOW);
        }
        let known = (1..=5).filter(|account| devices.find(&cookie, holder(*account), NOW).is_some());
        assert_eq!(known.collect::<Vec<_>>(), [1, 3, 4, 5]);
        assert!(cookie.len() < 400, "{}", cookie.len());
    }
}
