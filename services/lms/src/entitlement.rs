//! Entitlements to courses. A source, e.g. an order line, grants, extends and revokes them.
//!
//! Events of one source may arrive in any order. Each changes the row of the source in a way that
//! commutes: the latest end counts, and the earliest revocation takes precedence.
//! `inventory.expire_at` is derived from that row, so a revoked item looks like an expired one.
//!
//! An event of an erased account changes nothing: see [`erased_account`].
//!
//! To read entitlements to a course, use the view `entitlement`. It has one row for each learner
//! and course.

use kit_db::{constraint, erased_account, span};
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::Instrument as _;
use uuid::Uuid;

use crate::error::Error;
use crate::learner;

/// The source of an entitlement. It grants one course to one learner, once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Source {
    pub(crate) kind: SourceKind,
    /// Unique within the kind.
    pub(crate) id: String,
}

/// The kind of a [`Source`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::Type)]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub(crate) enum SourceKind {
    OrderLine,
    Gift,
    Import,
    Staff,
}

/// A grant of one course.
pub(crate) struct Grant {
    pub(crate) source: Source,
    pub(crate) learner: Uuid,
    pub(crate) course: i64,
    pub(crate) product: i64,
    pub(crate) granted_at: OffsetDateTime,
    /// `None` for no end.
    pub(crate) expire_at: Option<OffsetDateTime>,
    pub(crate) is_auto_renewal: bool,
}

/// An extension to a later end.
pub(crate) struct Extension {
    pub(crate) source: Source,
    pub(crate) learner: Uuid,
    pub(crate) extended_at: OffsetDateTime,
    /// `None` for no end.
    pub(crate) expire_at: Option<OffsetDateTime>,
}

/// A revocation, regardless of the end.
pub(crate) struct Revocation {
    pub(crate) source: Source,
    pub(crate) learner: Uuid,
    pub(crate) revoked_at: OffsetDateTime,
}

/// A course that a learner can use now.
pub(crate) struct ActiveCourse {
    pub(crate) learner: Uuid,
    pub(crate) course: i64,
    /// `None` for no end.
    pub(crate) expire_at: Option<OffsetDateTime>,
}

/// Whether something that ends at `expire_at` can be used at `now`. It cannot at the end itself.
/// `None` for no end.
///
/// The same in SQL is `entitlement.active_until > now`.
pub(crate) fn is_active(expire_at: Option<OffsetDateTime>, now: OffsetDateTime) -> bool {
    expire_at.is_none_or(|end| end > now)
}

/// Grants a course. Changes nothing if the source was granted before. Fails with
/// [`Error::NotFound`] if the course is unknown.
pub(crate) async fn grant(connection: &mut PgConnection, grant: &Grant) -> Result<(), Error> {
    if !lock_account(connection, grant.learner).await? {
        return Ok(());
    }
    let Grant { source, learner, granted_at, .. } = grant;
    if find_item(connection, source).await?.is_some() {
        return Ok(());
    }
    let end = End::At(grant.expire_at);
    if !record(connection, source, *learner, end, None, *granted_at).await? {
        return Ok(());
    }
    let item = sqlx::query_scalar!(
        "
        INSERT INTO inventory (
            learner_id, course_id, product_id, created, modified, expire_at, is_auto_renewal
        )
        VALUES ($1, $2, $3, $4, $4, $5, $6)
        RETURNING id
        ",
        learner,
        grant.course,
        grant.product,
        granted_at,
        grant.expire_at,
        grant.is_auto_renewal,
    )
    .fetch_one(&mut *connection)
    .instrument(span("INSERT inventory"))
    .await
    .map_err(|error| match constraint(&error) {
        Some("inventory_course_id_fkey") => Error::NotFound,
        _ => error.into(),
    })?;
    sqlx::query!(
        "UPDATE entitlement_source SET inventory_id = $3 WHERE kind = $1 AND id = $2",
        source.kind as SourceKind,
        source.id,
        item,
    )
    .execute(&mut *connection)
    .instrument(span("UPDATE entitlement_source"))
    .await?;
    update_item(connection, source).await?;
    Ok(())
}

/// Extends an entitlement. Changes nothing if the end is earlier than the known one.
pub(crate) async fn extend(connection: &mut PgConnection, extension: &Extension) -> Result<(), Error> {
    let Extension { source, learner, extended_at, expire_at } = extension;
    if !lock_account(connection, *learner).await? {
        return Ok(());
    }
    if record(connection, source, *learner, End::At(*expire_at), None, *extended_at).await? {
        update_item(connection, source).await?;
    }
    Ok(())
}

/// Revokes an entitlement. Returns the course if the learner may no longer use it, so its streams
/// must end.
pub(crate) async fn revoke(
    connection: &mut PgConnection,
    revocation: &Revocation,
    now: OffsetDateTime,
) -> Result<Option<i64>, Error> {
    let Revocation { source, learner, revoked_at } = revocation;
    if !lock_account(connection, *learner).await? {
        return Ok(None);
    }
    // The sender's clock may be ahead.
    let revoked_at = (*revoked_at).min(now);
    if !record(connection, source, *learner, End::Unknown, Some(revoked_at), revoked_at).await? {
        return Ok(None);
    }
    let Some(course) = update_item(connection, source).await? else { return Ok(None) };
    let is_active = has_active(connection, *learner, course, now).await?;
    Ok((!is_active).then_some(course))
}

/// Deletes the rows of the learner's sources. The inventory deletes the items.
pub(crate) async fn erase(connection: &mut PgConnection, learner: Uuid) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM entitlement_source WHERE learner_id = $1", learner)
        .execute(connection)
        .instrument(span("DELETE entitlement_source"))
        .await?;
    Ok(())
}

/// Locks the learner until the transaction ends. Returns false if the account was erased.
async fn lock_account(connection: &mut PgConnection, learner: Uuid) -> sqlx::Result<bool> {
    learner::lock(connection, learner).await?;
    let is_erased = erased_account::contains(connection, learner).await?;
    if is_erased {
        tracing::info!("an entitlement event of an erased account changes nothing");
    }
    Ok(!is_erased)
}

/// Whether the learner may use the course.
async fn has_active(
    connection: &mut PgConnection,
    learner: Uuid,
    course: i64,
    now: OffsetDateTime,
) -> sqlx::Result<bool> {
    sqlx::query_scalar!(
        r#"
        SELECT EXISTS (
            SELECT FROM entitlement WHERE learner_id = $1 AND course_id = $2 AND active_until > $3
        ) AS "is_active!"
        "#,
        learner,
        course,
        now,
    )
    .fetch_one(connection)
    .instrument(span("SELECT entitlement"))
    .await
}

/// Lists the courses that these learners can use now, by learner and course.
pub(crate) async fn list_active(
    connection: &mut PgConnection,
    learners: &[Uuid],
    now: OffsetDateTime,
) -> sqlx::Result<Vec<ActiveCourse>> {
    sqlx::query_as!(
        ActiveCourse,
        r#"
        SELECT learner_id AS "learner!", course_id AS "course!", expire_at
        FROM entitlement
        WHERE learner_id = ANY ($1) AND active_until > $2
        ORDER BY learner_id, course_id
        "#,
        learners,
        now,
    )
    .fetch_all(connection)
    .instrument(span("SELECT entitlement"))
    .await
}

/// Finds the item that the source granted.
async fn find_item(connection: &mut PgConnection, source: &Source) -> sqlx::Result<Option<i64>> {
    let item = sqlx::query_scalar!(
        "SELECT inventory_id FROM entitlement_source WHERE kind = $1 AND id = $2",
        source.kind as SourceKind,
        source.id,
    )
    .fetch_optional(connection)
    .instrument(span("SELECT entitlement_source"))
    .await?;
    Ok(item.flatten())
}

/// The end of an entitlement in an event.
enum End {
    /// The event does not contain the end.
    Unknown,
    /// The entitlement ends at this time, or never if `None`.
    At(Option<OffsetDateTime>),
}

/// Merges an event into the row of its source. Returns false if the source belongs to another
/// learner. Nothing changes then.
async fn record(
    connection: &mut PgConnection,
    source: &Source,
    learner: Uuid,
    end: End,
    revoked_at: Option<OffsetDateTime>,
    at: OffsetDateTime,
) -> sqlx::Result<bool> {
    let (is_known, expire_at) = match end {
        End::Unknown => (false, None),
        End::At(end) => (true, end),
    };
    let recorded = sqlx::query!(
        "
        INSERT INTO entitlement_source AS known (kind, id, learner_id, ends_at, revoked_at, modified)
        VALUES (
            $1, $2, $3, CASE WHEN $4 THEN coalesce($5::timestamptz, 'infinity') ELSE '-infinity' END, $6, $7
        )
        ON CONFLICT (kind, id) DO UPDATE SET
            ends_at = greatest(known.ends_at, excluded.ends_at),
            revoked_at = least(known.revoked_at, excluded.revoked_at),
            modified = greatest(known.modified, excluded.modified)
        WHERE known.learner_id = excluded.learner_id
        ",
        source.kind as SourceKind,
        source.id,
        learner,
        is_known,
        expire_at,
        revoked_at,
        at,
    )
    .execute(connection)
    .instrument(span("INSERT entitlement_source"))
    .await?;
    let is_recorded = recorded.rows_affected() == 1;
    if !is_recorded {
        tracing::error!(kind = ?source.kind, "an entitlement event names another learner than its source");
    }
    Ok(is_recorded)
}

/// Updates the item from the row of its source. Returns its course. `None` before the grant.
async fn update_item(connection: &mut PgConnection, source: &Source) -> sqlx::Result<Option<i64>> {
    sqlx::query_scalar!(
        "
        UPDATE inventory
        SET
            expire_at = nullif(least(entitlement_source.ends_at, entitlement_source.revoked_at), 'infinity'),
            modified = entitlement_source.modified
        FROM entitlement_source
        WHERE
            entitlement_source.kind = $1
            AND entitlement_source.id = $2
            AND inventory.id = entitlement_source.inventory_id
        RETURNING inventory.course_id
        ",
        source.kind as SourceKind,
        source.id,
    )
    .fetch_optional(connection)
    .instrument(span("UPDATE inventory"))
    .await
}
