//! The invariants once all work is done.

use axum::http::Method;
use serde_json::Value;

use super::super::provider;
use super::world::{LineLearner, World};

/// Queries that must return no rows, and the problem if one does.
const CHECKS: [(&str, &str); 12] = [
    ("the ledger does not sum to zero", "SELECT sum(amount)::text FROM posting HAVING sum(amount) <> 0"),
    (
        "an account is not cleared",
        "SELECT code || ' ' || sum(amount) FROM posting JOIN ledger_account ON ledger_account.id = account \
         WHERE code IN ('receivable', 'refund_payable', 'customer_balance', 'dispute') \
         GROUP BY code HAVING sum(amount) <> 0",
    ),
    (
        "an order waits",
        "SELECT number || ' ' || state FROM orders WHERE state IN ('awaiting_payment', 'paid')",
    ),
    ("an event waits", "SELECT id || ' ' || type FROM provider_event WHERE processed_at IS NULL"),
    (
        "a refund waits",
        "SELECT id || ' ' || state FROM refund WHERE state IN ('requested', 'pending', 'needs_details')",
    ),
    ("a dispute is open", "SELECT id::text FROM dispute WHERE state = 'open'"),
    ("a transfer is held", "SELECT id::text FROM transfer WHERE state = 'held'"),
    (
        "a coupon is used by an order that was not paid, or the other way round",
        "SELECT number || ' ' || orders.state || ', coupon ' || coupon_use.state \
         FROM coupon_use JOIN orders ON orders.id = order_id \
         WHERE coupon_use.state <> CASE WHEN paid_at IS NULL THEN 'freed' ELSE 'used' END",
    ),
    (
        "a coupon was used too often",
        "SELECT coupon_id || ' ' || count(*) FROM coupon_use JOIN coupon ON coupon.id = coupon_id \
         JOIN orders ON orders.id = order_id WHERE paid_at IS NOT NULL \
         GROUP BY coupon_id, total_uses HAVING count(*) > total_uses",
    ),
    (
        "an order has another discount than its coupons",
        "SELECT number FROM orders LEFT JOIN coupon_use ON order_id = orders.id \
         GROUP BY orders.id HAVING orders.discount <> coalesce(sum(amount), 0)",
    ),
    (
        "more than one payment of an order was kept",
        "SELECT number || ' ' || sum(kept) FROM ( \
             SELECT number, total, payment.amount - coalesce(( \
                 SELECT sum(refund.amount) FROM refund \
                 WHERE payment_id = payment.id AND reason IN ('late', 'late_part') AND NOT is_from_balance \
                     AND refund.state <> 'overtaken' \
             ), 0) AS kept \
             FROM payment JOIN orders ON orders.id = order_id WHERE payment.state = 'succeeded' \
         ) AS payments GROUP BY number, total HAVING sum(kept) > total",
    ),
    (
        "a period was ordered twice",
        "SELECT renews::text FROM orders WHERE renews IS NOT NULL GROUP BY renews, renewal_period HAVING count(*) > 1",
    ),
];
/// The course lines of paid orders, and the fully refunded ones.
const PAID_LINES: &str = "SELECT order_id || ':' || n, learner_id::text FROM order_line JOIN orders ON orders.id = order_id \
    WHERE paid_at IS NOT NULL AND course_id IS NOT NULL";
const REFUNDED_LINES: &str = "SELECT order_id || ':' || n, learner_id::text FROM order_line \
    JOIN refund_line USING (order_id, n) WHERE course_id IS NOT NULL";

impl World {
    /// All problems.
    pub(super) async fn check_books(&self) -> Vec<String> {
        let mut problems = Vec::new();
        for (meaning, sql) in CHECKS {
            for row in self.shop.shop.texts(sql).await {
                problems.push(format!("{meaning}: {row}"));
            }
        }
        compare("granted", &self.granted, self.taken(PAID_LINES).await, &mut problems);
        compare("revoked", &self.revoked, self.taken(REFUNDED_LINES).await, &mut problems);
        problems.extend(self.audit().await);
        // Runs after the audit, which books the fees.
        let ledger = "SELECT coalesce(sum(amount), 0)::text FROM posting \
            JOIN ledger_account ON ledger_account.id = account WHERE code IN ('provider_cash', 'provider_fee')";
        let ledger: i64 = self.shop.shop.texts(ledger).await[0].parse().unwrap();
        let provider = self.provider_cash().await;
        if ledger != provider {
            problems.push(format!("the ledger has {ledger} yen, the provider {provider} yen"));
        }
        problems
    }

    async fn audit(&self) -> Vec<String> {
        let (pool, clock) = (&self.shop.shop.database.pool, self.shop.shop.clock.clock());
        let report = commerce::audit(pool, &provider(&self.shop.sandbox.url()), &clock).await;
        report.unwrap().differences().iter().map(|found| format!("audit: {found}")).collect()
    }

    /// The yen received less the yen paid out, before fees: in the merchant's balance and in the
    /// buyers' cash balances.
    async fn provider_cash(&self) -> i64 {
        let moves = self.list("/v1/balance_transactions?limit=100").await;
        let mut cash: i64 = moves.iter().map(|entry| entry["amount"].as_i64().unwrap()).sum();
        for [customer] in self.rows("SELECT provider_customer FROM customer").await {
            let path = format!("/v1/customers/{customer}/cash_balance");
            let balance = self.shop.send(Method::GET, &path, &[]).await;
            let balance: Value = serde_json::from_str(&balance.text).unwrap();
            cash += balance["available"]["jpy"].as_i64().unwrap_or(0);
        }
        cash
    }

    async fn taken(&self, sql: &'static str) -> Vec<LineLearner> {
        let rows = self.rows(sql).await;
        rows.into_iter().map(|[line, learner]| (line, learner.parse().unwrap())).collect()
    }
}

/// Checks that each wanted line was taken once, and no other.
fn compare(what: &str, taken: &[LineLearner], mut wanted: Vec<LineLearner>, problems: &mut Vec<String>) {
    let mut taken = taken.to_vec();
    taken.sort();
    wanted.sort();
    if taken != wanted {
        problems.push(format!("{what}: {taken:?}\n  instead of {wanted:?}"));
    }
}
