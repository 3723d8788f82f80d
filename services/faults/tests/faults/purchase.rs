//! commerce, lms, PostgreSQL and the payment provider die, again and again, while people buy: every paid order is granted
//! exactly once, none is granted unpaid, and the books agree with the provider to the yen.

use std::collections::VecDeque;
use std::fs;
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

/// Who dies, one after the other.
const VICTIMS: [&str; 4] = ["commerce", "lms", "postgres", "sandbox"];
/// Kills between two looks at the books, and how often that is done. `FAULTS_ROUNDS` sets another number of rounds: 10 are
/// 200 kills.
const KILLS: usize = 20;
const ROUNDS: usize = 4;
/// Buyers at once.
const AT_ONCE: usize = 6;
/// Of these courses a buyer owns six.
const BUYERS: usize = 160;
/// How long people buy before something dies, in milliseconds: the remainders of a multiplication, so that no two kills in
/// a row hit the same step.
const LOAD: u64 = 180;
/// How long a killed process may take to serve again: one that was killed often is started again after a while.
const RESTART: Duration = Duration::from_secs(30);
/// Between two questions.
const BREATH: Duration = Duration::from_millis(25);
/// How long one purchase may take, with all that dies meanwhile.
const PURCHASE: Duration = Duration::from_mins(2);
/// Every so many orders, the buyer changes their mind.
const CANCELS: usize = 7;

#[tokio::test(flavor = "multi_thread")]
async fn every_paid_order_is_granted_once_whatever_dies() {
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
            // Each round ends with another one.
            let name = VICTIMS[(number + round) % VICTIMS.len()];
            let killed = product.signal(name, Signal::KILL);
            until(RESTART, &format!("{name} serves again"), async || product.is_replaced(name, killed)).await;
        }
        let mut commerce = product.database("commerce").await;
        let recovered = "SELECT now()::text";
        let recovered: String = commerce.fetch_one(recovered).await.expect("it answers").get(0);
        stop.store(true, Ordering::Relaxed);
        buying.join_all().await;
        // From its payment, or from the recovery if it was paid before.
        let late = format!(
            "SELECT coalesce(extract(epoch FROM max(fulfilled_at - greatest(paid_at, '{recovered}'))), 0)::float8 \
             FROM orders WHERE fulfilled_at > '{recovered}'"
        );
        let late = sqlx::raw_sql(sqlx::AssertSqlSafe(late));
        let late: f64 = commerce.fetch_one(late).await.expect("it answers").get(0);
        slowest = slowest.max(Duration::from_secs_f64(late));
        assert!(slowest < RECOVERY, "round {round}: granted {slowest:?} after the recovery");
        check_books(&product, round).await;
    }
    let bought = bought.load(Ordering::Relaxed);
    println!(
        "{} kills, {bought} orders settled, granted at most {slowest:?} after the recovery",
        KILLS * rounds
    );
    assert!(bought > KILLS * rounds / 4, "there was something to lose: {bought} orders");
}

/// A learner, and the products that they do not own yet.
struct Buyer {
    learner: Learner,
    products: Vec<i64>,
}

/// Learners with six courses each, and the courses that they can buy.
async fn buyers(product: &Product) -> VecDeque<Buyer> {
    let list = product.state().join("buyers.csv");
    let count = BUYERS.to_string();
    product.run_command(&["fill", "--learners", &count, "--csv", list.to_str().expect("the path is a text")]);
    let list = fs::read_to_string(&list).expect("there are learners");
    // Minors may not buy without consent.
    let adults = "UPDATE account SET birth_date = '2001-04-02' WHERE email LIKE '%@fill.example'";
    product.database("auth").await.execute(adults).await.expect("they are of age");
    let stranger = Learner::stranger(&product.origin);
    let products = stranger.get_pages("/api/commerce/product/").await;
    let mut buyers = VecDeque::new();
    for line in list.lines().skip(1) {
        let (email, password) = line.split_once(',').expect("it is an address and a password");
        let body = json!({ "email": email, "password": password });
        let answer = stranger.send_until_accepted(Method::POST, "/api/accounts/login/", Some(body)).await;
        let learner = stranger.clone().signed_in(&answer);
        let owned = learner.get_pages("/api/lms/inventory/").await;
        let owned: Vec<_> = owned.iter().map(|item| &item["course"]["id"]).collect();
        let products = products
            .iter()
            .filter(|product| product["kind"] == "course" && !owned.contains(&&product["course_id"]))
            .filter_map(|product| product["id"].as_i64())
            .collect();
        buyers.push_back(Buyer { learner, products });
    }
    buyers
}

/// Buys one course after the other until told to stop.
async fn buy_until(queue: Arc<Mutex<VecDeque<Buyer>>>, bought: Arc<AtomicUsize>, stop: Arc<AtomicBool>) {
    while !stop.load(Ordering::Relaxed) {
        let buyer = queue.lock().expect("nobody panicked here").pop_front();
        let Some(mut buyer) = buyer else { panic!("all courses are sold: fill in more buyers") };
        if let Some(product) = buyer.products.pop() {
            let number = bought.fetch_add(1, Ordering::Relaxed);
            let purchase = buy(&buyer.learner, product, number.is_multiple_of(CANCELS));
            tokio::time::timeout(PURCHASE, purchase).await.expect("a purchase comes to its end");
        }
        if !buyer.products.is_empty() {
            queue.lock().expect("nobody panicked here").push_back(buyer);
        }
    }
}

/// Buys a product as the site does; whatever fails is tried again.
async fn buy(learner: &Learner, product: i64, cancels: bool) {
    let line = json!({ "product": product, "learner": null });
    learner.send_until_accepted(Method::POST, "/api/commerce/cart/line/", Some(line)).await;
    let order = place(learner).await;
    let path = format!("/api/commerce/order/{}/", order["id"].as_str().expect("it has an id"));
    if cancels {
        learner.send_until_accepted(Method::POST, &format!("{path}cancel/"), Some(json!({}))).await;
        let order = learner.get_body(&path).await;
        assert_eq!(order["state"], "cancelled", "nobody has paid it: {order}");
        return;
    }
    loop {
        let order = learner.get_body(&path).await;
        match order["state"].as_str() {
            Some("fulfilled") => return,
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
        tokio::time::sleep(BREATH).await;
    }
}

/// Places an order for what is in the cart. The key stays the same until there is an answer.
async fn place(learner: &Learner) -> Value {
    loop {
        let confirmation = learner.get_body("/api/commerce/confirmation/").await;
        let body = json!({ "confirmation": confirmation["digest"], "method": "card" });
        let learner = learner.clone().with("idempotency-key", Uuid::new_v4().to_string());
        let answer = send_until_answered(&learner, "/api/commerce/order/", &body).await;
        if answer.status == StatusCode::CREATED {
            return answer.body;
        }
        assert_eq!(answer.body["code"], "CONFIRMATION_CHANGED", "{}", answer.body);
    }
}

/// Sends the same request until its outcome is known.
async fn send_until_answered(learner: &Learner, path: &str, body: &Value) -> Answer {
    loop {
        let answer = learner.ask(Method::POST, path, Some(body.clone())).await;
        // The first one may still be under way.
        if !answer.status.is_server_error() && answer.body["code"] != "IDEMPOTENCY_KEY_IN_USE" {
            return answer;
        }
        tokio::time::sleep(BREATH).await;
    }
}

/// Types a card on the provider's page. The provider may be dead.
async fn pay(page: &str) {
    let _ = tokio::time::timeout(RECOVERY, send_card(page)).await;
}

async fn send_card(page: &str) -> Result<(), hyper_util::client::legacy::Error> {
    let client =
        hyper_util::client::legacy::Client::builder(hyper_util::rt::TokioExecutor::new()).build_http();
    let card = "number=4242+4242+4242+4242&expiry=12%2F34&cvc=123";
    let request = http::Request::post(page)
        .header("content-type", "application/x-www-form-urlencoded")
        .body(http_body_util::Full::new(bytes::Bytes::from_static(card.as_bytes())))
        .expect("it is a request");
    client.request(request).await.map(drop)
}

/// The books, what was granted, and what the provider says: they agree.
async fn check_books(product: &Product, round: usize) {
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
            "an order that waits although nobody buys any more",
            "SELECT id::text FROM orders WHERE state IN ('awaiting_payment', 'paid')",
        ),
        (
            "an open receivable",
            "SELECT sum(amount)::text FROM posting WHERE account = 1 HAVING sum(amount) <> 0",
        ),
    ] {
        let found: Vec<String> =
            commerce.fetch_all(sql).await.expect("it answers").iter().map(|row| row.get(0)).collect();
        assert!(found.is_empty(), "round {round}: {what}: {found:?}");
    }
    let lines = "SELECT order_id || ':' || n, learner_id::text FROM order_line JOIN orders ON orders.id = order_id \
                 WHERE state = 'fulfilled' AND course_id IS NOT NULL";
    let sold = rows(&mut commerce, lines).await;
    let sources = "SELECT id, learner_id::text FROM entitlement_source \
                   WHERE kind = 'order_line' AND inventory_id IS NOT NULL";
    let granted = rows(&mut product.database("lms").await, sources).await;
    assert_eq!(granted, sold, "round {round}: what was paid is granted, and nothing else");
    let cash = "SELECT coalesce(sum(amount), 0)::bigint FROM posting WHERE account = 2";
    let cash: i64 = commerce.fetch_one(cash).await.expect("it sums").get(0);
    assert_eq!(cash, collected(product), "round {round}: the ledger and the provider agree");
}

/// Two columns of text, sorted.
async fn rows(database: &mut sqlx::PgConnection, sql: &'static str) -> Vec<(String, String)> {
    let rows = database.fetch_all(sql).await.expect("it answers");
    let mut rows: Vec<_> = rows.iter().map(|row| (row.get(0), row.get(1))).collect();
    rows.sort();
    rows
}

/// The yen that the provider has collected and not given back.
fn collected(product: &Product) -> i64 {
    let state = fs::read(product.state().join("sandbox.json")).expect("the provider's state is a file");
    let state: Value = serde_json::from_slice(&state).expect("it is JSON");
    let sum = |list: &str, status: &str| -> i64 {
        let items = state[list].as_array().into_iter().flatten();
        items.filter(|item| item["status"] == status).filter_map(|item| item["amount"].as_i64()).sum()
    };
    sum("intents", "succeeded") - sum("refunds", "succeeded")
}
