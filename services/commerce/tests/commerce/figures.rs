//! The figures that operators see.

use commerce::figures::Figures;
use proto::commerce::OrderState;
use proto::commerce::PaymentMethod::BankTransfer;
use time::Duration;

use crate::shop::Shop;

impl Shop {
    async fn figures(&self) -> Figures {
        Figures::read_figures(&mut self.database.pool.acquire().await.unwrap()).await.unwrap()
    }
}

#[tokio::test]
async fn an_order_is_counted_until_its_courses_are_granted() {
    let (shop, learner, order) = Shop::with_order().await;
    assert_eq!(shop.figures().await, Figures { unpaid_orders: 1, ..Figures::default() });
    shop.provider.pay(0);
    shop.clock.advance(Duration::SECOND);
    assert_eq!(learner.check(&order.id).await.unwrap().state(), OrderState::Paid);
    assert_eq!(shop.figures().await, Figures { ungranted_orders: 1, ..Figures::default() });
    let _workers = shop.work();
    shop.texts("DELETE FROM outbox").await;
    shop.until("SELECT id::text FROM orders WHERE state = 'fulfilled'", 1).await;
    assert_eq!(shop.figures().await, Figures::default());
}

#[tokio::test]
async fn figures_count_pending_money() {
    let (shop, learner, order) = Shop::with_paid_order().await;
    let workers = shop.work();
    shop.provider.start_refunds_as("pending");
    let quote = learner.quote(&order.id).await.unwrap();
    learner.refund(&order.id, &quote, &[2]).await.unwrap();
    shop.until("SELECT id::text FROM refund WHERE state = 'pending'", 1).await;
    assert_eq!(shop.figures().await, Figures { refunding_yen: 9_900, ..Figures::default() });
    shop.provider.set_refund(0, "failed");
    shop.receive("evt_1", "refund.failed", "re_0").await.unwrap();
    shop.until("SELECT id::text FROM refund WHERE state = 'failed'", 1).await;
    assert_eq!(shop.figures().await, Figures { owed_yen: 9_900, ..Figures::default() });
    let id = shop.provider.dispute(0, "needs_response");
    shop.receive("evt_2", "charge.dispute.created", &id).await.unwrap();
    shop.until("SELECT id::text FROM dispute", 1).await;
    let figures = shop.figures().await;
    assert_eq!((figures.disputes, figures.disputed_yen), (1, 26_400));
    drop(workers);

    let other = shop.learner();
    other.add(1101).await.unwrap();
    let order = other.place_by(BankTransfer).await.unwrap();
    shop.texts(
        "INSERT INTO transfer (id, provider_transaction, payment_id, amount, sender_name, is_other_name, state, \
             received_at, stored_at) \
         SELECT gen_random_uuid(), 'ccsbtxn_1', id, 700, '', false, 'held', '2026-11-20 02:00Z', now() \
         FROM payment WHERE method = 'bank_transfer'",
    )
    .await;
    let figures = shop.figures().await;
    assert_eq!((figures.held_yen, figures.unpaid_orders), (700, 1), "{}", order.number);
    let since = figures.held_since.unwrap().unix_timestamp();
    assert_eq!(since, crate::shop::NOON.unix_timestamp() - 60 * 60);
}

#[tokio::test]
async fn figures_show_the_last_audit_and_the_sum_of_later_postings() {
    let (shop, ..) = Shop::with_paid_order().await;
    assert_eq!(shop.audit().await, [""; 0]);
    let figures = shop.figures().await;
    assert_eq!((figures.differences, figures.ledger_yen), (Some(0), 0));
    assert_eq!(figures.audited_at, Some(shop.clock.clock().now()));
    shop.texts(
        "ALTER TABLE posting DISABLE TRIGGER USER; \
         INSERT INTO journal (kind, subject, order_id, at) \
             SELECT 'refund_paid', gen_random_uuid(), id, now() FROM orders; \
         INSERT INTO posting (journal_id, n, account, amount) SELECT max(id), 1, 1, 500 FROM journal",
    )
    .await;
    assert_eq!(shop.figures().await.ledger_yen, 500);
    shop.clock.advance(Duration::DAY);
    assert_eq!(shop.audit().await.len(), 3);
    let figures = shop.figures().await;
    assert_eq!((figures.differences, figures.ledger_yen), (Some(3), 500), "it stays until it is mended");
}
