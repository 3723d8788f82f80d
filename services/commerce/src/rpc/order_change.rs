//! The methods of `commerce.v1.OrderService` that change an order.

use proto::commerce as wire;
use uuid::Uuid;

use super::Commerce;
use crate::error::Error;
use crate::order::Order;

/// Places an order.
pub(super) async fn place(
    _commerce: &Commerce,
    _account: Uuid,
    _request: wire::PlaceOrderRequest,
) -> Result<Order, Error> {
    Err(Error::CartEmpty)
}

/// Opens the payment page of an order.
pub(super) async fn pay(_commerce: &Commerce, _account: Uuid, _order: Uuid) -> Result<Order, Error> {
    Err(Error::OrderClosed)
}

/// Asks the provider about an order.
pub(super) async fn check(_commerce: &Commerce, _account: Uuid, _order: Uuid) -> Result<Order, Error> {
    Err(Error::NotFound)
}

/// Cancels an order.
pub(super) async fn cancel(_commerce: &Commerce, _account: Uuid, _order: Uuid) -> Result<Order, Error> {
    Err(Error::NotFound)
}
