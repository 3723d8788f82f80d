//! The ledger: journals sum to zero and are append-only.

use crate::shop::Shop;

#[tokio::test]
async fn the_postings_of_a_journal_sum_to_zero() {
    let (shop, learner, order) = Shop::with_order().await;
    learner.cancel(&order.id).await.unwrap();
    let sums = "SELECT sum(amount)::text FROM posting GROUP BY journal_id";
    assert_eq!(shop.texts(sums).await, ["0", "0"]);
    let one_sided = "INSERT INTO posting (journal_id, n, account, amount) SELECT id, 9, 1, 500 FROM journal";
    assert_eq!(violation(&shop, one_sided).await, "posting_sum");
}

#[tokio::test]
async fn a_booked_entry_cannot_be_changed_deleted_or_booked_again() {
    let (shop, ..) = Shop::with_order().await;
    for change in [
        "UPDATE posting SET amount = amount * 2",
        "DELETE FROM posting",
        "TRUNCATE posting, journal",
        "UPDATE journal SET kind = 'order_ended'",
        "DELETE FROM journal",
    ] {
        assert_eq!(violation(&shop, change).await, "ledger_append_only", "{change}");
    }
    let again =
        "INSERT INTO journal (kind, subject, order_id, at) SELECT kind, subject, order_id, at FROM journal";
    assert_eq!(violation(&shop, again).await, "journal_once");
}

/// The constraint that a statement violates.
async fn violation(shop: &Shop, statement: &'static str) -> String {
    use sqlx::Executor as _;
    let mut connection = shop.database.pool.acquire().await.unwrap();
    let error = connection.execute(sqlx::raw_sql(statement)).await.unwrap_err();
    kit_db::constraint(&error).unwrap().to_owned()
}
