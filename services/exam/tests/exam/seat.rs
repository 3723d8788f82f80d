//! Seats: free ones with a limit, and bought ones from events in any order.

use futures_util::future::join_all;
use kit::caller::Service;
use kit::error::ServiceError;
use proto::auth::AccountErased;
use proto::exam::{ExamSeatGranted, ExamSeatRevoked, GetApplicationRequest, GetExamRequest, TakeSeatRequest};
use time::macros::datetime;
use tonic::Status;
use uuid::Uuid;

use crate::school::{NOON, School, learner};

impl School {
    pub(crate) async fn take_seat(&self, learner: Uuid, exam_id: i64) -> Result<(), Status> {
        self.applications(learner).take_seat(TakeSeatRequest { exam_id }).await.map(drop)
    }

    async fn has_seat(&self, learner: Uuid, exam_id: i64) -> bool {
        let request = GetApplicationRequest { exam_id };
        let found = self.applications(learner).get_application(request).await.unwrap().into_inner();
        found.application.unwrap().has_seat
    }

    async fn seats_left(&self) -> Option<i32> {
        let found = self.exams().get_exam(GetExamRequest { id: 1 }).await.unwrap().into_inner();
        found.exam.unwrap().seats_left
    }

    async fn grant(&self, event: Uuid, line: &str, learner: Uuid) {
        let (order_line_id, learner_id) = (line.to_owned(), learner.to_string());
        let granted = ExamSeatGranted { order_line_id, learner_id, exam_id: 2 };
        self.deliver(Service::Commerce, event, &granted).await;
    }

    async fn revoke(&self, event: Uuid, line: &str) {
        let revoked = ExamSeatRevoked { order_line_id: line.to_owned() };
        self.deliver(Service::Commerce, event, &revoked).await;
    }
}

pub(crate) fn reason(refused: Result<(), Status>) -> String {
    ServiceError::from_status(&refused.unwrap_err()).reason.to_string()
}

#[tokio::test]
async fn concurrent_learners_never_take_more_seats_than_are_left() {
    let school = School::open().await;
    let learners: Vec<Uuid> = (0..12).map(|_| learner()).collect();
    let taken = join_all(learners.iter().map(|learner| school.take_seat(*learner, 1))).await;
    assert_eq!(taken.iter().filter(|taken| taken.is_ok()).count(), 3);
    for refused in taken.into_iter().filter(Result::is_err) {
        assert_eq!(reason(refused), "SEATS_GONE");
    }
    assert_eq!(school.seats_left().await, Some(0));
}

#[tokio::test]
async fn taking_a_seat_twice_takes_one_seat() {
    let school = School::open().await;
    let learner = learner();
    assert_eq!(school.seats_left().await, Some(3));
    let taken = join_all((0..4).map(|_| school.take_seat(learner, 1))).await;
    assert!(taken.iter().all(Result::is_ok));
    assert_eq!((school.seats_left().await, school.has_seat(learner, 1).await), (Some(2), true));
}

#[tokio::test]
async fn a_free_seat_can_be_taken_only_in_the_application_period_and_a_sold_one_only_bought() {
    let school = School::open().await;
    assert_eq!(reason(school.take_seat(learner(), 2).await), "SEAT_FOR_SALE");
    assert_eq!(reason(school.take_seat(learner(), 9).await), "NOT_FOUND");
    // The first moment after the application period.
    school.clock.advance(datetime!(2026-11-29 15:00 UTC) - NOON);
    assert_eq!(reason(school.take_seat(learner(), 1).await), "APPLICATION_CLOSED");
}

#[tokio::test]
async fn a_bought_seat_follows_reordered_and_repeated_events() {
    let school = School::open().await;
    let [first, second, third] = [learner(), learner(), learner()];
    let [grant, revocation] = [Uuid::now_v7(), Uuid::now_v7()];
    // Granted twice, revoked twice, and granted again later.
    school.grant(grant, "line-1", first).await;
    school.grant(grant, "line-1", first).await;
    assert!(school.has_seat(first, 2).await);
    school.revoke(revocation, "line-1").await;
    school.revoke(revocation, "line-1").await;
    assert!(!school.has_seat(first, 2).await);
    school.grant(Uuid::now_v7(), "line-1", first).await;
    assert!(!school.has_seat(first, 2).await);
    // The revocation arrives first.
    school.revoke(Uuid::now_v7(), "line-2").await;
    school.grant(Uuid::now_v7(), "line-2", second).await;
    assert!(!school.has_seat(second, 2).await);
    // Another order line of the same learner grants a seat.
    school.grant(Uuid::now_v7(), "line-3", second).await;
    assert!(school.has_seat(second, 2).await && !school.has_seat(third, 2).await);
}

#[tokio::test]
async fn an_erased_account_has_no_seat_even_after_a_late_grant() {
    let school = School::open().await;
    let (erased, other) = (learner(), learner());
    for learner in [erased, other] {
        school.take_seat(learner, 1).await.unwrap();
        school.grant(Uuid::now_v7(), &format!("line of {learner}"), learner).await;
    }
    let event = AccountErased { account_id: erased.to_string() };
    school.deliver(Service::Auth, Uuid::now_v7(), &event).await;
    school.grant(Uuid::now_v7(), "late line", erased).await;
    assert!(!school.has_seat(erased, 1).await && !school.has_seat(erased, 2).await);
    assert!(school.has_seat(other, 1).await && school.has_seat(other, 2).await);
}
