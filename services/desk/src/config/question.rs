//! The commands and settings of questions to teachers.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::{Database, EmailSettings, SecretArg};
use crate::teacher_question::Rules;

/// The commands for teachers.
#[derive(Subcommand)]
pub enum Question {
    /// Show the question whose answer is due first
    Next {
        /// The teacher who takes it; learners see the name. Questions that other teachers have taken are passed over
        #[arg(long)]
        teacher: Option<String>,
        #[command(flatten)]
        storage: QuestionStorage,
    },
    /// Show a question with its messages
    Show {
        /// The id of the question
        id: uuid::Uuid,
        #[command(flatten)]
        storage: QuestionStorage,
    },
    /// Write a picture of a question to a file, as a JPEG
    Picture {
        /// The id of the picture, which `question show` lists
        id: uuid::Uuid,
        /// The file; `-` for the standard output
        file: PathBuf,
        #[command(flatten)]
        storage: QuestionStorage,
    },
    /// Store a picture for an answer, and print its id for `question answer --picture ID`
    ///
    /// It is deleted after a day if no answer has it. In a cluster, send the picture through the standard input.
    Upload {
        /// The id of the question
        id: uuid::Uuid,
        /// The file: PNG, JPEG or WebP, at most 5 MiB; `-` for the standard input
        file: PathBuf,
        #[command(flatten)]
        storage: QuestionStorage,
    },
    /// Return a question that a teacher has taken to the queue
    ///
    /// A teacher keeps a question until it is released or answered, also when its learner sends a follow-up. Release it
    /// when its teacher is absent: `question next` then shows it to any teacher.
    Release {
        /// The id of the question
        id: uuid::Uuid,
        #[command(flatten)]
        database: Database,
    },
    /// Answer a question that waits
    Answer(Box<QuestionAnswer>),
    /// Count the questions that wait, and list those whose promised time has passed
    Status(Database),
}

/// Settings of `question answer`.
#[derive(Args)]
pub struct QuestionAnswer {
    /// The id of the question
    pub id: uuid::Uuid,
    /// The file with the answer: UTF-8, at most 4,000 characters; `-` for the standard input
    pub file: PathBuf,
    /// The teacher who answers; learners see the name
    #[arg(long)]
    pub teacher: String,
    /// Second of the lesson's video that the answer refers to
    #[arg(long)]
    pub at: Option<u16>,
    /// The lesson of `--at`, which the learner owns; without it, the lesson of the question
    #[arg(long, requires = "at")]
    pub lesson: Option<u32>,
    /// A picture for the answer: a file with a PNG, JPEG or WebP of at most 5 MiB, or an id from `question upload`.
    /// Repeatable, up to three times
    #[arg(long, value_name = "FILE or ID")]
    pub picture: Vec<PathBuf>,
    #[command(flatten)]
    pub emails: EmailSettings,
    #[command(flatten)]
    pub storage: QuestionStorage,
}

/// Settings to read questions.
#[derive(Args)]
pub struct QuestionStorage {
    #[command(flatten)]
    pub secret: SecretArg,
    #[command(flatten)]
    pub database: Database,
}

/// Settings of questions to teachers.
#[derive(Args, Clone)]
#[command(next_help_heading = "Questions to teachers")]
pub struct Questions {
    /// Questions a calendar month in Tokyo for a learner without a question plan
    #[arg(long = "questions-per-month", env = "DESK_QUESTIONS_PER_MONTH", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    per_month: u32,
    /// Hours within which a learner with a question plan is promised an answer
    #[arg(long = "question-hours", env = "DESK_QUESTION_HOURS", default_value_t = 24, value_parser = clap::value_parser!(u16).range(1..))]
    hours: u16,
    /// Follow-ups that a learner can send below the answers of one question
    #[arg(long = "question-follow-ups", env = "DESK_QUESTION_FOLLOW_UPS", default_value_t = 3)]
    follow_ups: u32,
}

impl Questions {
    pub(crate) fn rules(&self) -> Rules {
        Rules {
            monthly: self.per_month,
            promise: time::Duration::hours(self.hours.into()),
            follow_ups: self.follow_ups,
        }
    }
}
