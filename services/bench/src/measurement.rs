//! Measures the product under load. Results are ratios within one run, so they are comparable across machines.
//!
//! Runs a product of the same build as this program, with its own state and a durable PostgreSQL. The load goes directly
//! to the edge.

mod buying;
mod caller;
mod connection;
mod exam;
mod history;
mod idle;
mod load;
mod pages;
mod pgbench;
mod pool;
mod pressure;
mod response_cache;
mod row;
mod search;
mod usage;
mod watching;

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::time::Duration;

use bench::arguments::{
    self, BUYING, CALLER, EXAM, HISTORY, IDLE, POOL, PRESSURE, RESPONSE_CACHE, SEARCH, WATCHING,
};
use bench::fill::{self, PerLearner, USUAL};
use runner::databases::execute;
use runner::foreground::{Stop, raise_file_limit};
use runner::places;
use runner::product::{Options, Product, database_name};
use runner::state::State;
use sqlx::{Connection as _, PgConnection};
use tooling::failure::{Outcome, fail};
use tooling::steps::Steps;

use load::LoadResult;
use pages::{Page, SIGNED_IN};
use pgbench::Comparison;
use row::Row;

/// Numbers of concurrent connections.
const CONNECTIONS: [u64; 3] = [1, 16, 64];
/// Number of connections at which ratios are computed.
const RATIO_AT: u64 = 16;
/// Number of alternations between the product and PostgreSQL alone.
const TURNS: usize = 5;
/// Factor of learners in the second measurement.
const MORE: u32 = 100;
/// Data of each learner: a full page of the inventory.
const EACH: PerLearner = PerLearner { owned: 12, ..USUAL };
/// Time of load before each measurement, to fill pools and prepare plans.
const WARM_UP: Duration = Duration::from_secs(1);

/// Runs the measurements and prints the results.
pub(crate) async fn run(arguments: &arguments::Bench) -> Outcome {
    if arguments.only.as_deref() == Some(CALLER) {
        return caller::measure();
    }
    let mut stop = Stop::listen()?;
    raise_file_limit()?;
    let root = places::state(arguments.at.state.as_deref()).join("bench");
    if let Some(old) = State::existing(&root)? {
        if let Some(pid) = old.runner() {
            return fail(format!("a bench runs already as process {pid}"));
        }
        old.delete()?;
    }
    let steps = Steps::begin();
    let mut bench = Bench {
        product: product(State::open(&root)?, steps, arguments)?,
        steps,
        length: Duration::from_secs(arguments.seconds),
        only: arguments.only.clone(),
        learners: arguments.learners,
    };
    let outcome = tokio::select! {
        outcome = bench.measure() => outcome,
        () = stop.wait() => fail("stopped"),
    };
    bench.product.stop().await;
    outcome
}

/// A measurement without pages needs no site.
fn product(mut state: State, steps: Steps, arguments: &arguments::Bench) -> Outcome<Product> {
    let is_buying = arguments.only.as_deref() == Some(BUYING);
    // All learners have the address of this machine.
    let mut limits = vec!["AUTH_LOGINS_BURST", "AUTH_LOGINS_PER_MINUTE"];
    if is_buying {
        limits.push("EDGE_REQUESTS_PER_ADDRESS");
    }
    let many = limits.into_iter().map(|name| (name.to_owned(), u32::MAX.to_string()));
    let options = Options {
        port: state.port("gateway")?,
        database_url: None,
        site: arguments.only.is_none(),
        is_built: false,
        release: !cfg!(debug_assertions),
        replicas: arguments.processes.replicas,
        traced: false,
        // Each change writes the whole file, which soon takes longer than the rest of a purchase.
        stores_payments: !is_buying,
        settings: many.chain(arguments.processes.set.clone()).collect(),
    };
    Product::new(options, state, steps)
}

struct Bench {
    product: Product,
    steps: Steps,
    length: Duration,
    only: Option<String>,
    learners: u32,
}

impl Bench {
    async fn measure(&mut self) -> Outcome {
        self.product.start().await?;
        println!("\nfrom start to ready:");
        for (name, took) in self.product.ready_times() {
            println!("  {name:<12} {:>6.0} ms", took.as_secs_f64() * 1000.0);
        }
        if self.only.as_deref() == Some(SEARCH) {
            return search::measure(&mut self.connect("lms").await?).await;
        }
        if self.only.as_deref() == Some(POOL) {
            return pool::measure(&self.database_url("lms")?, &self.product.watch()).await;
        }
        if self.only.as_deref() == Some(IDLE) {
            // Otherwise the checkpoint of the import falls into the measurement.
            execute(&mut self.product.server()?.open().await?, "CHECKPOINT".to_owned()).await?;
            return idle::measure(&self.product.watch()).await;
        }
        if self.only.as_deref() == Some(BUYING) {
            let edges = self.product.addresses("edge")?;
            return self.buying(&edges).await;
        }
        let idle = usage::memory(&self.product.watch())?;
        let few = self.fill(self.learners, EACH).await?;
        let edges = &self.product.addresses("edge")?;
        match self.only.as_deref() {
            Some(WATCHING) => return self.watching(edges, &few.emails).await,
            Some(HISTORY) => return self.with_history(edges, &few.emails).await,
            Some(EXAM) => return self.exam(edges, &few).await,
            _ => {}
        }
        let learners = pages::sign_in(edges, &few.emails, SIGNED_IN).await?;
        let all = pages::build_pages(&learners);
        if self.only.as_deref() == Some(RESPONSE_CACHE) {
            return response_cache::measure(edges, &learners).await;
        }
        if self.only.as_deref() == Some(PRESSURE) {
            return pressure::measure(edges, &all, self.length).await;
        }
        let pages: Vec<&Page> = all.iter().filter(|page| self.wants(page.name)).collect();
        println!(
            "\n{:<10} {:>5} {:>9} {:>9} {:>9} {:>12}",
            "page", "conn", "rps", "p50 ms", "p99 ms", "CPU ms/1000"
        );
        for page in &pages {
            for connections in CONNECTIONS {
                self.row(edges, page, connections).await?.print(page.name, connections);
            }
        }
        print_memory(&idle, &usage::memory(&self.product.watch())?);
        if let Some(inventory) = pages.iter().find(|page| page.name == "inventory") {
            self.inventory_against_pgbench(edges, inventory, &few.id_prefix).await?;
            let small = self.measure_again(edges, &few.emails).await?;
            self.with_more(edges, &small).await?;
            if self.only.is_none() {
                pressure::measure(edges, &all, self.length).await?;
                self.watching(edges, &few.emails).await?;
                self.with_history(edges, &few.emails).await?;
                response_cache::measure(edges, &learners).await?;
                pool::measure(&self.database_url("lms")?, &self.product.watch()).await?;
            }
            self.traced(&few.emails).await?;
        }
        if self.only.is_none() {
            let caller = caller::measure();
            // Last, because it leaves a catalogue that no learner uses.
            search::measure(&mut self.connect("lms").await?).await?;
            caller?;
        }
        Ok(())
    }

    /// Connects to the database of a service with the settings of the service.
    async fn connect(&self, service: &str) -> Outcome<PgConnection> {
        Ok(PgConnection::connect(&self.database_url(service)?).await?)
    }

    fn database_url(&self, service: &str) -> Outcome<String> {
        let state = self.product.state();
        let password = state.kept_secret(&format!("{service} database")).unwrap_or_default();
        Ok(self.product.server()?.url(&database_name(state, service), password))
    }

    fn wants(&self, name: &str) -> bool {
        self.only.as_deref().is_none_or(|only| only == name)
    }

    async fn fill(&self, learners: u32, each: PerLearner) -> Outcome<fill::NewLearners> {
        let steps = self.steps;
        let server = self.product.server()?;
        let state = self.product.state();
        let filled = steps
            .step(&format!("fill: {learners} learners"), fill::into(server, state, learners, each, None))
            .await?;
        let mut lms = self.connect("lms").await?;
        // Otherwise autovacuum would do this during the measurement.
        execute(&mut lms, "VACUUM".to_owned()).await?;
        execute(&mut self.product.server()?.open().await?, "CHECKPOINT".to_owned()).await?;
        Ok(filled)
    }

    async fn row(&self, edges: &[SocketAddr], page: &Page, connections: u64) -> Outcome<Row> {
        let watch = self.product.watch();
        load::run(edges, &page.requests, connections, WARM_UP).await?;
        Row::measure(&watch, load::run(edges, &page.requests, connections, self.length)).await
    }

    async fn watching(&self, edges: &[SocketAddr], emails: &[String]) -> Outcome {
        let learners = pages::sign_in(edges, emails, watching::VIEWERS).await?;
        watching::measure(edges, &self.product.watch(), &learners).await
    }

    /// Measures the inventory page with new sessions, at the number of connections of the ratios.
    async fn measure_again(&self, edges: &[SocketAddr], emails: &[String]) -> Outcome<Row> {
        let learners = pages::sign_in(edges, emails, SIGNED_IN).await?;
        let pages = pages::build_pages(&learners);
        match pages.first() {
            Some(page) => self.row(edges, page, RATIO_AT).await,
            None => fail("there are no pages"),
        }
    }

    async fn inventory_against_pgbench(&self, edges: &[SocketAddr], page: &Page, prefix: &str) -> Outcome {
        let comparison = Comparison {
            what: page.name,
            sql: "the page's SQL alone",
            service: "lms",
            script: pgbench::inventory_script(prefix, self.learners),
        };
        let run = async |connections, length| load::run(edges, &page.requests, connections, length).await;
        self.against_pgbench(&comparison, run).await?;
        Ok(())
    }

    /// Alternates between the product and PostgreSQL alone, because the load of the machine varies over time. Returns the
    /// product's rate a second at the number of connections of the ratios.
    async fn against_pgbench(
        &self,
        comparison: &Comparison,
        run: impl AsyncFn(u64, Duration) -> Outcome<LoadResult>,
    ) -> Outcome<f64> {
        let Some(program) = pgbench::program() else {
            println!(
                "\npgbench is missing (Debian: apt-get install postgresql-contrib): no ratio against it"
            );
            return Ok(run(RATIO_AT, self.length).await?.rate());
        };
        let Comparison { what, sql, service, script } = comparison;
        let (state, target) = (self.product.state(), self.target(service)?);
        let turn = Duration::from_secs((self.length.as_secs() / 4).max(1));
        println!(
            "\n{what} against pgbench with {sql}, {TURNS} turns each of {} s, the median of their ratios:",
            turn.as_secs()
        );
        let mut rate = 0.0;
        for connections in CONNECTIONS {
            run(connections, WARM_UP).await?;
            let mut turns = Vec::new();
            for _ in 0..TURNS {
                let ours = run(connections, turn).await?.rate();
                let alone = pgbench::rate(&program, state, &target, script, connections, turn).await?;
                turns.push((ours / alone, ours, alone));
            }
            turns.sort_by(|one, other| one.0.total_cmp(&other.0));
            let (ratio, ours, alone) = turns[TURNS / 2];
            if connections == RATIO_AT {
                rate = ours;
            }
            println!(
                "  {connections:>3} connections: {ours:>7.0} of {alone:>7.0} a second, ratio {ratio:.2} ({:.2} to {:.2})",
                turns[0].0,
                turns[TURNS - 1].0
            );
        }
        Ok(rate)
    }

    /// The database of a service, for pgbench.
    fn target(&self, service: &str) -> Outcome<pgbench::Target<'_>> {
        let state = self.product.state();
        Ok(pgbench::Target {
            server: self.product.server()?,
            name: database_name(state, service),
            password: state.kept_secret(&format!("{service} database")).unwrap_or_default().to_owned(),
        })
    }

    async fn with_more(&self, edges: &[SocketAddr], small: &Row) -> Outcome {
        let many = self.fill(self.learners * (MORE - 1), EACH).await?;
        let large = self.measure_again(edges, &many.emails).await?;
        println!(
            "\ninventory at {RATIO_AT} connections with {MORE} times the learners ({}): p99 {:.2} ms against {:.2} ms, \
             ratio {:.2}; {:.0} against {:.0} a second",
            self.learners * MORE,
            large.seen.quantile(0.99),
            small.seen.quantile(0.99),
            large.p99_to(small),
            large.seen.rate(),
            small.seen.rate(),
        );
        Ok(())
    }

    /// Measures the same page again after a restart without traces, and after one with every span exported.
    async fn traced(&mut self, emails: &[String]) -> Outcome {
        let mut rows = Vec::new();
        let mut arrived = 0;
        for traced in [false, true] {
            self.product.restart(traced).await?;
            let edges = &self.product.addresses("edge")?;
            arrived = self.product.spans().arrived();
            rows.push(self.measure_again(edges, emails).await?);
        }
        arrived = self.product.spans().arrived() - arrived;
        // Exporters drop spans that they cannot send in time.
        println!(
            "\nspans that arrived: {arrived}, for {} answers and those of the warm-up",
            rows[1].seen.answers()
        );
        println!(
            "\ninventory at {RATIO_AT} connections, CPU a request: {:.3} ms without tracing, {:.3} ms with all of it, \
             {:+.3} ms",
            rows[0].processor(),
            rows[1].processor(),
            rows[1].processor() - rows[0].processor()
        );
        Ok(())
    }
}

fn print_memory(idle: &BTreeMap<String, f64>, loaded: &BTreeMap<String, f64>) {
    println!("\nresident memory, MiB: {:>16} {:>8}", "idle", "loaded");
    for (name, now) in loaded {
        println!("  {name:<12} {:>23.1} {now:>8.1}", idle.get(name).copied().unwrap_or_default());
    }
}
