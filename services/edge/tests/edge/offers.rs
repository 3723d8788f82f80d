//! Prices of courses: at most ten seconds old, fetched once for concurrent requests, and kept while commerce
//! is down.

use std::sync::Arc;
use std::sync::atomic::{AtomicI32, AtomicUsize, Ordering};
use std::time::Instant;

use kit::test::TestServer;
use proto::commerce::product_service_server::{ProductService, ProductServiceServer};
use proto::commerce::{
    GetProductRequest, GetProductResponse, ListOffersRequest, ListOffersResponse, ListProductsRequest,
    ListProductsResponse, Offer,
};
use serde_json::{Value, json};
use sqlx::Executor as _;
use time::Duration;
use time::macros::datetime;
use tokio::sync::Semaphore;
use tonic::service::Routes;
use tonic::{Request, Response, Status};

use crate::support::{Edge, NOW, ONE, World};

const COURSE: &str = "/api/lms/course/201/";

/// End of the sale of the offer of `Stall`: 25 seconds from now.
const END: time::OffsetDateTime = datetime!(2026-11-20 10:00:25 UTC);

/// A commerce whose answers the test controls.
#[derive(Clone)]
struct Stall {
    price: Arc<AtomicI32>,
    calls: Arc<AtomicUsize>,
    /// Number of answers that may be given.
    answers: Arc<Semaphore>,
}

impl Stall {
    fn new() -> Self {
        Self {
            price: Arc::new(13_200.into()),
            calls: Arc::default(),
            answers: Arc::new(Semaphore::new(1000)),
        }
    }

    fn calls(&self) -> usize {
        self.calls.load(Ordering::SeqCst)
    }

    async fn serve(&self) -> TestServer {
        TestServer::grpc(Routes::new(ProductServiceServer::new(self.clone()))).await
    }
}

#[tonic::async_trait]
impl ProductService for Stall {
    async fn list_products(
        &self,
        _: Request<ListProductsRequest>,
    ) -> Result<Response<ListProductsResponse>, Status> {
        Err(Status::unimplemented("not used"))
    }

    async fn get_product(
        &self,
        _: Request<GetProductRequest>,
    ) -> Result<Response<GetProductResponse>, Status> {
        Err(Status::unimplemented("not used"))
    }

    async fn list_offers(
        &self,
        _: Request<ListOffersRequest>,
    ) -> Result<Response<ListOffersResponse>, Status> {
        self.calls.fetch_add(1, Ordering::SeqCst);
        self.answers.acquire().await.unwrap().forget();
        let price = self.price.load(Ordering::SeqCst);
        if price == 0 {
            return Err(Status::unavailable("closed"));
        }
        let sale_ends_at = Some(prost_types::Timestamp { seconds: END.unix_timestamp(), nanos: 0 });
        let offer = Offer { course_id: 201, product_id: 1201, price, period_days: Some(365), sale_ends_at };
        Ok(Response::new(ListOffersResponse { offers: vec![offer] }))
    }
}

async fn before(stall: &Stall) -> (World, Edge, TestServer) {
    let world = World::new().await;
    let server = stall.serve().await;
    let settings = edge::config::Settings { commerce_url: server.url(), ..world.settings() };
    let edge = Edge::new(&settings, world.clock.clock()).await;
    (world, edge, server)
}

async fn price(edge: &Edge) -> Value {
    edge.get(COURSE, None).await.json()["product"]["price"].clone()
}

#[tokio::test]
async fn a_course_has_a_price_in_the_catalogue_but_not_in_an_inventory() {
    let world = World::new().await;
    let edge = world.edge().await;
    let product = json!({
        "id": 1201, "price": 13200, "period_days": 365, "sale_ends_at": "2026-12-31T15:00:00Z"
    });
    let list = edge.get("/api/lms/course/", None).await.json();
    let products: Vec<(&Value, &Value)> = list["results"]
        .as_array()
        .unwrap()
        .iter()
        .map(|course| (&course["id"], &course["product"]))
        .collect();
    assert_eq!(products, [(&json!(201), &product), (&json!(202), &Value::Null)]);
    assert_eq!(edge.get(COURSE, None).await.json()["product"], product);
    let (token, _) = edge.login(ONE).await;
    let inventory = edge.get("/api/lms/inventory/", Some(&token)).await.json();
    assert_eq!(inventory["results"][0]["course"].get("product"), None);

    // The other course is on sale from the day after tomorrow.
    world.clock.advance(Duration::days(2));
    assert_eq!(edge.get("/api/lms/course/202/", None).await.json()["product"]["id"], 2202);
}

#[tokio::test]
async fn prices_are_fetched_every_ten_seconds_once_for_concurrent_requests() {
    let stall = Stall::new();
    let (world, edge, _server) = before(&stall).await;
    assert_eq!(price(&edge).await, 13_200);
    stall.price.store(11_000, Ordering::SeqCst);
    world.clock.advance(Duration::milliseconds(9_999));
    assert_eq!((price(&edge).await, stall.calls()), (json!(13_200), 1));
    world.clock.advance(Duration::milliseconds(1));
    let prices = futures_util::future::join_all((0..20).map(|_| price(&edge))).await;
    assert!(prices.iter().all(|price| *price == 11_000), "{prices:?}");
    assert_eq!(stall.calls(), 2);
}

#[tokio::test]
async fn while_commerce_fails_the_last_prices_are_shown_until_the_sale_ends() {
    let stall = Stall::new();
    let (world, edge, _server) = before(&stall).await;
    assert_eq!(price(&edge).await, 13_200);
    stall.price.store(0, Ordering::SeqCst);
    world.clock.advance(Duration::seconds(12));
    for _ in 0..5 {
        assert_eq!(price(&edge).await, 13_200);
    }
    assert_eq!(stall.calls(), 2, "commerce is not called again at once");
    world.clock.advance(Duration::seconds(2));
    assert_eq!((price(&edge).await, stall.calls()), (json!(13_200), 3));
    world.clock.advance(Duration::seconds(11));
    assert_eq!(
        edge.get(COURSE, None).await.json()["product"],
        Value::Null,
        "{}",
        NOW + Duration::seconds(25)
    );

    // Commerce answers again, at a time before the end of the sale.
    stall.price.store(9_900, Ordering::SeqCst);
    world.clock.advance(Duration::seconds(-5));
    assert_eq!(price(&edge).await, 9_900);
}

#[tokio::test]
async fn a_hanging_commerce_delays_a_page_by_one_second_if_prices_are_cached() {
    let stall = Stall::new();
    let (world, edge, _server) = before(&stall).await;
    assert_eq!(price(&edge).await, 13_200);
    stall.answers.forget_permits(1000);
    world.clock.advance(Duration::seconds(10));
    let began = Instant::now();
    let prices = futures_util::future::join_all((0..10).map(|_| price(&edge))).await;
    assert!(prices.iter().all(|price| *price == 13_200), "{prices:?}");
    let took = began.elapsed();
    assert!((1_000..2_000).contains(&took.as_millis()), "{took:?}");
    assert_eq!(stall.calls(), 2);
}

#[tokio::test]
async fn without_any_prices_yet_the_catalogue_waits_for_commerce() {
    let stall = Stall::new();
    stall.price.store(0, Ordering::SeqCst);
    let (_world, edge, server) = before(&stall).await;
    for path in ["/api/lms/course/", COURSE] {
        assert_eq!(edge.get(path, None).await.outcome(), "502 UPSTREAM_UNAVAILABLE", "{path}");
    }
    assert_eq!(edge.get("/api/lms/course/999/", None).await.outcome(), "404 NOT_FOUND");
    stall.price.store(13_200, Ordering::SeqCst);
    assert_eq!(price(&edge).await, 13_200);
    // A stopped service is treated like a failing one.
    server.shutdown.begin();
    assert_eq!(price(&edge).await, 13_200);
}

/// Returns the ids of the courses on a page of the catalogue.
async fn courses(edge: &Edge, query: &str) -> Vec<i64> {
    let page = edge.get(&format!("/api/lms/course/?{query}"), None).await.json();
    page["results"].as_array().unwrap().iter().map(|course| course["id"].as_i64().unwrap()).collect()
}

#[tokio::test]
async fn the_catalogue_is_sorted_and_filtered_by_the_prices_that_commerce_published_to_lms() {
    let stall = Stall::new();
    let (world, edge, _server) = before(&stall).await;
    // For a while the edge shows another price.
    stall.price.store(9_900, Ordering::SeqCst);
    assert_eq!(courses(&edge, "price_min=13200").await, [201]);
    assert_eq!(courses(&edge, "price_max=9900").await, [0; 0]);
    // The day after tomorrow 202 is on sale too, and is more expensive. The edge itself has no price by then.
    world.clock.advance(Duration::days(2));
    assert_eq!(courses(&edge, "sort=price").await, [201, 202]);
    assert_eq!(courses(&edge, "sort=-price").await, [202, 201]);
    assert_eq!(courses(&edge, "price_min=13201").await, [202]);
    let beyond = edge.get("/api/lms/course/?price_min=1&page=2", None).await;
    assert_eq!(beyond.outcome(), "404 NOT_FOUND");
}

#[tokio::test]
async fn an_lms_without_a_price_list_sorts_and_filters_by_the_prices_of_the_edge() {
    let stall = Stall::new();
    let (world, edge, _server) = before(&stall).await;
    let mut connection = world.lms_database.pool.acquire().await.unwrap();
    connection.execute("DELETE FROM price_list").await.unwrap();
    connection.execute("DELETE FROM product_price").await.unwrap();
    assert_eq!(courses(&edge, "sort=-price").await, [201, 202]);
    assert_eq!(courses(&edge, "price_max=13200").await, [201]);
    let beyond = edge.get("/api/lms/course/?price_max=13200&page=2", None).await;
    assert_eq!(beyond.outcome(), "404 NOT_FOUND");
    // After 25 seconds it is no longer on sale.
    world.clock.advance(Duration::seconds(25));
    assert_eq!(courses(&edge, "price_max=13200").await, [0; 0]);
}
