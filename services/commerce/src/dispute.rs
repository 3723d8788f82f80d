//! Disputes: the bank of a card takes a payment back. The learner keeps access unless the dispute
//! is lost.

use kit_db::outbox::{Outbox, QueueState};
use kit_db::span;
use proto::commerce::{self as wire, OrderRefunded};
use sqlx::PgConnection;
use time::{Duration, OffsetDateTime};
use tracing::Instrument as _;
use uuid::Uuid;

use crate::ledger::{self, Entry};
use crate::order::change::{self, LockedOrder};
use crate::order::outside_refund::{self, IntentPayment, OwedRefunds, spread};
use crate::order::refund_agreement::{self, Agreement};
use crate::payment::{self, Method};
use crate::provider::{DisputeStatus, ProviderDispute};
use crate::refund::{self, NewRefundRow, Reason, due, refundable};

/// How often an open dispute is checked at the provider, in case its event is lost.
pub(crate) const CHECK_PERIOD: Duration = Duration::minutes(4);

/// The state of a dispute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::Type)]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub(crate) enum State {
    /// The bank holds the money until it decides.
    Open,
    /// The money was returned to the school.
    Won,
    /// The money was returned to the buyer.
    Lost,
}

/// An open dispute to check at the provider.
#[derive(Clone, Debug)]
pub(crate) struct OpenDispute {
    /// The provider's id.
    pub(crate) id: String,
    /// Checks so far, including the current one.
    pub(crate) tries: i32,
}

/// Applies the provider's state of a dispute once. A state never goes back. Locks the order, then
/// its payment. If refunds of the payment other than those in `settled` were not made by the
/// provider, a lost dispute must wait for them: returns them and changes nothing.
pub(crate) async fn apply_reported_state(
    connection: &mut PgConnection,
    outbox: &Outbox,
    of: &IntentPayment,
    reported: &ProviderDispute,
    settled: &[Uuid],
    now: OffsetDateTime,
) -> sqlx::Result<Option<OwedRefunds>> {
    let Some(order) = change::lock_order(connection, of.order).await? else { return Ok(None) };
    payment::lock_payment(connection, of.id).await?;
    let known = sqlx::query!(
        r#"SELECT id, state AS "state: State", amount FROM dispute WHERE provider_dispute = $1"#,
        reported.id,
    )
    .fetch_optional(&mut *connection)
    .instrument(span("SELECT dispute"))
    .await?;
    let (id, amount) = match known {
        Some(known) if known.state != State::Open => return Ok(None),
        Some(known) => (known.id, known.amount),
        // The bank took nothing, or has returned it already.
        None if matches!(reported.status, DisputeStatus::Inquiry | DisputeStatus::Won) => return Ok(None),
        None => (open(connection, &order, of.id, reported, now).await?, reported.amount),
    };
    match reported.status {
        DisputeStatus::Inquiry | DisputeStatus::Open | DisputeStatus::Other => {}
        DisputeStatus::Won => {
            settle(connection, id, State::Won, now).await?;
            tracing::info!(order = order.number, "a dispute was won");
            ledger::book_entry(connection, order.id, Entry::DisputeWon { dispute: id, amount }, now).await?;
            // The provider refuses refunds while the dispute is open.
            due::hasten(connection, of.id, now).await?;
        }
        DisputeStatus::Lost => {
            if let Some(owed) = outside_refund::find_owed(connection, of.id, settled).await? {
                return Ok(Some(owed));
            }
            settle(connection, id, State::Lost, now).await?;
            lose(connection, outbox, order, of, amount, now).await?;
        }
    }
    Ok(None)
}

async fn open(
    connection: &mut PgConnection,
    order: &LockedOrder,
    payment: Uuid,
    reported: &ProviderDispute,
    now: OffsetDateTime,
) -> sqlx::Result<Uuid> {
    let id = Uuid::now_v7();
    tracing::error!(
        order = order.number,
        dispute = reported.id,
        amount = reported.amount,
        "a card's bank took a payment back: answer it at the provider"
    );
    sqlx::query!(
        "
        INSERT INTO dispute (id, payment_id, provider_dispute, amount, state, opened_at, next_try_at)
        VALUES ($1, $2, $3, $4, 'open', $5, $6)
        ",
        id,
        payment,
        reported.id,
        reported.amount,
        now,
        now + CHECK_PERIOD,
    )
    .execute(&mut *connection)
    .instrument(span("INSERT dispute"))
    .await?;
    let entry = Entry::DisputeOpened { dispute: id, amount: reported.amount };
    ledger::book_entry(connection, order.id, entry, now).await?;
    Ok(id)
}

async fn settle(
    connection: &mut PgConnection,
    id: Uuid,
    state: State,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE dispute SET state = $2, settled_at = $3, next_try_at = NULL WHERE id = $1",
        id,
        state as State,
        now,
    )
    .execute(connection)
    .instrument(span("UPDATE dispute"))
    .await?;
    Ok(())
}

/// Takes the sale back and ends access to its lines.
async fn lose(
    connection: &mut PgConnection,
    outbox: &Outbox,
    locked: LockedOrder,
    of: &IntentPayment,
    amount: i32,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    if refund::is_late(connection, of.id).await? {
        return lose_late(connection, outbox, locked, of, amount, now).await;
    }
    tracing::error!(order = locked.number, amount, "a dispute was lost: access ends");
    let Some(order) = refundable::find(connection, of.order).await? else { return Ok(()) };
    let lines = spread(&order, amount);
    let agreement = Agreement { reason: Reason::Dispute, amount, lines: &lines, provider_refund: None };
    refund_agreement::agree(connection, outbox, &order, &agreement, now).await?;
    publish_refunded(connection, outbox, locked, (amount, order.method), wire::RefundReason::Dispute, now)
        .await
}

/// Books a lost dispute of a late payment. The payment was no sale, and its refund is now settled.
async fn lose_late(
    connection: &mut PgConnection,
    outbox: &Outbox,
    locked: LockedOrder,
    of: &IntentPayment,
    amount: i32,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    let part = NewRefundRow {
        payment: of.id,
        amount,
        tax: 0,
        state: refund::State::Succeeded,
        reason: Reason::LatePart,
        provider_refund: None,
    };
    let id = refund::insert_refund(connection, &part, now).await?;
    let entry = Entry::LateDisputeLost { refund: id, amount };
    ledger::book_entry(connection, locked.id, entry, now).await?;
    publish_refunded(connection, outbox, locked, (amount, Method::Card), wire::RefundReason::Late, now).await
}

/// Publishes the event from which desk emails the buyer about the returned money.
async fn publish_refunded(
    connection: &mut PgConnection,
    outbox: &Outbox,
    locked: LockedOrder,
    (amount, method): (i32, Method),
    reason: wire::RefundReason,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    // An erased account gets no email.
    let Some(account) = locked.account else { return Ok(()) };
    let event = OrderRefunded {
        to: locked.buyer_email,
        account_id: account.to_string(),
        name: locked.buyer_name,
        order_id: locked.id.to_string(),
        order_number: locked.number,
        amount,
        reason: reason.into(),
        method: wire::PaymentMethod::from(method).into(),
        invoice_refund_id: String::new(),
    };
    outbox.publish(connection, &event, now).await?;
    Ok(())
}

/// Takes the open dispute that has been due the longest, and leases it for `lease`.
pub(crate) async fn take_due(
    connection: &mut PgConnection,
    lease: Duration,
    now: OffsetDateTime,
) -> sqlx::Result<Option<OpenDispute>> {
    // No span: the last call of each round finds nothing.
    sqlx::query_as!(
        OpenDispute,
        "
        UPDATE dispute SET tries = tries + 1, next_try_at = $2
        WHERE id = (
            SELECT id FROM dispute WHERE next_try_at <= $1
            ORDER BY next_try_at LIMIT 1 FOR UPDATE SKIP LOCKED
        )
        RETURNING provider_dispute AS id, tries
        ",
        now,
        now + lease,
    )
    .fetch_optional(connection)
    .await
}

/// Schedules the next check of an open dispute, unless another process has taken it since.
pub(crate) async fn postpone(
    connection: &mut PgConnection,
    dispute: &OpenDispute,
    at: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "
        UPDATE dispute SET next_try_at = $3
        WHERE provider_dispute = $1 AND tries = $2 AND next_try_at IS NOT NULL
        ",
        dispute.id,
        dispute.tries,
        at,
    )
    .execute(connection)
    .instrument(span("UPDATE dispute"))
    .await?;
    Ok(())
}

/// Reads the state of the open disputes.
pub(crate) async fn probe(connection: &mut PgConnection, now: OffsetDateTime) -> sqlx::Result<QueueState> {
    // No span: it runs every 2 s and mostly finds nothing.
    sqlx::query_as!(
        QueueState,
        r#"
        SELECT min(opened_at) AS oldest, coalesce(bool_or(next_try_at <= $1), false) AS "is_due!"
        FROM dispute WHERE next_try_at IS NOT NULL
        "#,
        now,
    )
    .fetch_one(connection)
    .await
}
