//! Certificates: who may take one, what anyone can check, and what stays.

use futures_util::future::join_all;
use kit::client::Channel;
use kit::test::anyone;
use lopdf::Document;
use proto::lms::answer_question_request::Round;
use proto::lms::certificate_service_client::CertificateServiceClient;
use proto::lms::{
    Certificate, CertificateProgress, CheckCertificateRequest, CheckCertificateResponse,
    GetCertificatePdfRequest, GetCertificateRequest, GetCertificateResponse, IssueCertificateRequest,
    SetCertificateVisibilityRequest,
};
use time::Duration;
use tonic::{Response, Status};
use uuid::Uuid;

use crate::question::number;
use crate::school::{COURSE, LESSON, LESSONS, NOON, School, learner, refusal};

/// A course without questions.
const UNASKED: i64 = 102;
const NAME: &str = "葵 太郎";
const NOT_EARNED: &str = "Conflict CERTIFICATE_NOT_EARNED";
const NOT_FOUND: &str = "NotFound NOT_FOUND";
const CHECK_URL: &str = "https://www.konomana.jp/certificate/";

/// The id of a question of the first lesson, from 1 to 10.
fn question(place: i64) -> i64 {
    LESSON * 100 + place
}

impl School {
    /// A school with ten questions in the first lesson of course 101. The answer is 1.
    async fn with_ten_questions() -> Self {
        let school = Self::open().await;
        let questions: Vec<String> = (1..=10)
            .map(|place| {
                let id = question(place);
                format!("{{id: {id}, kind: number, prompt: 数, answer: 1, explanation: 一}}")
            })
            .collect();
        let questions = format!("duration: 100, questions: [{}]}}", questions.join(", "));
        school.folder.edit("courses/101.yaml", "duration: 100}", &questions);
        school.import().await.unwrap();
        school
    }

    /// A school with a learner who has done all lessons and has the first `right` of ten questions right.
    async fn with_right_answers(right: i64) -> (Self, Uuid) {
        let school = Self::with_ten_questions().await;
        let learner = learner();
        school.grant_until(learner, COURSE, Some(NOON + Duration::days(90))).await;
        for lesson in LESSONS {
            school.check_lesson(learner, lesson).await.unwrap();
        }
        for place in 1..=10 {
            let typed = if place <= right { "1" } else { "2" };
            school.answer(learner, question(place), number(typed), None).await.unwrap();
        }
        (school, learner)
    }

    fn certificates(&self, learner: Uuid) -> CertificateServiceClient<Channel> {
        CertificateServiceClient::new(self.channel(learner))
    }

    async fn certificate(&self, learner: Uuid, course_id: i64) -> Result<GetCertificateResponse, Status> {
        let request = GetCertificateRequest { course_id };
        self.certificates(learner).get_certificate(request).await.map(Response::into_inner)
    }

    async fn certificate_progress(&self, learner: Uuid, course_id: i64) -> CertificateProgress {
        self.certificate(learner, course_id).await.unwrap().progress.unwrap()
    }

    async fn issue_as(&self, learner: Uuid, course_id: i64, name: &str) -> Result<Certificate, Status> {
        let request = IssueCertificateRequest { course_id, learner_name: name.to_owned() };
        let issued = self.certificates(learner).issue_certificate(request).await?;
        Ok(issued.into_inner().certificate.unwrap())
    }

    async fn issue(&self, learner: Uuid, course_id: i64) -> Result<Certificate, Status> {
        self.issue_as(learner, course_id, NAME).await
    }

    async fn show_name(&self, learner: Uuid, id: &str, is_name_shown: bool) -> Result<Certificate, Status> {
        let request = SetCertificateVisibilityRequest { certificate_id: id.to_owned(), is_name_shown };
        let changed = self.certificates(learner).set_certificate_visibility(request).await?;
        Ok(changed.into_inner().certificate.unwrap())
    }

    async fn certificate_pdf(&self, learner: Uuid, id: &str) -> Result<Vec<u8>, Status> {
        let check_url = format!("{CHECK_URL}{id}");
        let request = GetCertificatePdfRequest { certificate_id: id.to_owned(), check_url };
        Ok(self.certificates(learner).get_certificate_pdf(request).await?.into_inner().pdf)
    }

    /// Checks a certificate as a visitor.
    async fn check_certificate(&self, id: &str) -> Result<CheckCertificateResponse, Status> {
        let request = CheckCertificateRequest { certificate_id: id.to_owned() };
        let mut client = CertificateServiceClient::new(self.server.channel_as(anyone()));
        client.check_certificate(request).await.map(Response::into_inner)
    }
}

#[tokio::test]
async fn a_certificate_is_not_issued_before_all_lessons_are_done() {
    let (school, learner) = School::with_right_answers(10).await;
    school.uncheck_lesson(learner, LESSONS[1]).await;
    let progress = school.certificate_progress(learner, COURSE).await;
    assert_eq!(
        progress,
        CertificateProgress {
            lesson_count: 3,
            missing_lesson_count: 1,
            question_count: 10,
            right_count: 10,
            needed_right_count: 7,
            is_earned: false,
        }
    );
    assert_eq!(refusal(school.issue(learner, COURSE).await), NOT_EARNED);
    school.check_lesson(learner, LESSONS[1]).await.unwrap();
    assert!(school.certificate_progress(learner, COURSE).await.is_earned);
    school.issue(learner, COURSE).await.unwrap();
}

#[tokio::test]
async fn under_70_percent_is_refused_and_exactly_70_percent_is_enough() {
    let (school, learner) = School::with_right_answers(6).await;
    let progress = school.certificate_progress(learner, COURSE).await;
    assert_eq!((progress.missing_lesson_count, progress.right_count, progress.is_earned), (0, 6, false));
    assert_eq!(refusal(school.issue(learner, COURSE).await), NOT_EARNED);
    assert!(school.certificate(learner, COURSE).await.unwrap().certificate.is_none());

    let (school, learner) = School::with_right_answers(7).await;
    let progress = school.certificate_progress(learner, COURSE).await;
    assert_eq!((progress.right_count, progress.needed_right_count, progress.is_earned), (7, 7, true));
    let issued = school.issue(learner, COURSE).await.unwrap();
    assert_eq!((issued.course_name.as_str(), issued.learner_name.as_str()), ("講座101", NAME));
    assert_eq!((issued.issued_at.unwrap().seconds, issued.is_name_shown), (NOON.unix_timestamp(), false));
    assert_eq!(school.certificate(learner, COURSE).await.unwrap().certificate, Some(issued));
}

#[tokio::test]
async fn the_newest_answer_of_a_question_counts_in_practice_and_in_reviews() {
    let (school, learner) = School::with_right_answers(6).await;
    let right = async || school.certificate_progress(learner, COURSE).await.right_count;
    let practise = async |place: i64, typed: &str| {
        let result = school.practise(learner, LESSON).await.unwrap();
        let round = Some(Round::ResultId(result));
        school.answer(learner, question(place), number(typed), round).await.unwrap();
    };
    practise(7, "1").await;
    assert_eq!(right().await, 7, "right in practice");
    practise(1, "2").await;
    assert_eq!(right().await, 6, "wrong in practice");

    school.clock.advance(Duration::DAY);
    let review = Some(Round::IsReview(true));
    school.answer(learner, question(1), number("1"), review).await.unwrap();
    assert_eq!(right().await, 7, "right in a review");
    school.answer(learner, question(7), number("2"), review).await.unwrap();
    assert_eq!(right().await, 6, "wrong in a review");
    school.clock.advance(Duration::MINUTE);
    practise(7, "1").await;
    assert_eq!(right().await, 7, "right in practice after the review");

    // Reviews of an older release have no time.
    let mut connection = school.database.pool.acquire().await.unwrap();
    sqlx::query!("UPDATE review SET answered_at = NULL").execute(&mut *connection).await.unwrap();
    assert_eq!(right().await, 7);
}

#[tokio::test]
async fn a_course_without_questions_needs_only_its_lessons() {
    let school = School::with_ten_questions().await;
    let learner = learner();
    school.grant(learner, UNASKED).await;
    let lessons = LESSONS.map(|lesson| lesson + 1_000_000);
    for lesson in &lessons[..2] {
        school.check_lesson(learner, *lesson).await.unwrap();
    }
    assert_eq!(refusal(school.issue(learner, UNASKED).await), NOT_EARNED);
    school.check_lesson(learner, lessons[2]).await.unwrap();
    let progress = school.certificate_progress(learner, UNASKED).await;
    assert_eq!((progress.question_count, progress.needed_right_count, progress.is_earned), (0, 0, true));
    school.issue(learner, UNASKED).await.unwrap();
}

#[tokio::test]
async fn a_certificate_is_issued_once() {
    let (school, learner) = School::with_right_answers(10).await;
    let mut issued = join_all((0..8).map(|_| school.issue(learner, COURSE))).await;
    let first = issued.pop().unwrap().unwrap();
    for other in issued {
        assert_eq!(other.unwrap(), first);
    }
    school.clock.advance(Duration::days(30));
    assert_eq!(school.issue_as(learner, COURSE, "青井 太郎").await.unwrap(), first, "the name stays, too");
    assert!(Uuid::parse_str(&first.id).is_ok());
}

#[tokio::test]
async fn it_stays_valid_when_the_course_changes_and_the_access_ends() {
    let (school, learner) = School::with_right_answers(7).await;
    let issued = school.issue(learner, COURSE).await.unwrap();
    school.folder.edit("courses/101.yaml", "name: 講座101", "name: 新しい講座");
    let lesson = "    - {id: 101010104, name: 講義4, summary: まとめ, duration: 400}\n";
    let third = "    - {id: 101010103, name: 講義3, summary: まとめ, duration: 300}\n";
    school.folder.edit("courses/101.yaml", third, &format!("{third}{lesson}"));
    school.import().await.unwrap();
    school.uncheck_lesson(learner, LESSON).await;
    school.clock.advance(Duration::days(91));
    let state = school.certificate(learner, COURSE).await.unwrap();
    assert_eq!(state.certificate, Some(issued.clone()));
    assert!(!state.progress.unwrap().is_earned);
    assert_eq!(school.issue(learner, COURSE).await.unwrap(), issued);
    assert_eq!(school.check_certificate(&issued.id).await.unwrap().course_name, "講座101");
}

#[tokio::test]
async fn anyone_can_check_a_certificate_and_sees_the_name_only_while_the_learner_shows_it() {
    let (school, learner) = School::with_right_answers(7).await;
    let id = school.issue(learner, COURSE).await.unwrap().id;
    let hidden = school.check_certificate(&id).await.unwrap();
    assert_eq!((hidden.course_name.as_str(), &hidden.learner_name), ("講座101", &None));
    assert_eq!(hidden.issued_at.unwrap().seconds, NOON.unix_timestamp());
    assert!(school.show_name(learner, &id, true).await.unwrap().is_name_shown);
    let shown = school.check_certificate(&id).await.unwrap();
    assert_eq!(shown.learner_name.as_deref(), Some(NAME));
    assert!(!school.show_name(learner, &id, false).await.unwrap().is_name_shown);
    assert_eq!(school.check_certificate(&id).await.unwrap(), hidden);

    let unknown = Uuid::now_v7().to_string();
    assert_eq!(refusal(school.check_certificate(&unknown).await), NOT_FOUND);
    assert_eq!(refusal(school.check_certificate("1").await), "Invalid INVALID");
}

#[tokio::test]
async fn another_learner_reaches_neither_the_pdf_nor_the_name() {
    let (school, owner) = School::with_right_answers(7).await;
    let id = school.issue(owner, COURSE).await.unwrap().id;
    let other = learner();
    assert_eq!(refusal(school.certificate(other, COURSE).await), NOT_FOUND);
    assert_eq!(refusal(school.issue(other, COURSE).await), NOT_FOUND);
    school.grant(other, COURSE).await;
    assert!(school.certificate(other, COURSE).await.unwrap().certificate.is_none());
    assert_eq!(refusal(school.show_name(other, &id, true).await), NOT_FOUND);
    assert_eq!(refusal(school.certificate_pdf(other, &id).await), NOT_FOUND);
    assert_eq!(school.check_certificate(&id).await.unwrap().learner_name, None);
}

#[tokio::test]
async fn the_pdf_has_the_name_the_course_the_date_the_id_and_the_page_to_check_it() {
    let (school, learner) = School::with_right_answers(7).await;
    let id = school.issue(learner, COURSE).await.unwrap().id;
    let pdf = school.certificate_pdf(learner, &id).await.unwrap();
    assert!(pdf.starts_with(b"%PDF-") && pdf.len() < 100_000, "{} bytes: the font is a subset", pdf.len());
    assert_eq!(school.certificate_pdf(learner, &id).await.unwrap(), pdf, "the same bytes");
    let document = Document::load_mem(&pdf).unwrap();
    assert_eq!(document.get_pages().len(), 1);
    let text: String = document.extract_text(&[1]).unwrap().split_whitespace().collect();
    for fact in [
        "修了証",
        "葵太郎様",
        "講座101",
        "2026年11月20日",
        "コノマナ",
        &format!("証明書番号{id}"),
        &format!("確認ページ{CHECK_URL}{id}"),
    ] {
        assert!(text.contains(fact), "{fact}: {text}");
    }
    let request = GetCertificatePdfRequest { certificate_id: id, check_url: "a b".to_owned() };
    let refused = school.certificates(learner).get_certificate_pdf(request).await;
    assert_eq!(refusal(refused), "Invalid INVALID");
}

#[tokio::test]
async fn after_the_account_is_closed_there_is_no_such_certificate() {
    let (school, learner) = School::with_right_answers(7).await;
    let issued = school.issue(learner, COURSE).await.unwrap();
    assert_eq!(school.export(learner).await.certificates, std::slice::from_ref(&issued));
    school.erase(Uuid::now_v7(), learner).await;
    assert_eq!(refusal(school.check_certificate(&issued.id).await), NOT_FOUND);
    assert_eq!(refusal(school.certificate_pdf(learner, &issued.id).await), NOT_FOUND);
    assert_eq!(refusal(school.issue(learner, COURSE).await), NOT_FOUND);
}

#[tokio::test]
async fn a_certificate_without_a_name_is_refused() {
    let (school, learner) = School::with_right_answers(7).await;
    assert_eq!(refusal(school.issue_as(learner, COURSE, " ").await), "Invalid INVALID");
    assert!(school.certificate(learner, COURSE).await.unwrap().certificate.is_none());
}
