//! Import of accounts from a folder.

use std::path::{Path, PathBuf};

use crate::support::{NOW, World, reason, sid};
use auth::import::{Report, import};
use uuid::Uuid;

/// The folder of demo content.
fn demo() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("demo")
}

/// A copy of the demo content with `from` replaced by `to`; deleted when dropped.
struct ChangedFolder(PathBuf);

impl ChangedFolder {
    fn new(from: &str, to: &str) -> Self {
        let text = std::fs::read_to_string(demo().join("accounts.yaml")).unwrap();
        assert!(text.contains(from), "{from}");
        let dir = std::env::temp_dir().join(format!("auth-import-{}", Uuid::now_v7()));
        std::fs::create_dir(&dir).unwrap();
        std::fs::write(dir.join("accounts.yaml"), text.replacen(from, to, 1)).unwrap();
        Self(dir)
    }
}

impl Drop for ChangedFolder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

const ALL: &str = "SELECT a::text FROM account a ORDER BY id";

#[tokio::test(flavor = "multi_thread")]
async fn the_demo_accounts_can_log_in_and_a_second_import_changes_nothing() {
    let world = World::new().await;
    let report = import(&world.database.pool, &demo(), NOW, false).await.unwrap();
    assert_eq!((report.added.len(), report.changed.len(), report.unchanged), (7, 0, 0));
    let before = world.text(ALL).await;

    let report = import(&world.database.pool, &demo(), NOW, false).await.unwrap();
    assert_eq!(report, Report { unchanged: 7, ..Report::default() });
    assert_eq!(world.text(ALL).await, before, "not even a hash was recomputed");

    let auth = world.serve().await;
    for name in ["adult", "second", "minor", "expired", "guardian", "staff"] {
        let email = format!("{name}@demo.example");
        auth.try_log_in(&email, "demo-konomana-2026")
            .await
            .unwrap_or_else(|status| panic!("{name}: {status}"));
    }
    let guardian = uuid::uuid!("01936f2a-4c04-7462-8e0b-c7a51d386f05");
    let children = auth.children(guardian).await;
    assert_eq!(children.iter().map(|child| child.name.as_str()).collect::<Vec<_>>(), ["森下 結衣"]);

    let refused = auth.try_log_in("change@demo.example", "demo-konomana-2026").await;
    assert_eq!(reason(refused), "PASSWORD_CHANGE_REQUIRED");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_changed_name_changes_only_that_account_and_keeps_its_sessions() {
    let world = World::new().await;
    let auth = world.serve().await;
    import(&world.database.pool, &demo(), NOW, false).await.unwrap();
    let tokens = auth.try_log_in("adult@demo.example", "demo-konomana-2026").await.unwrap();
    let changed = ChangedFolder::new("first_name: 拓海", "first_name: 拓也");
    let report = import(&world.database.pool, &changed.0, NOW, false).await.unwrap();
    let adult = "01936f2a-4c00-7a31-8b52-1f6d0c9e4a01".parse().unwrap();
    assert_eq!(report, Report { changed: vec![adult], unchanged: 6, ..Report::default() });
    assert!(auth.is_alive(sid(&tokens)).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_changed_password_ends_the_sessions_of_the_old_one() {
    let world = World::new().await;
    let auth = world.serve().await;
    import(&world.database.pool, &demo(), NOW, false).await.unwrap();
    let tokens = auth.try_log_in("adult@demo.example", "demo-konomana-2026").await.unwrap();
    let bystander = auth.log_in().await;
    let changed = ChangedFolder::new("demo-konomana-2026", "demo-konomana-2027");
    let report = import(&world.database.pool, &changed.0, NOW, false).await.unwrap();
    assert_eq!(report.changed.len(), 7);
    assert!(!auth.is_alive(sid(&tokens)).await);
    assert!(auth.is_alive(sid(&bystander)).await);
    let refused = auth.try_log_in("adult@demo.example", "demo-konomana-2026").await;
    assert_eq!(reason(refused), "BAD_CREDENTIALS");
    auth.try_log_in("adult@demo.example", "demo-konomana-2027").await.expect("the new password works");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_changed_scope_ends_the_sessions_with_the_old_one() {
    let world = World::new().await;
    let auth = world.serve().await;
    import(&world.database.pool, &demo(), NOW, false).await.unwrap();
    let tokens = auth.try_log_in("staff@demo.example", "demo-konomana-2026").await.unwrap();
    let bystander = auth.try_log_in("adult@demo.example", "demo-konomana-2026").await.unwrap();
    let changed = ChangedFolder::new("\"staff:support\", ", "");
    let report = import(&world.database.pool, &changed.0, NOW, false).await.unwrap();
    assert_eq!(report.changed.len(), 1);
    assert!(!auth.is_alive(sid(&tokens)).await);
    assert!(auth.is_alive(sid(&bystander)).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fault_imports_nothing_and_names_file_line_and_reason() {
    let world = World::new().await;
    // An account that is not in the file has the address.
    let taken = ChangedFolder::new("staff@demo.example", crate::support::EMAIL);
    let fault = import(&world.database.pool, &taken.0, NOW, false).await.unwrap_err().to_string();
    let line = "accounts.yaml:45:";
    assert!(fault.starts_with(line), "{fault}");
    assert!(fault.ends_with("another account has this e-mail address"), "{fault}");
    assert_eq!(world.text(ALL).await.len(), 1);

    let unknown = ChangedFolder::new("first_name_kana: ケイコ", "nickname: ケイコ");
    let fault = import(&world.database.pool, &unknown.0, NOW, false).await.unwrap_err().to_string();
    assert!(fault.contains("accounts.yaml:") && fault.contains("nickname"), "{fault}");
}
