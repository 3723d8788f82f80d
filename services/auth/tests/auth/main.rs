//! Tests of auth over gRPC and a real database.
#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test that cannot be set up should panic")]

mod access;
mod alike;
mod authenticator;
mod birth_date;
mod callers;
mod closing;
mod consent;
mod exam_result;
mod guardian;
mod import;
mod keys;
mod link;
mod lockout;
mod login;
mod mails;
mod metrics;
mod notice_telling;
mod passkey;
mod profile;
mod recovery;
mod refresh;
mod reset;
mod secrecy;
mod sign_up;
mod support;
mod sweep;
mod user;
mod weekly_report;
mod withdrawal;
