//! The list of ended streams that edges follow. A stream that ended is sent within a second.

use std::time::Duration as StdDuration;

use kit_db::test::HeldReadings;
use proto::lms::{CheckStreamRequest, WatchEndedStreamsRequest, WatchEndedStreamsResponse};
use sqlx::{AssertSqlSafe, Executor as _};
use time::Duration;
use tokio::time::{Instant, timeout};
use tonic::Streaming;
use uuid::Uuid;

use crate::school::{COURSE, LESSON, NOON, School, learner};
use crate::stream::{end, start, start_lesson};

const SECOND: StdDuration = StdDuration::from_secs(1);
const ENDED: Uuid = Uuid::from_u128(7);

pub(crate) async fn watch(school: &School) -> Streaming<WatchEndedStreamsResponse> {
    school.edge_lessons().watch_ended_streams(WatchEndedStreamsRequest {}).await.unwrap().into_inner()
}

pub(crate) async fn next(stream: &mut Streaming<WatchEndedStreamsResponse>) -> WatchEndedStreamsResponse {
    timeout(5 * SECOND, stream.message()).await.unwrap().unwrap().unwrap()
}

/// Waits for the next message with ended streams. Panics after 5 s.
pub(crate) async fn next_ended(stream: &mut Streaming<WatchEndedStreamsResponse>) -> Vec<String> {
    let ended = timeout(5 * SECOND, async {
        loop {
            let ended = next(stream).await.ended_streams;
            if !ended.is_empty() {
                return ended;
            }
        }
    });
    let ended = ended.await.unwrap();
    ended.iter().map(|id| Uuid::from_slice(id).unwrap().to_string()).collect()
}

pub(crate) async fn is_alive(school: &School, stream: &str) -> bool {
    let request = CheckStreamRequest { stream_id: stream.to_owned() };
    school.edge_lessons().check_stream(request).await.unwrap().into_inner().alive
}

#[tokio::test(flavor = "multi_thread")]
async fn every_end_of_a_stream_is_sent_to_all_watchers_within_a_second() {
    let school = School::open().await;
    let learner = learner();
    school.grant(learner, COURSE).await;
    let mut watchers = [watch(&school).await, watch(&school).await];
    for watcher in &mut watchers {
        let first = next(watcher).await;
        assert!(first.snapshot && !first.more && first.ended_streams.is_empty());
    }
    let one = start(&school, learner, 1, false).await.unwrap();
    let two = start(&school, learner, 2, false).await.unwrap();
    school.clock.advance(Duration::SECOND);
    for (cause, ended) in [("its player", &one), ("another lesson", &two)] {
        assert!(is_alive(&school, ended).await, "{cause}");
        let began = Instant::now();
        if ended == &one {
            end(&school, learner, ended).await.unwrap();
        } else {
            start_lesson(&school, learner, LESSON + 1, 2, false).await.unwrap();
        }
        for watcher in &mut watchers {
            assert_eq!(next_ended(watcher).await, std::slice::from_ref(ended), "{cause}");
        }
        assert!(began.elapsed() < SECOND, "{cause}: {:?}", began.elapsed());
        assert!(!is_alive(&school, ended).await, "{cause}");
    }
    let three = start(&school, learner, 3, false).await.unwrap();
    school.clock.advance(Duration::SECOND);
    start_lesson(&school, learner, LESSON + 1, 2, false).await.unwrap();
    start(&school, learner, 4, true).await.unwrap();
    assert_eq!(next_ended(&mut watchers[0]).await, [three], "a take-over");
    let snapshot = next_ended(&mut watch(&school).await).await;
    assert_eq!(snapshot.len(), 3, "a snapshot has all ended streams");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_end_is_sent_until_the_signed_url_expires() {
    let school = School::open().await;
    let learner = learner();
    school.grant(learner, COURSE).await;
    let stream = start(&school, learner, 1, false).await.unwrap();
    end(&school, learner, &stream).await.unwrap();
    school.clock.advance(Duration::hours(2));
    assert_eq!(next_ended(&mut watch(&school).await).await, [stream]);
    school.clock.advance(Duration::minutes(11));
    assert!(next(&mut watch(&school).await).await.ended_streams.is_empty());
    // Ending another stream deletes the rows whose retention is over.
    let stream = start(&school, learner, 1, false).await.unwrap();
    end(&school, learner, &stream).await.unwrap();
    let mut connection = school.database.pool.acquire().await.unwrap();
    let left = sqlx::query_scalar!(r#"SELECT id::text AS "id!" FROM ended_stream"#);
    assert_eq!(left.fetch_all(&mut *connection).await.unwrap(), [stream]);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_end_whose_transaction_commits_late_is_not_missed() {
    let school = School::open().await;
    let learner = learner();
    school.grant(learner, COURSE).await;
    let mut watcher = watch(&school).await;
    next(&mut watcher).await;
    let late = Uuid::from_u128(7);
    let mut transaction = school.database.pool.begin().await.unwrap();
    sqlx::query!("INSERT INTO ended_stream (id, ended_at) VALUES ($1, $2)", late, NOON)
        .execute(&mut *transaction)
        .await
        .unwrap();
    let stream = start(&school, learner, 1, false).await.unwrap();
    end(&school, learner, &stream).await.unwrap();
    assert_eq!(next_ended(&mut watcher).await, [stream]);
    transaction.commit().await.unwrap();
    assert_eq!(next_ended(&mut watcher).await, [late.to_string()]);
}

/// Ends a stream during a reading. Returns a watcher, and the readings of the table, which are held
/// since before the end.
async fn end_during_a_reading(school: &School) -> (Streaming<WatchEndedStreamsResponse>, HeldReadings) {
    let mut watcher = watch(school).await;
    next(&mut watcher).await;
    let mut held = school.database.hold_readings("ended_stream").await;
    held.until_waiting(StdDuration::ZERO).await;
    end_elsewhere(school, ENDED).await;
    held.settle().await;
    (watcher, held)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stream_that_ends_during_a_reading_is_sent_by_the_next_one() {
    let school = School::open().await;
    let (mut watcher, held) = end_during_a_reading(&school).await;
    held.release().await;
    assert_eq!(next_ended(&mut watcher).await, [ENDED.to_string()]);
}

/// The first reading is held for longer than `READING_LIMIT`. The second one begins after the
/// stream ended, finds it, and is released after `FRESH_FOR`.
#[tokio::test(flavor = "multi_thread")]
async fn a_stream_found_by_a_slow_reading_is_sent_by_the_next_one() {
    let school = School::open().await;
    let (mut watcher, mut held) = end_during_a_reading(&school).await;
    held.until_waiting(StdDuration::from_millis(400)).await;
    while let Ok(step) = timeout(StdDuration::ZERO, watcher.message()).await {
        let ended = step.unwrap().unwrap().ended_streams;
        assert!(ended.is_empty(), "no end is sent while the readings are held");
    }
    held.release().await;
    assert_eq!(next_ended(&mut watcher).await, [ENDED.to_string()]);
}

/// Ends a stream as another replica would, while the readings of this one are held.
async fn end_elsewhere(school: &School, stream: Uuid) {
    let mut connection = school.database.pool.acquire().await.unwrap();
    let insert = format!("INSERT INTO kept_ended_stream (id, ended_at) VALUES ('{stream}', '{NOON}')");
    connection.execute(sqlx::raw_sql(AssertSqlSafe(insert))).await.unwrap();
}
