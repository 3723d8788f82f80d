//! Test helpers for orders: the actions of customers and the provider, and the resulting data.

use std::time::Duration;

use kit::shutdown::Shutdown;
use kit::test::anyone;
use prost::{Message, Name};
use proto::commerce::provider_service_client::ProviderServiceClient;
use proto::commerce::{
    CancelOrderRequest, CheckOrderRequest, Order, PayOrderRequest, PaymentMethod, PlaceOrderRequest,
    ReceiveEventRequest,
};
use tonic::Status;
use uuid::Uuid;

use crate::customer::Customer;
use crate::shop::{Shop, outbox};
use crate::test_provider;

/// A course that costs 16,500 yen with 1,500 yen of tax.
pub(crate) const COURSE: &str =
    "id: 1101, kind: course, course: 101, name: 中3数学 二次方程式と関数, price: 16500, period_days: 365";
/// Another course.
pub(crate) const OTHER: &str = "id: 1102, kind: course, course: 102, name: 中3理科, price: 9900";

/// The polling interval of the queues.
const POLL_PERIOD: Duration = Duration::from_millis(100);

/// Runs the queues until it is dropped.
pub(crate) struct Workers(Shutdown);

impl Drop for Workers {
    fn drop(&mut self) {
        self.0.begin();
    }
}

impl Shop {
    /// Starts a process that runs the queues.
    pub(crate) fn work(&self) -> Workers {
        let shutdown = Shutdown::default();
        self.settlement.spawn(POLL_PERIOD, &shutdown);
        Workers(shutdown)
    }

    /// A shop with a course, and a learner whose order of it awaits payment.
    pub(crate) async fn with_order() -> (Self, Customer, Order) {
        let shop = Self::with(&[COURSE, OTHER]).await;
        let learner = shop.learner();
        learner.add(1101).await.unwrap();
        let order = learner.place().await.unwrap();
        (shop, learner, order)
    }

    /// Delivers an event of the provider.
    pub(crate) async fn receive(&self, id: &str, kind: &str, object: &str) -> Result<(), Status> {
        let (body, signature) = test_provider::event(id, kind, object, self.clock.clock().now());
        self.receive_signed(body, signature).await
    }

    pub(crate) async fn receive_signed(&self, body: Vec<u8>, signature: String) -> Result<(), Status> {
        let mut events = ProviderServiceClient::new(self.server.channel_as(anyone()));
        events.receive_event(ReceiveEventRequest { body, signature }).await.map(drop)
    }

    /// Waits until a query returns `rows` rows.
    pub(crate) async fn until(&self, query: &'static str, rows: usize) {
        let waiting = async {
            while self.texts(query).await.len() != rows {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        let waited = tokio::time::timeout(Duration::from_secs(20), waiting).await;
        assert!(waited.is_ok(), "{query}");
    }

    /// The text in the first column of each row.
    pub(crate) async fn texts(&self, query: &'static str) -> Vec<String> {
        use sqlx::{Executor as _, Row as _};
        let mut connection = self.database.pool.acquire().await.unwrap();
        let rows = connection.fetch_all(sqlx::raw_sql(query)).await.unwrap();
        rows.iter().map(|row| row.get(0)).collect()
    }

    /// The non-zero balances of the ledger's accounts, e.g. `receivable 16500`.
    pub(crate) async fn balances(&self) -> Vec<String> {
        let query = "SELECT code || ' ' || sum(amount) FROM posting \
            JOIN ledger_account ON ledger_account.id = posting.account \
            GROUP BY ledger_account.id HAVING sum(amount) <> 0 ORDER BY ledger_account.id";
        self.texts(query).await
    }

    /// The kinds of the booked journals, oldest first.
    pub(crate) async fn journals(&self) -> Vec<String> {
        self.texts("SELECT kind FROM journal ORDER BY id").await
    }

    /// The pending events of a type for a receiver.
    pub(crate) async fn events<Event: Message + Name + Default>(&self, receiver: &str) -> Vec<Event> {
        let mut connection = self.database.pool.acquire().await.unwrap();
        let waiting = outbox().waiting(&mut connection, receiver).await.unwrap();
        let of_type = waiting.into_iter().filter(|event| event.r#type == Event::full_name());
        of_type.map(|event| Event::decode(&*event.payload).unwrap()).collect()
    }
}

impl Customer {
    /// A request for the current confirmation.
    pub(crate) async fn order_request(&self) -> PlaceOrderRequest {
        self.request_of(self.confirmation().await.unwrap().digest)
    }

    /// A request for the confirmation with this digest, with a new key.
    pub(crate) fn request_of(&self, confirmation_digest: String) -> PlaceOrderRequest {
        PlaceOrderRequest {
            buyer: Some(self.buyer.clone()),
            confirmation_digest,
            method: PaymentMethod::Card.into(),
            idempotency_key: Uuid::now_v7().to_string(),
            accepts_contract: false,
        }
    }

    pub(crate) async fn send(&self, request: PlaceOrderRequest) -> Result<Order, Status> {
        Ok(self.orders().place_order(request).await?.into_inner().order.unwrap())
    }

    /// Orders the cart.
    pub(crate) async fn place(&self) -> Result<Order, Status> {
        self.send(self.order_request().await).await
    }

    /// Orders the cart with a payment method.
    pub(crate) async fn place_by(&self, method: PaymentMethod) -> Result<Order, Status> {
        let digest = self.confirmation_by(method).await?.confirmation.unwrap().digest;
        self.send(PlaceOrderRequest { method: method.into(), ..self.request_of(digest) }).await
    }

    pub(crate) async fn pay(&self, id: &str) -> Result<Order, Status> {
        self.pay_by(id, PaymentMethod::Unspecified).await
    }

    pub(crate) async fn pay_by(&self, id: &str, method: PaymentMethod) -> Result<Order, Status> {
        let request = PayOrderRequest { order_id: id.to_owned(), method: method.into() };
        Ok(self.orders().pay_order(request).await?.into_inner().order.unwrap())
    }

    pub(crate) async fn check(&self, id: &str) -> Result<Order, Status> {
        let request = CheckOrderRequest { order_id: id.to_owned() };
        Ok(self.orders().check_order(request).await?.into_inner().order.unwrap())
    }

    pub(crate) async fn cancel(&self, id: &str) -> Result<Order, Status> {
        let request = CancelOrderRequest { order_id: id.to_owned() };
        Ok(self.orders().cancel_order(request).await?.into_inner().order.unwrap())
    }
}

/// The state of an order and of its payment.
pub(crate) fn states(order: &Order) -> (proto::commerce::OrderState, proto::commerce::PaymentState) {
    (order.state(), order.payment.as_ref().unwrap().state())
}
