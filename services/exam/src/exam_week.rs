//! The exams of a learner in a week, for the weekly report. A week begins and ends at midnight in Tokyo.

use kit::error::FieldError;
use kit_content::date_time::parse_monday;
use kit_db::span;
use sqlx::PgConnection;
use time::macros::offset;
use time::{Duration, OffsetDateTime, UtcOffset};
use tracing::Instrument as _;
use uuid::Uuid;

use crate::application::{self, Application, ApplicationState};
use crate::result::ExamResult;
use crate::statistics::Standing;

/// A week, by its start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Week(OffsetDateTime);

impl Week {
    /// Parses a Monday, e.g. `2026-11-16`.
    pub(crate) fn parse(text: &str) -> Result<Self, FieldError> {
        let monday = parse_monday(text).map_err(|_| FieldError::new("week", "INVALID_FORMAT"))?;
        Ok(Self(monday.midnight().assume_offset(offset!(+9)).to_offset(UtcOffset::UTC)))
    }

    fn next(self) -> Self {
        Self(self.0.saturating_add(Duration::WEEK))
    }

    fn contains(self, time: OffsetDateTime) -> bool {
        self.0 <= time && time < self.next().0
    }
}

/// The exams of a learner in a week.
pub(crate) struct ExamWeek {
    /// Results that became final in the week, newest exam first.
    pub(crate) results: Vec<FinalExam>,
    /// Exams of the learner that start in the week after, soonest first.
    pub(crate) next: Vec<Application>,
}

/// A final result of an exam.
pub(crate) struct FinalExam {
    pub(crate) exam_name: String,
    /// `None` unless every paper was sat.
    pub(crate) total: Option<Standing>,
}

impl ExamWeek {
    /// Finds the exams of a week.
    pub(crate) async fn find(
        connection: &mut PgConnection,
        learner: Uuid,
        week: Week,
        now: OffsetDateTime,
    ) -> sqlx::Result<Self> {
        // Final statistics are never computed again.
        let exams = sqlx::query!(
            "
            SELECT exam.id, exam.name
            FROM exam
            JOIN exam_statistics ON exam_statistics.exam_id = exam.id
            WHERE is_final AND computed_at >= $2 AND computed_at < $3
                AND EXISTS (
                    SELECT FROM sitting
                    JOIN paper ON paper.id = paper_id
                    WHERE learner_id = $1 AND paper.exam_id = exam.id AND transcript IS NOT NULL
                )
            ORDER BY ends_at DESC, exam.id DESC
            ",
            learner,
            week.0,
            week.next().0,
        )
        .fetch_all(&mut *connection)
        .instrument(span("SELECT exam"))
        .await?;
        let mut results = Vec::with_capacity(exams.len());
        for exam in exams {
            let total = ExamResult::find(connection, learner, exam.id).await?.total;
            results.push(FinalExam { exam_name: exam.name, total });
        }
        let mut next = application::list(connection, learner, None).await?;
        next.retain(|application| {
            week.next().contains(application.exam.starts_at)
                && application.state(now) != ApplicationState::Open
        });
        Ok(Self { results, next })
    }
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::Week;

    #[test]
    fn a_week_is_from_monday_to_sunday_in_tokyo() {
        let week = Week::parse("2026-12-28").unwrap();
        for inside in [datetime!(2026-12-28 00:00 +9), datetime!(2027-01-03 23:59:59 +9)] {
            assert!(week.contains(inside), "{inside}");
        }
        for outside in [datetime!(2026-12-27 23:59:59 +9), datetime!(2027-01-04 00:00 +9)] {
            assert!(!week.contains(outside), "{outside}");
        }
        for wrong in ["2026-12-29", "2026-12-27", "2026-13-01", ""] {
            assert!(Week::parse(wrong).is_err(), "{wrong}");
        }
    }
}
