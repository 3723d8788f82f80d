//! Idempotency keys.

use axum::extract::FromRequestParts;
use http::request::Parts;

use crate::error::Error;

const NAME: &str = "idempotency_key";

/// The `Idempotency-Key` header. The service checks its format.
pub(crate) struct IdempotencyKey(pub(crate) String);

impl<State: Send + Sync> FromRequestParts<State> for IdempotencyKey {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &State) -> Result<Self, Error> {
        let mut keys = parts.headers.get_all("idempotency-key").iter();
        match (keys.next(), keys.next()) {
            (None, _) => Err(Error::field(NAME, "REQUIRED")),
            (Some(key), None) => {
                let key = key.to_str().map_err(|_| Error::field(NAME, "INVALID_FORMAT"))?;
                Ok(Self(key.to_owned()))
            }
            _ => Err(Error::field(NAME, "INVALID_FORMAT")),
        }
    }
}
