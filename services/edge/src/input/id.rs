//! Ids in paths.

use axum::extract::{FromRequestParts, Path};
use http::request::Parts;

use uuid::Uuid;

use crate::error::Error;

/// A whole number from 1 to 2⁶³ − 1, in ASCII digits; nothing else names anything, so it is 404.
pub(crate) struct Id(pub(crate) i64);

impl<State: Send + Sync> FromRequestParts<State> for Id {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &State) -> Result<Self, Error> {
        let text = Path::<String>::from_request_parts(parts, state).await.map_err(|_| Error::NotFound)?;
        read(&text).map(Self).ok_or(Error::NotFound)
    }
}

/// An id and the word behind it.
pub(crate) struct Named(pub(crate) i64, pub(crate) String);

impl<State: Send + Sync> FromRequestParts<State> for Named {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &State) -> Result<Self, Error> {
        let path = Path::<(String, String)>::from_request_parts(parts, state).await;
        let Path((id, word)) = path.map_err(|_| Error::NotFound)?;
        read(&id).map(|id| Self(id, word)).ok_or(Error::NotFound)
    }
}

/// A UUID in its usual spelling; nothing else names anything, so it is 404.
pub(crate) struct Key(pub(crate) Uuid);

impl<State: Send + Sync> FromRequestParts<State> for Key {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &State) -> Result<Self, Error> {
        let text = Path::<String>::from_request_parts(parts, state).await.map_err(|_| Error::NotFound)?;
        read_key(&text).map(Self).ok_or(Error::NotFound)
    }
}

fn read_key(text: &str) -> Option<Uuid> {
    text.parse().ok().filter(|key: &Uuid| key.to_string() == text)
}

fn read(text: &str) -> Option<i64> {
    let number = text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok())??;
    (number >= 1).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::{read, read_key};

    #[test]
    fn an_id_is_a_whole_number_from_one_that_fits() {
        assert_eq!(read("101"), Some(101));
        assert_eq!(read("9223372036854775807"), Some(i64::MAX));
        for junk in ["", "0", "-1", "+1", "1.0", "1e3", "9223372036854775808", "１０１", "abc", "1 ", "\0"]
        {
            assert_eq!(read(junk), None, "{junk:?}");
        }
    }

    #[test]
    fn a_key_is_a_uuid_in_one_spelling() {
        let key = "01936f2a-4c00-7a31-8b52-1f6d0c9e4a01";
        assert!(read_key(key).is_some());
        for junk in
            [&key.to_uppercase(), &key.replace('-', ""), &format!("{{{key}}}"), "", "1", &format!("{key} ")]
        {
            assert_eq!(read_key(junk), None, "{junk:?}");
        }
    }
}
