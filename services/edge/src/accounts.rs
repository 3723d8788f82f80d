//! Accounts: converts between JSON and the messages of the auth service.

pub(crate) mod address;
pub(crate) mod close;
pub(crate) mod consent;
pub(crate) mod email;
pub(crate) mod export;
pub(crate) mod guardian;
pub(crate) mod passkeys;
pub(crate) mod password;
pub(crate) mod profile;
pub(crate) mod sessions;
pub(crate) mod signup;
pub(crate) mod user;

use crate::error::Error;

/// Longest text field in characters. The services have stricter limits of their own.
const MAX_TEXT: usize = 254;

fn incomplete(what: &str) -> Error {
    Error::incomplete("auth", what)
}
