//! The audit.

use std::process::Command;

use super::SUCCEEDED;
use crate::shop::Shop;

impl Shop {
    /// The differences that an audit finds.
    pub(crate) async fn audit(&self) -> Vec<String> {
        let report =
            commerce::audit(&self.database.pool, &self.provider.client(), &self.clock.clock()).await.unwrap();
        report.differences()
    }
}

/// A shop with a paid, a cancelled, an open, a partly refunded and a disputed order.
async fn shop_with_orders() -> Shop {
    let (shop, learner, order) = Shop::with_paid_order().await;
    let workers = shop.work();
    let quote = learner.quote(&order.id).await.unwrap();
    learner.refund(&order.id, &quote, &[2]).await.unwrap();
    shop.until(SUCCEEDED, 1).await;
    for _ in 0..2 {
        let other = shop.learner();
        other.add(1101).await.unwrap();
        shop.purchase(&other).await;
    }
    let id = shop.provider.dispute(1, "needs_response");
    shop.receive("evt_1", "charge.dispute.created", &id).await.unwrap();
    shop.until("SELECT id::text FROM dispute", 1).await;
    let other = shop.learner();
    other.add(1102).await.unwrap();
    let cancelled = other.place().await.unwrap();
    other.cancel(&cancelled.id).await.unwrap();
    other.place().await.unwrap();
    shop.provider.pay_out(20_000);
    drop(workers);
    shop
}

#[tokio::test]
async fn the_books_agree_with_themselves_and_with_the_provider() {
    let shop = shop_with_orders().await;
    assert_eq!(shop.audit().await, [""; 0]);
    // Fees of 3.6 % and of the dispute, and the payout, are each booked once.
    let balances = shop.balances().await;
    assert!(balances.contains(&"provider_fee 3638".to_owned()), "{balances:?}");
    assert!(balances.contains(&"payout 20000".to_owned()), "{balances:?}");
    assert_eq!(shop.audit().await, [""; 0]);
    assert_eq!(shop.balances().await, balances);
}

#[tokio::test]
async fn each_difference_is_named() {
    let shop = shop_with_orders().await;
    let number = shop.texts("SELECT number FROM orders WHERE state = 'part_refunded'").await.remove(0);
    for (fault, mend, wanted) in [
        (
            "UPDATE payment SET state = 'failed' WHERE order_id = (SELECT id FROM orders WHERE state = 'part_refunded')",
            "UPDATE payment SET state = 'succeeded' WHERE order_id = (SELECT id FROM orders WHERE state = 'part_refunded')",
            vec![format!("a paid order has one payment of its total: {number} has 0 payments of its total")],
        ),
        (
            "UPDATE orders SET state = 'fulfilled' WHERE state = 'part_refunded'",
            "UPDATE orders SET state = 'part_refunded' WHERE id IN (SELECT order_id FROM refund_line)",
            vec![format!(
                "the state of an order is that of its lines: {number} is fulfilled, 1 of 2 lines are refunded"
            )],
        ),
        (
            "UPDATE order_line SET grant_event = NULL WHERE n = 1 AND order_id IN (SELECT order_id FROM refund_line)",
            "UPDATE order_line SET grant_event = gen_random_uuid() WHERE n = 1 AND grant_event IS NULL \
                AND order_id IN (SELECT order_id FROM refund_line)",
            vec![format!(
                "a paid course or exam seat was granted once, or refunded: {number} line 1 was not granted"
            )],
        ),
        (
            "UPDATE refund SET amount = 26401",
            "UPDATE refund SET amount = 9900",
            vec![format!("no more is refunded than was paid: {number}: 26401 yen of 26400")],
        ),
    ] {
        shop.texts(fault).await;
        assert_eq!(shop.audit().await, wanted, "{fault}");
        shop.texts(mend).await;
        assert_eq!(shop.audit().await, [""; 0], "{mend}");
    }
}

#[tokio::test]
async fn a_ledger_that_was_forged_is_found() {
    let shop = shop_with_orders().await;
    shop.texts(
        "ALTER TABLE posting DISABLE TRIGGER USER; \
        INSERT INTO posting (journal_id, n, account, amount) SELECT min(id), 9, 1, 500 FROM journal",
    )
    .await;
    let journal = shop.texts("SELECT min(id)::text FROM journal").await.remove(0);
    let number = shop.texts("SELECT number FROM orders WHERE state = 'part_refunded'").await.remove(0);
    assert_eq!(
        shop.audit().await,
        [
            format!("every journal sums to zero: journal {journal} sums to 500"),
            "the ledger sums to zero: it sums to 500".to_owned(),
            format!(
                "an order owes its total until it is paid or ends, then nothing: {number} (part_refunded) owes 500 yen"
            ),
        ]
    );
}

#[tokio::test]
async fn the_audit_finds_money_that_only_one_side_has() {
    let shop = shop_with_orders().await;
    shop.provider.forget_payment(2);
    assert_eq!(
        shop.audit().await,
        [
            "payments are those of the provider: ledger 59400 yen, provider 42900 yen, -16500 yen are missing in the ledger"
        ]
    );
    let shop = shop_with_orders().await;
    shop.provider.refund_outside(0, 500);
    assert_eq!(
        shop.audit().await,
        [
            "refunds are those of the provider: ledger -9900 yen, provider -10400 yen, -500 yen are missing in the ledger"
        ]
    );
}

#[tokio::test]
async fn a_refund_that_failed_is_named_until_its_money_is_returned() {
    let shop = shop_with_orders().await;
    shop.provider.fail_refund(0);
    let _workers = shop.work();
    shop.receive("evt_9", "refund.failed", "re_0").await.unwrap();
    shop.until("SELECT id::text FROM refund WHERE state = 'failed'", 1).await;
    let number = shop.texts("SELECT number FROM orders WHERE state = 'part_refunded'").await.remove(0);
    let refund = shop.texts("SELECT id::text FROM refund WHERE state = 'failed'").await.remove(0);
    assert_eq!(
        shop.audit().await,
        [format!("no refund has failed and is still owed: {number}: 9900 yen, refund {refund}")]
    );
    let id = shop.provider.refund_outside(0, 9_900);
    shop.receive("evt_10", "refund.created", &id).await.unwrap();
    shop.until(SUCCEEDED, 1).await;
    assert_eq!(shop.audit().await, [""; 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_command_prints_a_table_and_fails_with_a_difference() {
    let shop = shop_with_orders().await;
    let run = || {
        let output = Command::new(env!("CARGO_BIN_EXE_commerce"))
            .env_clear()
            .args(["audit", "--database-url", &shop.database.url])
            .args(["--provider-url", &shop.provider.url(), "--provider-key", "sk_test_0123456789"])
            .args(["--provider-webhook-secret", "whsec_1"])
            .output()
            .unwrap();
        (output.status.code(), String::from_utf8(output.stdout).unwrap())
    };
    let (status, table) = tokio::task::block_in_place(run);
    assert_eq!(status, Some(0), "{table}");
    assert!(table.lines().any(|line| line.starts_with("the ledger sums to zero ")), "{table}");
    shop.texts("UPDATE orders SET state = 'fulfilled' WHERE state = 'part_refunded'").await;
    let (status, table) = tokio::task::block_in_place(run);
    assert_eq!(status, Some(1), "{table}");
    assert!(table.contains("\n- the state of an order is that of its lines: KM-"), "{table}");
}
