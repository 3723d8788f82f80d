use proto::commerce::{ListProductsRequest, Offer, Product, ProductKind};
use time::macros::datetime;
use time::{Duration, OffsetDateTime};

use crate::shop::{NOON, Shop, ids, refusal};

fn timestamp(moment: OffsetDateTime) -> prost_types::Timestamp {
    prost_types::Timestamp { seconds: moment.unix_timestamp(), nanos: 0 }
}

/// On sale on the 21st and the 22nd, in Tokyo.
const TWO_DAYS: &str = "id: 1101, kind: course, course: 101, price: 13200, period_days: 365, sale_starts: 2026-11-21, sale_ends: 2026-11-22";

#[tokio::test]
async fn a_product_comes_as_it_was_written() {
    let shop = Shop::with(&[TWO_DAYS]).await;
    shop.clock.advance(Duration::DAY);
    let product = Product {
        id: 1101,
        kind: ProductKind::Course.into(),
        name: "商品".into(),
        summary: "一行の要約".into(),
        description: "一つ目の段落".into(),
        price: 13_200,
        period_days: Some(365),
        course_id: Some(101),
        sale_starts_at: Some(timestamp(datetime!(2026-11-21 00:00 +9))),
        sale_ends_at: Some(timestamp(datetime!(2026-11-23 00:00 +9))),
        is_on_sale: true,
        exam_id: None,
        places_left: None,
        application_closes_at: None,
    };
    assert_eq!(shop.get(1101).await.unwrap(), product);
    assert_eq!(shop.page(1).await.unwrap().products, [product]);
}

#[tokio::test]
async fn a_sale_lasts_from_the_first_moment_of_its_first_day_to_the_last_of_its_last() {
    let shop = Shop::with(&[TWO_DAYS]).await;
    let moment = Duration::microseconds(1);
    let begins = datetime!(2026-11-21 00:00 +9) - NOON;

    shop.clock.advance(begins - moment);
    assert_eq!(refusal(shop.get(1101).await), "NotFound NOT_FOUND");
    assert_eq!((shop.page(1).await.unwrap().count, shop.offers().await), (0, vec![]));

    shop.clock.advance(moment);
    assert!(shop.get(1101).await.unwrap().is_on_sale);
    let sale_ends_at = Some(timestamp(datetime!(2026-11-23 00:00 +9)));
    let offer =
        Offer { course_id: 101, product_id: 1101, price: 13_200, period_days: Some(365), sale_ends_at };
    assert_eq!((shop.page(1).await.unwrap().count, shop.offers().await), (1, vec![offer]));

    shop.clock.advance(Duration::days(2) - moment);
    assert!(shop.get(1101).await.unwrap().is_on_sale);

    // The product is no longer listed, but stays readable because orders refer to it.
    shop.clock.advance(moment);
    assert!(!shop.get(1101).await.unwrap().is_on_sale);
    assert_eq!((shop.page(1).await.unwrap().count, shop.offers().await), (0, vec![]));
}

#[tokio::test]
async fn a_course_has_the_offer_whose_sale_is_on_and_other_products_are_no_offers() {
    let shop = Shop::with(&[
        "id: 3, kind: course, course: 102, sale_ends: 2026-11-20",
        "id: 4, kind: course, course: 102, sale_starts: 2026-11-21",
        "id: 5, kind: course, course: 101, period_days: 30",
        "id: 6, kind: subscription",
    ])
    .await;
    let offered = async || {
        let offers = shop.offers().await;
        offers.iter().map(|offer| (offer.course_id, offer.product_id)).collect::<Vec<_>>()
    };
    assert_eq!(offered().await, [(101, 5), (102, 3)]);
    shop.clock.advance(Duration::DAY);
    assert_eq!(offered().await, [(101, 5), (102, 4)]);
    assert_eq!((shop.offers().await[0].period_days, shop.offers().await[1].period_days), (Some(30), None));
}

#[tokio::test]
async fn products_come_by_kind_then_id_and_only_those_asked_for() {
    let shop = Shop::with(&[
        "id: 1, kind: interview",
        "id: 2, kind: konoshiki",
        "id: 3, kind: exam_seat, exam: 2, places: 10, application_closes: 2026-12-20",
        "id: 4, kind: subscription",
        "id: 6, kind: course, course: 101",
        "id: 5, kind: course, course: 102",
    ])
    .await;
    assert_eq!(ids(&shop.page(1).await.unwrap()), [5, 6, 4, 3, 2, 1]);
    let only = async |kinds: &[ProductKind], course_ids: &[i64]| {
        let kinds = kinds.iter().map(|kind| (*kind).into()).collect();
        let request = ListProductsRequest { page: 1, kinds, course_ids: course_ids.to_vec() };
        let page = shop.list(request).await.unwrap();
        assert_eq!(page.count as usize, page.products.len());
        ids(&page)
    };
    assert_eq!(only(&[ProductKind::Interview, ProductKind::ExamSeat], &[]).await, [3, 1]);
    assert_eq!(only(&[], &[101, 999]).await, [6]);
    assert_eq!(only(&[ProductKind::Course], &[102]).await, [5]);
    assert!(only(&[ProductKind::Subscription], &[102]).await.is_empty());
}

#[tokio::test]
async fn twenty_one_products_fill_two_pages() {
    let products: Vec<String> = (1..=21).map(|id| format!("id: {id}, kind: interview")).collect();
    let shop = Shop::with(&products.iter().map(String::as_str).collect::<Vec<_>>()).await;
    let (first, second) = (shop.page(1).await.unwrap(), shop.page(2).await.unwrap());
    assert_eq!((first.count, first.products.len()), (21, 20));
    assert_eq!((second.count, ids(&second)), (21, vec![21]));
    assert_eq!(refusal(shop.page(3).await), "NotFound NOT_FOUND");
    assert_eq!(refusal(shop.page(u32::MAX).await), "NotFound NOT_FOUND");
    assert_eq!(refusal(shop.page(0).await), "page OUT_OF_RANGE");
}

#[tokio::test]
async fn unknown_products_kinds_and_too_many_courses_are_refused() {
    let shop = Shop::with(&["id: 1, kind: interview"]).await;
    for id in [2, 0, -1, i64::MAX] {
        assert_eq!(refusal(shop.get(id).await), "NotFound NOT_FOUND", "{id}");
    }
    for kind in [0, 6, -1] {
        let request = ListProductsRequest { page: 1, kinds: vec![1, kind], course_ids: vec![] };
        assert_eq!(refusal(shop.list(request).await), "kinds UNKNOWN_CHOICE", "{kind}");
    }
    let of = |course_ids: Vec<i64>| ListProductsRequest { page: 1, kinds: vec![], course_ids };
    assert_eq!(shop.list(of((1..=100).collect())).await.unwrap().count, 0);
    assert_eq!(refusal(shop.list(of((1..=101).collect())).await), "course_ids TOO_LONG");
}
