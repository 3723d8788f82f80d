//! Measures a crowd that wants the last seats of a mock exam and the last use of a coupon, against the same buyers one after
//! another.
//!
//! Goodput is the number of buyers a second who know whether they have a seat. A buyer opens the confirmation and places the
//! order, again if another buyer was faster.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use runner::databases::execute;
use serde_json::Value;
use sqlx::{AssertSqlSafe, Executor as _, PgConnection, Row as _};
use tokio::task::JoinSet;
use tooling::failure::{Outcome, fail};

use super::purchase::Buyer;
use crate::measurement::pages::Learner;

/// Buyers in each run.
const CROWD: usize = 500;
/// Seats for each run. The coupon has one use.
const SEATS: usize = 10;
/// Runs of each kind. They alternate, because the load of the machine varies.
const TURNS: usize = 3;
/// Buyers of all runs. Who has a seat buys no other.
const BUYERS: usize = CROWD + SEATS * (2 * TURNS - 1);
/// The product of the seats.
const PRODUCT: i64 = 2301;
/// The coupon of 500 yen.
const COUPON: i64 = 990_500;

/// Buyers of seats.
pub(super) struct Crowd {
    /// Without a seat, but with one in the cart.
    buyers: Vec<Buyer>,
}

/// The result of one run.
struct Run {
    /// Until every buyer knew the outcome.
    length: Duration,
    /// Until the last seat was ordered.
    sold_out: Duration,
}

/// Seats, uses of the coupon, unbalanced entries of the ledger, and granted seats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Books {
    sold: i64,
    used: i64,
    unbalanced: i64,
    granted: i64,
}

impl Crowd {
    /// Creates the coupon and fills the carts.
    pub(super) async fn new(
        edges: &[SocketAddr],
        learners: &[Learner],
        commerce: &mut PgConnection,
    ) -> Outcome<Self> {
        if learners.len() < BUYERS {
            return fail(format!("the last seats need {BUYERS} learners: pass more --learners"));
        }
        let coupon = format!(
            "INSERT INTO coupon (id, code, name, description, kind, amount, starts_at, product_kinds, \
                 is_first_order_only, is_public, per_account, total_uses) \
             VALUES ({COUPON}, 'BENCH500', 'BENCH500', 'BENCH500', 'fixed', 500, now() - interval '1 day', \
                 ARRAY['exam_seat'], false, true, 1, 1)"
        );
        execute(commerce, coupon).await?;
        let mut buyers = Vec::new();
        for (learner, edge) in learners[..BUYERS].iter().zip(edges.iter().cycle()) {
            let mut buyer = Buyer::new(*edge, &learner.token, Vec::new());
            buyer.fill_cart(PRODUCT, COUPON).await?;
            buyers.push(buyer);
        }
        Ok(Self { buyers })
    }

    /// Runs both kinds in turn and prints the median of their ratios. Fails if a seat or the coupon is sold twice, or not
    /// at all.
    pub(super) async fn measure(mut self, commerce: &mut PgConnection, exam: &mut PgConnection) -> Outcome {
        let mut turns = Vec::new();
        for _ in 0..TURNS {
            let alone = self.run(commerce, exam, false).await?;
            let together = self.run(commerce, exam, true).await?;
            turns.push((alone.length.as_secs_f64() / together.length.as_secs_f64(), together, alone));
        }
        turns.sort_by(|one, other| one.0.total_cmp(&other.0));
        let (ratio, together, alone) = &turns[TURNS / 2];
        println!(
            "\n{CROWD} buyers at once for the last {SEATS} seats and the last coupon: {:.0} know their outcome a second, \
             {:.0} one after another, ratio {ratio:.2} ({:.2} to {:.2}); sold out after {:.2} s, {:.2} s one after another; \
             {SEATS} sold each time",
            together.rate(),
            alone.rate(),
            turns[0].0,
            turns[TURNS - 1].0,
            together.sold_out.as_secs_f64(),
            alone.sold_out.as_secs_f64(),
        );
        Ok(())
    }

    /// Sells the seats to [`CROWD`] buyers.
    async fn run(
        &mut self,
        commerce: &mut PgConnection,
        exam: &mut PgConnection,
        is_at_once: bool,
    ) -> Outcome<Run> {
        offer_more(commerce).await?;
        let before = Books::read(commerce, exam).await?;
        let begun = Instant::now();
        let (mut winners, mut losers, mut sold_out) = (Vec::new(), Vec::new(), Duration::ZERO);
        let mut ordering = JoinSet::new();
        for mut buyer in self.buyers.drain(..CROWD) {
            let order = async move {
                let order = buyer.order_cart().await?;
                Outcome::Ok((buyer, order, begun.elapsed()))
            };
            ordering.spawn(order);
            if is_at_once && ordering.len() < CROWD {
                continue;
            }
            while let Some(ended) = ordering.join_next().await {
                let (buyer, order, at) = ended??;
                match order {
                    Some(order) => {
                        sold_out = sold_out.max(at);
                        winners.push((buyer, order));
                    }
                    None => losers.push(buyer),
                }
            }
        }
        let length = begun.elapsed();
        self.buyers.append(&mut losers);
        pay_all(winners).await?;
        let after = Books::read(commerce, exam).await?;
        before.check_sale(after)?;
        Ok(Run { length, sold_out })
    }
}

impl Run {
    #[expect(clippy::cast_precision_loss, reason = "some hundred buyers")]
    fn rate(&self) -> f64 {
        CROWD as f64 / self.length.as_secs_f64()
    }
}

impl Books {
    async fn read(commerce: &mut PgConnection, exam: &mut PgConnection) -> Outcome<Self> {
        let sql = format!(
            "SELECT (SELECT count(*) FROM order_line JOIN orders ON orders.id = order_id \
                     WHERE product_id = {PRODUCT} AND state NOT IN ('expired', 'cancelled')), \
                 (SELECT count(*) FROM coupon_use WHERE coupon_id = {COUPON} AND state = 'used'), \
                 (SELECT count(*) FROM (SELECT FROM posting GROUP BY journal_id HAVING sum(amount) <> 0) AS unbalanced)"
        );
        let row = commerce.fetch_one(sqlx::raw_sql(AssertSqlSafe(sql))).await?;
        // A learner has one seat of an exam.
        let seats = "SELECT count(DISTINCT (exam_id, learner_id)) FROM seat \
                     WHERE order_line_id IS NOT NULL AND revoked_at IS NULL";
        let granted = exam.fetch_one(seats).await?.try_get(0)?;
        Ok(Self { sold: row.try_get(0)?, used: row.try_get(1)?, unbalanced: row.try_get(2)?, granted })
    }

    /// Fails unless exactly the offered seats and one use of the coupon were sold since `self`.
    fn check_sale(self, after: Self) -> Outcome {
        let seats = i64::try_from(SEATS)?;
        let expected = Self {
            sold: self.sold + seats,
            used: self.used + 1,
            unbalanced: 0,
            granted: self.granted + seats,
        };
        if after == expected { Ok(()) } else { fail(format!("{after:?} instead of {expected:?}")) }
    }
}

/// Offers [`SEATS`] more seats and one more use of the coupon than are taken.
async fn offer_more(commerce: &mut PgConnection) -> Outcome {
    let places = format!(
        "UPDATE product SET places = {SEATS} + ( \
             SELECT count(*) FROM order_line JOIN orders ON orders.id = order_id LEFT JOIN refund_line USING (order_id, n) \
             WHERE product_id = {PRODUCT} AND orders.state NOT IN ('expired', 'cancelled') AND refund_id IS NULL \
         ) WHERE id = {PRODUCT}"
    );
    execute(commerce, places).await?;
    let uses = format!(
        "UPDATE coupon SET total_uses = 1 + (SELECT count(*) FROM coupon_use WHERE coupon_id = {COUPON} AND state <> 'freed') \
         WHERE id = {COUPON}"
    );
    execute(commerce, uses).await
}

/// Pays all orders, and waits until they are granted.
async fn pay_all(winners: Vec<(Buyer, Value)>) -> Outcome {
    let mut paying = JoinSet::new();
    for (mut buyer, order) in winners {
        paying.spawn(async move { buyer.pay_and_wait(&order).await });
    }
    while let Some(paid) = paying.join_next().await {
        paid??;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sale_of_more_or_less_fails() {
        let before = Books { sold: 3, used: 0, unbalanced: 0, granted: 3 };
        let exact = Books { sold: 13, used: 1, unbalanced: 0, granted: 13 };
        assert!(before.check_sale(exact).is_ok());
        for wrong in [
            Books { sold: 14, ..exact },
            Books { sold: 12, ..exact },
            Books { used: 2, ..exact },
            Books { unbalanced: 1, ..exact },
            Books { granted: 12, ..exact },
        ] {
            assert!(before.check_sale(wrong).is_err(), "{wrong:?}");
        }
    }
}
