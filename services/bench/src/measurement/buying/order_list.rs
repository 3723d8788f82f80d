//! Measures the list of a buyer's orders, with few and with many orders on file.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use runner::databases::execute;
use sqlx::{Executor as _, PgConnection, Row as _};
use tooling::failure::{Outcome, fail};

use crate::measurement::load::{self, LoadResult};
use crate::measurement::pages::{self, Learner, SIGNED_IN};
use crate::measurement::{RATIO_AT, WARM_UP};

/// Orders on file in the first and in the second measurement.
pub(super) const FEW: i64 = 10_000;
pub(super) const MANY: i64 = 1_000_000;
/// Orders added for each learner who requests the list: a full page.
const OWN: i64 = 20;
/// Orders added by one statement.
const BATCH: i64 = 100_000;

/// The first page of the orders of some learners.
pub(super) struct OrderList {
    /// SQL expressions of the learners' ids.
    accounts: Vec<String>,
    requests: Arc<Vec<Bytes>>,
}

/// The result of one measurement.
pub(super) struct Lists {
    /// Orders on file.
    orders: i64,
    seen: LoadResult,
}

impl OrderList {
    /// Ids of `learners` begin with `id_prefix`.
    pub(super) fn new(learners: &[Learner], id_prefix: &str) -> Self {
        let readers = &learners[..learners.len().min(SIGNED_IN)];
        let get = |learner: &Learner| pages::get("/api/commerce/order/?page=1", &learner.token);
        Self {
            accounts: readers.iter().map(|learner| format!("'{id_prefix}{:012}'", learner.number)).collect(),
            requests: Arc::new(readers.iter().map(get).collect()),
        }
    }

    /// Adds a full page of orders for each of the learners.
    pub(super) async fn fill(&self, commerce: &mut PgConnection) -> Outcome {
        let number = OWN * i64::try_from(self.accounts.len())?;
        let account =
            format!("(ARRAY[{}]::uuid[])[1 + n % {}]", self.accounts.join(","), self.accounts.len());
        add(commerce, number, &account).await
    }

    pub(super) async fn measure(
        &self,
        edges: &[SocketAddr],
        commerce: &mut PgConnection,
        length: Duration,
    ) -> Outcome<Lists> {
        load::run(edges, &self.requests, RATIO_AT, WARM_UP).await?;
        let seen = load::run(edges, &self.requests, RATIO_AT, length).await?;
        if let Some(status) = seen.example {
            return fail(format!("{} lists of orders failed, e.g. with {status}", seen.bad));
        }
        Ok(Lists { orders: count(commerce).await?, seen })
    }
}

/// Adds orders of other learners until there are `orders`.
pub(super) async fn fill_up(commerce: &mut PgConnection, orders: i64) -> Outcome {
    let missing = orders - count(commerce).await?;
    add(commerce, missing, "gen_random_uuid()").await?;
    // Otherwise autovacuum would do this during the measurement.
    execute(commerce, "VACUUM ANALYZE".to_owned()).await
}

/// Prints both measurements.
pub(super) fn print(few: &Lists, many: &Lists) {
    let p99 = |lists: &Lists| lists.seen.quantile(0.99);
    println!(
        "\nlist of orders at {RATIO_AT} connections with {} orders on file: p99 {:.2} ms against {:.2} ms with {}, ratio \
         {:.2}; {:.0} against {:.0} a second",
        many.orders,
        p99(many),
        p99(few),
        few.orders,
        p99(many) / p99(few),
        many.seen.rate(),
        few.seen.rate(),
    );
}

async fn count(commerce: &mut PgConnection) -> Outcome<i64> {
    Ok(commerce.fetch_one("SELECT count(*) FROM orders").await?.try_get(0)?)
}

/// Adds `number` copies of a paid order with its lines and its payment. The SQL expression `account` computes the account
/// of copy `n`. The ledger is not filled, because no list reads it.
async fn add(commerce: &mut PgConnection, number: i64, account: &str) -> Outcome {
    // Order numbers must be unique.
    let first = count(commerce).await?;
    let mut added = 0;
    while added < number {
        let (from, to) = (first + added + 1, first + number.min(added + BATCH));
        execute(
            commerce,
            format!(
                "WITH model AS (SELECT * FROM orders WHERE state = 'fulfilled' ORDER BY id LIMIT 1), \
                 added AS ( \
                     INSERT INTO orders (id, number, account_id, state, buyer_name, buyer_email, buyer_kana, total, tax, \
                         confirmation, confirmation_digest, placed_at, due_at, paid_at, fulfilled_at, refund_policy) \
                     SELECT uuidv7(), 'BENCH-' || n, {account}, state, buyer_name, buyer_email, buyer_kana, total, tax, \
                         confirmation, confirmation_digest, placed_at - n * interval '30 seconds', \
                         due_at - n * interval '30 seconds', paid_at - n * interval '30 seconds', \
                         fulfilled_at - n * interval '30 seconds', refund_policy \
                     FROM model, generate_series({from}, {to}) AS n RETURNING id, account_id, placed_at \
                 ), \
                 lines AS ( \
                     INSERT INTO order_line (order_id, n, product_id, course_id, name, price, period_days, learner_id, \
                         learner_name) \
                     SELECT added.id, line.n, product_id, course_id, name, price, period_days, added.account_id, learner_name \
                     FROM order_line AS line JOIN model ON order_id = model.id, added \
                 ) \
                 INSERT INTO payment (id, order_id, attempt, method, state, amount, page_url, page_expires_at, created_at, \
                     settled_at) \
                 SELECT uuidv7(), added.id, attempt, method, payment.state, amount, page_url, page_expires_at, \
                     added.placed_at, added.placed_at \
                 FROM payment JOIN model ON order_id = model.id, added"
            ),
        )
        .await?;
        added += BATCH;
    }
    Ok(())
}
