//! State changes of an order. They go forward only, each in a transaction that locks the order's
//! row.
//!
//! Every transaction locks in the same order: the account's purchases, the order, its payment, the
//! rest.

use kit::timestamp::to_timestamp;
use kit_db::outbox::Outbox;
use kit_db::span;
use proto::commerce::{self as wire, OrderEnded, OrderPaid};
use proto::exam::ExamSeatGranted;
use proto::lms::{EntitlementGranted, EntitlementSource, EntitlementSourceKind};
use sqlx::PgConnection;
use time::{Duration, OffsetDateTime};
use tracing::Instrument as _;
use uuid::Uuid;

pub(crate) use super::locked::{LockedOrder, lock_order};
use super::{State, duplicate, notice, transfer_matching};
use crate::cart;
use crate::coupon::usage;
use crate::ledger::{self, Entry};
use crate::payment::{self, Method, Payment};
use crate::product::Kind;
use crate::refund::Reason;
use crate::subscription::{self, start};

/// How an order ends without a payment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// The buyer cancelled it, or an account that it needs was erased.
    Cancelled,
    /// It was not paid in time.
    Expired,
}

impl Ending {
    fn state(self) -> State {
        match self {
            Self::Cancelled => State::Cancelled,
            Self::Expired => State::Expired,
        }
    }

    pub(crate) fn payment_state(self) -> payment::State {
        match self {
            Self::Cancelled => payment::State::Cancelled,
            Self::Expired => payment::State::Expired,
        }
    }
}

/// Books the payment of an open order: removes its lines from the cart, and publishes the grants to
/// lms and exam and the email to desk.
pub(crate) async fn pay_order(
    connection: &mut PgConnection,
    outbox: &Outbox,
    order: &LockedOrder,
    payment: &Payment,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    // From now on, the delivery of the grants is checked.
    sqlx::query!(
        "
        UPDATE orders SET state = 'paid', paid_at = $2, next_check_at = $2, checks = 0
        WHERE id = $1 AND state = 'awaiting_payment'
        ",
        order.id,
        now,
    )
    .execute(&mut *connection)
    .instrument(span("UPDATE orders"))
    .await?;
    payment::close_open(connection, order.id, payment::State::Cancelled, now).await?;
    let entry = match payment.method {
        // The transfers are booked already.
        Method::BankTransfer => Entry::TransferApplied { payment: payment.id, amount: order.total },
        _ => Entry::PaymentReceived { payment: payment.id, amount: order.total },
    };
    ledger::book_entry(connection, order.id, entry, now).await?;
    cart::delete_lines(connection, order.id).await?;
    usage::mark_used(connection, order.id, now).await?;
    let duplicates = match order.renews {
        None => duplicate::find_duplicates(connection, order.id, now).await?,
        Some(_) => Vec::new(),
    };
    let (items, kinds) = grant_lines(connection, outbox, order.id, &duplicates, now).await?;
    if let Some(subscription) = order.renews {
        return subscription::change::renew(connection, outbox, subscription, &order.as_renewal(), now).await;
    }
    start::activate(connection, outbox, order.id, now).await?;
    if let Some(account) = order.account {
        let (terms, contract) = notice::encode_terms(connection, order.id).await?;
        let event = OrderPaid {
            to: order.buyer_email.clone(),
            account_id: account.to_string(),
            name: order.buyer_name.clone(),
            order_id: order.id.to_string(),
            order_number: order.number.clone(),
            items,
            total: order.total,
            paid_at: Some(to_timestamp(now)),
            kinds: kinds.into_iter().map(|kind| wire::ProductKind::from(kind).into()).collect(),
            placed_at: Some(to_timestamp(order.placed_at)),
            terms,
            contract,
        };
        outbox.publish(connection, &event, now).await?;
    }
    duplicate::refund_duplicates(connection, outbox, order, &duplicates, now).await
}

/// Publishes the grant of each line, except lines that the learner has already. Returns the
/// purchased items and their kinds, for the email.
async fn grant_lines(
    connection: &mut PgConnection,
    outbox: &Outbox,
    order: Uuid,
    duplicates: &[i16],
    now: OffsetDateTime,
) -> sqlx::Result<(Vec<String>, Vec<Kind>)> {
    let lines = sqlx::query!(
        r#"
        SELECT n, product_id, kind AS "kind: Kind", course_id, exam_id, name, period_days, learner_id, learner_name
        FROM order_line WHERE order_id = $1 ORDER BY n
        "#,
        order,
    )
    .fetch_all(&mut *connection)
    .instrument(span("SELECT order_line"))
    .await?;
    let mut items = Vec::with_capacity(lines.len());
    let kinds = lines.iter().map(|line| line.kind).collect();
    for line in lines {
        items.push(format!("{}（{}さん）", line.name, line.learner_name));
        if duplicates.contains(&line.n) {
            continue;
        }
        let (line_id, learner_id) = (format!("{order}:{}", line.n), line.learner_id.to_string());
        let events = if let Some(course_id) = line.course_id {
            let period = line.period_days.map(|days| Duration::days(days.into()));
            let expire_at = period.and_then(|period| now.checked_add(period));
            let source = EntitlementSource { kind: EntitlementSourceKind::OrderLine.into(), id: line_id };
            let event = EntitlementGranted {
                source: Some(source),
                learner_id,
                course_id,
                product_id: line.product_id,
                granted_at: Some(to_timestamp(now)),
                expire_at: expire_at.map(to_timestamp),
                is_auto_renewal: false,
            };
            outbox.publish(connection, &event, now).await?
        } else if let Some(exam_id) = line.exam_id {
            let event = ExamSeatGranted { order_line_id: line_id, learner_id, exam_id };
            outbox.publish(connection, &event, now).await?
        } else {
            continue;
        };
        sqlx::query!(
            "UPDATE order_line SET grant_event = $3 WHERE order_id = $1 AND n = $2",
            order,
            line.n,
            events.first(),
        )
        .execute(&mut *connection)
        .instrument(span("UPDATE order_line"))
        .await?;
    }
    Ok((items, kinds))
}

/// Ends an order that awaits payment. Its lines and coupons become available in the cart again.
/// Returns `true` if its payment was open.
pub(crate) async fn end_order(
    connection: &mut PgConnection,
    outbox: &Outbox,
    order: &LockedOrder,
    ending: Ending,
    now: OffsetDateTime,
) -> sqlx::Result<bool> {
    sqlx::query!(
        "
        UPDATE orders SET state = $2, ended_at = $3, next_check_at = NULL
        WHERE id = $1 AND state = 'awaiting_payment'
        ",
        order.id,
        ending.state() as State,
        now,
    )
    .execute(&mut *connection)
    .instrument(span("UPDATE orders"))
    .await?;
    let was_open = payment::close_open(connection, order.id, ending.payment_state(), now).await?;
    let returned = transfer_matching::return_held(connection, order.id, None, Reason::Late, now).await?;
    let entry = Entry::OrderEnded { total: order.total, discount: order.discount, tax: order.tax };
    ledger::book_entry(connection, order.id, entry, now).await?;
    usage::free(connection, order.id).await?;
    subscription::change::end_unpaid(
        connection,
        outbox,
        (order.id, order.renews),
        ending == Ending::Expired,
        now,
    )
    .await?;
    // For a renewal, the buyer gets the email about the subscription's end instead.
    if let Some(account) = order.account
        && order.renews.is_none()
    {
        let event = OrderEnded {
            to: order.buyer_email.clone(),
            account_id: account.to_string(),
            name: order.buyer_name.clone(),
            order_id: order.id.to_string(),
            order_number: order.number.clone(),
            is_cancelled: ending == Ending::Cancelled,
            returned,
        };
        outbox.publish(connection, &event, now).await?;
    }
    Ok(was_open)
}

/// Marks a paid order as fulfilled: lms and exam have received every grant.
pub(crate) async fn fulfil_order(
    connection: &mut PgConnection,
    id: Uuid,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "
        UPDATE orders SET
            state = CASE WHEN state = 'paid' THEN 'fulfilled' ELSE state END, fulfilled_at = $2, next_check_at = NULL
        WHERE id = $1 AND state IN ('paid', 'part_refunded', 'refunded') AND fulfilled_at IS NULL
        ",
        id,
        now,
    )
    .execute(connection)
    .instrument(span("UPDATE orders"))
    .await?;
    Ok(())
}

/// Whether an order may keep waiting for its payment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wait {
    GoesOn,
    IsOver(Ending),
}

/// Returns whether an order may keep waiting for its payment, or `None` if it awaits none.
pub(crate) async fn find_wait(
    connection: &mut PgConnection,
    id: Uuid,
    now: OffsetDateTime,
) -> sqlx::Result<Option<Wait>> {
    let order = sqlx::query!(
        "SELECT due_at, is_ending FROM orders WHERE id = $1 AND state = 'awaiting_payment'",
        id,
    )
    .fetch_optional(connection)
    .instrument(span("SELECT orders"))
    .await?;
    Ok(order.map(|order| match (order.is_ending, order.due_at <= now) {
        (true, _) => Wait::IsOver(Ending::Cancelled),
        (false, true) => Wait::IsOver(Ending::Expired),
        (false, false) => Wait::GoesOn,
    }))
}

/// Schedules the next check of an open order's payment: at `at`, but not after the due time, unless
/// that has passed.
pub(crate) async fn schedule_check(
    connection: &mut PgConnection,
    id: Uuid,
    at: OffsetDateTime,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "
        UPDATE orders SET next_check_at = CASE WHEN due_at > $3 THEN least($2, due_at) ELSE $2 END
        WHERE id = $1 AND state = 'awaiting_payment'
        ",
        id,
        at,
        now,
    )
    .execute(connection)
    .instrument(span("UPDATE orders"))
    .await?;
    Ok(())
}

/// Records a check of an open order by its buyer. Returns `false` if the last one was less than
/// `pause` ago.
pub(crate) async fn claim_question(
    connection: &mut PgConnection,
    id: Uuid,
    pause: Duration,
    now: OffsetDateTime,
) -> sqlx::Result<bool> {
    let claimed = sqlx::query!(
        "
        UPDATE orders SET asked_at = $2
        WHERE id = $1 AND state = 'awaiting_payment' AND (asked_at IS NULL OR asked_at <= $3)
        ",
        id,
        now,
        now - pause,
    )
    .execute(connection)
    .instrument(span("UPDATE orders"))
    .await?;
    Ok(claimed.rows_affected() == 1)
}
