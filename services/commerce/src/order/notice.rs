//! Events from which desk emails the buyer of an order that is paid without the provider's page:
//! how to pay, the missing amount, and the due time. The first one also has the terms of the order.

use kit::timestamp::to_timestamp;
use kit_db::outbox::Outbox;
use proto::commerce as wire;
use sqlx::PgConnection;
use time::OffsetDateTime;
use uuid::Uuid;

use super::locked::LockedOrder;
use crate::confirmation::{StoredTerm, read_terms};
use crate::order;
use crate::payment;
use crate::payment::message::{encode_bank_transfer, encode_konbini, encode_state};

/// Publishes the payment instructions.
pub(crate) async fn publish_instructions(
    connection: &mut PgConnection,
    outbox: &Outbox,
    order: &LockedOrder,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    let Some(account) = order.account else { return Ok(()) };
    let lines = order::list_lines(connection, &[order.id]).await?;
    let (terms, contract) = encode_terms(connection, order.id).await?;
    let event = wire::OrderPlaced {
        to: order.buyer_email.clone(),
        account_id: account.to_string(),
        name: order.buyer_name.clone(),
        order_id: order.id.to_string(),
        order_number: order.number.clone(),
        items: lines.iter().map(|line| format!("{}（{}さん）", line.name, line.learner_name)).collect(),
        total: order.total,
        due_at: Some(to_timestamp(order.due_at)),
        payment: Some(encode_payment(connection, order.id).await?),
        placed_at: Some(to_timestamp(order.placed_at)),
        terms,
        contract,
    };
    outbox.publish(connection, &event, now).await?;
    Ok(())
}

/// The terms of an order, and the sections of its contract document.
pub(crate) async fn encode_terms(
    connection: &mut PgConnection,
    order: Uuid,
) -> sqlx::Result<(Vec<wire::OrderTerm>, Vec<wire::OrderTerm>)> {
    let stored = read_terms(&order::find_confirmation(connection, order).await?.document);
    let encode = |term: StoredTerm| wire::OrderTerm { title: term.title, text: term.text };
    Ok((stored.terms.into_iter().map(encode).collect(), stored.contract.into_iter().map(encode).collect()))
}

/// Publishes a reminder that is sent `days_left` days before the last day.
pub(crate) async fn publish_reminder(
    connection: &mut PgConnection,
    outbox: &Outbox,
    order: &LockedOrder,
    days_left: i16,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    let Some(account) = order.account else { return Ok(()) };
    let event = wire::PaymentReminder {
        to: order.buyer_email.clone(),
        account_id: account.to_string(),
        name: order.buyer_name.clone(),
        order_id: order.id.to_string(),
        order_number: order.number.clone(),
        total: order.total,
        due_at: Some(to_timestamp(order.due_at)),
        days_left: days_left.unsigned_abs().into(),
        payment: Some(encode_payment(connection, order.id).await?),
    };
    outbox.publish(connection, &event, now).await?;
    Ok(())
}

/// Publishes that a transfer of `amount` yen did not cover the total.
pub(crate) async fn publish_short_transfer(
    connection: &mut PgConnection,
    outbox: &Outbox,
    order: &LockedOrder,
    amount: i32,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    let Some(account) = order.account else { return Ok(()) };
    let event = wire::TransferShort {
        to: order.buyer_email.clone(),
        account_id: account.to_string(),
        name: order.buyer_name.clone(),
        order_id: order.id.to_string(),
        order_number: order.number.clone(),
        amount,
        total: order.total,
        due_at: Some(to_timestamp(order.due_at)),
        payment: Some(encode_payment(connection, order.id).await?),
    };
    outbox.publish(connection, &event, now).await?;
    Ok(())
}

async fn encode_payment(connection: &mut PgConnection, order: Uuid) -> sqlx::Result<wire::Payment> {
    let payment = payment::find_last(connection, order).await?;
    Ok(wire::Payment {
        method: wire::PaymentMethod::from(payment.method).into(),
        state: encode_state(payment.state).into(),
        page_url: None,
        decline_code: None,
        konbini: encode_konbini(&payment),
        bank_transfer: encode_bank_transfer(&payment),
    })
}
