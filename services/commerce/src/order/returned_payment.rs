//! What the provider says of money that goes back to the buyer of an order.

use kit_db::outbox::Outbox;
use kit_db::span;
use proto::commerce::OrderRefunded;
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::Instrument as _;
use uuid::Uuid;

use super::change;
use crate::ledger::{self, Entry};
use crate::payment::message::encode_method;
use crate::payment::{self, Method};
use crate::refund::{self, News, State};

/// Applies what the provider says of a refund, once: a state never goes back. Locks the order, its payment, the refund.
pub(crate) async fn apply_news(
    connection: &mut PgConnection,
    outbox: &Outbox,
    id: Uuid,
    provider_refund: Option<&str>,
    news: News,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    let row = sqlx::query!(
        r#"
        SELECT payment_id, order_id, method AS "method: Method"
        FROM refund JOIN payment ON payment.id = payment_id
        WHERE refund.id = $1
        "#,
        id,
    )
    .fetch_one(&mut *connection)
    .instrument(span("SELECT refund"))
    .await?;
    let Some(order) = change::lock_order(connection, row.order_id).await? else { return Ok(()) };
    payment::lock_payment(connection, row.payment_id).await?;
    let locked =
        sqlx::query!(r#"SELECT state AS "state: State", amount FROM refund WHERE id = $1 FOR UPDATE"#, id,)
            .fetch_one(&mut *connection)
            .instrument(span("SELECT refund"))
            .await?;
    let (state, entry) = match (locked.state, news) {
        (State::Requested | State::Pending, News::Pending) => (State::Pending, None),
        (State::Requested | State::Pending, News::Succeeded) => {
            (State::Succeeded, Some(Entry::RefundPaid { refund: id, amount: locked.amount }))
        }
        (State::Requested | State::Pending, News::Failed) => (State::Failed, None),
        (State::Succeeded, News::Failed) => {
            (State::Failed, Some(Entry::RefundFailed { refund: id, amount: locked.amount }))
        }
        (State::Succeeded | State::Failed, _) => return Ok(()),
    };
    refund::set_state(connection, id, state, provider_refund, now).await?;
    if let Some(entry) = entry {
        ledger::book_entry(connection, order.id, entry, now).await?;
    }
    if state == State::Failed {
        tracing::error!(refund = %id, order = order.number, "a refund failed: return the money by hand");
    }
    // No mail is sent once the account is erased.
    if let (State::Succeeded, Some(account)) = (state, order.account) {
        let event = OrderRefunded {
            to: order.buyer_email,
            account_id: account.to_string(),
            name: order.buyer_name,
            order_id: order.id.to_string(),
            order_number: order.number,
            amount: locked.amount,
            method: encode_method(row.method).into(),
        };
        outbox.publish(connection, &event, now).await?;
    }
    Ok(())
}
