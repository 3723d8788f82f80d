//! Products, carts and orders: converts between JSON and the messages of the commerce service.

mod buyer;
pub(crate) mod card;
pub(crate) mod cart;
pub(crate) mod confirmation;
pub(crate) mod coupon;
pub(crate) mod export;
pub(crate) mod guardian_request;
pub(crate) mod offers;
pub(crate) mod order;
mod payment;
pub(crate) mod product;
pub(crate) mod receipt;
pub(crate) mod refund;
pub(crate) mod subscription;
pub(crate) mod webhook;

use serde::Serialize;
use utoipa::ToSchema;

fn incomplete(what: &str) -> crate::error::Error {
    crate::error::Error::incomplete("commerce", what)
}

/// The learner of a line.
#[derive(Serialize, ToSchema)]
struct LineLearner {
    #[schema(format = Uuid)]
    id: String,
    /// Family name and given name. Empty in a cart for a learner whom the caller may no longer buy for, and in an
    /// order for a learner whose account was erased.
    #[schema(example = "葵 太郎")]
    name: String,
}
