//! What comes from outside: bodies, queries, ids. Everything is refused that is not just what it should be.

mod body;
mod id;
mod query;

pub(crate) use body::{BODY_LIMIT, Empty, Fields, Form, JsonBody, arrived};
pub(crate) use id::{Id, Key};
pub(crate) use query::Query;
