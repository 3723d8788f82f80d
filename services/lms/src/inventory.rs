//! What a learner may use: an item is one course, until it expires. Expired items stay, with their progress.

use kit::db::span;
use kit::page::Page;
use sqlx::PgConnection;
use time::{Duration, OffsetDateTime};
use tracing::Instrument as _;
use uuid::Uuid;

use crate::entitlement;

/// Items a page.
pub(crate) const PAGE_SIZE: u32 = 12;

/// One course that one learner may use.
pub(crate) struct Item {
    pub(crate) id: i64,
    pub(crate) course_id: i64,
    pub(crate) course_revision: i64,
    pub(crate) product_id: i64,
    pub(crate) created: OffsetDateTime,
    pub(crate) modified: OffsetDateTime,
    pub(crate) expire_at: Option<OffsetDateTime>,
    pub(crate) is_auto_renewal: bool,
    pub(crate) check_count: i32,
    pub(crate) completed_at: Option<OffsetDateTime>,
    pub(crate) opened_at: Option<OffsetDateTime>,
}

impl Item {
    /// An item may be used until, and not at, its end.
    pub(crate) fn is_expired(&self, now: OffsetDateTime) -> bool {
        !entitlement::is_active(self.expire_at, now)
    }

    /// No lesson of the course was ever opened, and the item is younger than `new_for`.
    pub(crate) fn is_new(&self, now: OffsetDateTime, new_for: Duration) -> bool {
        self.opened_at.is_none() && now - self.created < new_for
    }
}

/// A page of a learner's items.
#[derive(Default)]
pub(crate) struct Items {
    /// How many there are on all pages.
    pub(crate) count: i64,
    /// How many distinct courses on all pages are complete.
    pub(crate) complete_count: i64,
    pub(crate) page: Vec<Item>,
}

/// One page of the learner's items, the newest first; last watched before never watched if `by_watch_history`. Empty
/// beyond the last page.
pub(crate) async fn page(
    connection: &mut PgConnection,
    learner: Uuid,
    page: Page,
    by_watch_history: bool,
) -> sqlx::Result<Items> {
    let rows =
        sqlx::query_file!("src/inventory/page.sql", learner, page.limit(), page.offset(), by_watch_history,)
            .fetch_all(connection)
            .instrument(span("SELECT inventory"))
            .await?;
    let Some(first) = rows.first() else { return Ok(Items::default()) };
    let (count, complete_count) = (first.count, first.complete_count);
    let items = rows.into_iter().map(|row| Item {
        id: row.id,
        course_id: row.course_id,
        course_revision: row.course_revision,
        product_id: row.product_id,
        created: row.created,
        modified: row.modified,
        expire_at: row.expire_at,
        is_auto_renewal: row.is_auto_renewal,
        check_count: row.check_count.unwrap_or_default(),
        completed_at: row.completed_at,
        opened_at: row.opened_at,
    });
    Ok(Items { count, complete_count, page: items.collect() })
}

/// The learner's item of this id.
pub(crate) async fn find(
    connection: &mut PgConnection,
    learner: Uuid,
    id: i64,
) -> sqlx::Result<Option<Item>> {
    sqlx::query_as!(
        Item,
        r#"
        SELECT
            inventory.id,
            inventory.course_id,
            course.revision AS course_revision,
            inventory.product_id,
            inventory.created,
            inventory.modified,
            inventory.expire_at,
            inventory.is_auto_renewal,
            coalesce(progress.check_count, 0) AS "check_count!",
            progress.completed_at AS "completed_at?",
            progress.opened_at AS "opened_at?"
        FROM inventory
        JOIN course ON course.id = inventory.course_id
        LEFT JOIN progress
            ON progress.learner_id = inventory.learner_id AND progress.course_id = inventory.course_id
        WHERE inventory.id = $1 AND inventory.learner_id = $2
        "#,
        id,
        learner,
    )
    .fetch_optional(connection)
    .instrument(span("SELECT inventory"))
    .await
}

/// How far a learner is in a course.
pub(crate) struct Standing {
    pub(crate) course_id: i64,
    pub(crate) name: String,
    pub(crate) lesson_count: i32,
    pub(crate) check_count: i32,
    pub(crate) completed_at: Option<OffsetDateTime>,
    /// Of the item that lasts longest; none: without end.
    pub(crate) expire_at: Option<OffsetDateTime>,
    pub(crate) last_watched_at: Option<OffsetDateTime>,
}

/// How far the learner is in each course they own or owned: last watched first, then the newest.
pub(crate) async fn progress(connection: &mut PgConnection, learner: Uuid) -> sqlx::Result<Vec<Standing>> {
    sqlx::query_as!(
        Standing,
        r#"
        SELECT
            course.id AS course_id,
            course.name,
            course.lesson_count,
            coalesce(progress.check_count, 0) AS "check_count!",
            progress.completed_at AS "completed_at?",
            entitlement.expire_at,
            progress.last_watched_at AS "last_watched_at?"
        FROM entitlement
        JOIN course ON course.id = entitlement.course_id
        LEFT JOIN progress ON progress.learner_id = $1 AND progress.course_id = entitlement.course_id
        WHERE entitlement.learner_id = $1
        ORDER BY progress.last_watched_at DESC NULLS LAST, entitlement.newest_created DESC, course.id
        "#,
        learner,
    )
    .fetch_all(connection)
    .instrument(span("SELECT inventory"))
    .await
}

/// An item in a learner's export.
pub(crate) struct ExportRow {
    pub(crate) course: String,
    pub(crate) product_id: i64,
    pub(crate) created: OffsetDateTime,
    pub(crate) expire_at: Option<OffsetDateTime>,
}

/// Exports the learner's items, oldest first.
pub(crate) async fn export(connection: &mut PgConnection, learner: Uuid) -> sqlx::Result<Vec<ExportRow>> {
    sqlx::query_as!(
        ExportRow,
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

/// Deletes the learner's items.
pub(crate) async fn erase(connection: &mut PgConnection, learner: Uuid) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM inventory WHERE learner_id = $1", learner)
        .execute(connection)
        .instrument(span("DELETE inventory"))
        .await?;
    Ok(())
}
