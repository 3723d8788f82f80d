//! The buyers, the banks and the provider of a sequence, and their state.

use std::collections::HashMap;

use axum::http::Method;
use kit::test::anyone;
use proto::commerce::provider_service_client::ProviderServiceClient;
use proto::commerce::{PaymentMethod, ReceiveEventRequest};
use proto::lms::{EntitlementGranted, EntitlementRevoked};
use serde_json::Value;
use sqlx::{AssertSqlSafe, Executor as _, Row as _};
use time::Duration;
use tonic::{Code, Status};
use uuid::Uuid;

use super::super::{DECLINED, GOOD, PayingShop, WEBHOOK_SECRET};
use super::books::PAID_LINES;
use super::step::{BUYERS, COUPONS, PRODUCTS, Part, Step};
use crate::buying::{COURSE, OTHER};
use crate::customer::Customer;
use crate::lms::Answer;
use crate::shop::outbox;
use crate::subscription::MONTHLY;
use crate::test_provider;

/// Another course. It costs nothing with the coupon.
const CHEAP: &str = "id: 1103, kind: course, course: 103, name: 体験, price: 900";
/// A coupon for one order in all, and one for an order of each buyer.
const FIXED: &str = "id: 40, code: SAIGO900, fixed: 900, total_uses: 1, per_account: 5, public: true";
const PERCENT: &str = "id: 41, code: WARI10, percent: 10, per_account: 1, public: true";
/// A card whose refunds take a minute.
const SLOW_REFUND: &str = "4000000000007726";
/// The maximum number of rounds until nothing is due.
const ROUNDS: usize = 50;
/// Longer than an order awaits payment, a slow refund takes, or a list lags behind.
const LONG: Duration = Duration::days(10);

/// A grant or revocation that lms received: the line, and the learner.
pub(super) type LineLearner = (String, Uuid);

pub(super) struct World {
    pub(super) shop: PayingShop,
    buyers: Vec<Customer>,
    /// Buyer and id.
    orders: Vec<(usize, String)>,
    /// The number of events that were sent or lost.
    events: usize,
    pub(super) granted: Vec<LineLearner>,
    pub(super) revoked: Vec<LineLearner>,
    owned: Vec<(Uuid, i64, String)>,
    /// The states of the orders after the last step, by number.
    pub(super) states: HashMap<String, String>,
    /// The number of delivered events of the outbox.
    pub(super) delivered: usize,
    /// The problems that a step or a delivery found.
    pub(super) problems: Vec<String>,
}

/// The last payment of an order, as the provider knows it.
struct Payment {
    method: String,
    session: Option<String>,
    intent: Option<String>,
    customer: Option<String>,
    amount: i32,
}

impl World {
    pub(super) async fn new() -> Self {
        let shop = PayingShop::idle(&[COURSE, OTHER, CHEAP, MONTHLY], &[FIXED, PERCENT]).await;
        Self {
            shop,
            buyers: Vec::new(),
            orders: Vec::new(),
            events: 0,
            granted: Vec::new(),
            revoked: Vec::new(),
            owned: Vec::new(),
            states: HashMap::new(),
            delivered: 0,
            problems: Vec::new(),
        }
    }

    /// Starts the next sequence, without anything of the last one.
    pub(super) async fn start_over(&mut self) {
        self.shop.start_over().await;
        // The steps of the sequence decide when events are sent.
        self.shop.switch("webhooks", "lost").await;
        self.buyers = (0..BUYERS).map(|_| self.shop.shop.learner()).collect();
        self.orders.clear();
        self.events = 0;
        self.granted.clear();
        self.revoked.clear();
        self.owned.clear();
        self.states.clear();
        self.problems.clear();
    }

    pub(super) async fn take(&mut self, step: Step) {
        match step {
            Step::Order { buyer, product, other, method, coupons } => {
                let products = [Some(product), other].map(|place| place.map(|place| PRODUCTS[place]));
                self.order(buyer, products, method, coupons).await;
            }
            Step::Pay { order, part } => self.pay(order, part).await,
            Step::Look { order } => {
                let Some((buyer, id)) = self.find_order(order) else { return };
                accept(self.buyers[buyer].check(&id).await);
            }
            Step::PayAgain { order, method } => {
                let Some((buyer, id)) = self.find_order(order) else { return };
                accept(self.buyers[buyer].pay_by(&id, method).await);
            }
            Step::Cancel { order } => {
                let Some((buyer, id)) = self.find_order(order) else { return };
                accept(self.buyers[buyer].cancel(&id).await);
            }
            Step::Refund { order, whole } => self.refund(order, whole).await,
            Step::RefundOutside { order, whole } => self.refund_outside(order, whole).await,
            Step::FailRefund { order } => self.fail_refund(order).await,
            Step::Dispute { order } => {
                let Some((_, id)) = self.find_order(order) else { return };
                let Some(intent) = self.find_payment(&id).await.and_then(|payment| payment.intent) else {
                    return;
                };
                self.press(&format!("/tool/intents/{intent}/dispute"), &[]).await;
            }
            Step::DecideDispute { order, won } => {
                let Some((_, id)) = self.find_order(order) else { return };
                let Some(intent) = self.find_payment(&id).await.and_then(|payment| payment.intent) else {
                    return;
                };
                let disputes = self.list(&format!("/v1/disputes?payment_intent={intent}&limit=100")).await;
                let result = if won { "won" } else { "lost" };
                for dispute in disputes {
                    let id = dispute["id"].as_str().unwrap();
                    self.press(&format!("/tool/disputes/{id}"), &[("result", result)]).await;
                }
            }
            Step::CancelSubscription { order } => {
                let Some((buyer, id)) = self.find_order(order) else { return };
                let Some(order) = accept(self.buyers[buyer].order(&id).await) else { return };
                let Some(subscription) = &order.subscription_id else { return };
                accept(self.buyers[buyer].cancel_subscription(subscription).await);
            }
            Step::SendEvents { newest_first, copies } => self.send_events(newest_first, copies).await,
            Step::Work => self.work().await.unwrap(),
            Step::Wait(time) => self.shop.shop.clock.advance(time),
        }
    }

    /// Runs the queues until nothing is due. Unsent events are lost.
    pub(super) async fn come_to_rest(&mut self) -> Result<(), String> {
        for time in [Duration::ZERO, Duration::minutes(5), LONG, Duration::minutes(5)] {
            self.shop.shop.clock.advance(time);
            self.work().await?;
        }
        // The buyers enter their bank accounts, again if one was wrong. The banks decide, and a
        // person returns the failed refunds manually.
        self.name_accounts().await;
        self.work().await?;
        self.retry_refunds().await;
        self.work().await?;
        self.name_accounts().await;
        for dispute in self.list("/v1/disputes?limit=100").await {
            let path = format!("/tool/disputes/{}", dispute["id"].as_str().unwrap());
            self.press(&path, &[("result", "won")]).await;
        }
        self.shop.shop.clock.advance(Duration::minutes(5));
        self.work().await?;
        for [intent, amount] in self.rows(FAILED_REFUNDS).await {
            self.press(&format!("/tool/intents/{intent}/refund"), &[("amount", &amount)]).await;
        }
        self.shop.shop.clock.advance(Duration::minutes(5));
        self.work().await?;
        self.return_by_hand().await;
        self.work().await
    }

    async fn name_accounts(&self) {
        for refund in self.list("/v1/refunds?limit=100").await {
            if refund["status"] == "requires_action" {
                let path = format!("/tool/refunds/{}", refund["id"].as_str().unwrap());
                self.press(&path, &[("status", "succeeded")]).await;
            }
        }
    }

    async fn retry_refunds(&self) {
        for (buyer, id) in &self.orders {
            let Some(order) = accept(self.buyers[*buyer].order(id).await) else { continue };
            for refund in order.refunds.iter().filter(|refund| refund.can_retry) {
                accept(self.buyers[*buyer].retry_refund(id, &refund.id).await);
            }
        }
    }

    /// The school returns the money that the provider refuses to return.
    async fn return_by_hand(&self) {
        let shop = &self.shop.shop;
        for refund in shop.texts(OWED_REFUNDS).await {
            let (pool, clock) = (&shop.database.pool, shop.clock.clock());
            let refund = refund.parse().unwrap();
            commerce::record_return(pool, &outbox(), &clock, refund).await.unwrap();
        }
    }

    async fn order(
        &mut self,
        buyer: usize,
        products: [Option<i64>; 2],
        method: PaymentMethod,
        coupons: [bool; 2],
    ) {
        let customer = &self.buyers[buyer];
        for line in customer.cart().await.lines {
            if !products.contains(&Some(line.product.as_ref().unwrap().id)) {
                accept(customer.remove(&line.id).await);
            }
        }
        for product in products.into_iter().flatten() {
            accept(customer.add(product).await);
        }
        for (coupon, is_applied) in COUPONS.into_iter().zip(coupons) {
            if is_applied {
                accept(customer.apply(coupon).await);
            } else {
                accept(customer.take_off(coupon).await);
            }
        }
        let shown = accept(customer.confirmation_by(method).await);
        let Some(shown) = shown else { return };
        // An order that coupons cover has no other method.
        let is_covered = shown.methods == [i32::from(PaymentMethod::Coupon)];
        let method = if is_covered { PaymentMethod::Coupon } else { method };
        let mut request = customer.request_of(shown.confirmation.unwrap().digest);
        request.method = method.into();
        let Some(order) = accept(customer.send(request).await) else { return };
        if !self.orders.iter().any(|(_, id)| *id == order.id) {
            self.orders.push((buyer, order.id));
        }
    }

    async fn pay(&self, order: usize, part: Part) {
        let Some((_, id)) = self.find_order(order) else { return };
        let Some(payment) = self.find_payment(&id).await else { return };
        match (payment.method.as_str(), payment.session, payment.intent, payment.customer) {
            ("card", Some(session), ..) => {
                let card = match part {
                    Part::Whole => GOOD,
                    Part::Less => DECLINED,
                    Part::More => SLOW_REFUND,
                };
                self.shop.pay(&session, card).await;
            }
            ("konbini", _, Some(intent), _) => self.press(&format!("/tool/intents/{intent}/pay"), &[]).await,
            ("bank_transfer", _, _, Some(customer)) => {
                let amount = match part {
                    Part::Whole => payment.amount,
                    Part::Less => payment.amount / 2,
                    Part::More => payment.amount + 1_000,
                };
                let form = [("amount", amount.to_string()), ("sender_name", "ｱｵｲ ﾀﾛｳ".to_owned())];
                let form = form.each_ref().map(|(name, value)| (*name, value.as_str()));
                self.press(&format!("/tool/customers/{customer}/transfer"), &form).await;
            }
            _ => {}
        }
    }

    async fn refund(&mut self, order: usize, whole: bool) {
        let Some((buyer, id)) = self.find_order(order) else { return };
        let Some(quote) = accept(self.buyers[buyer].quote(&id).await) else { return };
        let count = if whole { quote.lines.len() } else { 1 };
        let lines: Vec<_> = quote.lines.iter().take(count).map(|line| line.n).collect();
        accept(self.buyers[buyer].refund(&id, &quote, &lines).await);
    }

    async fn refund_outside(&mut self, order: usize, whole: bool) {
        let Some((_, id)) = self.find_order(order) else { return };
        let Some(intent) = self.find_payment(&id).await.and_then(|payment| payment.intent) else { return };
        let form = [("amount", "1000")];
        let form = if whole { &form[..0] } else { &form[..] };
        self.press(&format!("/tool/intents/{intent}/refund"), form).await;
    }

    async fn fail_refund(&self, order: usize) {
        let Some((_, id)) = self.find_order(order) else { return };
        let Some(intent) = self.find_payment(&id).await.and_then(|payment| payment.intent) else { return };
        for refund in self.list(&format!("/v1/refunds?payment_intent={intent}&limit=100")).await {
            let path = format!("/tool/refunds/{}", refund["id"].as_str().unwrap());
            self.press(&path, &[("status", "failed")]).await;
        }
    }

    /// Sends the unsent events.
    async fn send_events(&mut self, newest_first: bool, copies: usize) {
        let mut events = self.list("/v1/events?limit=100").await;
        // The provider forgets old events. Then some new ones are lost.
        let new = events.len().saturating_sub(self.events);
        self.events = events.len();
        events.truncate(new);
        if !newest_first {
            events.reverse();
        }
        self.send(events.iter().flat_map(|event| std::iter::repeat_n(event, copies))).await;
    }

    /// Sends events to commerce.
    pub(super) async fn send(&self, events: impl Iterator<Item = &Value>) {
        let mut commerce = ProviderServiceClient::new(self.shop.shop.server.channel_as(anyone()));
        for event in events {
            let now = self.shop.shop.clock.clock().now();
            let (body, signature) = test_provider::sign_with(WEBHOOK_SECRET, event, now);
            commerce.receive_event(ReceiveEventRequest { body, signature }).await.unwrap();
        }
    }

    /// Runs commerce's queues until nothing is due, and delivers the events to lms.
    pub(super) async fn work(&mut self) -> Result<(), String> {
        for _ in 0..ROUNDS {
            let settled = self.shop.shop.settlement.settle_due().await.unwrap();
            if !self.deliver().await && settled == 0 {
                return Ok(());
            }
        }
        Err(format!("commerce finds something to do in each of {ROUNDS} rounds"))
    }

    /// Delivers the events in the outbox. Returns whether there were any.
    async fn deliver(&mut self) -> bool {
        let shop = &self.shop.shop;
        let grants = shop.events::<EntitlementGranted>("lms").await;
        let paid = if grants.is_empty() { Vec::new() } else { self.rows(PAID_LINES).await };
        for grant in grants {
            let (line, learner) = (grant.source.unwrap().id, grant.learner_id.parse().unwrap());
            if !paid.iter().any(|[paid, _]| *paid == line) {
                self.problems.push(format!("{line} is granted before its payment"));
            }
            self.owned.push((learner, grant.course_id, line.clone()));
            self.granted.push((line, learner));
        }
        for revoked in shop.events::<EntitlementRevoked>("lms").await {
            let line = revoked.source.unwrap().id;
            self.owned.retain(|(.., owned)| *owned != line);
            self.revoked.push((line, revoked.learner_id.parse().unwrap()));
        }
        let owned = self.owned.iter().map(|(learner, course, _)| (*learner, *course));
        shop.lms.answer(Answer::Owned(owned.collect()));
        let delivered = shop.texts("DELETE FROM outbox RETURNING id::text").await.len();
        self.delivered += delivered;
        delivered > 0
    }

    fn find_order(&self, number: usize) -> Option<(usize, String)> {
        self.orders.get(number % self.orders.len().max(1)).cloned()
    }

    async fn find_payment(&self, order: &str) -> Option<Payment> {
        let sql = format!(
            "SELECT method, session, intent, customer, amount FROM payment \
             WHERE order_id = '{order}' ORDER BY attempt DESC LIMIT 1"
        );
        let mut connection = self.shop.shop.database.pool.acquire().await.unwrap();
        let row = connection.fetch_optional(sqlx::raw_sql(AssertSqlSafe(sql))).await.unwrap()?;
        Some(Payment {
            method: row.get(0),
            session: row.get(1),
            intent: row.get(2),
            customer: row.get(3),
            amount: row.get(4),
        })
    }

    /// The rows of a query, as texts.
    pub(super) async fn rows<const COLUMNS: usize>(&self, sql: &'static str) -> Vec<[String; COLUMNS]> {
        let mut connection = self.shop.shop.database.pool.acquire().await.unwrap();
        let rows = connection.fetch_all(sqlx::raw_sql(sql)).await.unwrap();
        rows.iter().map(|row| std::array::from_fn(|column| row.get(column))).collect()
    }

    /// Clicks a button on the provider's pages. The provider may refuse it.
    async fn press(&self, path: &str, form: &[(&str, &str)]) {
        self.shop.send(Method::POST, path, form).await;
    }

    /// All objects in a list of the provider, newest first. `path` must have a query.
    pub(super) async fn list(&self, path: &str) -> Vec<Value> {
        let mut all: Vec<Value> = Vec::new();
        loop {
            let last = all.last().map(|last| format!("&starting_after={}", last["id"].as_str().unwrap()));
            let page = self.shop.send(Method::GET, &format!("{path}{}", last.unwrap_or_default()), &[]).await;
            let mut page: Value = serde_json::from_str(&page.text).unwrap();
            all.append(page["data"].as_array_mut().unwrap_or_else(|| panic!("{path}")));
            if page["has_more"] != true {
                return all;
            }
        }
    }
}

/// The intents of failed refunds, and their yen.
const FAILED_REFUNDS: &str = "SELECT intent, refund.amount::text FROM refund JOIN payment ON payment.id = payment_id \
    WHERE refund.state = 'failed' AND NOT EXISTS (SELECT FROM refund AS other WHERE other.replaces = refund.id)";

/// The ids of the same refunds.
const OWED_REFUNDS: &str = "SELECT id::text FROM refund \
    WHERE state = 'failed' AND NOT EXISTS (SELECT FROM refund AS other WHERE other.replaces = refund.id)";

/// The answer of commerce, or `None` if it refuses. Other errors fail the test.
fn accept<Answer>(answer: Result<Answer, Status>) -> Option<Answer> {
    match answer {
        Ok(answer) => Some(answer),
        Err(status) if matches!(status.code(), Code::Internal | Code::Unknown | Code::Unavailable) => {
            panic!("commerce breaks: {status:?}")
        }
        Err(_) => None,
    }
}
