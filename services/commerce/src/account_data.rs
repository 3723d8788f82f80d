//! Erases the stored data of an account.

use sqlx::PgConnection;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::coupon::{applied, claim};
use crate::order::erasure;
use crate::receipt::{pdf, return_invoice_pdf};
use crate::subscription::erasure as subscription_erasure;
use crate::{card, cart, customer, erased_account, guardian_request};

/// Erases the stored data of a buyer's or learner's account, except for the data that accounting
/// needs. Later requests of the account are refused.
pub(crate) async fn erase(
    connection: &mut PgConnection,
    account: Uuid,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    erased_account::lock(connection, account).await?;
    kit_db::erased_account::add(connection, account, now).await?;
    // Lock order: orders come before lines of carts.
    let orders = erasure::erase(connection, account, now).await?;
    pdf::erase(connection, &orders).await?;
    return_invoice_pdf::erase(connection, &orders).await?;
    subscription_erasure::erase(connection, account, now).await?;
    card::erase(connection, account, now).await?;
    customer::erase(connection, account, now).await?;
    cart::erasure::erase(connection, account).await?;
    guardian_request::erase(connection, account).await?;
    applied::erase(connection, account).await?;
    claim::erase(connection, account).await
}
