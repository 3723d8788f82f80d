//! Interviews: who wins a slot, holds, the limits of booking, changes, mails, no-shows, weekly hours and erasure.

use std::io::Write as _;
use std::process::{Command, Output, Stdio};

use desk::Run;
use futures_util::future::join_all;
use kit::caller::Scope;
use kit::client::Channel;
use kit::error::ServiceError;
use kit::test::{MailServer, account};
use proto::auth::AccountErased;
use proto::desk::appointment_service_client::AppointmentServiceClient;
use proto::desk::interview_service_client::InterviewServiceClient;
use proto::desk::{
    BookInterviewRequest, CancelInterviewRequest, ExportInterviewsRequest, GetInterviewRequest,
    HoldInterviewSlotRequest, Interview, InterviewParticipant, ListAppointmentsRequest,
    ListInterviewSlotsRequest, ListInterviewSlotsResponse, ListInterviewsRequest, ListInterviewsResponse,
    ReleaseInterviewSlotRequest,
};
use sqlx::{AssertSqlSafe, Executor as _};
use time::macros::datetime;
use time::{Duration, OffsetDateTime};
use tonic::Status;
use uuid::Uuid;

use crate::contact::NOBODY;
use crate::emails::texts;
use crate::folder::Folder;
use crate::world::{ACCOUNT, Desk, NOW, SECRET, World, timestamp};

const OTHER: Uuid = Uuid::from_u128(7);
pub(crate) const JOIN: &str = "https://meet.example/takase";
/// 18:00 in Tokyo, four days after `NOW`.
pub(crate) const START: OffsetDateTime = datetime!(2026-11-25 09:00 UTC);

pub(crate) type Client = InterviewServiceClient<Channel>;

pub(crate) fn learner(desk: &Desk, id: Uuid) -> Client {
    Client::new(desk.server.channel_as(account(id, &[Scope::Learner])))
}

pub(crate) fn own(desk: &Desk) -> Client {
    learner(desk, ACCOUNT.parse().unwrap())
}

pub(crate) fn reason(status: &Status) -> String {
    ServiceError::from_status(status).reason.into_owned()
}

/// Adds a slot of half an hour and returns its id.
pub(crate) async fn add_slot(world: &World, teacher: &str, starts_at: OffsetDateTime) -> String {
    let (id, start, end) =
        (Uuid::now_v7(), starts_at.unix_timestamp(), (starts_at + Duration::minutes(30)).unix_timestamp());
    let sql = format!(
        "INSERT INTO interview_slot (id, kind, teacher, starts_at, ends_at, join_url) \
         VALUES ('{id}', 1, '{teacher}', to_timestamp({start}), to_timestamp({end}), '{JOIN}')"
    );
    execute(world, sql).await;
    id.to_string()
}

pub(crate) async fn hold(client: &mut Client, slot: &str) -> Result<OffsetDateTime, String> {
    hold_instead(client, slot, None).await
}

async fn hold_instead(
    client: &mut Client,
    slot: &str,
    replaces: Option<&str>,
) -> Result<OffsetDateTime, String> {
    let request =
        HoldInterviewSlotRequest { slot_id: slot.to_owned(), replaces: replaces.map(str::to_owned) };
    let held = client.hold_interview_slot(request).await.map_err(|status| reason(&status))?.into_inner();
    let until = held.hold.unwrap().held_until.unwrap();
    Ok(OffsetDateTime::from_unix_timestamp(until.seconds).unwrap())
}

async fn book(client: &mut Client, key: &str, slot: &str) -> Result<String, String> {
    let participant = InterviewParticipant {
        name: "山田 花子".to_owned(),
        email: "hanako@demo.example".to_owned(),
        birth_date: None,
    };
    let request = BookInterviewRequest {
        idempotency_key: key.to_owned(),
        slot_id: slot.to_owned(),
        participant: Some(participant),
        guardian: None,
    };
    let booked = client.book_interview(request).await;
    booked.map(|booked| booked.into_inner().id).map_err(|status| reason(&status))
}

/// Holds and books a slot.
pub(crate) async fn take(client: &mut Client, slot: &str) -> Result<String, String> {
    hold(client, slot).await?;
    book(client, &format!("key-{slot}"), slot).await
}

pub(crate) async fn cancel(client: &mut Client, id: &str) -> Result<(), String> {
    let request = CancelInterviewRequest { id: id.to_owned(), guardian: None };
    client.cancel_interview(request).await.map(drop).map_err(|status| reason(&status))
}

pub(crate) async fn get(client: &mut Client, id: &str) -> Result<Interview, String> {
    let found = client.get_interview(GetInterviewRequest { id: id.to_owned() }).await;
    found.map(|found| found.into_inner().interview.unwrap()).map_err(|status| reason(&status))
}

pub(crate) async fn list(client: &mut Client) -> ListInterviewsResponse {
    client.list_interviews(ListInterviewsRequest {}).await.unwrap().into_inner()
}

async fn week(client: &mut Client, day: &str) -> ListInterviewSlotsResponse {
    let request = ListInterviewSlotsRequest { kind_id: 1, day: day.to_owned() };
    client.list_interview_slots(request).await.unwrap().into_inner()
}

/// Moves the clock of the world to this time.
pub(crate) fn go_to(world: &World, time: OffsetDateTime) {
    world.clock.advance(time - world.clock.clock().now());
}

/// Runs `desk interview` with these arguments, and this text on its standard input.
pub(crate) fn command(world: &World, arguments: &[&str], input: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_desk"));
    command.env_clear().arg("interview").args(arguments).args(["--database-url", &world.database.url]);
    if ["close", "feedback"].contains(&arguments[0]) {
        command.args(["--secret", SECRET]);
    }
    if arguments[0] == "close" {
        command.args([
            "--public-origin",
            "https://www.konomana.test",
            "--mail-from",
            "no-reply@konomana.test",
        ]);
    }
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut running = command.spawn().unwrap();
    running.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    running.wait_with_output().unwrap()
}

pub(crate) fn stdout(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    assert!(!output.status.success(), "{output:?}");
    String::from_utf8(output.stderr.clone()).unwrap()
}

#[tokio::test]
async fn of_200_people_on_two_replicas_one_gets_the_slot_and_the_rest_learn_why() {
    let world = World::new().await;
    let (desk, replica) = (world.serve(NOBODY).await, world.serve(NOBODY).await);
    let slot = add_slot(&world, "高瀬航", START).await;
    let crowd = (0..200_u128).map(|person| {
        let mut client =
            learner(if person % 2 == 0 { &desk } else { &replica }, Uuid::from_u128(100 + person));
        let slot = slot.clone();
        async move { take(&mut client, &slot).await }
    });
    let outcomes = join_all(crowd).await;
    assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 1, "{outcomes:?}");
    assert!(outcomes.iter().filter_map(|outcome| outcome.as_ref().err()).all(|code| code == "SLOT_TAKEN"));
    assert_eq!(world.text("SELECT count(*)::text FROM interview").await, ["1"]);
}

#[tokio::test]
async fn a_hold_lasts_five_minutes_and_only_its_learner_can_book_it() {
    let world = World::new().await;
    let desk = world.serve(NOBODY).await;
    let (mut one, mut two) = (own(&desk), learner(&desk, OTHER));
    let slot = add_slot(&world, "高瀬航", START).await;
    let until = hold(&mut one, &slot).await.unwrap();
    assert_eq!(until, NOW + Duration::minutes(5));
    assert_eq!(book(&mut two, "key-of-the-other", &slot).await.unwrap_err(), "HOLD_EXPIRED");
    assert_eq!(hold(&mut two, &slot).await.unwrap_err(), "SLOT_TAKEN");
    assert_eq!(week(&mut two, "2026-11-25").await.slots.len(), 0);
    let mine = week(&mut one, "2026-11-25").await;
    assert_eq!((mine.slots.len(), mine.hold.unwrap().slot.unwrap().id), (1, slot.clone()));

    // A second hold of the same slot keeps its time.
    world.clock.advance(Duration::minutes(4));
    assert_eq!(hold(&mut one, &slot).await.unwrap(), until);
    world.clock.advance(Duration::minutes(1));
    assert_eq!(book(&mut one, "key-too-late-1", &slot).await.unwrap_err(), "HOLD_EXPIRED");
    // An expired hold does not block the slot, even before the sweep.
    assert_eq!(week(&mut two, "2026-11-25").await.slots.len(), 1);
    take(&mut two, &slot).await.unwrap();
    assert_eq!(hold(&mut one, &slot).await.unwrap_err(), "SLOT_TAKEN");

    // Another hold replaces the first one, and a released slot is free at once.
    let (third, fourth) = (
        add_slot(&world, "高瀬航", START + Duration::HOUR).await,
        add_slot(&world, "佐倉みのり", START).await,
    );
    hold(&mut one, &third).await.unwrap();
    hold(&mut one, &fourth).await.unwrap();
    hold(&mut learner(&desk, Uuid::from_u128(8)), &third).await.unwrap();
    one.release_interview_slot(ReleaseInterviewSlotRequest { slot_id: fourth.clone() }).await.unwrap();
    hold(&mut learner(&desk, Uuid::from_u128(9)), &fourth).await.unwrap();

    world.clock.advance(Duration::minutes(5));
    let mut connection = world.database.pool.acquire().await.unwrap();
    let now = world.clock.clock().now();
    assert_eq!(desk::sweep::sweep_once(&mut connection, now, Duration::days(90)).await.unwrap(), 2);
}

#[tokio::test]
async fn slots_that_are_over_are_deleted_unless_they_were_booked() {
    let world = World::new().await;
    let desk = world.serve(NOBODY).await;
    let mut client = own(&desk);
    let booked = add_slot(&world, "高瀬航", START).await;
    add_slot(&world, "佐倉みのり", START).await;
    add_slot(&world, "高瀬航", START + Duration::DAY).await;
    let id = take(&mut client, &booked).await.unwrap();
    let mut connection = world.database.pool.acquire().await.unwrap();
    for (now, left) in [(START + Duration::MINUTE, 3), (START + Duration::HOUR, 2)] {
        desk::sweep::sweep_once(&mut connection, now, Duration::days(90)).await.unwrap();
        assert_eq!(world.text(STARTS).await.len(), left);
    }
    assert_eq!(get(&mut client, &id).await.unwrap().id, id);
}

#[tokio::test]
async fn learners_who_exchange_their_held_slots_do_not_deadlock() {
    let world = World::new().await;
    let desk = world.serve(NOBODY).await;
    let slots = [add_slot(&world, "高瀬航", START).await, add_slot(&world, "佐倉みのり", START).await];
    for _ in 0..10 {
        let swaps = [(ACCOUNT.parse().unwrap(), 0), (OTHER, 1)].map(|(id, first)| {
            let (mut client, slots) = (learner(&desk, id), slots.clone());
            async move { [hold(&mut client, &slots[first]).await, hold(&mut client, &slots[1 - first]).await] }
        });
        let outcomes = join_all(swaps).await.concat();
        assert!(
            outcomes.iter().filter_map(|outcome| outcome.as_ref().err()).all(|code| code == "SLOT_TAKEN"),
            "{outcomes:?}"
        );
    }
}

#[tokio::test]
async fn booking_ends_and_cancelling_ends_24_hours_before_the_start() {
    let world = World::new().await;
    let desk = world.serve(NOBODY).await;
    let mut client = own(&desk);
    let slot = add_slot(&world, "高瀬航", START).await;
    let later = add_slot(&world, "高瀬航", START + Duration::DAY).await;
    go_to(&world, START - Duration::DAY);
    let id = take(&mut client, &slot).await.unwrap();
    assert!(get(&mut client, &id).await.unwrap().can_cancel);
    world.clock.advance(Duration::SECOND);
    assert!(!get(&mut client, &id).await.unwrap().can_cancel);
    assert_eq!(cancel(&mut client, &id).await.unwrap_err(), "INTERVIEW_FIXED");
    assert_eq!(hold_instead(&mut client, &later, Some(&id)).await.unwrap_err(), "INTERVIEW_FIXED");
    assert_eq!(cancel(&mut learner(&desk, OTHER), &id).await.unwrap_err(), "NOT_FOUND");
    assert_eq!(list(&mut client).await.upcoming.len(), 1);

    let closed = add_slot(&world, "佐倉みのり", START).await;
    assert_eq!(hold(&mut client, &closed).await.unwrap_err(), "SLOT_CLOSED");
    assert_eq!(hold(&mut client, &Uuid::nil().to_string()).await.unwrap_err(), "NOT_FOUND");
    let again = take(&mut client, &later).await.unwrap();
    cancel(&mut client, &again).await.unwrap();
    cancel(&mut client, &again).await.unwrap();
    take(&mut learner(&desk, OTHER), &later).await.unwrap();
}

#[tokio::test]
async fn the_link_is_shown_from_ten_minutes_before_until_the_end() {
    let world = World::new().await;
    let desk = world.serve(NOBODY).await;
    let mut client = own(&desk);
    let slot = add_slot(&world, "高瀬航", START).await;
    let id = take(&mut client, &slot).await.unwrap();
    let table = [
        (START - Duration::minutes(10) - Duration::SECOND, None),
        (START - Duration::minutes(10), Some(JOIN)),
        (START + Duration::minutes(29), Some(JOIN)),
        (START + Duration::minutes(30), None),
    ];
    for (time, wanted) in table {
        go_to(&world, time);
        assert_eq!(get(&mut client, &id).await.unwrap().join_url.as_deref(), wanted, "{time}");
        let list = list(&mut client).await;
        let listed = list.upcoming.first().or(list.past.first()).unwrap();
        assert_eq!(listed.join_url.as_deref(), wanted, "{time}");
    }
}

#[tokio::test]
async fn a_learner_has_two_upcoming_interviews_at_most_and_none_at_the_same_time() {
    let world = World::new().await;
    let desk = world.serve(NOBODY).await;
    let mut client = own(&desk);
    let mut slots = Vec::new();
    for (teacher, later) in
        [("高瀬航", Duration::ZERO), ("佐倉みのり", Duration::minutes(15)), ("高瀬航", Duration::HOUR)]
    {
        slots.push(add_slot(&world, teacher, START + later).await);
    }
    let third = add_slot(&world, "高瀬航", START + Duration::hours(2)).await;
    take(&mut client, &slots[0]).await.unwrap();
    assert_eq!(hold(&mut client, &slots[1]).await.unwrap_err(), "INTERVIEW_OVERLAP");
    take(&mut client, &slots[2]).await.unwrap();
    assert_eq!(hold(&mut client, &third).await.unwrap_err(), "INTERVIEW_LIMIT");
    go_to(&world, START + Duration::minutes(30));
    let far = add_slot(&world, "高瀬航", START + Duration::WEEK).await;
    take(&mut client, &far).await.unwrap();
}

#[tokio::test]
async fn a_guardian_sees_a_booked_interview_until_its_end_without_its_link_and_no_cancelled_one() {
    let world = World::new().await;
    let desk = world.serve(NOBODY).await;
    let (mut client, child) = (own(&desk), ACCOUNT.parse().unwrap());
    let slot = add_slot(&world, "高瀬航", START).await;
    let later = add_slot(&world, "佐倉みのり", START + Duration::DAY).await;
    take(&mut client, &slot).await.unwrap();
    let cancelled = take(&mut client, &later).await.unwrap();
    cancel(&mut client, &cancelled).await.unwrap();
    let seen = async || {
        let guardian = kit::test::guardian_of(OTHER, child);
        let mut client = AppointmentServiceClient::new(desk.server.channel_as(guardian));
        client.list_appointments(ListAppointmentsRequest {}).await.unwrap().into_inner().interviews
    };
    let [interview] = &seen().await[..] else { panic!("not one") };
    assert_eq!((interview.teacher.as_str(), interview.kind_name.as_str()), ("高瀬航", "学習相談"));
    assert_eq!(interview.starts_at, Some(timestamp(START)));
    world.clock.advance(START + Duration::minutes(30) - NOW);
    assert_eq!(seen().await, []);
}

#[tokio::test]
async fn a_change_books_another_slot_cancels_the_first_and_keeps_the_calendar_event() {
    let world = World::new().await;
    let mut server = MailServer::start().await;
    let desk = world.serve(&server.url()).await;
    let mut client = own(&desk);
    // The second overlaps the first, which a change may.
    let first = add_slot(&world, "高瀬航", START).await;
    let second = add_slot(&world, "佐倉みのり", START + Duration::minutes(15)).await;
    let id = take(&mut client, &first).await.unwrap();
    let mail = server.mails.recv().await.unwrap();
    let (text, _) = texts(&mail.message.replace('\n', "\r\n"));
    for part in ["山田 花子 さん", "学習相談", "2026年11月25日(水) 18:00", "高瀬航先生", "/mypage/interview"]
    {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(!text.contains(JOIN), "{text}");
    assert_eq!(
        hold_instead(&mut client, &second, Some(&Uuid::nil().to_string())).await.unwrap_err(),
        "NOT_FOUND"
    );
    hold_instead(&mut client, &second, Some(&id)).await.unwrap();
    assert!(!get(&mut client, &id).await.unwrap().is_cancelled, "a hold changes nothing yet");
    let changed = book(&mut client, "key-of-a-change", &second).await.unwrap();
    // Repeated, e.g. after a lost answer.
    assert_eq!(book(&mut client, "key-of-a-change", &second).await.unwrap(), changed);
    assert_eq!(book(&mut client, "key-of-a-change", &first).await.unwrap_err(), "IDEMPOTENCY_KEY_REUSED");
    let (before, after) = (get(&mut client, &id).await.unwrap(), get(&mut client, &changed).await.unwrap());
    assert!(before.is_cancelled && !after.is_cancelled);
    assert_eq!((after.calendar_id, after.calendar_sequence), (before.calendar_id, 1));
    assert_eq!(list(&mut client).await.upcoming.len(), 1);
    take(&mut learner(&desk, OTHER), &first).await.unwrap();
    cancel(&mut client, &changed).await.unwrap();
    let mut kinds = world.text("SELECT kind FROM mail ORDER BY kind").await;
    kinds.dedup();
    assert_eq!(kinds, ["interview_booked", "interview_cancelled", "interview_changed"]);
}

#[tokio::test]
async fn two_missed_interviews_within_60_days_pause_booking_for_30_days() {
    let world = World::new().await;
    let desk = world.serve(NOBODY).await;
    let mut client = own(&desk);
    let first = add_slot(&world, "高瀬航", START).await;
    let early = take(&mut client, &first).await.unwrap();
    go_to(&world, START + Duration::days(50));
    let second_start = START + Duration::days(60);
    let second = add_slot(&world, "高瀬航", second_start).await;
    let late = take(&mut client, &second).await.unwrap();
    let far = add_slot(&world, "高瀬航", START + Duration::days(95)).await;
    miss(&world, &early).await;
    assert_eq!(list(&mut client).await.paused_until, None);
    miss(&world, &late).await;
    go_to(&world, second_start + Duration::days(30) - Duration::SECOND);
    assert_eq!(list(&mut client).await.paused_until, Some(timestamp(second_start + Duration::days(30))));
    assert_eq!(hold(&mut client, &far).await.unwrap_err(), "BOOKING_PAUSED");
    world.clock.advance(Duration::SECOND);
    assert_eq!(list(&mut client).await.paused_until, None);
    take(&mut client, &far).await.unwrap();
}

/// Records that the learner did not come.
async fn miss(world: &World, id: &str) {
    execute(world, format!("UPDATE interview SET is_missed = true WHERE id = '{id}'")).await;
}

pub(crate) async fn execute(world: &World, sql: String) {
    let mut connection = world.database.pool.acquire().await.unwrap();
    connection.execute(sqlx::raw_sql(AssertSqlSafe(sql))).await.unwrap();
}

#[tokio::test]
async fn a_week_goes_from_monday_to_sunday_in_tokyo_also_at_the_end_of_the_year() {
    let world = World::new().await;
    let desk = world.serve(NOBODY).await;
    let mut client = own(&desk);
    // From Sunday 23:30 to Monday 00:00 in Tokyo.
    let sunday = add_slot(&world, "高瀬航", datetime!(2027-01-03 14:30 UTC)).await;
    let monday = add_slot(&world, "高瀬航", datetime!(2027-01-03 15:00 UTC)).await;
    // The first free slot decides which week is shown first.
    for day in ["", "2026-12-28", "2026-12-31", "2027-01-01", "2027-01-03"] {
        let week = week(&mut client, day).await;
        assert_eq!(week.monday, "2026-12-28", "{day}");
        assert_eq!(week.slots.iter().map(|slot| &slot.id).collect::<Vec<_>>(), [&sunday], "{day}");
        assert!(week.has_previous && week.has_next);
    }
    let next = week(&mut client, "2027-01-04").await;
    assert_eq!((&*next.monday, &next.slots[0].id, next.has_next), ("2027-01-04", &monday, false));
    let current = week(&mut client, "2026-11-21").await;
    assert_eq!((&*current.monday, current.slots.len(), current.has_previous), ("2026-11-16", 0, false));
    for (day, code) in [("2026-13-01", "INVALID"), ("9999-12-31", "INVALID")] {
        let request = ListInterviewSlotsRequest { kind_id: 1, day: day.to_owned() };
        assert_eq!(reason(&client.list_interview_slots(request).await.unwrap_err()), code, "{day}");
    }
    let unknown = ListInterviewSlotsRequest { kind_id: 2, day: String::new() };
    assert_eq!(reason(&client.list_interview_slots(unknown).await.unwrap_err()), "NOT_FOUND");
}

#[tokio::test]
async fn staff_open_list_and_close_slots_and_a_closed_interview_is_cancelled_with_a_mail() {
    let world = World::new().await;
    let desk = world.serve(NOBODY).await;
    let mut client = own(&desk);
    let open = |arguments: &[&str]| {
        let given = ["open", "--teacher", "高瀬航 先生", "--kind", "学習相談", "--join-url", JOIN];
        command(&world, &[&given[..], arguments].concat(), "")
    };
    let now = kit::clock::Clock::system().now();
    let day = (now + Duration::days(3)).date();
    let (from, to) = (format!("{day}T17:00"), format!("{day}T18:30"));
    let opened = stdout(&open(&["--from", &from, "--to", &to, "--weeks", "2"]));
    assert!(opened.starts_with("opened 6 slots; 0 overlap"), "{opened}");
    let again = stdout(&open(&["--from", &format!("{day}T18:00"), "--to", &format!("{day}T19:00")]));
    assert!(again.starts_with("opened 1 slots; 1 overlap"), "{again}");
    assert!(stderr(&open(&["--from", "tomorrow", "--to", &to])).contains("is not a time in Tokyo"));
    assert!(
        stderr(&open(&["--from", "2020-01-01T10:00", "--to", "2020-01-01T11:00"])).contains("in the future")
    );
    let insecure =
        ["open", "--teacher", "高瀬航", "--kind", "学習相談", "--join-url", "http://meet.example/a"];
    assert!(
        !command(&world, &[&insecure[..], &["--from", &from, "--to", &to]].concat(), "").status.success()
    );

    go_to(&world, now);
    let slot = week(&mut client, "").await.slots.remove(0).id;
    let id = take(&mut client, &slot).await.unwrap();
    let listed = stdout(&command(&world, &["list", "--teacher", "高瀬航"], ""));
    assert!(
        listed.contains(&format!("interview {id} of {ACCOUNT}")) && listed.contains(": free"),
        "{listed}"
    );
    assert!(stdout(&command(&world, &["list", "--past"], "")).contains("no slots"));
    let closed = stdout(&command(&world, &["close", &slot], ""));
    assert!(closed.contains("is cancelled"), "{closed}");
    assert!(get(&mut client, &id).await.unwrap().is_cancelled);
    assert_eq!(hold(&mut client, &slot).await.unwrap_err(), "SLOT_CLOSED");
    assert_eq!(world.text("SELECT kind FROM mail WHERE kind = 'interview_closed'").await.len(), 1);
    assert!(stdout(&command(&world, &["list"], "")).contains(": closed"));
    assert!(stderr(&command(&world, &["close", &Uuid::nil().to_string()], "")).contains("there is no slot"));
}

#[tokio::test]
async fn feedback_is_encrypted_exported_and_erased_with_the_account() {
    let world = World::new().await;
    let desk = world.serve(NOBODY).await;
    let mut client = own(&desk);
    let slot = add_slot(&world, "高瀬航", START).await;
    let id = take(&mut client, &slot).await.unwrap();
    // The command uses the system clock.
    world
        .text("UPDATE interview_slot SET starts_at = now() - interval '2 days', ends_at = now() - interval '47 hours'")
        .await;
    let feedback = |id: &str, text: &str| command(&world, &["feedback", id, "-"], text);
    stdout(&feedback(&id, "まずは移項の練習から始めましょう。\n"));
    assert!(stderr(&command(&world, &["no-show", &id], "")).contains("or it has feedback"));
    assert!(stderr(&feedback(&Uuid::nil().to_string(), "だれか")).contains("there is no booked interview"));
    assert!(stdout(&command(&world, &["list", "--past"], "")).contains("with feedback"));
    let other = add_slot(&world, "佐倉みのり", START).await;
    let missed = take(&mut client, &other).await.unwrap();
    world.text("UPDATE interview_slot SET starts_at = '2100-01-01', ends_at = '2100-01-02' WHERE teacher = '佐倉みのり'").await;
    assert!(stderr(&command(&world, &["no-show", &missed], "")).contains("that has started"));
    world
        .text("UPDATE interview_slot SET starts_at = now() - interval '1 day' WHERE teacher = '佐倉みのり'")
        .await;
    stdout(&command(&world, &["no-show", &missed], ""));
    assert!(stderr(&feedback(&missed, "だれか")).contains("or the learner missed it"));
    assert!(get(&mut client, &missed).await.unwrap().is_missed);
    assert_eq!(get(&mut client, &id).await.unwrap().feedback, "まずは移項の練習から始めましょう。");
    assert!(get(&mut learner(&desk, OTHER), &id).await.is_err());
    let stored =
        world.text("SELECT interview::text || encode(feedback, 'escape') FROM interview").await.concat();
    assert!(!stored.contains("移項"), "{stored}");
    let export = client.export_interviews(ExportInterviewsRequest {}).await.unwrap().into_inner();
    assert_eq!(export.interviews.len(), 2);

    desk.tell(&AccountErased { account_id: ACCOUNT.to_owned() }).await;
    assert_eq!(world.text("SELECT count(*)::text FROM interview").await, ["0"]);
    let late = add_slot(&world, "高瀬航", START + Duration::HOUR).await;
    assert_eq!(hold(&mut client, &late).await.unwrap_err(), "NOT_FOUND");
}

const HOURS: &str = "hours:
- id: 1
  kind: 三者面談
  teacher: 高瀬航
  weekday: 火
  from: \"17:00\"
  until: \"18:40\"
  slot_minutes: 45
  join_url: https://meet.example/takase
";

/// The starts of open slots in Tokyo.
const STARTS: &str = "SELECT to_char(starts_at AT TIME ZONE 'Asia/Tokyo', 'MM-DD HH24:MI') FROM interview_slot \
                      WHERE closed_at IS NULL ORDER BY starts_at";

#[tokio::test]
async fn weekly_hours_have_slots_for_four_weeks_and_a_change_spares_booked_ones() {
    let (world, folder) = (World::new().await, Folder::new());
    let desk = world.serve(NOBODY).await;
    folder.write("interviews.yaml", HOURS);
    let told = folder.import(&world, Run::Real).await.unwrap();
    assert!(told.contains("+ interview hours 1 高瀬航"), "{told}");
    let first = ["11-24 17:00", "11-24 17:45", "12-01 17:00", "12-01 17:45"];
    let starts = world.text(STARTS).await;
    assert_eq!((&starts[..4], starts.len()), (&first.map(str::to_owned)[..], 8));
    let pool = &world.database.pool;
    // A sweep on the same day opens nothing, one a week later another week.
    desk::sweep::open_interview_slots(pool, world.clock.clock().now()).await.unwrap();
    assert_eq!(world.text(STARTS).await.len(), 8);
    desk::sweep::open_interview_slots(pool, NOW + Duration::WEEK).await.unwrap();
    assert_eq!(world.text(STARTS).await.len(), 10);

    let mut client = own(&desk);
    let request = ListInterviewSlotsRequest { kind_id: 3, day: "2026-12-01".to_owned() };
    let slot = client.list_interview_slots(request).await.unwrap().into_inner().slots.remove(0).id;
    take(&mut client, &slot).await.unwrap();
    folder.edit("interviews.yaml", "weekday: 火", "weekday: 水");
    let told = folder.import(&world, Run::Real).await.unwrap();
    assert!(told.contains("~ interview hours 1 weekday"), "{told}");
    let starts = world.text(STARTS).await;
    assert!(
        starts.contains(&"12-01 17:00".to_owned()) && !starts.contains(&"12-01 17:45".to_owned()),
        "{starts:?}"
    );
    assert!(starts.contains(&"11-25 17:00".to_owned()), "{starts:?}");
    folder.remove("interviews.yaml");
    assert!(folder.import(&world, Run::Real).await.unwrap().contains("- interview hours 1 高瀬航"));
    assert_eq!(world.text(STARTS).await, ["12-01 17:00"]);

    folder.write(
        "interviews.yaml",
        &HOURS.replace("https:", "http:").replace("火", "Tuesday").replace("18:40", "17:30"),
    );
    let faults = folder.import(&world, Run::Dry).await.unwrap_err();
    for field in ["join_url", "weekday", "slot_minutes"] {
        assert!(faults.contains("interviews.yaml:") && faults.contains(field), "{field}: {faults}");
    }
}
