//! Deletion of expired rows.

use crate::closing::fill;
use crate::support::{EMAIL, PASSWORD, World, sid};
use auth::sweep::{self, Retention};
use time::Duration;

impl World {
    async fn sweep(&self) -> u64 {
        let retention = Retention::from_config(&self.config(&[])).unwrap();
        let mut connection = self.database.pool.acquire().await.unwrap();
        sweep::sweep_all(&mut connection, retention, self.clock.clock().now()).await.unwrap()
    }

    /// The names of the tables that have rows.
    async fn tables_with_rows(&self) -> Vec<String> {
        let tables =
            "SELECT table_name::text FROM information_schema.tables WHERE table_schema = 'public' ORDER BY 1";
        let mut with_rows = Vec::new();
        for table in self.text(tables).await {
            if !self.text(&format!("SELECT 'row' FROM {table} LIMIT 1")).await.is_empty() {
                with_rows.push(table);
            }
        }
        with_rows
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn rows_are_deleted_exactly_when_they_have_expired() {
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
    assert_eq!(world.sweep().await, 2, "the counts of the wrong password and of the refresh are deleted");
    world.clock.advance(Duration::DAY);
    assert_eq!(
        world.sweep().await,
        2,
        "all access tokens of the ended session have expired: the session and its revocation"
    );
    assert!(auth.is_alive(sid(&living)).await);
    assert_eq!(world.text("SELECT sid::text FROM session").await, [sid(&living).to_string()]);

    world.clock.advance(Duration::days(30));
    assert_eq!(world.sweep().await, 1);
    assert!(world.text("SELECT 'token' FROM refresh_token").await.is_empty());
    assert_eq!(world.text("SELECT email FROM account").await, [EMAIL]);
}

#[tokio::test(flavor = "multi_thread")]
async fn expired_sign_ups_and_links_are_deleted() {
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

#[tokio::test(flavor = "multi_thread")]
async fn after_two_years_only_data_of_accounts_is_left() {
    let world = World::new().await;
    let auth = world.serve().await;
    fill(&world, &auth).await;
    let tokens = auth.try_log_in("hanako-canary@demo.example", PASSWORD).await.unwrap();
    auth.log_out(sid(&tokens)).await;
    let _ = auth.try_log_in("nobody@demo.example", "wrong password").await;
    let start = proto::auth::StartSignUpRequest {
        email: "new@demo.example".to_owned(),
        password: "umi-no-mieru-eki-42".to_owned(),
        kind: "learner".to_owned(),
        terms: true,
        ..proto::auth::StartSignUpRequest::default()
    };
    auth.entry.clone().start_sign_up(start).await.unwrap();
    let begin = proto::auth::BeginPasskeyLoginRequest::default();
    auth.passkeys().begin_passkey_login(begin).await.unwrap();
    let report = "INSERT INTO weekly_report (guardian, week, leased_until) \
                  SELECT guardian, '2026-11-16', since FROM guardian_link RETURNING 'row'";
    assert_eq!(world.text(report).await, ["row"]);
    let before = world.tables_with_rows().await;
    world.clock.advance(Duration::days(730));
    world.sweep().await;
    let after = world.tables_with_rows().await;

    let swept: Vec<_> = before.iter().filter(|table| !after.contains(table)).collect();
    let expected = [
        "consent",
        "email_change",
        "guardian_code",
        "guardian_view",
        "link",
        "login_failure",
        "passkey_challenge",
        "rate_limit",
        "refresh_token",
        "revocation",
        "session",
        "sign_up",
        "sign_up_handle",
        "weekly_report",
    ];
    assert_eq!(swept, expected);
    for table in ["account", "address", "birth_date_change", "consent_withdrawal", "guardian_link"] {
        assert!(after.iter().any(|left| left == table), "{table} belongs to an account");
    }
}
