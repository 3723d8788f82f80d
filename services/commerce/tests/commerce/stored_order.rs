//! Orders in the database, in any state.

use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use crate::customer::Customer;
use crate::shop::{NOON, Shop};

/// An order of course products for the customer's first learner.
pub(crate) struct StoredOrder<'a> {
    pub(crate) number: &'a str,
    /// The state of the order, and of its payment.
    pub(crate) state: (&'a str, &'a str),
    /// Product and price of each line.
    pub(crate) lines: &'a [(i64, i32)],
    pub(crate) tax: i32,
    pub(crate) placed_at: OffsetDateTime,
}

impl Default for StoredOrder<'_> {
    fn default() -> Self {
        Self {
            number: "KM-261120-7Q4F2",
            state: ("awaiting_payment", "requires_action"),
            lines: &[(1101, 13_200)],
            tax: 1_200,
            placed_at: NOON,
        }
    }
}

impl Shop {
    /// Stores an order and returns its id.
    pub(crate) async fn store(&self, customer: &Customer, order: &StoredOrder<'_>) -> String {
        let id = Uuid::now_v7();
        let (state, payment) = order.state;
        let later = order.placed_at + Duration::MINUTE;
        let paid_at = ["paid", "fulfilled"].contains(&state).then_some(later);
        let ended_at = ["expired", "cancelled"].contains(&state).then_some(later);
        let total: i32 = order.lines.iter().map(|(_, price)| price).sum();
        let mut connection = self.database.pool.acquire().await.unwrap();
        sqlx::query!(
            "
            INSERT INTO orders (
                id, number, account_id, state, buyer_name, buyer_email, total, tax, confirmation,
                confirmation_digest, placed_at, due_at, paid_at, ended_at
            )
            VALUES ($1, $2, $3, $4, '葵 太郎', 'aoi@example.jp', $5, $6, '{}', '\\x0102', $7, $8, $9, $10)
            ",
            id,
            order.number,
            customer.id,
            state,
            total,
            order.tax,
            order.placed_at,
            order.placed_at + Duration::HOUR,
            paid_at,
            ended_at,
        )
        .execute(&mut *connection)
        .await
        .unwrap();
        for (n, &(product, price)) in (1..).zip(order.lines) {
            sqlx::query!(
                "
                INSERT INTO order_line (
                    order_id, n, product_id, course_id, name, price, period_days, learner_id, learner_name
                )
                VALUES ($1, $2, $3, $4, '商品', $5, 365, $6, $7)
                ",
                id,
                n,
                product,
                product - 1_000,
                price,
                customer.learner(0).parse::<Uuid>().unwrap(),
                customer.buyer.learners[0].name,
            )
            .execute(&mut *connection)
            .await
            .unwrap();
        }
        self.store_payment(&id.to_string(), 1, payment, total, order.placed_at).await;
        id.to_string()
    }

    /// Stores a payment attempt with a page for 35 minutes. Returns its id.
    pub(crate) async fn store_payment(
        &self,
        order: &str,
        attempt: i32,
        state: &str,
        amount: i32,
        at: OffsetDateTime,
    ) -> Uuid {
        let id = Uuid::now_v7();
        let mut connection = self.database.pool.acquire().await.unwrap();
        sqlx::query!(
            "
            INSERT INTO payment (
                id, order_id, attempt, method, state, amount, page_url, page_expires_at, decline_code, created_at
            )
            VALUES ($1, $2, $3, 'card', $4, $5, $6, $7, 'card_declined', $8)
            ",
            id,
            order.parse::<Uuid>().unwrap(),
            attempt,
            state,
            amount,
            format!("https://pay.example/{attempt}"),
            at + Duration::minutes(35),
            at,
        )
        .execute(&mut *connection)
        .await
        .unwrap();
        id
    }

    /// Ends an order unpaid.
    pub(crate) async fn expire(&self, order: &str) {
        let mut connection = self.database.pool.acquire().await.unwrap();
        sqlx::query!(
            "UPDATE orders SET state = 'expired', ended_at = due_at WHERE id = $1",
            order.parse::<Uuid>().unwrap(),
        )
        .execute(&mut *connection)
        .await
        .unwrap();
    }
}
