//! Products: converts between JSON and the messages of the commerce service.

pub(crate) mod offers;
pub(crate) mod product;

fn incomplete(what: &str) -> crate::error::Error {
    tracing::error!(what, "commerce left something out");
    crate::error::Error::Internal
}
