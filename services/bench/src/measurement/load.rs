//! Load generators. Closed: each connection sends the next request after the last response. Open: requests
//! are sent at a fixed rate, independent of responses.
//!
//! The generator shares the machine with the product, so it does little: requests are built beforehand, and
//! responses are only read and counted.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use bytes::Bytes;
use hdrhistogram::Histogram;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tooling::failure::{Outcome, fail};

use super::connection::Connection;

/// Upper bound of the histogram: one minute, in microseconds.
const LONGEST: u64 = 60_000_000;

/// The responses to a load.
pub(super) struct LoadResult {
    /// Responses with a status below 400.
    pub(super) good: u64,
    /// All other responses.
    pub(super) bad: u64,
    /// Status of one of these, for the report.
    pub(super) example: Option<u16>,
    /// Duration of the load.
    pub(super) elapsed: Duration,
    good_times: Histogram<u64>,
    bad_times: Histogram<u64>,
}

impl LoadResult {
    /// Describes the failed requests for the end of a printed line. Empty if there are none.
    pub(super) fn describe_failures(&self) -> String {
        self.example.map_or_else(String::new, |status| format!("; {} failed, e.g. with {status}", self.bad))
    }

    pub(super) fn new() -> Outcome<Self> {
        let times = Histogram::new_with_bounds(1, LONGEST, 3)?;
        Ok(Self {
            good: 0,
            bad: 0,
            example: None,
            elapsed: Duration::ZERO,
            good_times: times.clone(),
            bad_times: times,
        })
    }

    pub(super) fn record(&mut self, status: u16, time: Duration) {
        let microseconds = u64::try_from(time.as_micros()).unwrap_or(LONGEST).max(1);
        if status < 400 {
            self.good += 1;
            self.good_times.saturating_record(microseconds);
        } else {
            self.bad += 1;
            self.example = Some(status);
            self.bad_times.saturating_record(microseconds);
        }
    }

    fn merge(&mut self, other: &Self) -> Outcome {
        self.good += other.good;
        self.bad += other.bad;
        self.example = self.example.or(other.example);
        self.good_times.add(&other.good_times)?;
        self.bad_times.add(&other.bad_times)?;
        Ok(())
    }

    /// Number of all responses.
    pub(super) fn answers(&self) -> u64 {
        self.good + self.bad
    }

    /// Good responses per second.
    #[expect(clippy::cast_precision_loss, reason = "far below what a float can count")]
    pub(super) fn rate(&self) -> f64 {
        self.good as f64 / self.elapsed.as_secs_f64().max(0.001)
    }

    /// Other responses per second.
    #[expect(clippy::cast_precision_loss, reason = "far below what a float can count")]
    pub(super) fn bad_rate(&self) -> f64 {
        self.bad as f64 / self.elapsed.as_secs_f64().max(0.001)
    }

    /// This quantile of the time of good responses, in milliseconds.
    pub(super) fn quantile(&self, share: f64) -> f64 {
        milliseconds(&self.good_times, share)
    }

    /// This quantile of the time of other responses, in milliseconds.
    pub(super) fn bad_quantile(&self, share: f64) -> f64 {
        milliseconds(&self.bad_times, share)
    }
}

/// This quantile of `times` (microseconds), in milliseconds.
#[expect(clippy::cast_precision_loss, reason = "microseconds of a minute")]
pub(super) fn milliseconds(times: &Histogram<u64>, share: f64) -> f64 {
    times.value_at_quantile(share) as f64 / 1000.0
}

/// Sends `requests` in random order for this duration over `connections` concurrent connections, evenly to
/// all `edges`.
pub(super) async fn run(
    edges: &[SocketAddr],
    requests: &Arc<Vec<Bytes>>,
    connections: u64,
    length: Duration,
) -> Outcome<LoadResult> {
    if requests.is_empty() {
        return fail("there is nothing to ask");
    }
    let requests = requests.clone();
    run_built(edges, move |turn| any(&requests, turn).clone(), connections, length).await
}

/// Like [`run`], with requests that `request` builds from consecutive numbers.
pub(super) async fn run_built<Make>(
    edges: &[SocketAddr],
    request: Make,
    connections: u64,
    length: Duration,
) -> Outcome<LoadResult>
where
    Make: Fn(u64) -> Bytes + Clone + Send + 'static,
{
    let begun = Instant::now();
    let end = begun + length;
    together(connections, |number| {
        let (request, mut connection) = (request.clone(), Connection::new(*nth(edges, number)));
        async move {
            let mut seen = LoadResult::new()?;
            let mut turn = number << 32;
            while Instant::now() < end {
                let (status, time) = connection.ask(&request(turn)).await?;
                seen.record(status, time);
                turn += 1;
            }
            Ok(seen)
        }
    })
    .await
}

/// Returns one of `all`, pseudo-randomly. `all` must not be empty.
pub(super) fn any<One>(all: &[One], turn: u64) -> &One {
    // The finalizer of SplitMix64. Any uniform function would do.
    let mixed = (turn ^ (turn >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    nth(all, mixed ^ (mixed >> 31))
}

/// Returns an element of `all` in round-robin order. `all` must not be empty.
fn nth<One>(all: &[One], turn: u64) -> &One {
    #[expect(clippy::cast_possible_truncation, reason = "a rest is smaller than the length")]
    &all[(turn % all.len() as u64) as usize]
}

/// Sends requests at a fixed rate for this duration, evenly to all `edges`. `request` builds the request of
/// each turn, counted from 0. Like a gateway it uses the connection with the shortest idle time, and at most
/// `connections` at once. It runs in a single thread, to take little of the machine.
pub(super) async fn offer<Make>(
    edges: &[SocketAddr],
    request: Make,
    rate: f64,
    connections: usize,
    length: Duration,
) -> Outcome<LoadResult>
where
    Make: Fn(u32) -> Bytes + Send + 'static,
{
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let pools = edges.iter().map(|edge| Pool::new(*edge)).collect::<Outcome<Vec<_>>>()?;
    let offering = tokio::task::spawn_blocking(move || {
        runtime.block_on(offer_over(&pools, request, rate, connections, length))
    });
    offering.await?
}

async fn offer_over(
    pools: &[Arc<Mutex<Pool>>],
    request: impl Fn(u32) -> Bytes,
    rate: f64,
    connections: usize,
    length: Duration,
) -> Outcome<LoadResult> {
    let begun = Instant::now();
    let places = Arc::new(Semaphore::new(connections));
    let mut asking: JoinSet<Outcome> = JoinSet::new();
    for turn in 0.. {
        let due = Duration::from_secs_f64(f64::from(turn) / rate);
        if due >= length {
            break;
        }
        if begun.elapsed() < due {
            tokio::time::sleep_until((begun + due).into()).await;
        }
        let place = places.clone().acquire_owned().await?;
        let (request, pool) = (request(turn), nth(pools, turn.into()).clone());
        asking.spawn(async move {
            let mut connection = locked(&pool).take();
            let (status, time) = connection.ask(&request).await?;
            locked(&pool).give_back(connection, status, time);
            drop(place);
            Ok(())
        });
        while let Some(asked) = asking.try_join_next() {
            asked??;
        }
    }
    while let Some(asked) = asking.join_next().await {
        asked??;
    }
    let mut all = LoadResult::new()?;
    for pool in pools {
        all.merge(&locked(pool).seen)?;
    }
    all.elapsed = begun.elapsed();
    Ok(all)
}

/// Connections to one edge and the responses on them.
struct Pool {
    address: SocketAddr,
    /// Idle connections; the last one was used most recently.
    resting: Vec<Connection>,
    seen: LoadResult,
}

impl Pool {
    fn new(address: SocketAddr) -> Outcome<Arc<Mutex<Self>>> {
        Ok(Arc::new(Mutex::new(Self { address, resting: Vec::new(), seen: LoadResult::new()? })))
    }

    fn take(&mut self) -> Connection {
        self.resting.pop().unwrap_or_else(|| Connection::new(self.address))
    }

    fn give_back(&mut self, connection: Connection, status: u16, time: Duration) {
        self.resting.push(connection);
        self.seen.record(status, time);
    }
}

fn locked(pool: &Mutex<Pool>) -> MutexGuard<'_, Pool> {
    pool.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs `work` this many times concurrently, each with its own number, and sums the results.
pub(super) async fn together<Work, Working>(count: u64, work: Work) -> Outcome<LoadResult>
where
    Work: Fn(u64) -> Working,
    Working: Future<Output = Outcome<LoadResult>> + Send + 'static,
{
    let begun = Instant::now();
    let mut tasks: JoinSet<_> = (1..=count).map(work).collect();
    let mut all = LoadResult::new()?;
    while let Some(one) = tasks.join_next().await {
        all.merge(&one??)?;
    }
    all.elapsed = begun.elapsed();
    Ok(all)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::net::{TcpListener, TcpStream};

    use super::*;

    const REQUEST: Bytes = Bytes::from_static(b"GET / HTTP/1.1\r\nhost: x\r\n\r\n");

    /// Starts a server that alternates between success and failure on each connection, and counts requests.
    /// It ends with the set.
    async fn server() -> (SocketAddr, Arc<AtomicU64>, JoinSet<()>) {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a port is free");
        let address = listener.local_addr().expect("it listens");
        let asked = Arc::new(AtomicU64::new(0));
        let mut server = JoinSet::new();
        let count = asked.clone();
        server.spawn(async move {
            let mut connections = JoinSet::new();
            while let Ok((stream, _)) = listener.accept().await {
                connections.spawn(answer(stream, count.clone()));
            }
        });
        (address, asked, server)
    }

    async fn answer(mut stream: TcpStream, asked: Arc<AtomicU64>) {
        let answers: [&[u8]; 2] = [
            b"HTTP/1.1 204 No Content\r\n\r\n",
            b"HTTP/1.1 429 Too Many Requests\r\nContent-Length: 2\r\n\r\nno",
        ];
        for answer in answers.into_iter().cycle() {
            let Ok(1..) = stream.read(&mut [0; 1024]).await else { return };
            asked.fetch_add(1, Ordering::Relaxed);
            if stream.write_all(answer).await.is_err() {
                return;
            }
        }
    }

    #[tokio::test]
    async fn answers_are_counted_by_their_status() {
        let (address, _, _server) = server().await;
        let requests = Arc::new(vec![REQUEST]);
        let seen = run(&[address], &requests, 1, Duration::from_millis(100)).await.expect("it runs");
        assert!(seen.good > 0 && seen.good - seen.bad <= 1, "{} {}", seen.good, seen.bad);
        assert_eq!(seen.example, Some(429));
        assert!(seen.quantile(0.5) <= seen.quantile(0.99));
    }

    #[tokio::test]
    async fn each_edge_is_offered_as_much_as_the_others_and_all_of_it_is_counted() {
        let (one, asked_one, _one) = server().await;
        let (other, asked_other, _other) = server().await;
        let seen = offer(&[one, other], |_| REQUEST, 1000.0, 4, Duration::from_millis(100)).await;
        let seen = seen.expect("it runs");
        assert_eq!(seen.answers(), 100);
        assert_eq!([asked_one, asked_other].map(|asked| asked.load(Ordering::Relaxed)), [50, 50]);
    }
}
