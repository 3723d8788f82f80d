//! The price list of commerce: lists arrive in any order, the latest published one stays, and the
//! catalogue uses it.

use kit::caller::Service;
use prost::{Message as _, Name as _};
use proto::commerce::{PriceListPublished, ProductPrice};
use proto::lms::{CoursePrice, CourseSort, ListCoursesRequest};
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use crate::catalogue::{all, ids, list, shelf};
use crate::entitlement::timestamp;
use crate::school::{NOON, School, refusal};

/// Courses and their prices.
pub(crate) const PRICES: [(i64, i32); 6] =
    [(1, 19_800), (2, 13_200), (3, 16_500), (4, 13_200), (5, 0), (99, 1)];

/// A product whose sale has no end.
fn on_sale((course_id, price): (i64, i32)) -> ProductPrice {
    ProductPrice {
        product_id: 1000 + course_id,
        course_id,
        price,
        sale_starts_at: Some(timestamp(NOON)),
        sale_ends_at: None,
    }
}

/// A list of products whose sales have no end.
pub(crate) fn price_list(published_at: OffsetDateTime, prices: &[(i64, i32)]) -> PriceListPublished {
    let prices = prices.iter().copied().map(on_sale).collect();
    PriceListPublished { published_at: Some(timestamp(published_at)), prices }
}

impl School {
    /// Delivers a list of commerce.
    pub(crate) async fn publish(&self, list: &PriceListPublished) {
        self.sell(list).await.unwrap();
    }

    /// The courses with a price, the cheapest first.
    async fn cheapest(&self) -> Vec<i64> {
        let sort = CourseSort::Price.into();
        ids(self, ListCoursesRequest { price_min: Some(0), sort, ..all() }).await
    }
}

#[tokio::test]
async fn the_latest_published_list_stays_in_any_order_of_arrival() {
    let lists = [
        price_list(NOON + Duration::seconds(1), &[(1, 100), (2, 200)]),
        price_list(NOON + Duration::seconds(2), &[(1, 100), (3, 50)]),
        price_list(NOON + Duration::seconds(3), &[(3, 300), (1, 200), (2, 100)]),
    ];
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        let school = shelf().await;
        for place in order {
            school.publish(&lists[place]).await;
            school.publish(&lists[place]).await;
        }
        assert_eq!(school.cheapest().await, [2, 1, 3], "{order:?}");
    }
}

#[tokio::test]
async fn a_product_that_left_the_list_or_changed_its_course_has_no_price() {
    let school = shelf().await;
    let mut moved = price_list(NOON + Duration::SECOND, &[(1, 100), (2, 200)]);
    moved.prices[0].course_id = 6;
    school.publish(&moved).await;
    assert_eq!(school.cheapest().await, [6, 2]);
    school.publish(&price_list(NOON + Duration::seconds(2), &[])).await;
    assert_eq!(school.cheapest().await, [0; 0]);
    assert!(list(&school, all()).await.unwrap().has_price_list);
}

#[tokio::test]
async fn a_price_is_valid_from_the_start_of_its_sale_until_before_its_end() {
    let school = shelf().await;
    let mut sales = price_list(NOON + Duration::SECOND, &[(1, 100), (2, 200), (3, 300)]);
    sales.prices[0].sale_ends_at = Some(timestamp(NOON + Duration::HOUR));
    // The next product of the same course is the most expensive one.
    let next = ProductPrice { product_id: 2001, ..on_sale((1, 900)) };
    sales.prices.push(ProductPrice { sale_starts_at: Some(timestamp(NOON + Duration::HOUR)), ..next });
    sales.prices[1].sale_starts_at = Some(timestamp(NOON + Duration::HOUR));
    school.publish(&sales).await;
    assert_eq!(school.cheapest().await, [1, 3]);
    school.clock.advance(Duration::HOUR - Duration::MICROSECOND);
    assert_eq!(school.cheapest().await, [1, 3]);
    school.clock.advance(Duration::MICROSECOND);
    assert_eq!(school.cheapest().await, [2, 3, 1]);
}

#[tokio::test]
#[expect(deprecated, reason = "an edge of an earlier release sends prices")]
async fn prices_in_a_request_replace_the_list() {
    let school = shelf().await;
    let prices = vec![CoursePrice { course_id: 6, price: 7 }, CoursePrice { course_id: 1, price: 8 }];
    let request = ListCoursesRequest { prices, price_max: Some(8), ..all() };
    assert_eq!(ids(&school, request).await, [6, 1]);
}

#[tokio::test]
async fn the_catalogue_tells_whether_it_has_a_price_list() {
    let school = School::open().await;
    assert!(!list(&school, all()).await.unwrap().has_price_list);
    assert_eq!(school.cheapest().await, [0; 0]);
    school.publish(&price_list(NOON, &[(101, 100)])).await;
    assert!(list(&school, all()).await.unwrap().has_price_list);
    assert_eq!(school.cheapest().await, [101]);
}

#[tokio::test]
async fn only_commerce_may_publish_prices_and_times_are_required() {
    let school = School::open().await;
    let deliver = async |sender, list: &PriceListPublished| {
        let id = Uuid::now_v7().to_string();
        let delivered = school.deliver(sender, &id, PriceListPublished::full_name(), list.encode_to_vec());
        refusal(delivered.await)
    };
    let list = price_list(NOON, &[(101, 100)]);
    assert_eq!(deliver(Service::Auth, &list).await, "Forbidden CALLER_NOT_ALLOWED");
    let without = PriceListPublished { published_at: None, ..list.clone() };
    assert_eq!(deliver(Service::Commerce, &without).await, "Invalid INVALID");
    let mut without = list.clone();
    without.prices[0].sale_starts_at = None;
    assert_eq!(deliver(Service::Commerce, &without).await, "Invalid INVALID");
    assert_eq!(school.cheapest().await, [0; 0]);
}
