//! Reviews of mock exam questions, from the event of exam to the last interval.

use kit::caller::Service;
use kit::client::Channel;
use kit::timestamp::to_timestamp;
use prost::{Message as _, Name as _};
use proto::exam::ExamQuestionsMissed;
use proto::lms::exam_review_service_client::ExamReviewServiceClient;
use proto::lms::{ListExamReviewsRequest, ListExamReviewsResponse, RecordExamReviewRequest};
use time::macros::datetime;
use time::{Duration, OffsetDateTime};
use tonic::{Response, Status};
use uuid::Uuid;

use crate::school::{School, learner, refusal};

const EXAM: i64 = 1;
const QUESTION: i64 = 1101;
const NOT_DUE: &str = "Conflict NOT_DUE";

impl School {
    /// Delivers the event with what a learner missed, as exam does when a result becomes final.
    pub(crate) async fn miss(&self, event: Uuid, learner: Uuid, questions: &[i64]) -> Result<(), Status> {
        let missed = ExamQuestionsMissed {
            learner_id: learner.to_string(),
            exam_id: EXAM,
            question_ids: questions.to_vec(),
            final_at: Some(to_timestamp(self.clock.clock().now())),
        };
        let name = ExamQuestionsMissed::full_name();
        self.deliver(Service::Exam, &event.to_string(), name, missed.encode_to_vec()).await
    }

    fn exam_reviews(&self, learner: Uuid) -> ExamReviewServiceClient<Channel> {
        ExamReviewServiceClient::new(self.channel(learner))
    }

    async fn exam_review_page(&self, learner: Uuid, page: u32) -> Result<ListExamReviewsResponse, Status> {
        let request = ListExamReviewsRequest { page };
        self.exam_reviews(learner).list_exam_reviews(request).await.map(Response::into_inner)
    }

    /// Lists the due reviews as `(question, step)`.
    async fn due_in_exams(&self, learner: Uuid) -> Vec<(i64, i32)> {
        let due = self.exam_review_page(learner, 1).await.unwrap().reviews;
        due.iter().map(|review| (review.question_id, review.step)).collect()
    }

    /// Records whether a question was solved. Returns when it is due next, as a Unix time.
    async fn review(&self, learner: Uuid, question_id: i64, is_solved: bool) -> Result<Option<i64>, Status> {
        let request = RecordExamReviewRequest { question_id, is_solved };
        let recorded = self.exam_reviews(learner).record_exam_review(request).await?.into_inner();
        Ok(recorded.due_at.map(|due| due.seconds))
    }

    fn go_to(&self, time: OffsetDateTime) {
        self.clock.advance(time - self.clock.clock().now());
    }
}

#[tokio::test]
async fn a_missed_question_is_due_after_1_3_7_and_14_days_at_four_in_tokyo() {
    let school = School::open().await;
    let learner = learner();
    // Missed at noon of 20 November in Tokyo.
    school.miss(Uuid::now_v7(), learner, &[QUESTION]).await.unwrap();
    assert_eq!(refusal(school.review(learner, QUESTION, true).await), NOT_DUE);
    let days = [
        datetime!(2026-11-21 04:00 +9),
        datetime!(2026-11-24 04:00 +9),
        datetime!(2026-12-01 04:00 +9),
        datetime!(2026-12-15 04:00 +9),
    ];
    let mut next = days.iter().skip(1).map(|day| day.unix_timestamp());
    for (day, step) in days.iter().zip(1..) {
        school.go_to(*day - Duration::SECOND);
        assert_eq!(school.due_in_exams(learner).await, [], "{day}");
        school.go_to(*day);
        assert_eq!(school.due_in_exams(learner).await, [(QUESTION, step)]);
        // Answered in the evening, and sent again after a lost response.
        school.clock.advance(Duration::hours(16));
        let due = next.next();
        assert_eq!(school.review(learner, QUESTION, true).await.unwrap(), due);
        assert_eq!(school.review(learner, QUESTION, true).await.unwrap(), due, "again");
        assert_eq!(refusal(school.review(learner, QUESTION, false).await), NOT_DUE);
    }
    school.clock.advance(Duration::days(365));
    assert_eq!(school.due_in_exams(learner).await, [], "done");
}

#[tokio::test]
async fn the_first_interval_begins_when_the_result_became_final_and_not_when_the_event_arrives() {
    let school = School::open().await;
    let learner = learner();
    let missed = ExamQuestionsMissed {
        learner_id: learner.to_string(),
        exam_id: EXAM,
        question_ids: vec![QUESTION],
        final_at: Some(to_timestamp(school.clock.clock().now() - Duration::DAY)),
    };
    let (id, name) = (Uuid::now_v7().to_string(), ExamQuestionsMissed::full_name());
    school.deliver(Service::Exam, &id, name, missed.encode_to_vec()).await.unwrap();
    assert_eq!(school.due_in_exams(learner).await, [(QUESTION, 1)]);
}

#[tokio::test]
async fn an_unsolved_question_starts_again_with_an_interval_of_one_day() {
    let school = School::open().await;
    let learner = learner();
    school.miss(Uuid::now_v7(), learner, &[QUESTION, QUESTION + 1]).await.unwrap();
    school.clock.advance(Duration::DAY);
    assert_eq!(school.due_in_exams(learner).await, [(QUESTION, 1), (QUESTION + 1, 1)]);
    school.review(learner, QUESTION, true).await.unwrap();
    school.clock.advance(Duration::days(3));
    assert_eq!(school.due_in_exams(learner).await, [(QUESTION + 1, 1), (QUESTION, 2)], "longest due first");
    school.review(learner, QUESTION, false).await.unwrap();
    school.clock.advance(Duration::DAY);
    assert_eq!(school.due_in_exams(learner).await, [(QUESTION + 1, 1), (QUESTION, 1)]);
}

#[tokio::test]
async fn an_event_counts_once_and_a_second_event_reschedules_no_question() {
    let school = School::open().await;
    let learner = learner();
    let event = Uuid::now_v7();
    school.miss(event, learner, &[QUESTION]).await.unwrap();
    school.clock.advance(Duration::DAY);
    school.review(learner, QUESTION, true).await.unwrap();
    school.miss(event, learner, &[QUESTION]).await.unwrap();
    school.miss(Uuid::now_v7(), learner, &[QUESTION, QUESTION + 1]).await.unwrap();
    school.clock.advance(Duration::DAY);
    assert_eq!(school.due_in_exams(learner).await, [(QUESTION + 1, 1)]);
    school.clock.advance(Duration::days(2));
    assert_eq!(school.due_in_exams(learner).await, [(QUESTION + 1, 1), (QUESTION, 2)]);
}

#[tokio::test]
async fn a_learner_sees_only_their_own_reviews_in_pages() {
    let school = School::open().await;
    let (one, other) = (learner(), learner());
    let questions: Vec<i64> = (QUESTION..QUESTION + 21).collect();
    school.miss(Uuid::now_v7(), one, &questions).await.unwrap();
    school.clock.advance(Duration::DAY);
    assert_eq!(school.due_in_exams(other).await, []);
    assert_eq!(refusal(school.review(other, QUESTION, true).await), NOT_DUE);
    let page = school.exam_review_page(one, 2).await.unwrap();
    assert_eq!((page.count, page.reviews.len()), (21, 1));
    assert_eq!((page.reviews[0].question_id, page.reviews[0].exam_id), (QUESTION + 20, EXAM));
    assert_eq!(refusal(school.exam_review_page(one, 3).await), "NotFound NOT_FOUND");
    assert_eq!(refusal(school.exam_review_page(one, 0).await), "Invalid INVALID");
}

#[tokio::test]
async fn an_erased_account_gets_no_reviews_and_the_export_has_them() {
    let school = School::open().await;
    let (gone, kept) = (learner(), learner());
    school.erase(Uuid::now_v7(), gone).await;
    for learner in [gone, kept] {
        school.miss(Uuid::now_v7(), learner, &[QUESTION]).await.unwrap();
    }
    assert!(school.export(gone).await.exam_reviews.is_empty());
    let [review] = &school.export(kept).await.exam_reviews[..] else { panic!("not one") };
    assert_eq!((review.exam_id, review.question_id, review.step), (EXAM, QUESTION, 1));
    assert_eq!(review.due_at.unwrap().seconds, datetime!(2026-11-21 04:00 +9).unix_timestamp());
}

#[tokio::test]
async fn an_event_with_wrong_fields_is_refused() {
    let school = School::open().await;
    let many: Vec<i64> = (1..=991).collect();
    let refused = school.miss(Uuid::now_v7(), learner(), &many).await;
    assert_eq!(refusal(refused), "Invalid INVALID");
}
