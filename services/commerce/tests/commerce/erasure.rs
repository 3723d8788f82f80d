//! The erasure of an account: which data is deleted, and which stays for accounting.

use kit::caller::{Caller, Service};
use kit::test::{anyone, learner as learner_caller};
use kit::timestamp::to_timestamp;
use prost::{Message as _, Name as _};
use proto::auth::AccountErased;
use proto::commerce::OrderState::{AwaitingPayment, Cancelled};
use proto::commerce::PaymentState::RequiresAction;
use proto::commerce::{Order, OrderEnded, OrderRefunded, PaymentMethod};
use proto::common::event_service_client::EventServiceClient;
use proto::common::{DeliverRequest, Event};
use proto::lms::EntitlementGranted;
use sqlx::Row as _;
use time::Duration;
use tonic::Status;
use uuid::Uuid;

use crate::buying::{COURSE, OTHER, states};
use crate::coupon::{FUYU15, WELCOME};
use crate::customer::{Customer, products};
use crate::shop::{NOON, Shop, refusal};
use crate::subscription::MONTHLY;
use crate::test_provider::Behaviour;

const UNAUTHENTICATED: &str = "Unauthenticated UNAUTHENTICATED";
const ENDED: &str = "SELECT id::text FROM orders WHERE state = 'cancelled'";

impl Shop {
    /// auth erases an account.
    pub(crate) async fn erase(&self, account: &str) {
        let payload = AccountErased { account_id: account.to_owned() }.encode_to_vec();
        self.deliver(Service::Auth, &AccountErased::full_name(), payload).await.unwrap();
    }

    pub(crate) async fn deliver(&self, sender: Service, name: &str, payload: Vec<u8>) -> Result<(), Status> {
        let event = Event {
            id: Uuid::now_v7().to_string(),
            r#type: name.to_owned(),
            payload,
            occurred_at: Some(to_timestamp(NOON)),
        };
        let mut events = EventServiceClient::new(self.server.channel_as(Caller::service(sender)));
        events.deliver(DeliverRequest { event: Some(event) }).await.map(drop)
    }

    /// All rows of the tables that may have personal data, as text.
    async fn dump(&self, tables: &[&str]) -> String {
        use sqlx::Executor as _;
        let mut connection = self.database.pool.acquire().await.unwrap();
        let mut dump = String::new();
        for table in tables {
            // The confirmation is shown as text.
            let query = format!(
                "SELECT row_to_json(it)::text || coalesce(convert_from(decode(substr(row_to_json(it)->>'confirmation', 3), 'hex'), 'UTF8'), '') \
                 FROM {table} AS it"
            );
            let rows = connection.fetch_all(sqlx::raw_sql(sqlx::AssertSqlSafe(query))).await.unwrap();
            for row in rows {
                dump += row.get(0);
            }
        }
        dump
    }

    /// The tables with a column for an account or a person.
    async fn tables_of_accounts(&self) -> Vec<String> {
        self.texts(
            "SELECT DISTINCT table_name::text FROM information_schema.columns \
             JOIN information_schema.tables USING (table_schema, table_name) \
             WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND column_name IN \
                 ('account_id', 'learner_id', 'learner_name', 'buyer_name', 'buyer_email', 'buyer_kana', \
                  'receipt_addressee', 'sender_name') \
             ORDER BY 1",
        )
        .await
    }

    /// An order of the course for each of the customer's learners, paid.
    pub(crate) async fn buy(&self, customer: &Customer) -> Order {
        for learner in &customer.buyer.learners {
            customer.add_for(1101, &learner.id).await.unwrap();
        }
        let order = customer.place().await.unwrap();
        let session = self.provider.sessions().len() - 1;
        self.provider.pay(session);
        self.clock.advance(Duration::SECOND);
        customer.check(&order.id).await.unwrap()
    }

    pub(crate) async fn sweep(&self) -> u64 {
        let mut connection = self.database.pool.acquire().await.unwrap();
        commerce::sweep::sweep_once(&mut connection, self.clock.clock().now()).await.unwrap()
    }
}

#[tokio::test]
async fn of_an_erased_buyer_only_what_the_books_need_is_left() {
    let shop = Shop::with_coupons(&[COURSE, OTHER, MONTHLY], &[FUYU15]).await;
    let (guardian, neighbour) = (shop.guardian(2), shop.learner());
    for customer in [&guardian, &neighbour] {
        shop.buy_monthly(customer).await;
        customer.start_setup().await.unwrap();
        shop.clock.advance(Duration::MINUTE);
    }
    let order = shop.buy(&guardian).await;
    shop.buy(&neighbour).await;
    guardian.add_for(1102, guardian.learner(1)).await.unwrap();
    let transferred = guardian.place_by(PaymentMethod::BankTransfer).await.unwrap();
    shop.provider.transfer(0, 9_900, "ｱｵｲ ｼﾞﾛｳ", NOON);
    shop.clock.advance(Duration::SECOND);
    guardian.check(&transferred.id).await.unwrap();
    guardian.issue_receipt(&order.id, "株式会社あおい").await.unwrap();
    for customer in [&guardian, &neighbour] {
        customer.add(1102).await.unwrap();
        customer.claim("FUYU15").await.unwrap();
        customer.apply(2).await.unwrap();
    }
    // A line that is now for another child stays, without the account that requested it.
    let mut other = shop.guardian(2);
    other.buyer.learners[0] = neighbour.buyer.learners[0].clone();
    neighbour.ask(&[&guardian, &other]).await.unwrap();
    let line = other.cart().await.lines.remove(0).id;
    other.assign(&line, other.learner(1)).await.unwrap();
    let tables = shop.tables_of_accounts().await;
    let known = [
        "card",
        "card_setup",
        "cart_coupon",
        "cart_line",
        "coupon_claim",
        "customer",
        "guardian_request",
        "order_line",
        "orders",
        "subscription",
        "transfer",
    ];
    assert_eq!(tables, known, "fill and erase the others, too");
    let tables: Vec<&str> = tables.iter().map(String::as_str).collect();
    let dump = shop.dump(&tables).await;
    let account = guardian.id.to_string();
    let learners = [guardian.learner(0), guardian.learner(1), "葵 一郎", "葵 二郎"];
    let canaries = [&learners[..], &[&account, "hanako@example.jp", "アオイ ハナコ", "ｱｵｲ ｼﾞﾛｳ"]].concat();
    for canary in &canaries {
        assert!(dump.contains(canary), "{canary} was stored");
    }
    let ledger = shop.dump(&["journal", "posting"]).await;

    shop.erase(&account).await;
    let dump = shop.dump(&tables).await;
    for canary in &canaries {
        assert!(!dump.contains(canary), "{canary} is left");
    }
    for book in [&order.number, "葵 花子", "株式会社あおい", "中3数学 二次方程式と関数"]
    {
        assert!(dump.contains(book), "the books need {book}");
    }
    assert_eq!(shop.dump(&["journal", "posting"]).await, ledger);
    // No account can read it, not even one with the same id.
    assert_eq!(refusal(guardian.order(&order.id).await), "NotFound NOT_FOUND");
    assert_eq!(refusal(guardian.receipt(&order.id).await), "NotFound NOT_FOUND");
    assert_eq!(refusal(guardian.issue_receipt(&order.id, "葵 花子").await), "NotFound NOT_FOUND");
    assert_eq!(refusal(guardian.pay(&order.id).await), "NotFound NOT_FOUND");
    assert_eq!(guardian.order_page(1).await.unwrap().count, 0);
    assert!(guardian.cart().await.lines.is_empty());
    // The data of others stays.
    assert_eq!(neighbour.order_page(1).await.unwrap().orders[0].lines[0].learner_name, "葵 太郎");
    let cart = neighbour.cart().await;
    assert_eq!((products(&cart), cart.coupons.len()), (vec![1102], 1));

    // The neighbour, who requested the payment.
    assert!(dump.contains(&neighbour.id.to_string()));
    shop.erase(&neighbour.id.to_string()).await;
    assert!(!shop.dump(&tables).await.contains(&neighbour.id.to_string()));
    assert_eq!(products(&other.cart().await), [1102]);
}

#[tokio::test]
async fn a_person_who_knows_the_learners_can_verify_the_confirmation() {
    let shop = Shop::with(&[COURSE]).await;
    let mut guardian = shop.guardian(2);
    // With characters that JSON escapes.
    guardian.buyer.learners[0].name = "葵 \"いち\\郎\"".to_owned();
    let order = shop.buy(&guardian).await;
    let stored = guardian.order(&order.id).await.unwrap().confirmation.unwrap();
    let stored = String::from_utf8(stored.document).unwrap();
    shop.erase(&guardian.id.to_string()).await;
    let left = shop.texts("SELECT convert_from(confirmation, 'UTF8') FROM orders").await.remove(0);
    let nil_learner = Uuid::nil().to_string();
    let expected = stored.replace(r#"葵 \"いち\\郎\""#, "").replace("葵 二郎", "");
    let expected =
        expected.replace(guardian.learner(0), &nil_learner).replace(guardian.learner(1), &nil_learner);
    assert_eq!(left, expected);
    assert!(left.contains(r#""learner_name":"""#) && left.len() < stored.len());
}

#[tokio::test]
async fn an_order_that_awaits_its_payment_ends_at_the_provider_too() {
    let (shop, learner, _) = Shop::with_order().await;
    // The next check of the order is two minutes away.
    learner.cart().await;
    shop.erase(&learner.id.to_string()).await;
    let _workers = shop.work();
    shop.until(ENDED, 1).await;
    assert!(!shop.provider.is_open(0));
    assert_eq!(shop.journals().await, ["order_placed", "order_ended"]);
    assert_eq!(shop.balances().await, Vec::<String>::new());
    // No email address is left.
    assert!(shop.events::<OrderEnded>("desk").await.is_empty());
    let left = shop.dump(&["cart_line", "order_line", "orders"]).await;
    assert!(!left.contains("aoi@example.jp") && !left.contains(&learner.id.to_string()));
}

#[tokio::test]
async fn an_order_ends_once_the_provider_answers_again() {
    let (shop, learner, _) = Shop::with_order().await;
    shop.provider.set_behaviour(Behaviour::Down);
    let _workers = shop.work();
    shop.erase(&learner.id.to_string()).await;
    shop.until(
        "SELECT id::text FROM orders WHERE checks > 1 AND next_check_at > placed_at + interval '3 s'",
        1,
    )
    .await;
    assert_eq!(shop.texts(ENDED).await.len(), 0);
    assert!(shop.provider.is_open(0));
    shop.provider.set_behaviour(Behaviour::Answers);
    shop.clock.advance(Duration::minutes(2));
    shop.until(ENDED, 1).await;
    assert!(!shop.provider.is_open(0));
}

#[tokio::test]
async fn a_payment_made_during_the_erasure_is_refunded() {
    let (shop, learner, _) = Shop::with_order().await;
    shop.provider.pay(0);
    shop.erase(&learner.id.to_string()).await;
    let _workers = shop.work();
    shop.until("SELECT id::text FROM refund WHERE state = 'succeeded'", 1).await;
    shop.until(ENDED, 1).await;
    assert_eq!(shop.provider.refunds()[0].amount, 16_500);
    assert_eq!(shop.balances().await, Vec::<String>::new());
    assert!(shop.events::<EntitlementGranted>("lms").await.is_empty());
    assert!(shop.events::<OrderRefunded>("desk").await.is_empty());
}

#[tokio::test]
async fn purchases_for_an_erased_child_remain_without_the_name() {
    let shop = Shop::with(&[COURSE]).await;
    let guardian = shop.guardian(2);
    let order = shop.buy(&guardian).await;
    shop.erase(guardian.learner(0)).await;
    let order = guardian.order(&order.id).await.unwrap();
    let names: Vec<&str> = order.lines.iter().map(|line| line.learner_name.as_str()).collect();
    assert_eq!(names, ["", "葵 二郎"]);
    assert_eq!((order.total, order.confirmation.unwrap().digest.len()), (33_000, 64));
    let left = shop.dump(&["order_line", "orders"]).await;
    assert!(!left.contains("葵 一郎") && !left.contains(guardian.learner(0)));
    assert!(
        left.contains(guardian.learner(1)) && left.contains("hanako@example.jp"),
        "the guardian has an account"
    );
}

#[tokio::test]
async fn an_order_and_lines_of_the_cart_for_an_erased_child_go() {
    let shop = Shop::with(&[COURSE, OTHER]).await;
    let guardian = shop.guardian(2);
    guardian.add_for(1101, guardian.learner(0)).await.unwrap();
    guardian.add_for(1101, guardian.learner(1)).await.unwrap();
    let order = guardian.place().await.unwrap();
    shop.provider.set_behaviour(Behaviour::Down);
    shop.erase(guardian.learner(0)).await;
    // The order stays open and unpaid until the provider has closed the page.
    assert_eq!(states(&guardian.order(&order.id).await.unwrap()), (AwaitingPayment, RequiresAction));
    assert_eq!(refusal(guardian.pay(&order.id).await), "Conflict ORDER_CLOSED");
    shop.provider.set_behaviour(Behaviour::Answers);
    assert_eq!(guardian.check(&order.id).await.unwrap().state(), Cancelled);
    assert!(!shop.provider.is_open(0));
    let [mail] = &shop.events::<OrderEnded>("desk").await[..] else { panic!("one email") };
    assert_eq!((mail.to.as_str(), mail.is_cancelled), ("hanako@example.jp", true));
    let cart = guardian.cart().await;
    assert_eq!(products(&cart), [1101]);
    assert_eq!(cart.lines[0].learner_id, guardian.learner(1));
}

#[tokio::test]
async fn requests_after_the_erasure_are_refused_and_write_nothing() {
    let shop = Shop::with_coupons(&[COURSE], &[WELCOME]).await;
    let (learner, guardian) = (shop.learner(), shop.guardian(2));
    learner.add(1101).await.unwrap();
    let late = learner.order_request().await;
    shop.erase(&learner.id.to_string()).await;
    assert_eq!(refusal(learner.send(late).await), UNAUTHENTICATED);
    assert_eq!(refusal(learner.add(1101).await), UNAUTHENTICATED);
    assert_eq!(refusal(learner.join(&[1101]).await), UNAUTHENTICATED);
    assert_eq!(refusal(learner.claim("WELCOME1000").await), UNAUTHENTICATED);
    assert_eq!(refusal(learner.apply(1).await), UNAUTHENTICATED);
    let rows = "SELECT account_id::text FROM cart_line UNION ALL SELECT account_id::text FROM orders \
        UNION ALL SELECT account_id::text FROM coupon_claim UNION ALL SELECT account_id::text FROM cart_coupon";
    assert_eq!(shop.texts(rows).await.len(), 0);
    assert!(shop.provider.sessions().is_empty());

    // For a learner that was erased.
    for learner in 0..2 {
        guardian.add_for(1101, guardian.learner(learner)).await.unwrap();
    }
    let late = guardian.order_request().await;
    shop.erase(guardian.learner(0)).await;
    assert_eq!(refusal(guardian.send(late).await), "Conflict CONFIRMATION_CHANGED");
    let unknown = "learner_id UNKNOWN_CHOICE";
    assert_eq!(refusal(guardian.add_for(1101, guardian.learner(0)).await), unknown);
    let line = guardian.cart().await.lines.remove(0).id;
    assert_eq!(refusal(guardian.assign(&line, guardian.learner(0)).await), unknown);
    assert_eq!(guardian.add(1101).await.unwrap().lines.len(), 1, "for the first who is there");
}

#[tokio::test]
async fn an_order_and_an_erasure_at_once_leave_no_order_of_the_account() {
    let shop = Shop::with(&[COURSE]).await;
    let account_rows = "SELECT id::text FROM orders WHERE account_id IS NOT NULL OR buyer_email <> '' \
        UNION ALL SELECT id::text FROM cart_line";
    for _ in 0..8 {
        let learner = shop.learner();
        learner.add(1101).await.unwrap();
        let request = learner.order_request().await;
        let id = learner.id.to_string();
        // Either may come first.
        let _ = tokio::join!(learner.send(request), shop.erase(&id));
        assert_eq!(shop.texts(account_rows).await, Vec::<String>::new());
    }
}

#[tokio::test]
async fn after_seven_years_nothing_personal_is_left_and_the_ledger_is() {
    let shop = Shop::with(&[COURSE]).await;
    let (guardian, neighbour) = (shop.guardian(1), shop.learner());
    let order = shop.buy(&guardian).await;
    let paid_at = shop.clock.clock().now();
    guardian.issue_receipt(&order.id, "株式会社あおい").await.unwrap();
    shop.buy(&neighbour).await;
    shop.erase(&guardian.id.to_string()).await;
    let ledger = shop.dump(&["journal", "posting"]).await;
    // Seven years and two days, for leap years. The other rows are swept too.
    let seven_years = Duration::days(7 * 365 + 2);
    shop.clock.advance(paid_at + seven_years - Duration::SECOND - shop.clock.clock().now());
    shop.sweep().await;
    assert!(shop.dump(&["orders"]).await.contains("葵 花子"));
    shop.clock.advance(Duration::SECOND);
    assert_eq!(shop.sweep().await, 1);
    let left = shop.dump(&["order_line", "orders"]).await;
    for gone in ["葵 花子", "株式会社あおい", "terms"] {
        let theirs = left.matches(gone).count();
        // The neighbour still has an account, whose confirmation stays.
        assert_eq!(theirs, usize::from(gone == "terms"), "{gone}");
    }
    assert!(left.contains(&order.number) && left.contains("葵 太郎"));
    assert_eq!(shop.dump(&["journal", "posting"]).await, ledger);
    assert_eq!(shop.sweep().await, 0);
}

#[tokio::test]
async fn every_event_for_commerce_is_taken_from_its_sender_alone_and_once() {
    let shop = Shop::with(&[COURSE]).await;
    for name in proto::event::received_by("commerce") {
        let empty = shop.deliver(Service::Auth, &name, Vec::new()).await;
        assert_eq!(refusal(empty), "account_id INVALID_FORMAT", "{name}");
    }
    let learner = shop.learner();
    learner.add(1101).await.unwrap();
    let erased = AccountErased { account_id: learner.id.to_string() }.encode_to_vec();
    let name = AccountErased::full_name();
    let foreign = shop.deliver(Service::Lms, &name, erased.clone()).await;
    assert_eq!(foreign.unwrap_err().code(), tonic::Code::PermissionDenied);
    let mut strangers = EventServiceClient::new(shop.server.channel_as(anyone()));
    let refused = strangers.deliver(DeliverRequest { event: None }).await;
    assert_eq!(refused.unwrap_err().code(), tonic::Code::PermissionDenied);
    let mut own = EventServiceClient::new(shop.server.channel_as(learner_caller(learner.id)));
    assert!(own.deliver(DeliverRequest { event: None }).await.is_err());
    let unknown = shop.deliver(Service::Auth, "auth.v1.AccountCreated", Vec::new()).await;
    assert_eq!(unknown.unwrap_err().code(), tonic::Code::Unimplemented);
    assert_eq!(products(&learner.cart().await), [1101]);
    for _ in 0..2 {
        shop.deliver(Service::Auth, &name, erased.clone()).await.unwrap();
    }
    assert!(learner.cart().await.lines.is_empty());
}

#[tokio::test]
async fn an_erased_account_is_remembered_as_long_as_an_event_may_be_late() {
    let shop = Shop::with(&[COURSE]).await;
    let learner = shop.learner();
    shop.erase(&learner.id.to_string()).await;
    shop.clock.advance(Duration::days(30));
    assert_eq!(shop.sweep().await, 0);
    shop.clock.advance(Duration::SECOND);
    assert_eq!(shop.sweep().await, 1);
    assert_eq!(shop.texts("SELECT id::text FROM erased_account").await, Vec::<String>::new());
}

#[tokio::test]
async fn the_customer_at_the_provider_is_deleted_once_no_money_needs_it() {
    let shop = Shop::with(&[COURSE]).await;
    let learner = shop.learner();
    learner.add(1101).await.unwrap();
    let order = learner.place_by(PaymentMethod::BankTransfer).await.unwrap();
    shop.provider.transfer(0, 10_000, "ｱｵｲ ﾀﾛｳ", NOON);
    shop.clock.advance(Duration::SECOND);
    learner.check(&order.id).await.unwrap();
    shop.provider.set_behaviour(Behaviour::Down);
    let _workers = shop.work();
    shop.erase(&learner.id.to_string()).await;
    // The pause is longer than a lease, so the customers were tried and released.
    let tried = "SELECT provider_customer FROM erased_customer, orders \
        WHERE next_try_at > erased_at + interval '3 s' \
            AND next_check_at > erased_at + interval '3 s'";
    shop.until(tried, 1).await;
    assert!(!shop.provider.customers()[0].is_deleted);
    shop.provider.set_behaviour(Behaviour::Answers);
    shop.clock.advance(Duration::minutes(2));
    shop.until("SELECT id::text FROM refund WHERE state = 'succeeded'", 1).await;
    shop.until(ENDED, 1).await;
    shop.clock.advance(Duration::minutes(11));
    shop.until("SELECT provider_customer FROM erased_customer", 0).await;
    assert!(shop.provider.customers()[0].is_deleted);
    assert_eq!(shop.provider.customers()[0].balance, 0);
    assert_eq!(shop.balances().await, Vec::<String>::new());
    assert!(shop.texts("SELECT provider_customer FROM customer").await.is_empty());
    assert!(shop.texts("SELECT provider_customer FROM transfer_account").await.is_empty());
}
