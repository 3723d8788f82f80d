//! Overtaken refunds: their money was returned by a refund made at the provider, or by a lost
//! dispute. The ledger entries of such a refund are reversed, and a new refund returns the rest of
//! the payment.

use kit_db::span;
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::Instrument as _;
use uuid::Uuid;

use super::change;
use crate::ledger::{self, Entry};
use crate::payment;
use crate::refund::quote::tax_of_refund;
use crate::refund::{NewRefundRow, Reason, State, insert_refund, refundable};

/// The result of an attempt to overtake a refund that the provider did not make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Overtaking {
    /// Its money can still be returned.
    Waits,
    /// The refund was overtaken. `rest`: the refund of the rest of the payment.
    Overtaken { rest: Option<Uuid> },
}

/// A chain of refunds where each one replaces a failed one. The fields are those of the last
/// refund, and `first` and `reason` those of the first.
struct Chain {
    state: State,
    amount: i32,
    tax: i32,
    is_made: bool,
    first: Uuid,
    reason: Reason,
}

impl Chain {
    /// Whether none of its money is on the way to the buyer.
    fn is_owed(&self) -> bool {
        self.state == State::Failed || (self.state == State::Requested && !self.is_made)
    }
}

/// Marks an unsent or failed refund as overtaken if its amount exceeds the `left` yen of the
/// payment that can still be returned. Locks the order, its payment, then the refund.
pub(crate) async fn overtake(
    connection: &mut PgConnection,
    id: Uuid,
    left: i32,
    now: OffsetDateTime,
) -> sqlx::Result<Overtaking> {
    let of = sqlx::query!(
        "
        SELECT payment_id, order_id FROM refund JOIN payment ON payment.id = payment_id
        WHERE refund.id = $1
        ",
        id,
    )
    .fetch_one(&mut *connection)
    .instrument(span("SELECT refund"))
    .await?;
    let Some(order) = change::lock_order(connection, of.order_id).await? else {
        return Ok(Overtaking::Waits);
    };
    payment::lock_payment(connection, of.payment_id).await?;
    let chain = find_chain(connection, id).await?;
    if !chain.is_owed() || chain.amount <= left {
        return Ok(Overtaking::Waits);
    }
    close_chain(connection, id, now).await?;
    let is_of_sale = matches!(chain.reason, Reason::Buyer | Reason::Outside | Reason::Duplicate);
    if is_of_sale {
        let entry = Entry::RefundOvertaken { refund: id, amount: chain.amount, tax: chain.tax };
        ledger::book_entry(connection, order.id, entry, now).await?;
    }
    tracing::warn!(refund = %id, order = order.number, left, "a refund was overtaken");
    if left <= 0 {
        // Its lines stay with it, for 0 yen, until the refund that overtook it takes them.
        set_lines(connection, chain.first, chain.first, 0).await?;
        return Ok(Overtaking::Overtaken { rest: None });
    }
    let mut rest = NewRefundRow {
        payment: of.payment_id,
        amount: left,
        tax: 0,
        state: State::Requested,
        reason: if is_of_sale { chain.reason } else { Reason::LatePart },
        provider_refund: None,
    };
    if let Some(sale) = refundable::find(connection, order.id).await?.filter(|_| is_of_sale) {
        rest.tax = tax_of_refund(sale.left(), left).min(left);
    }
    let rest_id = insert_refund(connection, &rest, now).await?;
    if is_of_sale {
        let entry = Entry::RefundAgreed { refund: rest_id, amount: left, tax: rest.tax };
        ledger::book_entry(connection, order.id, entry, now).await?;
    }
    set_lines(connection, chain.first, rest_id, left).await?;
    Ok(Overtaking::Overtaken { rest: Some(rest_id) })
}

async fn find_chain(connection: &mut PgConnection, id: Uuid) -> sqlx::Result<Chain> {
    sqlx::query_as!(
        Chain,
        r#"
        WITH RECURSIVE chain AS (
            SELECT id, replaces, reason FROM refund WHERE id = $1
            UNION ALL
            SELECT refund.id, refund.replaces, refund.reason FROM refund JOIN chain ON refund.id = chain.replaces
        )
        SELECT
            refund.state AS "state: State", refund.amount, refund.tax, provider_refund IS NOT NULL AS "is_made!",
            first.id AS "first!", first.reason AS "reason!: Reason"
        FROM refund JOIN chain AS first ON first.replaces IS NULL
        WHERE refund.id = $1
        FOR UPDATE OF refund
        "#,
        id,
    )
    .fetch_one(connection)
    .instrument(span("SELECT refund"))
    .await
}

async fn close_chain(connection: &mut PgConnection, id: Uuid, now: OffsetDateTime) -> sqlx::Result<()> {
    sqlx::query!(
        "
        WITH RECURSIVE chain AS (
            SELECT id, replaces FROM refund WHERE id = $1
            UNION ALL
            SELECT refund.id, refund.replaces FROM refund JOIN chain ON refund.id = chain.replaces
        )
        UPDATE refund SET state = 'overtaken', settled_at = $2, next_try_at = NULL
        WHERE id IN (SELECT id FROM chain)
        ",
        id,
        now,
    )
    .execute(connection)
    .instrument(span("UPDATE refund"))
    .await?;
    Ok(())
}

/// Moves the lines of a refund to another one, with their parts of `amount`.
async fn set_lines(connection: &mut PgConnection, from: Uuid, to: Uuid, amount: i32) -> sqlx::Result<()> {
    sqlx::query!(
        "
        UPDATE refund_line SET refund_id = $2, amount = part.amount
        FROM (
            SELECT order_id, n, greatest(0, least(amount, $3::integer - coalesce(
                sum(amount) OVER (ORDER BY n ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0
            )))::integer AS amount
            FROM refund_line WHERE refund_id = $1
        ) AS part
        WHERE refund_line.order_id = part.order_id AND refund_line.n = part.n
        ",
        from,
        to,
        amount,
    )
    .execute(connection)
    .instrument(span("UPDATE refund_line"))
    .await?;
    Ok(())
}
