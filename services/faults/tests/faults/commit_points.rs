//! A process is killed at every commit of a purchase, just before the commit and just after it.
//!
//! Triggers in the databases name each commit by the statements of its transaction, and can hold it. First, some purchases
//! are recorded. Then, for each of their commits, a purchase is held there and the process is killed. Its transaction is
//! rolled back, as if the process had been killed before the commit, or is let go, as if it had been killed after the
//! commit and before PostgreSQL's answer.
//!
//! Purchases by card come first. Those at a convenience store and by bank transfer are killed only at the commits that they
//! add. PostgreSQL and the payment provider are killed at the commit that pays the order.

use std::collections::BTreeSet;
use std::fmt;
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

use http::{Method, StatusCode};
use rustix::process::{Signal, test_kill_process};
use serde_json::{Value, json};
use sqlx::{Executor as _, PgConnection, Row as _};
use tokio::task::JoinSet;
use uuid::Uuid;

use crate::learner::Learner;
use crate::product::{Product, RECOVERY, until};
use crate::purchase::{
    Buyers, POLL_PAUSE, PURCHASE, RESTART, buy, check_books, find_now, find_slowest_grant, order_path,
    place_order, read_provider, send_until_answered, submit,
};

/// The services whose databases take part in a purchase.
const SERVICES: [&str; 3] = ["commerce", "lms", "exam"];
/// The product of a seat in a mock exam, which exam grants. The other line of each order is a course, which lms grants.
const SEAT: i64 = 2301;
/// Learners to create. Each buys once.
const BUYERS: usize = 300;
/// Purchases to record. What only some of them commit, e.g. an extended lease, is no commit point.
const RECORDED: usize = 3;
/// Limit for a purchase to reach a commit, and the purchases that may miss it: timing decides about some commits.
const REACH: Duration = Duration::from_secs(10);
const ATTEMPTS: usize = 3;
/// The triggers, in a schema of their own. Statements are told apart by their first 48 characters.
const TRIGGERS: &str = r"
    DROP SCHEMA IF EXISTS commit_watch CASCADE;
    CREATE SCHEMA commit_watch;
    CREATE TABLE commit_watch.seen (n bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text NOT NULL);
    -- The commit that is held: one that was seen.
    CREATE TABLE commit_watch.held (n bigint NOT NULL);

    -- Notes a statement for the name of the commit.
    CREATE FUNCTION commit_watch.note() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
    DECLARE
        noted text := coalesce(current_setting('commit_watch.noted', true), '');
        statement text := left(ltrim(regexp_replace(current_query(), '\s+', ' ', 'g')), 48);
    BEGIN
        IF position(statement IN noted) = 0 THEN
            PERFORM set_config('commit_watch.noted', concat_ws('; ', nullif(noted, ''), statement), true);
        END IF;
        RETURN NULL;
    END $$;

    -- Runs at the commit for each row that was changed. The first row does it all.
    CREATE FUNCTION commit_watch.at_commit() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
    DECLARE
        noted text := coalesce(current_setting('commit_watch.noted', true), '');
        changed jsonb;
    BEGIN
        IF noted = '' THEN
            RETURN NULL;
        END IF;
        PERFORM set_config('commit_watch.noted', '', true);
        changed := CASE TG_OP WHEN 'DELETE' THEN to_jsonb(OLD) ELSE to_jsonb(NEW) END;
        -- Which event it is, of the outbox or of the provider.
        noted := concat_ws(' ', noted, changed ->> 'receiver', changed ->> 'type');
        INSERT INTO commit_watch.seen (name) VALUES (noted);
        IF EXISTS (SELECT FROM commit_watch.held JOIN commit_watch.seen USING (n) WHERE name = noted) THEN
            PERFORM pg_advisory_xact_lock_shared(20);
        END IF;
        RETURN NULL;
    END $$;

    DO $$
    DECLARE
        tables CURSOR FOR
            SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r';
    BEGIN
        FOR t IN tables LOOP
            EXECUTE format(
                'CREATE TRIGGER commit_watch_note AFTER INSERT OR UPDATE OR DELETE ON public.%I
                FOR EACH STATEMENT EXECUTE FUNCTION commit_watch.note()', t.relname);
            EXECUTE format(
                'CREATE CONSTRAINT TRIGGER commit_watch_commit AFTER INSERT OR UPDATE OR DELETE ON public.%I
                DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION commit_watch.at_commit()', t.relname);
        END LOOP;
    END $$";
/// A statement of the commit that pays an order.
const PAID: &str = "UPDATE orders SET state = 'paid'";
/// All kills, those of the committing process first.
const ALL_KILLS: &[Kill] = &[Kill::BeforeCommit, Kill::AfterCommit, Kill::Postgres, Kill::Sandbox];
/// The transactions that are held at a commit.
const HELD: &str = "FROM pg_locks WHERE locktype = 'advisory' AND (classid, objid) = (0, 20) AND NOT granted \
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";

/// A commit that every purchase makes.
struct CommitPoint {
    service: &'static str,
    /// The number of the first such commit in `commit_watch.seen`.
    number: i64,
    /// The statements of its transaction, and the event that they are about.
    name: String,
}

impl fmt::Display for CommitPoint {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}", self.service, self.name)
    }
}

/// What a buyer does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Flow {
    /// Pays by card, and waits for the grants.
    Pays,
    /// Cancels the order.
    Cancels,
    /// Pays by card, and requests the refund of both lines.
    Refunds,
    /// Pays at a convenience store.
    PaysAtStore,
    /// Pays by bank transfer.
    Transfers,
}

impl Flow {
    async fn run(self, learner: &Learner, products: &[i64], provider: &Provider) {
        match self {
            Self::Pays => drop(buy(learner, products, false).await),
            Self::Cancels => drop(buy(learner, products, true).await),
            Self::Refunds => refund_all(learner, &buy(learner, products, false).await).await,
            Self::PaysAtStore => provider.buy(learner, products, "konbini").await,
            Self::Transfers => provider.buy(learner, products, "bank_transfer").await,
        }
    }
}

/// The payment provider, for buyers who pay outside the site.
#[derive(Clone)]
struct Provider {
    /// The file of its state.
    state: PathBuf,
    origin: String,
}

impl Provider {
    fn new(product: &Product) -> Self {
        let address = product.process("sandbox").expect("the sandbox runs").address;
        Self { state: product.state().join("sandbox.json"), origin: format!("http://{address}") }
    }

    /// Orders products, pays as soon as there are instructions, and waits for the grants.
    async fn buy(&self, learner: &Learner, products: &[i64], method: &str) {
        let path = order_path(&place_order(learner, products, method).await);
        loop {
            let order = learner.get_body(&path).await;
            match order["state"].as_str() {
                Some("fulfilled") => return,
                Some("paid") => {}
                Some("awaiting_payment") if order["payment"][method].is_null() => {
                    learner.ask(Method::POST, &format!("{path}pay/"), Some(json!({}))).await;
                }
                Some("awaiting_payment") => self.pay(&order["id"]).await,
                state => panic!("{state:?}: {order}"),
            }
            tokio::time::sleep(POLL_PAUSE).await;
        }
    }

    /// Pays the open payment of an order, unless it was paid already.
    async fn pay(&self, order: &Value) {
        let state = read_provider(&self.state);
        let all = |list: &str| state[list].as_array().cloned().unwrap_or_default();
        let is_open =
            |intent: &Value| intent["status"] == "requires_action" && intent["metadata"]["order"] == *order;
        let Some(intent) = all("intents").into_iter().find(is_open) else { return };
        if intent["method"]["transfer"].is_null() {
            let id = intent["id"].as_str().expect("an intent has an id");
            return submit(&format!("{}/tool/intents/{id}/pay", self.origin), String::new()).await;
        }
        let customer = intent["customer"].as_str().expect("who transfers is a customer");
        // Each transfer is new money.
        if !all("cash_transactions").iter().any(|transfer| transfer["customer"] == customer) {
            let transfer = format!("{}/tool/customers/{customer}/transfer", self.origin);
            submit(&transfer, format!("amount={}", intent["amount"])).await;
        }
    }
}

/// Requests the refund of both lines of an order.
async fn refund_all(learner: &Learner, order: &str) {
    let path = format!("{order}refund/");
    loop {
        let quote = learner.get_body(&path).await;
        let body = json!({ "quote": quote["digest"], "lines": [1, 2] });
        let learner = learner.clone().with("idempotency-key", Uuid::new_v4().to_string());
        let answer = send_until_answered(&learner, &path, &body).await;
        if answer.status == StatusCode::CREATED {
            return;
        }
        assert_eq!(answer.body["code"], "QUOTE_CHANGED", "{}", answer.body);
    }
}

/// Which process is killed at a commit, and what becomes of the transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kill {
    /// The committing process. The transaction is rolled back.
    BeforeCommit,
    /// The committing process. The transaction is committed.
    AfterCommit,
    /// PostgreSQL, before the commit.
    Postgres,
    /// The payment provider, before the commit.
    Sandbox,
}

/// Records the commits in the database of a service, and holds one of them.
struct CommitWatch {
    service: &'static str,
    database: PgConnection,
}

impl CommitWatch {
    async fn install(product: &Product, service: &'static str) -> Self {
        let mut database = product.database(service).await;
        database.execute(sqlx::raw_sql(TRIGGERS)).await.expect("the triggers are made");
        Self { service, database }
    }

    /// Lists the commits after the number `last`, each once with its first number.
    async fn find_seen(&mut self, last: i64) -> Vec<(i64, String)> {
        let seen =
            format!("SELECT min(n), name FROM commit_watch.seen WHERE n > {last} GROUP BY name ORDER BY 1");
        let rows = self.database.fetch_all(sqlx::raw_sql(sqlx::AssertSqlSafe(seen))).await;
        rows.expect("the query succeeds").iter().map(|row| (row.get(0), row.get(1))).collect()
    }

    async fn find_last(&mut self) -> i64 {
        self.count("SELECT coalesce(max(n), 0) FROM commit_watch.seen").await
    }

    /// Holds every transaction at this commit from now on.
    async fn hold(&mut self, number: i64) {
        let hold =
            format!("SELECT pg_advisory_lock(20); INSERT INTO commit_watch.held (n) VALUES ({number})");
        self.database.execute(sqlx::raw_sql(sqlx::AssertSqlSafe(hold))).await.expect("the lock is free");
    }

    /// Whether a transaction is held.
    async fn is_holding(&mut self) -> bool {
        self.count(&format!("SELECT count(*) {HELD}")).await > 0
    }

    /// Rolls the held transaction back.
    async fn end_held(&mut self) {
        let end = format!("SELECT count(*) FILTER (WHERE pg_terminate_backend(pid, 5000)) {HELD}");
        assert!(self.count(&end).await > 0, "a transaction is held");
    }

    /// Lets held transactions commit, and holds none from now on.
    async fn release(&mut self) {
        let release = "DELETE FROM commit_watch.held; SELECT pg_advisory_unlock_all()";
        self.database.execute(sqlx::raw_sql(release)).await.expect("the query succeeds");
    }

    async fn count(&mut self, sql: &str) -> i64 {
        let sql = sqlx::raw_sql(sqlx::AssertSqlSafe(sql.to_owned()));
        self.database.fetch_one(sql).await.expect("the query succeeds").get(0)
    }
}

/// A product with buyers whose commits can be held.
struct Trial {
    product: Product,
    /// When the test began. Earlier orders belong to other tests.
    begun: String,
    buyers: Buyers,
    watches: Vec<CommitWatch>,
    purchases: JoinSet<()>,
    provider: Provider,
    /// Commit points of earlier flows.
    done: BTreeSet<String>,
}

impl Trial {
    async fn start() -> Self {
        let product = Product::start();
        let buyers = Buyers::create(&product, BUYERS).await;
        let mut watches = Vec::new();
        for service in SERVICES {
            watches.push(CommitWatch::install(&product, service).await);
        }
        let commerce = &mut watches[0].database;
        let places = format!("UPDATE product SET places = 1000000 WHERE id = {SEAT}");
        commerce.execute(sqlx::raw_sql(sqlx::AssertSqlSafe(places))).await.expect("there is a seat");
        let begun = find_now(commerce).await;
        let provider = Provider::new(&product);
        Self { product, begun, buyers, watches, purchases: JoinSet::new(), provider, done: BTreeSet::new() }
    }

    /// Starts a purchase of a course and a seat.
    async fn begin_purchase(&mut self, flow: Flow) {
        let mut buyer = self.buyers.sign_in_next().await.expect("there are enough learners");
        let course = buyer.products.pop().expect("the learner can buy a course");
        let provider = self.provider.clone();
        self.purchases.spawn(async move {
            let products = [course, SEAT];
            let purchase = flow.run(&buyer.learner, &products, &provider);
            tokio::time::timeout(PURCHASE, purchase).await.expect("a purchase finishes in time");
        });
    }

    /// Waits until all purchases have finished and the queues are empty.
    async fn end_purchases(&mut self) {
        while let Some(purchase) = self.purchases.join_next().await {
            purchase.expect("a purchase succeeds");
        }
        let waiting = "SELECT (SELECT count(*) FROM outbox) \
            + (SELECT count(*) FROM provider_event WHERE processed_at IS NULL) \
            + (SELECT count(*) FROM refund WHERE state IN ('requested', 'pending'))";
        let commerce = &mut self.watches[0];
        until(RESTART, "the queues are empty", async || commerce.count(waiting).await == 0).await;
    }

    /// Records some purchases, and returns the commits that all of them made, without those of earlier flows.
    async fn find_points(&mut self, flow: Flow) -> Vec<CommitPoint> {
        let mut points: Vec<CommitPoint> = Vec::new();
        for purchase in 0..RECORDED {
            let mut last = Vec::new();
            for watch in &mut self.watches {
                last.push(watch.find_last().await);
            }
            self.begin_purchase(flow).await;
            self.end_purchases().await;
            let mut seen = Vec::new();
            for (watch, last) in self.watches.iter_mut().zip(last) {
                let service = watch.service;
                let commits = watch.find_seen(last).await.into_iter();
                seen.extend(commits.map(|(number, name)| CommitPoint { service, number, name }));
            }
            if purchase == 0 {
                points = seen;
            } else {
                points.retain(|point| {
                    seen.iter().any(|other| (other.service, &other.name) == (point.service, &point.name))
                });
            }
        }
        points.retain(|point| self.done.insert(point.to_string()));
        points
    }

    /// Begins purchases until one is held at a commit. Returns whether one is.
    async fn reach(&mut self, flow: Flow, at: usize) -> bool {
        for _ in 0..ATTEMPTS {
            self.begin_purchase(flow).await;
            let begun = Instant::now();
            while begun.elapsed() < REACH {
                if self.watches[at].is_holding().await {
                    return true;
                }
                tokio::time::sleep(POLL_PAUSE).await;
            }
        }
        false
    }

    /// Kills a process while a purchase is held at a commit. Returns once the process is ready again, or `false` if no
    /// purchase reached the commit.
    async fn kill_at(&mut self, flow: Flow, point: &CommitPoint, kill: Kill) -> bool {
        let at = self
            .watches
            .iter()
            .position(|watch| watch.service == point.service)
            .expect("the service has a watch");
        self.watches[at].hold(point.number).await;
        if !self.reach(flow, at).await {
            self.watches[at].release().await;
            return false;
        }
        let watch = &mut self.watches[at];
        let victim = match kill {
            Kill::BeforeCommit | Kill::AfterCommit => point.service,
            Kill::Postgres => "postgres",
            Kill::Sandbox => "sandbox",
        };
        let killed = self.product.signal(victim, Signal::KILL);
        until(RESTART, &format!("{victim} is dead"), async || test_kill_process(killed).is_err()).await;
        if kill == Kill::BeforeCommit {
            watch.end_held().await;
        }
        if kill != Kill::Postgres {
            watch.release().await;
        }
        let product = &self.product;
        until(RESTART, &format!("{victim} is ready again"), async || product.is_replaced(victim, killed))
            .await;
        if kill == Kill::Postgres {
            for watch in &mut self.watches {
                watch.database = product.database(watch.service).await;
            }
            self.watches[at].release().await;
        }
        true
    }

    /// Asserts that the orders were granted within 5 s of `recovered`, once each, and that the books agree.
    async fn assert_settled(&mut self, recovered: &str, when: &str) -> Duration {
        self.end_purchases().await;
        let slowest = find_slowest_grant(&mut self.watches[0].database, recovered).await;
        assert!(slowest < RECOVERY, "{when}: granted {slowest:?} after the recovery");
        check_books(&self.product, when).await;
        let twice = format!(
            "SELECT count(*) FROM (SELECT FROM orders WHERE placed_at > '{}' GROUP BY account_id HAVING count(*) > 1) AS twice",
            self.begun
        );
        assert_eq!(self.watches[0].count(&twice).await, 0, "{when}: one purchase is one order");
        slowest
    }

    /// Removes the triggers, and runs `commerce audit`.
    async fn audit(&mut self) {
        for watch in &mut self.watches {
            let remove = "DROP SCHEMA commit_watch CASCADE";
            watch.database.execute(remove).await.expect("the triggers can be removed");
        }
        let sandbox = self.product.process("sandbox").expect("the sandbox runs").address;
        let audit = Command::new(faults::find_program("commerce"))
            .arg("audit")
            .env_clear()
            .env("COMMERCE_DATABASE_URL", self.product.database_url("commerce").await)
            .env("COMMERCE_PROVIDER_URL", format!("http://{sandbox}"))
            .env("COMMERCE_PROVIDER_KEY", format!("sk_test_{}", self.product.secret("provider key")))
            .env(
                "COMMERCE_PROVIDER_WEBHOOK_SECRET",
                format!("whsec_{}", self.product.secret("provider webhook")),
            )
            .output()
            .expect("the command runs");
        let report = String::from_utf8_lossy(&audit.stdout);
        assert!(audit.status.success(), "{report}{}", String::from_utf8_lossy(&audit.stderr));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_purchase_survives_a_kill_of_the_committing_process_at_each_commit() {
    let mut trial = Trial::start().await;
    let (mut slowest, mut done, mut missed) = (Duration::ZERO, 0, 0);
    for flow in [Flow::Pays, Flow::PaysAtStore, Flow::Transfers] {
        let points = trial.find_points(flow).await;
        assert!(!points.is_empty(), "{flow:?} commits something");
        if flow == Flow::Pays {
            for service in SERVICES {
                assert!(points.iter().any(|point| point.service == service), "{service} commits something");
            }
        }
        for point in &points {
            println!("{flow:?}: {point}");
            let kills = if point.name.contains(PAID) { ALL_KILLS } else { &ALL_KILLS[..2] };
            // The next purchase begins while this one recovers: waiting for each would take minutes.
            for &kill in kills {
                if trial.kill_at(flow, point, kill).await {
                    done += 1;
                } else {
                    println!("{kill:?}: no purchase reached it");
                    missed += 1;
                }
            }
        }
        let recovered = find_now(&mut trial.watches[0].database).await;
        slowest = slowest.max(trial.assert_settled(&recovered, &format!("after {flow:?}")).await);
    }
    trial.audit().await;
    println!("{done} kills, {missed} not reached, granted at most {slowest:?} after the last recovery");
    assert!(missed * 10 < done, "most kills happened");
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "takes many minutes: four kills at each commit, each with a check of the books"]
async fn a_purchase_survives_a_kill_of_any_process_at_each_commit() {
    let mut trial = Trial::start().await;
    let (mut slowest, mut kills) = (Duration::ZERO, 0);
    for flow in [Flow::Pays, Flow::PaysAtStore, Flow::Transfers, Flow::Cancels, Flow::Refunds] {
        for point in trial.find_points(flow).await {
            for &kill in ALL_KILLS {
                let when = format!("{flow:?}, {kill:?} at {point}");
                if !trial.kill_at(flow, &point, kill).await {
                    println!("{when}: no purchase reached it");
                    continue;
                }
                let recovered = find_now(&mut trial.watches[0].database).await;
                let granted = trial.assert_settled(&recovered, &when).await;
                println!("{when}: granted {granted:?} after the recovery");
                slowest = slowest.max(granted);
                kills += 1;
            }
        }
    }
    trial.audit().await;
    println!("{kills} kills, granted at most {slowest:?} after a recovery");
}
