//! The database ends a connection during a call. The call does all of its work or nothing.

use std::time::Duration;

use kit::error::{Code, ServiceError};
use proto::exam::QuestionTime;
use sqlx::AssertSqlSafe;
use tokio::time::{sleep, timeout};

use crate::hall::{Browser, Candidate, Hall, PAPER, SINGLE, acked, choices, row, saved};

/// Timeout of an interrupted call. It is far longer than a call takes.
const PATIENCE: Duration = Duration::from_secs(20);

/// Reads all sitting rows of one learner as text.
async fn stored(hall: &Hall, candidate: &Candidate<'_>) -> String {
    let mut connection = hall.connection().await;
    sqlx::query_scalar!(
        r#"
        SELECT coalesce(string_agg(concat(sitting, devices, answers), ';'), '') AS "rows!"
        FROM sitting
        LEFT JOIN LATERAL (
            SELECT string_agg(sitting_device::text, ',') AS devices
            FROM sitting_device WHERE sitting_device.sitting_id = sitting.id
        ) AS d ON true
        LEFT JOIN LATERAL (
            SELECT string_agg(answer::text, ',') AS answers FROM answer WHERE answer.sitting_id = sitting.id
        ) AS a ON true
        WHERE learner_id = $1
        "#,
        candidate.id
    )
    .fetch_one(&mut *connection)
    .await
    .unwrap()
}

/// Runs `call` until it waits to write `table`, then ends its connection.
async fn interrupt<Answer>(
    hall: &Hall,
    table: &str,
    call: impl Future<Output = Result<Answer, ServiceError>>,
) -> Result<Answer, ServiceError> {
    let mut lock = hall.database.pool.begin().await.unwrap();
    sqlx::raw_sql(AssertSqlSafe(format!("LOCK TABLE {table} IN SHARE MODE")))
        .execute(&mut *lock)
        .await
        .unwrap();
    let kill = async {
        // No transaction, because it would keep the activity that it saw first.
        let mut watcher = hall.connection().await;
        loop {
            let killed = sqlx::query_scalar!(
                r#"
                SELECT count(pg_terminate_backend(pid)) AS "killed!"
                FROM pg_stat_activity
                WHERE datname = current_database() AND wait_event_type = 'Lock'
                "#
            );
            if killed.fetch_one(&mut *watcher).await.unwrap() > 0 {
                break;
            }
            sleep(Duration::from_millis(5)).await;
        }
        lock.rollback().await.unwrap();
    };
    let (outcome, ()) = timeout(PATIENCE, async { tokio::join!(call, kill) }).await.unwrap();
    outcome
}

fn assert_unavailable<Answer>(outcome: Result<Answer, ServiceError>, place: &str) {
    let error = outcome.err().unwrap_or_else(|| panic!("{place}: the call was not interrupted"));
    assert_eq!(error.code, Code::Unavailable, "{place}");
}

#[tokio::test]
async fn an_interrupted_start_stores_nothing() {
    let hall = Hall::open().await;
    let browser = Browser::new();
    for table in ["paper", "sitting", "sitting_device"] {
        let candidate = hall.admit().await;
        assert_unavailable(interrupt(&hall, table, candidate.start(PAPER, &browser)).await, table);
        assert_eq!(stored(&hall, &candidate).await, "", "{table}");
        candidate.start(PAPER, &browser).await.unwrap();
    }
}

#[tokio::test]
async fn an_interrupted_save_stores_nothing_and_can_be_repeated() {
    let hall = Hall::open().await;
    for table in ["sitting_device", "answer", "sitting", "question_time"] {
        let (candidate, browser) = (hall.admit().await, Browser::new());
        let id = candidate.start(PAPER, &browser).await.unwrap().id;
        candidate.save(&id, &browser, 1, vec![row(SINGLE, 1, choices(&[1]))]).await.unwrap();
        let before = stored(&hall, &candidate).await;
        let message = candidate.message(&id, &browser, 1, vec![row(SINGLE, 2, choices(&[2]))]);
        let message = proto::exam::SaveAnswersRequest {
            away_seconds: 5,
            question_times: vec![QuestionTime { question_id: SINGLE, seconds: 5 }],
            ..message
        };
        assert_unavailable(interrupt(&hall, table, Box::pin(candidate.send(message.clone()))).await, table);
        assert_eq!(stored(&hall, &candidate).await, before, "{table}");
        assert_eq!(acked(&candidate.send(message).await.unwrap()), [(SINGLE, 2)]);
        let found = candidate.find(&id, &browser).await.unwrap();
        assert_eq!((saved(&found, SINGLE), found.away_seconds), (choices(&[2]), 5));
    }
}

#[tokio::test]
async fn an_interrupted_take_over_or_hand_in_changes_nothing() {
    let hall = Hall::open().await;
    let (candidate, laptop, phone) = (hall.admit().await, Browser::new(), Browser::new());
    let id = candidate.start(PAPER, &laptop).await.unwrap().id;
    let before = stored(&hall, &candidate).await;
    for table in ["active_device", "sitting", "sitting_device"] {
        assert_unavailable(interrupt(&hall, table, candidate.take_over(&id, &phone)).await, table);
        assert_eq!(stored(&hall, &candidate).await, before, "{table}");
    }
    assert_unavailable(interrupt(&hall, "sitting", candidate.hand_in(&id, &laptop, 1)).await, "hand in");
    assert_eq!(stored(&hall, &candidate).await, before);
    candidate.hand_in(&id, &laptop, 1).await.unwrap();
}
