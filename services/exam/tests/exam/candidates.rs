//! Candidates of a demo: their papers, final results and questions to review.

use std::fs;
use std::path::Path;

use exam::marking_job::MarkingJob;
use prost::Message as _;
use proto::exam::result_service_client::ResultServiceClient;
use proto::exam::{
    ApplicationStage, ApplicationState, ExamQuestionsMissed, ExportApplicationsRequest,
    GetApplicationRequest, GetExamResultRequest, GetExamResultResponse, GetPaperResultRequest,
    GetPaperResultResponse,
};
use time::OffsetDateTime;
use time::macros::datetime;
use uuid::{Uuid, uuid};

use crate::hall::{RULES, at, outbox};
use crate::school::{NOON, School};

/// When the result of exam 1 is announced.
const RESULTS: OffsetDateTime = datetime!(2026-12-10 0:00 +9);
const ACCOUNT: Uuid = uuid!("01936f2a-4c00-7a31-8b52-1f6d0c9e4a01");
const CANDIDATES: &str = "\
- exam: 1
  invented: 40
  accounts:
    - id: 01936f2a-4c00-7a31-8b52-1f6d0c9e4a01
      ability: -1.5
      starts_at: 2026-11-26T10:00:00+09:00
      basic_info:
        last_name: 井上
        first_name: 拓海
        last_kana: イノウエ
        first_kana: タクミ
        school_year: 中3
        school_name: ひがし中学校
        prefecture: 東京都
      desired_schools:
        - { school: 1, department: 102, school_marks: 40 }
        - { school: 2, department: 201 }
";

impl School {
    /// With `CANDIDATES`, a week after the result was announced.
    async fn with_candidates() -> Self {
        let school = Self::empty().await;
        fs::write(school.folder.path.join("candidates.yaml"), CANDIDATES).unwrap();
        school.clock.advance(RESULTS - NOON + time::Duration::WEEK);
        school
    }

    fn results(&self, learner: Uuid) -> ResultServiceClient<kit::client::Channel> {
        ResultServiceClient::new(self.server.channel_as(kit::test::learner(learner)))
    }

    async fn exam_result(&self, learner: Uuid, exam_id: i64) -> GetExamResultResponse {
        let request = GetExamResultRequest { exam_id };
        self.results(learner).get_exam_result(request).await.unwrap().into_inner()
    }

    async fn paper_result(&self, learner: Uuid, paper_id: i64) -> GetPaperResultResponse {
        let request = GetPaperResultRequest { paper_id };
        self.results(learner).get_paper_result(request).await.unwrap().into_inner()
    }

    /// The statistics of all exams, papers and questions, as text.
    async fn statistics(&self) -> Vec<String> {
        let mut connection = self.database.pool.acquire().await.unwrap();
        let rows = sqlx::query_scalar!(
            r#"
            SELECT row::text AS "row!" FROM exam_statistics AS row
            UNION ALL SELECT row::text FROM paper_statistics AS row
            UNION ALL SELECT row::text FROM question_statistics AS row
            ORDER BY 1
            "#
        );
        rows.fetch_all(&mut *connection).await.unwrap()
    }
}

#[tokio::test]
async fn an_account_has_a_final_result_among_the_candidates() {
    let school = School::with_candidates().await;
    let lines = school.import().await.unwrap().to_string();
    assert!(lines.contains("+ candidates 1 第1回"), "{lines}");
    let result = school.exam_result(ACCOUNT, 1).await;
    assert!(result.is_final);
    assert_eq!(at(result.computed_at), RESULTS, "the result is dated to its announcement");
    for paper in &result.papers {
        let standing = paper.standing.as_ref().unwrap();
        assert!((36..=41).contains(&standing.candidate_count), "{standing:?}");
        assert!(!standing.is_reference);
    }
    let ranks: Vec<_> = result.judgements.iter().map(|judgement| judgement.desired_rank).collect();
    assert_eq!(ranks, [Some(1), Some(2)]);
    assert!(result.judgements.iter().all(|judgement| judgement.probability.is_some()));
    let paper = school.paper_result(ACCOUNT, 11).await;
    assert!(paper.questions.iter().all(|question| !question.explanation.is_empty()));
}

#[tokio::test]
async fn an_account_has_applied_and_its_export_has_the_answers() {
    let school = School::with_candidates().await;
    school.import().await.unwrap();
    let request = GetApplicationRequest { exam_id: 1 };
    let application = school.applications(ACCOUNT).get_application(request).await.unwrap().into_inner();
    let application = application.application.unwrap();
    assert_eq!(application.state(), ApplicationState::Past);
    assert_eq!(application.stage(), ApplicationStage::HandedIn);
    assert!(application.has_seat && application.device_checks[0].passed);
    let export = school.applications(ACCOUNT).export_applications(ExportApplicationsRequest {}).await;
    let sittings = export.unwrap().into_inner().sittings;
    let started: Vec<_> = sittings.iter().map(|sitting| at(sitting.started_at)).collect();
    let first = datetime!(2026-11-26 10:00 +9);
    assert_eq!(started, [first, first + time::Duration::HOUR], "50 minutes and a break");
    let paper = school.paper_result(ACCOUNT, 11).await;
    let given = paper.questions.iter().filter(|question| question.given.is_some()).count();
    assert_eq!(sittings[0].answers.len(), given);
}

#[tokio::test]
async fn every_import_gives_the_same_answers_and_a_second_one_changes_nothing() {
    let (one, other) = (School::with_candidates().await, School::with_candidates().await);
    one.import().await.unwrap();
    other.import().await.unwrap();
    let statistics = one.statistics().await;
    assert_eq!(statistics.len(), 1 + 2 + 3, "{statistics:?}");
    assert_eq!(statistics, other.statistics().await);
    one.clock.advance(time::Duration::DAY);
    let again = one.import().await.unwrap();
    assert!(again.is_empty(), "{again}");
    assert_eq!(one.statistics().await, statistics);
}

#[tokio::test]
async fn only_accounts_get_missed_questions_to_review_from_the_day_of_the_result() {
    let school = School::with_candidates().await;
    school.import().await.unwrap();
    let pool = school.database.pool.clone();
    MarkingJob::new(pool, outbox(), school.clock.clock(), RULES).mark_due().await.unwrap();
    let mut connection = school.database.pool.acquire().await.unwrap();
    let events = outbox().waiting(&mut connection, "lms").await.unwrap();
    let missed: Vec<_> = events
        .iter()
        .map(|event| ExamQuestionsMissed::decode(event.payload.as_slice()).unwrap())
        .map(|missed| (missed.learner_id, at(missed.final_at)))
        .collect();
    assert_eq!(missed, [(ACCOUNT.to_string(), RESULTS)]);
}

#[tokio::test]
async fn an_exam_that_people_mark_has_no_candidates() {
    let school = School::with_candidates().await;
    let written = "    kind: written\n    character_limit: 60\n    model_answer: 3\n    guide: 数を見る。";
    school.folder.replace("exams/1/math.yaml", "    kind: number", written);
    school.folder.replace("exams/1/math.yaml", "    key: 3\n", "");
    assert_eq!(
        school.faults().await,
        ["candidates.yaml:1: exam: 1 has written questions, so it cannot have candidates"]
    );
}

#[tokio::test]
async fn faulty_candidates_are_refused_with_file_and_line() {
    let school = School::with_candidates().await;
    school.folder.replace("candidates.yaml", "ability: -1.5", "ability: -3.5");
    school.folder.replace("candidates.yaml", "2026-11-26", "2026-11-24");
    school.folder.replace("candidates.yaml", "拓海", "''");
    school.folder.replace(
        "candidates.yaml",
        "- exam: 1",
        "- { exam: 2, invented: 1001, accounts: [] }\n- exam: 1",
    );
    school.folder.replace("candidates.yaml", "01936f2a-", "adult-");
    assert_eq!(
        school.faults().await,
        [
            "candidates.yaml:1: exam: 2 has not ended",
            "candidates.yaml:1: invented: is more than 1000",
            "candidates.yaml:5: id: 'adult-4c00-7a31-8b52-1f6d0c9e4a01' is not a UUID",
            "candidates.yaml:6: ability: is not -3 to 3",
            "candidates.yaml:7: starts_at: leaves no time for the papers within the exam",
            "candidates.yaml:9: first_name: is refused: REQUIRED",
        ]
    );
    school.folder.replace("candidates.yaml", "exam: 2,", "exam: 9,");
    let faults = school.faults().await;
    assert!(faults.contains(&"candidates.yaml:1: exam: 9 is not in exams".to_owned()), "{faults:?}");
}

#[tokio::test]
async fn a_desired_school_that_no_learner_may_choose_is_refused() {
    let school = School::with_candidates().await;
    school.folder.replace("candidates.yaml", "school: 2, department: 201", "school: 1, department: 101");
    let refused = school.import().await.unwrap_err();
    assert_eq!(
        refused,
        "candidates.yaml: account 01936f2a-4c00-7a31-8b52-1f6d0c9e4a01: the school has another rank"
    );
}

#[tokio::test]
async fn the_demo_candidates_have_a_realistic_spread() {
    let school = School::empty().await;
    let demo = Path::new(env!("CARGO_MANIFEST_DIR")).join("demo");
    let clock = kit::clock::Clock::system();
    exam::import_folder(&school.database.pool, &clock, demo.as_path(), false).await.unwrap();
    let result = school.exam_result(ACCOUNT, 3).await;
    let total = result.total.unwrap();
    let within = |from: i32, to: i32| -> i64 {
        let ranges = total.distribution.iter().filter(|range| range.from >= from && range.to < to);
        ranges.map(|range| range.candidate_count).sum()
    };
    assert!(
        (340..=403).contains(&total.candidate_count),
        "some are absent from a paper: {}",
        total.candidate_count
    );
    assert!((2_750..=3_250).contains(&total.average_tenths), "{}", total.average_tenths);
    assert!(within(0, 200) >= 20 && within(400, 501) >= 20, "{:?}", total.distribution);
    assert!(within(200, 400) * 2 > total.candidate_count, "most are in the middle");
    for paper in &result.papers {
        let paper = school.paper_result(ACCOUNT, paper.paper_id).await;
        for question in &paper.questions {
            let rate = question.right_rate_tenths;
            assert!((30..=980).contains(&rate), "{rate} in {}", paper.subject);
        }
        let [first, last] = [&paper.questions[..5], &paper.questions[15..]]
            .map(|part| part.iter().map(|question| question.right_rate_tenths).sum::<i32>());
        assert!(first > last, "{} gets harder", paper.subject);
    }
}
