//! The row of `learner_inventory` that stores all items of one learner. Triggers write it
//! (migration 0022).

use kit_db::span;
use sqlx::PgConnection;
use time::macros::datetime;
use time::{Duration, OffsetDateTime};
use tracing::Instrument as _;
use uuid::Uuid;

use super::Item;
use crate::course::CourseRevisions;

/// Size of an item in the column `items`, in bytes.
const ITEM_SIZE: usize = 69;
/// The origin of stored times.
const EPOCH: OffsetDateTime = datetime!(2000-01-01 00:00 UTC);
/// PostgreSQL's `infinity`, which stands for a time that is not set.
const INFINITY: i64 = i64::MAX;

/// All items of one learner.
#[derive(Default)]
pub(super) struct StoredItems {
    /// The number of distinct complete courses.
    pub(super) complete_count: i32,
    /// Ordered by last watched, then newest, then highest id.
    pub(super) items: Vec<Item>,
}

/// Loads the learner's items.
pub(super) async fn load(
    connection: &mut PgConnection,
    revisions: &CourseRevisions,
    learner: Uuid,
) -> sqlx::Result<StoredItems> {
    let row = sqlx::query!(
        r#"
        SELECT complete_count, items, (SELECT version FROM catalogue_version) AS "catalogue_version!"
        FROM learner_inventory
        WHERE learner_id = $1
        "#,
        learner,
    )
    .fetch_optional(&mut *connection)
    .instrument(span("SELECT learner_inventory"))
    .await?;
    let Some(row) = row else { return Ok(StoredItems::default()) };
    let revisions = revisions.get(connection, row.catalogue_version).await?;
    let items = row.items.chunks(ITEM_SIZE).map(|item| {
        let mut item = parse_item(item).map_err(|fault| sqlx::Error::Decode(fault.into()))?;
        item.course_revision = revisions.find(item.course_id);
        Ok(item)
    });
    Ok(StoredItems { complete_count: row.complete_count, items: items.collect::<sqlx::Result<_>>()? })
}

/// The reason why an item cannot be parsed.
type Fault = &'static str;

/// Parses an item. The revision of its course is not stored in it.
fn parse_item(bytes: &[u8]) -> Result<Item, Fault> {
    let mut rest = bytes;
    Ok(Item {
        id: parse_number(&mut rest)?,
        course_id: parse_number(&mut rest)?,
        course_revision: 0,
        product_id: parse_number(&mut rest)?,
        created: parse_time(&mut rest)?.ok_or("an item was granted at no time")?,
        modified: parse_time(&mut rest)?.ok_or("an item was modified at no time")?,
        expire_at: parse_time(&mut rest)?,
        completed_at: parse_time(&mut rest)?,
        opened_at: parse_time(&mut rest)?,
        check_count: i32::from_be_bytes(take(&mut rest)?),
        is_auto_renewal: take(&mut rest)? == [1],
        former: Vec::new(),
    })
}

fn parse_number(rest: &mut &[u8]) -> Result<i64, Fault> {
    take(rest).map(i64::from_be_bytes)
}

fn parse_time(rest: &mut &[u8]) -> Result<Option<OffsetDateTime>, Fault> {
    match parse_number(rest)? {
        INFINITY => Ok(None),
        number => EPOCH
            .checked_add(Duration::microseconds(number))
            .map(Some)
            .ok_or("an item has an impossible time"),
    }
}

fn take<const SIZE: usize>(rest: &mut &[u8]) -> Result<[u8; SIZE], Fault> {
    let (head, tail) = rest.split_first_chunk().ok_or("an item is cut off")?;
    *rest = tail;
    Ok(*head)
}

#[cfg(test)]
mod tests {
    use super::{ITEM_SIZE, parse_item};

    #[test]
    fn a_truncated_item_is_not_parsed() {
        let item = [0; ITEM_SIZE];
        assert!(parse_item(&item).is_ok());
        for end in 0..ITEM_SIZE {
            assert!(parse_item(&item[..end]).is_err(), "{end} bytes");
        }
    }
}
