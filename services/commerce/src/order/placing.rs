//! Placing an order: the confirmation that the buyer agreed to becomes an order with a payment.

use kit::trace;
use kit_db::span;
use sqlx::PgConnection;
use time::{Duration, OffsetDateTime};
use tracing::Instrument as _;
use uuid::Uuid;

use super::number::make_number;
use super::reminder;
use crate::buyer::Buyer;
use crate::cart;
use crate::confirmation::{self, Confirmation};
use crate::error::Error;
use crate::japan_time::date_in_japan;
use crate::ledger::{self, Entry};
use crate::order;
use crate::owned_courses::OwnedCourses;
use crate::payment::{self, Method};

/// When an order is looked at whose payment was not started, as after a crash.
pub(crate) const START_PERIOD: Duration = Duration::seconds(15);
/// Attempts to find a free number. A day has 33 million numbers.
const NUMBER_ATTEMPTS: usize = 5;

/// Places an order for what the buyer agreed to, the confirmation with this digest, and returns its id. An open order of
/// the same confirmation is the same order.
pub(crate) async fn place_order(
    connection: &mut PgConnection,
    account: Uuid,
    buyer: &Buyer,
    owned: &OwnedCourses,
    digest: [u8; 32],
    method: Method,
    now: OffsetDateTime,
) -> Result<Uuid, Error> {
    cart::lock(connection, account).await?;
    // Before the confirmation is rendered: what is ordered is in no other confirmation.
    if let Some(open) = order::find_open_order(connection, account).await? {
        return if open.confirmation_digest == digest { Ok(open.id) } else { Err(Error::OrderOpen) };
    }
    let confirmation = confirmation::render(connection, account, buyer, owned, method, now).await?;
    if confirmation.digest != digest {
        return Err(Error::ConfirmationChanged);
    }
    let due_at = method.due_at(now);
    let id = insert_order(connection, account, buyer, &confirmation, due_at, now).await?;
    insert_lines(connection, id, &confirmation).await?;
    payment::add_payment(connection, id, method, confirmation.total, due_at, now).await?;
    reminder::plan(connection, id, method, due_at, now).await?;
    let entry = Entry::OrderPlaced { total: confirmation.total, tax: confirmation.tax };
    ledger::book_entry(connection, id, entry, now).await?;
    Ok(id)
}

async fn insert_order(
    connection: &mut PgConnection,
    account: Uuid,
    buyer: &Buyer,
    confirmation: &Confirmation,
    due_at: OffsetDateTime,
    now: OffsetDateTime,
) -> Result<Uuid, Error> {
    let id = Uuid::now_v7();
    for _ in 0..NUMBER_ATTEMPTS {
        let inserted = sqlx::query!(
            "
            INSERT INTO orders (
                id, number, account_id, state, buyer_name, buyer_email, buyer_kana, total, tax, confirmation,
                confirmation_digest, placed_at, due_at, next_check_at, traceparent
            )
            VALUES ($1, $2, $3, 'awaiting_payment', $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
            ON CONFLICT ON CONSTRAINT orders_number_key DO NOTHING
            ",
            id,
            make_number(Uuid::new_v4(), date_in_japan(now)),
            account,
            buyer.name,
            buyer.email,
            buyer.kana,
            confirmation.total,
            confirmation.tax,
            confirmation.document,
            &confirmation.digest,
            now,
            due_at,
            now + START_PERIOD,
            trace::current_traceparent(),
        )
        .execute(&mut *connection)
        .instrument(span("INSERT orders"))
        .await?;
        if inserted.rows_affected() == 1 {
            return Ok(id);
        }
    }
    Err(Error::NoNumber)
}

async fn insert_lines(
    connection: &mut PgConnection,
    order: Uuid,
    confirmation: &Confirmation,
) -> sqlx::Result<()> {
    for (n, line) in (1_i16..).zip(&confirmation.lines) {
        sqlx::query!(
            "
            INSERT INTO order_line (
                order_id, n, product_id, course_id, name, price, period_days, learner_id, learner_name
            )
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
            ",
            order,
            n,
            line.product,
            line.course,
            line.name,
            line.price,
            line.period_days,
            line.learner,
            line.learner_name,
        )
        .execute(&mut *connection)
        .instrument(span("INSERT order_line"))
        .await?;
    }
    Ok(())
}
