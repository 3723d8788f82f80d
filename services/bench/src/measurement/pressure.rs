//! Measures the product under overload and under attack: the effect on other clients.

use std::net::SocketAddr;
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tooling::failure::{Outcome, fail};

use super::load::{self, LoadResult};
use super::pages::Page;
use super::{RATIO_AT, WARM_UP};

/// Number of connections with an unfinished request.
const STRANGERS: usize = 1_000;
/// Logins per second, about twice the capacity of the machine.
const FLOOD: f64 = 200.0;
/// Offered load as a multiple of the capacity.
const TOO_MUCH: f64 = 3.0;
/// Duration of the overload, in measurements of the usual length.
const LONG: u32 = 8;
/// Longest time until latency is back to normal.
const RECOVERY: Duration = Duration::from_secs(10);
/// Number of concurrent connections, as of learners who keep reloading.
const IMPATIENT: usize = 2_000;
/// Number of connections at which the capacity is measured.
const PEAK_AT: u64 = 64;

/// Measures the inventory page under half-open connections, a flood of logins, and three times the capacity.
pub(super) async fn measure(edges: &[SocketAddr], pages: &[Page], length: Duration) -> Outcome {
    let named = |name| pages.iter().find(|page: &&Page| page.name == name);
    let (Some(inventory), Some(login)) = (named("inventory"), named("login")) else {
        return fail("there are no pages to put under pressure");
    };
    half_open(edges, inventory, length).await?;
    flood(edges, inventory, login, length).await?;
    for page in [inventory, login] {
        overload(edges, page, length).await?;
    }
    Ok(())
}

async fn usual(edges: &[SocketAddr], page: &Page, length: Duration) -> Outcome<LoadResult> {
    load::run(edges, &page.requests, RATIO_AT, WARM_UP).await?;
    load::run(edges, &page.requests, RATIO_AT, length).await
}

async fn half_open(edges: &[SocketAddr], page: &Page, length: Duration) -> Outcome {
    let before = usual(edges, page, length).await?;
    let mut strangers = JoinSet::new();
    for edge in edges.iter().cycle().take(STRANGERS) {
        strangers.spawn(stranger(*edge));
    }
    let among = usual(edges, page, length).await?;
    let left = strangers.len();
    strangers.shutdown().await;
    println!(
        "\n{} at {RATIO_AT} connections among {left} half-open ones: p99 {:.2} ms against {:.2} ms, ratio {:.2}",
        page.name,
        among.quantile(0.99),
        before.quantile(0.99),
        among.quantile(0.99) / before.quantile(0.99),
    );
    Ok(())
}

/// Sends an unfinished request, and starts again when the connection is closed.
async fn stranger(edge: SocketAddr) {
    loop {
        let Ok(mut stream) = TcpStream::connect(edge).await else { return };
        let half = b"GET /api/lms/inventory/ HTTP/1.1\r\nhost: x\r\nx-half: ";
        if stream.write_all(half).await.is_ok() {
            // Returns when the edge closes the connection.
            let _ = stream.read(&mut [0; 64]).await;
        }
    }
}

async fn flood(edges: &[SocketAddr], page: &Page, login: &Page, length: Duration) -> Outcome {
    let before = usual(edges, page, length).await?;
    let flood = load::offer(edges, login.any(), FLOOD, IMPATIENT, WARM_UP + length);
    let (logins, under) = tokio::try_join!(flood, usual(edges, page, length))?;
    println!(
        "\n{} at {RATIO_AT} connections under {FLOOD} logins a second ({:.0} a second answered, {} refused): \
         p99 {:.2} ms against {:.2} ms, ratio {:.2}",
        page.name,
        logins.rate(),
        logins.bad,
        under.quantile(0.99),
        before.quantile(0.99),
        under.quantile(0.99) / before.quantile(0.99),
    );
    Ok(())
}

async fn overload(edges: &[SocketAddr], page: &Page, length: Duration) -> Outcome {
    let before = usual(edges, page, length).await?;
    let peak = load::run(edges, &page.requests, PEAK_AT, length).await?.rate();
    let over = load::offer(edges, page.any(), peak * TOO_MUCH, IMPATIENT, length * LONG).await?;
    println!(
        "\n{}, {TOO_MUCH} times its peak of {peak:.0} a second for {:.0} s: {:.0} a second served ({:.2} of the peak), \
         p99 {:.0} ms; {:.0} a second refused (e.g. {}), p99 {:.0} ms",
        page.name,
        over.elapsed.as_secs_f64(),
        over.rate(),
        over.rate() / peak,
        over.quantile(0.99),
        over.bad_rate(),
        over.example.unwrap_or_default(),
        over.bad_quantile(0.99),
    );
    let after = load::run(edges, &page.requests, RATIO_AT, RECOVERY).await?;
    println!(
        "  in the {} s after it: {:.0} a second against {:.0} before, p99 {:.2} ms against {:.2} ms, {} refused",
        RECOVERY.as_secs(),
        after.rate(),
        before.rate(),
        after.quantile(0.99),
        before.quantile(0.99),
        after.bad
    );
    Ok(())
}
