//! What comes from outside: bodies, queries, ids. Everything is refused that is not just what it should be.

mod body;
mod form;
mod id;
mod key;
mod query;

pub(crate) use body::{
    BodyKind, Empty, JSON, JsonBody, NO_BODY, PICTURE, PictureBody, RequestBody, receive_body,
};
#[cfg(test)]
pub(crate) use body::{BodyLimits, RawBody};
pub(crate) use form::{Fields, Form, LARGEST, read as read_form};
pub(crate) use id::{Id, Key, Named};
pub(crate) use key::IdempotencyKey;
pub(crate) use query::Query;
