//! Tests of the service over real gRPC with a real database. Each module tests one noun.

#![expect(
    clippy::unwrap_used,
    reason = "what goes wrong in a helper ends the test, as it does in the test itself"
)]

mod archive;
mod bookmark;
mod callers;
mod catalogue;
mod certificate;
mod check;
mod class;
mod credit;
mod ended_streams;
mod entitlement;
mod exam_review;
mod favorite;
mod import;
mod input;
mod inventory;
mod learner;
mod learner_inventory;
mod lesson;
mod metrics;
mod note;
mod price_list;
mod question;
mod school;
mod search;
mod stream;
mod study_plan;
mod teacher;
mod watch;
mod weekly_report;
