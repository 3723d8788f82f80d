//! The readers of a new notice are told: once each, in batches, as they chose.

use desk::Run;
use kit::caller::{Caller, Service};
use proto::auth::AccountErased;
use proto::desk as wire;
use proto::desk::notice_telling_service_client::NoticeTellingServiceClient;
use sqlx::{Executor as _, PgConnection};
use time::Duration;

use crate::contact::NOBODY;
use crate::folder::Folder;
use crate::member_notice::unlinked;
use crate::notification::{mail_off, quiet, set};
use crate::world::{ACCOUNT, Desk, World};

const OTHER: &str = "01936f2a-4c00-7a31-8b52-1f6d0c9e4b00";
const THIRD: &str = "01936f2a-4c00-7a31-8b52-1f6d0c9e4b01";
/// Notifications by account and notice.
const TOLD: &str = "SELECT account::text || ' ' || dedupe_key FROM notification ORDER BY 1";
/// Mails by account and kind.
const MAILS: &str = "SELECT account::text || ' ' || kind FROM mail ORDER BY 1";

/// A session that waits for a lock.
const WAITING: &str =
    "SELECT 'waits' FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";

/// A desk with a notice that was published an hour ago, one of tomorrow and one of 8 days ago.
async fn school() -> (World, Folder, Desk) {
    let (world, folder) = (World::new().await, Folder::new());
    let notice = |id: i64, published: &str| {
        format!(
            "- id: {id}\n  category: お知らせ\n  audience: learner\n  state: published\n  published: {published}\n  \
             title: 冬休みの自習室\n  summary: 自習室を開きます。\n  body: 自習室を開きます。\n"
        )
    };
    let notices = [
        notice(1, "2026-11-21T17:00:00+09:00"),
        notice(2, "2026-11-22T17:00:00+09:00"),
        notice(3, "2026-11-13T17:00:00+09:00"),
    ];
    folder.write("notices.yaml", &format!("notices:\n{}", notices.concat()));
    folder.import(&world, Run::Real).await.unwrap();
    let desk = world.serve(NOBODY).await;
    (world, folder, desk)
}

fn client(desk: &Desk) -> NoticeTellingServiceClient<kit::client::Channel> {
    NoticeTellingServiceClient::new(desk.server.channel_as(Caller::service(Service::Auth)))
}

async fn find(desk: &Desk, skipped: &[i64]) -> Option<wire::NoticeToTell> {
    let request = wire::FindNoticeToTellRequest { skipped_notice_ids: skipped.to_vec() };
    client(desk).find_notice_to_tell(request).await.unwrap().into_inner().notice
}

/// A batch of these readers. It ends with the last of them, or is the last batch.
fn batch(notice_id: i64, told_until: &str, readers: &[&str], is_last: bool) -> wire::TellReadersRequest {
    let reader = |account: &&str| wire::ToldReader {
        account_id: (*account).to_owned(),
        email: "hanako@demo.example".to_owned(),
        birth_date: Some("2001-04-02".to_owned()),
    };
    wire::TellReadersRequest {
        notice_id,
        told_until: told_until.to_owned(),
        last_account_id: readers.last().filter(|_| !is_last).map(|last| (*last).to_owned()),
        readers: readers.iter().map(reader).collect(),
    }
}

async fn execute(database: &mut PgConnection, sql: &'static str) {
    database.execute(sqlx::raw_sql(sql)).await.unwrap();
}

async fn tell(desk: &Desk, batch: &wire::TellReadersRequest) {
    client(desk).tell_readers(batch.clone()).await.unwrap();
}

fn told(accounts: &[&str], notice: i64) -> Vec<String> {
    accounts.iter().map(|account| format!("{account} notice_published {notice}")).collect()
}

#[tokio::test]
async fn readers_are_told_once_in_batches_by_any_replica() {
    let (world, _folder, desk) = school().await;
    let other = world.serve(NOBODY).await;
    let notice = find(&desk, &[]).await.unwrap();
    assert_eq!((notice.notice_id, notice.audience.as_str(), notice.told_until.as_str()), (1, "learner", ""));
    assert_eq!(find(&desk, &[1]).await, None, "one is not yet published, one is old");

    // Two replicas send the batch at once, and one of them again because it got no answer.
    let first = batch(1, "", &[ACCOUNT, OTHER], false);
    tokio::join!(tell(&desk, &first), tell(&other, &first));
    tell(&desk, &first).await;
    assert_eq!(world.text(TOLD).await, told(&[ACCOUNT, OTHER], 1));
    assert_eq!(find(&other, &[]).await.unwrap().told_until, OTHER);
    tell(&desk, &batch(1, OTHER, &[THIRD], true)).await;
    assert_eq!(find(&desk, &[]).await, None);
    tell(&other, &batch(1, OTHER, &[THIRD], true)).await;
    assert_eq!(world.text(TOLD).await, told(&[ACCOUNT, OTHER, THIRD], 1));
    // Mails are off unless a person switches them on.
    assert!(world.text(MAILS).await.is_empty());
    assert_eq!(world.text("SELECT count(*)::text FROM account_age").await, ["3"]);

    desk.tell(&AccountErased { account_id: OTHER.to_owned() }).await;
    world.clock.advance(Duration::DAY);
    tell(&desk, &batch(2, "", &[ACCOUNT, OTHER], true)).await;
    assert_eq!(
        world.text(TOLD).await,
        [told(&[ACCOUNT], 1), told(&[ACCOUNT], 2), told(&[THIRD], 1)].concat(),
        "nothing is stored of an erased account"
    );
}

#[tokio::test]
async fn a_reader_who_switched_mails_on_gets_one_with_the_title() {
    let (world, _folder, desk) = school().await;
    set(&desk, mail_off(&[])).await.unwrap();
    tell(&desk, &batch(1, "", &[ACCOUNT, OTHER], true)).await;
    assert_eq!(world.text(MAILS).await, [format!("{ACCOUNT} notice_published")]);
    assert_eq!(world.text("SELECT topic FROM mail").await, ["notice"]);
    // Switched off again, it is withdrawn.
    set(&desk, mail_off(&["notice"])).await.unwrap();
    assert!(world.text(MAILS).await.is_empty());
}

#[tokio::test]
async fn a_notice_that_is_withdrawn_or_not_yet_published_tells_nobody() {
    let (world, folder, desk) = school().await;
    // It is 18:00 in Japan: what is told now waits until 6:00.
    set(&desk, quiet(18, 6)).await.unwrap();
    tell(&desk, &batch(2, "", &[ACCOUNT], true)).await;
    assert!(world.text(TOLD).await.is_empty(), "it begins tomorrow");
    tell(&desk, &batch(1, "", &[ACCOUNT], false)).await;
    assert_eq!(world.text(MAILS).await, [format!("{ACCOUNT} notice_published")]);

    folder.edit("notices.yaml", "state: published", "state: archived");
    folder.import(&world, Run::Real).await.unwrap();
    assert!(world.text(MAILS).await.is_empty());
    assert_eq!(find(&desk, &[]).await, None);
    tell(&desk, &batch(1, ACCOUNT, &[OTHER], true)).await;
    assert!(world.text(TOLD).await.is_empty());

    // Published again, its readers are told.
    folder.edit("notices.yaml", "state: archived", "state: published");
    folder.import(&world, Run::Real).await.unwrap();
    tell(&desk, &batch(1, "", &[ACCOUNT], true)).await;
    assert_eq!(world.text(TOLD).await, told(&[ACCOUNT], 1));
    // A change of the text is not news.
    folder.edit("notices.yaml", "冬休みの自習室", "冬休みの自習室の時間");
    folder.import(&world, Run::Real).await.unwrap();
    assert_eq!(find(&desk, &[]).await, None);
    folder.edit("notices.yaml", "- id: 1\n", "- id: 10\n");
    folder.import(&world, Run::Real).await.unwrap();
    assert!(world.text(MAILS).await.is_empty(), "the notice is gone");
    assert_eq!(find(&desk, &[]).await.unwrap().notice_id, 10);
}

#[tokio::test]
async fn a_notice_that_comes_with_a_mail_is_not_told_again() {
    let (world, _folder, desk) = school().await;
    desk.tell(&unlinked()).await;
    assert_eq!(world.text("SELECT count(*)::text FROM notice WHERE account IS NOT NULL").await, ["1"]);
    assert_eq!(find(&desk, &[1]).await, None);
}

#[tokio::test]
async fn an_account_that_is_erased_while_a_batch_waits_is_not_told() {
    const LOCK: &str =
        "SELECT pg_advisory_xact_lock(hashtextextended('01936f2a-4c00-7a31-8b52-1f6d0c9e4b00', 0))";
    let (world, _folder, desk) = school().await;
    let mut erasure = world.database.pool.begin().await.unwrap();
    execute(&mut erasure, LOCK).await;
    let mut first = batch(1, "", &[OTHER], true);
    // Guardians may have no date of birth.
    first.readers[0].birth_date = None;
    let erased = async {
        world.comes_to(WAITING, &["waits"]).await;
        let sql = "INSERT INTO erased_account (id, erased_at) VALUES ('01936f2a-4c00-7a31-8b52-1f6d0c9e4b00', now())";
        execute(&mut erasure, sql).await;
        erasure.commit().await.unwrap();
    };
    tokio::join!(tell(&desk, &first), erased);
    assert!(world.text(TOLD).await.is_empty());
}

#[tokio::test]
async fn a_withdrawal_and_a_batch_do_not_block_each_other() {
    let (world, _folder, desk) = school().await;
    tell(&desk, &batch(1, "", &[ACCOUNT], false)).await;
    let mut withdrawal = world.database.pool.begin().await.unwrap();
    execute(&mut withdrawal, "UPDATE notice SET state = 'archived' WHERE id = 1").await;
    let withdrawn = async {
        world.comes_to(WAITING, &["waits"]).await;
        execute(&mut withdrawal, "DELETE FROM notice_telling WHERE notice = 1").await;
        withdrawal.commit().await.unwrap();
    };
    let second = batch(1, ACCOUNT, &[OTHER], true);
    tokio::join!(tell(&desk, &second), withdrawn);
    assert_eq!(world.text(TOLD).await, told(&[ACCOUNT], 1), "the second batch tells nobody");
}
