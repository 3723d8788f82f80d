//! The running product while its parts fail: hung, killed, restarted or cut off. A test starts its
//! own product (PostgreSQL, services, gateway), breaks it from outside, and calls it through the
//! gateway as a browser does.
#![expect(clippy::expect_used, clippy::panic, reason = "a test that cannot go on should stop")]

mod canary;
mod commit_points;
mod couple;
mod database;
mod entrant;
mod hang;
mod learner;
mod mailbox;
mod product;
mod purchase;
mod replicas;
mod restart;
mod session;
mod sign_up;
mod sitting;
mod strangers;
mod student;
mod trace;
mod watching;
