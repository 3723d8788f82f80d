//! Refunds that buyers request.

use proto::commerce::OrderState::{Fulfilled, PartRefunded, Refunded};
use proto::commerce::{
    OrderRefunded, PaymentMethod, RefundFailed, RefundObstacle, RefundReason, RefundRequested, RefundRule,
    RefundState,
};
use proto::lms::{EntitlementRevoked, EntitlementSourceKind};
use time::Duration;

use super::{PROCESSED, SUCCEEDED, refund_request, refunded, refunds};
use crate::buying::COURSE;
use crate::lms::Answer;
use crate::shop::{NOON, Shop, refusal};

#[tokio::test]
async fn a_quote_shows_each_line_and_changes_nothing() {
    let (shop, learner, order) = Shop::with_paid_order().await;
    shop.lms.open(102, 9);
    let quote = learner.quote(&order.id).await.unwrap();
    assert_eq!(
        (quote.policy_version, quote.is_refundable, quote.obstacle()),
        (1, true, RefundObstacle::Unspecified)
    );
    let lines: Vec<_> =
        quote.lines.iter().map(|line| (line.n, line.rule(), line.paid, line.amount)).collect();
    assert_eq!(lines, [(1, RefundRule::Full, 16_500, 16_500), (2, RefundRule::ProRata, 9_900, 4_950)]);
    assert_eq!((quote.lines[1].lessons_total, quote.lines[1].lessons_opened), (18, 9));
    assert!(
        quote.lines[1].rule_text.contains("9,900円 × 9回 ÷ 18回 = 4,950円"),
        "{}",
        quote.lines[1].rule_text
    );
    // 26,400 includes 2,400 of tax, and the remaining 4,950 include 450.
    assert_eq!((quote.total, quote.tax), (21_450, 1_950));
    assert_eq!(quote.method(), PaymentMethod::Card);
    let paid_at = NOON + Duration::SECOND;
    assert_eq!(quote.lines[0].last_use_at.unwrap().seconds, (paid_at + Duration::days(365)).unix_timestamp());
    assert_eq!(quote.lines[1].last_use_at, None, "without end");
    // Midnight after 28 November in Tokyo.
    assert_eq!(quote.lines[0].full_until.unwrap().seconds, 1_795_878_000);
    let asked = shop.lms.asked();
    assert_eq!((asked.len(), asked[0].granted_at.unwrap().seconds), (2, paid_at.unix_timestamp()));
    assert_eq!(asked[0].learner_id, learner.learner(0));

    assert_eq!(learner.order(&order.id).await.unwrap(), order);
    assert_eq!(shop.journals().await, ["order_placed", "payment_received"]);
}

#[tokio::test]
async fn a_line_is_given_back_its_access_ends_and_its_money_goes_back() {
    let (shop, learner, order) = Shop::with_paid_order().await;
    learner.issue_receipt(&order.id, "あおい商店").await.unwrap();
    shop.lms.open(102, 9);
    let quote = learner.quote(&order.id).await.unwrap();
    shop.clock.advance(Duration::HOUR);
    // A line that is named twice is refunded once.
    let part = learner.refund(&order.id, &quote, &[2, 2]).await.unwrap();
    assert_eq!((part.state(), refunded(&part)), (PartRefunded, vec![0, 4_950]));
    assert_eq!(refunds(&part), [(4_950, RefundState::Pending)]);
    assert_eq!((part.refunds[0].reason(), part.refunds[0].has_invoice), (RefundReason::Buyer, false));
    assert_eq!(refusal(learner.return_invoice(&order.id, &part.refunds[0].id).await), "NotFound NOT_FOUND");

    let [revoked] = &shop.events::<EntitlementRevoked>("lms").await[..] else { panic!("one revocation") };
    let source = revoked.source.as_ref().unwrap();
    assert_eq!(
        (source.kind(), source.id.clone()),
        (EntitlementSourceKind::OrderLine, format!("{}:2", order.id))
    );
    assert_eq!(revoked.learner_id, learner.learner(0));
    let [mail] = &shop.events::<RefundRequested>("desk").await[..] else { panic!("one email") };
    assert_eq!((mail.amount, mail.items[0].name.as_str()), (4_950, "中3理科（葵 太郎さん）"));
    assert_eq!((mail.to.as_str(), mail.method()), ("aoi@example.jp", PaymentMethod::Card));

    let workers = shop.work();
    shop.until(SUCCEEDED, 1).await;
    drop(workers);
    let [made] = &shop.provider.refunds()[..] else { panic!("one refund") };
    assert_eq!((made.intent.as_str(), made.amount), ("pi_0", 4_950));
    assert_eq!(
        shop.balances().await,
        ["provider_cash 21450", "revenue -24000", "tax -1950", "refund 4500"],
        "the receivable and what was owed are settled"
    );
    let [mail] = &shop.events::<OrderRefunded>("desk").await[..] else { panic!("one email") };
    let paid = learner.order(&order.id).await.unwrap();
    assert_eq!((mail.amount, mail.reason()), (4_950, RefundReason::Buyer));
    assert_eq!(mail.invoice_refund_id, paid.refunds[0].id);

    assert!(paid.refunds[0].has_invoice);
    let invoice = learner.return_invoice(&order.id, &paid.refunds[0].id).await.unwrap();
    let rest = order.number.strip_prefix("KM-").unwrap();
    assert_eq!((invoice.number, invoice.receipt_number), (format!("H-{rest}-1"), format!("R-{rest}")));
    assert_eq!((invoice.total, invoice.tax, invoice.tax_rate), (4_950, 450, 10));
    assert_eq!(
        (invoice.addressee.as_deref(), invoice.issuer_number.as_str()),
        (Some("あおい商店"), "T0000000000000")
    );
    let lines: Vec<_> = invoice.lines.iter().map(|line| (line.name.as_str(), line.amount)).collect();
    assert_eq!(lines, [("中3理科", 4_950)]);
    assert_eq!(invoice.refunded_at, invoice.issued_at);
    assert_eq!(invoice.paid_at, order.paid_at);
    let receipt = learner.receipt(&order.id).await.unwrap();
    assert_eq!((receipt.total, receipt.tax), (26_400, 2_400), "the receipt stays as it was issued");
}

#[tokio::test]
async fn the_parts_of_an_order_are_its_total_and_its_tax() {
    let shop = Shop::with(&[
        "id: 1101, kind: course, course: 101, price: 1050",
        "id: 1102, kind: course, course: 102, price: 1050",
        "id: 1103, kind: course, course: 103, price: 1050",
    ])
    .await;
    let learner = shop.learner();
    for product in [1101, 1102, 1103] {
        learner.add(product).await.unwrap();
    }
    let order = shop.purchase(&learner).await;
    assert_eq!((order.total, order.tax), (3_150, 286));
    for n in [2, 1, 3] {
        let quote = learner.quote(&order.id).await.unwrap();
        learner.refund(&order.id, &quote, &[n]).await.unwrap();
        shop.clock.advance(Duration::SECOND);
    }
    let _workers = shop.work();
    shop.until(SUCCEEDED, 3).await;
    let done = learner.order(&order.id).await.unwrap();
    assert_eq!((done.state(), refunded(&done)), (Refunded, vec![1_050; 3]));
    let mut taxes = Vec::new();
    for refund in &done.refunds {
        let invoice = learner.return_invoice(&order.id, &refund.id).await.unwrap();
        taxes.push((invoice.number.rsplit('-').next().unwrap().to_owned(), invoice.tax));
    }
    taxes.sort_unstable();
    assert_eq!(taxes, [("1", 96), ("2", 95), ("3", 95)].map(|(number, tax)| (number.to_owned(), tax)));
    assert_eq!(shop.balances().await, ["revenue -2864", "refund 2864"]);
    let quote = learner.quote(&order.id).await.unwrap();
    assert_eq!((quote.is_refundable, quote.obstacle(), quote.total), (false, RefundObstacle::AllRefunded, 0));
    assert_eq!(refusal(learner.refund(&order.id, &quote, &[1]).await), "Conflict NOT_REFUNDABLE");
}

#[tokio::test]
async fn a_figure_that_changed_since_the_quote_stops_the_refund() {
    let (shop, learner, order) = Shop::with_paid_order().await;
    let quote = learner.quote(&order.id).await.unwrap();
    // A lesson was opened in the meantime: the amount is the same, but the text is different.
    shop.lms.open(101, 1);
    assert_eq!(refusal(learner.refund(&order.id, &quote, &[1]).await), "Conflict QUOTE_CHANGED");
    let quote = learner.quote(&order.id).await.unwrap();
    // The eighth day has ended.
    shop.clock.advance(Duration::days(9));
    assert_eq!(refusal(learner.refund(&order.id, &quote, &[1]).await), "Conflict QUOTE_CHANGED");
    let quote = learner.quote(&order.id).await.unwrap();
    assert_eq!(quote.lines[0].amount, 15_583);
    assert_eq!(learner.refund(&order.id, &quote, &[1]).await.unwrap().refunds[0].amount, 15_583);
    assert_eq!(shop.texts("SELECT id::text FROM refund").await.len(), 1);
}

#[tokio::test]
async fn only_the_buyer_s_own_paid_lines_are_refunded() {
    let (shop, learner, order) = Shop::with_paid_order().await;
    let quote = learner.quote(&order.id).await.unwrap();
    let stranger = shop.learner();
    assert_eq!(refusal(stranger.quote(&order.id).await), "NotFound NOT_FOUND");
    assert_eq!(refusal(stranger.refund(&order.id, &quote, &[1]).await), "NotFound NOT_FOUND");
    for (lines, wanted) in [
        (&[][..], "lines REQUIRED"),
        (&[3][..], "lines UNKNOWN_CHOICE"),
        (&[0, 1][..], "lines UNKNOWN_CHOICE"),
    ] {
        assert_eq!(refusal(learner.refund(&order.id, &quote, lines).await), wanted);
    }
    for (digest, wanted) in [("", "quote_digest REQUIRED"), ("00", "quote_digest INVALID_FORMAT")] {
        assert_eq!(refusal(learner.send_refund(refund_request(&order.id, digest, &[1])).await), wanted);
    }
    shop.lms.answer(Answer::Unavailable);
    assert_eq!(refusal(learner.quote(&order.id).await), "Unavailable UPSTREAM_UNAVAILABLE");
    shop.lms.answer(Answer::Owned(Vec::new()));

    learner.add(1101).await.unwrap();
    let open = learner.place().await.unwrap();
    let unpaid = learner.quote(&open.id).await.unwrap();
    assert_eq!((unpaid.is_refundable, unpaid.obstacle()), (false, RefundObstacle::NotPaid));
    assert_eq!(refusal(learner.refund(&open.id, &quote, &[1]).await), "Conflict NOT_REFUNDABLE");
    assert_eq!(shop.texts("SELECT id::text FROM refund").await.len(), 0);
    assert_eq!(learner.order(&order.id).await.unwrap().state(), Fulfilled);
}

#[tokio::test]
async fn a_refunded_course_can_be_bought_again() {
    let (shop, learner, order) = Shop::with_paid_order().await;
    let quote = learner.quote(&order.id).await.unwrap();
    learner.refund(&order.id, &quote, &[1, 2]).await.unwrap();
    learner.add(1101).await.unwrap();
    let again = shop.purchase(&learner).await;
    assert_eq!(again.state(), Fulfilled);
    assert_ne!(again.id, order.id);
}

#[tokio::test]
async fn a_line_that_cost_nothing_is_given_back_without_the_provider() {
    let (shop, learner, order) = Shop::with_paid_order().await;
    // The price after a coupon of 100 %.
    shop.texts("UPDATE order_line SET discount = price WHERE n = 2").await;
    shop.texts("UPDATE orders SET total = 16500, tax = 1500, discount = 9900").await;
    let quote = learner.quote(&order.id).await.unwrap();
    assert_eq!((quote.lines[1].paid, quote.lines[1].rule(), quote.total), (0, RefundRule::Full, 16_500));
    let part = learner.refund(&order.id, &quote, &[2]).await.unwrap();
    assert_eq!(refunds(&part), [(0, RefundState::Succeeded)]);
    assert!(!part.refunds[0].has_invoice);
    assert_eq!(part.state(), PartRefunded);
    let _workers = shop.work();
    let quote = learner.quote(&order.id).await.unwrap();
    assert_eq!(quote.lines[1].rule(), RefundRule::None);
    learner.refund(&order.id, &quote, &[1]).await.unwrap();
    shop.until(SUCCEEDED, 2).await;
    assert_eq!(shop.provider.refunds().len(), 1);
    assert_eq!(shop.events::<EntitlementRevoked>("lms").await.len(), 2);
    assert_eq!(learner.order(&order.id).await.unwrap().state(), Refunded);
}

#[tokio::test]
async fn a_refund_before_the_grants_leaves_the_rest_to_be_fulfilled() {
    let shop = Shop::with(&[COURSE, crate::buying::OTHER]).await;
    let learner = shop.learner();
    learner.add(1101).await.unwrap();
    learner.add(1102).await.unwrap();
    let order = learner.place().await.unwrap();
    shop.provider.pay(0);
    shop.clock.advance(Duration::SECOND);
    learner.check(&order.id).await.unwrap();
    let quote = learner.quote(&order.id).await.unwrap();
    assert_eq!(learner.refund(&order.id, &quote, &[1]).await.unwrap().state(), PartRefunded);
    let _workers = shop.work();
    shop.texts("DELETE FROM outbox WHERE receiver = 'lms'").await;
    shop.until("SELECT id::text FROM orders WHERE fulfilled_at IS NOT NULL", 1).await;
    assert_eq!(learner.order(&order.id).await.unwrap().state(), PartRefunded, "it never goes back");
}

#[tokio::test]
async fn a_refund_that_needs_the_buyer_s_account_says_so_until_it_is_paid() {
    let (shop, learner, order) = Shop::with_paid_order().await;
    shop.texts("UPDATE payment SET method = 'konbini'").await;
    shop.provider.start_refunds_as("requires_action");
    let quote = learner.quote(&order.id).await.unwrap();
    assert!(quote.arrival_text.contains("振込先をお聞きするメール"), "{}", quote.arrival_text);
    learner.refund(&order.id, &quote, &[1]).await.unwrap();
    let _workers = shop.work();
    shop.until("SELECT id::text FROM refund WHERE state = 'needs_details'", 1).await;
    assert_eq!(refunds(&learner.order(&order.id).await.unwrap()), [(16_500, RefundState::NeedsDetails)]);
    assert_eq!(shop.provider.refunds()[0].email.as_deref(), Some("aoi@example.jp"));
    shop.provider.set_refund(0, "succeeded");
    // Its event is lost.
    shop.clock.advance(Duration::hours(6));
    shop.until(SUCCEEDED, 1).await;
    assert_eq!(shop.provider.refunds().len(), 1);
}

#[tokio::test]
async fn a_refund_that_fails_after_it_succeeded_is_owed_again_and_the_buyer_is_emailed() {
    let (shop, learner, order) = Shop::with_paid_order().await;
    let quote = learner.quote(&order.id).await.unwrap();
    let part = learner.refund(&order.id, &quote, &[1]).await.unwrap();
    let _workers = shop.work();
    shop.until(SUCCEEDED, 1).await;
    shop.provider.fail_refund(0);
    shop.receive("evt_1", "refund.failed", "re_0").await.unwrap();
    // The first event arrives last.
    shop.receive("evt_2", "refund.created", "re_0").await.unwrap();
    shop.until(PROCESSED, 2).await;
    let failed = learner.order(&order.id).await.unwrap();
    assert_eq!((refunds(&failed), failed.state()), (vec![(16_500, RefundState::Failed)], PartRefunded));
    assert!(!failed.refunds[0].has_invoice);
    assert_eq!(refusal(learner.return_invoice(&order.id, &part.refunds[0].id).await), "NotFound NOT_FOUND");
    let [mail] = &shop.events::<RefundFailed>("desk").await[..] else { panic!("one email") };
    assert_eq!(mail.amount, 16_500);
    assert!(shop.balances().await.contains(&"refund_payable -16500".to_owned()));
    // The line is not refunded twice.
    let quote = learner.quote(&order.id).await.unwrap();
    assert_eq!((quote.lines[0].rule(), quote.total), (RefundRule::None, 9_900));
}

#[tokio::test]
async fn an_order_keeps_the_rules_that_it_was_placed_under() {
    let (shop, learner, order) = Shop::with_paid_order().await;
    let before = learner.quote(&order.id).await.unwrap();
    shop.texts("INSERT INTO refund_policy VALUES (2, '2026-11-20 00:00Z', 1, 10)").await;
    let same = learner.quote(&order.id).await.unwrap();
    assert_eq!((same.policy_version, same.digest), (1, before.digest));
    learner.add(1101).await.unwrap();
    let confirmation = learner.confirmation().await.unwrap();
    let document = String::from_utf8(confirmation.document).unwrap();
    assert!(
        document.contains("お支払いの日から1日以内（1日目の終わりまで）で、開いたレッスンが10%未満なら"),
        "{document}"
    );
    let next = shop.purchase(&learner).await;
    shop.lms.open(101, 2);
    let quote = learner.quote(&next.id).await.unwrap();
    assert_eq!((quote.policy_version, quote.lines[0].rule()), (2, RefundRule::ProRata));
    let quote = learner.quote(&order.id).await.unwrap();
    assert_eq!((quote.policy_version, quote.lines[0].rule()), (1, RefundRule::Full));
}
