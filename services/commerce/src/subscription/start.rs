//! The start of subscriptions: when their order is placed, and when it is paid.

use kit_db::outbox::Outbox;
use kit_db::span;
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::Instrument as _;
use uuid::Uuid;

use super::{change, plan_grant};
use crate::buyer::Buyer;
use crate::confirmation::ConfirmedLine;
use crate::error::Error;
use crate::japan_time::date_in_japan;
use crate::product::Kind;
use crate::subscription_rules::{Event, NOTICE_PERIOD, Period, State};

/// Adds the subscriptions of a new order. Fails with [`Error::ConfirmationChanged`] if another
/// account has ordered one for the same learner in the meantime.
pub(crate) async fn add_subscriptions(
    connection: &mut PgConnection,
    account: Uuid,
    buyer: &Buyer,
    order: Uuid,
    lines: &[ConfirmedLine],
) -> Result<(), Error> {
    for line in lines.iter().filter(|line| line.kind == Kind::Subscription) {
        let added = sqlx::query!(
            "
            INSERT INTO subscription (
                id, account_id, order_id, product_id, name, price, learner_id, learner_name, buyer_name, buyer_email,
                state
            )
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 'incomplete')
            ON CONFLICT (product_id, learner_id) WHERE state <> 'ended' DO NOTHING
            ",
            Uuid::now_v7(),
            account,
            order,
            line.product,
            line.name,
            line.price,
            line.learner,
            line.learner_name,
            buyer.name,
            buyer.email,
        )
        .execute(&mut *connection)
        .instrument(span("INSERT subscription"))
        .await?;
        if added.rows_affected() == 0 {
            return Err(Error::ConfirmationChanged);
        }
    }
    Ok(())
}

/// Copies the buyer's name and email address to all subscriptions of the account, for emails and
/// orders.
pub(crate) async fn update_buyer(
    connection: &mut PgConnection,
    account: Uuid,
    buyer: &Buyer,
) -> sqlx::Result<()> {
    sqlx::query!(
        "
        UPDATE subscription SET buyer_name = $2, buyer_email = $3
        WHERE account_id = $1 AND state <> 'ended' AND (buyer_name, buyer_email) IS DISTINCT FROM ($2, $3)
        ",
        account,
        buyer.name,
        buyer.email,
    )
    .execute(connection)
    .instrument(span("UPDATE subscription"))
    .await?;
    Ok(())
}

/// Starts the subscriptions of a paid order, and publishes the grant of their question plans to
/// desk. The order is locked.
pub(crate) async fn activate(
    connection: &mut PgConnection,
    outbox: &Outbox,
    order: Uuid,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    let ids = sqlx::query_scalar!("SELECT id FROM subscription WHERE order_id = $1 ORDER BY id", order)
        .fetch_all(&mut *connection)
        .instrument(span("SELECT subscription"))
        .await?;
    for id in ids {
        let locked = change::lock(connection, id).await?;
        let Some(state) = locked.state.after(Event::Paid) else { continue };
        let first = Period::first(now);
        sqlx::query!(
            "
            UPDATE subscription SET
                state = $2, anchor = $3, period = $4, period_start = $5::timestamptz, period_end = $6, started_at = $5::timestamptz,
                next_run_at = CASE WHEN is_ending THEN $5::timestamptz ELSE $7::timestamptz END, runs = runs + 1
            WHERE id = $1
            ",
            id,
            state as State,
            date_in_japan(now),
            first.number,
            first.start,
            first.end,
            first.end - NOTICE_PERIOD,
        )
        .execute(&mut *connection)
        .instrument(span("UPDATE subscription"))
        .await?;
        if !locked.is_ending {
            plan_grant::grant(connection, outbox, (id, locked.learner), now).await?;
        }
    }
    Ok(())
}
