//! Draws lessons from the catalogue: slides as video in two sizes, captions, and printable pages.
//!
//! A slide is one key frame, encoded once. The seconds after it reuse the same few bytes of an unchanged
//! frame. So a lesson of ten minutes takes half a second to draw and one megabyte to store.

mod captions;
mod course;
mod course_figures;
mod draw;
mod figure;
mod hls;
mod look;
mod page;
mod pdf;
mod picture;
mod plan;
mod sheet;
mod slide;
mod store;
mod text;
mod video;
mod words;

use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// An error with a message for people.
type Failure = Box<dyn Error + Send + Sync>;
type Outcome<T = ()> = Result<T, Failure>;

/// Draws lessons: slides as video with captions, and the same slides as printable pages.
#[derive(Parser)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Draw everything that is new or has changed
    Draw {
        /// The folder of the courses' YAML files
        courses: PathBuf,
        /// The folder to write to: the media store of the edge
        store: PathBuf,
        /// The folder of the npm package `biz-udpgothic`
        #[arg(long, env = "STUDIO_FONTS")]
        fonts: PathBuf,
    },
    /// Write the marks and handout pages of each lesson into the courses' YAML files
    Plan {
        /// The folder of the courses' YAML files
        courses: PathBuf,
    },
}

/// Runs the command.
#[must_use]
pub fn run() -> ExitCode {
    let done = match Arguments::parse().command {
        Command::Draw { courses, store, fonts } => draw::draw_all(&courses, &store, &fonts)
            .map(|drawn| format!("{} drawn, {} as they were", drawn.drawn, drawn.kept)),
        Command::Plan { courses } => {
            plan::write_plans(&courses).map(|count| format!("wrote the plans of {count} lessons"))
        }
    };
    match done {
        Ok(said) => {
            eprintln!("{said}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("studio: {error}");
            ExitCode::FAILURE
        }
    }
}
