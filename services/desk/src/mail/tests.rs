//! Tests of the queue.

use kit_db::test::TestDatabase;
use time::macros::datetime;

use super::*;

#[tokio::test]
async fn the_age_and_the_expiry_of_a_mail_count_from_the_end_of_the_quiet_hours() {
    let database = TestDatabase::new(&crate::MIGRATIONS).await;
    let mut connection = database.pool.acquire().await.unwrap();
    let [evening, night, morning] =
        [datetime!(2026-11-21 22:00 +9), datetime!(2026-11-22 05:00 +9), datetime!(2026-11-22 07:00 +9)];
    let account = Uuid::from_u128(7);
    let draft = Draft {
        id: Uuid::now_v7(),
        kind: "exam_result_announced",
        topic: Some(Topic::ExamResult),
        account: Some(account),
        created: evening,
        due: night,
        to: "hanako@demo.example",
        message: Some(b"Subject: test".to_vec()),
    };
    add_mail(&mut connection, &draft, &Encryptor::new([7; 32]), evening).await.unwrap();
    assert_eq!(probe(&mut connection, night).await.unwrap().oldest, Some(night));
    set_due(&mut connection, account, morning).await.unwrap();
    assert_eq!(probe(&mut connection, morning - Duration::SECOND).await.unwrap().oldest, None);
    let mail = take_due(&mut connection, morning, Duration::MINUTE).await.unwrap().unwrap();
    let during = morning + Duration::SECOND;
    assert_eq!(probe(&mut connection, during).await.unwrap().oldest, Some(morning), "the first attempt");
    extend_lease(&mut connection, &mail, morning + Duration::HOUR).await.unwrap();
    set_due(&mut connection, account, morning + Duration::HOUR).await.unwrap();
    assert_eq!(probe(&mut connection, during).await.unwrap().oldest, Some(morning));

    let expires = morning + EXPIRY;
    assert!(!postpone(&mut connection, &mail, None, expires - Duration::SECOND).await.unwrap());
    assert_eq!(probe(&mut connection, expires).await.unwrap().oldest, Some(morning), "a retry");
    assert!(postpone(&mut connection, &mail, None, expires).await.unwrap());
    assert_eq!(probe(&mut connection, expires).await.unwrap().oldest, None);
}

#[test]
fn a_mail_waits_a_second_then_twice_as_long_each_time_and_never_over_an_hour() {
    let pauses: Vec<_> = [1, 2, 3, 12, 13, i32::MAX].map(|tries| BACKOFF.pause(tries).whole_seconds()).into();
    assert_eq!(pauses, [1, 2, 4, 2048, 3600, 3600]);
}
