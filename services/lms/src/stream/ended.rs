//! The streams that ended while the address of a file of theirs could still work, and the task that follows them.
//!
//! The task reads the table ten times a second while an edge watches, and publishes every successful reading, changed or
//! not. An edge that hears nothing knows that its view may be incomplete, and fails closed.

use std::collections::{HashSet, VecDeque};
use std::sync::Arc;

use futures_util::stream::BoxStream;
use futures_util::{StreamExt as _, stream};
use kit::Failure;
use kit::clock::Clock;
use kit::db::{Pool, span};
use kit::shutdown::Shutdown;
use sqlx::pool::PoolConnection;
use sqlx::{PgConnection, Postgres};
use time::OffsetDateTime;
use tokio::sync::watch::{Receiver, Sender};
use tokio::time::{Duration, Instant, MissedTickBehavior, interval, timeout};
use tracing::Instrument as _;
use uuid::Uuid;

/// Time between two readings: an edge expects a message every 250 ms.
const PERIOD: Duration = Duration::from_millis(100);
/// A reading that took longer is too old to be published: an edge trusts it for 500 ms more, and an ended stream must be
/// dead within 1 s.
const FRESH_FOR: Duration = Duration::from_millis(300);
/// A reading that takes longer is given up, and its connection with it.
const READING_LIMIT: Duration = Duration::from_secs(2);
/// How much longer than an address works the end of its stream is kept: clocks differ a little.
const MARGIN: time::Duration = time::Duration::minutes(10);
/// Ids a message: about 900 kB, of the 4 MB that gRPC takes.
const PART: usize = 50_000;
/// Rows deleted at once, so that nobody waits for it.
const SWEEP: i64 = 10;

/// Adds streams that end now, and deletes a few that nobody needs any more. `link_time` is how long an address works.
pub(super) async fn record(
    connection: &mut PgConnection,
    streams: &[Uuid],
    now: OffsetDateTime,
    link_time: time::Duration,
) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO ended_stream (id, ended_at) SELECT unnest($1::uuid[]), $2 ON CONFLICT DO NOTHING",
        streams,
        now,
    )
    .execute(&mut *connection)
    .instrument(span("INSERT ended_stream"))
    .await?;
    sqlx::query!(
        "
        DELETE FROM ended_stream
        WHERE id IN (
            SELECT id FROM ended_stream WHERE ended_at <= $1 ORDER BY ended_at LIMIT $2 FOR UPDATE SKIP LOCKED
        )
        ",
        now - link_time - MARGIN,
        SWEEP,
    )
    .execute(connection)
    .instrument(span("DELETE ended_stream"))
    .await?;
    Ok(())
}

/// Whether the stream has ended.
pub(crate) async fn has_ended(connection: &mut PgConnection, stream: Uuid) -> sqlx::Result<bool> {
    sqlx::query_scalar!(r#"SELECT EXISTS (SELECT FROM ended_stream WHERE id = $1) AS "ended!""#, stream)
        .fetch_one(connection)
        .instrument(span("SELECT ended_stream"))
        .await
}

/// The view of this process. Cheap to clone.
#[derive(Clone)]
pub(crate) struct EndedStreams {
    views: Arc<Sender<View>>,
    shutdown: Shutdown,
}

impl EndedStreams {
    /// Follows the table until `shutdown`.
    pub(crate) fn follow(pool: Pool, clock: Clock, link_time: time::Duration, shutdown: Shutdown) -> Self {
        let views = Arc::new(Sender::new(View::default()));
        let follower = Follower { pool, clock, kept_for: link_time + MARGIN, connection: None, horizon: 0 };
        kit::task::spawn("ended streams", follower.run(views.clone(), shutdown.clone()));
        Self { views, shutdown }
    }

    /// A snapshot after the next reading, then a message after each, until the process ends.
    pub(crate) fn watch(&self) -> BoxStream<'static, EndedStreamsMessage> {
        let watcher = Watcher { views: self.views.subscribe(), told: None, behind: false };
        let messages = stream::unfold(watcher, |mut watcher| async move {
            let message = watcher.next().await?;
            Some((message, watcher))
        });
        messages.take_until(self.shutdown.wait()).boxed()
    }
}

/// The ended streams, in the order in which they became known.
#[derive(Default)]
struct View {
    ended: VecDeque<EndedStream>,
    known: HashSet<Uuid>,
    /// How many were removed at the front, because no address of theirs works any more.
    forgotten: usize,
}

#[derive(Clone, Copy)]
struct EndedStream {
    id: Uuid,
    ended_at: OffsetDateTime,
}

impl View {
    fn apply(&mut self, ended: Vec<EndedStream>, oldest: OffsetDateTime) {
        for stream in ended {
            if self.known.insert(stream.id) {
                self.ended.push_back(stream);
            }
        }
        while let Some(old) = self.ended.pop_front_if(|stream| stream.ended_at <= oldest) {
            self.known.remove(&old.id);
            self.forgotten += 1;
        }
    }

    /// At most `limit` streams after the first `position`, and the position after them.
    fn since(&self, position: usize, limit: usize) -> (Vec<Uuid>, usize) {
        let skip = position.saturating_sub(self.forgotten);
        let ids: Vec<_> = self.ended.iter().skip(skip).take(limit).map(|stream| stream.id).collect();
        let next = self.forgotten + skip + ids.len();
        (ids, next)
    }

    /// How many became known so far.
    fn position(&self) -> usize {
        self.forgotten + self.ended.len()
    }
}

/// What an edge is told.
pub(crate) struct EndedStreamsMessage {
    /// The first message of a watch: `ids` are all ended streams, not only new ones.
    pub(crate) is_snapshot: bool,
    /// The rest follows in another message.
    pub(crate) has_more: bool,
    pub(crate) ids: Vec<Uuid>,
}

/// What one edge has been told.
struct Watcher {
    views: Receiver<View>,
    /// `None` before the snapshot.
    told: Option<usize>,
    behind: bool,
}

impl Watcher {
    async fn next(&mut self) -> Option<EndedStreamsMessage> {
        if !self.behind {
            self.views.changed().await.ok()?;
        }
        let view = self.views.borrow_and_update();
        let is_snapshot = self.told.is_none();
        let (ids, next) = view.since(self.told.unwrap_or(0), PART);
        self.told = Some(next);
        self.behind = next < view.position();
        Some(EndedStreamsMessage { is_snapshot, has_more: self.behind, ids })
    }
}

struct Follower {
    pool: Pool,
    clock: Clock,
    kept_for: time::Duration,
    /// Its own, so that a rush of beats does not delay it.
    connection: Option<PoolConnection<Postgres>>,
    /// Every transaction before this one had ended when the table was last read.
    horizon: i64,
}

impl Follower {
    async fn run(mut self, views: Arc<Sender<View>>, shutdown: Shutdown) {
        let mut ticks = interval(PERIOD);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let end = shutdown.wait();
        tokio::pin!(end);
        let mut failing = false;
        loop {
            tokio::select! {
                _ = ticks.tick() => {}
                () = &mut end => return,
            }
            if views.receiver_count() == 0 {
                self.connection = None;
                continue;
            }
            match self.read().await {
                Ok(ended) => {
                    let oldest = self.clock.now() - self.kept_for;
                    views.send_modify(|view| view.apply(ended, oldest));
                    if std::mem::take(&mut failing) {
                        tracing::info!("ended streams are known again");
                    }
                }
                Err(error) if !failing => {
                    failing = true;
                    let error = kit::error::chain(error.as_ref());
                    tracing::error!(error, "ended streams can't be read: edges are told nothing");
                }
                Err(_) => {}
            }
        }
    }

    async fn read(&mut self) -> Result<Vec<EndedStream>, Failure> {
        let began = Instant::now();
        // Taken out, so that a connection that failed, or is cut in the middle, is never used again.
        let mut connection = match self.connection.take() {
            Some(connection) => connection,
            None => self.pool.acquire().await?,
        };
        let oldest = self.clock.now() - self.kept_for;
        let (ended, horizon) = match timeout(READING_LIMIT, read(&mut connection, oldest, self.horizon)).await
        {
            Ok(Ok(reading)) => reading,
            failed => {
                drop(connection.detach());
                return Err(match failed {
                    Ok(Err(error)) => error.into(),
                    _ => "the database does not answer".into(),
                });
            }
        };
        self.connection = Some(connection);
        // A database that was restored to an older state counts its transactions from there: begin anew.
        if horizon < self.horizon {
            self.horizon = 0;
            return Err("the database was restored to an older state".into());
        }
        // What is not published is read again: the horizon stays.
        if began.elapsed() > FRESH_FOR {
            return Err("the database answers too late".into());
        }
        self.horizon = horizon;
        Ok(ended)
    }
}

/// Reads the streams of transactions that had not ended by `horizon`, all of them from 0, and the next horizon.
async fn read(
    connection: &mut PgConnection,
    oldest: OffsetDateTime,
    horizon: i64,
) -> sqlx::Result<(Vec<EndedStream>, i64)> {
    // First: what commits between the two statements is read again next time.
    let next =
        sqlx::query_scalar!(r#"SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint AS "horizon!""#)
            .fetch_one(&mut *connection)
            .await?;
    let ended = sqlx::query_as!(
        EndedStream,
        "
        SELECT id, ended_at
        FROM ended_stream
        WHERE xid >= $1::bigint::text::xid8 AND ended_at > $2
        ORDER BY ended_at
        ",
        horizon,
        oldest,
    )
    .fetch_all(connection)
    .await?;
    Ok((ended, next))
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::*;

    const NOW: OffsetDateTime = datetime!(2026-11-20 03:00 UTC);

    fn ended(ids: &[u128]) -> Vec<EndedStream> {
        ids.iter().map(|id| EndedStream { id: Uuid::from_u128(*id), ended_at: NOW }).collect()
    }

    #[test]
    fn a_stream_that_is_read_twice_is_told_once_and_old_ones_are_forgotten() {
        let mut view = View::default();
        view.apply(ended(&[1, 2]), NOW - time::Duration::DAY);
        view.apply(ended(&[2, 3]), NOW - time::Duration::DAY);
        let (first, next) = view.since(0, 2);
        let (second, last) = view.since(next, 2);
        let told = [first, second].concat();
        assert_eq!(told.iter().map(Uuid::as_u128).collect::<Vec<_>>(), [1, 2, 3]);
        assert_eq!(last, view.position());
        view.apply(Vec::new(), NOW);
        assert_eq!((view.since(0, 2), view.known.len()), ((Vec::new(), 3), 0));
    }
}
