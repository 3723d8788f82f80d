//! A learner's results for the questions of a lesson: one graded result, and one for each round of
//! practice.

mod export;
pub(crate) mod growth;

pub(crate) use export::{AnswerExport, ResultExport, export_answers, export_results};

use kit::page::Page;
use kit_content::question::AnswerValue;
use kit_db::span;
use sqlx::PgConnection;
use sqlx::types::Json;
use time::OffsetDateTime;
use tracing::Instrument as _;
use uuid::Uuid;

/// Number of results on a page.
pub(crate) const PAGE_SIZE: u32 = 20;

/// The kind of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::Type)]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub(crate) enum ResultKind {
    /// The first answers to the questions of a lesson.
    Graded,
    /// A round of practice.
    Practice,
}

/// A result with its lesson and course.
pub(crate) struct LessonResult {
    pub(crate) id: i64,
    pub(crate) kind: ResultKind,
    pub(crate) lesson_id: i64,
    pub(crate) lesson_name: String,
    pub(crate) course_id: i64,
    pub(crate) course_name: String,
    pub(crate) subject: String,
    pub(crate) question_count: i32,
    pub(crate) answered_count: i32,
    pub(crate) right_count: i32,
    pub(crate) started_at: OffsetDateTime,
    pub(crate) finished_at: Option<OffsetDateTime>,
    /// The number of results on all pages.
    pub(crate) count: i64,
}

/// Lists one page of the learner's results that have an answer, newest first, for all subjects or
/// one. Empty beyond the last page.
pub(crate) async fn list_page(
    connection: &mut PgConnection,
    learner: Uuid,
    page: Page,
    subject: Option<&str>,
) -> sqlx::Result<Vec<LessonResult>> {
    sqlx::query_as!(
        LessonResult,
        r#"
        SELECT
            result.id,
            result.kind AS "kind: ResultKind",
            lesson.id AS lesson_id,
            lesson.name AS lesson_name,
            course.id AS course_id,
            course.name AS course_name,
            course.category AS subject,
            result.question_count,
            result.answered_count,
            result.right_count,
            result.started_at,
            result.finished_at,
            count(*) OVER () AS "count!"
        FROM result
        JOIN lesson ON lesson.id = result.lesson_id
        JOIN course ON course.id = lesson.course_id
        WHERE result.learner_id = $1 AND result.answered_count > 0 AND ($4::text IS NULL OR course.category = $4)
        ORDER BY result.id DESC
        LIMIT $2 OFFSET $3
        "#,
        learner,
        page.limit(),
        page.offset(),
        subject,
    )
    .fetch_all(connection)
    .instrument(span("SELECT result"))
    .await
}

/// Finds a result of the learner.
pub(crate) async fn find(
    connection: &mut PgConnection,
    learner: Uuid,
    id: i64,
) -> sqlx::Result<Option<LessonResult>> {
    sqlx::query_as!(
        LessonResult,
        r#"
        SELECT
            result.id,
            result.kind AS "kind: ResultKind",
            lesson.id AS lesson_id,
            lesson.name AS lesson_name,
            course.id AS course_id,
            course.name AS course_name,
            course.category AS subject,
            result.question_count,
            result.answered_count,
            result.right_count,
            result.started_at,
            result.finished_at,
            1::bigint AS "count!"
        FROM result
        JOIN lesson ON lesson.id = result.lesson_id
        JOIN course ON course.id = lesson.course_id
        WHERE result.learner_id = $1 AND result.id = $2
        "#,
        learner,
        id,
    )
    .fetch_optional(connection)
    .instrument(span("SELECT result"))
    .await
}

/// The progress of a result.
pub(crate) struct ResultProgress {
    pub(crate) id: i64,
    pub(crate) kind: ResultKind,
    pub(crate) question_count: i32,
    pub(crate) answered_count: i32,
}

/// Finds the learner's graded result of a lesson.
pub(crate) async fn find_graded(
    connection: &mut PgConnection,
    learner: Uuid,
    lesson: i64,
) -> sqlx::Result<Option<ResultProgress>> {
    sqlx::query_as!(
        ResultProgress,
        r#"
        SELECT id, kind AS "kind: ResultKind", question_count, answered_count
        FROM result
        WHERE learner_id = $1 AND lesson_id = $2 AND kind = 'graded'
        "#,
        learner,
        lesson,
    )
    .fetch_optional(connection)
    .instrument(span("SELECT result"))
    .await
}

/// Finds a result of the learner if it belongs to the lesson.
pub(crate) async fn find_in_lesson(
    connection: &mut PgConnection,
    learner: Uuid,
    id: i64,
    lesson: i64,
) -> sqlx::Result<Option<ResultProgress>> {
    sqlx::query_as!(
        ResultProgress,
        r#"
        SELECT id, kind AS "kind: ResultKind", question_count, answered_count
        FROM result
        WHERE learner_id = $1 AND id = $2 AND lesson_id = $3
        "#,
        learner,
        id,
        lesson,
    )
    .fetch_optional(connection)
    .instrument(span("SELECT result"))
    .await
}

/// Finds the learner's round of practice of a lesson that has no answer yet.
pub(crate) async fn find_untouched_practice(
    connection: &mut PgConnection,
    learner: Uuid,
    lesson: i64,
) -> sqlx::Result<Option<i64>> {
    sqlx::query_scalar!(
        "
        SELECT max(id)
        FROM result
        WHERE learner_id = $1 AND lesson_id = $2 AND kind = 'practice' AND answered_count = 0
        ",
        learner,
        lesson,
    )
    .fetch_one(connection)
    .instrument(span("SELECT result"))
    .await
}

/// Counts the learner's rounds of practice of a lesson since `start`.
pub(crate) async fn count_practice(
    connection: &mut PgConnection,
    learner: Uuid,
    lesson: i64,
    start: OffsetDateTime,
) -> sqlx::Result<i64> {
    sqlx::query_scalar!(
        r#"
        SELECT count(*) AS "count!"
        FROM result
        WHERE learner_id = $1 AND lesson_id = $2 AND kind = 'practice' AND started_at >= $3
        "#,
        learner,
        lesson,
        start,
    )
    .fetch_one(connection)
    .instrument(span("SELECT result"))
    .await
}

/// Starts a result of a lesson with `question_count` questions.
pub(crate) async fn start(
    connection: &mut PgConnection,
    learner: Uuid,
    lesson: i64,
    kind: ResultKind,
    question_count: i32,
    now: OffsetDateTime,
) -> sqlx::Result<ResultProgress> {
    let id = sqlx::query_scalar!(
        "
        INSERT INTO result (learner_id, lesson_id, kind, question_count, started_at)
        VALUES ($1, $2, $3, $4, $5)
        RETURNING id
        ",
        learner,
        lesson,
        kind as ResultKind,
        question_count,
        now,
    )
    .fetch_one(connection)
    .instrument(span("INSERT result"))
    .await?;
    Ok(ResultProgress { id, kind, question_count, answered_count: 0 })
}

/// A stored answer.
pub(crate) struct Answer {
    pub(crate) question_id: i64,
    pub(crate) given: AnswerValue,
    pub(crate) is_right: bool,
}

/// Lists the answers of a result of the learner.
pub(crate) async fn list_answers(
    connection: &mut PgConnection,
    learner: Uuid,
    result: i64,
) -> sqlx::Result<Vec<Answer>> {
    let rows = sqlx::query!(
        r#"
        SELECT question_id, given AS "given: Json<AnswerValue>", is_right
        FROM answer
        WHERE learner_id = $1 AND result_id = $2
        "#,
        learner,
        result,
    )
    .fetch_all(connection)
    .instrument(span("SELECT answer"))
    .await?;
    let answers = rows.into_iter().map(|row| Answer {
        question_id: row.question_id,
        given: row.given.0,
        is_right: row.is_right,
    });
    Ok(answers.collect())
}

/// Stores an answer to a question that has none in this result, and counts it. The caller holds the
/// learner's lock.
pub(crate) async fn record_answer(
    connection: &mut PgConnection,
    learner: Uuid,
    result: i64,
    answer: &Answer,
    question_count: i32,
    now: OffsetDateTime,
) -> sqlx::Result<ResultProgress> {
    sqlx::query!(
        "
        INSERT INTO answer (learner_id, result_id, question_id, given, is_right, created)
        VALUES ($1, $2, $3, $4, $5, $6)
        ",
        learner,
        result,
        answer.question_id,
        Json(&answer.given) as Json<&AnswerValue>,
        answer.is_right,
        now,
    )
    .execute(&mut *connection)
    .instrument(span("INSERT answer"))
    .await?;
    sqlx::query_as!(
        ResultProgress,
        r#"
        UPDATE result
        SET
            question_count = $3,
            answered_count = answered_count + 1,
            right_count = right_count + $4::boolean::integer,
            finished_at = CASE WHEN answered_count + 1 >= $3 THEN $5::timestamptz END
        WHERE learner_id = $1 AND id = $2
        RETURNING id, kind AS "kind: ResultKind", question_count, answered_count
        "#,
        learner,
        result,
        question_count,
        answer.is_right,
        now,
    )
    .fetch_one(connection)
    .instrument(span("UPDATE result"))
    .await
}

/// Deletes the learner's results and answers.
pub(crate) async fn erase(connection: &mut PgConnection, learner: Uuid) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM answer WHERE learner_id = $1", learner)
        .execute(&mut *connection)
        .instrument(span("DELETE answer"))
        .await?;
    sqlx::query!("DELETE FROM result WHERE learner_id = $1", learner)
        .execute(connection)
        .instrument(span("DELETE result"))
        .await?;
    Ok(())
}
