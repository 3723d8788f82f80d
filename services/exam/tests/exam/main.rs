//! Tests of the service over real gRPC with a real database. Each module tests one noun.

#![expect(
    clippy::unwrap_used,
    reason = "what goes wrong in a helper ends the test, as it does in the test itself"
)]

mod application;
mod callers;
mod candidates;
mod check;
mod child_result;
mod devices;
mod hall;
mod import;
mod interruption;
mod metrics;
mod missed;
mod receipt;
mod record;
mod result;
mod rights;
mod saving;
mod school;
mod schools;
mod sealing;
mod seat;
mod sitting;
mod sitting_model;
mod statistics;
mod written;
mod written_pictures;
