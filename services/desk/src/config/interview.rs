//! The commands for interviews.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::question::QuestionStorage;
use super::{Database, EmailSettings};

/// The commands for interviews.
#[derive(Subcommand)]
pub enum Interview {
    /// Open slots of a teacher; a time at which the teacher has another slot is left out
    Open(Box<InterviewOpen>),
    /// List the slots and interviews of the coming 4 weeks
    List(InterviewList),
    /// Close a slot; an interview that is booked in it is cancelled, and its learner gets a mail
    Close(Box<InterviewClose>),
    /// Store the teacher's notes for the learner, in place of earlier ones
    Feedback(Box<InterviewFeedback>),
    /// Record that the learner did not come
    NoShow {
        /// The id of the interview
        id: uuid::Uuid,
        #[command(flatten)]
        database: Database,
    },
}

/// Settings of `interview open`.
#[derive(Args)]
pub struct InterviewOpen {
    /// The teacher; learners see the name
    #[arg(long)]
    pub teacher: String,
    /// 学習相談 or 三者面談
    #[arg(long, value_parser = clap::builder::PossibleValuesParser::new(crate::interview::Kind::NAMES))]
    pub kind: String,
    /// Address of the video call; the learner sees it from 10 minutes before the start
    #[arg(long, value_parser = parse_join_url)]
    pub join_url: String,
    /// Start of the first slot in Tokyo, e.g. 2026-12-01T17:00
    #[arg(long)]
    pub from: String,
    /// End of the last slot in Tokyo
    #[arg(long)]
    pub to: String,
    /// Minutes of a slot
    #[arg(long, default_value_t = 30, value_parser = clap::value_parser!(u16).range(5..=240))]
    pub minutes: u16,
    /// Repeat on so many weeks
    #[arg(long, default_value_t = 1)]
    pub weeks: u8,
    #[command(flatten)]
    pub database: Database,
}

/// Settings of `interview list`.
#[derive(Args)]
pub struct InterviewList {
    /// Only those of this teacher
    #[arg(long)]
    pub teacher: Option<String>,
    /// Those of the past 4 weeks; past slots that were not booked are deleted
    #[arg(long)]
    pub past: bool,
    #[command(flatten)]
    pub database: Database,
}

/// Settings of `interview close`.
#[derive(Args)]
pub struct InterviewClose {
    /// The id of the slot
    pub id: uuid::Uuid,
    #[command(flatten)]
    pub emails: EmailSettings,
    #[command(flatten)]
    pub storage: QuestionStorage,
}

/// Settings of `interview feedback`.
#[derive(Args)]
pub struct InterviewFeedback {
    /// The id of the interview
    pub id: uuid::Uuid,
    /// The file with the notes: UTF-8, at most 4,000 characters; `-` for the standard input
    pub file: PathBuf,
    #[command(flatten)]
    pub storage: QuestionStorage,
}

/// The address of a video call. It must be encrypted.
pub(crate) fn parse_join_url(text: &str) -> Result<String, String> {
    let rest = text.strip_prefix("https://").unwrap_or_default();
    let is_url = !rest.is_empty()
        && text.len() <= 500
        && !text.contains(|c: char| c.is_whitespace() || c.is_control());
    if is_url {
        Ok(text.to_owned())
    } else {
        Err("must be an address like https://meet.example/room".to_owned())
    }
}
