//! Adds learners to the product's databases, and defines the arguments of the benchmarks. The program `bench` runs them.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "output of a command-line tool")]

pub mod arguments;
pub mod fill;
