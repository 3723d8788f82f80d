//! Reminders: three days and one day before a transfer is due, and one day before a convenience
//! store's codes end.

use proto::commerce::PaymentMethod::{self, BankTransfer, Card, Konbini};
use proto::commerce::PaymentReminder;
use time::Duration;
use time::macros::datetime;

use crate::buying::COURSE;
use crate::customer::Customer;
use crate::shop::{NOON, Shop};

async fn with_order(method: PaymentMethod) -> (Shop, Customer, String) {
    let shop = Shop::with(&[COURSE]).await;
    let learner = shop.learner();
    learner.add(1101).await.unwrap();
    let order = learner.place_by(method).await.unwrap();
    (shop, learner, order.id)
}

impl Shop {
    async fn reminders(&self) -> Vec<u32> {
        self.events::<PaymentReminder>("desk").await.iter().map(|event| event.days_left).collect()
    }
}

const SENT: &str = "SELECT order_id::text FROM reminder WHERE sent_at IS NOT NULL";
const PLANNED: &str = "SELECT order_id::text FROM reminder WHERE next_try_at IS NOT NULL";

#[tokio::test]
async fn a_transfer_is_reminded_of_twice_at_ten_in_the_morning_once_each() {
    let (shop, ..) = with_order(BankTransfer).await;
    // Two processes.
    let _workers = (shop.work(), shop.work());
    // Due at the end of Friday, the 27th.
    shop.clock.advance(datetime!(2026-11-24 00:59:59 UTC) - NOON);
    assert!(shop.reminders().await.is_empty());
    shop.clock.advance(Duration::SECOND);
    shop.until(SENT, 1).await;
    shop.clock.advance(datetime!(2026-11-26 01:00 UTC) - datetime!(2026-11-24 01:00 UTC));
    shop.until(SENT, 2).await;
    assert_eq!(shop.reminders().await, [3, 1]);
    let mail = shop.events::<PaymentReminder>("desk").await.remove(0);
    assert_eq!((mail.to.as_str(), mail.total), ("aoi@example.jp", 16_500));
    let account = mail.payment.unwrap().bank_transfer.unwrap();
    assert_eq!((account.account_number.as_str(), account.amount_remaining), ("1234567", 16_500));
}

#[tokio::test]
async fn codes_of_a_store_are_reminded_of_once_and_a_card_never() {
    let (shop, ..) = with_order(Konbini).await;
    let _workers = shop.work();
    // Due at the end of Monday, the 23rd.
    shop.clock.advance(datetime!(2026-11-22 01:00 UTC) - NOON);
    shop.until(SENT, 1).await;
    assert_eq!(shop.reminders().await, [1]);
    assert!(shop.events::<PaymentReminder>("desk").await[0].payment.as_ref().unwrap().konbini.is_some());
    let (shop, ..) = with_order(Card).await;
    assert!(shop.texts(PLANNED).await.is_empty());
}

#[tokio::test]
async fn an_order_that_ended_or_whose_day_is_over_is_not_reminded_of() {
    let (shop, learner, order) = with_order(BankTransfer).await;
    learner.cancel(&order).await.unwrap();
    shop.clock.advance(datetime!(2026-11-26 02:00 UTC) - NOON);
    let workers = shop.work();
    shop.until(PLANNED, 0).await;
    assert!(shop.reminders().await.is_empty());
    drop(workers);

    // Down from Tuesday to Thursday: the first reminder would then be wrong.
    let (shop, ..) = with_order(BankTransfer).await;
    shop.clock.advance(datetime!(2026-11-26 02:00 UTC) - NOON);
    let _workers = shop.work();
    shop.until(PLANNED, 0).await;
    assert_eq!(shop.reminders().await, [1]);
}
