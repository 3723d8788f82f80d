//! A learner requests that the guardians pay for the cart.

use std::sync::Arc;

use proto::commerce::LineProblem::{ConsentMissing, NotLinked, OrderedElsewhere, Owned, Unspecified};
use proto::commerce::{Cart, OrderState, PaymentAsked};
use time::Duration;
use tokio::task::JoinSet;

use crate::buying::{COURSE, OTHER};
use crate::customer::{Customer, lines, products};
use crate::lms::Answer;
use crate::shop::{NOON, Shop, refusal};

impl Shop {
    /// A learner, and a guardian who is linked to this learner and to another one.
    pub(crate) fn family(&self) -> (Customer, Customer) {
        let child = self.learner();
        let guardian = self.guardian_of(&child, "hanako@example.jp");
        (child, guardian)
    }

    fn guardian_of(&self, child: &Customer, email: &str) -> Customer {
        let mut guardian = self.guardian(2);
        guardian.buyer.learners[0] = child.buyer.learners[0].clone();
        email.clone_into(&mut guardian.buyer.email);
        guardian
    }

    /// The pending emails to guardians.
    async fn mails(&self) -> Vec<PaymentAsked> {
        self.events("desk").await
    }
}

/// The name of the learner who requested each line, empty for the guardian's own lines.
fn askers(cart: &Cart) -> Vec<&str> {
    cart.lines.iter().map(|line| line.asked_by.as_ref().map_or("", |asker| &asker.name)).collect()
}

#[tokio::test]
async fn every_linked_guardian_gets_the_lines_once_and_a_mail() {
    let shop = Shop::with(&[COURSE, OTHER]).await;
    let (child, mother) = shop.family();
    let father = shop.guardian_of(&child, "father@example.jp");
    let unlinked = shop.guardian_of(&child, "former@example.jp");
    child.add(1101).await.unwrap();
    child.add(1102).await.unwrap();
    mother.add_for(1101, child.learner(0)).await.unwrap();
    shop.clock.advance(Duration::MINUTE);
    let own = child.cart().await;
    assert_eq!(own.asked_at, None);

    let asked = child.ask(&[&mother, &father]).await.unwrap();
    assert_eq!((asked.asked, asked.asked_at.unwrap().seconds), (2, NOON.unix_timestamp() + 60));
    let cart = mother.cart().await;
    assert_eq!(lines(&cart), [(1101, "葵 太郎", Unspecified), (1102, "葵 太郎", Unspecified)]);
    assert_eq!(askers(&cart), ["", "葵 太郎"], "what was there stays as it was");
    assert_eq!(askers(&father.cart().await), ["葵 太郎", "葵 太郎"]);
    assert_eq!(father.cart().await.lines[0].asked_by.as_ref().unwrap().id, child.id.to_string());
    assert!(unlinked.cart().await.lines.is_empty());
    assert_eq!(child.cart().await, Cart { asked_at: asked.asked_at, ..own });

    let mut mails = shop.mails().await;
    mails.sort_by(|one, other| other.to.cmp(&one.to));
    let mail = PaymentAsked {
        to: "hanako@example.jp".to_owned(),
        account_id: mother.id.to_string(),
        name: "葵 花子".to_owned(),
        learner_name: "葵 太郎".to_owned(),
        items: vec!["中3数学 二次方程式と関数".to_owned(), "中3理科".to_owned()],
        total: 26_400,
        left_out: 0,
    };
    let to_father = PaymentAsked {
        to: "father@example.jp".to_owned(),
        account_id: father.id.to_string(),
        ..mail.clone()
    };
    assert_eq!(mails, [mail, to_father]);

    // Two requests must be ten minutes apart.
    shop.clock.advance(Duration::minutes(10) - Duration::SECOND);
    assert_eq!(refusal(child.ask(&[&mother]).await), "TooMany RATE_LIMITED");
    assert_eq!(shop.mails().await.len(), 2);
    shop.clock.advance(Duration::SECOND);
    child.ask(&[&mother]).await.unwrap();
    assert_eq!(mother.cart().await.lines.len(), 2, "no line is doubled");
    assert_eq!(shop.mails().await.len(), 3);
}

#[tokio::test]
async fn a_guardian_who_pays_gives_the_learner_the_course() {
    let shop = Shop::with(&[COURSE]).await;
    let (child, guardian) = shop.family();
    let other = shop.guardian_of(&child, "father@example.jp");
    child.add(1101).await.unwrap();
    child.ask(&[&guardian, &other]).await.unwrap();
    let order = guardian.place().await.unwrap();
    assert_eq!((order.total, order.lines[0].learner_id.as_str()), (16_500, child.learner(0)));
    assert_eq!(lines(&child.cart().await)[0].2, OrderedElsewhere);
    shop.provider.pay(0);
    shop.clock.advance(Duration::SECOND);
    assert_eq!(guardian.check(&order.id).await.unwrap().state(), OrderState::Paid);
    // lms does not know the grant yet. Neither the learner nor the other guardian can pay again.
    for cart in [child.cart().await, other.cart().await] {
        assert_eq!((lines(&cart)[0].2, cart.total), (Owned, 0));
    }
    assert_eq!(refusal(child.confirmation().await), "Conflict CART_EMPTY");
    assert!(guardian.cart().await.lines.is_empty());
    shop.lms.answer(Answer::Owned(vec![(child.id, 101)]));
    assert_eq!(lines(&child.cart().await)[0].2, Owned);
}

#[tokio::test]
async fn only_lines_that_a_guardian_can_pay_for_are_copied() {
    let sale_ends = "id: 1103, kind: course, course: 103, sale_ends: 2026-11-21";
    let fourth = "id: 1104, kind: course, course: 104";
    let shop = Shop::with(&[COURSE, OTHER, sale_ends, fourth]).await;
    let (mut child, mut guardian) = shop.family();
    child.add(1101).await.unwrap();
    child.place().await.unwrap();
    assert_eq!(refusal(child.ask(&[&guardian]).await), "Conflict CART_EMPTY", "it is ordered");
    for product in [1102, 1103, 1104] {
        child.add(product).await.unwrap();
    }
    shop.clock.advance(Duration::days(2));
    shop.lms.answer(Answer::Owned(vec![(child.id, 102)]));
    // A missing consent does not block the request, because the guardian gives it.
    child.buyer.learners[0].lacks_consent = true;
    guardian.buyer.learners[0].lacks_consent = true;
    child.ask(&[&guardian]).await.unwrap();
    assert_eq!(lines(&guardian.cart().await), [(1104, "葵 太郎", ConsentMissing)]);

    // The link between guardian and learner ends.
    guardian.buyer.learners.remove(0);
    let cart = guardian.cart().await;
    assert_eq!((lines(&cart), askers(&cart)), (vec![(1104, "", NotLinked)], vec![""]));
}

#[tokio::test]
async fn a_full_cart_takes_as_much_as_fits_and_the_mail_says_so() {
    let all: Vec<String> = (1..=25).map(|id| format!("id: {id}, kind: course, course: {id}")).collect();
    let shop = Shop::with(&all.iter().map(String::as_str).collect::<Vec<_>>()).await;
    let (child, guardian) = shop.family();
    for id in 1..=18 {
        guardian.add_for(id, guardian.learner(1)).await.unwrap();
    }
    for id in [20, 21, 22, 23] {
        child.add(id).await.unwrap();
        shop.clock.advance(Duration::SECOND);
    }
    child.ask(&[&guardian]).await.unwrap();
    assert_eq!(products(&guardian.cart().await)[18..], [20, 21]);
    let [mail] = &shop.mails().await[..] else { panic!("one mail") };
    assert_eq!((mail.items.len(), mail.total, mail.left_out), (2, 2_000, 2));
}

#[tokio::test]
async fn without_guardians_or_lines_and_for_guardians_nothing_is_asked() {
    let shop = Shop::with(&[COURSE]).await;
    let (child, guardian) = shop.family();
    assert_eq!(refusal(child.ask(&[]).await), "Conflict NO_GUARDIAN");
    assert_eq!(refusal(child.ask(&[&guardian]).await), "Conflict CART_EMPTY");
    child.add(1101).await.unwrap();
    assert_eq!(refusal(child.ask(&[]).await), "Conflict NO_GUARDIAN");
    assert_eq!(refusal(child.ask(&[&guardian; 21]).await), "guardians TOO_LONG");
    assert!(guardian.ask(&[&guardian]).await.is_err(), "only learners ask");
    assert!(shop.mails().await.is_empty());
    assert_eq!(child.cart().await.asked_at, None);
}

#[tokio::test]
async fn two_tabs_and_two_children_at_once_ask_once_each() {
    let all: Vec<String> = (1..=24).map(|id| format!("id: {id}, kind: course, course: {id}")).collect();
    let shop = Shop::with(&all.iter().map(String::as_str).collect::<Vec<_>>()).await;
    let (son, mut mother) = shop.family();
    let daughter = shop.learner();
    let mut father = shop.guardian_of(&son, "father@example.jp");
    for guardian in [&mut mother, &mut father] {
        guardian.buyer.learners[1] = daughter.buyer.learners[0].clone();
    }
    for id in 1..=12 {
        son.add(id).await.unwrap();
        daughter.add(id + 12).await.unwrap();
    }
    let (children, guardians) = (Arc::new([son, daughter]), Arc::new([mother, father]));
    let mut asking = JoinSet::new();
    for child in [0, 1, 0, 1, 0, 1] {
        let (children, guardians) = (children.clone(), guardians.clone());
        asking.spawn(async move {
            // In both orders.
            let (one, other) = (&guardians[child], &guardians[1 - child]);
            children[child].ask(&[one, other]).await.map_err(|status| refusal::<()>(Err(status)))
        });
    }
    let answers = asking.join_all().await;
    let (asked, refused): (Vec<_>, Vec<_>) = answers.into_iter().partition(Result::is_ok);
    assert_eq!(asked.len(), 2);
    assert!(refused.iter().all(|answer| answer == &Err("TooMany RATE_LIMITED".to_owned())), "{refused:?}");
    for guardian in &*guardians {
        assert_eq!(guardian.cart().await.lines.len(), 20);
    }
    let mails = shop.mails().await;
    let left_out: u32 = mails.iter().map(|mail| mail.left_out).sum();
    assert_eq!((mails.len(), left_out), (4, 8));
}

#[tokio::test]
async fn the_same_cart_goes_on_once_a_guardian_has_consented() {
    let shop = Shop::with(&[COURSE]).await;
    let mut minor = shop.learner();
    minor.buyer.learners[0].lacks_consent = true;
    let stopped = minor.add(1101).await.unwrap();
    assert_eq!((lines(&stopped), stopped.total), (vec![(1101, "葵 太郎", ConsentMissing)], 0));
    assert_eq!(refusal(minor.confirmation().await), "Conflict CART_EMPTY");
    minor.buyer.learners[0].lacks_consent = false;
    let cart = minor.cart().await;
    assert_eq!(cart.lines[0].id, stopped.lines[0].id);
    assert_eq!((lines(&cart)[0].2, cart.total), (Unspecified, 16_500));
    assert_eq!(minor.place().await.unwrap().total, 16_500);
}

#[tokio::test]
async fn guardian_requests_are_swept_after_90_days() {
    let shop = Shop::with(&[COURSE]).await;
    let (child, guardian) = shop.family();
    child.add(1101).await.unwrap();
    shop.clock.advance(Duration::SECOND);
    child.ask(&[&guardian]).await.unwrap();
    let sweep = async || {
        let mut connection = shop.database.pool.acquire().await.unwrap();
        commerce::sweep::sweep_once(&mut connection, shop.clock.clock().now()).await.unwrap()
    };
    shop.clock.advance(Duration::days(90) - Duration::SECOND);
    assert_eq!(sweep().await, 1, "the learner's own line");
    assert!(child.cart().await.asked_at.is_some());
    shop.clock.advance(Duration::SECOND);
    assert_eq!(sweep().await, 2, "the guardian's line and the request");
    assert_eq!(child.cart().await.asked_at, None);
}
