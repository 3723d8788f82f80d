//! Final results, published to auth once, and the questions that learners missed, published to lms once.

use std::collections::BTreeMap;

use prost::Message as _;
use proto::exam::{ExamQuestionsMissed, ExamResultFinal};
use uuid::Uuid;

use crate::hall::{
    Hall, MULTIPLE, NUMBER, ORDERED, OTHER_PAPER, PAPER, SECOND, SINGLE, TEXT, outbox, question_of,
};

impl Hall {
    /// Reads the published questions from the outbox, by learner.
    async fn missed(&self) -> BTreeMap<Uuid, Vec<i64>> {
        let events = outbox().waiting(&mut *self.connection().await, "lms").await.unwrap();
        let count = events.len();
        let events = events.into_iter().map(|event| {
            assert_eq!(event.r#type, "exam.v1.ExamQuestionsMissed");
            let missed = ExamQuestionsMissed::decode(event.payload.as_slice()).unwrap();
            assert_eq!(missed.exam_id, 1);
            (missed.learner_id.parse().unwrap(), missed.question_ids)
        });
        let missed: BTreeMap<_, _> = events.collect();
        assert_eq!(missed.len(), count, "one event for each learner");
        missed
    }
}

impl Hall {
    /// Reads the learners with a published final result from the outbox, in order.
    async fn final_results(&self) -> Vec<Uuid> {
        let events = outbox().waiting(&mut *self.connection().await, "auth").await.unwrap();
        let events = events.into_iter().map(|event| {
            assert_eq!(event.r#type, "exam.v1.ExamResultFinal");
            let result = ExamResultFinal::decode(event.payload.as_slice()).unwrap();
            assert_eq!((result.exam_id, result.exam_name.as_str()), (1, "秋の模試"));
            result.learner_id.parse().unwrap()
        });
        let mut learners: Vec<_> = events.collect();
        learners.sort_unstable();
        learners
    }
}

#[tokio::test]
async fn a_final_result_is_published_once_for_each_learner_with_a_mark() {
    let hall = Hall::open().await;
    let mut connection = hall.connection().await;
    sqlx::query!("UPDATE exam SET name = '秋の模試' WHERE id = 1").execute(&mut *connection).await.unwrap();
    drop(connection);
    let mut candidates = hall.candidates(&[(5, 5), (3, 5)]).await;
    let one_paper = hall.admit().await;
    one_paper.sit(PAPER, 1).await;
    candidates.push(one_paper);
    hall.admit().await;
    hall.mark().await;
    assert!(hall.final_results().await.is_empty(), "the result is provisional");
    hall.end().await;
    let mut learners: Vec<_> = candidates.iter().map(|candidate| candidate.id).collect();
    learners.sort_unstable();
    assert_eq!(hall.final_results().await, learners, "also without a missed question");
    hall.clock.advance(SECOND * 60);
    let (first, second) = (hall.marking(), hall.marking());
    let (one, other) = tokio::join!(first.mark_due(), second.mark_due());
    one.and(other).unwrap();
    assert_eq!(hall.final_results().await, learners);
}

#[tokio::test]
async fn a_final_result_publishes_wrong_and_blank_answers_once() {
    let hall = Hall::open().await;
    let candidates = hall.candidates(&[(5, 5), (3, 5), (5, 4)]).await;
    let absent = hall.admit().await;
    absent.sit(PAPER, 1).await;
    hall.mark().await;
    assert!(hall.missed().await.is_empty(), "the result is provisional");
    hall.end().await;
    let of = |paper, questions: &[i64]| -> Vec<i64> {
        questions.iter().map(|question| question_of(paper, *question)).collect()
    };
    let wanted = BTreeMap::from([
        (candidates[1].id, of(PAPER, &[TEXT, ORDERED])),
        (candidates[2].id, of(OTHER_PAPER, &[ORDERED])),
        (absent.id, of(PAPER, &[MULTIPLE, NUMBER, TEXT, ORDERED])),
    ]);
    assert_eq!(hall.missed().await, wanted, "no questions of a paper that was not sat");
    assert_eq!(question_of(PAPER, SINGLE), SINGLE);
    hall.clock.advance(SECOND * 60);
    hall.mark().await;
    assert_eq!(hall.missed().await, wanted);
}

#[tokio::test]
async fn replicas_publish_each_learner_once() {
    let hall = Hall::open().await;
    let candidates = hall.candidates(&[(1, 1), (2, 2), (3, 3), (4, 4)]).await;
    hall.end().await;
    // As after a migration that queues the learners of an exam with a final result.
    let mut connection = hall.connection().await;
    sqlx::query!("DELETE FROM outbox").execute(&mut *connection).await.unwrap();
    for candidate in &candidates {
        sqlx::query!("INSERT INTO missed_queue (exam_id, learner_id) VALUES (1, $1)", candidate.id)
            .execute(&mut *connection)
            .await
            .unwrap();
    }
    let (first, second, third) = (hall.marking(), hall.marking(), hall.marking());
    let (one, two, three) = tokio::join!(first.mark_due(), second.mark_due(), third.mark_due());
    one.and(two).and(three).unwrap();
    assert_eq!(hall.missed().await.len(), 4);
    let events = outbox().waiting(&mut *hall.connection().await, "auth").await.unwrap();
    assert_eq!(events.len(), 4);
}
