//! Reading orders.

use kit::test::{guardian_of, learner};
use kit::timestamp::to_timestamp;
use proto::commerce::order_service_client::OrderServiceClient;
use proto::commerce::{
    Confirmation, LearnerPurchase, ListLearnerPurchasesRequest, Order, OrderLine, OrderState, Payment,
    PaymentMethod, PaymentState, ProductKind, Refund, RefundReason, RefundState,
};
use time::Duration;
use uuid::Uuid;

use crate::shop::{NOON, Shop, refusal};
use crate::stored_order::StoredOrder;

const COURSE: &str = "id: 1101, kind: course, course: 101, price: 13200, period_days: 365";
const NOT_FOUND: &str = "NotFound NOT_FOUND";

#[tokio::test]
async fn an_order_has_what_was_agreed_and_the_page_where_it_is_paid() {
    let shop = Shop::with(&[COURSE]).await;
    let learner = shop.learner();
    let id = shop.store(&learner, &StoredOrder::default()).await;
    let payment = Payment {
        method: PaymentMethod::Card.into(),
        state: PaymentState::RequiresAction.into(),
        page_url: Some("https://pay.example/1".to_owned()),
        decline_code: Some("card_declined".to_owned()),
        konbini: None,
        bank_transfer: None,
    };
    let order = Order {
        id: id.clone(),
        number: "KM-261120-7Q4F2".to_owned(),
        state: OrderState::AwaitingPayment.into(),
        lines: vec![OrderLine {
            product_id: 1101,
            name: "商品".to_owned(),
            price: 13_200,
            period_days: Some(365),
            course_id: Some(101),
            learner_id: learner.id.to_string(),
            learner_name: "葵 太郎".to_owned(),
            discount: 0,
            kind: ProductKind::Course.into(),
            refunded: 0,
            n: 1,
            exam_id: None,
        }],
        total: 13_200,
        tax: 1_200,
        placed_at: Some(to_timestamp(NOON)),
        due_at: Some(to_timestamp(NOON + Duration::HOUR)),
        paid_at: None,
        ended_at: None,
        payment: Some(payment.clone()),
        confirmation: Some(Confirmation { document: b"{}".to_vec(), digest: "0102".to_owned() }),
        refunds: Vec::new(),
        discount: 0,
        coupons: Vec::new(),
        subscription_id: None,
    };
    assert_eq!(learner.order(&id).await.unwrap(), order);
    let listed = learner.order_page(1).await.unwrap();
    assert_eq!((listed.count, listed.orders), (1, vec![Order { confirmation: None, ..order.clone() }]));

    shop.clock.advance(Duration::minutes(35));
    let payment = Some(Payment { page_url: None, ..payment });
    assert_eq!(learner.order(&id).await.unwrap(), Order { payment, ..order }, "the page is closed");
}

#[tokio::test]
async fn the_last_attempt_counts_and_money_that_goes_back_is_shown() {
    let shop = Shop::with(&[COURSE]).await;
    let learner = shop.learner();
    let id = shop.store(&learner, &StoredOrder { state: ("expired", "failed"), ..Default::default() }).await;
    let late = shop.store_payment(&id, 2, "succeeded", 13_200, NOON).await;
    let mut connection = shop.database.pool.acquire().await.unwrap();
    sqlx::query!(
        "INSERT INTO refund (id, payment_id, amount, state, requested_at) VALUES ($1, $1, 13200, 'requested', $2)",
        late,
        NOON,
    )
    .execute(&mut *connection)
    .await
    .unwrap();
    let order = learner.order(&id).await.unwrap();
    assert_eq!(
        (order.state(), order.ended_at),
        (OrderState::Expired, Some(to_timestamp(NOON + Duration::MINUTE)))
    );
    let payment = order.payment.unwrap();
    assert_eq!((payment.state(), payment.page_url), (PaymentState::Succeeded, None));
    let (state, requested_at) = (RefundState::Pending.into(), Some(to_timestamp(NOON)));
    let reason = RefundReason::Late.into();
    let id = order.refunds[0].id.clone();
    assert_eq!(
        order.refunds,
        [Refund {
            amount: 13_200,
            state,
            requested_at,
            id,
            reason,
            has_invoice: false,
            can_retry: false,
            is_replaced: false
        }]
    );
}

#[tokio::test]
async fn an_account_lists_its_own_orders_newest_first_20_a_page() {
    let shop = Shop::with(&[COURSE]).await;
    let (learner, stranger) = (shop.learner(), shop.learner());
    let numbers: Vec<String> = (1..=21).map(|n| format!("KM-261120-{n:05}")).collect();
    for (hours, number) in (0..).zip(&numbers) {
        let placed_at = NOON + Duration::hours(hours);
        let state = ("fulfilled", "succeeded");
        shop.store(&learner, &StoredOrder { number, state, placed_at, ..Default::default() }).await;
    }
    let other = shop.store(&stranger, &StoredOrder::default()).await;
    let page = async |page| {
        let page = learner.order_page(page).await.unwrap();
        (page.count, page.orders.into_iter().map(|order| order.number).collect::<Vec<_>>())
    };
    let newest: Vec<String> = numbers.iter().rev().cloned().collect();
    assert_eq!(page(1).await, (21, newest[..20].to_vec()));
    assert_eq!(page(2).await, (21, newest[20..].to_vec()));
    assert_eq!(refusal(learner.order_page(3).await), NOT_FOUND);
    assert_eq!(refusal(learner.order_page(0).await), "page OUT_OF_RANGE");
    assert_eq!(shop.learner().order_page(1).await.unwrap().count, 0);
    for id in [other.as_str(), "", "KM-261120-00001"] {
        assert_eq!(refusal(learner.order(id).await), NOT_FOUND, "{id}");
    }
}

#[tokio::test]
async fn what_was_bought_for_a_learner_is_the_same_for_the_guardian_and_names_no_buyer() {
    let shop = Shop::with(&[COURSE]).await;
    let guardian = shop.guardian(2);
    let states = [
        ("fulfilled", "succeeded"),
        ("expired", "expired"),
        ("cancelled", "cancelled"),
        ("awaiting_payment", "requires_action"),
    ];
    for (n, state) in (0..).zip(states) {
        let number = format!("KM-261120-7Q4F{n}");
        let placed_at = NOON + Duration::minutes(n);
        shop.store(&guardian, &StoredOrder { number: &number, state, placed_at, ..StoredOrder::default() })
            .await;
    }
    let bought = async |caller| {
        let mut orders = OrderServiceClient::new(shop.server.channel_as(caller));
        let found = orders.list_learner_purchases(ListLearnerPurchasesRequest {}).await;
        found.unwrap().into_inner().purchases
    };
    let [first, second] = [0, 1].map(|index| guardian.learner(index).parse::<Uuid>().unwrap());
    let seen = bought(guardian_of(guardian.id, first)).await;
    let purchase = |state: OrderState, minutes| LearnerPurchase {
        name: "商品".to_owned(),
        placed_at: Some(to_timestamp(NOON + Duration::minutes(minutes))),
        state: state.into(),
        amount: 13_200,
    };
    assert_eq!(seen, [purchase(OrderState::AwaitingPayment, 3), purchase(OrderState::Fulfilled, 0)]);
    assert_eq!(bought(learner(first)).await, seen);
    assert_eq!(bought(learner(second)).await, []);
}
