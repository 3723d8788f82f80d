//! Writes the items, marks and watch history of demo learners.
//!
//! Dates are relative to the day of the import, so an item is identified by learner and product. An
//! existing item is not changed. Marks and watch history are written only with a learner's first
//! items. Later imports do not touch them, so a removed mark stays removed.

use kit_content::Difference;
use kit_db::span;
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::Instrument as _;
use uuid::Uuid;

use super::learners::{AttendedEntry, DemoItem, DemoLearner, DemoMark, WatchEntry};
use crate::entitlement::{self, Grant, Source, SourceKind};
use crate::error::Error;
use crate::learner;
use crate::watch::Coverage;

/// Writes one learner, and notes their items in the difference.
pub(super) async fn write_learner(
    connection: &mut PgConnection,
    learner: &DemoLearner,
    now: OffsetDateTime,
    difference: &mut Difference,
) -> Result<(), Error> {
    learner::lock(connection, learner.id).await?;
    let is_known = sqlx::query_scalar!(
        r#"SELECT EXISTS (SELECT FROM inventory WHERE learner_id = $1) AS "is_known!""#,
        learner.id,
    )
    .fetch_one(&mut *connection)
    .instrument(span("SELECT inventory"))
    .await?;
    let added = grant_items(connection, learner.id, &learner.items).await?;
    if !is_known {
        write_bookmarks(connection, learner.id, &learner.bookmarks).await?;
        write_favorites(connection, learner.id, &learner.favorites).await?;
        write_checks(connection, learner.id, &learner.checks).await?;
        write_watched(connection, learner.id, &learner.watched).await?;
        write_attendance(connection, learner.id, &learner.attended, now).await?;
        write_days(connection, learner.id).await?;
        write_progress(connection, learner.id).await?;
    }
    for item in &learner.items {
        let before = (!added.contains(&item.product)).then_some(&());
        difference.note("item", item.product, &format!("of {}", learner.id), before, &());
    }
    Ok(())
}

/// Grants the items of products that the learner does not have yet, oldest first. Returns their
/// products.
async fn grant_items(
    connection: &mut PgConnection,
    learner: Uuid,
    items: &[DemoItem],
) -> Result<Vec<i64>, Error> {
    let known = sqlx::query_scalar!("SELECT product_id FROM inventory WHERE learner_id = $1", learner)
        .fetch_all(&mut *connection)
        .instrument(span("SELECT inventory"))
        .await?;
    let mut new: Vec<&DemoItem> = items.iter().filter(|item| !known.contains(&item.product)).collect();
    new.sort_by_key(|item| item.created);
    for item in &new {
        let source = Source { kind: SourceKind::Import, id: format!("{learner}/{}", item.product) };
        let grant = Grant {
            source,
            learner,
            course: item.course,
            product: item.product,
            granted_at: item.created,
            expire_at: item.expire_at,
            is_auto_renewal: item.is_auto_renewal,
        };
        entitlement::grant(connection, &grant).await?;
    }
    Ok(new.iter().map(|item| item.product).collect())
}

fn columns(marks: &[DemoMark]) -> (Vec<i64>, Vec<OffsetDateTime>) {
    marks.iter().map(|mark| (mark.id, mark.created)).unzip()
}

async fn write_bookmarks(
    connection: &mut PgConnection,
    learner: Uuid,
    marks: &[DemoMark],
) -> sqlx::Result<()> {
    let (courses, created) = columns(marks);
    sqlx::query!(
        "
        INSERT INTO bookmark (learner_id, course_id, created)
        SELECT $1, course_id, created
        FROM unnest($2::bigint[], $3::timestamptz[]) AS new (course_id, created)
        ON CONFLICT DO NOTHING
        ",
        learner,
        &courses,
        &created,
    )
    .execute(connection)
    .instrument(span("INSERT bookmark"))
    .await?;
    Ok(())
}

async fn write_favorites(
    connection: &mut PgConnection,
    learner: Uuid,
    marks: &[DemoMark],
) -> sqlx::Result<()> {
    let (lessons, created) = columns(marks);
    sqlx::query!(
        "
        INSERT INTO favorite (learner_id, lesson_id, created)
        SELECT $1, lesson_id, created
        FROM unnest($2::bigint[], $3::timestamptz[]) AS new (lesson_id, created)
        ",
        learner,
        &lessons,
        &created,
    )
    .execute(connection)
    .instrument(span("INSERT favorite"))
    .await?;
    Ok(())
}

async fn write_checks(connection: &mut PgConnection, learner: Uuid, marks: &[DemoMark]) -> sqlx::Result<()> {
    let (lessons, created) = columns(marks);
    sqlx::query!(
        "
        INSERT INTO lesson_check (learner_id, lesson_id, created)
        SELECT $1, lesson_id, created
        FROM unnest($2::bigint[], $3::timestamptz[]) AS new (lesson_id, created)
        ",
        learner,
        &lessons,
        &created,
    )
    .execute(connection)
    .instrument(span("INSERT lesson_check"))
    .await?;
    Ok(())
}

async fn write_watched(
    connection: &mut PgConnection,
    learner: Uuid,
    watched: &[WatchEntry],
) -> sqlx::Result<()> {
    for watched in watched {
        let mut coverage = Coverage::default();
        coverage.add(&(0..watched.seconds), watched.duration, i32::MAX);
        sqlx::query!(
            "
            INSERT INTO watch (
                learner_id, lesson_id, position, furthest, covered, coverage, times, first_seen, last_seen, sequence
            )
            VALUES ($1, $2, $3, $4, $5, $6, 1, $7, $7, $8)
            ",
            learner,
            watched.lesson,
            watched.position,
            watched.position.max(watched.seconds),
            coverage.seconds(watched.duration),
            coverage.into_bytes(),
            watched.last_seen,
            watched.last_seen.unix_timestamp() * 1000,
        )
        .execute(&mut *connection)
        .instrument(span("INSERT watch"))
        .await?;
    }
    Ok(())
}

/// Live lessons to come are left out.
async fn write_attendance(
    connection: &mut PgConnection,
    learner: Uuid,
    attended: &[AttendedEntry],
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    let (classes, numbers): (Vec<i64>, Vec<i32>) =
        attended.iter().map(|entry| (entry.class.value, entry.number)).unzip();
    sqlx::query!(
        "
        INSERT INTO attendance (learner_id, live_lesson_id, joined_at)
        SELECT $1, live_lesson.id, live_lesson.starts_at
        FROM unnest($2::bigint[], $3::integer[]) AS new (class_id, number)
        JOIN live_lesson USING (class_id, number)
        WHERE live_lesson.ends_at <= $4 AND NOT live_lesson.is_cancelled
        ON CONFLICT DO NOTHING
        ",
        learner,
        &classes,
        &numbers,
        now,
    )
    .execute(connection)
    .instrument(span("INSERT attendance"))
    .await?;
    Ok(())
}

/// Counts each lesson as watched in one sitting.
async fn write_days(connection: &mut PgConnection, learner: Uuid) -> sqlx::Result<()> {
    sqlx::query!(
        "
        INSERT INTO watch_day (learner_id, day, seconds)
        SELECT $1, (last_seen AT TIME ZONE 'Asia/Tokyo' - interval '4 hours')::date AS day, sum(covered)
        FROM watch
        WHERE learner_id = $1 AND covered > 0
        GROUP BY day
        ",
        learner,
    )
    .execute(connection)
    .instrument(span("INSERT watch_day"))
    .await?;
    Ok(())
}

async fn write_progress(connection: &mut PgConnection, learner: Uuid) -> sqlx::Result<()> {
    sqlx::query!(
        "
        INSERT INTO progress (learner_id, course_id, check_count, completed_at, opened_at, last_watched_at)
        SELECT
            $1,
            course.id,
            coalesce(checked.lessons, 0),
            CASE WHEN checked.lessons >= course.lesson_count THEN checked.last END,
            watched.first,
            watched.last
        FROM course
        LEFT JOIN (
            SELECT lesson.course_id, count(*) AS lessons, max(lesson_check.created) AS last
            FROM lesson_check
            JOIN lesson ON lesson.id = lesson_check.lesson_id
            WHERE lesson_check.learner_id = $1
            GROUP BY lesson.course_id
        ) AS checked ON checked.course_id = course.id
        LEFT JOIN (
            SELECT lesson.course_id, min(watch.first_seen) AS first, max(watch.last_seen) AS last
            FROM watch
            JOIN lesson ON lesson.id = watch.lesson_id
            WHERE watch.learner_id = $1
            GROUP BY lesson.course_id
        ) AS watched ON watched.course_id = course.id
        WHERE checked.course_id IS NOT NULL OR watched.course_id IS NOT NULL
        ",
        learner,
    )
    .execute(connection)
    .instrument(span("INSERT progress"))
    .await?;
    Ok(())
}
