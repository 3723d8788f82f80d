//! The id in a path.

use axum::extract::{FromRequestParts, Path};
use http::request::Parts;

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

fn read(text: &str) -> Option<i64> {
    let number = text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok())??;
    (number >= 1).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn an_id_is_a_whole_number_from_one_that_fits() {
        assert_eq!(read("101"), Some(101));
        assert_eq!(read("9223372036854775807"), Some(i64::MAX));
        for junk in ["", "0", "-1", "+1", "1.0", "1e3", "9223372036854775808", "１０１", "abc", "1 ", "\0"]
        {
            assert_eq!(read(junk), None, "{junk:?}");
        }
    }
}
