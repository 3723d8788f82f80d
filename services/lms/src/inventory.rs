//! A learner's inventory. An item is the right to use one course until it expires. Expired items
//! are kept with their progress.

mod state;
mod stored;

use std::cmp::Reverse;

use kit::page::Page;
use kit_db::span;
use sqlx::PgConnection;
use time::{Duration, OffsetDateTime};
use tracing::Instrument as _;
use uuid::Uuid;

pub(crate) use self::state::{FormerItem, State, StateCounts, StateFilter};
use self::stored::StoredItems;
use crate::course::CourseRevisions;
use crate::entitlement;

/// Number of items on a page.
pub(crate) const PAGE_SIZE: u32 = 12;

/// An item: one course of one learner.
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
    /// Expired items of the same course. Empty in a list without a [`StateFilter`].
    pub(crate) former: Vec<FormerItem>,
}

impl Item {
    /// Whether the item has expired.
    pub(crate) fn is_expired(&self, now: OffsetDateTime) -> bool {
        !entitlement::is_active(self.expire_at, now)
    }

    /// Whether no lesson of the course was opened and the item is younger than `new_for`.
    pub(crate) fn is_new(&self, now: OffsetDateTime, new_for: Duration) -> bool {
        self.opened_at.is_none() && now - self.created < new_for
    }
}

/// A page of a learner's items.
#[derive(Default)]
pub(crate) struct Items {
    /// The number of items on all pages.
    pub(crate) count: usize,
    /// The number of items in each state. `None` without a [`StateFilter`].
    pub(crate) state_counts: Option<StateCounts>,
    /// The number of distinct complete courses on all pages.
    pub(crate) complete_count: i32,
    pub(crate) page: Vec<Item>,
}

/// Lists one page of the learner's items, newest first. With `by_watch_history`, last watched items
/// come first. Empty beyond the last page.
pub(crate) async fn list_page(
    connection: &mut PgConnection,
    revisions: &CourseRevisions,
    learner: Uuid,
    page: Page,
    by_watch_history: bool,
    filter: Option<StateFilter>,
) -> sqlx::Result<Items> {
    let StoredItems { complete_count, mut items } = stored::load(connection, revisions, learner).await?;
    let state_counts = filter.map(|filter| filter.apply(&mut items));
    let count = items.len();
    if !by_watch_history {
        items.sort_unstable_by_key(|item| Reverse((item.created, item.id)));
    }
    let size = |rows: i64| usize::try_from(rows).unwrap_or(usize::MAX);
    let page: Vec<Item> = items.into_iter().skip(size(page.offset())).take(size(page.limit())).collect();
    if page.is_empty() {
        return Ok(Items { state_counts, ..Items::default() });
    }
    Ok(Items { count, state_counts, complete_count, page })
}

/// Finds an item of the learner.
pub(crate) async fn find(
    connection: &mut PgConnection,
    revisions: &CourseRevisions,
    learner: Uuid,
    id: i64,
) -> sqlx::Result<Option<Item>> {
    let StoredItems { items, .. } = stored::load(connection, revisions, learner).await?;
    Ok(items.into_iter().find(|item| item.id == id))
}

/// A learner's progress in a course.
pub(crate) struct CourseProgress {
    pub(crate) course_id: i64,
    pub(crate) name: String,
    pub(crate) lesson_count: i32,
    pub(crate) check_count: i32,
    pub(crate) completed_at: Option<OffsetDateTime>,
    /// The end of the entitlement. `None` for no end.
    pub(crate) expire_at: Option<OffsetDateTime>,
    pub(crate) last_watched_at: Option<OffsetDateTime>,
}

/// Lists the learner's progress in each course that they own or owned, last watched first, then
/// newest.
pub(crate) async fn list_progress(
    connection: &mut PgConnection,
    learner: Uuid,
) -> sqlx::Result<Vec<CourseProgress>> {
    sqlx::query_as!(
        CourseProgress,
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
pub(crate) struct InventoryExport {
    pub(crate) course: String,
    pub(crate) product_id: i64,
    pub(crate) created: OffsetDateTime,
    pub(crate) expire_at: Option<OffsetDateTime>,
}

/// Exports the learner's items, oldest first.
pub(crate) async fn export(
    connection: &mut PgConnection,
    learner: Uuid,
) -> sqlx::Result<Vec<InventoryExport>> {
    sqlx::query_as!(
        InventoryExport,
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
