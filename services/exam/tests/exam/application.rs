//! Applications: their steps, and what a started paper makes unchangeable.

use kit::error::ServiceError;
use proto::exam::{
    Application, ApplicationStage, ApplicationState, BasicInfo, ClearDesiredSchoolRequest,
    ExportApplicationsRequest, GetApplicationRequest, ListApplicationsRequest, PaperState,
    SetBasicInfoRequest, SetDesiredSchoolRequest, SetDeviceCheckRequest,
};
use time::macros::datetime;
use tonic::{Code, Status};
use uuid::Uuid;

use crate::school::{NOON, School, learner};
use crate::seat::reason;

/// Valid basic info.
pub(crate) fn info() -> BasicInfo {
    BasicInfo {
        last_name: "井上".to_owned(),
        first_name: "拓海".to_owned(),
        last_kana: "いのうえ".to_owned(),
        first_kana: "ﾀｸﾐ".to_owned(),
        school_year: "中3".to_owned(),
        school_name: "　青葉中学校 ".to_owned(),
        prefecture: "東京都".to_owned(),
    }
}

impl School {
    async fn application(&self, learner: Uuid) -> Application {
        let request = GetApplicationRequest { exam_id: 1 };
        let found = self.applications(learner).get_application(request).await.unwrap().into_inner();
        found.application.unwrap()
    }

    async fn stage(&self, learner: Uuid) -> ApplicationStage {
        self.application(learner).await.stage()
    }

    async fn fill_in(&self, learner: Uuid, info: BasicInfo) -> Result<(), Status> {
        let request = SetBasicInfoRequest { exam_id: 1, basic_info: Some(info) };
        self.applications(learner).set_basic_info(request).await.map(drop)
    }

    async fn wish(
        &self,
        learner: Uuid,
        rank: i32,
        school_id: i64,
        school_marks: Option<i32>,
    ) -> Result<(), Status> {
        let department_id = school_id * 100 + 1;
        let request = SetDesiredSchoolRequest { exam_id: 1, rank, school_id, department_id, school_marks };
        self.applications(learner).set_desired_school(request).await.map(drop)
    }

    async fn clear(&self, learner: Uuid, rank: i32) -> Result<(), Status> {
        let request = ClearDesiredSchoolRequest { exam_id: 1, rank };
        self.applications(learner).clear_desired_school(request).await.map(drop)
    }

    async fn check_device(&self, learner: Uuid, storage_kept: bool) -> Result<bool, Status> {
        self.report_device(learner, SetDeviceCheckRequest { storage_kept, ..fit_device() }).await
    }

    async fn report_device(&self, learner: Uuid, report: SetDeviceCheckRequest) -> Result<bool, Status> {
        Ok(self.applications(learner).set_device_check(report).await?.into_inner().passed)
    }

    /// Lists the desired schools as `(rank, school)`.
    async fn wishes(&self, learner: Uuid) -> Vec<(i32, i64)> {
        let desired = self.application(learner).await.desired_schools;
        desired.into_iter().map(|desired| (desired.rank, desired.school.unwrap().id)).collect()
    }

    /// Starts a paper of the learner.
    async fn start(&self, learner: Uuid, paper: i64) {
        let mut connection = self.database.pool.acquire().await.unwrap();
        sqlx::query!(
            "
            INSERT INTO sitting (id, learner_id, paper_id, started_at, deadline_at, epoch, device_id, away_seconds)
            VALUES ($1, $2, $3, now(), now() + interval '50 minutes', 1, $1, 0)
            ",
            Uuid::now_v7(),
            learner,
            paper,
        )
        .execute(&mut *connection)
        .await
        .unwrap();
    }
}

/// The report of a device that passes.
pub(crate) fn fit_device() -> SetDeviceCheckRequest {
    SetDeviceCheckRequest {
        exam_id: 1,
        device_id: Uuid::nil().to_string(),
        browser: "Firefox 151".to_owned(),
        clock_offset_ms: -3 * 3_600_000,
        storage_kept: true,
        round_trip_ms: 40,
        sound: true,
        quiet_place: true,
        browser_fits: Some(true),
    }
}

fn field(refused: Result<(), Status>) -> (String, String) {
    let fields = ServiceError::from_status(&refused.unwrap_err()).fields;
    (fields[0].name.to_string(), fields[0].code.to_string())
}

#[tokio::test]
async fn a_step_opens_when_the_previous_one_is_done() {
    let school = School::open().await;
    let learner = learner();
    assert_eq!(school.stage(learner).await, ApplicationStage::Seat);
    assert_eq!(reason(school.fill_in(learner, info()).await), "NO_SEAT");
    school.take_seat(learner, 1).await.unwrap();
    assert_eq!(school.stage(learner).await, ApplicationStage::BasicInfo);
    assert_eq!(reason(school.wish(learner, 1, 1, None).await), "STEP_NOT_OPEN");
    school.fill_in(learner, info()).await.unwrap();
    assert_eq!(school.stage(learner).await, ApplicationStage::DesiredSchools);
    assert_eq!(reason(school.check_device(learner, true).await.map(drop)), "STEP_NOT_OPEN");
    school.wish(learner, 1, 1, Some(38)).await.unwrap();
    assert_eq!(school.stage(learner).await, ApplicationStage::DeviceCheck);
    assert!(!school.check_device(learner, false).await.unwrap());
    assert_eq!(school.stage(learner).await, ApplicationStage::DeviceCheck);
    assert!(school.check_device(learner, true).await.unwrap());
    let sheet = school.application(learner).await;
    assert_eq!((sheet.stage(), sheet.state()), (ApplicationStage::Exam, ApplicationState::Mine));
    let stored = sheet.basic_info.unwrap();
    assert_eq!((stored.last_kana.as_str(), stored.first_kana.as_str()), ("イノウエ", "タクミ"));
    assert_eq!(stored.school_name, "青葉中学校");
    assert_eq!(sheet.desired_schools[0].school_marks, Some(38));
    assert_eq!(sheet.papers.iter().map(|paper| paper.paper_id).collect::<Vec<_>>(), [11, 12]);
    assert!(sheet.papers.iter().all(|paper| paper.state() == PaperState::NotStarted));
}

#[tokio::test]
async fn a_device_is_fit_without_sound_or_a_quiet_place_but_not_without_storage_features_or_a_fast_connection()
 {
    let school = School::open().await;
    let learner = learner();
    school.take_seat(learner, 1).await.unwrap();
    school.fill_in(learner, info()).await.unwrap();
    school.wish(learner, 1, 1, None).await.unwrap();
    let fit = fit_device;
    for (report, wanted) in [
        (fit(), true),
        (SetDeviceCheckRequest { sound: false, ..fit() }, true),
        (SetDeviceCheckRequest { storage_kept: false, ..fit() }, false),
        (SetDeviceCheckRequest { quiet_place: false, ..fit() }, true),
        (SetDeviceCheckRequest { browser_fits: Some(false), ..fit() }, false),
        (SetDeviceCheckRequest { browser_fits: None, ..fit() }, true),
        (SetDeviceCheckRequest { round_trip_ms: 5_000, ..fit() }, true),
        (SetDeviceCheckRequest { round_trip_ms: 5_001, ..fit() }, false),
    ] {
        assert_eq!(school.report_device(learner, report.clone()).await.unwrap(), wanted, "{report:?}");
    }
}

#[tokio::test]
async fn an_application_has_the_extra_time_of_its_learner() {
    let school = School::open().await;
    let (one, other) = (learner(), learner());
    assert_eq!(school.application(one).await.time_percent, 100);
    let mut connection = school.database.pool.acquire().await.unwrap();
    exam::set_extra_time(&mut connection, one, Some(130)).await.unwrap();
    assert_eq!(school.application(one).await.time_percent, 130);
    assert_eq!(school.application(other).await.time_percent, 100);
    exam::set_extra_time(&mut connection, one, None).await.unwrap();
    assert_eq!(school.application(one).await.time_percent, 100);
}

#[tokio::test]
async fn every_wrong_field_of_the_basic_info_is_reported() {
    let school = School::open().await;
    let learner = learner();
    school.take_seat(learner, 1).await.unwrap();
    let wrong = BasicInfo {
        last_name: String::new(),
        first_kana: "Takumi".to_owned(),
        school_year: "中4".to_owned(),
        school_name: "あ".repeat(51),
        prefecture: "東京".to_owned(),
        ..info()
    };
    let refused = school.fill_in(learner, wrong).await.unwrap_err();
    let fields = ServiceError::from_status(&refused).fields;
    let told: Vec<_> = fields.iter().map(|field| (field.name.as_ref(), field.code.as_ref())).collect();
    let wanted = [
        ("last_name", "REQUIRED"),
        ("first_kana", "INVALID_FORMAT"),
        ("school_year", "UNKNOWN_CHOICE"),
        ("school_name", "TOO_LONG"),
        ("prefecture", "UNKNOWN_CHOICE"),
    ];
    assert_eq!(told, wanted);
    for school_year in forms::SCHOOL_YEARS {
        school.fill_in(learner, BasicInfo { school_year: school_year.to_owned(), ..info() }).await.unwrap();
    }
}

#[tokio::test]
async fn desired_schools_have_no_gap_in_ranks_and_no_duplicate() {
    let school = School::open().await;
    let learner = learner();
    school.take_seat(learner, 1).await.unwrap();
    school.fill_in(learner, info()).await.unwrap();
    assert_eq!(reason(school.wish(learner, 2, 1, None).await), "RANK_GAP");
    school.wish(learner, 1, 1, None).await.unwrap();
    assert_eq!(reason(school.wish(learner, 2, 1, None).await), "SCHOOL_TWICE");
    school.wish(learner, 2, 2, None).await.unwrap();
    school.wish(learner, 3, 3, Some(9)).await.unwrap();
    for (refused, wanted) in [
        (school.wish(learner, 0, 1, None).await, ("rank", "OUT_OF_RANGE")),
        (school.wish(learner, 6, 1, None).await, ("rank", "OUT_OF_RANGE")),
        (school.wish(learner, 3, 9, None).await, ("school_id", "UNKNOWN_CHOICE")),
        (school.wish(learner, 3, 3, Some(8)).await, ("school_marks", "OUT_OF_RANGE")),
        (school.wish(learner, 3, 3, Some(46)).await, ("school_marks", "OUT_OF_RANGE")),
        // The school does not count school marks.
        (school.wish(learner, 2, 2, Some(30)).await, ("school_marks", "OUT_OF_RANGE")),
    ] {
        let (name, code) = field(refused);
        assert_eq!((name.as_str(), code.as_str()), wanted);
    }
    school.clear(learner, 1).await.unwrap();
    assert_eq!(school.wishes(learner).await, [(1, 2), (2, 3)]);
    assert_eq!(school.clear(learner, 3).await.unwrap_err().code(), Code::NotFound);
    school.wish(learner, 1, 1, None).await.unwrap();
    assert_eq!(school.wishes(learner).await, [(1, 1), (2, 3)]);
}

#[tokio::test]
async fn an_application_cannot_change_after_a_paper_was_started() {
    let school = School::open().await;
    let learner = learner();
    school.take_seat(learner, 1).await.unwrap();
    school.fill_in(learner, info()).await.unwrap();
    school.wish(learner, 1, 1, None).await.unwrap();
    school.start(learner, 11).await;
    assert_eq!(reason(school.fill_in(learner, info()).await), "EXAM_STARTED");
    assert_eq!(reason(school.wish(learner, 1, 2, None).await), "EXAM_STARTED");
    assert_eq!(reason(school.clear(learner, 1).await), "EXAM_STARTED");
    // Another device can still be checked.
    assert!(school.check_device(learner, true).await.unwrap());
    let papers = school.application(learner).await.papers;
    assert_eq!(papers[0].state(), PaperState::Running);
    assert!(papers[0].sitting_id.is_some() && papers[0].handed_in_at.is_none());
}

#[tokio::test]
async fn a_learner_sees_their_own_applications_and_open_exams() {
    let school = School::open().await;
    let (mine, other) = (learner(), learner());
    school.take_seat(mine, 1).await.unwrap();
    school.fill_in(mine, info()).await.unwrap();
    let states = async |learner: Uuid| {
        let listed =
            school.applications(learner).list_applications(ListApplicationsRequest {}).await.unwrap();
        let listed = listed.into_inner().applications.into_iter();
        listed.map(|found| (found.exam.as_ref().unwrap().id, found.state())).collect::<Vec<_>>()
    };
    assert_eq!(states(mine).await, [(1, ApplicationState::Mine), (2, ApplicationState::Open)]);
    assert_eq!(states(other).await, [(1, ApplicationState::Open), (2, ApplicationState::Open)]);
    assert!(school.application(other).await.basic_info.is_none());
    // After the end of exam 1.
    school.clock.advance(datetime!(2026-12-06 00:00 UTC) - NOON);
    assert_eq!(states(mine).await, [(1, ApplicationState::Past), (2, ApplicationState::Open)]);
    assert_eq!(states(other).await, [(2, ApplicationState::Open)]);
    assert_eq!(reason(school.fill_in(mine, info()).await), "EXAM_ENDED");

    let exported = async |learner: Uuid| {
        let exported = school.applications(learner).export_applications(ExportApplicationsRequest {}).await;
        exported.unwrap().into_inner().applications.len()
    };
    assert_eq!((exported(mine).await, exported(other).await), (1, 0));
}

#[tokio::test]
async fn a_candidate_number_is_unique_stays_and_is_given_once() {
    let school = School::open().await;
    let learners: Vec<Uuid> = (1..=8).map(|_| learner()).collect();
    let mut connection = school.database.pool.acquire().await.unwrap();
    sqlx::query!("UPDATE exam SET capacity = NULL").execute(&mut *connection).await.unwrap();
    drop(connection);
    for id in &learners {
        school.take_seat(*id, 1).await.unwrap();
    }
    assert_eq!(school.application(learners[0]).await.candidate_number, None, "before the basic info");
    let filled = futures_util::future::join_all(learners.iter().map(|id| school.fill_in(*id, info()))).await;
    assert!(filled.iter().all(Result::is_ok), "{filled:?}");
    let mut numbers = Vec::new();
    for id in &learners {
        numbers.push(school.application(*id).await.candidate_number.unwrap());
    }
    let again = BasicInfo { school_year: "中2".to_owned(), ..info() };
    school.fill_in(learners[0], again).await.unwrap();
    assert_eq!(school.application(learners[0]).await.candidate_number.as_ref(), Some(&numbers[0]));
    numbers.sort_unstable();
    let wanted: Vec<String> = (1..=8).map(|number| format!("{number:06}")).collect();
    assert_eq!(numbers, wanted);
}
