//! The coupons of an account, their savings on its cart, and the best combination.

use proto::commerce::CouponProblem::{
    self, EmptyCart, Expired, FirstOrderOnly, Minimum, NotStarted, Scope, Unspecified,
};
use proto::commerce::CouponState::{self, Usable};
use proto::commerce::coupon::Discount;
use proto::commerce::{PercentDiscount, ProductKind};
use time::Duration;

use super::{FUYU15, KYODAI, MOSHI, NATSU, WELCOME, sums};
use crate::buying::{COURSE, OTHER};
use crate::lms::Answer;
use crate::shop::{Shop, refusal};

const PLAN: &str = "id: 3001, kind: subscription, name: 月額 質問し放題, price: 2980";
const EXAM: &str =
    "id: 4001, kind: exam_seat, price: 4400, exam: 2, places: 10, application_closes: 2026-12-20";
/// A coupon that starts in December.
const LATER: &str = "id: 6, code: NENMATSU10, percent: 10, starts: 2026-12-01, public: true";
const NOT_FOUND: &str = "NotFound NOT_FOUND";

/// Id, state, saving and problem of each coupon, in the listed order.
async fn listed(customer: &crate::customer::Customer) -> Vec<(i64, CouponState, i32, CouponProblem)> {
    let coupons = customer.coupons().await.coupons;
    coupons.iter().map(|it| (it.id, it.state(), it.saving, it.problem())).collect()
}

#[tokio::test]
async fn an_account_sees_public_coupons_and_those_whose_code_it_typed() {
    let shop = Shop::with_coupons(&[COURSE], &[WELCOME, FUYU15, KYODAI, MOSHI, NATSU, LATER]).await;
    let (learner, other) = (shop.learner(), shop.learner());
    learner.add(1101).await.unwrap();
    for typed in ["fuyu15", " ＫＹＯＤＡＩ２０００　", "WELCOME1000"] {
        assert!(learner.claim(typed).await.unwrap().is_new, "{typed}");
        assert!(!learner.claim(typed).await.unwrap().is_new, "{typed}");
    }
    assert_eq!(
        listed(&learner).await,
        [
            (2, Usable, 2_475, Unspecified),
            (1, Usable, 1_000, Unspecified),
            (3, Usable, 0, Minimum),
            (4, Usable, 0, Scope),
            (6, CouponState::NotStarted, 0, NotStarted),
            (5, CouponState::Expired, 0, Expired),
        ]
    );
    let ids: Vec<i64> = listed(&other).await.into_iter().map(|(id, ..)| id).collect();
    assert_eq!(ids, [1, 4, 6, 5]);
    assert!(listed(&other).await.iter().all(|(_, _, saving, _)| *saving == 0), "the cart is empty");

    let coupon = learner.coupon(2).await.unwrap();
    assert_eq!((coupon.code.as_str(), coupon.name.as_str()), ("FUYU15", "冬の学習応援"));
    assert_eq!(coupon.discount, Some(Discount::Percent(PercentDiscount { percent: 15, cap: Some(5_000) })));
    assert_eq!((coupon.per_account, coupon.remaining_uses, coupon.is_claimed), (1, 1, true));
    assert_eq!((coupon.used_at, coupon.used_order_id), (None, None));
    let coupon = learner.coupon(4).await.unwrap();
    assert_eq!((coupon.discount, coupon.per_account), (Some(Discount::Fixed(500)), 3));
    assert_eq!(coupon.product_kinds, [i32::from(ProductKind::ExamSeat)]);
    assert_eq!(other.coupon(4).await.unwrap().problem(), EmptyCart);

    // Coupons of others, and unknown ones.
    for id in [2, 3, 0, -1, 99, i64::MAX] {
        assert_eq!(refusal(other.coupon(id).await), NOT_FOUND, "{id}");
        assert_eq!(refusal(other.apply(id).await), NOT_FOUND, "{id}");
        assert!(other.take_off(id).await.unwrap().coupons.is_empty(), "{id}");
    }
}

#[tokio::test]
async fn a_code_that_is_wrong_ended_or_used_up_is_refused_beside_its_field() {
    let once = "id: 7, code: HITORI, fixed: 100, total_uses: 1";
    let shop = Shop::with_coupons(&[COURSE, OTHER], &[NATSU, once]).await;
    let (first, learner) = (shop.learner(), shop.learner());
    first.add(1101).await.unwrap();
    first.hold_and_place("HITORI").await;
    for (typed, code) in [
        ("", "REQUIRED"),
        (" 　", "REQUIRED"),
        (&"A".repeat(33), "TOO_LONG"),
        ("FUYU16", "UNKNOWN_COUPON"),
        ("FUYU\0", "UNKNOWN_COUPON"),
        ("'; DROP TABLE coupon", "UNKNOWN_COUPON"),
        ("NATSU20", "COUPON_EXPIRED"),
        ("HITORI", "COUPON_USED_UP"),
    ] {
        assert_eq!(refusal(learner.claim(typed).await), format!("code {code}"), "{typed:?}");
    }
    assert_eq!(shop.texts("SELECT code FROM coupon_claim JOIN coupon ON id = coupon_id").await, ["HITORI"]);
}

#[tokio::test]
async fn codes_can_be_tried_ten_times_then_once_a_minute() {
    let shop = Shop::with_coupons(&[COURSE], &[FUYU15]).await;
    let (learner, other) = (shop.learner(), shop.learner());
    for n in 0..10 {
        assert_eq!(refusal(learner.claim(&format!("GUESS{n}")).await), "code UNKNOWN_COUPON");
    }
    let limited = "TooMany RATE_LIMITED";
    assert_eq!(refusal(learner.claim("FUYU15").await), limited, "a correct code is refused too");
    // An empty field does not count as an attempt.
    assert_eq!(refusal(learner.claim("").await), "code REQUIRED");
    assert!(other.claim("FUYU15").await.unwrap().is_new, "each account has its own limit");
    shop.clock.advance(Duration::seconds(59));
    assert_eq!(refusal(learner.claim("FUYU15").await), limited);
    shop.clock.advance(Duration::SECOND);
    assert!(learner.claim("FUYU15").await.unwrap().is_new);
    assert_eq!(refusal(learner.claim("FUYU15").await), limited);
}

#[tokio::test]
async fn a_cart_has_one_coupon_of_each_kind_and_says_what_each_takes_off() {
    let other = "id: 8, code: ATARASHII, percent: 10, public: true";
    let shop = Shop::with_coupons(&[COURSE, OTHER], &[WELCOME, FUYU15, KYODAI, other]).await;
    let learner = shop.learner();
    assert_eq!(learner.hold("FUYU15").await.coupons[0].problem(), EmptyCart);
    let cart = learner.add(1101).await.unwrap();
    assert_eq!(sums(&cart), (16_500, 2_475, 14_025));
    let cart = learner.apply(1).await.unwrap();
    let coupons: Vec<_> = cart.coupons.iter().map(|it| (it.id, it.name.as_str(), it.amount)).collect();
    assert_eq!(coupons, [(2, "冬の学習応援", 2_475), (1, "はじめてのご注文", 1_000)]);
    assert_eq!(sums(&cart), (16_500, 3_475, 13_025));

    // Another fixed coupon replaces it. It does not apply, and shows why.
    let cart = learner.hold("KYODAI2000").await;
    let coupons: Vec<_> = cart.coupons.iter().map(|it| (it.id, it.amount, it.problem())).collect();
    assert_eq!(coupons, [(2, 2_475, Unspecified), (3, 0, Minimum)]);
    // It saves 2,000 yen beside 15 % once the lines cost 30,000 yen before the discount.
    let cart = learner.add(1102).await.unwrap();
    assert_eq!((sums(&cart), cart.coupons[1].problem()), ((26_400, 3_960, 22_440), Minimum));
    let cart = learner.apply(8).await.unwrap();
    assert_eq!((cart.coupons[0].id, sums(&cart)), (8, (26_400, 2_640, 23_760)));
    let cart = learner.take_off(8).await.unwrap();
    assert_eq!((cart.coupons.len(), sums(&cart)), (1, (26_400, 0, 26_400)));
    assert!(learner.coupon(3).await.unwrap().is_applied && !learner.coupon(8).await.unwrap().is_applied);
}

#[tokio::test]
async fn the_minimum_is_met_by_lines_in_scope_before_any_discount() {
    let exactly = [
        "id: 1101, kind: course, course: 101, price: 20000",
        "id: 1102, kind: course, course: 102, price: 10000",
    ];
    let scoped = "id: 9, code: SUUGAKU, fixed: 300, minimum: 20001, products: [1101], public: true";
    let shop = Shop::with_coupons(&exactly, &[FUYU15, KYODAI, scoped]).await;
    let learner = shop.learner();
    learner.join(&[1101, 1102]).await.unwrap();
    learner.hold("FUYU15").await;
    let cart = learner.hold("KYODAI2000").await;
    assert_eq!(sums(&cart), (30_000, 6_500, 23_500));
    assert_eq!(learner.coupon(9).await.unwrap().problem(), Minimum);
}

#[tokio::test]
async fn a_saving_is_what_the_cart_costs_less_beside_the_coupon_of_the_other_kind() {
    let half = "id: 10, code: HANGAKU, percent: 50, public: true";
    let large = "id: 11, code: OOKII9000, fixed: 9000, public: true";
    let shop = Shop::with_coupons(&[COURSE], &[WELCOME, half, large]).await;
    let learner = shop.learner();
    learner.add(1101).await.unwrap();
    let savings = async || {
        let mut savings: Vec<_> = listed(&learner).await.iter().map(|it| (it.0, it.2)).collect();
        savings.sort_unstable();
        savings
    };
    assert_eq!(savings().await, [(1, 1_000), (10, 8_250), (11, 9_000)]);
    // 8,250 yen remain for the fixed amount, and 7,500 for the percentage.
    learner.apply(10).await.unwrap();
    learner.apply(11).await.unwrap();
    assert_eq!(savings().await, [(1, 1_000), (10, 7_500), (11, 8_250)]);
}

#[tokio::test]
async fn the_best_combination_is_found_among_all_pairs() {
    let other = "id: 12, code: WARIBIKI, percent: 30, minimum: 20000, public: true";
    let same = "id: 13, code: ONAJIKU, fixed: 1000, public: true";
    let shop = Shop::with_coupons(&[COURSE, OTHER], &[WELCOME, FUYU15, KYODAI, NATSU, other, same]).await;
    let learner = shop.learner();
    learner.claim("FUYU15").await.unwrap();
    learner.claim("KYODAI2000").await.unwrap();
    let best = async || learner.coupons().await.best_coupon_ids;
    assert_eq!(best().await, [0_i64; 0], "nothing to save on an empty cart");
    learner.add(1101).await.unwrap();
    // Of two coupons with the same saving, the one with the smaller id.
    assert_eq!(best().await, [2, 1]);
    learner.add(1102).await.unwrap();
    assert_eq!(best().await, [12, 1]);
    shop.folder.write(&[&COURSE.replace("16500", "25000"), OTHER]);
    shop.import(false).await.unwrap();
    assert_eq!(best().await, [12, 3]);
    // The learner owns the courses.
    shop.lms.answer(Answer::Owned(vec![(learner.id, 101), (learner.id, 102)]));
    assert_eq!(best().await, [0_i64; 0]);
}

#[tokio::test]
async fn one_coupon_is_best_if_another_adds_nothing() {
    let all = "id: 14, code: ZENGAKU, percent: 100, public: true";
    let shop = Shop::with_coupons(&[COURSE], &[WELCOME, all]).await;
    let learner = shop.learner();
    learner.add(1101).await.unwrap();
    assert_eq!(learner.coupons().await.best_coupon_ids, [14]);
}

#[tokio::test]
async fn subscriptions_and_lines_that_can_not_be_bought_are_not_discounted() {
    let shop = Shop::with_coupons(&[COURSE, PLAN, "id: 4002, kind: konoshiki", EXAM], &[FUYU15, MOSHI]).await;
    let learner = shop.learner();
    learner.join(&[4002]).await.unwrap();
    let cart = learner.hold("FUYU15").await;
    assert_eq!((sums(&cart), cart.coupons[0].problem()), ((0, 0, 0), EmptyCart));
    let cart = learner.add(3001).await.unwrap();
    assert_eq!((sums(&cart), cart.coupons[0].problem()), ((2_980, 0, 2_980), Scope));
    let cart = learner.add(1101).await.unwrap();
    assert_eq!(sums(&cart), (19_480, 2_475, 17_005));
    assert_eq!(learner.apply(4).await.unwrap().coupons[1].problem(), Scope);
    let cart = learner.add(4001).await.unwrap();
    // 15 % of 20,900, and 500 off the exam.
    assert_eq!((sums(&cart), cart.coupons[1].problem()), ((23_880, 3_635, 20_245), Unspecified));
}

#[tokio::test]
async fn a_coupon_for_the_first_order_does_not_apply_to_a_second() {
    let shop = Shop::with_coupons(&[COURSE, OTHER], &[WELCOME, FUYU15]).await;
    let learner = shop.learner();
    learner.add(1101).await.unwrap();
    let order = learner.place().await.unwrap();
    learner.cancel(&order.id).await.unwrap();
    assert_eq!(learner.coupon(1).await.unwrap().problem(), Unspecified, "nothing was paid");
    let order = learner.place().await.unwrap();
    shop.pay_last(&learner, &order).await;
    let cart = learner.add(1102).await.unwrap();
    assert_eq!(sums(&cart), (9_900, 0, 9_900));
    let cart = learner.apply(1).await.unwrap();
    assert_eq!((cart.coupons[0].problem(), cart.discount), (FirstOrderOnly, 0));
    assert_eq!(learner.coupon(1).await.unwrap().state(), Usable);
}

#[tokio::test]
async fn a_coupon_ends_with_its_last_day_in_tokyo() {
    let today = "id: 15, code: KYOUMADE, fixed: 100, starts: 2026-11-20, ends: 2026-11-20, public: true";
    let shop = Shop::with_coupons(&[COURSE], &[today]).await;
    let learner = shop.learner();
    learner.add(1101).await.unwrap();
    learner.apply(15).await.unwrap();
    // From noon to one second before midnight.
    shop.clock.advance(Duration::hours(12) - Duration::SECOND);
    assert_eq!(learner.cart().await.discount, 100);
    let request = learner.order_request().await;
    shop.clock.advance(Duration::SECOND);
    let cart = learner.cart().await;
    assert_eq!((cart.discount, cart.coupons[0].problem()), (0, Expired));
    assert_eq!(refusal(learner.send(request).await), "Conflict CONFIRMATION_CHANGED");
    assert_eq!(learner.place().await.unwrap().total, 16_500);
}
