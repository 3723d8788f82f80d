//! kit-db against a real PostgreSQL.
#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test that can't go on should panic")]

mod connections;
mod idempotency;
mod late_database;
mod limit;
mod migrations;
mod outbox;
mod pool;
mod spans;
