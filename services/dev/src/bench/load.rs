//! Load: closed, where each connection sends its next request when it has the last answer, or open, where requests come
//! at their rate however long answers take.
//!
//! The generator shares the machine with what it measures, so it does as little as possible: requests are bytes made
//! beforehand, answers are read and counted.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use hdrhistogram::Histogram;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::task::JoinSet;

use crate::failure::{Doing as _, Outcome, fail};

/// The longest time that is told apart: a minute, in microseconds.
const LONGEST: u64 = 60_000_000;

/// What a load saw.
pub(super) struct Seen {
    /// Answers with a status below 400.
    pub(super) good: u64,
    /// Others.
    pub(super) bad: u64,
    /// One of the others, for the report.
    pub(super) example: Option<u16>,
    /// How long it ran.
    pub(super) elapsed: Duration,
    good_times: Histogram<u64>,
    bad_times: Histogram<u64>,
}

impl Seen {
    fn new() -> Outcome<Self> {
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

    fn count(&mut self, status: u16, time: Duration) {
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

    fn add(&mut self, other: &Self) -> Outcome {
        self.good += other.good;
        self.bad += other.bad;
        self.example = self.example.or(other.example);
        self.good_times.add(&other.good_times)?;
        self.bad_times.add(&other.bad_times)?;
        Ok(())
    }

    /// All answers.
    pub(super) fn answers(&self) -> u64 {
        self.good + self.bad
    }

    /// Good answers a second.
    #[expect(clippy::cast_precision_loss, reason = "far below what a float can count")]
    pub(super) fn rate(&self) -> f64 {
        self.good as f64 / self.elapsed.as_secs_f64().max(0.001)
    }

    /// Other answers a second.
    #[expect(clippy::cast_precision_loss, reason = "far below what a float can count")]
    pub(super) fn bad_rate(&self) -> f64 {
        self.bad as f64 / self.elapsed.as_secs_f64().max(0.001)
    }

    /// The time within which this share of the good answers came, in milliseconds.
    pub(super) fn quantile(&self, share: f64) -> f64 {
        milliseconds(&self.good_times, share)
    }

    /// The time within which this share of the others came, in milliseconds.
    pub(super) fn bad_quantile(&self, share: f64) -> f64 {
        milliseconds(&self.bad_times, share)
    }
}

/// The time within which this share of `times`, in microseconds, came; in milliseconds.
#[expect(clippy::cast_precision_loss, reason = "microseconds of a minute")]
pub(super) fn milliseconds(times: &Histogram<u64>, share: f64) -> f64 {
    times.value_at_quantile(share) as f64 / 1000.0
}

/// Loads `address` with `requests`, drawn at random, over so many `connections` at once, for so long.
pub(super) async fn run(
    address: SocketAddr,
    requests: &Arc<Vec<Vec<u8>>>,
    connections: u64,
    length: Duration,
) -> Outcome<Seen> {
    if requests.is_empty() {
        return fail("there is nothing to ask");
    }
    let begun = Instant::now();
    let end = begun + length;
    together(connections, |number| {
        let (requests, mut connection) = (requests.clone(), Connection::new(address, number));
        async move {
            let mut seen = Seen::new()?;
            while Instant::now() < end {
                connection.ask(&requests, &mut seen).await?;
            }
            Ok(seen)
        }
    })
    .await
}

/// Offers `address` so many of `requests` a second for so long, over at most so many `connections` at once.
pub(super) async fn offer(
    address: SocketAddr,
    requests: &Arc<Vec<Vec<u8>>>,
    rate: f64,
    connections: u64,
    length: Duration,
) -> Outcome<Seen> {
    let begun = Instant::now();
    let turn = Arc::new(AtomicU32::new(0));
    together(connections, |number| {
        let (requests, mut connection) = (requests.clone(), Connection::new(address, number));
        let turn = turn.clone();
        async move {
            let mut seen = Seen::new()?;
            while wait(&turn, begun, rate, length).await.is_some() {
                connection.ask(&requests, &mut seen).await?;
            }
            Ok(seen)
        }
    })
    .await
}

/// Offers `address` what `request` makes for every turn, counted from 0, like `offer`.
pub(super) async fn offer_made<Make>(
    address: SocketAddr,
    request: Make,
    rate: f64,
    connections: u64,
    length: Duration,
) -> Outcome<Seen>
where
    Make: Fn(u32) -> Vec<u8> + Send + Sync + 'static,
{
    let begun = Instant::now();
    let (turn, request) = (Arc::new(AtomicU32::new(0)), Arc::new(request));
    together(connections, |number| {
        let (turn, request) = (turn.clone(), request.clone());
        let mut connection = Connection::new(address, number);
        async move {
            let mut seen = Seen::new()?;
            while let Some(turn) = wait(&turn, begun, rate, length).await {
                connection.send(&request(turn), &mut seen).await?;
            }
            Ok(seen)
        }
    })
    .await
}

/// Takes the next turn and waits until it is due; none within `length` is left.
async fn wait(turn: &AtomicU32, begun: Instant, rate: f64, length: Duration) -> Option<u32> {
    let turn = turn.fetch_add(1, Ordering::Relaxed);
    let due = Duration::from_secs_f64(f64::from(turn) / rate);
    if due >= length {
        return None;
    }
    tokio::time::sleep_until((begun + due).into()).await;
    Some(turn)
}

/// Does `work` so many times at once, each with a number of its own, and adds up what was seen.
async fn together<Work, Working>(count: u64, work: Work) -> Outcome<Seen>
where
    Work: Fn(u64) -> Working,
    Working: Future<Output = Outcome<Seen>> + Send + 'static,
{
    let begun = Instant::now();
    let mut tasks: JoinSet<_> = (1..=count).map(work).collect();
    let mut all = Seen::new()?;
    while let Some(one) = tasks.join_next().await {
        all.add(&one??)?;
    }
    all.elapsed = begun.elapsed();
    Ok(all)
}

/// A connection that is opened when it is needed.
struct Connection {
    address: SocketAddr,
    stream: Option<TcpStream>,
    buffer: Vec<u8>,
    random: u64,
}

impl Connection {
    fn new(address: SocketAddr, number: u64) -> Self {
        let random = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        Self { address, stream: None, buffer: vec![0; 64 * 1024], random }
    }

    /// Sends one of `requests` and reads the answer.
    async fn ask(&mut self, requests: &[Vec<u8>], seen: &mut Seen) -> Outcome {
        // xorshift: any even choice will do.
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        let request = &requests[usize::try_from(self.random % requests.len() as u64)?];
        self.send(request, seen).await
    }

    /// Sends `request` and reads the answer.
    async fn send(&mut self, request: &[u8], seen: &mut Seen) -> Outcome {
        let begun = Instant::now();
        // A server lets go of a connection that rests; whoever meets that asks on a new one, as browsers do.
        if self.stream.as_ref().is_some_and(|stream| matches!(stream.try_read(&mut [0]), Ok(0))) {
            self.stream = None;
        }
        let stream = match &mut self.stream {
            Some(stream) => stream,
            None => self.stream.insert(connect(self.address).await?),
        };
        stream.write_all(request).await.doing(|| format!("sending to {}", self.address))?;
        let answer = read(stream, &mut self.buffer).await?;
        seen.count(answer.status, begun.elapsed());
        if answer.closes {
            self.stream = None;
        }
        Ok(())
    }
}

async fn connect(address: SocketAddr) -> Outcome<TcpStream> {
    let stream = TcpStream::connect(address).await.doing(|| format!("connecting to {address}"))?;
    stream.set_nodelay(true)?;
    Ok(stream)
}

struct Answer {
    status: u16,
    closes: bool,
}

/// Reads one answer of known length to its end.
async fn read(stream: &mut TcpStream, buffer: &mut [u8]) -> Outcome<Answer> {
    let mut filled = 0;
    let head = loop {
        let length = stream.read(&mut buffer[filled..]).await?;
        if length == 0 {
            return fail("the connection broke in the middle of an answer");
        }
        filled += length;
        if let Some(end) = buffer[..filled].windows(4).position(|four| four == b"\r\n\r\n") {
            break end + 4;
        }
    };
    let text = String::from_utf8_lossy(&buffer[..head]).to_ascii_lowercase();
    let status = text.get(9..12).and_then(|status| status.parse().ok());
    let Some(status) = status else {
        return fail("an answer without a status");
    };
    let header = |name: &str| text.lines().find_map(|line| line.strip_prefix(name).map(str::trim));
    let length: usize = match header("content-length:") {
        Some(length) => length.parse()?,
        None if status == 204 => 0,
        None => return fail("an answer without a length"),
    };
    let closes = header("connection:") == Some("close");
    let mut left = (head + length).saturating_sub(filled);
    while left > 0 {
        let most = left.min(buffer.len());
        let length = stream.read(&mut buffer[..most]).await?;
        if length == 0 {
            return fail("the connection broke in the middle of an answer");
        }
        left -= length;
    }
    Ok(Answer { status, closes })
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::net::TcpListener;

    #[tokio::test]
    async fn answers_are_counted_by_their_status() {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a port is free");
        let address = listener.local_addr().expect("it listens");
        let mut server = JoinSet::new();
        server.spawn(async move {
            let (mut stream, _) = listener.accept().await.expect("the load connects");
            let mut buffer = [0; 1024];
            let mut number = 0;
            while let Ok(1..) = stream.read(&mut buffer).await {
                number += 1;
                let answer: &[u8] = if number % 2 == 0 {
                    b"HTTP/1.1 429 Too Many Requests\r\nContent-Length: 2\r\n\r\nno"
                } else {
                    b"HTTP/1.1 204 No Content\r\n\r\n"
                };
                if stream.write_all(answer).await.is_err() {
                    break;
                }
            }
        });
        let requests = Arc::new(vec![b"GET / HTTP/1.1\r\nhost: x\r\n\r\n".to_vec()]);
        let seen = run(address, &requests, 1, Duration::from_millis(100)).await.expect("it runs");
        assert!(seen.good > 0 && seen.good - seen.bad <= 1, "{} {}", seen.good, seen.bad);
        assert_eq!(seen.example, Some(429));
        assert!(seen.quantile(0.5) <= seen.quantile(0.99));
    }
}
