//! The cart of an account.

use std::time::Instant;

use proto::commerce::cart_service_client::CartServiceClient;
use proto::commerce::{CartLine, GetCartRequest, LineProblem, OpenOrder};
use time::Duration;
use tokio::task::JoinSet;
use uuid::Uuid;

use crate::customer::{Customer, lines, products};
use crate::lms::Answer;
use crate::shop::{NOON, Shop, refusal};
use crate::stored_order::StoredOrder;

const NOTHING: LineProblem = LineProblem::Unspecified;
const NOT_FOUND: &str = "NotFound NOT_FOUND";
const COURSE: &str = "id: 1101, kind: course, course: 101, price: 13200, period_days: 365";
const OTHER: &str = "id: 1102, kind: course, course: 102, price: 9900";

impl Customer {
    fn learner_id(&self, index: usize) -> Uuid {
        self.learner(index).parse().unwrap()
    }
}

#[tokio::test]
async fn a_product_is_in_the_cart_once_for_each_learner() {
    let shop = Shop::with(&[COURSE, OTHER]).await;
    let guardian = shop.guardian(2);
    guardian.add(1101).await.unwrap();
    shop.clock.advance(Duration::SECOND);
    guardian.add_for(1101, guardian.learner(1)).await.unwrap();
    let cart = guardian.add(1101).await.unwrap();
    assert_eq!(lines(&cart), [(1101, "葵 一郎", NOTHING), (1101, "葵 二郎", NOTHING)]);
    assert_eq!(cart, guardian.cart().await);
    let CartLine { product, learner_id, added_at, is_ordered, .. } = &cart.lines[1];
    assert_eq!(*product, Some(shop.get(1101).await.unwrap()));
    assert_eq!((learner_id.as_str(), *is_ordered), (guardian.learner(1), false));
    assert_eq!(*added_at, Some(kit::timestamp::to_timestamp(NOON + Duration::SECOND)));
    assert_eq!((cart.total, cart.open_order), (26_400, None));
    assert!(shop.learner().cart().await.lines.is_empty(), "each account has its own cart");
}

#[tokio::test]
async fn a_cart_has_at_most_20_lines_also_when_many_are_added_at_once() {
    let all: Vec<String> = (1..=25).map(|id| format!("id: {id}, kind: course, course: {id}")).collect();
    let shop = Shop::with(&all.iter().map(String::as_str).collect::<Vec<_>>()).await;
    let mut adding = JoinSet::new();
    let learner = std::sync::Arc::new(shop.learner());
    for id in 1..=25 {
        // Each one twice, like from two tabs.
        for _ in 0..2 {
            let learner = learner.clone();
            adding.spawn(async move { (id, learner.add(id).await) });
        }
    }
    let mut added = Vec::new();
    for (id, answer) in adding.join_all().await {
        match answer {
            Ok(_) => added.push(id),
            refused => assert_eq!(refusal(refused), "Conflict CART_FULL"),
        }
    }
    added.sort_unstable();
    added.dedup();
    let cart = learner.cart().await;
    let mut stored = products(&cart);
    stored.sort_unstable();
    assert_eq!((stored.len(), cart.total), (20, 20_000));
    assert_eq!(stored, added);

    let out = (1..=25).find(|id| !stored.contains(id)).unwrap();
    assert_eq!(learner.add(stored[0]).await.unwrap(), cart, "an existing product needs no room");
    assert_eq!(learner.join(&[out]).await.unwrap(), cart);
    learner.remove(&cart.lines[0].id).await.unwrap();
    assert_eq!(products(&learner.add(out).await.unwrap())[19], out);
}

#[tokio::test]
async fn products_that_are_unknown_or_not_on_sale_yet_are_not_found() {
    let shop = Shop::with(&[COURSE, &format!("{OTHER}, sale_starts: 2026-11-21")]).await;
    let learner = shop.learner();
    for id in [1102, 1, 0, -1, i64::MAX] {
        assert_eq!(refusal(learner.add(id).await), NOT_FOUND, "{id}");
    }
    shop.clock.advance(Duration::DAY);
    assert_eq!(products(&learner.add(1102).await.unwrap()), [1102]);
}

#[tokio::test]
async fn a_buyer_cannot_buy_for_an_unlinked_learner() {
    let shop = Shop::with(&[COURSE]).await;
    let (guardian, stranger) = (shop.guardian(1), shop.learner());
    let line = guardian.add(1101).await.unwrap().lines.remove(0).id;
    let own_account = guardian.id.to_string();
    for forged in [stranger.learner(0), own_account.as_str(), "一郎"] {
        assert_eq!(refusal(guardian.add_for(1101, forged).await), "learner_id UNKNOWN_CHOICE");
        assert_eq!(refusal(guardian.assign(&line, forged).await), "learner_id UNKNOWN_CHOICE");
    }
    assert_eq!(refusal(guardian.assign(&line, "").await), "learner_id UNKNOWN_CHOICE");
    let childless = shop.guardian(0);
    for refused in [childless.add(1101).await, childless.join(&[1101]).await] {
        assert_eq!(refusal(refused), "Conflict NO_LEARNER");
    }
    assert!(childless.cart().await.lines.is_empty());
}

#[tokio::test]
async fn a_line_of_another_account_is_not_found() {
    let shop = Shop::with(&[COURSE]).await;
    let (owner, stranger) = (shop.learner(), shop.learner());
    let cart = owner.add(1101).await.unwrap();
    let line = &cart.lines[0].id;
    for id in [line, &Uuid::nil().to_string(), "", "1"] {
        assert_eq!(refusal(stranger.remove(id).await), NOT_FOUND, "{id}");
        assert_eq!(refusal(stranger.assign(id, stranger.learner(0)).await), NOT_FOUND, "{id}");
    }
    assert_eq!(owner.cart().await, cart);
    assert!(owner.remove(line).await.unwrap().lines.is_empty());
    assert_eq!(refusal(owner.remove(line).await), NOT_FOUND);
}

#[tokio::test]
async fn a_line_is_assigned_to_another_learner_and_two_of_a_learner_become_one() {
    let shop = Shop::with(&[COURSE, OTHER]).await;
    let guardian = shop.guardian(2);
    guardian.add(1101).await.unwrap();
    let line = guardian.add(1102).await.unwrap().lines.remove(0).id;
    let cart = guardian.assign(&line, guardian.learner(1)).await.unwrap();
    assert_eq!(lines(&cart), [(1101, "葵 二郎", NOTHING), (1102, "葵 一郎", NOTHING)]);
    assert_eq!(cart.lines[0].id, line);
    assert_eq!(guardian.assign(&line, guardian.learner(1)).await.unwrap(), cart, "nothing to change");

    assert_eq!(guardian.add(1101).await.unwrap().lines.len(), 3);
    let cart = guardian.assign(&line, guardian.learner(0)).await.unwrap();
    assert_eq!(lines(&cart), [(1102, "葵 一郎", NOTHING), (1101, "葵 一郎", NOTHING)]);
}

#[tokio::test]
async fn the_cart_of_a_visitor_joins_without_doubling() {
    let shop = Shop::with(&[COURSE, OTHER, &OTHER.replace("102", "103")]).await;
    let guardian = shop.guardian(2);
    guardian.add_for(1102, guardian.learner(1)).await.unwrap();
    let cart = guardian.join(&[1103, 9, 1102, 1101, 1103, -1]).await.unwrap();
    assert_eq!(
        lines(&cart),
        [(1102, "葵 二郎", NOTHING), (1103, "葵 一郎", NOTHING), (1101, "葵 一郎", NOTHING)]
    );
    assert_eq!(guardian.join(&[1103, 1102, 1101]).await.unwrap(), cart);
    assert_eq!(guardian.join(&[]).await.unwrap(), cart);
    let many: Vec<i64> = (1..=21).collect();
    assert_eq!(guardian.join(&many[..20]).await.unwrap(), cart);
    assert_eq!(refusal(guardian.join(&many).await), "product_ids TOO_LONG");
}

#[tokio::test]
async fn the_oldest_products_of_a_visitor_fill_the_cart() {
    let all: Vec<String> = (1..=22).map(|id| format!("id: {id}, kind: course, course: {id}")).collect();
    let shop = Shop::with(&all.iter().map(String::as_str).collect::<Vec<_>>()).await;
    let learner = shop.learner();
    for id in [21, 22] {
        learner.add(id).await.unwrap();
        shop.clock.advance(Duration::SECOND);
    }
    let visitor: Vec<i64> = (1..=20).rev().collect();
    let cart = learner.join(&visitor).await.unwrap();
    assert_eq!(products(&cart), [&[21, 22], &visitor[..18]].concat());
}

#[tokio::test]
async fn a_line_says_why_it_cannot_be_bought_and_does_not_count() {
    let shop = Shop::with(&[
        COURSE,
        OTHER,
        "id: 1103, kind: course, course: 103, sale_ends: 2026-11-20",
        "id: 3001, kind: subscription",
        "id: 4001, kind: konoshiki",
    ])
    .await;
    let mut guardian = shop.guardian(3);
    for product in [1101, 1102, 1103, 3001, 4001] {
        guardian.add(product).await.unwrap();
    }
    guardian.add_for(1101, guardian.learner(1)).await.unwrap();
    guardian.add_for(1101, guardian.learner(2)).await.unwrap();
    shop.clock.advance(Duration::DAY);
    let strangers = (Uuid::now_v7(), 101);
    shop.lms.answer(Answer::Owned(vec![(guardian.learner_id(0), 102), strangers]));
    guardian.buyer.learners[1].lacks_consent = true;
    guardian.buyer.learners.truncate(2);
    let cart = guardian.cart().await;
    assert_eq!(
        lines(&cart),
        [
            (1101, "葵 一郎", NOTHING),
            (1102, "葵 一郎", LineProblem::Owned),
            (1103, "葵 一郎", LineProblem::NotOnSale),
            (3001, "葵 一郎", NOTHING),
            (4001, "葵 一郎", LineProblem::NotOffered),
            (1101, "葵 二郎", LineProblem::ConsentMissing),
            (1101, "", LineProblem::NotLinked),
        ]
    );
    assert_eq!(cart.total, 13_200 + 1_000);
    shop.lms.answer(Answer::Owned(Vec::new()));
    assert_eq!(guardian.cart().await.total, 13_200 + 1_000 + 9_900, "an expired course can be bought again");
}

#[tokio::test]
async fn a_cart_is_shown_without_lms_but_nothing_is_confirmed() {
    let shop = Shop::with(&[COURSE]).await;
    let learner = shop.learner();
    learner.add(1101).await.unwrap();
    shop.lms.answer(Answer::Owned(vec![(learner.id, 101)]));
    assert_eq!(learner.cart().await.lines[0].problem(), LineProblem::Owned);
    for answer in [Answer::Unavailable, Answer::Nothing] {
        shop.lms.answer(answer);
        let start = Instant::now();
        assert_eq!(learner.cart().await.lines[0].problem(), NOTHING);
        assert_eq!(refusal(learner.confirmation().await), "Unavailable UPSTREAM_UNAVAILABLE");
        assert!(start.elapsed() < std::time::Duration::from_secs(5), "{:?}", start.elapsed());
    }
}

#[tokio::test]
async fn lines_of_an_open_order_stay_as_they_are_until_it_ends() {
    let shop = Shop::with(&[COURSE, OTHER]).await;
    let learner = shop.learner();
    learner.add(1101).await.unwrap();
    learner.add(1102).await.unwrap();
    let order = shop.store(&learner, &StoredOrder::default()).await;
    let cart = learner.cart().await;
    assert_eq!((cart.lines[0].is_ordered, cart.lines[1].is_ordered, cart.total), (true, false, 9_900));
    let due_at = Some(kit::timestamp::to_timestamp(NOON + Duration::HOUR));
    let (id, number) = (order.clone(), "KM-261120-7Q4F2".to_owned());
    assert_eq!(cart.open_order, Some(OpenOrder { id, number, total: 13_200, due_at }));
    let line = &cart.lines[0].id;
    assert_eq!(refusal(learner.remove(line).await), "Conflict ORDER_OPEN");
    assert_eq!(refusal(learner.assign(line, learner.learner(0)).await), "Conflict ORDER_OPEN");
    assert_eq!(learner.add(1101).await.unwrap(), cart);
    assert_eq!(learner.remove(&cart.lines[1].id).await.unwrap().lines.len(), 1);

    shop.expire(&order).await;
    let cart = learner.cart().await;
    assert_eq!((cart.lines[0].is_ordered, cart.total, cart.open_order), (false, 13_200, None));
    assert!(learner.remove(line).await.unwrap().lines.is_empty());
}

#[tokio::test]
async fn a_paid_course_counts_as_owned_before_lms_knows_it() {
    let shop = Shop::with(&[COURSE, OTHER]).await;
    let learner = shop.learner();
    shop.store(&learner, &StoredOrder { state: ("paid", "succeeded"), ..StoredOrder::default() }).await;
    learner.add(1101).await.unwrap();
    let cart = learner.add(1102).await.unwrap();
    assert_eq!(lines(&cart)[0].2, LineProblem::Owned);
    assert_eq!((lines(&cart)[1].2, cart.total), (NOTHING, 9_900));
}

#[tokio::test]
async fn lines_unchanged_for_90_days_are_swept() {
    let shop = Shop::with(&[COURSE, OTHER]).await;
    let (learner, buyer) = (shop.learner(), shop.learner());
    learner.add(1101).await.unwrap();
    learner.add(1102).await.unwrap();
    buyer.add(1101).await.unwrap();
    let placed_at = NOON + Duration::days(90);
    let order = shop.store(&buyer, &StoredOrder { placed_at, ..StoredOrder::default() }).await;
    let sweep = async || {
        let mut connection = shop.database.pool.acquire().await.unwrap();
        commerce::sweep::sweep_once(&mut connection, shop.clock.clock().now()).await.unwrap()
    };
    shop.clock.advance(Duration::days(90) - Duration::SECOND);
    assert_eq!(sweep().await, 0);
    learner.add(1102).await.unwrap();
    shop.clock.advance(Duration::SECOND);
    assert_eq!(sweep().await, 1);
    assert_eq!(products(&learner.cart().await), [1102], "it was touched");
    assert_eq!(products(&buyer.cart().await), [1101], "its order is open");
    shop.expire(&order).await;
    assert_eq!(sweep().await, 1);
    assert!(buyer.cart().await.lines.is_empty());
}

#[tokio::test]
async fn a_request_without_a_whole_buyer_is_refused() {
    let shop = Shop::with(&[COURSE]).await;
    let channel = shop.server.channel_as(kit::test::learner(Uuid::now_v7()));
    let missing = CartServiceClient::new(channel).get_cart(GetCartRequest { buyer: None }).await;
    assert_eq!(refusal(missing), "buyer REQUIRED");
    let mut learner = shop.learner();
    learner.buyer.learners[0].id = "1".to_owned();
    assert_eq!(refusal(learner.try_cart().await), "buyer.learners INVALID_FORMAT");
    learner.buyer.email.clear();
    assert_eq!(refusal(learner.try_cart().await), "buyer.email REQUIRED");
    learner.buyer.name = " ".to_owned();
    assert_eq!(refusal(learner.try_cart().await), "buyer.name REQUIRED");
}
