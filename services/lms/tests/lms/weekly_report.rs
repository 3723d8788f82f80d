//! Weekly reports: the figures of a week, its bounds, the PDF, and who may ask.

use kit::caller::{Caller, Service};
use kit::client::Channel;
use kit::test::{guardian_of, learner as learner_with};
use lopdf::Document;
use proto::lms::answer_question_request::Round;
use proto::lms::weekly_report_service_client::WeeklyReportServiceClient;
use proto::lms::{
    GetWeeklyReportPdfRequest, ListWeeklySummariesRequest, WeeklyExamResult, WeeklyExamTotal, WeeklyExams,
    WeeklyFact, WeeklySubject, WeeklySummary,
};
use time::Duration;
use time::macros::datetime;
use tonic::Status;
use uuid::Uuid;

use crate::question::number;
use crate::school::{COURSE, LESSON, LESSONS, NOON, School, learner, refusal};
use crate::watch::beat;

/// The week of [`NOON`], which is a Friday.
const WEEK: &str = "2026-11-16";
const WRONG_WEEK: &str = "Invalid INVALID";

impl School {
    fn weekly_reports(&self, caller: Caller) -> WeeklyReportServiceClient<Channel> {
        WeeklyReportServiceClient::new(self.server.channel_as(caller))
    }

    async fn weekly_summary(&self, learner: Uuid, week: &str) -> Result<WeeklySummary, Status> {
        let learners = vec![WeeklySubject { learner_id: learner.to_string(), exams: Some(exams()) }];
        let request = ListWeeklySummariesRequest { week: week.to_owned(), learners };
        let found =
            self.weekly_reports(Caller::service(Service::Auth)).list_weekly_summaries(request).await?;
        Ok(found.into_inner().summaries.remove(0))
    }

    async fn weekly_pdf(&self, caller: Caller, week: &str) -> Result<Vec<u8>, Status> {
        let request = GetWeeklyReportPdfRequest {
            week: week.to_owned(),
            learner_name: "葵 太郎".to_owned(),
            exams: Some(exams()),
        };
        Ok(self.weekly_reports(caller).get_weekly_report_pdf(request).await?.into_inner().pdf)
    }

    /// Moves the clock to a time that is not before its time.
    fn wait_until(&self, time: time::OffsetDateTime) {
        self.clock.advance(time - self.clock.clock().now());
    }
}

/// No exams.
fn exams() -> WeeklyExams {
    WeeklyExams::default()
}

fn words(facts: &[WeeklyFact]) -> Vec<String> {
    facts.iter().map(|fact| format!("{} {}", fact.name, fact.value)).collect()
}

/// The text of a PDF without spaces.
fn text_of(pdf: &[u8]) -> String {
    let document = Document::load_mem(pdf).unwrap();
    let pages: Vec<u32> = document.get_pages().into_keys().collect();
    document.extract_text(&pages).unwrap().split_whitespace().collect()
}

/// The questions of [`with_questions`].
const QUESTIONS: [i64; 2] = [LESSON * 100 + 1, LESSON * 100 + 2];

/// A school whose first lesson has two questions. They are imported with the next import.
async fn with_questions() -> School {
    let school = School::open().await;
    let questions =
        QUESTIONS.map(|id| format!("{{id: {id}, kind: number, prompt: 数, answer: 1, explanation: 一}}"));
    let questions = format!("duration: 100, questions: [{}]}}", questions.join(", "));
    school.folder.edit("courses/101.yaml", "duration: 100}", &questions);
    school
}

/// A learner who watched, checked, answered, joined a live lesson and did its homework in [`WEEK`].
async fn with_busy_week() -> (School, Uuid) {
    let school = with_questions().await;
    let learner = learner();
    school.grant(learner, COURSE).await;
    school.attend_class(learner).await;
    beat(&school, learner, LESSON, 60, 0..60, 1).await.unwrap();
    school.answer(learner, QUESTIONS[0], number("1"), None).await.unwrap();
    school.answer(learner, QUESTIONS[1], number("2"), None).await.unwrap();
    school.wait_until(datetime!(2026-11-22 23:59 +9));
    school.check_lesson(learner, LESSONS[0]).await.unwrap();
    school.wait_until(datetime!(2026-11-23 03:59 +9));
    school.check_lesson(learner, LESSONS[1]).await.unwrap();
    school.wait_until(datetime!(2026-11-23 04:00 +9));
    school.check_lesson(learner, LESSONS[2]).await.unwrap();
    (school, learner)
}

#[tokio::test]
async fn the_figures_of_a_week_are_those_from_monday_to_sunday_night() {
    let (school, learner) = with_busy_week().await;
    let WeeklySummary { note, facts, next, .. } = school.weekly_summary(learner, WEEK).await.unwrap();
    assert_eq!(note, "");
    assert_eq!(
        words(&facts),
        [
            "見た時間 合計1分（1日）",
            "曜日ごと 月 0分、火 0分、水 0分、木 0分、金 1分、土 0分、日 0分",
            "終えたレッスン 2本",
            "答えた問題 2問（正解は50%）",
            "クラスの授業 出席1回、録画0回、欠席0回",
        ]
    );
    assert_eq!(words(&next), ["復習 週の終わりまでに1問", "クラスの授業 11月27日(金) 12:00　金曜クラス"]);
    school.wait_until(datetime!(2026-11-30 04:00 +9));
    let after = school.weekly_summary(learner, "2026-11-23").await.unwrap();
    assert_eq!(
        words(&after.facts)[2..],
        [
            "終えたレッスン 1本",
            "答えた問題 0問",
            "クラスの授業 出席0回、録画0回、欠席1回",
            "宿題 1件のうち1件を終えました"
        ]
    );
}

#[tokio::test]
async fn homework_belongs_to_the_week_of_its_last_day() {
    let counted = ["1件のうち0件を終えました"].as_slice();
    let listed = ["11月29日(日)まで　金曜クラス"].as_slice();
    // The lesson is on a Friday. Its homework is due on the Sunday after it, or a week later.
    for (due_days, this_week, announced, next_week) in
        [(2, counted, &[][..], &[][..]), (9, &[], listed, counted)]
    {
        let school = School::open().await;
        school.open_class(due_days).await;
        let learner = learner();
        school.grant(learner, COURSE).await;
        let homework = |facts: Vec<WeeklyFact>| {
            let homework = facts.into_iter().filter(|fact| fact.name == "宿題");
            homework.map(|fact| fact.value).collect::<Vec<_>>()
        };
        school.wait_until(datetime!(2026-11-23 04:00 +9));
        let report = school.weekly_summary(learner, WEEK).await.unwrap();
        assert_eq!(homework(report.facts), this_week, "{due_days} days");
        assert_eq!(homework(report.next), announced, "{due_days} days");
        school.wait_until(datetime!(2026-11-30 04:00 +9));
        let after = school.weekly_summary(learner, "2026-11-23").await.unwrap();
        assert_eq!(homework(after.facts), next_week, "{due_days} days");
    }
}

#[tokio::test]
async fn reviews_of_a_course_that_ends_midweek_are_announced_if_they_can_be_done() {
    let school = with_questions().await;
    school.import().await.unwrap();
    let learner = learner();
    let end = datetime!(2026-11-26 12:00 +9);
    school.grant_until(learner, COURSE, Some(end)).await;
    school.answer(learner, QUESTIONS[0], number("2"), None).await.unwrap();
    school.wait_until(datetime!(2026-11-23 04:00 +9));
    let announced = async || words(&school.weekly_summary(learner, WEEK).await.unwrap().next);
    assert_eq!(announced().await, ["復習 週の終わりまでに1問"]);
    // Wrong again, so it is due the day after the course ends.
    school.wait_until(end - Duration::HOUR);
    school.answer(learner, QUESTIONS[0], number("2"), Some(Round::IsReview(true))).await.unwrap();
    assert_eq!(announced().await, ["予定 決まっている予定はありません"]);
    school.wait_until(end);
    assert_eq!(announced().await, ["予定 決まっている予定はありません"]);
}

#[tokio::test]
async fn the_pdf_has_the_figures_and_a_bar_for_each_day() {
    let (school, learner) = with_busy_week().await;
    let pdf = school.weekly_pdf(learner_with(learner), WEEK).await.unwrap();
    let text = text_of(&pdf);
    for fact in [
        "週間レポート",
        "2026年11月16日(月)〜11月22日(日)",
        "葵太郎",
        "11月20日(金)1分",
        "11月22日(日)0分",
        "見た時間合計1分（1日）",
        "終えたレッスン2本",
        "答えた問題2問（正解は50%）",
        "出席1回、録画0回、欠席0回",
        "11月27日(金)12:00金曜クラス",
    ] {
        assert!(text.contains(fact), "{fact} in {text}");
    }
    let guardian = guardian_of(Uuid::now_v7(), learner);
    assert_eq!(school.weekly_pdf(guardian, WEEK).await.unwrap(), pdf, "the same bytes");
}

#[tokio::test]
async fn a_week_without_activity_has_a_kind_sentence_and_no_chart() {
    let school = School::open().await;
    let learner = learner();
    let text = text_of(&school.weekly_pdf(learner_with(learner), "2026-11-09").await.unwrap());
    assert!(text.contains("学習の記録がありませんでした"), "{text}");
    assert!(!text.contains("0分") && !text.contains("この週の学習"), "{text}");
    let summary = school.weekly_summary(learner, "2026-11-09").await.unwrap();
    assert!(!summary.note.is_empty());
    assert_eq!(summary.facts, []);
    assert_eq!(words(&summary.next), ["予定 決まっている予定はありません"]);
}

#[tokio::test]
async fn the_pdf_has_the_exam_results_of_the_week() {
    let school = School::open().await;
    let learner = learner();
    let total = WeeklyExamTotal { points: 312, full_points: 500, deviation_score_tenths: Some(548) };
    let result = WeeklyExamResult { exam_name: "第1回 コノ模試".to_owned(), total: Some(total) };
    let request = GetWeeklyReportPdfRequest {
        week: "2026-11-09".to_owned(),
        learner_name: "葵 太郎".to_owned(),
        exams: Some(WeeklyExams { results: vec![result], next: vec![] }),
    };
    let mut reports = school.weekly_reports(learner_with(learner));
    let pdf = reports.get_weekly_report_pdf(request).await.unwrap().into_inner().pdf;
    let text = text_of(&pdf);
    assert!(text.contains("第1回コノ模試312/500点、偏差値54.8"), "{text}");
}

#[tokio::test]
async fn only_mondays_of_the_last_eight_weeks_that_have_ended_are_reported() {
    let school = School::open().await;
    let learner = learner();
    for week in ["2026-11-09", "2026-09-21"] {
        assert!(school.weekly_pdf(learner_with(learner), week).await.is_ok(), "{week}");
        assert!(school.weekly_summary(learner, week).await.is_ok(), "{week}");
    }
    for week in [WEEK, "2026-09-14", "2026-11-10", "2026-11-23", "last"] {
        assert_eq!(refusal(school.weekly_pdf(learner_with(learner), week).await), WRONG_WEEK, "{week}");
        assert_eq!(refusal(school.weekly_summary(learner, week).await), WRONG_WEEK, "{week}");
    }
    // At the turn of the year.
    school.clock.advance(datetime!(2027-01-04 04:00 +9) - NOON);
    assert!(school.weekly_pdf(learner_with(learner), "2026-12-28").await.is_ok());
    school.clock.advance(-Duration::SECOND);
    assert_eq!(refusal(school.weekly_pdf(learner_with(learner), "2026-12-28").await), WRONG_WEEK);
}

#[tokio::test]
async fn a_guardian_who_gets_the_pdf_is_audited() {
    let (school, learner) = with_busy_week().await;
    let guardian = Uuid::now_v7();
    school.weekly_pdf(guardian_of(guardian, learner), WEEK).await.unwrap();
    let expected = ("/lms.v1.WeeklyReportService/GetWeeklyReportPdf".to_owned(), guardian, learner);
    assert_eq!(school.audit().await, [expected]);
}
