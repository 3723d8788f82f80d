//! Measures purchases through every process: cart, order, card, webhook, grant.

mod crowd;
mod order_list;
mod purchase;
mod writes;

use std::collections::{HashMap, VecDeque};
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use bench::fill::PerLearner;
use runner::databases::execute;
use sqlx::{Executor as _, PgConnection, Row as _};
use tokio::task::JoinSet;
use tooling::failure::{Outcome, fail};

use super::load::{self, LoadResult};
use super::pages::{self, Learner};
use super::pgbench::{self, Comparison};
use super::row::Row;
use super::{Bench, EACH, RATIO_AT};
use crowd::Crowd;
use order_list::{Lists, OrderList};
use purchase::{Buyer, LOOK, Product, Purchase, RARE_LOOK};

/// Buyers at once for the full load. They check their courses so rarely that fewer would leave the product idle.
const MANY_BUYERS: u64 = 64;
/// Maximum number of buyers. Each buys every course once.
const BUYERS: usize = 800;

impl Bench {
    /// Measures purchases against `pgbench`, their time at half of the capacity, a crowd for the last seats, and the list
    /// of orders.
    pub(super) async fn buying(&self, edges: &[SocketAddr]) -> Outcome {
        let filled = self.fill(self.learners, PerLearner { owned: 0, watched: 0 }).await?;
        // Minors need consent to buy.
        let adults = "UPDATE account SET birth_date = '2001-04-02' WHERE email LIKE '%@fill.example'";
        execute(&mut self.connect("auth").await?, adults.to_owned()).await?;
        let learners = pages::sign_in(edges, &filled.emails, BUYERS.min(filled.emails.len())).await?;
        let products = self.list_products().await?;
        let shop = Arc::new(Shop::new(edges, &learners, &products));
        shop.run(RATIO_AT, self.length).await?;
        let mut commerce = self.connect("commerce").await?;
        let script = writes::pgbench_script(&mut commerce).await?;
        // Before pgbench adds orders.
        let list = OrderList::new(&learners, &filled.id_prefix);
        list.fill(&mut commerce).await?;
        let few = self.measure_list(&list, edges, &mut commerce, order_list::FEW).await?;
        self.fill_tables(&script).await?;
        let full = Row::measure(&self.product.watch(), shop.run(MANY_BUYERS, self.length)).await?;
        println!(
            "\npurchases of {MANY_BUYERS} buyers: {:.1} a second, {:.1} ms of CPU time each; by process in µs: {}",
            full.seen.rate(),
            full.processor(),
            full.describe_processors()
        );
        let comparison =
            Comparison { what: "purchases", sql: "their writes in commerce", service: "commerce", script };
        let run = async |connections, length| shop.run(connections, length).await;
        self.against_pgbench(&comparison, run).await?;
        let seen = shop.offer(full.seen.rate() / 2.0, self.length.max(Duration::from_secs(10))).await?;
        println!(
            "\npurchases at half of that rate, {:.1} a second: from the card to the usable \
             course p50 {:.0} ms, p99 {:.0} ms",
            seen.rate(),
            seen.quantile(0.5),
            seen.quantile(0.99),
        );
        let crowd = Crowd::new(edges, &learners, &mut commerce).await?;
        crowd.measure(&mut commerce, &mut self.connect("exam").await?).await?;
        let many = self.measure_list(&list, edges, &mut commerce, order_list::MANY).await?;
        order_list::print(&few, &many);
        Ok(())
    }

    /// Fills the tables that a purchase writes or reads. In an almost empty table PostgreSQL plans to read all of it, and
    /// keeps that plan until autovacuum comes.
    async fn fill_tables(&self, script: &str) -> Outcome {
        self.fill(self.learners, EACH).await?;
        if let Some(program) = pgbench::program() {
            let target = self.target("commerce")?;
            pgbench::rate(&program, self.product.state(), &target, script, RATIO_AT, self.length).await?;
        }
        for service in ["auth", "commerce", "desk", "lms"] {
            execute(&mut self.connect(service).await?, "VACUUM ANALYZE".to_owned()).await?;
        }
        Ok(())
    }

    /// Measures the list of orders with this many on file.
    async fn measure_list(
        &self,
        list: &OrderList,
        edges: &[SocketAddr],
        commerce: &mut PgConnection,
        orders: i64,
    ) -> Outcome<Lists> {
        let name = format!("fill: {orders} orders");
        self.steps.step(&name, order_list::fill_up(commerce, orders)).await?;
        execute(&mut self.product.server()?.open().await?, "CHECKPOINT".to_owned()).await?;
        list.measure(edges, commerce, self.length).await
    }

    /// Lists the courses on sale, each with one of its lessons.
    async fn list_products(&self) -> Outcome<Vec<Product>> {
        let lessons = "SELECT course_id, min(id) FROM lesson GROUP BY course_id";
        let rows = self.connect("lms").await?.fetch_all(lessons).await?;
        let lessons: HashMap<i64, i64> =
            rows.iter().map(|row| Ok((row.try_get(0)?, row.try_get(1)?))).collect::<Outcome<_>>()?;
        let on_sale = "SELECT id, course_id FROM product \
                       WHERE kind = 'course' AND now() >= sale_starts_at AND (now() < sale_ends_at) IS NOT FALSE";
        let mut products = Vec::new();
        for row in self.connect("commerce").await?.fetch_all(on_sale).await? {
            let course: i64 = row.try_get(1)?;
            let Some(lesson) = lessons.get(&course) else { continue };
            products.push(Product { id: row.try_get(0)?, lesson: *lesson });
        }
        Ok(products)
    }
}

/// The buyers. Each has one purchase at a time.
struct Shop {
    buyers: Mutex<VecDeque<Buyer>>,
}

impl Shop {
    fn new(edges: &[SocketAddr], learners: &[Learner], products: &[Product]) -> Self {
        let buyers = learners.iter().zip(edges.iter().cycle());
        let buyers = buyers.map(|(learner, edge)| Buyer::new(*edge, &learner.token, products.to_vec()));
        Self { buyers: Mutex::new(buyers.collect()) }
    }

    /// Buys courses for this duration with `connections` concurrent buyers.
    async fn run(self: &Arc<Self>, connections: u64, length: Duration) -> Outcome<LoadResult> {
        let end = Instant::now() + length;
        load::together(connections, |_| {
            let shop = self.clone();
            async move {
                let mut seen = LoadResult::new()?;
                while Instant::now() < end {
                    seen.record(200, shop.buy(RARE_LOOK).await?.whole);
                }
                Ok(seen)
            }
        })
        .await
    }

    /// Starts purchases at a fixed rate. The result has the times from the submitted card to the usable course.
    async fn offer(self: &Arc<Self>, rate: f64, length: Duration) -> Outcome<LoadResult> {
        let begun = Instant::now();
        let (mut seen, mut buying) = (LoadResult::new()?, JoinSet::new());
        for turn in 0.. {
            let due = Duration::from_secs_f64(f64::from(turn) / rate);
            if due >= length {
                break;
            }
            tokio::time::sleep_until((begun + due).into()).await;
            let shop = self.clone();
            buying.spawn(async move { shop.buy(LOOK).await });
        }
        while let Some(bought) = buying.join_next().await {
            seen.record(200, bought??.since_card);
        }
        seen.elapsed = begun.elapsed();
        Ok(seen)
    }

    /// Buys one course with the buyer who has been idle for the longest time. Checks the course at this
    /// interval.
    async fn buy(&self, interval: Duration) -> Outcome<Purchase> {
        let buyer = self.buyers.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
        let Some(mut buyer) = buyer else { return fail("all courses are sold: pass fewer --seconds") };
        let purchase = buyer.buy(interval).await?;
        if buyer.has_products() {
            self.buyers.lock().unwrap_or_else(PoisonError::into_inner).push_back(buyer);
        }
        Ok(purchase)
    }
}
