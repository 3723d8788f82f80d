//! Receipts of paid orders.

use kit::timestamp::to_timestamp;
use proto::commerce::{OrderLine, PaymentMethod, ProductKind, Receipt};
use time::Duration;

use crate::shop::{NOON, Shop, refusal};
use crate::stored_order::StoredOrder;

const COURSE: &str = "id: 1101, kind: course, course: 101, price: 13200, period_days: 365";
const PAID: (&str, &str) = ("paid", "succeeded");
const NOT_FOUND: &str = "NotFound NOT_FOUND";

#[tokio::test]
async fn the_receipt_of_a_paid_order_is_a_qualified_invoice() {
    let shop = Shop::with(&[COURSE]).await;
    let learner = shop.learner();
    let lines = &[(1101, 1_050), (1102, 1_050), (1103, 1_050)];
    let order =
        shop.store(&learner, &StoredOrder { state: PAID, lines, tax: 286, ..Default::default() }).await;
    let line = |product_id: i64| OrderLine {
        product_id,
        name: "商品".to_owned(),
        price: 1_050,
        period_days: Some(365),
        course_id: Some(product_id - 1_000),
        learner_id: learner.id.to_string(),
        learner_name: "葵 太郎".to_owned(),
        discount: 0,
        kind: ProductKind::Course.into(),
        refunded: 0,
        n: u32::try_from(product_id - 1_100).unwrap(),
        exam_id: None,
    };
    let receipt = Receipt {
        number: "R-261120-7Q4F2".to_owned(),
        order_number: "KM-261120-7Q4F2".to_owned(),
        addressee: None,
        issues: 0,
        issued_at: None,
        paid_at: Some(to_timestamp(NOON + Duration::MINUTE)),
        lines: [1101, 1102, 1103].map(line).into(),
        total: 3_150,
        tax: 286,
        tax_rate: 10,
        issuer: "株式会社コノマナ".to_owned(),
        issuer_number: "T0000000000000".to_owned(),
        method: PaymentMethod::Card.into(),
        discount: 0,
        coupons: Vec::new(),
    };
    assert_eq!(learner.receipt(&order).await.unwrap(), receipt);

    // A second payment, which is refunded, changes nothing.
    shop.store_payment(&order, 2, "succeeded", 3_150, NOON).await;
    assert_eq!(learner.receipt(&order).await.unwrap(), receipt);
}

#[tokio::test]
async fn a_receipt_is_issued_once_for_an_addressee_and_reissued_for_another() {
    let shop = Shop::with(&[COURSE]).await;
    let learner = shop.learner();
    let order = shop.store(&learner, &StoredOrder { state: PAID, ..Default::default() }).await;
    let issue = async |addressee: &str| {
        shop.clock.advance(Duration::HOUR);
        let receipt = learner.issue_receipt(&order, addressee).await.unwrap();
        assert_eq!(learner.receipt(&order).await.unwrap(), receipt);
        let hours = receipt.issued_at.map(|at| (at.seconds - NOON.unix_timestamp()) / 3_600);
        (receipt.addressee.unwrap(), receipt.issues, hours.unwrap())
    };
    assert_eq!(issue(" 株式会社 葵　").await, ("株式会社 葵".to_owned(), 1, 1));
    assert_eq!(issue("株式会社 葵").await, ("株式会社 葵".to_owned(), 1, 1));
    assert_eq!(issue("葵 太郎").await, ("葵 太郎".to_owned(), 2, 3));
    assert_eq!(issue(&"葵".repeat(60)).await, ("葵".repeat(60), 3, 4));
    for (addressee, code) in [
        ("", "REQUIRED"),
        (" 　", "REQUIRED"),
        (&"葵".repeat(61), "TOO_LONG"),
        ("葵\n太郎", "INVALID_FORMAT"),
    ] {
        let refused = learner.issue_receipt(&order, addressee).await;
        assert_eq!(refusal(refused), format!("addressee {code}"), "{addressee}");
    }
    assert_eq!(learner.receipt(&order).await.unwrap().issues, 3);
}

#[tokio::test]
async fn an_order_that_is_unpaid_or_another_accounts_has_no_receipt() {
    let shop = Shop::with(&[COURSE]).await;
    let (learner, stranger) = (shop.learner(), shop.learner());
    let paid = shop.store(&stranger, &StoredOrder { state: PAID, ..Default::default() }).await;
    let open = shop.store(&learner, &StoredOrder { number: "KM-261120-2", ..Default::default() }).await;
    let expired = StoredOrder { number: "KM-261120-3", state: ("expired", "expired"), ..Default::default() };
    let expired = shop.store(&learner, &expired).await;
    for order in [&paid, &open, &expired, "", "1"] {
        assert_eq!(refusal(learner.receipt(order).await), NOT_FOUND, "{order}");
        assert_eq!(refusal(learner.issue_receipt(order, "葵").await), NOT_FOUND, "{order}");
    }
    assert_eq!(stranger.receipt(&paid).await.unwrap().issues, 0);
}
