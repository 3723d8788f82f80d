//! What a learner has reached of what the certificate of a course needs.

use kit_db::span;
use sqlx::PgConnection;
use tracing::Instrument as _;
use uuid::Uuid;

use crate::config::Rules;

/// What a learner has reached in a course.
pub(crate) struct CertificateProgress {
    pub(crate) lesson_count: i32,
    check_count: i32,
    /// Whether every lesson was checked. See [`crate::progress`].
    is_complete: bool,
    pub(crate) question_count: i32,
    /// Questions whose newest answer is right.
    pub(crate) right_count: i32,
    /// Percentage of the questions that must be right.
    needed_percent: i32,
}

impl CertificateProgress {
    /// Lessons without a check. 0 for a completed course, also if lessons were added later.
    pub(crate) fn missing_lesson_count(&self) -> i32 {
        // An incomplete course always lacks one: without a check, or checked again after it was removed.
        if self.is_complete { 0 } else { (self.lesson_count - self.check_count).max(1) }
    }

    /// Right answers that are needed: the percentage of the questions, rounded up.
    pub(crate) fn needed_right_count(&self) -> i32 {
        (self.question_count * self.needed_percent + 99) / 100
    }

    /// Whether the certificate can be issued.
    pub(crate) fn is_earned(&self) -> bool {
        self.is_complete && self.right_count >= self.needed_right_count()
    }
}

/// Finds what the learner has reached in a course that they own or owned.
///
/// Of each question the newest answer counts, whether graded, in practice or in a review.
pub(crate) async fn find_progress(
    connection: &mut PgConnection,
    learner: Uuid,
    course: i64,
    rules: Rules,
) -> sqlx::Result<Option<CertificateProgress>> {
    sqlx::query_as!(
        CertificateProgress,
        r#"
        WITH
            asked AS (
                SELECT question.id
                FROM question JOIN lesson ON lesson.id = question.lesson_id
                WHERE lesson.course_id = $2
            ),
            given AS (
                SELECT question_id, result_id, is_right, created AS given_at
                FROM answer
                WHERE learner_id = $1 AND question_id IN (SELECT id FROM asked)
                UNION ALL
                -- Without a time, from an older release: a right one is newer than any answer in practice while its
                -- interval runs, because a wrong answer would have started the first interval.
                SELECT
                    question_id,
                    NULL,
                    is_right,
                    coalesce(
                        answered_at,
                        CASE WHEN step > 1 OR due_at IS NULL THEN 'infinity' ELSE '-infinity' END::timestamptz
                    )
                FROM review
                WHERE learner_id = $1 AND is_right IS NOT NULL AND question_id IN (SELECT id FROM asked)
            ),
            newest AS (
                SELECT DISTINCT ON (question_id) is_right
                FROM given
                ORDER BY question_id, given_at DESC, result_id DESC NULLS FIRST
            )
        SELECT
            course.lesson_count,
            coalesce(progress.check_count, 0) AS "check_count!",
            progress.completed_at IS NOT NULL AS "is_complete!",
            (SELECT count(*) FROM asked)::integer AS "question_count!",
            (SELECT count(*) FROM newest WHERE is_right)::integer AS "right_count!",
            $3::integer AS "needed_percent!"
        FROM course
        LEFT JOIN progress ON progress.learner_id = $1 AND progress.course_id = course.id
        WHERE
            course.id = $2
            AND EXISTS (SELECT FROM inventory WHERE inventory.learner_id = $1 AND inventory.course_id = $2)
        "#,
        learner,
        course,
        rules.certificate_percent,
    )
    .fetch_optional(connection)
    .instrument(span("SELECT answer"))
    .await
}

#[cfg(test)]
mod tests {
    use super::CertificateProgress;

    fn progress(question_count: i32, right_count: i32) -> CertificateProgress {
        CertificateProgress {
            lesson_count: 3,
            check_count: 3,
            is_complete: true,
            question_count,
            right_count,
            needed_percent: 70,
        }
    }

    #[test]
    fn exactly_70_percent_is_enough_and_a_part_of_a_question_is_rounded_up() {
        for (questions, needed) in [(0, 0), (1, 1), (3, 3), (4, 3), (9, 7), (10, 7), (11, 8), (100, 70)] {
            assert_eq!(progress(questions, 0).needed_right_count(), needed, "{questions}");
            assert!(progress(questions, needed).is_earned(), "{questions}");
            assert!(needed == 0 || !progress(questions, needed - 1).is_earned(), "{questions}");
        }
    }

    #[test]
    fn a_completed_course_lacks_no_lesson_that_was_added_later() {
        let mut progress = CertificateProgress { lesson_count: 5, ..progress(0, 0) };
        assert_eq!(progress.missing_lesson_count(), 0);
        progress.is_complete = false;
        assert_eq!((progress.missing_lesson_count(), progress.is_earned()), (2, false));
    }
}
