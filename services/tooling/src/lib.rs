//! What the tools of this repository (`cargo dev`, `k8s/check`) share: failures in one line, other programs, progress and
//! the count of checks.
#![allow(clippy::print_stdout, reason = "a tool speaks to the person who runs it")]

pub mod command;
pub mod failure;
pub mod report;
pub mod scratch;
pub mod steps;
