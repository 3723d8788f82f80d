//! Draws lessons from what the catalogue says of them: slides as video in two sizes, captions, pages to print.
//!
//! A slide is one whole picture, encoded once; after it come the same few bytes that say 'as before', one a second, so
//! that a lesson of ten minutes takes half a second to make and one megabyte to keep.

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

/// What went wrong, for people.
type Failure = Box<dyn Error + Send + Sync>;
type Outcome<T = ()> = Result<T, Failure>;

/// Draws lessons: slides as video with captions, and the same pages to print.
#[derive(Parser)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Draws what is new or other than before.
    Draw {
        /// The folder of the courses' YAML.
        courses: PathBuf,
        /// Where it is kept, as the edge reads it.
        store: PathBuf,
        /// The folder of `biz-udpgothic`, as npm has it.
        #[arg(long, env = "STUDIO_FONTS")]
        fonts: PathBuf,
    },
    /// Writes into the courses' YAML what is drawn for each lesson: its marks, its pages.
    Plan {
        /// The folder of the courses' YAML.
        courses: PathBuf,
    },
}

/// Does what the command line says.
#[must_use]
pub fn run() -> ExitCode {
    let done = match Arguments::parse().command {
        Command::Draw { courses, store, fonts } => draw::draw_all(&courses, &store, &fonts)
            .map(|drawn| format!("{} drawn, {} as they were", drawn.drawn, drawn.kept)),
        Command::Plan { courses } => {
            plan::write_plans(&courses).map(|count| format!("{count} lessons are planned"))
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
