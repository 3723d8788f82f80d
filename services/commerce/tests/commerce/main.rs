//! Tests over real gRPC and a real database.

#![expect(
    clippy::unwrap_used,
    reason = "what goes wrong in a helper ends the test, as it does in the test itself"
)]

mod archive;
mod callers;
mod import;
mod metrics;
mod price_list;
mod product;
mod shop;
