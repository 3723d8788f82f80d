//! A small school for tests: a folder of content, a database, a running service, and a clock that
//! tests move.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use kit::caller::Service;
use kit::client::Channel;
use kit::error::ServiceError;
use kit::shutdown::Shutdown;
use kit::test::{HandClock, TestServer, anyone};
use kit_content::Difference;
use kit_db::test::TestDatabase;
use kit_pdf::PdfWriter;
use lms::config::Rules;
use proto::lms::catalogue_service_client::CatalogueServiceClient;
use proto::lms::inventory_service_client::InventoryServiceClient;
use proto::lms::lesson_service_client::LessonServiceClient;
use proto::lms::mark_service_client::MarkServiceClient;
use proto::lms::search_service_client::SearchServiceClient;
use proto::lms::teacher_service_client::TeacherServiceClient;
use proto::lms::watch_service_client::WatchServiceClient;
use proto::lms::{
    ClearCheckRequest, Course, EntitlementGranted, EntitlementSource, EntitlementSourceKind,
    GetCoursesRequest, GetInventoryItemRequest, InventoryItem, InventoryState, ListInventoryRequest,
    ListInventoryResponse, SetCheckRequest,
};
use time::macros::datetime;
use time::{Duration, OffsetDateTime};
use tonic::Status;
use uuid::Uuid;

use crate::entitlement::timestamp;

/// The start of every test: Friday noon in Tokyo.
pub(crate) const NOON: OffsetDateTime = datetime!(2026-11-20 03:00 UTC);

/// A course with three lessons of 100, 200 and 300 seconds.
pub(crate) const COURSE: i64 = 101;
/// Its first lesson, of 100 seconds.
pub(crate) const LESSON: i64 = 101_010_101;
/// All its lessons.
pub(crate) const LESSONS: [i64; 3] = [LESSON, LESSON + 1, LESSON + 2];

/// The default rules.
pub(crate) const RULES: Rules = Rules {
    mark_limit: 500,
    new_for: Duration::days(7),
    done_percent: 90,
    stream_limit: 2,
    stream_silence: Duration::MINUTE,
    link_time: Duration::hours(2),
    practice_limit: 100,
    certificate_percent: 70,
};

/// The font of certificates.
pub(crate) const FONTS: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/node_modules/@expo-google-fonts/biz-udpgothic");

fn pdf_writer() -> PdfWriter {
    PdfWriter::load(Path::new(FONTS)).unwrap()
}

pub(crate) struct School {
    pub(crate) folder: Folder,
    pub(crate) clock: HandClock,
    pub(crate) database: TestDatabase,
    pub(crate) server: TestServer,
}

impl School {
    /// Opens a school with courses 101 and 102, with three lessons each.
    pub(crate) async fn open() -> Self {
        Self::with_rules(RULES).await
    }

    /// Opens the same school with other rules.
    pub(crate) async fn with_rules(rules: Rules) -> Self {
        let folder = Folder::new();
        folder.course(COURSE, 3);
        folder.course(102, 3);
        Self::with(folder, rules).await
    }

    /// Opens a school with the content of `folder`.
    pub(crate) async fn with(folder: Folder, rules: Rules) -> Self {
        let database = TestDatabase::new(&lms::MIGRATIONS).await;
        let clock = HandClock::at(NOON);
        let shutdown = Shutdown::default();
        let services = lms::services(database.pool.clone(), clock.clock(), rules, pdf_writer(), shutdown);
        let server = TestServer::service(Service::Lms, lms::CALLERS, services).await;
        let school = Self { folder, clock, database, server };
        school.import().await.unwrap();
        school
    }

    /// Imports the folder. The error is the text of the faults.
    pub(crate) async fn import(&self) -> Result<Difference, String> {
        self.import_as(false).await
    }

    /// Returns what an import would change.
    pub(crate) async fn try_import(&self) -> Result<Difference, String> {
        self.import_as(true).await
    }

    async fn import_as(&self, dry_run: bool) -> Result<Difference, String> {
        lms::import_folder(&self.database.pool, &self.clock.clock(), &self.folder.path, dry_run)
            .await
            .map_err(|error| error.to_string())
    }

    /// A channel of the edge on behalf of a learner.
    pub(crate) fn channel(&self, learner: Uuid) -> Channel {
        self.server.channel_as(kit::test::learner(learner))
    }

    pub(crate) fn catalogue(&self) -> CatalogueServiceClient<Channel> {
        CatalogueServiceClient::new(self.server.channel_as(anyone()))
    }

    pub(crate) fn teachers(&self) -> TeacherServiceClient<Channel> {
        TeacherServiceClient::new(self.server.channel_as(anyone()))
    }

    pub(crate) fn search(&self) -> SearchServiceClient<Channel> {
        SearchServiceClient::new(self.server.channel_as(anyone()))
    }

    /// The lesson service as the edge calls it for itself.
    pub(crate) fn edge_lessons(&self) -> LessonServiceClient<Channel> {
        LessonServiceClient::new(self.server.channel_as(anyone()))
    }

    pub(crate) fn lessons(&self, learner: Uuid) -> LessonServiceClient<Channel> {
        LessonServiceClient::new(self.channel(learner))
    }

    pub(crate) fn inventory(&self, learner: Uuid) -> InventoryServiceClient<Channel> {
        InventoryServiceClient::new(self.channel(learner))
    }

    pub(crate) fn marks(&self, learner: Uuid) -> MarkServiceClient<Channel> {
        MarkServiceClient::new(self.channel(learner))
    }

    pub(crate) fn watching(&self, learner: Uuid) -> WatchServiceClient<Channel> {
        WatchServiceClient::new(self.channel(learner))
    }

    /// Grants a course without end. Returns the id of the item.
    pub(crate) async fn grant(&self, learner: Uuid, course: i64) -> i64 {
        self.grant_until(learner, course, None).await
    }

    /// Grants a course until `end`, as an order does. Returns the id of the item.
    pub(crate) async fn grant_until(&self, learner: Uuid, course: i64, end: Option<OffsetDateTime>) -> i64 {
        let id = Uuid::now_v7().to_string();
        let kind = EntitlementSourceKind::OrderLine.into();
        let grant = EntitlementGranted {
            source: Some(EntitlementSource { kind, id: id.clone() }),
            learner_id: learner.to_string(),
            course_id: course,
            product_id: 1000 + course,
            granted_at: Some(timestamp(self.clock.clock().now())),
            expire_at: end.map(timestamp),
            is_auto_renewal: false,
        };
        self.sell(&grant).await.unwrap();
        let mut connection = self.database.pool.acquire().await.unwrap();
        sqlx::query_scalar!(r#"SELECT inventory_id AS "id!" FROM entitlement_source WHERE id = $1"#, id)
            .fetch_one(&mut *connection)
            .await
            .unwrap()
    }

    /// Gives a learner enough watch credit to cover a whole lesson at once.
    pub(crate) async fn open_lesson(&self, learner: Uuid, lesson: i64) {
        let mut connection = self.database.pool.acquire().await.unwrap();
        sqlx::query!(
            "
            INSERT INTO watch_credit (learner_id, lesson_id, credit)
            SELECT $1, id, 1000000000 FROM lesson WHERE id = $2
            ON CONFLICT DO NOTHING
            ",
            learner,
            lesson,
        )
        .execute(&mut *connection)
        .await
        .unwrap();
    }

    pub(crate) async fn page(
        &self,
        learner: Uuid,
        page: u32,
        sort_by_watchhistory: bool,
    ) -> Result<ListInventoryResponse, Status> {
        let request = ListInventoryRequest { page, sort_by_watchhistory, ..Default::default() };
        self.inventory(learner).list_inventory(request).await.map(tonic::Response::into_inner)
    }

    /// Gets the first page of the items in a state, last watched first.
    pub(crate) async fn items_in(&self, learner: Uuid, state: InventoryState) -> ListInventoryResponse {
        let state = state.into();
        let request =
            ListInventoryRequest { page: 1, sort_by_watchhistory: true, state, ..Default::default() };
        self.inventory(learner).list_inventory(request).await.unwrap().into_inner()
    }

    pub(crate) async fn item(&self, learner: Uuid, id: i64) -> Result<InventoryItem, Status> {
        let request = GetInventoryItemRequest { id, ..Default::default() };
        let answer = self.inventory(learner).get_inventory_item(request).await?;
        Ok(answer.into_inner().item.unwrap())
    }

    /// Checks a lesson.
    pub(crate) async fn check_lesson(&self, learner: Uuid, lesson_id: i64) -> Result<(), Status> {
        let request = SetCheckRequest { lesson_id, ..Default::default() };
        self.marks(learner).set_check(request).await.map(drop)
    }

    /// Removes the check of a lesson.
    pub(crate) async fn uncheck_lesson(&self, learner: Uuid, lesson_id: i64) {
        let request = ClearCheckRequest { lesson_id, ..Default::default() };
        self.marks(learner).clear_check(request).await.unwrap();
    }

    pub(crate) async fn course(&self, id: i64) -> Course {
        let answer = self.catalogue().get_courses(GetCoursesRequest { ids: vec![id] }).await.unwrap();
        answer.into_inner().courses.pop().unwrap()
    }
}

/// A folder of content. It is deleted with the test.
pub(crate) struct Folder {
    pub(crate) path: PathBuf,
}

impl Folder {
    /// A folder with one teacher and no course.
    pub(crate) fn new() -> Self {
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(Uuid::now_v7().to_string());
        fs::create_dir_all(path.join("courses")).unwrap();
        let folder = Self { path };
        folder.write(
            "teachers.yaml",
            "teachers:\n- {id: 1, name: 高瀬航, kana: タカセ ワタル, subjects: [数学], message: こんにちは, career: 教員}\n",
        );
        folder
    }

    pub(crate) fn write(&self, file: &str, text: &str) {
        fs::write(self.path.join(file), text).unwrap();
    }

    pub(crate) fn remove(&self, file: &str) {
        fs::remove_file(self.path.join(file)).unwrap();
    }

    /// Replaces `from` in a file. Panics if the file does not contain it.
    pub(crate) fn edit(&self, file: &str, from: &str, to: &str) {
        let text = fs::read_to_string(self.path.join(file)).unwrap();
        assert!(text.contains(from), "{from} is not in {file}");
        self.write(file, &text.replace(from, to));
    }

    /// Writes a course of one chapter and one unit with lessons of 100, 200, 300 seconds and so on.
    pub(crate) fn course(&self, id: i64, lessons: i64) {
        self.course_of(id, "中1", "数学", lessons);
    }

    /// Writes such a course for a school year and a subject. A unit has at most 99 lessons; more go
    /// into further units.
    pub(crate) fn course_of(&self, id: i64, school_year: &str, category: &str, lessons: i64) {
        let mut text = format!(
            "id: {id}\nname: 講座{id}\ncategory: {category}\nschool_year: {school_year}\nlevel: 標準\nteacher: 1\n\
             summary: 一行の要約\ndescription: |-\n  一つ目の段落\n\n  二つ目の段落\ncreated: 2025-03-10\n\
             media: {{sample_video: /media/{id}/sample.m3u8}}\nchapters:\n- id: {id}01\n  name: 第1章\n  units:\n"
        );
        for lesson in 0..lessons {
            let (unit, number) = (lesson / 99 + 1, lesson % 99 + 1);
            if number == 1 {
                write!(text, "  - id: {id}01{unit:02}\n    name: 単元{unit}\n    lessons:\n").unwrap();
            }
            let duration = 100 * number;
            writeln!(
                text,
                "    - {{id: {id}01{unit:02}{number:02}, name: 講義{number}, summary: まとめ, duration: {duration}}}"
            )
            .unwrap();
        }
        self.write(&format!("courses/{id}.yaml"), &text);
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.path);
    }
}

/// Returns the code and the reason of a refusal, e.g. `NotFound NOT_FOUND`.
pub(crate) fn refusal<T: std::fmt::Debug>(answer: Result<T, Status>) -> String {
    let problem = ServiceError::from_status(&answer.unwrap_err());
    format!("{:?} {}", problem.code, problem.reason)
}

/// Returns the id of a new learner.
pub(crate) fn learner() -> Uuid {
    Uuid::now_v7()
}
