//! Shared by the tools of this repository (`cargo dev`, `k8s/check`): one-line failures, child processes, progress, and
//! the count of checks.
#![allow(clippy::print_stdout, reason = "output of a command-line tool")]

pub mod command;
pub mod failure;
pub mod report;
pub mod scratch;
pub mod steps;
