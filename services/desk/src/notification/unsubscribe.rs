//! The token in the unsubscribe link of a mail (RFC 8058): account and topic, signed with a keyed hash. It needs no session
//! and no table.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use kit::encryption::KeyedHash;
use subtle::ConstantTimeEq as _;
use uuid::Uuid;

use crate::notification_topic::Topic;

/// Bytes of the account's id.
const ID: usize = 16;
/// Bytes of the keyed hash in a token.
const HASH: usize = 16;
const PURPOSE: &str = "unsubscribe";

/// Makes and checks tokens.
#[derive(Clone)]
pub(crate) struct Unsubscriber(KeyedHash);

impl Unsubscriber {
    pub(super) fn new(hash: KeyedHash) -> Self {
        Self(hash)
    }

    /// The token for the mails of `topic` to `account`. It does not expire.
    pub(super) fn make_token(&self, account: Uuid, topic: Topic) -> String {
        let subject = [account.as_bytes(), topic.name().as_bytes()].concat();
        let mut hash = self.0.hash_bytes(PURPOSE, &subject);
        hash.truncate(HASH);
        hash.extend(subject);
        URL_SAFE_NO_PAD.encode(hash)
    }

    /// The account and the topic of a token; `None` for another text.
    pub(crate) fn parse_token(&self, token: &str) -> Option<(Uuid, Topic)> {
        let bytes = URL_SAFE_NO_PAD.decode(token).ok()?;
        let (account, topic) = bytes.get(HASH..)?.split_at_checked(ID)?;
        let account = Uuid::from_slice(account).ok()?;
        let topic = Topic::from_name(std::str::from_utf8(topic).ok()?)?;
        let expected = self.make_token(account, topic);
        bool::from(expected.as_bytes().ct_eq(token.as_bytes())).then_some((account, topic))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_unchanged_token_of_the_same_secret_is_accepted() {
        let ours = Unsubscriber::new(KeyedHash::new([7; 32]));
        let account = Uuid::from_u128(5);
        let token = ours.make_token(account, Topic::ExamResult);
        assert_eq!(ours.parse_token(&token), Some((account, Topic::ExamResult)));
        let other = Unsubscriber::new(KeyedHash::new([8; 32]));
        assert_eq!(other.parse_token(&token), None);
        for place in 0..token.len() {
            let mut changed = token.clone().into_bytes();
            changed[place] = if changed[place] == b'A' { b'B' } else { b'A' };
            assert_eq!(ours.parse_token(&String::from_utf8(changed).unwrap()), None, "{place}");
        }
        for junk in ["", "A", "AAAA", &token[1..], &format!("{token}A")] {
            assert_eq!(ours.parse_token(junk), None, "{junk}");
        }
    }
}
