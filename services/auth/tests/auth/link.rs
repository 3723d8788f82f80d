//! Links in mails: valid once, for a limited time, for one purpose, and never stored.

use crate::support::{NOW, USER, World};
use auth::link::{self, Link, Purpose};
use auth::token::LinkToken;
use futures_util::future::join_all;
use time::Duration;
use uuid::Uuid;

const LINK: Link = Link { account: Some(USER), subject: Some(Uuid::from_u128(7)) };

impl World {
    async fn issue(&self, purpose: Purpose) -> LinkToken {
        let mut connection = self.database.pool.acquire().await.unwrap();
        let expires_at = NOW + Duration::minutes(30);
        link::issue(&mut connection, purpose, LINK.account, LINK.subject, expires_at).await.unwrap()
    }

    async fn find(&self, purpose: Purpose, token: &LinkToken) -> Option<Link> {
        let mut connection = self.database.pool.acquire().await.unwrap();
        link::find(&mut connection, purpose, token, self.clock.clock().now()).await.unwrap()
    }

    async fn take(&self, purpose: Purpose, token: &LinkToken) -> Option<Link> {
        let mut connection = self.database.pool.acquire().await.unwrap();
        link::take(&mut connection, purpose, token, self.clock.clock().now()).await.unwrap()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn one_of_16_concurrent_uses_of_a_link_succeeds() {
    let world = World::without_key().await;
    for _ in 0..10 {
        let token = world.issue(Purpose::Reset).await;
        let gotten = join_all((0..16).map(|_| world.take(Purpose::Reset, &token))).await;
        assert_eq!(gotten.into_iter().flatten().collect::<Vec<_>>(), [LINK]);
        assert_eq!(world.find(Purpose::Reset, &token).await, None);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn finding_a_link_changes_nothing() {
    let world = World::without_key().await;
    let token = world.issue(Purpose::Verify).await;
    let rows = || world.text("SELECT link::text FROM link");
    let before = rows().await;
    for _ in 0..3 {
        assert_eq!(world.find(Purpose::Verify, &token).await, Some(LINK));
    }
    assert_eq!(rows().await, before);
    assert_eq!(world.take(Purpose::Verify, &token).await, Some(LINK));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_link_is_valid_until_its_expiry() {
    let world = World::without_key().await;
    let (first, second) = (world.issue(Purpose::Consent).await, world.issue(Purpose::Consent).await);
    world.clock.advance(Duration::minutes(30) - Duration::MICROSECOND);
    assert_eq!(world.take(Purpose::Consent, &first).await, Some(LINK));
    world.clock.advance(Duration::MICROSECOND);
    assert_eq!(world.find(Purpose::Consent, &second).await, None);
    assert_eq!(world.take(Purpose::Consent, &second).await, None);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_link_is_valid_for_one_purpose() {
    let world = World::without_key().await;
    for purpose in Purpose::ALL {
        let token = world.issue(purpose).await;
        for other in Purpose::ALL.into_iter().filter(|other| *other != purpose) {
            assert_eq!(world.take(other, &token).await, None, "{purpose:?} as {other:?}");
        }
        assert_eq!(world.take(purpose, &token).await, Some(LINK));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn all_links_of_an_account_for_a_purpose_end_at_once() {
    let world = World::without_key().await;
    let (one, two) = (world.issue(Purpose::Reset).await, world.issue(Purpose::Reset).await);
    let kept = world.issue(Purpose::Email).await;
    let mut connection = world.database.pool.acquire().await.unwrap();
    link::end_all(&mut connection, Purpose::Reset, USER, NOW).await.unwrap();
    assert_eq!(
        (world.take(Purpose::Reset, &one).await, world.take(Purpose::Reset, &two).await),
        (None, None)
    );
    assert_eq!(world.take(Purpose::Email, &kept).await, Some(LINK));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_is_not_stored() {
    let world = World::without_key().await;
    let token = world.issue(Purpose::Reset).await;
    let rows = world.text("SELECT link::text FROM link").await;
    assert_eq!(rows.len(), 1);
    let raw = {
        use base64::Engine as _;
        hex::encode(base64::engine::general_purpose::URL_SAFE_NO_PAD.decode(token.encode()).unwrap())
    };
    assert!(rows[0].contains(&hex::encode(token.hash())), "the row has the hash");
    assert!(!rows[0].contains(&raw) && !rows[0].contains(&token.encode()), "{rows:?}");
}
