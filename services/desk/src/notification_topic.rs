//! What notifications are about.

/// What a notification is about. People switch notifications on and off by topic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Topic {
    /// A teacher answered a question.
    Answer,
    /// The school cancelled an interview.
    Interview,
    /// An event starts soon, or has a free place.
    Event,
    /// The result of an exam is final.
    ExamResult,
    /// The week of linked learners.
    WeeklyReport,
}

impl Topic {
    const ALL: [Self; 5] = [Self::Answer, Self::Interview, Self::Event, Self::ExamResult, Self::WeeklyReport];

    /// The name on the wire and in the database.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Answer => "answer",
            Self::Interview => "interview",
            Self::Event => "event",
            Self::ExamResult => "exam_result",
            Self::WeeklyReport => "weekly_report",
        }
    }

    pub(crate) fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|topic| topic.name() == name)
    }
}
