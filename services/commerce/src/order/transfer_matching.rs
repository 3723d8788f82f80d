//! Matches bank transfers to orders. The transfers of a customer stay in its cash balance until
//! they cover the whole order, and are then applied at once. Excess, late and unmatched transfers
//! are returned.

use kit_db::outbox::Outbox;
use sqlx::PgConnection;
use time::OffsetDateTime;
use uuid::Uuid;

use super::locked::LockedOrder;
use super::{State, notice};
use crate::ledger::{self, Entry};
use crate::payment::{self, Payment};
use crate::provider::FundedTransfer;
use crate::refund::{self, Reason};
use crate::transfer::sender::is_other_name;
use crate::transfer::{self, State as TransferState};

/// The result of matching: what to do with the transfers of an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TransferMatch {
    /// Wait for more transfers.
    Waits,
    /// They cover the order: apply them at the provider.
    Whole,
    /// Money is being returned.
    Returned,
}

/// Stores the new transfers for a payment whose order is locked. A transfer that arrived in time
/// counts, even if it is seen late.
pub(crate) async fn store_transfers(
    connection: &mut PgConnection,
    outbox: &Outbox,
    order: &LockedOrder,
    payment: &Payment,
    transfers: &[FundedTransfer],
    now: OffsetDateTime,
) -> sqlx::Result<TransferMatch> {
    let state = payment::lock_payment(connection, payment.id).await?;
    let mut new_in_time = 0_i32;
    for transfer in transfers {
        // No personal data is stored once the account is erased.
        let sender = if order.account.is_some() { transfer.sender_name.as_str() } else { "" };
        let is_other = order.account.is_some() && is_other_name(sender, &order.buyer_kana);
        let added = transfer::add_transfer(connection, payment.id, transfer, sender, is_other, now).await?;
        let Some(id) = added else { continue };
        let entry = Entry::TransferReceived { transfer: id, amount: transfer.amount };
        ledger::book_entry(connection, order.id, entry, now).await?;
        if transfer.received_at < order.due_at {
            new_in_time = new_in_time.saturating_add(transfer.amount);
        }
    }
    match state {
        payment::State::Succeeded => cover(connection, order.id, payment, now).await,
        payment::State::Created
        | payment::State::Unknown
        | payment::State::RequiresAction
        | payment::State::PartFunded
            if order.state == State::AwaitingPayment && !order.is_ending =>
        {
            wait_for_rest(connection, outbox, order, payment, new_in_time, now).await
        }
        // The order is ending, or is paid by another attempt. Both settle the held transfers.
        _ if order.state == State::AwaitingPayment => Ok(TransferMatch::Waits),
        _ => {
            let returned = return_held(connection, order.id, None, Reason::Late, now).await?;
            Ok(if returned > 0 { TransferMatch::Returned } else { TransferMatch::Waits })
        }
    }
}

/// For an open order: returns late transfers, and compares the rest with the total.
async fn wait_for_rest(
    connection: &mut PgConnection,
    outbox: &Outbox,
    order: &LockedOrder,
    payment: &Payment,
    new_in_time: i32,
    now: OffsetDateTime,
) -> sqlx::Result<TransferMatch> {
    let late = return_held(connection, order.id, Some(order.due_at), Reason::Late, now).await?;
    let held = transfer::sum_state(connection, order.id, TransferState::Held).await?;
    if held >= i64::from(payment.amount) {
        return Ok(TransferMatch::Whole);
    }
    if held > 0 {
        payment::mark_part_funded(connection, payment.id).await?;
    }
    if new_in_time > 0 {
        notice::publish_short_transfer(connection, outbox, order, new_in_time, now).await?;
    }
    Ok(if late > 0 { TransferMatch::Returned } else { TransferMatch::Waits })
}

/// Books the held transfers as applied to the order that they paid, and returns the excess.
pub(crate) async fn cover(
    connection: &mut PgConnection,
    order: Uuid,
    payment: &Payment,
    now: OffsetDateTime,
) -> sqlx::Result<TransferMatch> {
    let needed = i64::from(payment.amount);
    let applied = transfer::sum_state(connection, order, TransferState::Applied).await?;
    if applied >= needed {
        let returned = return_held(connection, order, None, Reason::Excess, now).await?;
        return Ok(if returned > 0 { TransferMatch::Returned } else { TransferMatch::Waits });
    }
    let added = transfer::settle_held(connection, order, TransferState::Applied, None).await?;
    let Ok(excess @ 1..) = i32::try_from(applied + i64::from(added) - needed) else {
        return Ok(TransferMatch::Waits);
    };
    refund::return_transfers(connection, payment, excess, Reason::Excess, now).await?;
    Ok(TransferMatch::Returned)
}

/// Returns the transfers held for an order: all, or those that arrived at `since` or later. Returns
/// the amount in yen.
pub(crate) async fn return_held(
    connection: &mut PgConnection,
    order: Uuid,
    since: Option<OffsetDateTime>,
    reason: Reason,
    now: OffsetDateTime,
) -> sqlx::Result<i32> {
    let Some(payment) = payment::find_bank_transfer(connection, order).await? else { return Ok(0) };
    let returned = transfer::settle_held(connection, order, TransferState::Returned, since).await?;
    if returned > 0 {
        refund::return_transfers(connection, &payment, returned, reason, now).await?;
    }
    Ok(returned)
}
