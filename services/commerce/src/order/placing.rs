//! Placing an order: the confirmation that the buyer agreed to becomes an order with a payment.

use kit::error::FieldError;
use kit::trace;
use kit_db::outbox::Outbox;
use kit_db::span;
use sqlx::PgConnection;
use time::{Duration, OffsetDateTime};
use tracing::Instrument as _;
use uuid::Uuid;

use super::number::make_number;
use super::reminder;
use crate::buyer::Buyer;
use crate::cart;
use crate::confirmation::{self, Confirmation, ConfirmedLine};
use crate::coupon::usage;
use crate::error::Error;
use crate::japan_time::date_in_japan;
use crate::ledger::{self, Entry};
use crate::order::{self, change, duplicate};
use crate::owned_courses::OwnedCourses;
use crate::payment::{self, Method, NewPayment};
use crate::subscription::start;
use crate::{card, customer, seat};

/// When an order with an unstarted payment is checked, e.g. after a crash.
pub(crate) const START_PERIOD: Duration = Duration::seconds(15);
/// Attempts to find a free number. A day has 33 million numbers.
const NUMBER_ATTEMPTS: usize = 5;

/// An order that was placed.
pub(crate) struct PlacedOrder {
    pub(crate) id: Uuid,
    /// Whether coupons cover it, so it was paid at once.
    pub(crate) is_paid: bool,
}

/// The confirmation and method that the buyer agreed to.
#[derive(Clone, Copy)]
pub(crate) struct Agreement {
    /// The digest of the confirmation.
    pub(crate) digest: [u8; 32],
    pub(crate) method: Method,
    /// Whether the buyer accepts the document of the contract on the pages instead of on paper.
    pub(crate) accepts_contract: bool,
}

/// Places an order for the confirmation that the buyer agreed to. If an open order has the same
/// confirmation, returns it. Reserves the coupons and the places of exams. An order of 0 yen is
/// paid at once.
pub(crate) async fn place_order(
    connection: &mut PgConnection,
    outbox: &Outbox,
    account: Uuid,
    buyer: &Buyer,
    owned: &OwnedCourses,
    agreement: Agreement,
    now: OffsetDateTime,
) -> Result<PlacedOrder, Error> {
    cart::lock(connection, account).await?;
    // This comes before the confirmation is rendered: an open order's lines appear in no other
    // confirmation.
    if let Some(open) = order::find_open_order(connection, account).await? {
        return if open.confirmation_digest == agreement.digest {
            Ok(PlacedOrder { id: open.id, is_paid: false })
        } else {
            Err(Error::OrderOpen)
        };
    }
    duplicate::lock_learners_of_cart(connection, account).await?;
    // Waits for other buyers of the last place or coupon. The confirmation then excludes what they
    // took.
    seat::lock_products(connection, account).await?;
    usage::lock_limited(connection, account).await?;
    let confirmation = confirmation::render(connection, account, buyer, owned, agreement.method, now).await?;
    if confirmation.digest != agreement.digest {
        return Err(Error::ConfirmationChanged);
    }
    if confirmation.method != agreement.method {
        return Err(FieldError::new("method", "UNKNOWN_CHOICE").into());
    }
    if confirmation.is_contract() && !agreement.accepts_contract {
        return Err(FieldError::new("accepts_contract", "REQUIRED").into());
    }
    let due_at = confirmation.method.due_at(now);
    let id = insert_order(connection, account, buyer, &confirmation, due_at, now).await?;
    insert_lines(connection, id, &confirmation.lines).await?;
    start::add_subscriptions(connection, account, buyer, id, &confirmation.lines).await?;
    start::update_buyer(connection, account, buyer).await?;
    usage::reserve(connection, id, &confirmation.coupons).await?;
    reminder::plan(connection, id, confirmation.method, due_at, now).await?;
    let entry = Entry::OrderPlaced {
        total: confirmation.total,
        discount: confirmation.discount,
        tax: confirmation.tax,
    };
    ledger::book_entry(connection, id, entry, now).await?;
    if confirmation.method == Method::Coupon {
        pay_covered(connection, outbox, id, now).await?;
        return Ok(PlacedOrder { id, is_paid: true });
    }
    let new = prepare_payment(connection, account, confirmation.method, confirmation.total, due_at).await?;
    payment::add_payment(connection, id, &new, now).await?;
    Ok(PlacedOrder { id, is_paid: false })
}

/// Prepares a payment attempt of the buyer. Uses the card that is saved now.
pub(crate) async fn prepare_payment(
    connection: &mut PgConnection,
    account: Uuid,
    method: Method,
    amount: i32,
    due_at: OffsetDateTime,
) -> sqlx::Result<NewPayment> {
    let plain = NewPayment { method, amount, due_at, card: None, customer: None, is_off_session: false };
    if method != Method::SavedCard {
        return Ok(plain);
    }
    let card = card::find(connection, account).await?.map(|card| card.payment_method);
    Ok(NewPayment { card, customer: customer::find(connection, account).await?, ..plain })
}

/// Pays an order that coupons cover.
async fn pay_covered(
    connection: &mut PgConnection,
    outbox: &Outbox,
    id: Uuid,
    now: OffsetDateTime,
) -> Result<(), Error> {
    let order = change::lock_order(connection, id).await?.ok_or(Error::NotFound)?;
    payment::add_covered(connection, id, now).await?;
    let payment = payment::find_attempt(connection, id).await?;
    Ok(change::pay_order(connection, outbox, &order, &payment, now).await?)
}

async fn insert_order(
    connection: &mut PgConnection,
    account: Uuid,
    buyer: &Buyer,
    confirmation: &Confirmation,
    due_at: OffsetDateTime,
    now: OffsetDateTime,
) -> Result<Uuid, Error> {
    let new = NewOrder {
        account: Some(account),
        buyer_name: &buyer.name,
        buyer_email: &buyer.email,
        buyer_kana: &buyer.kana,
        renewal: None,
        due_at,
    };
    new.insert(connection, confirmation, now).await
}

/// An order to insert.
pub(crate) struct NewOrder<'a> {
    pub(crate) account: Option<Uuid>,
    pub(crate) buyer_name: &'a str,
    pub(crate) buyer_email: &'a str,
    /// In katakana, or empty for a renewal.
    pub(crate) buyer_kana: &'a str,
    /// The subscription that the order renews, and the number of the period.
    pub(crate) renewal: Option<(Uuid, i32)>,
    pub(crate) due_at: OffsetDateTime,
}

impl NewOrder<'_> {
    /// Inserts the order without its lines, and returns its id.
    pub(crate) async fn insert(
        &self,
        connection: &mut PgConnection,
        confirmation: &Confirmation,
        now: OffsetDateTime,
    ) -> Result<Uuid, Error> {
        let id = Uuid::now_v7();
        let (renews, renewal_period) = self.renewal.unzip();
        for _ in 0..NUMBER_ATTEMPTS {
            let inserted = sqlx::query!(
                "
            INSERT INTO orders (
                id, number, account_id, state, buyer_name, buyer_email, buyer_kana, total, tax, discount, confirmation,
                confirmation_digest, placed_at, due_at, next_check_at, traceparent, renews, renewal_period, refund_policy
            )
            VALUES ($1, $2, $3, 'awaiting_payment', $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)
            ON CONFLICT ON CONSTRAINT orders_number_key DO NOTHING
            ",
                id,
                make_number(Uuid::new_v4(), date_in_japan(now)),
                self.account,
                self.buyer_name,
                self.buyer_email,
                self.buyer_kana,
                confirmation.total,
                confirmation.tax,
                confirmation.discount,
                confirmation.document,
                &confirmation.digest,
                now,
                self.due_at,
                now + START_PERIOD,
                trace::current_traceparent(),
                renews,
                renewal_period,
                confirmation.refund_policy,
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
}

pub(crate) async fn insert_lines(
    connection: &mut PgConnection,
    order: Uuid,
    lines: &[ConfirmedLine],
) -> sqlx::Result<()> {
    for (n, line) in (1_i16..).zip(lines) {
        sqlx::query!(
            "
            INSERT INTO order_line (
                order_id, n, product_id, kind, course_id, exam_id, application_closes_at, name, price, discount,
                period_days, learner_id, learner_name, is_continuous_service
            )
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
            ",
            order,
            n,
            line.product,
            line.kind.name(),
            line.course,
            line.exam,
            line.application_closes_at,
            line.name,
            line.price,
            line.discount,
            line.period_days,
            line.learner,
            line.learner_name,
            line.is_continuous_service,
        )
        .execute(&mut *connection)
        .instrument(span("INSERT order_line"))
        .await?;
    }
    Ok(())
}
