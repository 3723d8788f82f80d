//! All that belongs to one learner, in words that they know.

use kit::db::span;
use sqlx::PgConnection;
use sqlx::types::Json;
use time::OffsetDateTime;
use tracing::Instrument as _;
use uuid::Uuid;

use crate::day::Watched;
use crate::note::Note;
use crate::question::Given;
use crate::result::Kind;

pub(crate) struct Item {
    pub(crate) course: String,
    pub(crate) product_id: i64,
    pub(crate) created: OffsetDateTime,
    pub(crate) expire_at: Option<OffsetDateTime>,
}

/// What the learner owns or owned.
pub(crate) async fn items(connection: &mut PgConnection, learner: Uuid) -> sqlx::Result<Vec<Item>> {
    sqlx::query_as!(
        Item,
        "
        SELECT course.name AS course, inventory.product_id, inventory.created, inventory.expire_at
        FROM inventory JOIN course ON course.id = inventory.course_id
        WHERE inventory.learner_id = $1
        ORDER BY inventory.created, inventory.id
        ",
        learner,
    )
    .fetch_all(connection)
    .instrument(span("SELECT inventory"))
    .await
}

pub(crate) struct Bookmark {
    pub(crate) course: String,
    pub(crate) created: OffsetDateTime,
}

/// What the learner put aside.
pub(crate) async fn bookmarks(connection: &mut PgConnection, learner: Uuid) -> sqlx::Result<Vec<Bookmark>> {
    sqlx::query_as!(
        Bookmark,
        "
        SELECT course.name AS course, bookmark.created
        FROM bookmark JOIN course ON course.id = bookmark.course_id
        WHERE bookmark.learner_id = $1
        ORDER BY bookmark.created, course.id
        ",
        learner,
    )
    .fetch_all(connection)
    .instrument(span("SELECT bookmark"))
    .await
}

pub(crate) struct Mark {
    pub(crate) course: String,
    pub(crate) lesson: String,
    pub(crate) created: OffsetDateTime,
}

/// What the learner starred.
pub(crate) async fn favorites(connection: &mut PgConnection, learner: Uuid) -> sqlx::Result<Vec<Mark>> {
    sqlx::query_as!(
        Mark,
        "
        SELECT course.name AS course, lesson.name AS lesson, favorite.created
        FROM favorite
        JOIN lesson ON lesson.id = favorite.lesson_id
        JOIN course ON course.id = lesson.course_id
        WHERE favorite.learner_id = $1
        ORDER BY favorite.created, lesson.id
        ",
        learner,
    )
    .fetch_all(connection)
    .instrument(span("SELECT favorite"))
    .await
}

/// What the learner ticked.
pub(crate) async fn checks(connection: &mut PgConnection, learner: Uuid) -> sqlx::Result<Vec<Mark>> {
    sqlx::query_as!(
        Mark,
        "
        SELECT course.name AS course, lesson.name AS lesson, lesson_check.created
        FROM lesson_check
        JOIN lesson ON lesson.id = lesson_check.lesson_id
        JOIN course ON course.id = lesson.course_id
        WHERE lesson_check.learner_id = $1
        ORDER BY lesson_check.created, lesson.id
        ",
        learner,
    )
    .fetch_all(connection)
    .instrument(span("SELECT lesson_check"))
    .await
}

pub(crate) struct Watch {
    pub(crate) course: String,
    pub(crate) lesson: String,
    pub(crate) position: i32,
    pub(crate) covered: i32,
    pub(crate) times: i32,
    pub(crate) first_seen: OffsetDateTime,
    pub(crate) last_seen: OffsetDateTime,
}

/// What the learner watched.
pub(crate) async fn watches(connection: &mut PgConnection, learner: Uuid) -> sqlx::Result<Vec<Watch>> {
    sqlx::query_as!(
        Watch,
        "
        SELECT
            course.name AS course,
            lesson.name AS lesson,
            watch.position,
            watch.covered,
            watch.times,
            watch.first_seen,
            watch.last_seen
        FROM watch
        JOIN lesson ON lesson.id = watch.lesson_id
        JOIN course ON course.id = lesson.course_id
        WHERE watch.learner_id = $1
        ORDER BY watch.first_seen, lesson.id
        ",
        learner,
    )
    .fetch_all(connection)
    .instrument(span("SELECT watch"))
    .await
}

pub(crate) struct Progress {
    pub(crate) course: String,
    pub(crate) check_count: i32,
    pub(crate) completed_at: Option<OffsetDateTime>,
    pub(crate) opened_at: Option<OffsetDateTime>,
    pub(crate) last_watched_at: Option<OffsetDateTime>,
}

/// What that amounts to.
pub(crate) async fn progress(connection: &mut PgConnection, learner: Uuid) -> sqlx::Result<Vec<Progress>> {
    sqlx::query_as!(
        Progress,
        "
        SELECT
            course.name AS course,
            progress.check_count,
            progress.completed_at,
            progress.opened_at,
            progress.last_watched_at
        FROM progress JOIN course ON course.id = progress.course_id
        WHERE progress.learner_id = $1
        ORDER BY course.id
        ",
        learner,
    )
    .fetch_all(connection)
    .instrument(span("SELECT progress"))
    .await
}

/// On which days the learner watched.
pub(crate) async fn days(connection: &mut PgConnection, learner: Uuid) -> sqlx::Result<Vec<Watched>> {
    sqlx::query_as!(
        Watched,
        "SELECT day, seconds FROM watch_day WHERE learner_id = $1 ORDER BY day",
        learner,
    )
    .fetch_all(connection)
    .instrument(span("SELECT watch_day"))
    .await
}

/// What the learner wrote, oldest first: at most `most` notes after the one of `after`.
pub(crate) async fn notes(
    connection: &mut PgConnection,
    learner: Uuid,
    after: Option<(OffsetDateTime, Uuid)>,
    most: i64,
) -> sqlx::Result<Vec<Note>> {
    let (created, id) = after.unzip();
    sqlx::query_as!(
        Note,
        r#"
        SELECT
            note.id,
            lesson.id AS lesson_id,
            lesson.name AS lesson_name,
            course.id AS course_id,
            course.name AS course_name,
            note.at,
            note.text,
            note.created,
            note.modified,
            count(*) OVER () AS "count!"
        FROM note
        JOIN lesson ON lesson.id = note.lesson_id
        JOIN course ON course.id = lesson.course_id
        WHERE note.learner_id = $1 AND ($2::timestamptz IS NULL OR (note.created, note.id) > ($2, $3))
        ORDER BY note.created, note.id
        LIMIT $4
        "#,
        learner,
        created,
        id,
        most,
    )
    .fetch_all(connection)
    .instrument(span("SELECT note"))
    .await
}

pub(crate) struct Answer {
    pub(crate) result_id: i64,
    pub(crate) question_id: i64,
    pub(crate) course: String,
    pub(crate) lesson: String,
    pub(crate) question: String,
    pub(crate) kind: Kind,
    /// The texts of the choices, or as typed.
    pub(crate) given: String,
    pub(crate) is_right: bool,
    pub(crate) created: OffsetDateTime,
}

/// What the learner answered, result by result: at most `most` answers after that to a question of a result.
pub(crate) async fn answers(
    connection: &mut PgConnection,
    learner: Uuid,
    after: Option<(i64, i64)>,
    most: i64,
) -> sqlx::Result<Vec<Answer>> {
    let (result_id, question_id) = after.unwrap_or((0, 0));
    let rows = sqlx::query!(
        r#"
        SELECT
            answer.result_id,
            answer.question_id,
            course.name AS course,
            lesson.name AS lesson,
            question.prompt,
            question.choices,
            result.kind AS "kind: Kind",
            answer.given AS "given: Json<Given>",
            answer.is_right,
            answer.created
        FROM answer
        JOIN result ON result.id = answer.result_id
        JOIN question ON question.id = answer.question_id
        JOIN lesson ON lesson.id = question.lesson_id
        JOIN course ON course.id = lesson.course_id
        WHERE answer.learner_id = $1 AND (answer.result_id, answer.question_id) > ($2::bigint, $3::bigint)
        ORDER BY answer.result_id, answer.question_id
        LIMIT $4
        "#,
        learner,
        result_id,
        question_id,
        most,
    )
    .fetch_all(connection)
    .instrument(span("SELECT answer"))
    .await?;
    let answers = rows.into_iter().map(|row| Answer {
        result_id: row.result_id,
        question_id: row.question_id,
        course: row.course,
        lesson: row.lesson,
        question: row.prompt,
        kind: row.kind,
        given: row.given.0.told(&row.choices),
        is_right: row.is_right,
        created: row.created,
    });
    Ok(answers.collect())
}

pub(crate) struct Review {
    pub(crate) course: String,
    pub(crate) lesson: String,
    pub(crate) question: String,
    pub(crate) step: i32,
    pub(crate) due_at: Option<OffsetDateTime>,
}

/// What comes back to the learner.
pub(crate) async fn reviews(connection: &mut PgConnection, learner: Uuid) -> sqlx::Result<Vec<Review>> {
    sqlx::query_as!(
        Review,
        "
        SELECT
            course.name AS course,
            lesson.name AS lesson,
            question.prompt AS question,
            review.step,
            review.due_at
        FROM review
        JOIN question ON question.id = review.question_id
        JOIN lesson ON lesson.id = question.lesson_id
        JOIN course ON course.id = lesson.course_id
        WHERE review.learner_id = $1
        ORDER BY review.due_at, question.id
        ",
        learner,
    )
    .fetch_all(connection)
    .instrument(span("SELECT review"))
    .await
}

pub(crate) struct TestResult {
    pub(crate) id: i64,
    pub(crate) course: String,
    pub(crate) lesson: String,
    pub(crate) kind: Kind,
    pub(crate) question_count: i32,
    pub(crate) answered_count: i32,
    pub(crate) right_count: i32,
    pub(crate) started_at: OffsetDateTime,
    pub(crate) finished_at: Option<OffsetDateTime>,
}

/// How the learner did, oldest first: at most `most` results after that of the id `after`.
pub(crate) async fn results(
    connection: &mut PgConnection,
    learner: Uuid,
    after: i64,
    most: i64,
) -> sqlx::Result<Vec<TestResult>> {
    sqlx::query_as!(
        TestResult,
        r#"
        SELECT
            result.id,
            course.name AS course,
            lesson.name AS lesson,
            result.kind AS "kind: Kind",
            result.question_count,
            result.answered_count,
            result.right_count,
            result.started_at,
            result.finished_at
        FROM result
        JOIN lesson ON lesson.id = result.lesson_id
        JOIN course ON course.id = lesson.course_id
        WHERE result.learner_id = $1 AND result.id > $2
        ORDER BY result.id
        LIMIT $3
        "#,
        learner,
        after,
        most,
    )
    .fetch_all(connection)
    .instrument(span("SELECT result"))
    .await
}

pub(crate) struct Stream {
    pub(crate) course: String,
    pub(crate) lesson: String,
    pub(crate) device: Uuid,
    pub(crate) last_seen: OffsetDateTime,
}

/// The learner's players.
pub(crate) async fn streams(connection: &mut PgConnection, learner: Uuid) -> sqlx::Result<Vec<Stream>> {
    sqlx::query_as!(
        Stream,
        "
        SELECT course.name AS course, lesson.name AS lesson, stream.device, stream.last_seen
        FROM stream
        JOIN lesson ON lesson.id = stream.lesson_id
        JOIN course ON course.id = lesson.course_id
        WHERE stream.learner_id = $1
        ORDER BY stream.last_seen, stream.device
        ",
        learner,
    )
    .fetch_all(connection)
    .instrument(span("SELECT stream"))
    .await
}
