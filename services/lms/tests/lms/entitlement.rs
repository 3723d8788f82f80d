//! Entitlements over real events: granted, extended and revoked, in any order and more than once.

use futures_util::future::join_all;
use kit::caller::{Caller, Service};
use kit::error::ServiceError;
use prost::{Message, Name};
use proto::auth::AccountErased;
use proto::common::event_service_client::EventServiceClient;
use proto::common::{DeliverRequest, Event};
use proto::lms::entitlement_service_client::EntitlementServiceClient;
use proto::lms::inventory_service_client::InventoryServiceClient;
use proto::lms::{
    BoughtCourse, CountOpenedLessonsRequest, EntitlementExtended, EntitlementGranted, EntitlementRevoked,
    EntitlementSource, EntitlementSourceKind, GetLessonRequest, ListActiveCoursesRequest,
    ListCourseUsersRequest, ListRecentRequest, ListUsableCoursesRequest, OpenHandoutsRequest,
};
use time::{Duration, OffsetDateTime};
use tonic::{Code, Status};
use uuid::Uuid;

use crate::school::{COURSE, LESSON, LESSONS, NOON, School, learner, refusal};
use crate::stream;

const EXPIRED: &str = "Forbidden EXPIRED_ITEM";
const INVALID: &str = "Invalid INVALID";
const NOT_FOUND: &str = "NotFound NOT_FOUND";
const NOT_ALLOWED: &str = "Forbidden CALLER_NOT_ALLOWED";

pub(crate) fn timestamp(time: OffsetDateTime) -> prost_types::Timestamp {
    prost_types::Timestamp { seconds: time.unix_timestamp(), nanos: 0 }
}

fn order_line(id: &str) -> EntitlementSource {
    EntitlementSource { kind: EntitlementSourceKind::OrderLine.into(), id: id.to_owned() }
}

/// A grant of course 101 at noon, for the order line `id`.
pub(crate) fn granted(learner: Uuid, id: &str, end: Option<OffsetDateTime>) -> EntitlementGranted {
    EntitlementGranted {
        source: Some(order_line(id)),
        learner_id: learner.to_string(),
        course_id: COURSE,
        product_id: 1101,
        granted_at: Some(timestamp(NOON)),
        expire_at: end.map(timestamp),
        is_auto_renewal: false,
    }
}

pub(crate) fn extended(
    learner: Uuid,
    id: &str,
    at: OffsetDateTime,
    end: Option<OffsetDateTime>,
) -> EntitlementExtended {
    EntitlementExtended {
        source: Some(order_line(id)),
        learner_id: learner.to_string(),
        extended_at: Some(timestamp(at)),
        expire_at: end.map(timestamp),
    }
}

pub(crate) fn revoked(learner: Uuid, id: &str, at: OffsetDateTime) -> EntitlementRevoked {
    EntitlementRevoked {
        source: Some(order_line(id)),
        learner_id: learner.to_string(),
        revoked_at: Some(timestamp(at)),
    }
}

/// An item with its source, as they are stored.
#[derive(Debug, PartialEq)]
struct Stored {
    expire_at: Option<OffsetDateTime>,
    created: OffsetDateTime,
    modified: OffsetDateTime,
    revoked_at: Option<OffsetDateTime>,
}

impl School {
    /// Delivers an event of `sender` with the given id.
    pub(crate) async fn deliver(
        &self,
        sender: Service,
        id: &str,
        kind: String,
        payload: Vec<u8>,
    ) -> Result<(), Status> {
        let event = Event { id: id.to_owned(), r#type: kind, payload, occurred_at: Some(timestamp(NOON)) };
        let request = DeliverRequest { event: Some(event) };
        let channel = self.server.channel_as(Caller::service(sender));
        EventServiceClient::new(channel).deliver(request).await.map(drop)
    }

    /// Delivers an event of commerce with a new id.
    pub(crate) async fn sell<Payload: Message + Name>(&self, payload: &Payload) -> Result<(), Status> {
        let id = Uuid::now_v7().to_string();
        self.deliver(Service::Commerce, &id, Payload::full_name(), payload.encode_to_vec()).await
    }

    async fn stored(&self, learner: Uuid) -> Vec<Stored> {
        let mut connection = self.database.pool.acquire().await.unwrap();
        sqlx::query_as!(
            Stored,
            "
            SELECT inventory.expire_at, inventory.created, inventory.modified, entitlement_source.revoked_at
            FROM inventory
            JOIN entitlement_source ON entitlement_source.inventory_id = inventory.id
            WHERE inventory.learner_id = $1 AND entitlement_source.learner_id = $1
            ORDER BY inventory.id
            ",
            learner,
        )
        .fetch_all(&mut *connection)
        .await
        .unwrap()
    }

    async fn ends(&self, learner: Uuid) -> Vec<Option<OffsetDateTime>> {
        self.stored(learner).await.into_iter().map(|stored| stored.expire_at).collect()
    }
}

#[tokio::test]
async fn a_grant_counts_once_for_its_event_and_once_for_its_source() {
    let school = School::open().await;
    let learner = learner();
    let grant = granted(learner, "line", None);
    let id = Uuid::now_v7().to_string();
    for _ in 0..2 {
        let (kind, payload) = (EntitlementGranted::full_name(), grant.encode_to_vec());
        school.deliver(Service::Commerce, &id, kind, payload).await.unwrap();
    }
    for delivered in join_all((0..8).map(|_| school.sell(&grant))).await {
        delivered.unwrap();
    }
    let page = school.page(learner, 1, false).await.unwrap();
    assert_eq!((page.count, page.items[0].course_id, page.items[0].product_id), (1, COURSE, 1101));
    assert_eq!(page.items[0].created, Some(timestamp(NOON)));
    let gift = EntitlementSource { kind: EntitlementSourceKind::Gift.into(), id: "line".to_owned() };
    school.sell(&EntitlementGranted { source: Some(gift), ..grant }).await.unwrap();
    assert_eq!(school.page(learner, 1, false).await.unwrap().count, 2, "another kind is another source");
}

#[tokio::test]
async fn eight_first_deliveries_of_a_grant_at_once_grant_one_item() {
    let school = School::open().await;
    let learner = learner();
    let grant = granted(learner, "line", None);
    for delivered in join_all((0..8).map(|_| school.sell(&grant))).await {
        delivered.unwrap();
    }
    assert_eq!(school.page(learner, 1, false).await.unwrap().count, 1);
}

#[tokio::test]
async fn an_extension_never_shortens_an_entitlement() {
    let school = School::open().await;
    let learner = learner();
    let day = |days| Some(NOON + Duration::days(days));
    school.sell(&granted(learner, "line", day(5))).await.unwrap();
    for (end, wanted) in [(day(3), day(5)), (day(9), day(9)), (None, None), (day(30), None)] {
        school.sell(&extended(learner, "line", NOON, end)).await.unwrap();
        assert_eq!(school.ends(learner).await, [wanted]);
    }
}

#[tokio::test]
async fn an_expired_course_can_be_used_again_after_an_extension() {
    let school = School::open().await;
    let learner = learner();
    school.sell(&granted(learner, "line", Some(NOON + Duration::HOUR))).await.unwrap();
    school.clock.advance(Duration::HOUR);
    assert_eq!(refusal(stream::start(&school, learner, 1, false).await), EXPIRED);
    let now = NOON + Duration::HOUR;
    school.sell(&extended(learner, "line", now, Some(now + Duration::SECOND))).await.unwrap();
    stream::start(&school, learner, 1, false).await.unwrap();
}

/// Lists all permutations of `items`.
fn orders(items: &[usize]) -> Vec<Vec<usize>> {
    if items.is_empty() {
        return vec![Vec::new()];
    }
    let first = |index: usize| {
        let mut rest = items.to_vec();
        let item = rest.remove(index);
        orders(&rest).into_iter().map(move |order| [vec![item], order].concat())
    };
    (0..items.len()).flat_map(first).collect()
}

#[tokio::test]
async fn events_of_a_source_give_the_same_state_in_any_order() {
    let school = School::open().await;
    school.clock.advance(Duration::DAY);
    let hour = |hours| NOON + Duration::hours(hours);
    let run = async |order: &[usize]| {
        let learner = learner();
        let id = learner.to_string();
        for event in order {
            match event {
                0 => school.sell(&granted(learner, &id, Some(hour(100)))).await,
                1 => school.sell(&extended(learner, &id, hour(1), Some(hour(300)))).await,
                2 => school.sell(&extended(learner, &id, hour(2), Some(hour(200)))).await,
                _ => school.sell(&revoked(learner, &id, hour(3))).await,
            }
            .unwrap();
        }
        school.stored(learner).await
    };
    let stored = |expire_at, modified, revoked_at| {
        vec![Stored { expire_at: Some(expire_at), created: NOON, modified, revoked_at }]
    };
    for order in orders(&[0, 1, 2]) {
        assert_eq!(run(&order).await, stored(hour(300), hour(2), None), "{order:?}");
    }
    for order in orders(&[0, 1, 2, 3]) {
        assert_eq!(run(&order).await, stored(hour(3), hour(3), Some(hour(3))), "{order:?}");
    }
}

#[tokio::test]
async fn an_extension_or_a_revocation_without_its_grant_creates_no_item() {
    let school = School::open().await;
    let learner = learner();
    school.sell(&extended(learner, "one", NOON, None)).await.unwrap();
    school.sell(&revoked(learner, "two", NOON)).await.unwrap();
    assert_eq!(school.page(learner, 1, false).await.unwrap().count, 0);
    assert_eq!(refusal(stream::start(&school, learner, 1, false).await), NOT_FOUND);
}

#[tokio::test]
async fn a_revoked_course_is_like_an_expired_one() {
    let school = School::open().await;
    let learner = learner();
    school.sell(&granted(learner, "line", None)).await.unwrap();
    crate::watch::beat(&school, learner, LESSON, 10, 0..10, 1).await.unwrap();
    school.clock.advance(Duration::HOUR);
    // The sender's clock is ahead.
    school.sell(&revoked(learner, "line", NOON + Duration::hours(2))).await.unwrap();

    let item = school.page(learner, 1, false).await.unwrap().items.remove(0);
    assert!(item.is_expired);
    assert_eq!(item.expire_at, Some(timestamp(NOON + Duration::HOUR)));
    let request = GetLessonRequest { lesson_id: LESSON, ..Default::default() };
    let lesson = school.lessons(learner).get_lesson(request).await.unwrap().into_inner();
    assert!(lesson.is_expired && lesson.watch.is_some(), "progress stays readable");
    let request = ListRecentRequest { page: 1, ..Default::default() };
    let recent = school.watching(learner).list_recent(request).await.unwrap().into_inner();
    assert!(recent.lessons[0].is_expired);
    assert_eq!(refusal(stream::start(&school, learner, 1, false).await), EXPIRED);
    assert_eq!(
        refusal(crate::watch::beat(&school, learner, LESSON, 20, 10..20, 2).await),
        EXPIRED,
        "heartbeats are refused"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_revocation_ends_the_streams_of_the_course_unless_another_entitlement_allows_them() {
    let school = School::open().await;
    let learner = learner();
    school.sell(&granted(learner, "one", None)).await.unwrap();
    school.sell(&granted(learner, "two", None)).await.unwrap();
    school.grant(learner, 102).await;
    let stream = stream::start(&school, learner, 1, false).await.unwrap();
    let other = stream::start_lesson(&school, learner, 102_010_101, 2, false).await.unwrap();
    let mut watcher = crate::ended_streams::watch(&school).await;
    crate::ended_streams::next(&mut watcher).await;

    school.sell(&revoked(learner, "one", NOON)).await.unwrap();
    assert!(crate::ended_streams::is_alive(&school, &stream).await);
    school.sell(&revoked(learner, "two", NOON)).await.unwrap();
    assert_eq!(crate::ended_streams::next_ended(&mut watcher).await, [stream]);
    assert!(crate::ended_streams::is_alive(&school, &other).await, "a stream of another course");
}

#[tokio::test]
async fn a_source_of_another_learner_changes_nothing() {
    let school = School::open().await;
    let (one, other) = (learner(), learner());
    school.sell(&granted(one, "line", None)).await.unwrap();
    school.sell(&granted(other, "line", None)).await.unwrap();
    school.sell(&revoked(other, "line", NOON)).await.unwrap();
    assert_eq!(school.ends(one).await, [None]);
    assert_eq!(school.page(other, 1, false).await.unwrap().count, 0);
}

#[tokio::test]
async fn a_grant_of_an_unknown_course_is_refused_until_the_course_is_imported() {
    let school = School::open().await;
    let learner = learner();
    let grant = EntitlementGranted { course_id: 103, ..granted(learner, "line", None) };
    let (id, kind) = (Uuid::now_v7().to_string(), EntitlementGranted::full_name());
    let deliver = || school.deliver(Service::Commerce, &id, kind.clone(), grant.encode_to_vec());
    assert_eq!(refusal(deliver().await), NOT_FOUND);
    school.folder.course(103, 1);
    school.import().await.unwrap();
    deliver().await.unwrap();
    assert_eq!(school.page(learner, 1, false).await.unwrap().items[0].course_id, 103);
}

#[tokio::test]
async fn an_item_of_an_older_release_without_a_source_can_be_used() {
    let school = School::open().await;
    let learner = learner();
    let mut connection = school.database.pool.acquire().await.unwrap();
    sqlx::query!(
        "
        INSERT INTO inventory (learner_id, course_id, product_id, created, modified, expire_at, is_auto_renewal)
        VALUES ($1, $2, 1, $3, $3, NULL, false)
        ",
        learner,
        COURSE,
        NOON,
    )
    .execute(&mut *connection)
    .await
    .unwrap();
    stream::start(&school, learner, 1, false).await.unwrap();
}

#[tokio::test]
async fn an_event_is_accepted_only_from_its_sender() {
    let school = School::open().await;
    let learner = learner();
    let [one, two] = [(); 2].map(|()| Uuid::now_v7().to_string());
    let grant = granted(learner, "line", None).encode_to_vec();
    let sent = school.deliver(Service::Auth, &one, EntitlementGranted::full_name(), grant);
    assert_eq!(refusal(sent.await), NOT_ALLOWED);
    let erased = AccountErased { account_id: learner.to_string() }.encode_to_vec();
    let sent = school.deliver(Service::Commerce, &two, AccountErased::full_name(), erased);
    assert_eq!(refusal(sent.await), NOT_ALLOWED);
    assert_eq!(school.page(learner, 1, false).await.unwrap().count, 0);
}

#[tokio::test]
async fn an_entitlement_event_with_a_missing_field_is_refused() {
    let school = School::open().await;
    let valid = || granted(learner(), "line", None);
    let source = |kind: EntitlementSourceKind, id: &str| EntitlementGranted {
        source: Some(EntitlementSource { kind: kind.into(), id: id.to_owned() }),
        ..valid()
    };
    let kind = EntitlementSourceKind::Staff;
    let time = |seconds, nanos| Some(prost_types::Timestamp { seconds, nanos });
    for wrong in [
        EntitlementGranted { source: None, ..valid() },
        source(EntitlementSourceKind::Unspecified, "line"),
        source(kind, ""),
        source(kind, "a\0"),
        source(kind, &"a".repeat(201)),
        EntitlementGranted { learner_id: "junk".to_owned(), ..valid() },
        EntitlementGranted { granted_at: None, ..valid() },
        EntitlementGranted { granted_at: time(i64::MAX, 0), ..valid() },
        EntitlementGranted { expire_at: time(0, -1), ..valid() },
    ] {
        assert_eq!(refusal(school.sell(&wrong).await), INVALID, "{wrong:?}");
    }
    school.sell(&source(kind, &"あ".repeat(200))).await.unwrap();
    let no_time = EntitlementRevoked { revoked_at: None, ..revoked(learner(), "line", NOON) };
    assert_eq!(refusal(school.sell(&no_time).await), INVALID);
    let no_time = EntitlementExtended { extended_at: None, ..extended(learner(), "line", NOON, None) };
    assert_eq!(refusal(school.sell(&no_time).await), INVALID);
}

/// Lists as commerce the courses that these accounts can use: learner, course and end in seconds.
async fn active_courses(
    school: &School,
    learners: &[String],
) -> Result<Vec<(String, i64, Option<i64>)>, Status> {
    let channel = school.server.channel_as(Caller::service(Service::Commerce));
    let request = ListActiveCoursesRequest { learner_ids: learners.to_vec() };
    let answer = EntitlementServiceClient::new(channel).list_active_courses(request).await?;
    let courses = answer.into_inner().courses.into_iter();
    let seconds = |end: prost_types::Timestamp| end.seconds;
    Ok(courses.map(|it| (it.learner_id, it.course_id, it.active_until.map(seconds))).collect())
}

#[tokio::test]
async fn active_courses_exclude_expired_and_revoked_ones() {
    let school = School::open().await;
    let [one, two, stranger] = [learner(), learner(), learner()];
    let end = NOON + Duration::DAY;
    school.sell(&granted(one, "one", Some(end))).await.unwrap();
    school.grant(one, 102).await;
    school.grant(two, 102).await;
    school.sell(&granted(two, "two", None)).await.unwrap();
    school.sell(&granted(stranger, "stranger", None)).await.unwrap();
    let ids = [one, two].map(|id| id.to_string());
    let [first, second] = ids.clone();
    let until = Some(end.unix_timestamp());
    assert_eq!(
        active_courses(&school, &ids).await.unwrap(),
        [
            (first.clone(), COURSE, until),
            (first.clone(), 102, None),
            (second.clone(), COURSE, None),
            (second.clone(), 102, None),
        ]
    );

    school.sell(&revoked(two, "two", NOON)).await.unwrap();
    school.clock.advance(Duration::DAY - Duration::SECOND);
    assert_eq!(
        active_courses(&school, &ids).await.unwrap(),
        [(first.clone(), COURSE, until), (first.clone(), 102, None), (second.clone(), 102, None)]
    );
    assert_eq!(usable_courses(&school, one).await, [COURSE, 102]);
    assert_eq!(usable_courses(&school, two).await, [102]);
    assert_eq!(course_users(&school, COURSE, &ids).await.unwrap(), [one.to_string()]);
    assert_eq!(course_users(&school, 102, &ids[1..]).await.unwrap(), [two.to_string()]);
    assert_eq!(
        course_users(&school, 102, &["x".to_owned()]).await.unwrap_err().code(),
        Code::InvalidArgument
    );
    let many = vec![one.to_string(); 201];
    assert_eq!(course_users(&school, 102, &many).await.unwrap_err().code(), Code::InvalidArgument);
    school.clock.advance(Duration::SECOND);
    assert_eq!(active_courses(&school, &ids).await.unwrap(), [(first, 102, None), (second, 102, None)]);
    assert_eq!(usable_courses(&school, one).await, [102]);
    assert_eq!(course_users(&school, COURSE, &ids).await.unwrap(), [""; 0]);
    assert_eq!(usable_courses(&school, learner()).await, [0; 0]);
}

/// Lists, for auth, which learners can use a course.
async fn course_users(school: &School, course_id: i64, ids: &[String]) -> Result<Vec<String>, Status> {
    let channel = school.server.channel_as(Caller::service(Service::Auth));
    let request = ListCourseUsersRequest { course_id, learner_ids: ids.to_vec() };
    Ok(InventoryServiceClient::new(channel).list_course_users(request).await?.into_inner().learner_ids)
}

/// Lists as a learner the courses that they can use.
async fn usable_courses(school: &School, learner: Uuid) -> Vec<i64> {
    let request = ListUsableCoursesRequest {};
    school.inventory(learner).list_usable_courses(request).await.unwrap().into_inner().course_ids
}

#[tokio::test]
async fn a_course_that_was_granted_twice_has_the_latest_end() {
    let school = School::open().await;
    let learner = learner();
    for days in [30, 365, 1] {
        let end = Some(NOON + Duration::days(days));
        school.sell(&granted(learner, &format!("{days} days"), end)).await.unwrap();
    }
    let end = Some((NOON + Duration::days(365)).unix_timestamp());
    let active = active_courses(&school, &[learner.to_string()]).await.unwrap();
    assert_eq!(active, [(learner.to_string(), COURSE, end)]);
}

#[tokio::test]
async fn active_courses_are_listed_for_at_most_100_uuids() {
    let school = School::open().await;
    let ids: Vec<_> = (0..101).map(|_| learner().to_string()).collect();
    assert_eq!(active_courses(&school, &ids[..100]).await.unwrap(), []);
    assert_eq!(active_courses(&school, &[]).await.unwrap(), []);
    let field = |answer: Result<_, Status>| {
        let problem = ServiceError::from_status(&answer.map(|_: Vec<_>| ()).unwrap_err());
        problem.fields.first().map(|field| format!("{} {}", field.name, field.code))
    };
    assert_eq!(field(active_courses(&school, &ids).await).as_deref(), Some("learner_ids TOO_LONG"));
    let invalid = active_courses(&school, &["one".to_owned()]).await;
    assert_eq!(field(invalid).as_deref(), Some("learner_ids INVALID_FORMAT"));
}

impl School {
    /// Returns the number of lessons of course 101, and how many of them the learner opened at
    /// `since` or later.
    async fn opened(&self, learner: Uuid, since: OffsetDateTime) -> (u32, u32) {
        let bought = BoughtCourse {
            learner_id: learner.to_string(),
            course_id: COURSE,
            granted_at: Some(timestamp(since)),
        };
        let courses = self.count_opened(vec![bought]).await.unwrap();
        (courses[0].lessons, courses[0].opened)
    }

    async fn count_opened(
        &self,
        courses: Vec<BoughtCourse>,
    ) -> Result<Vec<proto::lms::OpenedLessons>, Status> {
        let channel = self.server.channel_as(Caller::service(Service::Commerce));
        let request = CountOpenedLessonsRequest { courses };
        let counted = EntitlementServiceClient::new(channel).count_opened_lessons(request).await?;
        Ok(counted.into_inner().courses)
    }
}

#[tokio::test]
async fn a_lesson_counts_once_as_opened_by_its_video_handouts_or_playback() {
    let school = School::open().await;
    let learner = learner();
    school.grant(learner, COURSE).await;
    assert_eq!(school.opened(learner, NOON).await, (3, 0));
    stream::start_lesson(&school, learner, LESSONS[0], 1, false).await.unwrap();
    stream::start_lesson(&school, learner, LESSONS[0], 1, false).await.unwrap();
    assert_eq!(school.opened(learner, NOON).await, (3, 1));
    let request = OpenHandoutsRequest { lesson_id: LESSONS[1], ..Default::default() };
    school.lessons(learner).open_handouts(request).await.unwrap();
    assert_eq!(school.opened(learner, NOON).await, (3, 2));
    crate::watch::beat(&school, learner, LESSONS[2], 10, 0..10, 1).await.unwrap();
    assert_eq!(school.opened(learner, NOON).await, (3, 3));
    assert_eq!(school.opened(crate::school::learner(), NOON).await, (3, 0), "another learner");
}

#[tokio::test]
async fn lessons_opened_before_the_grant_count_once_they_are_opened_again() {
    let school = School::open().await;
    let learner = learner();
    school.grant(learner, COURSE).await;
    stream::start_lesson(&school, learner, LESSONS[0], 1, false).await.unwrap();
    let next_year = NOON + Duration::days(365);
    school.clock.advance(Duration::days(365));
    assert_eq!(school.opened(learner, next_year).await, (3, 0));
    stream::start_lesson(&school, learner, LESSONS[0], 1, false).await.unwrap();
    assert_eq!(school.opened(learner, next_year).await, (3, 1));
}

#[tokio::test]
async fn opened_lessons_are_counted_for_each_course_of_the_request_in_its_order() {
    let school = School::open().await;
    let learner = learner();
    school.grant(learner, COURSE).await;
    stream::start(&school, learner, 1, false).await.unwrap();
    let bought = |course_id| BoughtCourse {
        learner_id: learner.to_string(),
        course_id,
        granted_at: Some(timestamp(NOON)),
    };
    let counted = school.count_opened(vec![bought(999), bought(COURSE), bought(999)]).await.unwrap();
    let counted: Vec<_> = counted.iter().map(|course| (course.lessons, course.opened)).collect();
    assert_eq!(counted, [(0, 0), (3, 1), (0, 0)], "an unknown course has no lessons");
    let many = vec![bought(COURSE); 101];
    assert_eq!(refusal(school.count_opened(many).await), INVALID);
    let nobody = BoughtCourse { learner_id: "1".to_owned(), ..bought(COURSE) };
    assert_eq!(refusal(school.count_opened(vec![nobody]).await), INVALID);
}
