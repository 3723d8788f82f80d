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
    /// A new notice.
    Notice,
}

impl Topic {
    const ALL: [Self; 6] =
        [Self::Answer, Self::Interview, Self::Event, Self::ExamResult, Self::WeeklyReport, Self::Notice];
    /// The topics without mails unless a person switches them on.
    pub(crate) const WITHOUT_MAILS: [Self; 1] = [Self::Notice];

    /// The topics that a client offers that sends none.
    pub(crate) const OF_OLD_CLIENTS: [Self; 5] =
        [Self::Answer, Self::Interview, Self::Event, Self::ExamResult, Self::WeeklyReport];

    /// The name on the wire and in the database.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Answer => "answer",
            Self::Interview => "interview",
            Self::Event => "event",
            Self::ExamResult => "exam_result",
            Self::WeeklyReport => "weekly_report",
            Self::Notice => "notice",
        }
    }

    pub(crate) fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|topic| topic.name() == name)
    }
}
