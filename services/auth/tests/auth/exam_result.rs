//! Final results of exams: emails to the learner and the linked guardians.

use kit::caller::{Caller, Service};
use kit::timestamp::to_timestamp;
use prost::{Message as _, Name as _};
use proto::auth::{CloseAccountRequest, ExamResultAnnounced};
use proto::common::event_service_client::EventServiceClient;
use proto::common::{DeliverRequest, Event};
use proto::exam::ExamResultFinal;
use tonic::Status;
use uuid::Uuid;

use crate::support::{ADDRESS, Auth, EMAIL, NOW, PASSWORD, USER, World, guardian, reason};

const EXAM_NAME: &str = "第2回 コノ模試";

/// The event of a learner's final result.
fn final_result(learner: &str) -> Event {
    let result =
        ExamResultFinal { learner_id: learner.to_owned(), exam_id: 3, exam_name: EXAM_NAME.to_owned() };
    Event {
        id: Uuid::now_v7().to_string(),
        r#type: ExamResultFinal::full_name(),
        payload: result.encode_to_vec(),
        occurred_at: Some(to_timestamp(NOW)),
    }
}

impl Auth {
    async fn deliver_from(&self, sender: Service, event: Event) -> Result<(), Status> {
        let channel = self.server.channel_as(Caller::service(sender));
        let request = DeliverRequest { event: Some(event) };
        EventServiceClient::new(channel).deliver(request).await.map(drop)
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_final_result_is_announced_once_to_the_learner_and_each_linked_guardian() {
    let world = World::with_guardians(3).await;
    let auth = world.serve().await;
    for number in [0, 1] {
        auth.use_code(guardian(number), &auth.code().await).await.unwrap();
    }
    let event = final_result(&USER.to_string());
    auth.deliver_from(Service::Exam, event.clone()).await.unwrap();
    let announced: Vec<ExamResultAnnounced> = world.events_of().await;
    let to_learner = ExamResultAnnounced {
        to: EMAIL.to_owned(),
        account_id: USER.to_string(),
        name: "山田 花子".to_owned(),
        exam_id: 3,
        exam_name: EXAM_NAME.to_owned(),
        child_id: String::new(),
        child_name: String::new(),
        birth_date: Some("2011-04-01".to_owned()),
    };
    let to_guardian = |number: u128| ExamResultAnnounced {
        to: format!("guardian{number}@konomana.example"),
        account_id: guardian(number).to_string(),
        name: format!("森下 恵子{number}"),
        child_id: USER.to_string(),
        child_name: "山田 花子".to_owned(),
        birth_date: Some("1981-02-03".to_owned()),
        ..to_learner.clone()
    };
    assert_eq!(announced, [to_learner.clone(), to_guardian(0), to_guardian(1)]);

    // exam delivers at least once, and replicas may do so at the same time.
    let (one, other) = tokio::join!(
        auth.deliver_from(Service::Exam, event.clone()),
        auth.deliver_from(Service::Exam, event.clone())
    );
    one.and(other).unwrap();
    assert_eq!(world.events_of::<ExamResultAnnounced>().await.len(), 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_is_notified_without_an_account_or_while_it_is_closing() {
    let world = World::with_guardians(1).await;
    let auth = world.serve().await;
    // An erased account, or a candidate of a demo.
    auth.deliver_from(Service::Exam, final_result(&Uuid::from_u128(7).to_string())).await.unwrap();
    auth.use_code(guardian(0), &auth.code().await).await.unwrap();
    let request = CloseAccountRequest {
        password: PASSWORD.to_owned(),
        client_address: ADDRESS.to_owned(),
        ..CloseAccountRequest::default()
    };
    auth.profiles_of(USER).close_account(request).await.unwrap();
    auth.deliver_from(Service::Exam, final_result(&USER.to_string())).await.unwrap();
    assert!(world.events_of::<ExamResultAnnounced>().await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn only_exam_may_send_a_final_result_and_a_wrong_one_is_refused() {
    let world = World::new().await;
    let auth = world.serve().await;
    for sender in [Service::Edge, Service::Commerce, Service::Desk] {
        let refused = auth.deliver_from(sender, final_result(&USER.to_string())).await;
        assert_eq!(reason(refused), "CALLER_NOT_ALLOWED", "{sender:?}");
    }
    assert!(auth.deliver_from(Service::Exam, final_result("hanako")).await.is_err());
    assert!(world.events_of::<ExamResultAnnounced>().await.is_empty());
}
