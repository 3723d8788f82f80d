//! The queue of orders to check: those that await payment, and paid ones whose grants are being
//! delivered. `next_check_at` is also the end of a worker's lease.

use kit_db::outbox::QueueState;
use kit_db::span;
use sqlx::PgConnection;
use time::{Duration, OffsetDateTime};
use tracing::Instrument as _;
use uuid::Uuid;

/// An order that a worker has taken.
#[derive(Clone, Debug)]
pub(crate) struct DueOrder {
    pub(crate) id: Uuid,
    /// Checks so far, including the current one.
    pub(crate) checks: i32,
    /// Whether it is paid on the provider's page, which is open for minutes instead of days.
    pub(crate) has_page: bool,
    /// The trace of the request that placed it.
    pub(crate) traceparent: Option<String>,
}

/// Takes the open order that has been due the longest, and leases it for `lease`.
pub(crate) async fn take_due(
    connection: &mut PgConnection,
    lease: Duration,
    now: OffsetDateTime,
) -> sqlx::Result<Option<DueOrder>> {
    // No span: the last call of each round finds nothing.
    sqlx::query_as!(
        DueOrder,
        r#"
        UPDATE orders SET checks = checks + 1, next_check_at = $2
        WHERE id = (
            SELECT id FROM orders WHERE next_check_at <= $1 AND state = 'awaiting_payment'
            ORDER BY next_check_at LIMIT 1 FOR UPDATE SKIP LOCKED
        )
        RETURNING
            id, checks, traceparent,
            NOT EXISTS (
                SELECT FROM payment WHERE order_id = orders.id AND method IN ('konbini', 'bank_transfer')
            ) AS "has_page!"
        "#,
        now,
        now + lease,
    )
    .fetch_optional(connection)
    .await
}

/// Schedules the next check of an open order: at `at`, but not after the due time, unless that has
/// passed. Does nothing if another process has taken it since.
pub(crate) async fn postpone(
    connection: &mut PgConnection,
    order: &DueOrder,
    at: OffsetDateTime,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "
        UPDATE orders SET next_check_at = CASE WHEN due_at > $4 THEN least($3, due_at) ELSE $3 END
        WHERE id = $1 AND checks = $2 AND state = 'awaiting_payment'
        ",
        order.id,
        order.checks,
        at,
        now,
    )
    .execute(connection)
    .instrument(span("UPDATE orders"))
    .await?;
    Ok(())
}

/// Extends the lease of an order, unless another process has taken it since.
pub(crate) async fn extend_lease(
    connection: &mut PgConnection,
    order: &DueOrder,
    until: OffsetDateTime,
) -> sqlx::Result<()> {
    // No span: the call says nothing about the order.
    sqlx::query!(
        "UPDATE orders SET next_check_at = $3 WHERE id = $1 AND checks = $2 AND next_check_at IS NOT NULL",
        order.id,
        order.checks,
        until,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Takes a paid order whose grants were all delivered, and leases it for `lease`.
pub(crate) async fn take_delivered(
    connection: &mut PgConnection,
    lease: Duration,
    now: OffsetDateTime,
) -> sqlx::Result<Option<DueOrder>> {
    // No span: the last call of each round finds nothing.
    sqlx::query_as!(
        DueOrder,
        r#"
        UPDATE orders SET checks = checks + 1, next_check_at = $2
        WHERE id = (
            SELECT id FROM orders
            -- LIMIT keeps this a lookup for each due order. Otherwise the generic plan joins all orders.
            LEFT JOIN LATERAL (
                SELECT order_id FROM order_line JOIN outbox ON outbox.id = grant_event
                WHERE order_id = orders.id LIMIT 1
            ) AS undelivered ON true
            WHERE next_check_at <= $1 AND state IN ('paid', 'part_refunded', 'refunded') AND order_id IS NULL
            ORDER BY next_check_at LIMIT 1 FOR UPDATE OF orders SKIP LOCKED
        )
        RETURNING id, checks, traceparent, false AS "has_page!"
        "#,
        now,
        now + lease,
    )
    .fetch_optional(connection)
    .await
}

/// Reads the state of the open orders: the oldest one that is overdue, and whether a check is due.
pub(crate) async fn probe(connection: &mut PgConnection, now: OffsetDateTime) -> sqlx::Result<QueueState> {
    // No span: it runs every 2 s and mostly finds nothing.
    sqlx::query_as!(
        QueueState,
        r#"
        SELECT
            min(due_at) FILTER (WHERE due_at <= $1) AS oldest,
            coalesce(bool_or(next_check_at <= $1), false) AS "is_due!"
        FROM orders WHERE next_check_at IS NOT NULL AND state = 'awaiting_payment'
        "#,
        now,
    )
    .fetch_one(connection)
    .await
}

/// Reads the state of the paid orders.
pub(crate) async fn probe_paid(
    connection: &mut PgConnection,
    now: OffsetDateTime,
) -> sqlx::Result<QueueState> {
    // No span: it runs every 2 s and mostly finds nothing.
    sqlx::query_as!(
        QueueState,
        r#"
        SELECT min(paid_at) AS oldest, coalesce(bool_or(next_check_at <= $1), false) AS "is_due!"
        FROM orders WHERE next_check_at IS NOT NULL AND state IN ('paid', 'part_refunded', 'refunded')
        "#,
        now,
    )
    .fetch_one(connection)
    .await
}
