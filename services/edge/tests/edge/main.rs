//! Tests of edges with real services, over real sockets and databases.
#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test that cannot be set up panics")]

mod access;
mod answer_pictures;
mod bucket;
mod bulkheads;
mod buying;
mod callers;
mod certificate;
mod contract;
mod coupon;
mod desk;
mod device;
mod entry;
mod exam;
mod exam_mistakes;
mod herd;
mod interview;
mod kubectl;
mod load_shedding;
mod maintenance;
mod media;
mod member_notice;
mod metrics;
mod offers;
mod owner;
mod record;
mod refunds;
mod school_event;
mod search;
mod sitting;
mod subscriptions;
mod support;
mod teacher_question;
mod upstream;
mod watching;
mod wire;
