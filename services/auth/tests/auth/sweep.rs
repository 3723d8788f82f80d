//! Deletion of expired rows.

use crate::support::{EMAIL, World, sid};
use auth::sweep::{self, Retention};
use time::Duration;

impl World {
    async fn sweep(&self) -> u64 {
        let retention = Retention::from_config(&self.config(&[])).unwrap();
        let mut connection = self.database.pool.acquire().await.unwrap();
        sweep::sweep_all(&mut connection, retention, self.clock.clock().now()).await.unwrap()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_forgotten_while_it_matters_and_everything_when_it_no_longer_does() {
    let world = World::new().await;
    let auth = world.serve().await;
    let (ended, living) = (auth.log_in().await, auth.log_in().await);
    auth.refresh(&living.refresh_token).await.unwrap();
    auth.log_out(sid(&ended)).await;
    let _ = auth.try_log_in(EMAIL, "wrong password").await;
    assert_eq!(world.sweep().await, 0);

    // Three logins took tokens that come back within six seconds.
    world.clock.advance(Duration::seconds(7));
    assert_eq!(world.sweep().await, 2, "the buckets of the address and of its network are full again");
    world.clock.advance(Duration::minutes(15));
    assert_eq!(world.sweep().await, 2, "the wrong password is forgiven, and the session's refresh is");
    world.clock.advance(Duration::DAY);
    assert_eq!(
        world.sweep().await,
        2,
        "no access token of the ended session lives: the session and its revocation"
    );
    assert!(auth.is_alive(sid(&living)).await);
    assert_eq!(world.text("SELECT sid::text FROM session").await, [sid(&living).to_string()]);

    world.clock.advance(Duration::days(30));
    assert_eq!(world.sweep().await, 1);
    assert!(world.text("SELECT 'token' FROM refresh_token").await.is_empty());
    assert_eq!(world.text("SELECT email FROM account").await, [EMAIL]);
}

#[tokio::test(flavor = "multi_thread")]
async fn sign_ups_and_links_are_forgotten_once_they_are_dead() {
    let world = World::new().await;
    let auth = world.serve().await;
    let start = proto::auth::StartSignUpRequest {
        email: "new@demo.example".to_owned(),
        password: "umi-no-mieru-eki-42".to_owned(),
        kind: "learner".to_owned(),
        terms: true,
        ..proto::auth::StartSignUpRequest::default()
    };
    auth.entry.clone().start_sign_up(start).await.unwrap();
    world.clock.advance(Duration::DAY);
    // Four buckets: the client address for any mail and for sign-up mails, the mailbox, and the whole service.
    assert_eq!(world.sweep().await, 4);
    let rows = "SELECT 'link' FROM link UNION ALL SELECT 'sign-up' FROM sign_up \
                UNION ALL SELECT 'handle' FROM sign_up_handle";
    assert_eq!(world.text(rows).await, ["link", "sign-up", "handle"]);
    world.clock.advance(Duration::SECOND);
    assert_eq!(world.sweep().await, 2);
    assert!(world.text(rows).await.is_empty());
}
