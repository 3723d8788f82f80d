//! Converts exam's week to the message that lms takes.

use crate::{exam, lms};

impl From<exam::ExamWeek> for lms::WeeklyExams {
    fn from(week: exam::ExamWeek) -> Self {
        let results = week.results.into_iter().map(|result| lms::WeeklyExamResult {
            exam_name: result.exam_name,
            total: result.total.map(|total| lms::WeeklyExamTotal {
                points: total.points,
                full_points: total.full_points,
                deviation_score_tenths: total.deviation_score_tenths,
            }),
        });
        let next = week.next.into_iter();
        let next = next.map(|next| lms::WeeklyNextExam { exam_name: next.name, starts_at: next.starts_at });
        Self { results: results.collect(), next: next.collect() }
    }
}
