//! Ended streams whose signed URLs have not expired, and the task that reads them.
//!
//! The task reads the table every 400 ms while an edge watches. It sends every successful
//! reading, changed or not. An edge that gets no messages treats its view as incomplete, and
//! refuses to play.

use std::collections::{HashSet, VecDeque};
use std::sync::Arc;

use futures_util::stream::BoxStream;
use futures_util::{StreamExt as _, stream};
use kit::Failure;
use kit::clock::Clock;
use kit::shutdown::Shutdown;
use kit::task::Ticks;
use kit_db::{Pool, span};
use sqlx::pool::PoolConnection;
use sqlx::{PgConnection, Postgres};
use time::OffsetDateTime;
use tokio::sync::watch::{Receiver, Sender};
use tokio::time::{Duration, Instant, timeout};
use tracing::Instrument as _;
use uuid::Uuid;

/// Time between two readings. An edge gets a message after each.
const PERIOD: Duration = Duration::from_millis(400);
/// A reading that took longer is not published. An edge trusts a reading for 650 ms, and an ended stream must be
/// refused within 1 s.
const FRESH_FOR: Duration = Duration::from_millis(200);
/// A reading that takes longer is cancelled, and its connection is closed.
const READING_LIMIT: Duration = Duration::from_secs(2);
/// Ended streams are kept for this time after their URLs expire, because clocks differ.
const MARGIN: time::Duration = time::Duration::minutes(10);
/// Maximum number of ids in a message: about 900 kB of gRPC's 4 MB.
const PART: usize = 50_000;
/// Number of rows deleted at once. Small batches keep locks short.
const SWEEP: i64 = 10;

/// Adds ended streams, and deletes a few expired ones. `link_time` is the lifetime of a signed URL.
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

/// This process's view of the table. Cheap to clone.
#[derive(Clone)]
pub(crate) struct EndedStreams {
    views: Arc<Sender<View>>,
    shutdown: Shutdown,
}

impl EndedStreams {
    /// Reads the table until `shutdown`.
    pub(crate) fn follow(pool: Pool, clock: Clock, link_time: time::Duration, shutdown: Shutdown) -> Self {
        let views = Arc::new(Sender::new(View::default()));
        let follower = Follower { pool, clock, kept_for: link_time + MARGIN, connection: None, horizon: 0 };
        kit::task::spawn("ended streams", &shutdown, follower.run(views.clone(), shutdown.clone()));
        Self { views, shutdown }
    }

    /// Sends a snapshot after the next reading, then a message after each reading, until `shutdown`.
    pub(crate) fn watch(&self) -> BoxStream<'static, EndedStreamsMessage> {
        let watcher = Watcher { views: self.views.subscribe(), sent: None, behind: false };
        let messages = stream::unfold(watcher, |mut watcher| async move {
            let message = watcher.next().await?;
            Some((message, watcher))
        });
        messages.take_until(self.shutdown.wait()).boxed()
    }
}

/// The ended streams, in the order of reading.
#[derive(Default)]
struct View {
    ended: VecDeque<EndedStream>,
    known: HashSet<Uuid>,
    /// The number of streams that were removed at the front after their URLs expired.
    removed: usize,
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
            self.removed += 1;
        }
    }

    /// Returns at most `limit` streams after `position`, and the position after them.
    fn since(&self, position: usize, limit: usize) -> (Vec<Uuid>, usize) {
        let skip = position.saturating_sub(self.removed);
        let ids: Vec<_> = self.ended.iter().skip(skip).take(limit).map(|stream| stream.id).collect();
        let next = self.removed + skip + ids.len();
        (ids, next)
    }

    /// Returns the position after the last stream.
    fn position(&self) -> usize {
        self.removed + self.ended.len()
    }
}

/// A message to an edge.
pub(crate) struct EndedStreamsMessage {
    /// Whether this is the first message of a watch. Its `ids` are all ended streams, not only new
    /// ones.
    pub(crate) is_snapshot: bool,
    /// Whether the rest follows in another message.
    pub(crate) has_more: bool,
    pub(crate) ids: Vec<Uuid>,
}

/// The position of one edge.
struct Watcher {
    views: Receiver<View>,
    /// `None` before the snapshot.
    sent: Option<usize>,
    behind: bool,
}

impl Watcher {
    async fn next(&mut self) -> Option<EndedStreamsMessage> {
        if !self.behind {
            self.views.changed().await.ok()?;
        }
        let view = self.views.borrow_and_update();
        let is_snapshot = self.sent.is_none();
        let (ids, next) = view.since(self.sent.unwrap_or(0), PART);
        self.sent = Some(next);
        self.behind = next < view.position();
        Some(EndedStreamsMessage { is_snapshot, has_more: self.behind, ids })
    }
}

struct Follower {
    pool: Pool,
    clock: Clock,
    kept_for: time::Duration,
    /// Its own connection, so that heartbeats do not delay readings.
    connection: Option<PoolConnection<Postgres>>,
    /// All transactions with a lower id had ended at the last reading.
    horizon: i64,
}

impl Follower {
    async fn run(mut self, views: Arc<Sender<View>>, shutdown: Shutdown) {
        let mut ticks = Ticks::new(PERIOD, shutdown);
        let mut failing = false;
        while ticks.next().await {
            if views.receiver_count() == 0 {
                self.connection = None;
                continue;
            }
            match self.read_table().await {
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
                    tracing::error!(error, "ended streams can't be read: edges are sent nothing");
                }
                Err(_) => {}
            }
        }
    }

    async fn read_table(&mut self) -> Result<Vec<EndedStream>, Failure> {
        let began = Instant::now();
        // The field is empty during a reading, so a connection that failed or was cancelled is not
        // used again.
        let mut connection = match self.connection.take() {
            Some(connection) => connection,
            None => self.pool.acquire().await?,
        };
        let oldest = self.clock.now() - self.kept_for;
        let (ended, horizon) =
            match timeout(READING_LIMIT, read_ended(&mut connection, oldest, self.horizon)).await {
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
        // A database that was restored to an older state has lower transaction ids. The next
        // reading starts from 0.
        if horizon < self.horizon {
            self.horizon = 0;
            return Err("the database was restored to an older state".into());
        }
        // The horizon stays unchanged, so the next reading includes these rows again.
        if began.elapsed() > FRESH_FOR {
            return Err("the database answers too late".into());
        }
        self.horizon = horizon;
        Ok(ended)
    }
}

/// Reads the streams of transactions that had not ended at `horizon`, or all if it is 0. Also
/// returns the next horizon.
async fn read_ended(
    connection: &mut PgConnection,
    oldest: OffsetDateTime,
    horizon: i64,
) -> sqlx::Result<(Vec<EndedStream>, i64)> {
    // One statement is one snapshot: what commits after it is read next time. It returns a row even
    // if no stream has ended.
    let rows = sqlx::query!(
        r#"
        SELECT reading.horizon AS "horizon!", ended_stream.id AS "id?", ended_stream.ended_at AS "ended_at?"
        FROM (SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint AS horizon) AS reading
        LEFT JOIN ended_stream ON ended_stream.xid >= $1::bigint::text::xid8 AND ended_stream.ended_at > $2
        ORDER BY ended_stream.ended_at
        "#,
        horizon,
        oldest,
    )
    .fetch_all(connection)
    .await?;
    let next = rows.first().map_or(horizon, |row| row.horizon);
    let ended = rows.into_iter().filter_map(|row| Some(EndedStream { id: row.id?, ended_at: row.ended_at? }));
    Ok((ended.collect(), next))
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
    fn a_stream_that_is_read_twice_is_sent_once_and_old_ones_are_removed() {
        let mut view = View::default();
        view.apply(ended(&[1, 2]), NOW - time::Duration::DAY);
        view.apply(ended(&[2, 3]), NOW - time::Duration::DAY);
        let (first, next) = view.since(0, 2);
        let (second, last) = view.since(next, 2);
        let sent = [first, second].concat();
        assert_eq!(sent.iter().map(Uuid::as_u128).collect::<Vec<_>>(), [1, 2, 3]);
        assert_eq!(last, view.position());
        view.apply(Vec::new(), NOW);
        assert_eq!((view.since(0, 2), view.known.len()), ((Vec::new(), 3), 0));
    }
}
