//! The price list: published at the start and with each import, and delivered to lms.

use kit::caller::{Caller, Service};
use kit::clock::Clock;
use kit::test::Process;
use prost::{Message as _, Name as _};
use proto::commerce::{PriceListPublished, ProductPrice};
use proto::common::Event;
use time::OffsetDateTime;
use time::macros::datetime;

use crate::receiver::Receiver;
use crate::shop::{NOBODY, NOON, Shop, outbox, serve_command};

const COURSE: &str = "id: 1101, kind: course, course: 101, price: 13200";

fn timestamp(time: OffsetDateTime) -> prost_types::Timestamp {
    kit::timestamp::to_timestamp(time)
}

fn decode(event: &Event) -> PriceListPublished {
    assert_eq!(event.r#type, PriceListPublished::full_name());
    PriceListPublished::decode(event.payload.as_slice()).unwrap()
}

/// Product and price of each row.
fn prices(list: &PriceListPublished) -> Vec<(i64, i32)> {
    list.prices.iter().map(|price| (price.product_id, price.price)).collect()
}

impl Shop {
    /// The pending lists for lms, oldest first.
    async fn lists(&self) -> Vec<PriceListPublished> {
        let mut connection = self.database.pool.acquire().await.unwrap();
        outbox().waiting(&mut connection, "lms").await.unwrap().iter().map(decode).collect()
    }
}

#[tokio::test]
async fn an_import_publishes_all_prices_of_courses_but_those_of_the_past() {
    let shop = Shop::with(&[
        COURSE,
        "id: 2101, kind: course, course: 102, price: 990, sale_ends: 2026-11-19",
        "id: 2102, kind: course, course: 102, price: 1980, sale_starts: 2026-11-21, sale_ends: 2026-11-22",
        "id: 3001, kind: subscription",
    ])
    .await;
    let lists = shop.lists().await;
    assert_eq!(lists[0].published_at, Some(timestamp(NOON)));
    let course = ProductPrice {
        product_id: 1101,
        course_id: 101,
        price: 13_200,
        sale_starts_at: Some(timestamp(datetime!(2025-03-10 00:00 +9))),
        sale_ends_at: None,
    };
    let future = ProductPrice {
        product_id: 2102,
        course_id: 102,
        price: 1_980,
        sale_starts_at: Some(timestamp(datetime!(2026-11-21 00:00 +9))),
        sale_ends_at: Some(timestamp(datetime!(2026-11-23 00:00 +9))),
    };
    assert_eq!((lists.len(), &lists[0].prices), (1, &vec![course, future]));
}

#[tokio::test]
async fn each_list_is_later_than_the_one_before_also_when_the_clock_goes_back() {
    let shop = Shop::with(&[COURSE]).await;
    shop.clock.advance(time::Duration::hours(-1));
    shop.folder.write(&[&COURSE.replace("13200", "11000")]);
    shop.import(false).await.unwrap();
    shop.clock.advance(time::Duration::hours(2));
    shop.import(false).await.unwrap();
    let lists = shop.lists().await;
    let mut published: Vec<_> = lists
        .iter()
        .map(|list| (list.published_at.as_ref().map(|time| (time.seconds, time.nanos)), prices(list)))
        .collect();
    published.sort();
    let at = |time: OffsetDateTime| Some((time.unix_timestamp(), time.nanosecond().cast_signed()));
    assert_eq!(
        published,
        [
            (at(NOON), vec![(1101, 13_200)]),
            (at(NOON + time::Duration::MICROSECOND), vec![(1101, 11_000)]),
            (at(NOON + time::Duration::HOUR), vec![(1101, 11_000)]),
        ]
    );
}

#[tokio::test]
async fn neither_a_dry_run_nor_a_fault_publishes_anything() {
    let shop = Shop::with(&[COURSE]).await;
    shop.folder.write(&[&COURSE.replace("13200", "11000")]);
    shop.import(true).await.unwrap();
    shop.folder.write(&[&COURSE.replace("13200", "0")]);
    shop.import(false).await.unwrap_err();
    assert_eq!(shop.lists().await.len(), 1);
}

#[tokio::test]
async fn a_server_publishes_the_list_at_its_start_and_delivers_the_list_of_an_import() {
    let shop = Shop::with(&[COURSE]).await;
    let mut connection = shop.database.pool.acquire().await.unwrap();
    sqlx::query!("DELETE FROM outbox").execute(&mut *connection).await.unwrap();
    drop(connection);
    let mut lms = Receiver::start(Service::Lms).await;
    let mut commerce = Process::start(&mut serve_command(&shop.database.url, &lms.url(), NOBODY));
    commerce.address("serving");
    let (sender, event) = lms.receive().await;
    assert_eq!((sender, prices(&decode(&event))), (Caller::service(Service::Commerce), vec![(1101, 13_200)]));

    shop.folder.write(&[&COURSE.replace("13200", "11000")]);
    let folder = &shop.folder.path;
    commerce::import_folder(&shop.database.pool, &outbox(), &Clock::system(), folder, false).await.unwrap();
    let (_, event) = lms.receive().await;
    assert_eq!(prices(&decode(&event)), [(1101, 11_000)]);
}
