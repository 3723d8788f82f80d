//! desk over real gRPC, a real database and a mail server on a real socket.
#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test that can't go on should panic")]

mod archive;
mod calendar;
mod callers;
mod contact;
mod contact_limits;
mod emails;
mod folder;
mod import;
mod interview;
mod interview_guardian;
mod member_notice;
mod metrics;
mod notice_telling;
mod notification;
mod orders;
mod postal;
mod push;
mod question_picture;
mod reading;
mod school_event;
mod secrecy;
mod sending;
mod subscriptions;
mod teacher_question;
mod world;
