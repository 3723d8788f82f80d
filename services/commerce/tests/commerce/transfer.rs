//! Bank transfers: each is stored once, applied to its order or returned, and the ledger accounts
//! for every yen.

use proto::commerce::OrderState::{AwaitingPayment, Cancelled, Expired, Paid};
use proto::commerce::PaymentMethod::BankTransfer;
use proto::commerce::PaymentState::{self, PartFunded, RequiresAction, Succeeded, Unknown};
use proto::commerce::{
    BankAccountType, BankTransferInstructions, Order, OrderEnded, OrderPaid, OrderPlaced, OrderRefunded,
    PaymentMethod, TransferShort,
};
use proto::lms::EntitlementGranted;
use time::Duration;
use time::macros::datetime;

use crate::buying::{COURSE, OTHER, states};
use crate::customer::Customer;
use crate::shop::{NOON, Shop};
use crate::test_provider::Behaviour;

const FUNDED: &str = "customer_cash_balance_transaction.created";
const PROCESSED: &str = "SELECT id FROM provider_event WHERE processed_at IS NOT NULL";
const RETURNED: &str = "SELECT id::text FROM refund WHERE state = 'succeeded'";
/// The end of Friday in Tokyo, seven days after the order.
const DUE: time::OffsetDateTime = datetime!(2026-11-27 15:00 UTC);
/// アオイ タロウ in a bank's spelling.
const SENDER: &str = "ｱｵｲ ﾀﾛｳ";

/// A learner's order of 16,500 yen, to be paid by bank transfer.
async fn with_order() -> (Shop, Customer, Order) {
    let shop = Shop::with(&[COURSE, OTHER]).await;
    let learner = shop.learner();
    learner.add(1101).await.unwrap();
    let order = learner.place_by(BankTransfer).await.unwrap();
    (shop, learner, order)
}

impl Shop {
    /// A transfer arrives now. It is seen when the order is checked.
    fn transfer(&self, amount: i32) {
        self.provider.transfer(0, amount, SENDER, self.clock.clock().now());
    }

    /// Checks an order, a second later.
    async fn check_later(&self, learner: &Customer, order: &Order) -> Order {
        self.clock.advance(Duration::SECOND);
        learner.check(&order.id).await.unwrap()
    }

    /// Asserts the balances of the ledger, and that the customer's cash balance is empty.
    async fn assert_settled(&self, expected: &[&str]) {
        assert_eq!(self.balances().await, expected);
        assert_eq!(self.provider.customers()[0].balance, 0);
    }
}

fn instructions(order: &Order) -> BankTransferInstructions {
    order.payment.as_ref().unwrap().bank_transfer.clone().unwrap()
}

fn amounts(order: &Order) -> (i32, i32) {
    let instructions = instructions(order);
    (instructions.amount_received, instructions.amount_remaining)
}

const SOLD: [&str; 3] = ["provider_cash 16500", "revenue -15000", "tax -1500"];

#[tokio::test]
async fn the_account_is_shown_and_mailed_and_stays_readable() {
    let (shop, learner, order) = with_order().await;
    assert_eq!(states(&order), (AwaitingPayment, RequiresAction));
    assert_eq!(order.due_at.unwrap().seconds, DUE.unix_timestamp());
    let account = instructions(&order);
    assert_eq!((account.bank_name.as_str(), account.bank_code.as_str()), ("みらい銀行", "0009"));
    assert_eq!((account.branch_name.as_str(), account.branch_code.as_str()), ("さくら支店", "950"));
    assert_eq!(
        (account.account_type(), account.account_number.as_str()),
        (BankAccountType::Futsu, "1234567")
    );
    assert_eq!(account.account_holder, "カ）コノマナ");
    assert_eq!(amounts(&order), (0, 16_500));
    let [customer] = &shop.provider.customers()[..] else { panic!("one customer") };
    assert_eq!(customer.form["metadata[account]"], learner.id.to_string());
    assert_eq!(
        (customer.form["name"].as_str(), customer.form["email"].as_str()),
        ("葵 太郎", "aoi@example.jp")
    );
    let [intent] = &shop.provider.intents()[..] else { panic!("one intent") };
    assert_eq!(
        (intent.key.as_str(), intent.form["customer"].as_str()),
        (&*format!("{}:1", order.number), "cus_0")
    );
    let [mail] = &shop.events::<OrderPlaced>("desk").await[..] else { panic!("one email") };
    assert_eq!(mail.payment.as_ref().unwrap().bank_transfer.as_ref(), Some(&account));
    assert_eq!(mail.due_at.unwrap().seconds, DUE.unix_timestamp());

    let cancelled = learner.cancel(&order.id).await.unwrap();
    assert_eq!(instructions(&cancelled).account_number, "1234567");
    // The next order has the same customer.
    let next = learner.place_by(BankTransfer).await.unwrap();
    assert_ne!(next.id, order.id);
    assert_eq!((shop.provider.customers().len(), shop.provider.intents().len()), (1, 2));
}

#[tokio::test]
async fn a_whole_transfer_pays_the_order_once() {
    let (shop, learner, order) = with_order().await;
    let _workers = shop.work();
    shop.clock.advance(Duration::hours(5));
    shop.transfer(16_500);
    // Three events about the same transfer arrive at once.
    let (one, two, three) = tokio::join!(
        shop.receive("evt_1", FUNDED, "cus_0"),
        shop.receive("evt_2", FUNDED, "cus_0"),
        shop.receive("evt_3", "payment_intent.requires_action", "pi_1000"),
    );
    assert!(one.is_ok() && two.is_ok() && three.is_ok());
    shop.until(PROCESSED, 3).await;
    let paid = learner.order(&order.id).await.unwrap();
    assert_eq!(states(&paid), (Paid, Succeeded));
    assert_eq!(amounts(&paid), (16_500, 0));
    let [transfer] = &instructions(&paid).transfers[..] else { panic!("one transfer") };
    assert_eq!((transfer.amount, transfer.sender_name.as_str()), (16_500, SENDER));
    assert_eq!(transfer.received_at.unwrap().seconds, (NOON + Duration::hours(5)).unix_timestamp());
    assert!(!transfer.is_other_name && !transfer.is_returned);
    assert_eq!(shop.journals().await, ["order_placed", "transfer_received", "transfer_applied"]);
    shop.assert_settled(&SOLD).await;
    assert_eq!(shop.events::<EntitlementGranted>("lms").await.len(), 1);
    assert_eq!(shop.events::<OrderPaid>("desk").await.len(), 1);
    assert!(shop.events::<TransferShort>("desk").await.is_empty());
    assert_eq!(learner.receipt(&order.id).await.unwrap().method(), BankTransfer);
}

#[tokio::test]
async fn another_name_is_shown_and_counts_all_the_same() {
    let (shop, learner, order) = with_order().await;
    shop.provider.transfer(0, 16_500, "ｱｵｲ ﾊﾅｺ", NOON);
    let paid = shop.check_later(&learner, &order).await;
    assert_eq!(paid.state(), Paid);
    assert!(instructions(&paid).transfers[0].is_other_name);
}

#[tokio::test]
async fn a_short_transfer_waits_for_the_rest_and_shows_the_missing_amount() {
    let (shop, learner, order) = with_order().await;
    shop.transfer(10_000);
    let part = shop.check_later(&learner, &order).await;
    assert_eq!(states(&part), (AwaitingPayment, PartFunded));
    assert_eq!(amounts(&part), (10_000, 6_500));
    // Checking again changes nothing.
    shop.check_later(&learner, &order).await;
    let [mail] = &shop.events::<TransferShort>("desk").await[..] else { panic!("one email") };
    let rest = mail.payment.as_ref().unwrap().bank_transfer.as_ref().unwrap();
    assert_eq!((mail.amount, rest.amount_received, rest.amount_remaining), (10_000, 10_000, 6_500));
    assert_eq!(
        shop.balances().await,
        ["receivable 16500", "provider_cash 10000", "revenue -15000", "tax -1500", "customer_balance -10000"]
    );

    shop.transfer(500);
    assert_eq!(amounts(&shop.check_later(&learner, &order).await), (10_500, 6_000));
    assert_eq!(shop.events::<TransferShort>("desk").await.len(), 2);
    shop.transfer(6_000);
    let paid = shop.check_later(&learner, &order).await;
    assert_eq!((states(&paid), amounts(&paid)), ((Paid, Succeeded), (16_500, 0)));
    assert_eq!(instructions(&paid).transfers.len(), 3);
    shop.assert_settled(&SOLD).await;
    assert_eq!(shop.events::<TransferShort>("desk").await.len(), 2);
}

#[tokio::test]
async fn too_much_pays_the_order_and_the_rest_goes_back() {
    let (shop, learner, order) = with_order().await;
    let _workers = shop.work();
    shop.transfer(20_000);
    shop.receive("evt_1", FUNDED, "cus_0").await.unwrap();
    shop.until(RETURNED, 1).await;
    let paid = learner.order(&order.id).await.unwrap();
    assert_eq!((states(&paid), paid.refunds[0].amount), ((Paid, Succeeded), 3_500));
    assert_eq!(amounts(&paid), (16_500, 0));
    assert!(!instructions(&paid).transfers[0].is_returned);
    shop.assert_settled(&SOLD).await;
    let [refund] = &shop.provider.refunds()[..] else { panic!("one refund") };
    assert_eq!((refund.intent.as_str(), refund.amount), ("cus_0", 3_500));
    let [mail] = &shop.events::<OrderRefunded>("desk").await[..] else { panic!("one email") };
    assert_eq!((mail.amount, mail.method()), (3_500, BankTransfer));

    // A second transfer is returned in full.
    shop.transfer(16_500);
    shop.receive("evt_2", FUNDED, "cus_0").await.unwrap();
    shop.until(RETURNED, 2).await;
    let paid = learner.order(&order.id).await.unwrap();
    assert_eq!(paid.refunds.iter().map(|it| it.amount).collect::<Vec<_>>(), [3_500, 16_500]);
    assert!(instructions(&paid).transfers[1].is_returned);
    shop.assert_settled(&SOLD).await;
    assert_eq!(shop.events::<EntitlementGranted>("lms").await.len(), 1);
}

#[tokio::test]
async fn a_part_that_is_not_completed_in_time_goes_back_whole() {
    let (shop, learner, order) = with_order().await;
    shop.transfer(10_000);
    shop.check_later(&learner, &order).await;
    shop.transfer(3_000);
    let _workers = shop.work();
    shop.clock.advance(DUE - shop.clock.clock().now());
    shop.until(RETURNED, 1).await;
    let expired = learner.order(&order.id).await.unwrap();
    assert_eq!(states(&expired), (Expired, PaymentState::Expired));
    assert_eq!(expired.refunds[0].amount, 13_000);
    assert!(instructions(&expired).transfers.iter().all(|transfer| transfer.is_returned));
    assert_eq!(shop.provider.intents()[0].status, "canceled");
    let [ended] = &shop.events::<OrderEnded>("desk").await[..] else { panic!("one email") };
    assert_eq!((ended.is_cancelled, ended.returned), (false, 13_000));
    shop.assert_settled(&[]).await;
}

#[tokio::test]
async fn a_transfer_in_time_counts_however_late_it_is_seen() {
    let (shop, learner, order) = with_order().await;
    shop.provider.transfer(0, 16_500, SENDER, DUE - Duration::SECOND);
    // Down until long after the order's due time.
    shop.provider.set_behaviour(Behaviour::Down);
    let workers = shop.work();
    shop.clock.advance(DUE - NOON + Duration::hours(3));
    // The pause is shorter than a lease, so the order was tried and released.
    let tried = "SELECT id::text FROM orders WHERE next_check_at > due_at + interval '3 hours' \
        AND next_check_at < due_at + interval '3 hours 30 s'";
    shop.until(tried, 1).await;
    assert_eq!(learner.order(&order.id).await.unwrap().state(), AwaitingPayment);
    shop.provider.set_behaviour(Behaviour::Answers);
    shop.clock.advance(Duration::minutes(5));
    shop.until("SELECT id::text FROM orders WHERE state = 'paid'", 1).await;
    shop.assert_settled(&SOLD).await;
    drop(workers);
}

#[tokio::test]
async fn a_transfer_after_the_due_time_goes_back() {
    let (shop, learner, order) = with_order().await;
    shop.provider.transfer(0, 16_500, SENDER, DUE);
    let _workers = shop.work();
    shop.clock.advance(DUE - NOON + Duration::SECOND);
    shop.until(RETURNED, 1).await;
    shop.until("SELECT id::text FROM orders WHERE state = 'expired'", 1).await;
    let expired = learner.order(&order.id).await.unwrap();
    assert_eq!(expired.refunds[0].amount, 16_500);
    assert!(shop.events::<EntitlementGranted>("lms").await.is_empty());
    shop.assert_settled(&[]).await;
}

#[tokio::test]
async fn money_for_an_ended_order_is_returned_even_without_an_event() {
    let (shop, learner, order) = with_order().await;
    assert_eq!(learner.cancel(&order.id).await.unwrap().state(), Cancelled);
    let _workers = shop.work();
    shop.transfer(16_500);
    shop.receive("evt_1", FUNDED, "cus_0").await.unwrap();
    shop.until(RETURNED, 1).await;
    shop.transfer(700);
    shop.clock.advance(Duration::HOUR);
    shop.until(RETURNED, 2).await;
    let cancelled = learner.order(&order.id).await.unwrap();
    assert_eq!(states(&cancelled), (Cancelled, PaymentState::Cancelled));
    assert_eq!(cancelled.refunds.iter().map(|it| it.amount).collect::<Vec<_>>(), [16_500, 700]);
    assert_eq!(amounts(&cancelled).0, 0);
    shop.assert_settled(&[]).await;
}

#[tokio::test]
async fn an_unseen_transfer_overrides_the_cancellation() {
    let (shop, learner, order) = with_order().await;
    shop.transfer(16_500);
    assert_eq!(states(&learner.cancel(&order.id).await.unwrap()), (Paid, Succeeded));
    shop.assert_settled(&SOLD).await;
    assert!(shop.events::<OrderEnded>("desk").await.is_empty());
}

#[tokio::test]
async fn with_every_event_lost_the_order_is_paid_within_five_minutes_on_any_day() {
    let (shop, ..) = with_order().await;
    shop.clock.advance(Duration::days(5));
    let _workers = shop.work();
    shop.until(
        "SELECT id::text FROM orders WHERE next_check_at > placed_at + interval '5 days 3 minutes'",
        1,
    )
    .await;
    shop.transfer(16_500);
    shop.clock.advance(Duration::minutes(5) - Duration::seconds(10));
    shop.until("SELECT id::text FROM orders WHERE state = 'paid'", 1).await;
}

#[tokio::test]
async fn a_lost_answer_applies_the_money_once() {
    let (shop, learner, order) = with_order().await;
    shop.transfer(16_500);
    // The provider lists the transfer and applies it, and the response is lost.
    shop.provider.lose_answer_of_application();
    let waiting = shop.check_later(&learner, &order).await;
    assert_eq!(states(&waiting), (AwaitingPayment, RequiresAction));
    assert_eq!(shop.provider.customers()[0].balance, 0);
    let paid = shop.check_later(&learner, &order).await;
    assert_eq!(states(&paid), (Paid, Succeeded));
    shop.assert_settled(&SOLD).await;
}

#[tokio::test]
async fn a_lost_answer_to_the_start_is_the_same_intent_and_customer() {
    let shop = Shop::with(&[COURSE]).await;
    let learner = shop.learner();
    learner.add(1101).await.unwrap();
    shop.provider.set_behaviour(Behaviour::Mute);
    let order = learner.place_by(BankTransfer).await.unwrap();
    assert_eq!(states(&order), (AwaitingPayment, Unknown));
    shop.provider.set_behaviour(Behaviour::Answers);
    let order = shop.check_later(&learner, &order).await;
    assert_eq!(states(&order), (AwaitingPayment, RequiresAction));
    assert_eq!((shop.provider.customers().len(), shop.provider.intents().len()), (1, 1));
}

#[tokio::test]
async fn money_on_its_way_back_pays_no_other_order() {
    let (shop, learner, order) = with_order().await;
    learner.cancel(&order.id).await.unwrap();
    shop.transfer(16_500);
    shop.provider.set_refunds(false);
    let workers = shop.work();
    shop.receive("evt_1", FUNDED, "cus_0").await.unwrap();
    shop.until("SELECT id::text FROM refund WHERE tries > 0 AND state = 'requested'", 1).await;
    drop(workers);
    // The money is in the balance, which would pay the next order at once.
    shop.provider.set_refunds(true);
    let next = learner.place_by(BankTransfer).await.unwrap();
    assert_eq!(states(&next), (AwaitingPayment, RequiresAction));
    assert_eq!(shop.provider.refunds()[0].amount, 16_500);
    assert_eq!(shop.provider.customers()[0].balance, 0);
}

#[tokio::test]
async fn a_balance_that_is_there_pays_the_next_order_at_once() {
    let (shop, learner, order) = with_order().await;
    learner.cancel(&order.id).await.unwrap();
    // The transfer arrives without being seen before the next order.
    shop.transfer(20_000);
    let next = learner.place_by(BankTransfer).await.unwrap();
    assert_eq!(states(&next), (Paid, Succeeded));
    let _workers = shop.work();
    shop.receive("evt_1", FUNDED, "cus_0").await.unwrap();
    shop.until(RETURNED, 1).await;
    let next = learner.order(&next.id).await.unwrap();
    assert_eq!((next.refunds[0].amount, states(&next)), (3_500, (Paid, Succeeded)));
    assert_eq!(next.payment.unwrap().bank_transfer, None, "there is nothing to transfer");
    shop.assert_settled(&SOLD).await;
}

#[tokio::test]
async fn many_transfers_and_unknown_transactions_are_read_to_the_end() {
    let (shop, learner, order) = with_order().await;
    for amount in [5_000, 5_000, 5_000, 1_500] {
        shop.transfer(amount);
        shop.provider.add_unknown_transaction(0);
    }
    let paid = shop.check_later(&learner, &order).await;
    assert_eq!((paid.state(), instructions(&paid).transfers.len()), (Paid, 4));
    shop.assert_settled(&SOLD).await;
}

#[tokio::test]
async fn two_processes_that_see_a_transfer_at_once_apply_it_once() {
    let (shop, learner, order) = with_order().await;
    let _workers = (shop.work(), shop.work());
    shop.transfer(9_000);
    shop.transfer(9_000);
    let (one, two, three) = tokio::join!(
        shop.receive("evt_1", FUNDED, "cus_0"),
        shop.receive("evt_2", FUNDED, "cus_0"),
        learner.cancel(&order.id),
    );
    assert!(one.is_ok() && two.is_ok());
    assert_eq!(three.unwrap().state(), Paid);
    shop.until(PROCESSED, 2).await;
    shop.until(RETURNED, 1).await;
    assert_eq!(learner.order(&order.id).await.unwrap().refunds[0].amount, 1_500);
    shop.assert_settled(&SOLD).await;
}

#[tokio::test]
async fn a_card_order_of_the_same_buyer_does_not_take_the_transfer() {
    let (shop, learner, order) = with_order().await;
    learner.cancel(&order.id).await.unwrap();
    let card = learner.place_by(PaymentMethod::Card).await.unwrap();
    let _workers = shop.work();
    shop.transfer(16_500);
    shop.receive("evt_1", FUNDED, "cus_0").await.unwrap();
    shop.until(RETURNED, 1).await;
    assert_eq!(learner.order(&card.id).await.unwrap().state(), AwaitingPayment);
    assert_eq!(learner.order(&order.id).await.unwrap().refunds[0].amount, 16_500);
}

#[tokio::test]
async fn money_that_the_provider_does_not_apply_is_not_lost_and_the_order_can_end() {
    let (shop, learner, order) = with_order().await;
    shop.transfer(16_500);
    // A person emptied the balance manually.
    shop.provider.drain_balance(0);
    let waiting = shop.check_later(&learner, &order).await;
    assert_eq!(waiting.state(), AwaitingPayment);
    let cancelled = learner.cancel(&order.id).await.unwrap();
    assert_eq!((cancelled.state(), cancelled.refunds[0].amount), (Cancelled, 16_500));
    assert_eq!(shop.balances().await, ["provider_cash 16500", "refund_payable -16500"]);
}

#[tokio::test]
async fn a_return_whose_key_is_forgotten_is_not_made_twice() {
    let (shop, learner, order) = with_order().await;
    shop.transfer(10_000);
    shop.check_later(&learner, &order).await;
    learner.cancel(&order.id).await.unwrap();
    // The money was returned, but the response was lost, and the provider forgot the key a day
    // later.
    shop.provider.drain_balance(0);
    shop.clock.advance(Duration::days(2));
    let _workers = shop.work();
    shop.until(RETURNED, 1).await;
    assert!(shop.provider.refunds().is_empty());
    shop.assert_settled(&[]).await;
}
