//! A learner's progress, export and erasure.

use kit::caller::{Caller, Service};
use kit::client::Channel;
use kit::test::{account, guardian, guardian_of};
use prost::{Message as _, Name as _};
use proto::auth::{AccountCreated, AccountErased};
use proto::lms::learner_service_client::LearnerServiceClient;
use proto::lms::{
    CourseProgress, ExportLearnerInPartsRequest, ExportLearnerRequest, ExportLearnerResponse,
    GetLearningOverviewRequest, ListProgressRequest, ListProgressResponse, ResultKind, SetBookmarkRequest,
    SetFavoriteRequest, StartStreamRequest,
};
use time::Duration;
use tonic::Status;
use uuid::Uuid;

use crate::entitlement::{extended, granted, revoked};
use crate::question::chosen;
use crate::school::{COURSE, LESSON, LESSONS, NOON, School, learner, refusal};
use crate::watch::beat;

impl School {
    fn learners(&self, caller: Caller) -> LearnerServiceClient<Channel> {
        LearnerServiceClient::new(self.server.channel_as(caller))
    }

    /// Lists a learner's progress as a guardian sees it.
    pub(crate) async fn progress_for(&self, guardian: Uuid, learner: Uuid) -> Vec<CourseProgress> {
        self.overview_for(guardian, learner).await.courses
    }

    async fn overview_for(&self, guardian: Uuid, learner: Uuid) -> ListProgressResponse {
        let mut learners = self.learners(guardian_of(guardian, learner));
        learners.list_progress(ListProgressRequest::default()).await.unwrap().into_inner()
    }

    /// Returns the next lesson of the learner as a guardian sees it.
    async fn next(&self, learner: Uuid) -> Option<String> {
        let overview = self.overview_for(Uuid::now_v7(), learner).await;
        overview.next_lesson.map(|next| format!("{} {}", next.course_name, next.lesson_name))
    }

    async fn progress(&self, learner: Uuid) -> Vec<CourseProgress> {
        self.progress_for(Uuid::now_v7(), learner).await
    }

    pub(crate) async fn export(&self, account: Uuid) -> ExportLearnerResponse {
        self.export_as(kit::test::learner(account)).await
    }

    /// Exports all parts and merges them.
    async fn export_as(&self, caller: Caller) -> ExportLearnerResponse {
        let parts = self.learners(caller).export_learner_in_parts(ExportLearnerInPartsRequest {}).await;
        let mut parts = parts.unwrap().into_inner();
        let mut all = ExportLearnerResponse::default();
        while let Some(part) = parts.message().await.unwrap() {
            all.merge(part.part.unwrap().encode_to_vec().as_slice()).unwrap();
        }
        all
    }

    async fn deliver_from_auth(&self, id: &str, kind: String, payload: Vec<u8>) -> Result<(), Status> {
        self.deliver(Service::Auth, id, kind, payload).await
    }

    pub(crate) async fn erase(&self, event: Uuid, learner: Uuid) {
        let payload = AccountErased { account_id: learner.to_string() }.encode_to_vec();
        self.deliver_from_auth(&event.to_string(), AccountErased::full_name(), payload).await.unwrap();
    }

    /// Writes a row of the learner into every table.
    pub(crate) async fn fill_tables(&self, learner: Uuid) {
        self.grant(learner, COURSE).await;
        self.attend_class(learner).await;
        self.set_minutes(learner, 30).await.unwrap();
        let bookmark = SetBookmarkRequest { course_id: 102, ..Default::default() };
        self.marks(learner).set_bookmark(bookmark).await.unwrap();
        let favorite = SetFavoriteRequest { lesson_id: LESSON, ..Default::default() };
        self.marks(learner).set_favorite(favorite).await.unwrap();
        self.check_lesson(learner, LESSONS[1]).await.unwrap();
        beat(self, learner, LESSON, 30, 0..30, 1).await.unwrap();
        self.write(learner, Uuid::now_v7(), LESSON, 7, "主語").await.unwrap();
        let stream = StartStreamRequest {
            lesson_id: LESSON,
            device: Uuid::now_v7().to_string(),
            ..Default::default()
        };
        self.lessons(learner).start_stream(stream).await.unwrap();
        self.answer(learner, LESSON * 100 + 1, chosen(&[1]), None).await.unwrap();
        self.miss(Uuid::now_v7(), learner, &[1101]).await.unwrap();
        self.progress(learner).await;
        let mut connection = self.database.pool.acquire().await.unwrap();
        sqlx::query!(
            "
            INSERT INTO certificate (id, learner_id, course_id, course_name, learner_name, issued_at)
            VALUES ($1, $2, $3, '講座101', '葵 太郎', $4)
            ",
            Uuid::now_v7(),
            learner,
            COURSE,
            NOON,
        )
        .execute(&mut *connection)
        .await
        .unwrap();
    }

    /// Counts the rows of a learner in every table with a learner.
    async fn rows(&self, learner: Uuid) -> Vec<(String, i64)> {
        let mut connection = self.database.pool.acquire().await.unwrap();
        let tables: Vec<String> = sqlx::query_scalar!(
            r#"SELECT table_name::text AS "name!" FROM information_schema.columns
            WHERE table_schema = 'public' AND column_name = 'learner_id' ORDER BY 1"#
        )
        .fetch_all(&mut *connection)
        .await
        .unwrap();
        let mut rows = Vec::new();
        for table in tables {
            let count = sqlx::AssertSqlSafe(format!(
                "SELECT count(*) FROM {table} AS row WHERE row::text LIKE '%{learner}%'"
            ));
            let row = sqlx::Executor::fetch_one(&mut *connection, sqlx::raw_sql(count)).await.unwrap();
            rows.push((table, sqlx::Row::get(&row, 0)));
        }
        rows
    }
}

#[tokio::test]
async fn progress_has_each_course_once_with_its_latest_end() {
    let school = School::with_questions().await;
    let learner = learner();
    assert!(school.progress(learner).await.is_empty());
    school.grant_until(learner, COURSE, Some(NOON + Duration::DAY)).await;
    school.grant_until(learner, COURSE, Some(NOON + Duration::days(9))).await;
    school.clock.advance(Duration::HOUR);
    school.grant_until(learner, 102, Some(NOON)).await;
    school.grant(learner, 102).await;
    school.fill_tables(learner).await;
    school.grant(crate::school::learner(), 102).await;

    let courses = school.progress(learner).await;
    let ids: Vec<_> = courses.iter().map(|course| course.course_id).collect();
    assert_eq!(ids, [COURSE, 102], "the watched course, then the newest one");
    assert_eq!((courses[0].lesson_count, courses[0].check_count), (3, 1));
    assert_eq!(courses[0].last_watched_at.unwrap().seconds, (NOON + Duration::HOUR).unix_timestamp());
    assert_eq!(courses[0].expire_at, None, "one of its three items has no end");
    assert_eq!((courses[1].expire_at, courses[1].last_watched_at), (None, None));
    for lesson in LESSONS {
        school.check_lesson(learner, lesson).await.unwrap();
    }
    let done = &school.progress(learner).await[0];
    assert_eq!(done.check_count, 3);
    assert!(done.completed_at.is_some());
}

#[tokio::test]
async fn a_guardian_sees_the_watch_time_of_seven_days_and_the_due_reviews() {
    let school = School::with_questions().await;
    let learner = learner();
    let overview = school.overview_for(Uuid::now_v7(), learner).await;
    assert_eq!(overview, ListProgressResponse::default());
    school.fill_tables(learner).await;
    let overview = async || {
        let overview = school.overview_for(Uuid::now_v7(), learner).await;
        (overview.week_seconds, overview.due_count)
    };
    assert_eq!(overview().await, (30, 0));
    school.clock.advance(Duration::DAY);
    beat(&school, learner, LESSON, 50, 30..50, 2).await.unwrap();
    // One question of a lesson and one of a mock exam are due.
    assert_eq!(overview().await, (50, 2));
    school.clock.advance(Duration::days(6));
    assert_eq!(overview().await, (20, 2));
}

#[tokio::test]
async fn the_overview_is_the_same_for_guardian_and_child_and_has_results_without_answers() {
    let school = School::with_questions().await;
    let (child, other) = (learner(), learner());
    school.fill_tables(other).await;
    school.grant(child, COURSE).await;
    beat(&school, child, LESSON, 30, 0..30, 1).await.unwrap();
    school.clock.advance(Duration::days(9));
    beat(&school, child, LESSON, 45, 30..45, 2).await.unwrap();
    school.answer(child, LESSON * 100 + 1, chosen(&[1]), None).await.unwrap();
    let overview = async |caller| {
        let found = school.learners(caller).get_learning_overview(GetLearningOverviewRequest {}).await;
        found.unwrap().into_inner()
    };
    let own = overview(kit::test::learner(child)).await;
    assert_eq!(overview(guardian_of(Uuid::now_v7(), child)).await, own);
    let seconds: Vec<_> = own.days.iter().map(|day| day.seconds).collect();
    assert_eq!(seconds, [0, 0, 0, 0, 30, 0, 0, 0, 0, 0, 0, 0, 0, 15]);
    assert_eq!(own.courses, school.progress(child).await);
    let [subject] = &own.subjects[..] else { panic!("{:?}", own.subjects) };
    assert_eq!((subject.answer_count, &subject.last_date), (1, &own.days[13].date));
    let strange = overview(kit::test::learner(learner())).await;
    assert_eq!((strange.courses, strange.subjects, strange.due_count), (vec![], vec![], 0));
}

#[tokio::test]
async fn the_next_lesson_follows_the_last_watched_one() {
    let school = School::with_questions().await;
    let learner = learner();
    school.grant_until(learner, COURSE, Some(NOON + Duration::days(30))).await;
    school.clock.advance(Duration::HOUR);
    school.grant_until(learner, 102, Some(NOON + Duration::days(30))).await;
    assert_eq!(school.next(learner).await.as_deref(), Some("講座102 講義1"), "the newest course");
    beat(&school, learner, LESSONS[1], 50, 0..50, 1).await.unwrap();
    assert_eq!(
        school.next(learner).await.as_deref(),
        Some("講座101 講義2"),
        "the last watched lesson until its end"
    );
    beat(&school, learner, LESSONS[1], 200, 50..60, 2).await.unwrap();
    assert_eq!(school.next(learner).await.as_deref(), Some("講座101 講義3"), "the lesson after it");
    school.check_lesson(learner, LESSONS[2]).await.unwrap();
    assert_eq!(school.next(learner).await.as_deref(), Some("講座101 講義1"), "the rest of the course");
    school.check_lesson(learner, LESSONS[0]).await.unwrap();
    assert_eq!(school.next(learner).await.as_deref(), Some("講座102 講義1"), "another course");
    school.clock.advance(Duration::days(31));
    assert_eq!(school.next(learner).await, None, "no course can be used");
}

#[tokio::test]
async fn the_end_of_a_course_is_that_of_its_last_item() {
    let school = School::with_questions().await;
    let learner = learner();
    for days in [9, 1] {
        school.grant_until(learner, COURSE, Some(NOON + Duration::days(days))).await;
    }
    let courses = school.progress(learner).await;
    assert_eq!(courses.len(), 1);
    assert_eq!(courses[0].expire_at.unwrap().seconds, (NOON + Duration::days(9)).unix_timestamp());
}

#[tokio::test]
async fn an_export_has_all_data_of_the_learner_and_no_other() {
    let school = School::with_questions().await;
    let (one, other) = (learner(), learner());
    school.fill_tables(one).await;
    school.fill_tables(other).await;
    let export = school.export(one).await;
    assert_eq!(export.items.len(), 1);
    assert_eq!(export.items[0].course, "講座101");
    assert_eq!(export.bookmarks[0].course, "講座102");
    assert_eq!((export.favorites.len(), export.favorites[0].lesson.as_str()), (1, "講義1"));
    assert_eq!((export.checks.len(), export.checks[0].lesson.as_str()), (1, "講義2"));
    assert_eq!((export.watches.len(), export.watches[0].position, export.watches[0].covered), (1, 30, 30));
    assert_eq!((export.progress.len(), export.progress[0].check_count), (1, 1));
    assert_eq!(
        (export.days.len(), export.days[0].date.as_str(), export.days[0].seconds),
        (1, "2026-11-20", 30)
    );
    assert_eq!((export.notes.len(), export.notes[0].text.as_str()), (1, "主語"));
    let [answer] = &export.answers[..] else { panic!("{:?}", export.answers) };
    assert_eq!((answer.lesson.as_str(), answer.question.as_str()), ("講義1", "どれが負の数ですか"));
    assert_eq!((answer.given.as_str(), answer.is_right, answer.kind()), ("$+2$", false, ResultKind::Graded));
    assert_eq!((export.reviews.len(), export.reviews[0].step), (1, 1));
    // 04:00 in Tokyo.
    let tomorrow = (NOON + Duration::hours(16)).unix_timestamp();
    assert_eq!(export.reviews[0].due_at.unwrap().seconds, tomorrow);
    let [result] = &export.results[..] else { panic!("{:?}", export.results) };
    assert_eq!((result.kind(), result.answered_count, result.right_count), (ResultKind::Graded, 1, 0));
    let [certificate] = &export.certificates[..] else { panic!("{:?}", export.certificates) };
    assert_eq!((certificate.course_name.as_str(), certificate.learner_name.as_str()), ("講座101", "葵 太郎"));
    let [attendance] = &export.attendances[..] else { panic!("{:?}", export.attendances) };
    assert_eq!(
        (attendance.class.as_str(), attendance.joined_at.unwrap().seconds),
        ("金曜クラス", NOON.unix_timestamp())
    );
    let [homework] = &export.homework_marks[..] else { panic!("{:?}", export.homework_marks) };
    assert_eq!((homework.class.as_str(), homework.homework.as_str()), ("金曜クラス", "プリント"));
    assert_eq!(export.study_minutes, Some(30));
    assert_eq!((export.streams.len(), export.streams[0].lesson.as_str()), (1, "講義1"));
    assert_eq!(school.export(learner()).await, ExportLearnerResponse::default());

    // An edge of an older release requests the export in one message.
    let mut learners = school.learners(kit::test::learner(one));
    let at_once = learners.export_learner(ExportLearnerRequest::default()).await.unwrap();
    let known = ExportLearnerResponse { results: Vec::new(), streams: Vec::new(), ..export };
    assert_eq!(at_once.into_inner(), known);
}

#[tokio::test]
#[expect(deprecated, reason = "callers of the release before fill the field, and it must change nothing")]
async fn an_export_ignores_the_account_in_the_message() {
    let school = School::with_questions().await;
    let owner = learner();
    school.fill_tables(owner).await;
    let request = || ExportLearnerRequest { learner_id: owner.to_string() };
    // Any account can export its own data, including data of a scope that it no longer has.
    for caller in [kit::test::learner(learner()), guardian(learner()), account(learner(), &[])] {
        let export = school.learners(caller).export_learner(request()).await.unwrap().into_inner();
        assert_eq!(export, ExportLearnerResponse::default());
        assert_eq!(school.export_as(caller).await, ExportLearnerResponse::default());
    }
    let own = school.export_as(account(owner, &[])).await;
    assert_eq!(own, school.export(owner).await);
    assert_eq!(own.items.len(), 1);
}

#[tokio::test]
async fn an_erasure_deletes_all_rows_of_the_account_and_no_others() {
    let school = School::with_questions().await;
    let (erased, other) = (learner(), learner());
    school.fill_tables(erased).await;
    school.fill_tables(other).await;
    let before = school.rows(other).await;
    assert!(before.len() >= 9 && before.iter().all(|(_, count)| *count == 1), "{before:?}");
    assert_eq!(school.rows(erased).await, before);

    let event = Uuid::now_v7();
    school.erase(event, erased).await;
    assert!(school.rows(erased).await.iter().all(|(_, count)| *count == 0));
    assert_eq!(school.rows(other).await, before);

    // A repeated event changes nothing.
    school.erase(event, erased).await;
    assert_eq!(school.rows(other).await, before);
}

#[tokio::test]
async fn an_erased_account_stays_erased_when_its_entitlement_events_arrive_late() {
    let school = School::open().await;
    let (erased, other) = (learner(), learner());
    school.sell(&granted(erased, "before", None)).await.unwrap();
    school.erase(Uuid::now_v7(), erased).await;
    let later = NOON + Duration::DAY;
    school.sell(&granted(erased, "late", None)).await.unwrap();
    school.sell(&extended(erased, "before", NOON, Some(later))).await.unwrap();
    school.sell(&revoked(erased, "before", NOON)).await.unwrap();
    assert!(school.rows(erased).await.iter().all(|(_, count)| *count == 0));
    school.sell(&granted(other, "other", None)).await.unwrap();
    assert_eq!(school.page(other, 1, false).await.unwrap().count, 1);

    // An event older than 30 days needs manual repair, so the account is forgotten then.
    let mut connection = school.database.pool.acquire().await.unwrap();
    let remembered = Duration::days(30);
    let mut sweep_at =
        async |time| lms::sweep::once(&mut connection, time, Duration::days(365)).await.unwrap();
    assert_eq!(sweep_at(NOON + remembered).await, 0);
    assert_eq!(sweep_at(NOON + remembered + Duration::SECOND).await, 1);
}

#[tokio::test]
async fn an_event_of_an_unknown_type_is_unimplemented_and_an_unreadable_one_is_refused() {
    let school = School::with_questions().await;
    let id = Uuid::now_v7().to_string();
    for kind in [AccountCreated::full_name(), String::new()] {
        let status = school.deliver_from_auth(&id, kind, Vec::new()).await.unwrap_err();
        assert_eq!(status.code(), tonic::Code::Unimplemented);
    }
    let erased = AccountErased::full_name();
    let payload = |account: &str| AccountErased { account_id: account.to_owned() }.encode_to_vec();
    for (id, payload) in [
        ("junk", payload(&learner().to_string())),
        (id.as_str(), payload("junk")),
        (id.as_str(), vec![0xff; 3]),
    ] {
        assert_eq!(refusal(school.deliver_from_auth(id, erased.clone(), payload).await), "Invalid INVALID");
    }
}
