//! Marking by people: which written answer a marker gets, and what their points decide.
//!
//! A marker sees neither the candidate nor the marks of others. `exam/v1/result.proto` has the
//! states of an answer.

mod marker;
mod task;

pub use task::{MarkingTask, TaskAnswer, TaskFigure};

use kit::clock::Clock;
use kit_db::{Pool, span};
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::Instrument as _;
use uuid::Uuid;

use self::marker::LONGEST_MARKER;
use crate::config::Rules;
use crate::{learner, marking};

/// The longest comment, in characters.
const LONGEST_COMMENT: usize = 500;

/// Why a call of a marker is refused.
#[derive(Debug, thiserror::Error)]
pub enum MarkingError {
    /// The name of the marker is not usable.
    #[error("'{0}' names no marker: use 1 to {LONGEST_MARKER} letters, digits, '.', '-' and '_'")]
    Marker(String),
    /// The task does not exist, or another marker has it.
    #[error("marker {marker} has no task {task}: `exam mark next --marker {marker}` shows the open one")]
    NoTask {
        /// The task.
        task: Uuid,
        /// The marker.
        marker: String,
    },
    /// The marker has given points for the task.
    #[error("task {task} has {points} points already, and a mark never changes")]
    Given {
        /// The task.
        task: Uuid,
        /// The points that it has.
        points: i32,
    },
    /// The points are not those of the question.
    #[error("{given} points: the question has 0 to {full}")]
    Points {
        /// The points of the call.
        given: i32,
        /// The points of the question.
        full: i32,
    },
    /// The comment is too long.
    #[error("the comment is longer than {LONGEST_COMMENT} characters")]
    Comment,
    /// An answer or a question could not be read.
    #[error("an answer cannot be read: {0}")]
    Document(#[from] serde_json::Error),
    /// A SQL statement failed.
    #[error("the database failed: {0}")]
    Database(#[from] sqlx::Error),
}

/// How far the marking of an exam is.
#[derive(Clone, Debug, PartialEq)]
pub struct MarkingProgress {
    /// The exam.
    pub exam: i64,
    /// Written answers that are not blank.
    pub answers: i64,
    /// Those that are decided.
    pub decided: i64,
    /// Those that wait for a third marker, or that the third marker has.
    pub disputed: i64,
    /// Tasks that a marker has and has not marked.
    pub open_tasks: i64,
}

/// Marking in one database.
#[derive(Clone)]
pub struct WrittenMarking {
    pool: Pool,
    clock: Clock,
}

impl WrittenMarking {
    /// Creates the marking.
    #[must_use]
    pub fn new(pool: Pool, clock: Clock) -> Self {
        Self { pool, clock }
    }

    /// Returns the marker's open task, or takes the next one: first answers that wait for a third marker, then those whose
    /// exam ended first. `None` if there is none. An answer is marked after the end of its exam and the grace.
    ///
    /// # Errors
    ///
    /// A wrong name of the marker, and a failing database.
    pub async fn next(&self, marker: &str, rules: Rules) -> Result<Option<MarkingTask>, MarkingError> {
        let marker = &marker::parse(marker)?;
        let now = self.clock.now();
        let mut transaction = self.pool.begin().await?;
        marker::add(&mut transaction, marker).await?;
        marker::lock(&mut transaction, marker).await?;
        let open = sqlx::query_scalar!(
            "SELECT id FROM marking_task WHERE marker_id = $1 AND given_at IS NULL",
            marker,
        )
        .fetch_optional(&mut *transaction)
        .instrument(span("SELECT marking_task"))
        .await?;
        let task = match open {
            Some(task) => Some(task),
            None => task::take(&mut transaction, marker, now, now - rules.grace).await?,
        };
        let task = match task {
            Some(task) => Some(task::find(&mut transaction, task).await?),
            None => None,
        };
        transaction.commit().await?;
        Ok(task)
    }

    /// Gives points for a task. The same points and comment again change nothing. Returns whether the answer is decided.
    ///
    /// # Errors
    ///
    /// See [`MarkingError`].
    pub async fn give(
        &self,
        marker: &str,
        task: Uuid,
        points: i32,
        comment: &str,
    ) -> Result<bool, MarkingError> {
        let marker = &marker::parse(marker)?;
        let comment = comment.trim();
        if comment.chars().count() > LONGEST_COMMENT {
            return Err(MarkingError::Comment);
        }
        let now = self.clock.now();
        let no_task = || MarkingError::NoTask { task, marker: marker.clone() };
        let mut transaction = self.pool.begin().await?;
        if !marker::lock(&mut transaction, marker).await? {
            return Err(no_task());
        }
        let found = sqlx::query!(
            r#"
            SELECT
                sitting_id, question_id, full_points, marking_task.points AS given, comment, learner_id,
                decided_at IS NOT NULL AS "is_decided!"
            FROM marking_task
            JOIN written_answer USING (sitting_id, question_id)
            JOIN sitting ON sitting.id = sitting_id
            WHERE marking_task.id = $1 AND marker_id = $2
            "#,
            task,
            marker,
        )
        .fetch_optional(&mut *transaction)
        .instrument(span("SELECT marking_task"))
        .await?;
        let found = found.ok_or_else(no_task)?;
        if let Some(given) = found.given {
            let is_same = given == points && found.comment.as_deref() == Some(comment);
            return if is_same {
                Ok(found.is_decided)
            } else {
                Err(MarkingError::Given { task, points: given })
            };
        }
        if !(0..=found.full_points).contains(&points) {
            return Err(MarkingError::Points { given: points, full: found.full_points });
        }
        // As erasure does, which deletes parents before their children.
        learner::lock(&mut transaction, found.learner_id).await?;
        // One mark of a sitting at a time, so that the last one sees that it is the last.
        let locked = sqlx::query!(
            "SELECT sitting_id FROM partial_mark WHERE sitting_id = $1 FOR UPDATE",
            found.sitting_id,
        )
        .fetch_optional(&mut *transaction)
        .instrument(span("SELECT partial_mark"))
        .await?;
        // The account was erased meanwhile.
        locked.ok_or_else(no_task)?;
        sqlx::query!(
            "UPDATE marking_task SET points = $2, comment = $3, given_at = $4 WHERE id = $1",
            task,
            points,
            comment,
            now,
        )
        .execute(&mut *transaction)
        .instrument(span("UPDATE marking_task"))
        .await?;
        let is_decided = decide(&mut transaction, found.sitting_id, found.question_id, now).await?;
        if is_decided {
            marking::complete(&mut transaction, found.sitting_id, now).await?;
        }
        transaction.commit().await?;
        Ok(is_decided)
    }

    /// Gives the marker's open task back, for another marker. Returns whether there was one.
    ///
    /// # Errors
    ///
    /// A wrong name of the marker, and a failing database.
    pub async fn release(&self, marker: &str) -> Result<bool, MarkingError> {
        let marker = &marker::parse(marker)?;
        let mut transaction = self.pool.begin().await?;
        if !marker::lock(&mut transaction, marker).await? {
            return Ok(false);
        }
        let learner = sqlx::query_scalar!(
            "
            SELECT learner_id FROM marking_task JOIN sitting ON sitting.id = sitting_id
            WHERE marker_id = $1 AND given_at IS NULL
            ",
            marker,
        )
        .fetch_optional(&mut *transaction)
        .instrument(span("SELECT marking_task"))
        .await?;
        let Some(learner) = learner else { return Ok(false) };
        // As erasure does, which deletes parents before their children.
        learner::lock(&mut transaction, learner).await?;
        let released = sqlx::query!(
            "
            WITH released AS (
                DELETE FROM marking_task WHERE marker_id = $1 AND given_at IS NULL
                RETURNING sitting_id, question_id
            )
            UPDATE written_answer SET markers_taken = markers_taken - 1
            FROM released
            WHERE written_answer.sitting_id = released.sitting_id
                AND written_answer.question_id = released.question_id
            ",
            marker,
        )
        .execute(&mut *transaction)
        .instrument(span("UPDATE written_answer"))
        .await?;
        transaction.commit().await?;
        Ok(released.rows_affected() > 0)
    }

    /// Lists the exams with written answers, by id.
    ///
    /// # Errors
    ///
    /// A failing database.
    pub async fn progress(&self) -> Result<Vec<MarkingProgress>, MarkingError> {
        let mut connection = self.pool.acquire().await?;
        let progress = sqlx::query_as!(
            MarkingProgress,
            r#"
            SELECT
                exam_id AS "exam!",
                count(*) AS "answers!",
                count(decided_at) AS "decided!",
                count(*) FILTER (WHERE decided_at IS NULL AND markers_wanted = 3) AS "disputed!",
                sum((
                    SELECT count(*) FROM marking_task
                    WHERE marking_task.sitting_id = written_answer.sitting_id
                        AND marking_task.question_id = written_answer.question_id AND given_at IS NULL
                ))::bigint AS "open_tasks!"
            FROM written_answer
            JOIN question ON question.id = question_id
            JOIN paper ON paper.id = paper_id
            WHERE answer IS NOT NULL
            GROUP BY exam_id
            ORDER BY exam_id
            "#,
        )
        .fetch_all(&mut *connection)
        .instrument(span("SELECT written_answer"))
        .await?;
        self.pool.keep(connection);
        Ok(progress)
    }
}

/// Decides an answer if its marks allow it. Returns whether they do.
async fn decide(
    connection: &mut PgConnection,
    sitting: Uuid,
    question: i64,
    now: OffsetDateTime,
) -> sqlx::Result<bool> {
    let given = sqlx::query!(
        r#"
        SELECT points AS "points!", is_third FROM marking_task
        WHERE sitting_id = $1 AND question_id = $2 AND given_at IS NOT NULL
        "#,
        sitting,
        question,
    )
    .fetch_all(&mut *connection)
    .instrument(span("SELECT marking_task"))
    .await?;
    let third = given.iter().find(|mark| mark.is_third).map(|mark| mark.points);
    let points = match (third, given.as_slice()) {
        (Some(points), _) => Some(points),
        (None, [one, other]) if one.points == other.points => Some(one.points),
        (None, [_, _]) => {
            sqlx::query!(
                "UPDATE written_answer SET markers_wanted = 3 WHERE sitting_id = $1 AND question_id = $2",
                sitting,
                question,
            )
            .execute(&mut *connection)
            .instrument(span("UPDATE written_answer"))
            .await?;
            None
        }
        (None, _) => None,
    };
    let Some(points) = points else { return Ok(false) };
    sqlx::query!(
        "UPDATE written_answer SET points = $3, decided_at = $4 WHERE sitting_id = $1 AND question_id = $2",
        sitting,
        question,
        points,
        now,
    )
    .execute(&mut *connection)
    .instrument(span("UPDATE written_answer"))
    .await?;
    Ok(true)
}
