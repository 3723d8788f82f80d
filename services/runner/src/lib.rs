//! Runs the whole product on one machine: PostgreSQL, the services, the site's files, a gateway and a supervisor.
//! `cargo dev` is its command line.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "output of a command-line tool")]

pub mod arguments;
pub mod callers;
pub mod child;
pub mod control;
pub mod databases;
pub mod foreground;
pub mod gateway;
pub mod http;
pub mod inputs;
pub mod npm;
pub mod otlp;
pub mod places;
pub mod postal;
pub mod postgres;
pub mod product;
pub mod random;
pub mod services;
pub mod spans;
pub mod state;
pub mod supervisor;
pub mod tool;
pub mod videos;
pub mod web;
