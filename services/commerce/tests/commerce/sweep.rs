//! The periodic deletion of old rows. The test of each noun covers its own rows.

use time::Duration;

use crate::shop::{NOON, Shop};

#[tokio::test]
async fn answers_of_idempotent_requests_are_swept_after_24_hours() {
    let shop = Shop::with(&["id: 1, kind: interview"]).await;
    let mut connection = shop.database.pool.acquire().await.unwrap();
    let answer = sqlx::query!("INSERT INTO idempotency VALUES ('1', '1', '1', $1)", NOON);
    answer.execute(&mut *connection).await.unwrap();
    let almost = NOON + Duration::DAY - Duration::SECOND;
    assert_eq!(commerce::sweep::sweep_once(&mut connection, almost).await.unwrap(), 0);
    assert_eq!(commerce::sweep::sweep_once(&mut connection, NOON + Duration::DAY).await.unwrap(), 1);
}
