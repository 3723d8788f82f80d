//! Tests over real gRPC and a real database.

#![expect(
    clippy::unwrap_used,
    reason = "what goes wrong in a helper ends the test, as it does in the test itself"
)]

mod archive;
mod callers;
mod cart;
mod confirmation;
mod customer;
mod import;
mod lms;
mod metrics;
mod order_list;
mod price_list;
mod product;
mod receipt;
mod shop;
mod stored_order;
