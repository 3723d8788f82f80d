//! What is recorded while a paper is sat, and who sees it.

use kit::caller::{Caller, Service};
use kit::timestamp::to_timestamp;
use prost::{Message as _, Name as _};
use proto::auth::AccountErased;
use proto::common::event_service_client::EventServiceClient;
use proto::common::{DeliverRequest, Event};
use proto::exam::application_service_client::ApplicationServiceClient;
use proto::exam::{ActiveDevice, ExportApplicationsRequest, QuestionTime, SaveAnswersRequest, SittingRecord};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::hall::{
    Browser, Candidate, Hall, MINUTE, MULTIPLE, OTHER_PAPER, PAPER, SECOND, SINGLE, START, at, choices,
    reason, row,
};

fn times(times: &[(i64, i32)]) -> Vec<QuestionTime> {
    times.iter().map(|&(question_id, seconds)| QuestionTime { question_id, seconds }).collect()
}

impl Candidate<'_> {
    /// Reports the seconds of questions, without answers.
    async fn report(&self, sitting: &str, browser: &Browser, epoch: i32, seconds: &[(i64, i32)]) {
        let message = self.message(sitting, browser, epoch, Vec::new());
        let message = SaveAnswersRequest { question_times: times(seconds), ..message };
        self.send(message).await.unwrap();
    }

    /// Returns the record of a paper in the result.
    async fn record(&self, paper: i64) -> Option<SittingRecord> {
        let result = self.exam_result().await.unwrap();
        result.papers.into_iter().find(|row| row.paper_id == paper).unwrap().record
    }
}

fn turns(devices: Vec<ActiveDevice>) -> Vec<(i32, OffsetDateTime)> {
    devices.into_iter().map(|device| (device.number, at(device.since))).collect()
}

#[tokio::test]
async fn seconds_on_a_question_never_decrease_and_other_questions_are_skipped() {
    let hall = Hall::open().await;
    let (candidate, browser) = (hall.admit().await, Browser::new());
    let id = candidate.start(PAPER, &browser).await.unwrap().id;
    for (reported, kept) in [
        (&[(SINGLE, 5)][..], &[(SINGLE, 5)][..]),
        (&[(MULTIPLE, 9), (SINGLE, 12)], &[(SINGLE, 12), (MULTIPLE, 9)]),
        (&[(SINGLE, 7), (MULTIPLE, 0), (99, 40)], &[(SINGLE, 12), (MULTIPLE, 9)]),
        (&[], &[(SINGLE, 12), (MULTIPLE, 9)]),
    ] {
        candidate.report(&id, &browser, 1, reported).await;
        assert_eq!(candidate.find(&id, &browser).await.unwrap().question_times, times(kept));
    }
    let message = candidate.message(&id, &browser, 1, Vec::new());
    for wrong in [times(&[(SINGLE, -1)]), times(&[(SINGLE, 1); 101])] {
        let message = SaveAnswersRequest { question_times: wrong, ..message.clone() };
        assert_eq!(reason(candidate.send(message).await), "INVALID");
    }
}

#[tokio::test]
async fn a_record_has_take_overs_times_and_seconds_and_only_its_learner_and_guardian_see_it() {
    let hall = Hall::open().await;
    let (candidate, laptop, phone) = (hall.admit().await, Browser::new(), Browser::new());
    let id = candidate.start(PAPER, &laptop).await.unwrap().id;
    candidate.report(&id, &laptop, 1, &[(SINGLE, 30)]).await;
    hall.clock.advance(MINUTE);
    assert_eq!(candidate.take_over(&id, &phone).await.unwrap().question_times, times(&[(SINGLE, 30)]));
    candidate.take_over(&id, &phone).await.unwrap();
    hall.clock.advance(MINUTE);
    candidate.take_over(&id, &laptop).await.unwrap();
    hall.clock.advance(SECOND * 20);
    let message = candidate.message(&id, &laptop, 3, vec![row(MULTIPLE, 1, choices(&[1]))]);
    let message = SaveAnswersRequest { away_seconds: 25, question_times: times(&[(SINGLE, 41)]), ..message };
    candidate.send(message).await.unwrap();
    hall.clock.advance(MINUTE);
    candidate.hand_in(&id, &laptop, 3).await.unwrap();

    let record = candidate.record(PAPER).await.unwrap();
    assert_eq!(at(record.started_at), START);
    assert_eq!(at(record.handed_in_at), START + MINUTE * 3 + SECOND * 20);
    assert_eq!(record.away_seconds, 25);
    let expected = [(1, START), (2, START + MINUTE), (1, START + MINUTE * 2)];
    assert_eq!(turns(record.devices), expected);
    let rows: Vec<_> = record
        .questions
        .into_iter()
        .map(|row| (row.number, row.saved_at.map(|time| at(Some(time))), row.seconds))
        .collect();
    let saved_at = START + MINUTE * 2 + SECOND * 20;
    assert_eq!(
        rows,
        [(1, None, Some(41)), (2, Some(saved_at), None), (3, None, None), (4, None, None), (5, None, None)]
    );
    assert_eq!(candidate.record(OTHER_PAPER).await, None, "not sat");

    hall.mark().await;
    let seen = candidate.child_exam_result().await;
    assert_eq!(seen, candidate.exam_result().await.unwrap(), "the guardian sees the same record");
    assert!(seen.papers[0].record.is_some());
}

#[tokio::test]
async fn a_sitting_on_one_device_has_no_take_over() {
    let hall = Hall::open().await;
    let candidate = hall.admit().await;
    candidate.sit(PAPER, 2).await;
    let record = candidate.record(PAPER).await.unwrap();
    assert_eq!((record.devices, record.away_seconds), (Vec::new(), 0));
    assert!(record.questions.iter().all(|row| row.seconds.is_none()));
    assert_eq!(record.questions.iter().filter(|row| row.saved_at.is_some()).count(), 2);
}

#[tokio::test]
async fn a_record_is_exported_and_erased_with_the_account() {
    let hall = Hall::open().await;
    let (candidate, laptop, phone) = (hall.admit().await, Browser::new(), Browser::new());
    let id = candidate.start(PAPER, &laptop).await.unwrap().id;
    candidate.report(&id, &laptop, 1, &[(SINGLE, 30)]).await;
    candidate.take_over(&id, &phone).await.unwrap();
    let channel = hall.server.channel_as(kit::test::learner(candidate.id));
    let exported = ApplicationServiceClient::new(channel)
        .export_applications(ExportApplicationsRequest {})
        .await
        .unwrap()
        .into_inner();
    let [sitting] = &exported.sittings[..] else { panic!("not one") };
    let devices: Vec<_> = sitting.devices.iter().map(|device| device.device_id.clone()).collect();
    assert_eq!(devices, [laptop.id.to_string(), phone.id.to_string()]);
    assert_eq!(sitting.question_times, times(&[(SINGLE, 30)]));

    let erased = AccountErased { account_id: candidate.id.to_string() };
    let event = Event {
        id: Uuid::now_v7().to_string(),
        r#type: AccountErased::full_name(),
        payload: erased.encode_to_vec(),
        occurred_at: Some(to_timestamp(hall.now())),
    };
    EventServiceClient::new(hall.server.channel_as(Caller::service(Service::Auth)))
        .deliver(DeliverRequest { event: Some(event) })
        .await
        .unwrap();
    let mut connection = hall.connection().await;
    let left = sqlx::query_scalar!(
        r#"SELECT (SELECT count(*) FROM active_device) + (SELECT count(*) FROM question_time) AS "count!""#
    );
    assert_eq!(left.fetch_one(&mut *connection).await.unwrap(), 0);
}
