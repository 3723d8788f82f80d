//! Agrees on a refund of a sale: books it, marks its lines as refunded, and ends access to them.
//! The order is locked.

use kit::timestamp::to_timestamp;
use kit_db::outbox::Outbox;
use kit_db::span;
use proto::exam::ExamSeatRevoked;
use proto::lms::{EntitlementRevoked, EntitlementSource, EntitlementSourceKind};
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::Instrument as _;
use uuid::Uuid;

use crate::ledger::{self, Entry};
use crate::refund::quote::tax_of_refund;
use crate::refund::refundable::RefundableOrder;
use crate::refund::{Reason, State};

/// A refund to agree on.
pub(crate) struct Agreement<'a> {
    pub(crate) reason: Reason,
    /// Yen.
    pub(crate) amount: i32,
    /// The lines to refund, with their yen.
    pub(crate) lines: &'a [(i16, i32)],
    /// The provider's id of the refund, if it was made there.
    pub(crate) provider_refund: Option<&'a str>,
}

impl Agreement<'_> {
    /// The initial state. Disputes and refunds of 0 yen need no transfer of money, and outside
    /// refunds are already in progress.
    fn state(&self) -> State {
        if self.amount == 0 || self.reason == Reason::Dispute {
            State::Succeeded
        } else if self.reason == Reason::Outside {
            State::Pending
        } else {
            State::Requested
        }
    }
}

/// Agrees on a refund and returns its id. Returns `None` and changes nothing if more would be
/// returned than was paid.
pub(crate) async fn agree(
    connection: &mut PgConnection,
    outbox: &Outbox,
    order: &RefundableOrder,
    agreement: &Agreement<'_>,
    now: OffsetDateTime,
) -> sqlx::Result<Option<Uuid>> {
    let tax = tax_of_refund(order.left(), agreement.amount).min(agreement.amount);
    let Some(id) = insert(connection, order, agreement, tax, now).await? else { return Ok(None) };
    let entry = match agreement.reason {
        Reason::Outside => Entry::OutsideRefund { refund: id, amount: agreement.amount, tax },
        Reason::Dispute => Entry::DisputeLost { refund: id, amount: agreement.amount, tax },
        Reason::Late | Reason::LatePart | Reason::Excess | Reason::Buyer | Reason::Duplicate => {
            Entry::RefundAgreed { refund: id, amount: agreement.amount, tax }
        }
    };
    if agreement.amount > 0 {
        ledger::book_entry(connection, order.id, entry, now).await?;
    }
    for &(n, amount) in agreement.lines {
        if order.lines.iter().any(|line| line.n == n && line.is_overtaken) {
            // Access to the line has already ended.
            take_line(connection, order.id, n, id, amount).await?;
            continue;
        }
        insert_line(connection, order.id, n, id, amount).await?;
        // A duplicate was never granted.
        if agreement.reason != Reason::Duplicate {
            revoke(connection, outbox, order, n, now).await?;
        }
    }
    if !agreement.lines.is_empty() {
        refund_order(connection, order.id).await?;
    }
    Ok(Some(id))
}

/// Sets the order's state to refunded in part or in full.
async fn refund_order(connection: &mut PgConnection, id: Uuid) -> sqlx::Result<()> {
    sqlx::query!(
        "
        UPDATE orders SET state = CASE
            WHEN EXISTS (
                SELECT FROM order_line LEFT JOIN refund_line USING (order_id, n)
                WHERE order_id = $1 AND refund_id IS NULL
            )
            THEN 'part_refunded' ELSE 'refunded'
        END
        WHERE id = $1 AND state IN ('paid', 'fulfilled', 'part_refunded')
        ",
        id,
    )
    .execute(connection)
    .instrument(span("UPDATE orders"))
    .await?;
    Ok(())
}

async fn insert(
    connection: &mut PgConnection,
    order: &RefundableOrder,
    agreement: &Agreement<'_>,
    tax: i32,
    now: OffsetDateTime,
) -> sqlx::Result<Option<Uuid>> {
    let state = agreement.state();
    let id = Uuid::now_v7();
    let settled_at = (state == State::Succeeded).then_some(now);
    let next_try_at = (state != State::Succeeded).then_some(now);
    // A refund made at the provider can't be refused.
    let is_certain = agreement.reason != Reason::Buyer;
    let inserted = sqlx::query!(
        "
        INSERT INTO refund (
            id, payment_id, amount, tax, state, reason, provider_refund, requested_at, settled_at, next_try_at
        )
        SELECT $1, $2, $3::integer, $4, $5, $6, $7, $8, $9, $10
        WHERE $11 OR $3 + (
            SELECT coalesce(sum(amount), 0) FROM refund
            WHERE payment_id = $2 AND reason IN ('buyer', 'outside', 'dispute', 'duplicate') AND replaces IS NULL
                AND state <> 'overtaken'
        ) <= (SELECT amount FROM payment WHERE id = $2)
        ",
        id,
        order.payment,
        agreement.amount,
        tax,
        state as State,
        agreement.reason as Reason,
        agreement.provider_refund,
        now,
        settled_at,
        next_try_at,
        is_certain,
    )
    .execute(connection)
    .instrument(span("INSERT refund"))
    .await?;
    Ok((inserted.rows_affected() == 1).then_some(id))
}

async fn insert_line(
    connection: &mut PgConnection,
    order: Uuid,
    n: i16,
    refund: Uuid,
    amount: i32,
) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO refund_line (order_id, n, refund_id, amount) VALUES ($1, $2, $3, $4)",
        order,
        n,
        refund,
        amount,
    )
    .execute(connection)
    .instrument(span("INSERT refund_line"))
    .await?;
    Ok(())
}

/// Takes a line over from an overtaken refund.
async fn take_line(
    connection: &mut PgConnection,
    order: Uuid,
    n: i16,
    refund: Uuid,
    amount: i32,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE refund_line SET refund_id = $3, amount = $4 WHERE order_id = $1 AND n = $2",
        order,
        n,
        refund,
        amount,
    )
    .execute(connection)
    .instrument(span("UPDATE refund_line"))
    .await?;
    Ok(())
}

/// Ends access to a line, or releases its place in an exam. In lms, learned content stays readable.
async fn revoke(
    connection: &mut PgConnection,
    outbox: &Outbox,
    order: &RefundableOrder,
    n: i16,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    let Some(line) = order.lines.iter().find(|line| line.n == n) else { return Ok(()) };
    let line_id = format!("{}:{n}", order.id);
    if line.exam.is_some() {
        outbox.publish(connection, &ExamSeatRevoked { order_line_id: line_id }, now).await?;
        return Ok(());
    }
    // lms has no data of an erased learner.
    if line.course.is_none() || line.learner_name.is_empty() {
        return Ok(());
    }
    let event = EntitlementRevoked {
        source: Some(EntitlementSource { kind: EntitlementSourceKind::OrderLine.into(), id: line_id }),
        learner_id: line.learner.to_string(),
        revoked_at: Some(to_timestamp(now)),
    };
    outbox.publish(connection, &event, now).await?;
    Ok(())
}
