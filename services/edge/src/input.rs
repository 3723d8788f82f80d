//! Input of clients: bodies, queries, ids. Input that does not match its declaration is refused.

mod body;
mod form;
mod id;
mod key;
mod query;

#[cfg(test)]
pub(crate) use body::BodyLimits;
pub(crate) use body::{
    BodyKind, EVENT, Empty, FORM, JSON, JsonBody, NO_BODY, OneClick, OptionalBody, PICTURE, PictureBody,
    RawBody, RequestBody, receive_body,
};
pub(crate) use form::{Fields, Form, MAX_SAFE_INTEGER, parse_form};
pub(crate) use id::{Id, IdAndKey, IdAndName, IdAndSegment, Key, KeyAndId, KeyIdAndName, Keys};
pub(crate) use key::IdempotencyKey;
pub(crate) use query::Query;
