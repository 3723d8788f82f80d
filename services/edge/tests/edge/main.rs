//! Tests of edges with real services, over real sockets and databases. Tests that need their own process are
//! beside this folder.
#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test that cannot be set up panics")]

mod access;
#[path = "../../../maintenance/tests/apiserver/mod.rs"]
mod apiserver;
mod bucket;
mod bulkheads;
mod callers;
mod contract;
mod desk;
mod device;
mod entry;
mod kubectl;
mod maintenance;
mod media;
mod offers;
mod owner;
mod search;
mod support;
mod upstream;
mod watching;
