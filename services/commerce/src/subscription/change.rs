//! State changes of a subscription, each in a transaction that locks its row. An order's row is
//! locked before it.

use kit::timestamp::to_timestamp;
use kit_db::outbox::Outbox;
use kit_db::span;
use proto::commerce::{
    SubscriptionCancelled, SubscriptionEnded, SubscriptionName, SubscriptionNoticed, SubscriptionRefused,
    SubscriptionRenewed,
};
use sqlx::PgConnection;
use time::{Date, OffsetDateTime};
use tracing::Instrument as _;
use uuid::Uuid;

use super::plan_grant;
use crate::subscription_rules::{Event, NOTICE_PERIOD, Period, State, find_retry};

/// A subscription whose row this transaction has locked.
pub(crate) struct LockedSubscription {
    pub(crate) id: Uuid,
    /// `None`: the account was erased.
    pub(crate) account: Option<Uuid>,
    pub(crate) product: i64,
    pub(crate) name: String,
    pub(crate) price: i32,
    pub(crate) learner: Uuid,
    pub(crate) learner_name: String,
    pub(crate) buyer_name: String,
    pub(crate) buyer_email: String,
    pub(crate) state: State,
    anchor: Option<Date>,
    period: i32,
    period_start: Option<OffsetDateTime>,
    period_end: Option<OffsetDateTime>,
    noticed_period: i32,
    /// Whether the account of its buyer or its learner was erased.
    pub(crate) is_ending: bool,
    /// Whether a guardian withdrew their consent.
    is_consent_withdrawn: bool,
    /// The renewal that awaits payment.
    pub(crate) open_renewal: Option<Uuid>,
}

impl LockedSubscription {
    /// The last paid period, or `None` before the first payment.
    pub(crate) fn period(&self) -> Option<Period> {
        Some(Period { number: self.period, start: self.period_start?, end: self.period_end? })
    }

    /// The period after it.
    pub(crate) fn next_period(&self) -> Option<Period> {
        Some(self.period()?.next(self.anchor?))
    }

    /// The data of its emails, or `None` once the account was erased.
    fn mail_name(&self) -> Option<SubscriptionName> {
        Some(SubscriptionName {
            to: self.buyer_email.clone(),
            account_id: self.account?.to_string(),
            name: self.buyer_name.clone(),
            id: self.id.to_string(),
            item: if self.learner_name.is_empty() {
                self.name.clone()
            } else {
                format!("{}（{}さん）", self.name, self.learner_name)
            },
        })
    }
}

/// Locks a subscription until the transaction ends.
pub(crate) async fn lock(connection: &mut PgConnection, id: Uuid) -> sqlx::Result<LockedSubscription> {
    sqlx::query_as!(
        LockedSubscription,
        r#"
        SELECT
            id, account_id AS account, product_id AS product, name, price, learner_id AS learner, learner_name,
            buyer_name, buyer_email, state AS "state: State", anchor, period, period_start, period_end, noticed_period,
            is_ending, is_consent_withdrawn,
            (SELECT orders.id FROM orders WHERE renews = subscription.id AND orders.state = 'awaiting_payment')
                AS open_renewal
        FROM subscription WHERE id = $1 FOR UPDATE OF subscription
        "#,
        id,
    )
    .fetch_one(connection)
    .instrument(span("SELECT subscription"))
    .await
}

/// Sets the state and the next run of the subscription.
async fn set_state(
    connection: &mut PgConnection,
    id: Uuid,
    state: State,
    next_run_at: Option<OffsetDateTime>,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    // Increments the count of runs, so a worker that processes the subscription now does not
    // postpone it.
    sqlx::query!(
        "
        UPDATE subscription SET
            state = $2,
            ended_at = CASE WHEN $2 = 'ended' THEN $4::timestamptz END,
            next_run_at = CASE WHEN $2 <> 'ended' THEN $3::timestamptz END,
            runs = runs + 1
        WHERE id = $1
        ",
        id,
        state as State,
        next_run_at,
        now,
    )
    .execute(connection)
    .instrument(span("UPDATE subscription"))
    .await?;
    Ok(())
}

/// The data that a subscription needs from a renewal order.
pub(crate) struct RenewalOrder<'a> {
    pub(crate) id: Uuid,
    pub(crate) number: &'a str,
    /// Yen, tax included.
    pub(crate) total: i32,
    pub(crate) placed_at: OffsetDateTime,
    pub(crate) due_at: OffsetDateTime,
}

/// Renews the subscription of a paid renewal. The next period begins at the end of the last one.
pub(crate) async fn renew(
    connection: &mut PgConnection,
    outbox: &Outbox,
    subscription: Uuid,
    order: &RenewalOrder<'_>,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    let locked = lock(connection, subscription).await?;
    let (Some(state), Some(next)) = (locked.state.after(Event::Paid), locked.next_period()) else {
        tracing::error!(order = order.number, "a renewal of a subscription that has ended was paid");
        return Ok(());
    };
    let next_run_at = match (state, locked.is_ending) {
        (_, true) => now,
        (State::CancelScheduled, _) => next.end,
        _ => next.end - NOTICE_PERIOD,
    };
    sqlx::query!(
        "UPDATE subscription SET period = $2, period_start = $3, period_end = $4 WHERE id = $1",
        subscription,
        next.number,
        next.start,
        next.end,
    )
    .execute(&mut *connection)
    .instrument(span("UPDATE subscription"))
    .await?;
    set_state(connection, subscription, state, Some(next_run_at), now).await?;
    if let Some(name) = locked.mail_name() {
        let event = SubscriptionRenewed {
            subscription: Some(name),
            order_id: order.id.to_string(),
            order_number: order.number.to_owned(),
            total: order.total,
            paid_at: Some(to_timestamp(now)),
            period_end: Some(to_timestamp(next.end)),
        };
        outbox.publish(connection, &event, now).await?;
    }
    Ok(())
}

/// Records that the charge of a renewal was refused. The order is locked. Returns the new state. In
/// [`State::Ended`], the order must not be paid any more.
pub(crate) async fn refuse(
    connection: &mut PgConnection,
    outbox: &Outbox,
    subscription: Uuid,
    order: &RenewalOrder<'_>,
    reason: &str,
    now: OffsetDateTime,
) -> sqlx::Result<State> {
    let locked = lock(connection, subscription).await?;
    let Some(state) = locked.state.after(Event::Refused) else { return Ok(locked.state) };
    if state == State::Ended {
        // The subscription ends with its order.
        return Ok(state);
    }
    let retry_at = find_retry(order.placed_at, now).filter(|retry| *retry < order.due_at);
    set_state(connection, subscription, state, retry_at, now).await?;
    if let Some(name) = locked.mail_name() {
        let event = SubscriptionRefused {
            subscription: Some(name),
            order_id: order.id.to_string(),
            total: order.total,
            decline_code: reason.to_owned(),
            retry_at: retry_at.map(to_timestamp),
            ends_at: Some(to_timestamp(order.due_at)),
        };
        outbox.publish(connection, &event, now).await?;
    }
    Ok(state)
}

/// Ends the subscriptions that an order starts or renews, after the order ended unpaid. The order
/// is locked.
pub(crate) async fn end_unpaid(
    connection: &mut PgConnection,
    outbox: &Outbox,
    (order, renews): (Uuid, Option<Uuid>),
    is_expired: bool,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    let ids = sqlx::query_scalar!(
        "SELECT id FROM subscription WHERE order_id = $1 OR id = $2 ORDER BY id",
        order,
        renews,
    )
    .fetch_all(&mut *connection)
    .instrument(span("SELECT subscription"))
    .await?;
    for id in ids {
        let locked = lock(connection, id).await?;
        if locked.state.after(Event::Unpaid) == Some(State::Ended) {
            end(connection, outbox, &locked, is_expired, now).await?;
        }
    }
    Ok(())
}

/// Ends a subscription. If it was paid before, its question plan is revoked and the buyer gets an
/// email.
async fn end(
    connection: &mut PgConnection,
    outbox: &Outbox,
    locked: &LockedSubscription,
    is_unpaid: bool,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    set_state(connection, locked.id, State::Ended, None, now).await?;
    if locked.state != State::Incomplete {
        plan_grant::revoke(connection, outbox, locked.id, now).await?;
    }
    if let Some(name) = locked.mail_name().filter(|_| locked.state != State::Incomplete) {
        outbox.publish(connection, &SubscriptionEnded { subscription: Some(name), is_unpaid }, now).await?;
    }
    Ok(())
}

/// Ends a subscription whose last period is over or whose account was erased, unless a renewal is
/// in progress. Returns `false` if it continues.
pub(crate) async fn end_over(
    connection: &mut PgConnection,
    outbox: &Outbox,
    locked: &LockedSubscription,
    now: OffsetDateTime,
) -> sqlx::Result<bool> {
    let is_over = locked.period().is_some_and(|period| period.end <= now);
    let event = if locked.is_ending {
        Event::Erased
    } else if is_over {
        Event::Over
    } else {
        return Ok(false);
    };
    if locked.open_renewal.is_some() || locked.state.after(event) != Some(State::Ended) {
        return Ok(false);
    }
    end(connection, outbox, locked, false, now).await?;
    Ok(true)
}

/// Publishes the notice about the next charge of an active subscription, once per period.
pub(crate) async fn announce(
    connection: &mut PgConnection,
    outbox: &Outbox,
    locked: &LockedSubscription,
    charge_at: OffsetDateTime,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    if locked.noticed_period < locked.period
        && let Some(name) = locked.mail_name()
    {
        let event = SubscriptionNoticed {
            subscription: Some(name),
            price: locked.price,
            charge_at: Some(to_timestamp(charge_at)),
        };
        outbox.publish(connection, &event, now).await?;
    }
    sqlx::query!("UPDATE subscription SET noticed_period = period WHERE id = $1", locked.id)
        .execute(&mut *connection)
        .instrument(span("UPDATE subscription"))
        .await?;
    set_state(connection, locked.id, locked.state, Some(charge_at), now).await
}

/// The result of a buyer's request to change a subscription.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ChangeOutcome {
    /// The change is made, now or before.
    Done,
    /// The due renewal is unpaid: it must end first, and the subscription with it.
    EndRenewal(Uuid),
    /// The subscription has ended or was never paid.
    Refused,
}

/// Cancels a subscription for the end of its period.
pub(crate) async fn cancel(
    connection: &mut PgConnection,
    outbox: &Outbox,
    id: Uuid,
    now: OffsetDateTime,
) -> sqlx::Result<ChangeOutcome> {
    let locked = lock(connection, id).await?;
    let (Some(state), Some(period)) = (locked.state.after(Event::Cancelled), locked.period()) else {
        return Ok(ChangeOutcome::Refused);
    };
    if state == State::Ended {
        return Ok(locked.open_renewal.map_or(ChangeOutcome::Refused, ChangeOutcome::EndRenewal));
    }
    if state == locked.state {
        return Ok(ChangeOutcome::Done);
    }
    set_state(connection, id, state, Some(period.end), now).await?;
    if let Some(name) = locked.mail_name() {
        let event = SubscriptionCancelled {
            subscription: Some(name),
            ends_at: Some(to_timestamp(period.end)),
            is_consent_withdrawn: locked.is_consent_withdrawn,
        };
        outbox.publish(connection, &event, now).await?;
    }
    Ok(ChangeOutcome::Done)
}

/// Takes a cancellation back. Refused if the period is over, even if no process has ended the
/// subscription yet, or if a guardian's consent was withdrawn.
pub(crate) async fn resume(
    connection: &mut PgConnection,
    id: Uuid,
    now: OffsetDateTime,
) -> sqlx::Result<ChangeOutcome> {
    let locked = lock(connection, id).await?;
    let (Some(state), Some(period)) = (locked.state.after(Event::Resumed), locked.period()) else {
        return Ok(ChangeOutcome::Refused);
    };
    if state == locked.state {
        return Ok(ChangeOutcome::Done);
    }
    if locked.is_ending || locked.is_consent_withdrawn || (period.end <= now && locked.open_renewal.is_none())
    {
        return Ok(ChangeOutcome::Refused);
    }
    let notice = period.end - NOTICE_PERIOD;
    set_state(connection, id, state, Some(if notice > now { notice } else { now }), now).await?;
    Ok(ChangeOutcome::Done)
}

/// Makes past due charges due now, because the account has another card.
pub(crate) async fn hasten(
    connection: &mut PgConnection,
    account: Uuid,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE subscription SET next_run_at = $2, runs = runs + 1 WHERE account_id = $1 AND state = 'past_due'",
        account,
        now,
    )
    .execute(connection)
    .instrument(span("UPDATE subscription"))
    .await?;
    Ok(())
}
