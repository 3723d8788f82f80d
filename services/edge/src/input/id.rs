//! Ids in paths.

use axum::extract::{FromRequestParts, Path};
use http::request::Parts;

use uuid::Uuid;

use crate::error::Error;

/// An integer from 1 to 2⁶³ − 1, in ASCII digits. Anything else is 404.
pub(crate) struct Id(pub(crate) i64);

impl<State: Send + Sync> FromRequestParts<State> for Id {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &State) -> Result<Self, Error> {
        let text = Path::<String>::from_request_parts(parts, state).await.map_err(|_| Error::NotFound)?;
        parse_id(&text).map(Self).ok_or(Error::NotFound)
    }
}

/// An id and the path segment after it.
pub(crate) struct IdAndSegment(pub(crate) i64, pub(crate) String);

impl<State: Send + Sync> FromRequestParts<State> for IdAndSegment {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &State) -> Result<Self, Error> {
        let path = Path::<(String, String)>::from_request_parts(parts, state).await;
        let Path((id, word)) = path.map_err(|_| Error::NotFound)?;
        parse_id(&id).map(|id| Self(id, word)).ok_or(Error::NotFound)
    }
}

/// A UUID in its canonical form. Anything else is 404.
pub(crate) struct Key(pub(crate) Uuid);

impl<State: Send + Sync> FromRequestParts<State> for Key {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &State) -> Result<Self, Error> {
        let text = Path::<String>::from_request_parts(parts, state).await.map_err(|_| Error::NotFound)?;
        parse_key(&text).map(Self).ok_or(Error::NotFound)
    }
}

/// A UUID in its canonical form, and the id after it. Anything else is 404.
pub(crate) struct KeyAndId(pub(crate) Uuid, pub(crate) i64);

impl<State: Send + Sync> FromRequestParts<State> for KeyAndId {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &State) -> Result<Self, Error> {
        let path = Path::<(String, String)>::from_request_parts(parts, state).await;
        let Path((key, id)) = path.map_err(|_| Error::NotFound)?;
        parse_key(&key).zip(parse_id(&id)).map(|(key, id)| Self(key, id)).ok_or(Error::NotFound)
    }
}

/// An id, and the UUID in its canonical form after it. Anything else is 404.
pub(crate) struct IdAndKey(pub(crate) i64, pub(crate) Uuid);

impl<State: Send + Sync> FromRequestParts<State> for IdAndKey {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &State) -> Result<Self, Error> {
        let path = Path::<(String, String)>::from_request_parts(parts, state).await;
        let Path((id, key)) = path.map_err(|_| Error::NotFound)?;
        parse_id(&id).zip(parse_key(&key)).map(|(id, key)| Self(id, key)).ok_or(Error::NotFound)
    }
}

/// An id, and a name after it.
pub(crate) struct IdAndName(pub(crate) i64, pub(crate) String);

impl<State: Send + Sync> FromRequestParts<State> for IdAndName {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &State) -> Result<Self, Error> {
        let path = Path::<(String, String)>::from_request_parts(parts, state).await;
        let Path((id, name)) = path.map_err(|_| Error::NotFound)?;
        parse_id(&id).map(|id| Self(id, name)).ok_or(Error::NotFound)
    }
}

/// A UUID in its canonical form, the id after it, and a name after that. Anything else is 404.
pub(crate) struct KeyIdAndName(pub(crate) Uuid, pub(crate) i64, pub(crate) String);

impl<State: Send + Sync> FromRequestParts<State> for KeyIdAndName {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &State) -> Result<Self, Error> {
        let path = Path::<(String, String, String)>::from_request_parts(parts, state).await;
        let Path((key, id, name)) = path.map_err(|_| Error::NotFound)?;
        let ids = parse_key(&key).zip(parse_id(&id));
        ids.map(|(key, id)| Self(key, id, name)).ok_or(Error::NotFound)
    }
}

/// Two UUIDs in their canonical form. Anything else is 404.
pub(crate) struct Keys(pub(crate) Uuid, pub(crate) Uuid);

impl<State: Send + Sync> FromRequestParts<State> for Keys {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &State) -> Result<Self, Error> {
        let path = Path::<(String, String)>::from_request_parts(parts, state).await;
        let Path((one, other)) = path.map_err(|_| Error::NotFound)?;
        let keys = parse_key(&one).zip(parse_key(&other));
        keys.map(|(one, other)| Self(one, other)).ok_or(Error::NotFound)
    }
}

fn parse_key(text: &str) -> Option<Uuid> {
    text.parse().ok().filter(|key: &Uuid| key.to_string() == text)
}

fn parse_id(text: &str) -> Option<i64> {
    let number = text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok())??;
    (number >= 1).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::{parse_id, parse_key};

    #[test]
    fn an_id_is_an_integer_from_1_to_i64_max() {
        assert_eq!(parse_id("101"), Some(101));
        assert_eq!(parse_id("9223372036854775807"), Some(i64::MAX));
        for junk in ["", "0", "-1", "+1", "1.0", "1e3", "9223372036854775808", "１０１", "abc", "1 ", "\0"]
        {
            assert_eq!(parse_id(junk), None, "{junk:?}");
        }
    }

    #[test]
    fn a_key_is_a_uuid_in_canonical_form() {
        let key = "01936f2a-4c00-7a31-8b52-1f6d0c9e4a01";
        assert!(parse_key(key).is_some());
        for junk in
            [&key.to_uppercase(), &key.replace('-', ""), &format!("{{{key}}}"), "", "1", &format!("{key} ")]
        {
            assert_eq!(parse_key(junk), None, "{junk:?}");
        }
    }
}
