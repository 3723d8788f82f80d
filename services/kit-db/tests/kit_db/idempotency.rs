//! Requests with an idempotency key: each has its effect once, and a repeated one the answer of the first.

use futures_util::future::join_all;
use kit::encryption::KeyedHash;
use kit::error::{Code, ServiceError};
use kit_db::Transaction;
use kit_db::idempotency::{self, Attempt, IdempotencyKey, IdempotentRequest, Refusal};
use kit_db::test::TestDatabase;
use proto::common::Event;
use sqlx::{Executor as _, PgConnection, Row as _};
use time::macros::datetime;
use time::{Duration, OffsetDateTime};

const NOW: OffsetDateTime = datetime!(2026-11-21 09:00 UTC);
static MIGRATIONS: sqlx::migrate::Migrator = sqlx::migrate!("tests/kit_db/idempotency/migrations");

/// A request of the scope `order 1` with the key `a-key-12345`.
fn request(body: &str) -> IdempotentRequest {
    request_in("order 1", body)
}

fn request_in(scope: &str, body: &str) -> IdempotentRequest {
    let key = IdempotencyKey::parse("a-key-12345").unwrap();
    IdempotentRequest::new(&KeyedHash::new([7; 32]), scope, key, body.as_bytes())
}

async fn add_effect(database: &mut PgConnection, name: &'static str) -> Result<Event, Refusal> {
    let sql = sqlx::AssertSqlSafe(format!("INSERT INTO effect VALUES ('{name}')"));
    database.execute(sqlx::raw_sql(sql)).await?;
    Ok(Event { id: name.to_owned(), ..Event::default() })
}

/// Runs a request whose effect has this name, without a commit.
async fn run(
    transaction: &mut Transaction,
    request: &IdempotentRequest,
    name: &'static str,
    now: OffsetDateTime,
) -> Result<String, Refusal> {
    let claim = match idempotency::claim::<Event>(transaction, request, now).await? {
        Attempt::Answered(answer) => return Ok(answer.id),
        Attempt::First(claim) => claim,
    };
    let answer = add_effect(transaction, name).await?;
    claim.store(transaction, &answer).await?;
    Ok(answer.id)
}

/// Runs a request in a transaction of its own.
async fn run_alone(
    database: &TestDatabase,
    request: &IdempotentRequest,
    name: &'static str,
    now: OffsetDateTime,
) -> Result<String, Refusal> {
    let mut transaction = database.pool.begin().await?;
    let answer = run(&mut transaction, request, name, now).await?;
    transaction.commit().await?;
    Ok(answer)
}

async fn effects(database: &TestDatabase) -> Vec<String> {
    let mut connection = database.pool.acquire().await.unwrap();
    let rows = connection.fetch_all("SELECT name FROM effect ORDER BY name").await.unwrap();
    rows.iter().map(|row| row.get(0)).collect()
}

#[tokio::test]
async fn a_repeated_request_has_the_first_answer_and_no_effect() {
    let database = TestDatabase::new(&MIGRATIONS).await;
    assert_eq!(run_alone(&database, &request("body"), "first", NOW).await.unwrap(), "first");
    assert_eq!(run_alone(&database, &request("body"), "again", NOW).await.unwrap(), "first");
    assert_eq!(effects(&database).await, ["first"]);
    assert_eq!(run_alone(&database, &request_in("order 2", "body"), "other", NOW).await.unwrap(), "other");
}

#[tokio::test]
async fn a_key_with_another_body_is_refused() {
    let database = TestDatabase::new(&MIGRATIONS).await;
    run_alone(&database, &request("body"), "first", NOW).await.unwrap();
    let refusal = run_alone(&database, &request("other"), "second", NOW).await.unwrap_err();
    let error = ServiceError::from(&refusal);
    assert_eq!((error.code, error.code.http().as_u16()), (Code::Unprocessable, 422));
    assert_eq!(error.reason, "IDEMPOTENCY_KEY_REUSED");
    assert_eq!(effects(&database).await, ["first"]);
}

#[tokio::test]
async fn requests_at_once_wait_for_the_first_and_have_its_answer() {
    let database = TestDatabase::new(&MIGRATIONS).await;
    let names = ["1", "2", "3", "4", "5", "6"];
    let request = request("body");
    let answers = join_all(names.map(|name| run_alone(&database, &request, name, NOW))).await;
    let answers: Vec<_> = answers.into_iter().map(Result::unwrap).collect();
    assert!(answers.iter().all(|answer| *answer == answers[0]), "{answers:?}");
    assert_eq!(effects(&database).await, [answers[0].clone()]);
}

#[tokio::test]
async fn a_request_does_not_wait_for_a_long_running_one() {
    let database = TestDatabase::new(&MIGRATIONS).await;
    let mut running = database.pool.begin().await.unwrap();
    run(&mut running, &request("body"), "first", NOW).await.unwrap();
    let refusal = run_alone(&database, &request("body"), "second", NOW).await.unwrap_err();
    let error = ServiceError::from(&refusal);
    assert_eq!((error.code, error.code.http().as_u16()), (Code::Conflict, 409));
    assert_eq!(error.reason, "IDEMPOTENCY_KEY_IN_USE");
    assert_eq!(error.retry_after, Some(std::time::Duration::from_secs(1)));
    running.commit().await.unwrap();
    assert_eq!(run_alone(&database, &request("body"), "second", NOW).await.unwrap(), "first");
}

#[tokio::test]
async fn an_uncommitted_request_runs_again() {
    let database = TestDatabase::new(&MIGRATIONS).await;
    let mut transaction = database.pool.begin().await.unwrap();
    run(&mut transaction, &request("body"), "killed", NOW).await.unwrap();
    transaction.rollback().await.unwrap();
    assert_eq!(run_alone(&database, &request("body"), "again", NOW).await.unwrap(), "again");
    assert_eq!(effects(&database).await, ["again"]);
}

#[tokio::test]
async fn an_answer_is_stored_for_a_day() {
    let database = TestDatabase::new(&MIGRATIONS).await;
    run_alone(&database, &request("body"), "first", NOW).await.unwrap();
    let almost = NOW + Duration::DAY - Duration::SECOND;
    assert_eq!(run_alone(&database, &request("body"), "again", almost).await.unwrap(), "first");
    // An expired answer does not count, even before a sweep.
    let day = NOW + Duration::DAY;
    assert_eq!(run_alone(&database, &request("other"), "next", day).await.unwrap(), "next");
    let mut connection = database.pool.acquire().await.unwrap();
    assert_eq!(idempotency::sweep(&mut connection, day, 10).await.unwrap(), 0, "the answer is a new one");
    assert_eq!(idempotency::sweep(&mut connection, day + Duration::DAY, 10).await.unwrap(), 1);
}

#[tokio::test]
async fn the_table_reveals_neither_key_nor_body() {
    let database = TestDatabase::new(&MIGRATIONS).await;
    run_alone(&database, &request("hanako@demo.example"), "first", NOW).await.unwrap();
    let mut connection = database.pool.acquire().await.unwrap();
    let row = connection.fetch_one("SELECT encode(key || body_hash, 'escape') FROM idempotency").await;
    let text: String = row.unwrap().get(0);
    assert!(!text.contains("hanako") && !text.contains("a-key"), "{text}");
}

#[test]
fn a_key_has_8_to_64_letters_digits_and_hyphens() {
    let code = |text: &str| IdempotencyKey::parse(text).err().map(|error| error.to_string());
    assert_eq!(code("").unwrap(), "idempotency_key is REQUIRED");
    for wrong in ["1234567", &"a".repeat(65), "too short", "ключключ"] {
        assert_eq!(code(wrong).unwrap(), "idempotency_key is INVALID_FORMAT", "{wrong}");
    }
    assert!(code("12345678").is_none() && code(&"a-Z".repeat(21)).is_none());
}
