//! commerce, lms, PostgreSQL and the payment provider are killed repeatedly while people buy. Every
//! paid order is granted exactly once, no unpaid order is granted, and the ledger agrees with the
//! provider to the yen.

use std::collections::VecDeque;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use http::{Method, StatusCode};
use rustix::process::Signal;
use serde_json::{Value, json};
use sqlx::{Executor as _, Row as _};
use tokio::task::JoinSet;
use uuid::Uuid;

use crate::learner::{Answer, Learner};
use crate::product::{Product, RECOVERY, setting, until};

/// The processes to kill, in turn.
const VICTIMS: [&str; 4] = ["commerce", "lms", "postgres", "sandbox"];
/// Kills before each check of the ledger, and the number of rounds. `FAULTS_ROUNDS` sets another
/// number of rounds: 10 rounds are 200 kills.
const KILLS: usize = 20;
const ROUNDS: usize = 4;
/// Buyers at once.
const AT_ONCE: usize = 6;
/// Learners to create. Each owns six courses at the start.
const BUYERS: usize = 160;
/// Upper limit of the load before each kill, in milliseconds. The durations are remainders of
/// multiples, so two kills in a row do not hit the same step.
const LOAD: u64 = 180;
/// Limit for a killed process to be ready again. After several kills its restart is delayed.
pub(crate) const RESTART: Duration = Duration::from_secs(30);
/// Pause between two requests.
pub(crate) const POLL_PAUSE: Duration = Duration::from_millis(25);
/// Limit for one purchase, including all faults.
pub(crate) const PURCHASE: Duration = Duration::from_mins(2);
/// The buyer cancels one order of this many.
const CANCELS: usize = 7;

#[tokio::test(flavor = "multi_thread")]
async fn every_paid_order_is_granted_once_despite_kills() {
    let product = Product::start();
    let queue = Arc::new(Mutex::new(buyers(&product).await));
    let bought = Arc::new(AtomicUsize::new(0));
    let mut slowest = Duration::ZERO;
    let rounds = setting("FAULTS_ROUNDS").map_or(ROUNDS, |text| {
        text.into_string().ok().and_then(|text| text.parse().ok()).expect("FAULTS_ROUNDS is a number")
    });
    for round in 0..rounds {
        let stop = Arc::new(AtomicBool::new(false));
        let mut buying = JoinSet::new();
        for _ in 0..AT_ONCE {
            buying.spawn(buy_until(queue.clone(), bought.clone(), stop.clone()));
        }
        for kill in 0..KILLS {
            let number = round * KILLS + kill;
            let load = (number as u64 * 7_919) % LOAD;
            tokio::time::sleep(Duration::from_millis(load)).await;
            // Each round starts and ends with a different process.
            let name = VICTIMS[(number + round) % VICTIMS.len()];
            let killed = product.signal(name, Signal::KILL);
            until(RESTART, &format!("{name} is ready again"), async || product.is_replaced(name, killed))
                .await;
        }
        let mut commerce = product.database("commerce").await;
        let recovered = find_now(&mut commerce).await;
        stop.store(true, Ordering::Relaxed);
        buying.join_all().await;
        slowest = slowest.max(find_slowest_grant(&mut commerce, &recovered).await);
        assert!(slowest < RECOVERY, "round {round}: granted {slowest:?} after the recovery");
        check_books(&product, &format!("round {round}")).await;
    }
    let bought = bought.load(Ordering::Relaxed);
    println!(
        "{} kills, {bought} orders settled, granted at most {slowest:?} after the recovery",
        KILLS * rounds
    );
    assert!(bought > KILLS * rounds / 4, "enough orders were settled: {bought}");
}

/// Returns the time of PostgreSQL as text.
pub(crate) async fn find_now(database: &mut sqlx::PgConnection) -> String {
    database.fetch_one("SELECT now()::text").await.expect("the query succeeds").get(0)
}

/// Returns the longest time until an order was granted: from its payment, or from `recovered` if it was paid before.
pub(crate) async fn find_slowest_grant(commerce: &mut sqlx::PgConnection, recovered: &str) -> Duration {
    let late = format!(
        "SELECT coalesce(extract(epoch FROM max(fulfilled_at - greatest(paid_at, '{recovered}'))), 0)::float8 \
         FROM orders WHERE fulfilled_at > '{recovered}'"
    );
    let late = commerce.fetch_one(sqlx::raw_sql(sqlx::AssertSqlSafe(late))).await;
    Duration::from_secs_f64(late.expect("the query succeeds").get(0))
}

/// A learner, and the courses that they can buy.
pub(crate) struct Buyer {
    pub(crate) learner: Learner,
    pub(crate) products: Vec<i64>,
}

/// Learners with six courses each who have not signed in.
pub(crate) struct Buyers {
    stranger: Learner,
    products: Vec<Value>,
    /// The email address and the password of each.
    waiting: VecDeque<(String, String)>,
}

impl Buyers {
    /// Creates `count` learners.
    pub(crate) async fn create(product: &Product, count: usize) -> Self {
        let waiting = product.add_learners(count).into();
        // Minors need consent to buy.
        let adults = "UPDATE account SET birth_date = '2001-04-02' WHERE email LIKE '%@fill.example'";
        product.database("auth").await.execute(adults).await.expect("the birth dates can be changed");
        let stranger = Learner::stranger(&product.origin);
        let products = stranger.get_pages("/api/commerce/product/").await;
        Self { stranger, products, waiting }
    }

    /// Signs the next learner in, and lists the courses that they can buy.
    pub(crate) async fn sign_in_next(&mut self) -> Option<Buyer> {
        let (email, password) = self.waiting.pop_front()?;
        let learner = self.stranger.sign_in_as(&email, &password).await;
        let owned = learner.get_pages("/api/lms/inventory/").await;
        let owned: Vec<_> = owned.iter().map(|item| &item["course"]["id"]).collect();
        let products = self
            .products
            .iter()
            .filter(|product| product["kind"] == "course" && !owned.contains(&&product["course_id"]))
            .filter_map(|product| product["id"].as_i64())
            .collect();
        Some(Buyer { learner, products })
    }
}

/// Signs all learners in.
async fn buyers(product: &Product) -> VecDeque<Buyer> {
    let mut buyers = Buyers::create(product, BUYERS).await;
    let mut signed_in = VecDeque::new();
    while let Some(buyer) = buyers.sign_in_next().await {
        signed_in.push_back(buyer);
    }
    signed_in
}

/// Buys one course after the other until `stop`.
async fn buy_until(queue: Arc<Mutex<VecDeque<Buyer>>>, bought: Arc<AtomicUsize>, stop: Arc<AtomicBool>) {
    while !stop.load(Ordering::Relaxed) {
        let buyer = queue.lock().expect("no thread panicked with the lock").pop_front();
        let Some(mut buyer) = buyer else { panic!("all courses are sold: fill in more buyers") };
        if let Some(product) = buyer.products.pop() {
            let number = bought.fetch_add(1, Ordering::Relaxed);
            let products = [product];
            let purchase = buy(&buyer.learner, &products, number.is_multiple_of(CANCELS));
            tokio::time::timeout(PURCHASE, purchase).await.expect("a purchase finishes in time");
        }
        if !buyer.products.is_empty() {
            queue.lock().expect("no thread panicked with the lock").push_back(buyer);
        }
    }
}

/// Buys products as the site does. Retries everything that fails. Returns the path of the order.
pub(crate) async fn buy(learner: &Learner, products: &[i64], cancels: bool) -> String {
    let path = order_path(&place_order(learner, products, "card").await);
    if cancels {
        learner.send_until_accepted(Method::POST, &format!("{path}cancel/"), Some(json!({}))).await;
        let order = learner.get_body(&path).await;
        assert_eq!(order["state"], "cancelled", "an unpaid order is cancelled: {order}");
        return path;
    }
    loop {
        let order = learner.get_body(&path).await;
        match order["state"].as_str() {
            Some("fulfilled") => return path,
            Some("paid") => {}
            Some("awaiting_payment") => match order["payment"]["page_url"].as_str() {
                Some(page) => {
                    pay(page).await;
                    learner.ask(Method::POST, &format!("{path}check/"), Some(json!({}))).await;
                }
                None => drop(learner.ask(Method::POST, &format!("{path}pay/"), Some(json!({}))).await),
            },
            state => panic!("{state:?}: {order}"),
        }
        tokio::time::sleep(POLL_PAUSE).await;
    }
}

/// Returns the path of an order.
pub(crate) fn order_path(order: &Value) -> String {
    format!("/api/commerce/order/{}/", order["id"].as_str().expect("an order has an id"))
}

/// Orders products. The idempotency key stays the same until there is an answer.
pub(crate) async fn place_order(learner: &Learner, products: &[i64], method: &str) -> Value {
    for product in products {
        let line = json!({ "product": product, "learner": null });
        learner.send_until_accepted(Method::POST, "/api/commerce/cart/line/", Some(line)).await;
    }
    loop {
        let confirmation = learner.get_body(&format!("/api/commerce/confirmation/?method={method}")).await;
        let body = json!({ "confirmation": confirmation["digest"], "method": method });
        let learner = learner.clone().with("idempotency-key", Uuid::new_v4().to_string());
        let answer = send_until_answered(&learner, "/api/commerce/order/", &body).await;
        if answer.status == StatusCode::CREATED {
            return answer.body;
        }
        assert_eq!(answer.body["code"], "CONFIRMATION_CHANGED", "{}", answer.body);
    }
}

/// Sends the same request until its outcome is known.
pub(crate) async fn send_until_answered(learner: &Learner, path: &str, body: &Value) -> Answer {
    loop {
        let answer = learner.ask(Method::POST, path, Some(body.clone())).await;
        // The first request may still be running.
        if !answer.status.is_server_error() && answer.body["code"] != "IDEMPOTENCY_KEY_IN_USE" {
            return answer;
        }
        tokio::time::sleep(POLL_PAUSE).await;
    }
}

/// Submits a card on the provider's page.
async fn pay(page: &str) {
    submit(page, "number=4242+4242+4242+4242&expiry=12%2F34&cvc=123".to_owned()).await;
}

/// Submits a form to the provider. Ignores errors, because the provider may be dead.
pub(crate) async fn submit(url: &str, form: String) {
    let client =
        hyper_util::client::legacy::Client::builder(hyper_util::rt::TokioExecutor::new()).build_http();
    let request = http::Request::post(url)
        .header("content-type", "application/x-www-form-urlencoded")
        .body(http_body_util::Full::new(bytes::Bytes::from(form)))
        .expect("the request is valid");
    let _ = tokio::time::timeout(RECOVERY, client.request(request)).await;
}

/// Checks that the ledger, the entitlements and the provider agree.
pub(crate) async fn check_books(product: &Product, when: &str) {
    let mut commerce = product.database("commerce").await;
    for (what, sql) in [
        (
            "a journal that does not sum to zero",
            "SELECT journal_id::text FROM posting GROUP BY journal_id HAVING sum(amount) <> 0",
        ),
        (
            "a paid order without exactly one payment of its total",
            "SELECT orders.id::text FROM orders LEFT JOIN payment ON order_id = orders.id \
             AND payment.state = 'succeeded' \
             WHERE orders.state = 'fulfilled' GROUP BY orders.id HAVING count(payment.id) <> 1 OR sum(amount) <> total",
        ),
        (
            "an unfinished order after the last purchase",
            "SELECT id::text FROM orders WHERE state IN ('awaiting_payment', 'paid')",
        ),
        (
            "an open receivable",
            "SELECT sum(amount)::text FROM posting WHERE account = 1 HAVING sum(amount) <> 0",
        ),
    ] {
        let found: Vec<String> =
            commerce.fetch_all(sql).await.expect("the query succeeds").iter().map(|row| row.get(0)).collect();
        assert!(found.is_empty(), "{when}: {what}: {found:?}");
    }
    let lines = "SELECT order_id || ':' || n, learner_id::text FROM order_line JOIN orders ON orders.id = order_id \
                 WHERE state = 'fulfilled' AND course_id IS NOT NULL";
    let sold = rows(&mut commerce, lines).await;
    let sources = "SELECT id, learner_id::text FROM entitlement_source \
                   WHERE kind = 'order_line' AND inventory_id IS NOT NULL AND revoked_at IS NULL";
    let granted = rows(&mut product.database("lms").await, sources).await;
    assert_eq!(granted, sold, "{when}: exactly the paid courses are granted");
    let lines = "SELECT order_id || ':' || n, learner_id::text FROM order_line JOIN orders ON orders.id = order_id \
                 WHERE state = 'fulfilled' AND exam_id IS NOT NULL";
    let sold = rows(&mut commerce, lines).await;
    let seats = "SELECT order_line_id, learner_id::text FROM seat \
                 WHERE order_line_id IS NOT NULL AND revoked_at IS NULL";
    let granted = rows(&mut product.database("exam").await, seats).await;
    assert_eq!(granted, sold, "{when}: exactly the paid seats are granted");
    // Cash and fees: a kill may bring the booking of fees forward.
    let cash = "SELECT coalesce(sum(amount), 0)::bigint FROM posting WHERE account IN (2, 9)";
    let cash: i64 = commerce.fetch_one(cash).await.expect("the query succeeds").get(0);
    assert_eq!(cash, collected(product), "{when}: the ledger and the provider agree");
}

/// Returns two text columns, sorted.
async fn rows(database: &mut sqlx::PgConnection, sql: &'static str) -> Vec<(String, String)> {
    let rows = database.fetch_all(sql).await.expect("the query succeeds");
    let mut rows: Vec<_> = rows.iter().map(|row| (row.get(0), row.get(1))).collect();
    rows.sort();
    rows
}

/// Reads the state of the provider.
pub(crate) fn read_provider(file: &Path) -> Value {
    let state = fs::read(file).expect("the provider's state can be read");
    serde_json::from_slice(&state).expect("the provider's state is JSON")
}

/// Returns the yen that the provider collected and did not refund.
fn collected(product: &Product) -> i64 {
    let state = read_provider(&product.state().join("sandbox.json"));
    let sum = |list: &str, status: &str| -> i64 {
        let items = state[list].as_array().into_iter().flatten();
        items.filter(|item| item["status"] == status).filter_map(|item| item["amount"].as_i64()).sum()
    };
    sum("intents", "succeeded") - sum("refunds", "succeeded")
}
