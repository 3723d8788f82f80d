//! The invariants after each step, and once all work is done.

use axum::http::Method;
use serde_json::Value;
use sqlx::{AssertSqlSafe, Executor as _, Row as _};

use super::super::provider;
use super::world::{LineLearner, World};

/// Queries that must return no rows after any step, and the problem if one does.
const STEP_CHECKS: [(&str, &str); 7] = [
    ("the ledger does not sum to zero", "SELECT sum(amount)::text FROM posting HAVING sum(amount) <> 0"),
    (
        "a line is granted without a payment",
        "SELECT order_id || ':' || n FROM order_line JOIN orders ON orders.id = order_id \
         WHERE grant_event IS NOT NULL AND paid_at IS NULL",
    ),
    (
        "more of a payment is refunded than was paid",
        "SELECT number || ' ' || sum(refund.amount) FROM refund JOIN payment ON payment.id = payment_id \
         JOIN orders ON orders.id = order_id \
         WHERE NOT is_from_balance AND refund.state NOT IN ('failed', 'overtaken') \
         GROUP BY number, payment.id HAVING sum(refund.amount) > payment.amount OR payment.state <> 'succeeded'",
    ),
    (
        "more transfers are returned than have arrived",
        "SELECT customer || ' ' || sum(refund.amount) FROM refund JOIN payment ON payment.id = payment_id \
         WHERE is_from_balance AND refund.state NOT IN ('failed', 'overtaken') \
         GROUP BY customer HAVING sum(refund.amount) > ( \
             SELECT sum(transfer.amount) FROM transfer JOIN payment AS other ON other.id = transfer.payment_id \
             WHERE other.customer = payment.customer \
         )",
    ),
    (
        "a line is refunded above its price",
        "SELECT order_id || ':' || n FROM refund_line JOIN order_line USING (order_id, n) \
         WHERE refund_line.amount > price - discount",
    ),
    (
        "a coupon is used too often",
        "SELECT coupon_id || ' ' || count(*) FROM coupon_use JOIN coupon ON coupon.id = coupon_id \
         WHERE coupon_use.state <> 'freed' GROUP BY coupon_id, total_uses HAVING count(*) > total_uses",
    ),
    (
        "a buyer uses a coupon too often",
        "SELECT coupon_id || ' ' || account_id FROM coupon_use JOIN coupon ON coupon.id = coupon_id \
         JOIN orders ON orders.id = order_id \
         WHERE coupon_use.state <> 'freed' GROUP BY coupon_id, account_id, per_account HAVING count(*) > per_account",
    ),
];

/// Queries that must return no rows once all work is done, and the problem if one does.
const CHECKS: [(&str, &str); 10] = [
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
pub(super) const PAID_LINES: &str = "SELECT order_id || ':' || n, learner_id::text FROM order_line JOIN orders ON orders.id = order_id \
    WHERE paid_at IS NOT NULL AND course_id IS NOT NULL";
const REFUNDED_LINES: &str = "SELECT order_id || ':' || n, learner_id::text FROM order_line \
    JOIN refund_line USING (order_id, n) WHERE course_id IS NOT NULL";

/// The tables that a repeated event must not change.
const BOOKS: [&str; 12] = [
    "card",
    "coupon_use",
    "dispute",
    "journal",
    "order_line",
    "orders",
    "payment",
    "posting",
    "refund",
    "refund_line",
    "subscription",
    "transfer",
];

impl World {
    /// Checks what must be true after any step: [`STEP_CHECKS`], and that no order went back.
    pub(super) async fn check_step(&mut self) -> Result<(), String> {
        let mut problems = std::mem::take(&mut self.problems);
        problems.extend(self.find_problems(&STEP_CHECKS).await);
        for [number, state] in self.rows("SELECT number, state FROM orders").await {
            if let Some(before) = self.states.get(&number)
                && !is_forward(before, &state)
            {
                problems.push(format!("order {number} went from {before} to {state}"));
            }
            self.states.insert(number, state);
        }
        if problems.is_empty() { Ok(()) } else { Err(problems.join("\n")) }
    }

    /// The rows of these queries, each with its meaning.
    async fn find_problems(&self, checks: &[(&str, &str)]) -> Vec<String> {
        let queries = checks.iter().map(|(meaning, sql)| {
            format!("SELECT '{meaning}: ' || coalesce(problem, '') FROM ({sql}) AS found (problem)")
        });
        self.list_texts(queries.collect::<Vec<_>>().join(" UNION ALL ")).await
    }

    /// Sends all events once more under new ids, newest first. Returns what they changed.
    pub(super) async fn repeat_events(&mut self) -> Result<(), String> {
        let (books, delivered) = (self.read_books().await, self.delivered);
        let mut events = self.list("/v1/events?limit=100").await;
        for event in &mut events {
            event["id"] = format!("{}_again", event["id"].as_str().unwrap()).into();
        }
        self.send(events.iter()).await;
        self.work().await?;
        let mut problems = Vec::new();
        for (table, (before, after)) in BOOKS.iter().zip(books.iter().zip(&self.read_books().await)) {
            if before != after {
                problems.push(format!("repeated events change {table}:\n  {before}\n  {after}"));
            }
        }
        if self.delivered != delivered {
            problems.push("repeated events publish an event".to_owned());
        }
        if problems.is_empty() { Ok(()) } else { Err(problems.join("\n")) }
    }

    /// The content of [`BOOKS`], without the times of the queues.
    async fn read_books(&self) -> Vec<String> {
        let queries = BOOKS.map(|table| {
            format!(
                "SELECT coalesce(string_agg(content, ' ' ORDER BY content), '') FROM ( \
                     SELECT (to_jsonb(it) - ARRAY['asked_at', 'checks', 'next_check_at', 'next_try_at', 'tries'])::text \
                     FROM {table} AS it \
                 ) AS book (content)"
            )
        });
        self.list_texts(queries.join(" UNION ALL ")).await
    }

    /// The texts in the first column. The connection keeps the plan of the query.
    async fn list_texts(&self, query: String) -> Vec<String> {
        #[expect(clippy::disallowed_methods, reason = "the query is put together here")]
        let query = sqlx::query(AssertSqlSafe(query));
        let mut connection = self.shop.shop.database.pool.acquire().await.unwrap();
        let rows = connection.fetch_all(query).await.unwrap();
        rows.iter().map(|row| row.get(0)).collect()
    }

    /// All problems once all work is done.
    pub(super) async fn check_books(&self) -> Vec<String> {
        let mut problems = self.find_problems(&CHECKS).await;
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

/// Whether an order may go from one state to another, or stay.
fn is_forward(before: &str, after: &str) -> bool {
    let rank = |state: &str| match state {
        "awaiting_payment" => 0,
        "paid" => 1,
        "fulfilled" => 2,
        "part_refunded" => 3,
        "refunded" => 4,
        _ => 5,
    };
    let is_ended = rank(after) == 5;
    before == after || before == "awaiting_payment" || (!is_ended && rank(before) < rank(after))
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
