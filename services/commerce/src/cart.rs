//! The cart of an account: products, each for a learner.
//!
//! Lines stay in the cart while their order awaits payment. They leave it when the order is paid.

pub(crate) mod erasure;
pub(crate) mod export;

use std::collections::HashMap;

use kit_db::span;
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::Instrument as _;
use uuid::Uuid;

use crate::buyer::Buyer;
use crate::error::Error;
use crate::owned_courses::OwnedCourses;
use crate::product::{Kind, Product};
use crate::seat::TakenPlaces;

/// The maximum number of lines in a cart.
pub(crate) const LINES_LIMIT: usize = 20;

/// A line: a product for a learner.
pub(crate) struct Line {
    pub(crate) id: Uuid,
    pub(crate) product: Product,
    pub(crate) learner: Uuid,
    pub(crate) added_at: OffsetDateTime,
    /// Whether the line belongs to the order that awaits payment.
    pub(crate) is_ordered: bool,
    /// Whether the learner has the product according to the orders: a paid order of any account
    /// whose grant lms may not know yet, a seat of the exam, a subscription to the product, or one
    /// that another account has ordered and not paid yet.
    pub(crate) is_owned: bool,
    /// The learner who requested that the account pay for it.
    pub(crate) asked_by: Option<Uuid>,
    /// The remaining places of the exam, or `None` if the product is no exam seat.
    pub(crate) places_left: Option<u32>,
    /// A problem caused by other buyers: an open order of the same product for the learner, or no
    /// places left.
    others: Option<Problem>,
}

/// Why a line can't be bought.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Problem {
    Owned,
    NotOnSale,
    ConsentMissing,
    NotLinked,
    NotOffered,
    SoldOut,
    OrderedElsewhere,
}

impl Line {
    /// Whether the product is a seat of an exam.
    pub(crate) fn is_exam_seat(&self) -> bool {
        self.product.kind == Kind::ExamSeat
    }

    /// Why the line can't be bought now. Of several problems, it returns the one that the buyer can
    /// do least about. Without `owned`, it ignores courses that only lms knows to be owned.
    pub(crate) fn problem(
        &self,
        buyer: &Buyer,
        owned: Option<&OwnedCourses>,
        now: OffsetDateTime,
    ) -> Option<Problem> {
        if !matches!(self.product.kind, Kind::Course | Kind::Subscription | Kind::ExamSeat) {
            return Some(Problem::NotOffered);
        }
        if !self.product.is_on_sale(now) {
            return Some(Problem::NotOnSale);
        }
        let Some(learner) = buyer.find_learner(self.learner) else { return Some(Problem::NotLinked) };
        let owns = |course| owned.is_some_and(|owned| owned.contains(self.learner, course));
        if self.is_owned || self.product.course_id.is_some_and(owns) {
            return Some(Problem::Owned);
        }
        self.others.or_else(|| learner.lacks_consent.then_some(Problem::ConsentMissing))
    }
}

/// Locks the account's purchases until the transaction ends: its cart and the placing of its
/// orders.
pub(crate) async fn lock(connection: &mut PgConnection, account: Uuid) -> sqlx::Result<()> {
    sqlx::query!("SELECT pg_advisory_xact_lock(hashtextextended('buying ' || $1::uuid, 0))", account)
        .execute(connection)
        .instrument(span("SELECT pg_advisory_xact_lock"))
        .await?;
    Ok(())
}

/// Lists the lines of the account, oldest first.
pub(crate) async fn list_lines(connection: &mut PgConnection, account: Uuid) -> sqlx::Result<Vec<Line>> {
    let rows = sqlx::query!(
        r#"
        SELECT
            cart_line.id, cart_line.learner_id, cart_line.added_at, cart_line.asked_by,
            coalesce(ordered.is_own, false) AS "is_ordered!", coalesce(ordered.is_paid, false) AS "is_paid!",
            coalesce(ordered.has_seat, false) AS "has_seat!",
            coalesce(ordered.is_elsewhere, false) AS "is_ordered_elsewhere!",
            EXISTS (
                SELECT FROM subscription
                WHERE product_id = product.id AND subscription.learner_id = cart_line.learner_id
                    AND (state NOT IN ('incomplete', 'ended') OR state = 'incomplete' AND account_id <> $1)
            ) AS "is_subscribed!",
            product.id AS product_id, product.kind AS "kind: Kind", product.name, product.summary,
            product.description, product.price, product.period_days, product.course_id, product.sale_starts_at,
            product.sale_ends_at, product.exam_id, product.places, product.application_closes_at,
            product.is_continuous_service
        FROM cart_line
        JOIN product ON product.id = cart_line.product_id
        -- What was ordered for the learner. Joined once, because planning takes longer than reading.
        CROSS JOIN LATERAL (
            SELECT
                bool_or(
                    state = 'awaiting_payment' AND account_id = $1 AND renews IS NULL
                    AND order_line.product_id = product.id
                ) AS is_own,
                bool_or(
                    state = 'paid' AND renews IS NULL
                    AND (order_line.product_id = product.id OR order_line.course_id = product.course_id)
                ) AS is_paid,
                bool_or(
                    paid_at IS NOT NULL AND order_line.exam_id = product.exam_id AND NOT EXISTS (
                        SELECT FROM refund_line
                        WHERE refund_line.order_id = order_line.order_id AND refund_line.n = order_line.n
                    )
                ) AS has_seat,
                bool_or(
                    state = 'awaiting_payment' AND account_id IS DISTINCT FROM $1 AND NOT is_ending
                    AND (order_line.course_id = product.course_id OR order_line.exam_id = product.exam_id)
                ) AS is_elsewhere
            FROM order_line JOIN orders ON orders.id = order_line.order_id
            WHERE order_line.learner_id = cart_line.learner_id
        ) AS ordered
        WHERE cart_line.account_id = $1
        ORDER BY cart_line.added_at, cart_line.id
        "#,
        account,
    )
    .fetch_all(&mut *connection)
    .instrument(span("SELECT cart_line"))
    .await?;
    let lines = rows.into_iter().map(|row| Line {
        id: row.id,
        learner: row.learner_id,
        added_at: row.added_at,
        is_ordered: row.is_ordered,
        is_owned: row.is_paid || row.is_subscribed || row.has_seat,
        asked_by: row.asked_by,
        places_left: None,
        others: (row.is_ordered_elsewhere && !row.is_ordered).then_some(Problem::OrderedElsewhere),
        product: Product {
            id: row.product_id,
            kind: row.kind,
            name: row.name,
            summary: row.summary,
            description: row.description,
            price: row.price,
            period_days: row.period_days,
            course_id: row.course_id,
            exam_id: row.exam_id,
            places: row.places,
            application_closes_at: row.application_closes_at,
            sale_starts_at: row.sale_starts_at,
            sale_ends_at: row.sale_ends_at,
            is_continuous_service: row.is_continuous_service,
        },
    });
    let mut lines: Vec<Line> = lines.collect();
    mark_sold_out(connection, &mut lines).await?;
    Ok(lines)
}

/// Counts the remaining places and marks the lines that get none. Earlier lines take places first.
async fn mark_sold_out(connection: &mut PgConnection, lines: &mut [Line]) -> sqlx::Result<()> {
    let taken = TakenPlaces::count(connection, lines.iter().map(|line| &line.product)).await?;
    let mut left: HashMap<i64, u32> = HashMap::new();
    for line in lines {
        line.places_left = taken.left(&line.product);
        let Some(places) = line.places_left.filter(|_| !line.is_ordered && !line.is_owned) else { continue };
        let left = left.entry(line.product.id).or_insert(places);
        if *left == 0 {
            line.others = line.others.or(Some(Problem::SoldOut));
        }
        *left = left.saturating_sub(1);
    }
    Ok(())
}

/// Lists the lines of an order placed now, oldest first.
pub(crate) async fn lines_for_order(
    connection: &mut PgConnection,
    account: Uuid,
    buyer: &Buyer,
    owned: &OwnedCourses,
    now: OffsetDateTime,
) -> sqlx::Result<Vec<Line>> {
    let mut lines = list_lines(connection, account).await?;
    lines.retain(|line| !line.is_ordered && line.problem(buyer, Some(owned), now).is_none());
    Ok(lines)
}

/// Adds a line, or updates the time of an existing one. The product must exist. Takes the [`lock`].
pub(crate) async fn add_line(
    connection: &mut PgConnection,
    account: Uuid,
    product: i64,
    learner: Uuid,
    now: OffsetDateTime,
) -> Result<(), Error> {
    lock(connection, account).await?;
    if touch_line(connection, account, product, learner, now).await? {
        return Ok(());
    }
    // In a full cart, only an existing product can be updated.
    if insert_lines(connection, account, &[product], learner, None, now).await?.is_empty() {
        return Err(Error::CartFull);
    }
    Ok(())
}

/// Adds the products that the account has for no learner yet and whose sale has started, as many as
/// fit. Takes the [`lock`].
pub(crate) async fn join(
    connection: &mut PgConnection,
    account: Uuid,
    products: &[i64],
    learner: Uuid,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    lock(connection, account).await?;
    let known = sqlx::query_scalar!("SELECT product_id FROM cart_line WHERE account_id = $1", account)
        .fetch_all(&mut *connection)
        .instrument(span("SELECT cart_line"))
        .await?;
    let mut new: Vec<i64> = Vec::new();
    for product in products {
        if !known.contains(product) && !new.contains(product) {
            new.push(*product);
        }
    }
    insert_lines(connection, account, &new, learner, None, now).await?;
    Ok(())
}

/// Adds the products that a learner requests the account to pay for, as many as fit. Existing lines
/// stay, and their retention restarts. Returns the products that are in the cart. The caller holds
/// the [`lock`].
pub(crate) async fn add_asked_lines(
    connection: &mut PgConnection,
    account: Uuid,
    products: &[i64],
    learner: Uuid,
    now: OffsetDateTime,
) -> sqlx::Result<Vec<i64>> {
    let mut present = sqlx::query_scalar!(
        "
        UPDATE cart_line SET touched_at = $4
        WHERE account_id = $1 AND learner_id = $2 AND product_id = ANY ($3)
        RETURNING product_id
        ",
        account,
        learner,
        products,
        now,
    )
    .fetch_all(&mut *connection)
    .instrument(span("UPDATE cart_line"))
    .await?;
    let new: Vec<i64> = products.iter().copied().filter(|product| !present.contains(product)).collect();
    present.extend(insert_lines(connection, account, &new, learner, Some(learner), now).await?);
    Ok(present)
}

/// Inserts the products that exist and whose sale has started, in the given order, as many as fit.
/// Returns the products of the new lines.
async fn insert_lines(
    connection: &mut PgConnection,
    account: Uuid,
    products: &[i64],
    learner: Uuid,
    asked_by: Option<Uuid>,
    now: OffsetDateTime,
) -> sqlx::Result<Vec<i64>> {
    let ids: Vec<Uuid> = products.iter().map(|_| Uuid::now_v7()).collect();
    sqlx::query_scalar!(
        "
        INSERT INTO cart_line (id, account_id, product_id, learner_id, asked_by, added_at, touched_at)
        SELECT new.id, $1, product.id, $2, $7, $3, $3
        FROM unnest($4::uuid[], $5::bigint[]) WITH ORDINALITY AS new (id, product_id, n)
        JOIN product ON product.id = new.product_id AND product.sale_starts_at <= $3
        ORDER BY new.n
        LIMIT greatest($6 - (SELECT count(*) FROM cart_line WHERE account_id = $1), 0)
        RETURNING product_id
        ",
        account,
        learner,
        now,
        &ids,
        products,
        i64::try_from(LINES_LIMIT).unwrap_or(i64::MAX),
        asked_by,
    )
    .fetch_all(connection)
    .instrument(span("INSERT cart_line"))
    .await
}

/// Removes a line. Takes the [`lock`].
pub(crate) async fn remove_line(connection: &mut PgConnection, account: Uuid, id: Uuid) -> Result<(), Error> {
    lock(connection, account).await?;
    find_free_line(connection, account, id).await?;
    delete_line(connection, id).await?;
    Ok(())
}

/// Changes the learner of a line. If the learner already has the product in the cart, the line is
/// deleted. Takes the [`lock`].
pub(crate) async fn assign_line(
    connection: &mut PgConnection,
    account: Uuid,
    id: Uuid,
    learner: Uuid,
    now: OffsetDateTime,
) -> Result<(), Error> {
    lock(connection, account).await?;
    let line = find_free_line(connection, account, id).await?;
    if touch_line(connection, account, line.product.id, learner, now).await? {
        if line.learner != learner {
            delete_line(connection, id).await?;
        }
        return Ok(());
    }
    sqlx::query!("UPDATE cart_line SET learner_id = $2, touched_at = $3 WHERE id = $1", id, learner, now)
        .execute(connection)
        .instrument(span("UPDATE cart_line"))
        .await?;
    Ok(())
}

/// Finds a line that belongs to no open order.
async fn find_free_line(connection: &mut PgConnection, account: Uuid, id: Uuid) -> Result<Line, Error> {
    let lines = list_lines(connection, account).await?;
    let line = lines.into_iter().find(|line| line.id == id).ok_or(Error::NotFound)?;
    if line.is_ordered { Err(Error::OrderOpen) } else { Ok(line) }
}

/// Restarts the retention of a line. Returns `false` if the line does not exist.
async fn touch_line(
    connection: &mut PgConnection,
    account: Uuid,
    product: i64,
    learner: Uuid,
    now: OffsetDateTime,
) -> sqlx::Result<bool> {
    let touched = sqlx::query!(
        "
        UPDATE cart_line SET touched_at = $4
        WHERE account_id = $1 AND product_id = $2 AND learner_id = $3
        ",
        account,
        product,
        learner,
        now,
    )
    .execute(connection)
    .instrument(span("UPDATE cart_line"))
    .await?;
    Ok(touched.rows_affected() == 1)
}

async fn delete_line(connection: &mut PgConnection, id: Uuid) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM cart_line WHERE id = $1", id)
        .execute(connection)
        .instrument(span("DELETE cart_line"))
        .await?;
    Ok(())
}

/// Deletes the lines of a paid order from the cart.
pub(crate) async fn delete_lines(connection: &mut PgConnection, order: Uuid) -> sqlx::Result<()> {
    sqlx::query!(
        "
        DELETE FROM cart_line
        USING orders JOIN order_line ON order_line.order_id = orders.id
        WHERE orders.id = $1
            AND cart_line.account_id = orders.account_id
            AND cart_line.product_id = order_line.product_id
            AND cart_line.learner_id = order_line.learner_id
        ",
        order,
    )
    .execute(connection)
    .instrument(span("DELETE cart_line"))
    .await?;
    Ok(())
}
