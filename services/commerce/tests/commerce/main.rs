//! Tests over real gRPC and a real database.

#![expect(
    clippy::unwrap_used,
    reason = "what goes wrong in a helper ends the test, as it does in the test itself"
)]

mod archive;
mod buying;
mod callers;
mod cart;
mod confirmation;
mod continuous_service;
mod coupon;
mod customer;
mod disclosure;
mod duplicate_order;
mod erasure;
mod exam_seat;
mod export;
mod figures;
mod guardian_request;
mod import;
mod konbini;
mod ledger;
mod lms;
mod metrics;
mod order_list;
mod order_lock;
mod payment;
mod placing;
mod price_list;
mod product;
mod provider_event;
mod receipt;
mod receipt_pdf;
mod receiver;
mod refund;
mod reminder;
mod settlement;
mod shop;
mod stored_order;
mod subscription;
mod sweep;
mod test_provider;
mod trace;
mod transfer;
