//! Notices for signed-in people: audiences, reading, notices to one person on the command line, export and erasure.

use std::io::Write as _;
use std::process::{Command, Output, Stdio};

use desk::Run;
use futures_util::future::join_all;
use kit::caller::Scope;
use kit::client::Channel;
use kit::clock::Clock;
use kit::test::account;
use proto::auth::{AccountErased, GuardianUnlinked};
use proto::desk::member_notice_service_client::MemberNoticeServiceClient;
use proto::desk::notice_service_client::NoticeServiceClient;
use proto::desk::search_service_client::SearchServiceClient;
use proto::desk::{
    CountUnreadNoticesRequest, CountUnreadNoticesResponse, ExportMemberNoticesRequest, GetNoticeRequest,
    ListMemberNoticesRequest, ListNoticesRequest, MemberNotice, NoticeReader, OpenMemberNoticeRequest,
    SearchKind, SearchRequest,
};
use time::Duration;
use tonic::{Code, Status};
use uuid::Uuid;

use crate::contact::NOBODY;
use crate::folder::{Folder, NOTICES};
use crate::world::{ACCOUNT, Desk, NOW, World};

const OTHER: Uuid = Uuid::from_u128(7);
const LEARNER: &[Scope] = &[Scope::Learner];
const GUARDIAN: &[Scope] = &[Scope::Guardian];
/// One notice for each audience below `everyone`, newest last; `learner` is 4 of the folder.
const SOME: &str = "- id: 7
  category: お知らせ
  audience: guardian
  state: published
  published: 2026-11-11T10:00:00+09:00
  title: 保護者の方へ
  summary: 保護者だけに。
  body: 保護者だけに。
- id: 8
  category: 講座
  audience: course
  course: 201
  state: published
  published: 2026-11-12T10:00:00+09:00
  title: 受講中の方へ
  summary: 講座を持つ人だけに。
  body: 講座を持つ人だけに。
- id: 9
  category: お知らせ
  audience: school_year
  school_year: 中3
  state: published
  published: 2026-11-13T10:00:00+09:00
  title: 中3のみなさんへ
  summary: 中3だけに。
  body: 中3だけに。
";

type Client = MemberNoticeServiceClient<Channel>;

/// A desk with these notices, and those of the folder.
async fn school() -> (World, Folder, Desk) {
    let (world, folder) = (World::new().await, Folder::new());
    folder.write("notices.yaml", &format!("{NOTICES}{SOME}"));
    folder.import(&world, Run::Real).await.unwrap();
    let desk = world.serve(NOBODY).await;
    (world, folder, desk)
}

fn own_id() -> Uuid {
    ACCOUNT.parse().unwrap()
}

fn client(desk: &Desk, id: Uuid, scopes: &[Scope]) -> Client {
    Client::new(desk.server.channel_as(account(id, scopes)))
}

/// A learner of this school year who owns these courses.
fn reader(courses: &[i64], school_year: Option<&str>) -> NoticeReader {
    NoticeReader { course_ids: courses.to_vec(), school_year: school_year.map(str::to_owned) }
}

async fn list(client: &mut Client, reader: &NoticeReader) -> Vec<MemberNotice> {
    let request = ListMemberNoticesRequest { page: 1, reader: Some(reader.clone()) };
    let list = client.list_member_notices(request).await.unwrap().into_inner();
    assert_eq!(list.count as usize, list.notices.len());
    list.notices
}

async fn ids(client: &mut Client, reader: &NoticeReader) -> Vec<i64> {
    list(client, reader).await.iter().map(|notice| notice.id).collect()
}

async fn open(client: &mut Client, id: i64, reader: &NoticeReader) -> Result<MemberNotice, Code> {
    let request = OpenMemberNoticeRequest { id, reader: Some(reader.clone()) };
    let found = client.open_member_notice(request).await;
    found.map(|found| found.into_inner().notice.unwrap()).map_err(|status| status.code())
}

async fn unread(client: &mut Client) -> CountUnreadNoticesResponse {
    client.count_unread_notices(CountUnreadNoticesRequest {}).await.unwrap().into_inner()
}

/// Runs `desk notice` with this text on its standard input.
fn command(world: &World, arguments: &[&str], input: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_desk"));
    command.env_clear().arg("notice").args(arguments).args(["--database-url", &world.database.url]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut running = command.spawn().unwrap();
    // A command that refuses its arguments does not read it.
    let _ = running.stdin.take().unwrap().write_all(input.as_bytes());
    running.wait_with_output().unwrap()
}

/// Sends a notice to an account and returns its id.
fn send(world: &World, account: Uuid) -> i64 {
    let account = account.to_string();
    let text = "## 日程\n\n三者面談は[設定](/mypage/settings)で選んだ日に行います。\n";
    let arguments =
        ["send", "-", "--account", &account, "--title", "面談の日程", "--summary", "決まりました。"];
    let output = command(world, &arguments, text);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let told = String::from_utf8(output.stdout).unwrap();
    told.split(' ').nth(1).unwrap().parse().unwrap()
}

/// Moves the clock of the desk behind that of the command.
fn catch_up(world: &World) {
    world.clock.advance(Clock::system().now() + Duration::MINUTE - NOW);
}

#[tokio::test]
async fn everyone_reads_the_notices_for_them_and_no_others() {
    let (world, _folder, desk) = school().await;
    let personal = send(&world, own_id());
    assert!(personal >= 1_000_000_000);
    let learner = (own_id(), LEARNER);
    let everything = reader(&[101, 201], Some("中3"));
    // A notice to one person is as new as the test.
    catch_up(&world);
    for ((id, scopes), reader, wanted) in [
        (learner, reader(&[], None), vec![2, personal, 3, 4, 1]),
        (learner, reader(&[101], Some("中2")), vec![2, personal, 3, 4, 1]),
        (learner, reader(&[101, 201], None), vec![2, personal, 3, 8, 4, 1]),
        (learner, reader(&[], Some("中3")), vec![2, personal, 3, 9, 4, 1]),
        (learner, everything.clone(), vec![2, personal, 3, 9, 8, 4, 1]),
        // Others do not get the personal notice. Guardians and staff have no courses and no school year.
        ((OTHER, LEARNER), everything.clone(), vec![2, 3, 9, 8, 4, 1]),
        ((OTHER, GUARDIAN), everything.clone(), vec![2, 3, 7, 1]),
        ((OTHER, &[Scope::StaffContent][..]), everything.clone(), vec![2, 3, 1]),
    ] {
        let mut client = client(&desk, id, scopes);
        assert_eq!(ids(&mut client, &reader).await, wanted, "{scopes:?} {reader:?}");
        for id in [1, 2, 3, 4, 5, 6, 7, 8, 9, personal] {
            let opened = open(&mut client, id, &reader).await.map(|notice| notice.id);
            let expected = if wanted.contains(&id) { Ok(id) } else { Err(Code::NotFound) };
            assert_eq!(opened, expected, "{scopes:?} {reader:?}");
        }
        // All are read now, so the order is that of a list without unread ones.
        assert_eq!(ids(&mut client, &reader).await, wanted);
        world.text("DELETE FROM notice_reading").await;
    }
}

#[tokio::test]
async fn the_public_pages_and_the_search_have_the_public_notices_only() {
    let (world, _folder, desk) = school().await;
    let personal = send(&world, own_id());
    catch_up(&world);
    let mut public = NoticeServiceClient::new(desk.channel());
    let request = ListNoticesRequest { page: 1, category: None };
    let notices = public.list_notices(request).await.unwrap().into_inner().notices;
    assert_eq!(notices.iter().map(|notice| notice.id).collect::<Vec<_>>(), [2, 3, 1]);
    for id in [4, 7, 8, 9, personal] {
        let refused = public.get_notice(GetNoticeRequest { id }).await.unwrap_err();
        assert_eq!(refused.code(), Code::NotFound, "{id}");
    }
    let mut search = SearchServiceClient::new(desk.channel());
    for q in ["面談", "受講中", "中3"] {
        let kinds = vec![SearchKind::Notice.into()];
        let request = SearchRequest { query: q.to_owned(), kinds, page: 1, page_size: 20 };
        let hits = search.search(request).await.unwrap().into_inner().hits;
        assert!(hits.is_empty(), "{q}: {hits:?}");
    }
    let visitor = Client::new(desk.channel()).count_unread_notices(CountUnreadNoticesRequest {}).await;
    assert_eq!(visitor.map_err(|status: Status| status.code()).unwrap_err(), Code::PermissionDenied);
}

#[tokio::test]
async fn unread_notices_come_first_and_are_read_once_on_every_device() {
    let (world, _folder, desk) = school().await;
    let other = world.serve(NOBODY).await;
    let mut phone = client(&desk, own_id(), LEARNER);
    let mut laptop = client(&other, own_id(), LEARNER);
    let me = reader(&[201], Some("中2"));
    let counts = unread(&mut phone).await;
    assert_eq!(counts.unread, 3, "1, 2 and 4");
    assert_eq!(counts.courses.iter().map(|of| (of.course_id, of.unread)).collect::<Vec<_>>(), [(201, 1)]);
    let years = counts.school_years.iter().map(|of| (of.school_year.as_str(), of.unread));
    assert_eq!(years.collect::<Vec<_>>(), [("中3", 1)]);
    assert_eq!(ids(&mut phone, &me).await, [2, 8, 4, 1]);

    assert!(!open(&mut phone, 2, &me).await.unwrap().is_unread);
    let listed = list(&mut laptop, &me).await;
    assert_eq!(
        listed.iter().map(|notice| (notice.id, notice.is_unread)).collect::<Vec<_>>(),
        [(8, true), (4, true), (1, true), (2, false)],
        "a read notice comes last, though it is pinned"
    );
    assert_eq!(unread(&mut laptop).await.unread, 2);

    // Both devices open it at once, and again an hour later: the first time stays.
    let both = (0..8).map(|turn| {
        let mut client = if turn % 2 == 0 { phone.clone() } else { laptop.clone() };
        let me = me.clone();
        async move { open(&mut client, 8, &me).await.unwrap() }
    });
    assert!(join_all(both).await.iter().all(|notice| !notice.is_unread));
    world.clock.advance(Duration::HOUR);
    open(&mut laptop, 8, &me).await.unwrap();
    let first = "SELECT (read_at = '2026-11-21 09:00Z')::text FROM notice_reading";
    assert_eq!(world.text(first).await, ["true"; 2]);
    assert!(unread(&mut phone).await.courses.is_empty());
    // Reading is each person's own. A notice for others is not marked by opening it.
    assert_eq!(unread(&mut client(&desk, OTHER, LEARNER)).await.unread, 3);
    assert_eq!(open(&mut phone, 9, &me).await.unwrap_err(), Code::NotFound);
    assert_eq!(world.text("SELECT count(*)::text FROM notice_reading").await, ["2"]);
    // A guardian is not told of courses and school years.
    let counts = unread(&mut client(&desk, OTHER, GUARDIAN)).await;
    assert_eq!((counts.unread, counts.courses.len(), counts.school_years.len()), (3, 0, 0));
}

#[tokio::test]
async fn a_notice_to_one_person_survives_an_import_and_is_withdrawn() {
    let (world, folder, desk) = school().await;
    let (kept, withdrawn) = (send(&world, own_id()), send(&world, own_id()));
    catch_up(&world);
    let mut client = client(&desk, own_id(), LEARNER);
    let me = reader(&[], None);
    open(&mut client, kept, &me).await.unwrap();
    open(&mut client, 1, &me).await.unwrap();
    assert!(command(&world, &["withdraw", &withdrawn.to_string()], "").status.success());
    assert_eq!(open(&mut client, withdrawn, &me).await.unwrap_err(), Code::NotFound);

    // The content has one notice less. Its reading goes with it.
    folder.edit("notices.yaml", "- id: 1\n", "- id: 10\n");
    folder.import(&world, Run::Real).await.unwrap();
    assert_eq!(ids(&mut client, &me).await, [2, 3, 10, 4, kept]);
    let read = "SELECT notice::text FROM notice_reading";
    assert_eq!(world.text(read).await, [kept.to_string()]);

    let refuse = |arguments: &[&str], text: &str| {
        let refused = command(&world, arguments, text);
        assert!(!refused.status.success(), "{refused:?}");
        String::from_utf8(refused.stderr).unwrap()
    };
    assert!(refuse(&["withdraw", "2"], "").contains("there is no notice 2 to one person"));
    let new = ["send", "-", "--account", ACCOUNT, "--summary", "要約", "--title"];
    for (title, text, fault) in [
        ("一\n二", "本文", "--title must be one line"),
        ("題", " \n", "the notice is empty"),
        ("題", "<b>本文</b>", "line 1 of the notice contains an HTML tag"),
    ] {
        let told = refuse(&[&new[..], &[title]].concat(), text);
        assert!(told.contains(fault), "{told}");
    }
    folder.edit("notices.yaml", "- id: 10\n", "- id: 1000000000\n");
    folder.edit("notices.yaml", "  course: 201\n", "");
    folder.edit("notices.yaml", "school_year: 中3", "school_year: 中4");
    let told = folder.import(&world, Run::Real).await.unwrap_err();
    for fault in ["id: is 1000000000 or more", "course: is missing for this audience", "'中4' is none of 小1"]
    {
        assert!(told.contains(fault), "{told}");
    }
}

#[tokio::test]
async fn the_account_takes_its_notices_and_readings_along() {
    let (world, _folder, desk) = school().await;
    let (personal, of_another) = (send(&world, own_id()), send(&world, OTHER));
    catch_up(&world);
    let mut client = client(&desk, own_id(), LEARNER);
    let me = reader(&[], None);
    for id in [personal, 1] {
        open(&mut client, id, &me).await.unwrap();
        world.clock.advance(Duration::SECOND);
    }
    let stored = client.export_member_notices(ExportMemberNoticesRequest {}).await.unwrap().into_inner();
    let [notice] = &stored.notices[..] else { panic!("one notice: {stored:?}") };
    assert!(notice.is_personal && notice.body.starts_with("## 日程"), "{notice:?}");
    assert_eq!(stored.readings.iter().map(|reading| reading.notice_id).collect::<Vec<_>>(), [personal, 1]);

    desk.tell(&AccountErased { account_id: ACCOUNT.to_owned() }).await;
    assert_eq!(
        world.text("SELECT id::text FROM notice WHERE account IS NOT NULL").await,
        [of_another.to_string()]
    );
    // A request that arrives late stores nothing.
    open(&mut client, 1, &me).await.unwrap();
    assert_eq!(world.text("SELECT count(*)::text FROM notice_reading").await, ["0"]);
    let late = ["send", "-", "--account", ACCOUNT, "--title", "題", "--summary", "要約"];
    let refused = command(&world, &late, "本文");
    assert!(String::from_utf8_lossy(&refused.stderr).contains("was erased"), "{refused:?}");
}

/// Tells the learner [`ACCOUNT`] that a guardian has ended the link.
pub(crate) fn unlinked() -> GuardianUnlinked {
    GuardianUnlinked {
        to: "hanako@demo.example".to_owned(),
        account_id: ACCOUNT.to_owned(),
        name: "山田 花子".to_owned(),
        other_name: "山田 恵子".to_owned(),
        to_guardian: false,
    }
}

#[tokio::test]
async fn the_end_of_a_link_is_a_notice_of_its_account_alone() {
    let (world, _folder, desk) = school().await;
    desk.tell(&unlinked()).await;
    let mut own = client(&desk, own_id(), LEARNER);
    let notices = list(&mut own, &reader(&[], None)).await;
    let [notice] = &notices.iter().filter(|notice| notice.is_personal).collect::<Vec<_>>()[..] else {
        panic!("one personal notice: {notices:?}");
    };
    assert!(notice.is_unread && notice.title.contains("つながりが解除されました"), "{notice:?}");
    assert!(notice.summary.contains("山田 恵子 様とのつながり"), "{notice:?}");
    let mut other = client(&desk, OTHER, LEARNER);
    assert!(!ids(&mut other, &reader(&[], None)).await.contains(&notice.id));
    desk.tell(&AccountErased { account_id: ACCOUNT.to_owned() }).await;
    desk.tell(&unlinked()).await;
    assert!(world.text("SELECT id::text FROM notice WHERE account IS NOT NULL").await.is_empty());
}
