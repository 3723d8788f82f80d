//! Records manual returns: failed refunds whose money the school returned outside the provider,
//! e.g. by its own bank transfer.

use kit::Failure;
use kit::clock::Clock;
use kit_db::outbox::Outbox;
use kit_db::{Pool, span};
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::Instrument as _;
use uuid::Uuid;

use super::{change, outside_refund, returned_payment};
use crate::ledger::{self, Entry};
use crate::payment;

/// Records that the money of a failed refund was returned outside the provider, and publishes the
/// email to the buyer. Returns the number of the order and the yen.
///
/// # Errors
///
/// If the refund does not exist, did not fail or was already returned, or if the database does not
/// answer.
pub async fn record_return(
    pool: &Pool,
    outbox: &Outbox,
    clock: &Clock,
    refund: Uuid,
) -> Result<(String, i32), Failure> {
    let mut transaction = pool.begin().await?;
    let recorded = record(&mut transaction, outbox, refund, clock.now()).await?;
    let recorded = recorded.ok_or_else(|| {
        format!("{refund} is no refund that failed and is still owed: `commerce audit` lists them")
    })?;
    transaction.commit().await?;
    Ok(recorded)
}

/// Locks the order, its payment, then the refund. Returns `None` if the refund is not owed.
async fn record(
    connection: &mut PgConnection,
    outbox: &Outbox,
    refund: Uuid,
    now: OffsetDateTime,
) -> sqlx::Result<Option<(String, i32)>> {
    let of = sqlx::query!(
        "
        SELECT payment_id, order_id FROM refund JOIN payment ON payment.id = payment_id
        WHERE refund.id = $1
        ",
        refund,
    )
    .fetch_optional(&mut *connection)
    .instrument(span("SELECT refund"))
    .await?;
    let Some(of) = of else { return Ok(None) };
    let Some(order) = change::lock_order(connection, of.order_id).await? else { return Ok(None) };
    payment::lock_payment(connection, of.payment_id).await?;
    let Some(id) = outside_refund::replace_failed(connection, refund, None, now).await? else {
        return Ok(None);
    };
    let number = order.number.clone();
    let amount = returned_payment::settle_by_hand(connection, outbox, id, order, now).await?;
    ledger::book_entry(connection, of.order_id, Entry::RefundPaidByHand { refund: id, amount }, now).await?;
    Ok(Some((number, amount)))
}
