//! Migrations against a real PostgreSQL.
#![allow(
    clippy::disallowed_methods,
    reason = "these databases have no schema that the build could check against"
)]

use std::borrow::Cow;
use std::time::Duration;

use kit_db::config::Database;
use kit_db::test::TestDatabase;
use sqlx::migrate::{Migration, MigrationType, Migrator};
use sqlx::{SqlSafeStr as _, query, query_scalar};

/// The migrations of a release that has the first `count` of them.
fn release(count: usize) -> Migrator {
    let all = [
        "CREATE TABLE course (id bigint PRIMARY KEY)",
        "ALTER TABLE course ADD COLUMN name text NOT NULL DEFAULT ''; CREATE TABLE lesson (id bigint PRIMARY KEY)",
        "ALTER TABLE lesson ADD COLUMN course bigint; ALTER TABLE course ADD COLUMN lessons bigint",
    ];
    let migration = |(version, sql): (i64, &'static str)| {
        let description = Cow::Borrowed("a table or a column");
        Migration::new(version, description, MigrationType::Simple, sql.into_sql_str(), false)
    };
    Migrator::with_migrations((1..).zip(all).take(count).map(migration).collect())
}

#[tokio::test]
async fn a_rollback_accepts_the_schema_of_the_next_release() {
    let database = TestDatabase::new(&release(2)).await;
    let settings = Database::new(database.url.clone(), 1);
    kit_db::migrate(&settings, &release(1)).await.expect("the release before finds nothing to do");
    let mut connection = database.pool.acquire().await.expect("a connection");
    let name: String = query_scalar("INSERT INTO course VALUES (1) RETURNING name")
        .fetch_one(&mut *connection)
        .await
        .expect("what the newer release added is there, and the older one writes beside it");
    assert_eq!(name, "");
    kit_db::migrate(&settings, &release(2)).await.expect("and forward again");
}

#[tokio::test]
async fn a_migration_is_repeated_after_a_lock_timeout() {
    let database = TestDatabase::new(&release(1)).await;
    let settings = Database::new(database.url.clone(), 1);
    let mut holder = database.pool.begin().await.expect("a transaction");
    query("LOCK TABLE course").execute(&mut *holder).await.expect("take the lock");
    let letting_go = async {
        // A migration waits 2 s for a lock.
        tokio::time::sleep(Duration::from_millis(2500)).await;
        holder.rollback().await.expect("release the lock");
    };
    let second = release(2);
    let (migrated, ()) = tokio::join!(kit_db::migrate(&settings, &second), letting_go);
    migrated.expect("the migration was repeated");
}

#[tokio::test]
async fn a_migration_is_repeated_after_a_deadlock() {
    let database = TestDatabase::new(&release(2)).await;
    let settings = Database::new(database.url.clone(), 1);
    let mut holder = database.pool.begin().await.expect("a transaction");
    // The migration looks for a deadlock first, so it is the one that fails.
    query("SET LOCAL deadlock_timeout = '1min'").execute(&mut *holder).await.expect("wait longer");
    query("LOCK TABLE course").execute(&mut *holder).await.expect("take the lock");
    let third = release(3);
    let migrating = kit_db::migrate(&settings, &third);
    let locking = async {
        let mut connection = database.pool.acquire().await.expect("a connection");
        let waits =
            "SELECT EXISTS (SELECT FROM pg_locks WHERE relation = 'course'::regclass AND NOT granted)";
        while !query_scalar::<_, bool>(waits).fetch_one(&mut *connection).await.expect("the locks") {}
        query("LOCK TABLE lesson").execute(&mut *holder).await.expect("the migration has failed");
        holder.rollback().await.expect("release the locks");
    };
    let (migrated, ()) = tokio::join!(migrating, locking);
    migrated.expect("the migration was repeated");
}
