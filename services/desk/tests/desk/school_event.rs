//! Events of the school: the last place, the waiting list, offers, the deadline, reminders, erasure and import.

use desk::Run;
use desk::school_event::job::EventJob;
use futures_util::future::join_all;
use kit::caller::{Caller, Scope};
use kit::client::Channel;
use kit::error::ServiceError;
use kit::test::{MailServer, account, guardian_of};
use kit_db::outbox::Wake;
use proto::auth::AccountErased;
use proto::desk::appointment_service_client::AppointmentServiceClient;
use proto::desk::school_event_service_client::SchoolEventServiceClient;
use proto::desk::{
    AcceptPlaceRequest, CancelEntryRequest, EntryState, EventChild, EventContact,
    ExportSchoolEventEntriesRequest, GetSchoolEventRequest, ListAppointmentsRequest, ListSchoolEventsRequest,
    SchoolEvent, SchoolEventEntry, SignUpForSchoolEventRequest,
};
use sqlx::Executor as _;
use time::macros::datetime;
use time::{Duration, OffsetDateTime};
use tonic::{Code, Status};
use uuid::Uuid;

use crate::contact::NOBODY;
use crate::emails::texts;
use crate::folder::Folder;
use crate::world::{Desk, NOW, World, timestamp};

/// One place. The deadline is two days before the start.
const EVENTS: &str = "events:
- id: 1
  title: 夏期講習
  place: オンライン
  starts: 2026-12-05T10:00:00+09:00
  ends: 2026-12-05T12:00:00+09:00
  sign_up_until: 2026-12-03T10:00:00+09:00
  capacity: 1
  summary: 1日の講習です。
  description: |
    ノートをご用意ください。
  materials: |
    [教材](/mypage/course)です。
- id: 2
  title: 入試説明会
  place: 本校
  starts: 2026-12-12T10:00:00+09:00
  ends: 2026-12-12T12:00:00+09:00
  sign_up_until: 2026-12-12T10:00:00+09:00
  capacity: 3
  summary: 説明会です。
  description: 説明します。
";
const DEADLINE: OffsetDateTime = datetime!(2026-12-03 01:00 UTC);
const START: OffsetDateTime = datetime!(2026-12-05 01:00 UTC);
const END: OffsetDateTime = datetime!(2026-12-05 03:00 UTC);
const COUNTS: &str = "SELECT id || ' ' || taken FROM school_event ORDER BY id";
/// As `COUNTS`, from the entries.
const RECOUNTED: &str = "SELECT school_event.id || ' ' || count(entry.id) FROM school_event \
     LEFT JOIN school_event_entry AS entry ON event = school_event.id AND state IN ('signed_up', 'offered') \
     GROUP BY school_event.id ORDER BY school_event.id";
const KINDS: &str = "SELECT kind || ' ' || count(*) FROM mail GROUP BY kind ORDER BY kind";

struct School {
    world: World,
    folder: Folder,
    desk: Desk,
}

impl School {
    async fn new() -> Self {
        let (world, folder) = (World::new().await, Folder::new());
        folder.write("events.yaml", EVENTS);
        folder.import(&world, Run::Real).await.unwrap();
        let desk = world.serve(NOBODY).await;
        Self { world, folder, desk }
    }

    /// The learner with this number.
    fn person(&self, number: u128) -> Person {
        Person::on(&self.desk, number, Scope::Learner)
    }

    fn job(&self) -> EventJob {
        let config = self.world.config(NOBODY);
        EventJob::new(&config, self.world.database.pool.clone(), self.world.clock.clock(), Wake::default())
            .unwrap()
    }

    fn wait_until(&self, time: OffsetDateTime) {
        self.world.clock.advance(time - self.world.clock.clock().now());
    }
}

#[derive(Clone)]
struct Person {
    id: Uuid,
    client: SchoolEventServiceClient<Channel>,
}

impl Person {
    fn on(desk: &Desk, number: u128, scope: Scope) -> Self {
        let id = Uuid::from_u128(number);
        Self { id, client: SchoolEventServiceClient::new(desk.server.channel_as(account(id, &[scope]))) }
    }

    async fn event(&self, id: i64) -> SchoolEvent {
        let found = self.client.clone().get_school_event(GetSchoolEventRequest { id }).await.unwrap();
        found.into_inner().event.unwrap()
    }

    async fn entry(&self, event: i64) -> SchoolEventEntry {
        own(&self.event(event).await, self.id)
    }

    async fn state(&self, event: i64) -> EntryState {
        self.entry(event).await.state()
    }

    async fn sign_up_for(&self, event: i64, child: Option<EventChild>) -> Result<SchoolEvent, Status> {
        let contact = EventContact {
            name: "山田 花子".to_owned(),
            email: format!("p{}@demo.example", self.id.simple()),
            birth_date: None,
        };
        let request = SignUpForSchoolEventRequest { event_id: event, contact: Some(contact), child };
        loop {
            let event = self.client.clone().sign_up_for_school_event(request.clone()).await;
            // On a busy machine a request of the crowd may time out. A person sends it again.
            if event.as_ref().is_err_and(|status| {
                matches!(status.code(), Code::Cancelled | Code::DeadlineExceeded | Code::Unavailable)
            }) {
                continue;
            }
            return event.map(|event| event.into_inner().event.unwrap());
        }
    }

    async fn sign_up(&self, event: i64) -> Result<SchoolEventEntry, Status> {
        self.sign_up_for(event, None).await.map(|event| own(&event, self.id))
    }

    async fn accept(&self, event: i64) -> Result<SchoolEventEntry, Status> {
        let request = AcceptPlaceRequest { entry_id: self.entry(event).await.id };
        let event = self.client.clone().accept_place(request).await;
        event.map(|event| own(&event.into_inner().event.unwrap(), self.id))
    }

    async fn cancel(&self, event: i64) -> Result<SchoolEventEntry, Status> {
        let request = CancelEntryRequest { entry_id: self.entry(event).await.id };
        let event = self.client.clone().cancel_entry(request).await;
        event.map(|event| own(&event.into_inner().event.unwrap(), self.id))
    }
}

fn own(event: &SchoolEvent, id: Uuid) -> SchoolEventEntry {
    let mut entries = event.entries.iter().filter(|entry| entry.account_id == id.to_string());
    entries.next().expect("the person has an entry").clone()
}

fn reason(refused: Result<SchoolEventEntry, Status>) -> String {
    ServiceError::from_status(&refused.unwrap_err()).reason.to_string()
}

#[tokio::test]
async fn of_two_hundred_at_once_one_gets_the_last_place_and_the_others_wait_in_order() {
    let school = School::new().await;
    let other = school.world.serve(NOBODY).await;
    let people: Vec<Person> = (1..=200)
        .map(|number| {
            let desk = if number % 2 == 0 { &school.desk } else { &other };
            Person::on(desk, number, Scope::Learner)
        })
        .collect();
    let entries = join_all(people.iter().map(|person| person.sign_up(1))).await;
    let states: Vec<EntryState> = entries.iter().map(|entry| entry.as_ref().unwrap().state()).collect();
    assert_eq!(states.iter().filter(|state| **state == EntryState::SignedUp).count(), 1);
    assert_eq!(states.iter().filter(|state| **state == EntryState::Waiting).count(), 199);
    // Each was told the position that it still has.
    let mut positions = Vec::new();
    for (person, told) in people.iter().zip(entries) {
        let position = person.entry(1).await.position;
        assert_eq!(position, told.unwrap().position);
        positions.extend(position);
    }
    positions.sort_unstable();
    assert_eq!(positions, (1..=199).collect::<Vec<u32>>());
    let event = people[0].event(1).await;
    assert_eq!((event.capacity, event.places_left, event.waiting), (1, 0, 199));
    assert_eq!(school.world.text(COUNTS).await, school.world.text(RECOUNTED).await);
    assert_eq!(school.world.text(KINDS).await, ["event_signed_up 1", "event_waiting 199"]);
}

#[tokio::test]
async fn one_person_on_two_devices_has_one_entry() {
    let school = School::new().await;
    let other = school.world.serve(NOBODY).await;
    let devices = [school.person(1), Person::on(&other, 1, Scope::Learner)];
    let taps = (0..20).map(|turn| devices[turn % 2].sign_up(2));
    let ids: Vec<String> = join_all(taps).await.into_iter().map(|entry| entry.unwrap().id).collect();
    assert!(ids.iter().all(|id| *id == ids[0]), "{ids:?}");
    assert_eq!(school.world.text(KINDS).await, ["event_signed_up 1"]);
}

#[tokio::test]
async fn a_cancelled_place_is_offered_to_the_first_who_waits_and_the_canceller_queues_behind() {
    let school = School::new().await;
    let [ann, ben, cid, dan] = [1, 2, 3, 4].map(|number| school.person(number));
    for person in [&ann, &ben, &cid] {
        person.sign_up(1).await.unwrap();
    }
    assert_eq!((ben.entry(1).await.position, cid.entry(1).await.position), (Some(1), Some(2)));
    assert_eq!(ann.cancel(1).await.unwrap().state(), EntryState::Cancelled);
    let offer = ben.entry(1).await;
    assert_eq!((offer.state(), offer.position), (EntryState::Offered, None));
    assert_eq!(offer.offer_until, Some(timestamp(NOW + Duration::DAY)));
    let next = cid.entry(1).await;
    assert_eq!((next.state(), next.position), (EntryState::Waiting, Some(1)));
    // An offer is a taken place. A second tap on "cancel" frees nothing.
    ann.cancel(1).await.unwrap();
    assert_eq!(school.world.text(COUNTS).await, ["1 1", "2 0"]);
    assert_eq!(dan.event(1).await.places_left, 0);
    assert_eq!(dan.sign_up(1).await.unwrap().position, Some(2));
    let again = ann.sign_up(1).await.unwrap();
    assert_eq!((again.state(), again.position), (EntryState::Waiting, Some(3)));
    // An entry without an offer cannot accept one.
    assert_eq!(reason(cid.accept(1).await), "OFFER_ENDED");
    assert_eq!(reason(dan.accept(1).await), "OFFER_ENDED");

    // A declined offer goes on, in order, until one accepts.
    ben.cancel(1).await.unwrap();
    assert_eq!(cid.state(1).await, EntryState::Offered);
    assert_eq!(cid.accept(1).await.unwrap().state(), EntryState::SignedUp);
    assert_eq!(cid.accept(1).await.unwrap().state(), EntryState::SignedUp, "accepting again changes nothing");
    assert_eq!((dan.entry(1).await.position, ann.entry(1).await.position), (Some(1), Some(2)));
    cid.cancel(1).await.unwrap();
    assert_eq!((dan.state(1).await, ann.state(1).await), (EntryState::Offered, EntryState::Waiting));
    // Offers that were accepted or ended are not sent any more.
    assert_eq!(
        school.world.text(KINDS).await,
        ["event_cancelled 3", "event_offered 1", "event_signed_up 2", "event_waiting 4"]
    );
}

#[tokio::test]
async fn an_expired_offer_is_never_valid_and_goes_to_the_next_once() {
    let school = School::new().await;
    let [ann, ben, cid, dan] = [1, 2, 3, 4].map(|number| school.person(number));
    for person in [&ann, &ben, &cid, &dan] {
        person.sign_up(1).await.unwrap();
    }
    ann.cancel(1).await.unwrap();
    school.wait_until(NOW + Duration::DAY - Duration::SECOND);
    school.job().run_once().await.unwrap();
    assert_eq!(ben.state(1).await, EntryState::Offered);
    school.wait_until(NOW + Duration::DAY);
    // No job has run since.
    let shown = ben.entry(1).await;
    assert_eq!((shown.state(), shown.offer_until), (EntryState::Lapsed, None));
    assert_eq!(reason(ben.accept(1).await), "OFFER_ENDED");
    let jobs: Vec<EventJob> = (0..4).map(|_| school.job()).collect();
    for done in join_all(jobs.iter().map(EventJob::run_once)).await {
        done.unwrap();
    }
    assert_eq!(ben.state(1).await, EntryState::Lapsed);
    assert_eq!(cid.entry(1).await.offer_until, Some(timestamp(NOW + Duration::days(2))));
    assert_eq!(dan.entry(1).await.position, Some(1));
    let kinds = [
        "event_cancelled 1",
        "event_offer_lapsed 1",
        "event_offered 1",
        "event_signed_up 1",
        "event_waiting 3",
    ];
    assert_eq!(school.world.text(KINDS).await, kinds);
    // Ben comes back, behind the others. The next offer expires, and a request finds that out before the job.
    school.wait_until(NOW + Duration::days(2));
    assert_eq!(ben.sign_up(1).await.unwrap().position, Some(1));
    assert_eq!((cid.state(1).await, dan.state(1).await), (EntryState::Lapsed, EntryState::Offered));
    assert_eq!(school.world.text(COUNTS).await, school.world.text(RECOUNTED).await);
}

#[tokio::test]
async fn sign_up_closes_at_the_deadline_and_cancelling_at_the_start() {
    let school = School::new().await;
    let [ann, ben, cid, late] = [1, 2, 3, 4].map(|number| school.person(number));
    for person in [&ann, &ben, &cid] {
        person.sign_up(1).await.unwrap();
    }
    school.wait_until(DEADLINE - Duration::SECOND);
    assert!(ann.event(1).await.can_sign_up);
    school.wait_until(DEADLINE);
    assert!(!ann.event(1).await.can_sign_up);
    assert_eq!(reason(late.sign_up(1).await), "SIGN_UP_CLOSED");
    assert_eq!(ben.sign_up(1).await.unwrap().state(), EntryState::Waiting, "an entry stays");
    // A place that becomes free after the deadline is offered, but not beyond the start.
    school.wait_until(START - Duration::HOUR);
    ann.cancel(1).await.unwrap();
    assert_eq!(ben.entry(1).await.offer_until, Some(timestamp(START)));
    ben.accept(1).await.unwrap();
    school.wait_until(START);
    assert!(!ben.event(1).await.can_cancel);
    assert_eq!(reason(ben.cancel(1).await), "EVENT_STARTED");
    assert_eq!(reason(cid.cancel(1).await), "EVENT_STARTED");
    school.job().run_once().await.unwrap();
    assert_eq!(cid.state(1).await, EntryState::Waiting);
    // The materials come after the end, for those who took part.
    assert_eq!(ben.event(1).await.materials, None);
    school.wait_until(END);
    assert_eq!(ben.event(1).await.materials.as_deref(), Some("[教材](/mypage/course)です。"));
    for other in [&ann, &cid, &late] {
        assert_eq!(other.event(1).await.materials, None);
    }
}

#[tokio::test]
async fn the_stored_counts_are_the_recounted_ones_after_random_operations() {
    let school = School::new().await;
    let other = school.world.serve(NOBODY).await;
    let people: Vec<Person> = (0..12)
        .map(|number| {
            let desk = if number % 2 == 0 { &school.desk } else { &other };
            Person::on(desk, number + 1, Scope::Learner)
        })
        .collect();
    for person in &people {
        person.sign_up(2).await.unwrap();
    }
    let job = school.job();
    let mut seed = 20_261_127_u64;
    let mut random = |below: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % below
    };
    for round in 0..40 {
        let chosen: Vec<(usize, u64)> =
            (0..8).map(|_| (usize::try_from(random(12)).unwrap(), random(5))).collect();
        let operations = chosen.into_iter().map(|(person, operation)| {
            let (person, job) = (people[person].clone(), job.clone());
            async move {
                match operation {
                    0 => drop(person.sign_up(2).await.unwrap()),
                    1 | 2 => drop(person.cancel(2).await.unwrap()),
                    // Most have no offer.
                    3 => drop(person.accept(2).await),
                    _ => job.run_once().await.unwrap(),
                }
            }
        });
        join_all(operations).await;
        school.world.clock.advance(Duration::hours(i64::try_from(random(10)).unwrap()));
        assert_eq!(school.world.text(COUNTS).await, school.world.text(RECOUNTED).await, "round {round}");
    }
    // A free place means an empty waiting list.
    job.run_once().await.unwrap();
    let idle = "SELECT count(*)::text FROM school_event WHERE taken < capacity AND EXISTS \
                (SELECT FROM school_event_entry WHERE event = school_event.id AND state = 'waiting')";
    assert_eq!(school.world.text(idle).await, ["0"]);
}

#[tokio::test]
async fn participants_are_reminded_once_on_the_day_before_and_not_after_they_cancelled() {
    let school = School::new().await;
    let [ann, ben, late] = [1, 2, 3].map(|number| school.person(number));
    let start = datetime!(2026-12-12 01:00 UTC);
    for person in [&ann, &ben] {
        person.sign_up(2).await.unwrap();
    }
    let reminders = "SELECT account::text FROM mail WHERE kind = 'event_reminder' ORDER BY account";
    school.wait_until(start - Duration::DAY - Duration::SECOND);
    school.job().run_once().await.unwrap();
    assert!(school.world.text(reminders).await.is_empty());
    school.wait_until(start - Duration::DAY);
    late.sign_up(2).await.unwrap();
    let jobs: Vec<EventJob> = (0..4).map(|_| school.job()).collect();
    for done in join_all(jobs.iter().map(EventJob::run_once)).await {
        done.unwrap();
    }
    assert_eq!(school.world.text(reminders).await, [ann.id.to_string(), ben.id.to_string()]);
    // The mail server is down, so the reminder of Ben still waits.
    ben.cancel(2).await.unwrap();
    assert_eq!(school.world.text(reminders).await, [ann.id.to_string()]);
    school.job().run_once().await.unwrap();
    assert_eq!(school.world.text(reminders).await, [ann.id.to_string()]);
    // Also if the entry does not remember its reminder.
    let mut connection = school.world.database.pool.acquire().await.unwrap();
    connection.execute(sqlx::raw_sql("UPDATE school_event_entry SET reminder = NULL")).await.unwrap();
    school.job().run_once().await.unwrap();
    assert_eq!(school.world.text(reminders).await, [ann.id.to_string()]);
}

#[tokio::test]
async fn an_event_that_returns_to_its_old_start_reminds_those_who_got_no_reminder_of_it() {
    let school = School::new().await;
    let people = [1, 2, 3].map(|number| school.person(number));
    for person in &people {
        person.sign_up(2).await.unwrap();
    }
    let [_, ben, cid] = &people;
    school.wait_until(datetime!(2026-12-12 01:00 UTC) - Duration::DAY);
    school.job().run_once().await.unwrap();
    let reminders = "SELECT account || ' ' || state FROM mail WHERE kind = 'event_reminder' ORDER BY account";
    let waiting = |person: &Person| format!("{} waiting", person.id);
    assert_eq!(school.world.text(reminders).await, people.each_ref().map(waiting));
    // The mail server is down. Ben's browser gets the reminder, and so does Cid by mail.
    let mut connection = school.world.database.pool.acquire().await.unwrap();
    for sql in [
        format!("UPDATE notification SET is_pushed = true WHERE account = '{}'", ben.id),
        format!(
            "UPDATE mail SET state = 'sent', sealed = NULL, done_at = now() WHERE topic = 'event' AND account = '{}'",
            cid.id
        ),
    ] {
        connection.execute(sqlx::raw_sql(sqlx::AssertSqlSafe(sql))).await.unwrap();
    }
    for (old, new) in [("10", "11"), ("11", "10")] {
        let start = |hour: &str| format!("starts: 2026-12-12T{hour}:00:00");
        school.folder.edit("events.yaml", &start(old), &start(new));
        school.folder.import(&school.world, Run::Real).await.unwrap();
        assert_eq!(school.world.text(reminders).await, [format!("{} sent", cid.id)]);
    }
    school.job().run_once().await.unwrap();
    assert_eq!(school.world.text(reminders).await, [waiting(&people[0]), format!("{} sent", cid.id)]);
}

#[tokio::test]
async fn a_waiting_reminder_ends_with_the_account_of_the_participant() {
    let school = School::new().await;
    let guardian = Person::on(&school.desk, 1, Scope::Guardian);
    let child = school.person(2);
    let of_child = Some(EventChild { account_id: child.id.to_string(), name: "山田 葵".to_owned() });
    guardian.sign_up_for(2, of_child).await.unwrap();
    school.wait_until(datetime!(2026-12-12 01:00 UTC) - Duration::DAY);
    school.job().run_once().await.unwrap();
    // The mail server is down, so the reminder waits.
    let reminders = "SELECT account::text FROM mail WHERE kind = 'event_reminder'";
    assert_eq!(school.world.text(reminders).await, [guardian.id.to_string()]);
    school.desk.tell(&AccountErased { account_id: child.id.to_string() }).await;
    assert!(school.world.text(reminders).await.is_empty());
}

#[tokio::test]
async fn a_guardian_signs_a_child_up_and_both_see_the_entry() {
    let school = School::new().await;
    let guardian = Person::on(&school.desk, 1, Scope::Guardian);
    let (child, stranger) = (school.person(2), school.person(3));
    let of_child = || Some(EventChild { account_id: child.id.to_string(), name: "山田 葵".to_owned() });
    assert_eq!(child.sign_up_for(2, of_child()).await.unwrap_err().code(), Code::PermissionDenied);
    guardian.sign_up_for(2, None).await.unwrap();
    let event = guardian.sign_up_for(2, of_child()).await.unwrap();
    assert_eq!(event.entries.len(), 2);
    let entry = child.entry(2).await;
    assert_eq!(entry, own(&event, child.id));
    assert_eq!(child.event(2).await.entries.len(), 1, "the child does not see the guardian's");
    let request = CancelEntryRequest { entry_id: entry.id };
    let refused = stranger.client.clone().cancel_entry(request.clone()).await.unwrap_err();
    assert_eq!(refused.code(), Code::NotFound);
    guardian.client.clone().cancel_entry(request).await.unwrap();
    assert_eq!(child.state(2).await, EntryState::Cancelled);

    // The guardian closes the account: the child keeps the place, and the guardian's address is deleted.
    guardian.sign_up_for(2, of_child()).await.unwrap();
    school.desk.tell(&AccountErased { account_id: guardian.id.to_string() }).await;
    assert_eq!(child.state(2).await, EntryState::SignedUp);
    let kept = "SELECT account || ' ' || booked_by || ' ' || (sealed IS NULL) FROM school_event_entry WHERE state = 'signed_up'";
    assert_eq!(school.world.text(kept).await, [format!("{0} {0} true", child.id)]);
    assert_eq!(school.world.text(COUNTS).await, ["1 0", "2 1"]);
}

#[tokio::test]
async fn what_a_learner_has_ahead_is_the_same_for_the_guardian_and_has_no_entry_of_others() {
    let school = School::new().await;
    let (child, guardian) = (school.person(2), Person::on(&school.desk, 1, Scope::Guardian));
    let ahead = async |caller: Caller| {
        let mut client = AppointmentServiceClient::new(school.desk.server.channel_as(caller));
        client.list_appointments(ListAppointmentsRequest {}).await.unwrap().into_inner()
    };
    let of_child = || Some(EventChild { account_id: child.id.to_string(), name: "山田 葵".to_owned() });
    guardian.sign_up_for(2, None).await.unwrap();
    guardian.sign_up_for(1, None).await.unwrap();
    guardian.sign_up_for(2, of_child()).await.unwrap();
    child.sign_up(1).await.unwrap();
    let own = ahead(account(child.id, &[Scope::Learner])).await;
    assert_eq!(ahead(guardian_of(guardian.id, child.id)).await, own);
    let events: Vec<_> = own.events.iter().map(|event| (event.title.as_str(), event.has_place)).collect();
    assert_eq!(events, [("夏期講習", false), ("入試説明会", true)], "the first is full, so the child waits");
    assert_eq!(own.interviews, []);

    child.cancel(1).await.unwrap();
    let titles = async || {
        let seen = ahead(guardian_of(guardian.id, child.id)).await;
        seen.events.into_iter().map(|event| event.title).collect::<Vec<_>>()
    };
    assert_eq!(titles().await, ["入試説明会"]);
    school.wait_until(END + Duration::days(7));
    assert_eq!(titles().await, [""; 0], "it is over");
}

#[tokio::test]
async fn an_erased_account_takes_its_entries_along_and_its_place_goes_to_the_next() {
    let school = School::new().await;
    let [ann, ben] = [1, 2].map(|number| school.person(number));
    for person in [&ann, &ben] {
        person.sign_up(1).await.unwrap();
    }
    let stored = ann.client.clone().export_school_event_entries(ExportSchoolEventEntriesRequest {}).await;
    let stored = stored.unwrap().into_inner().entries;
    assert_eq!(stored.iter().map(|entry| entry.event_title.as_str()).collect::<Vec<_>>(), ["夏期講習"]);
    school.desk.tell(&AccountErased { account_id: ann.id.to_string() }).await;
    assert_eq!(school.world.text(COUNTS).await, ["1 0", "2 0"]);
    let accounts = "SELECT account::text FROM school_event_entry";
    assert_eq!(school.world.text(accounts).await, [ben.id.to_string()]);
    assert_eq!(ann.sign_up(1).await.unwrap_err().code(), Code::NotFound, "a request that arrives late");
    school.job().run_once().await.unwrap();
    assert_eq!(ben.state(1).await, EntryState::Offered);

    school.wait_until(END + Duration::days(365));
    let mut connection = school.world.database.pool.acquire().await.unwrap();
    let now = school.world.clock.clock().now();
    desk::sweep::sweep_once(&mut connection, now, Duration::DAY).await.unwrap();
    assert_eq!(school.world.text(accounts).await.len(), 1);
    desk::sweep::sweep_once(&mut connection, now + Duration::SECOND, Duration::DAY).await.unwrap();
    assert_eq!(school.world.text(accounts).await.len(), 0);
    assert_eq!(school.world.text(COUNTS).await, ["1 0", "2 0"]);
}

#[tokio::test]
async fn an_import_keeps_entries_and_starts_a_new_round_after_the_end() {
    let school = School::new().await;
    let [ann, ben] = [1, 2].map(|number| school.person(number));
    for person in [&ann, &ben] {
        person.sign_up(1).await.unwrap();
        person.sign_up(2).await.unwrap();
    }
    let import = || school.folder.import(&school.world, Run::Real);
    assert_eq!(import().await.unwrap(), "= 15 as they were");
    school.folder.edit("events.yaml", "capacity: 3", "capacity: 1");
    let refused = import().await.unwrap_err();
    assert!(refused.contains("event 2 has 2 taken places"), "{refused}");
    school.folder.edit("events.yaml", "capacity: 1\n  summary: 説明会", "capacity: 2\n  summary: 説明会");
    // Another place, and a later start: who has signed up stays, and a free place is offered.
    school.folder.edit("events.yaml", "capacity: 1", "capacity: 2");
    school.folder.edit("events.yaml", "place: オンライン", "place: 本校");
    assert!(import().await.unwrap().contains("~ event 1 capacity, place\n"));
    school.job().run_once().await.unwrap();
    assert_eq!((ann.state(1).await, ben.state(1).await), (EntryState::SignedUp, EntryState::Offered));
    let event = ann.event(1).await;
    assert_eq!((event.round, event.revision), (1, 1));

    school.wait_until(END);
    school.folder.edit("events.yaml", "starts: 2026-12-05", "starts: 2027-07-24");
    school.folder.edit("events.yaml", "ends: 2026-12-05", "ends: 2027-07-24");
    import().await.unwrap();
    let event = ann.event(1).await;
    assert_eq!((event.round, event.revision, event.places_left, event.entries.len()), (2, 0, 2, 0));
    let all = ann.client.clone().list_school_events(ListSchoolEventsRequest {}).await.unwrap().into_inner();
    assert_eq!(all.events.iter().map(|event| event.entries.len()).collect::<Vec<_>>(), [0, 1]);

    school.folder.write("events.yaml", "events: []\n");
    assert!(import().await.unwrap_err().contains("event 2 has entries"));
    school.folder.write("events.yaml", &EVENTS.replace("ends: 2026-12-05", "ends: 2026-12-04"));
    school.folder.edit("events.yaml", "sign_up_until: 2026-12-03", "sign_up_until: 2026-12-06");
    school.folder.edit("events.yaml", "capacity: 3", "capacity: 0");
    let faults = import().await.unwrap_err();
    for fault in
        ["ends: is not after starts", "sign_up_until: is after starts", "capacity: is not from 1 to 10000"]
    {
        assert!(faults.contains(fault), "{faults}");
    }
}

#[tokio::test]
async fn the_mail_of_an_offer_names_the_participant_and_the_time_limit() {
    let school = School::new().await;
    let mut server = MailServer::start().await;
    let desk = school.world.serve(&server.url()).await;
    let guardian = Person::on(&desk, 1, Scope::Guardian);
    let child = EventChild { account_id: Uuid::from_u128(2).to_string(), name: "山田 葵".to_owned() };
    let first = Person::on(&desk, 3, Scope::Learner);
    first.sign_up(1).await.unwrap();
    guardian.sign_up_for(1, Some(child)).await.unwrap();
    first.cancel(1).await.unwrap();
    let mut told = Vec::new();
    for _ in 0..4 {
        let mail = server.mails.recv().await.unwrap();
        told.push((mail.to.clone(), texts(&mail.message.replace('\n', "\r\n")).0));
    }
    let offer = told.iter().find(|(_, text)| text.contains("空きが出た")).expect("an offer");
    assert_eq!(offer.0, format!("p{}@demo.example", guardian.id.simple()));
    for part in ["山田 花子 様", "山田 葵", "夏期講習", "2026年11月22日(日) 18:00", "/mypage/event/1"]
    {
        assert!(offer.1.contains(part), "{part}: {}", offer.1);
    }
}
