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

/// What the learner wrote.
pub(crate) async fn notes(connection: &mut PgConnection, learner: Uuid) -> sqlx::Result<Vec<Note>> {
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
        WHERE note.learner_id = $1
        ORDER BY note.created, note.id
        "#,
        learner,
    )
    .fetch_all(connection)
    .instrument(span("SELECT note"))
    .await
}

pub(crate) struct Answer {
    pub(crate) course: String,
    pub(crate) lesson: String,
    pub(crate) question: String,
    pub(crate) kind: Kind,
    /// The texts of the choices, or as typed.
    pub(crate) given: String,
    pub(crate) is_right: bool,
    pub(crate) created: OffsetDateTime,
}

/// What the learner answered.
pub(crate) async fn answers(connection: &mut PgConnection, learner: Uuid) -> sqlx::Result<Vec<Answer>> {
    let rows = sqlx::query!(
        r#"
        SELECT
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
        WHERE answer.learner_id = $1
        ORDER BY answer.created, answer.result_id, question.id
        "#,
        learner,
    )
    .fetch_all(connection)
    .instrument(span("SELECT answer"))
    .await?;
    let answers = rows.into_iter().map(|row| Answer {
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
