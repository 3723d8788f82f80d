//! Pictures of written answers: when they are stored, who gets them and when they are deleted.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use exam::written_marking::TaskAnswer;
use kit::error::ServiceError;
use kit::test::{guardian_of, learner};
use proto::exam::answer::Of;
use proto::exam::application_service_client::ApplicationServiceClient;
use proto::exam::child_result_service_client::ChildResultServiceClient;
use proto::exam::{
    Answer, ExportApplicationsRequest, GetChildPictureRequest, GetPictureRequest, PutPictureRequest,
};
use time::Duration;
use uuid::Uuid;

use crate::hall::{Browser, Candidate, Hall, PAPER, SINGLE, acked, reason, refused, row, text};
use crate::result::into_result;
use crate::written::WRITTEN;

/// A PNG of one pixel. `note` is behind its end, where decoders do not read.
fn photo(note: &str) -> Vec<u8> {
    let png =
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";
    let mut bytes = STANDARD.decode(png).unwrap();
    bytes.extend(note.as_bytes());
    bytes
}

fn drawn(name: &str) -> Answer {
    Answer { of: Some(Of::Picture(name.to_owned())) }
}

impl Candidate<'_> {
    async fn put_picture(
        &self,
        sitting: &str,
        question: i64,
        content: Vec<u8>,
    ) -> Result<String, ServiceError> {
        let request = PutPictureRequest { id: sitting.to_owned(), question_id: question, content };
        into_result(self.client.clone().put_picture(request).await).map(|response| response.picture)
    }

    async fn picture(&self, name: &str) -> Result<Vec<u8>, ServiceError> {
        let request = GetPictureRequest { question_id: WRITTEN, picture: name.to_owned() };
        into_result(self.client.clone().get_picture(request).await).map(|response| response.jpeg)
    }

    /// Sits `PAPER` with a picture as the written answer. Returns the picture's name.
    async fn draw(&self) -> String {
        let browser = Browser::new();
        let sitting = self.start(PAPER, &browser).await.unwrap().id;
        let name = self.put_picture(&sitting, WRITTEN, photo("")).await.unwrap();
        self.save(&sitting, &browser, 1, vec![row(WRITTEN, 1, Some(drawn(&name)))]).await.unwrap();
        self.hand_in(&sitting, &browser, 1).await.unwrap();
        name
    }
}

impl Hall {
    async fn count_pictures(&self) -> i64 {
        let mut connection = self.connection().await;
        sqlx::query_scalar!(r#"SELECT count(*) AS "count!" FROM answer_picture"#)
            .fetch_one(&mut *connection)
            .await
            .unwrap()
    }
}

#[tokio::test]
async fn a_picture_is_stored_before_its_answer_and_only_its_pixels_remain() {
    let hall = Hall::with_written().await;
    let (candidate, other) = (hall.admit().await, hall.admit().await);
    let browser = Browser::new();
    let sitting = candidate.start(PAPER, &browser).await.unwrap();
    assert!(sitting.questions.iter().all(|question| question.takes_picture == (question.id == WRITTEN)));
    let sitting = sitting.id;
    for name in ["0".repeat(64), "F".repeat(64), "../../0".to_owned(), String::new()] {
        let early = candidate.save(&sitting, &browser, 1, vec![row(WRITTEN, 1, Some(drawn(&name)))]).await;
        assert_eq!(refused(&early.unwrap()), [(WRITTEN, 1, "REFUSAL_CODE_INVALID")], "{name}");
    }

    let name = candidate.put_picture(&sitting, WRITTEN, photo("GPS 35.68")).await.unwrap();
    assert_eq!(candidate.put_picture(&sitting, WRITTEN, photo("GPS 35.68")).await.unwrap(), name, "again");
    let rows = vec![row(WRITTEN, 2, Some(drawn(&name))), row(SINGLE, 1, Some(drawn(&name)))];
    let saved = candidate.save(&sitting, &browser, 1, rows).await.unwrap();
    assert_eq!(acked(&saved), [(WRITTEN, 2)]);
    assert_eq!(refused(&saved), [(SINGLE, 1, "REFUSAL_CODE_INVALID")]);
    let jpeg = candidate.picture(&name).await.unwrap();
    assert!(jpeg.starts_with(&[0xff, 0xd8]) && !String::from_utf8_lossy(&jpeg).contains("GPS"));

    assert_eq!(reason(other.picture(&name).await), "NOT_FOUND");
    assert_eq!(reason(other.put_picture(&sitting, WRITTEN, photo("")).await), "NOT_FOUND");
    assert_eq!(reason(candidate.put_picture(&sitting, SINGLE, photo("")).await), "NOT_FOUND");
    assert_eq!(
        reason(candidate.put_picture(&sitting, WRITTEN, b"GIF89a".to_vec()).await),
        "PICTURE_UNREADABLE"
    );
    let large = vec![0; 5 * 1024 * 1024 + 1];
    assert_eq!(reason(candidate.put_picture(&sitting, WRITTEN, large).await), "PICTURE_TOO_LARGE");
}

#[tokio::test]
async fn the_picture_of_the_answer_outlives_later_ones_and_the_hand_in_deletes_the_others() {
    let hall = Hall::with_written().await;
    let candidate = hall.admit().await;
    let browser = Browser::new();
    let sitting = candidate.start(PAPER, &browser).await.unwrap().id;
    let name = candidate.put_picture(&sitting, WRITTEN, photo("")).await.unwrap();
    candidate.save(&sitting, &browser, 1, vec![row(WRITTEN, 1, Some(drawn(&name)))]).await.unwrap();
    for number in 0..8 {
        hall.clock.advance(Duration::SECOND);
        candidate.put_picture(&sitting, WRITTEN, photo(&number.to_string())).await.unwrap();
    }
    assert_eq!(hall.count_pictures().await, 6);
    candidate.hand_in(&sitting, &browser, 1).await.unwrap();
    assert_eq!(hall.count_pictures().await, 1);
    assert!(candidate.picture(&name).await.is_ok());
    assert_eq!(reason(candidate.put_picture(&sitting, WRITTEN, photo("late")).await), "HANDED_IN");

    let writer = hall.admit().await;
    let browser = Browser::new();
    let sitting = writer.start(PAPER, &browser).await.unwrap().id;
    let name = writer.put_picture(&sitting, WRITTEN, photo("")).await.unwrap();
    let rows = vec![row(WRITTEN, 1, Some(drawn(&name))), row(WRITTEN, 2, text("任せたい。"))];
    writer.save(&sitting, &browser, 1, rows).await.unwrap();
    writer.hand_in(&sitting, &browser, 1).await.unwrap();
    assert_eq!(reason(writer.picture(&name).await), "NOT_FOUND", "a text replaced it");
}

#[tokio::test]
async fn a_marker_sees_the_picture_and_the_guardian_gets_it_with_the_final_result() {
    let hall = Hall::with_written().await;
    let candidate = hall.admit().await;
    let name = candidate.draw().await;
    hall.mark().await;
    hall.end().await;
    let jpeg = candidate.picture(&name).await.unwrap();
    assert_eq!(hall.next("mori").await.answer, TaskAnswer::Picture(jpeg.clone()));

    let for_guardian = async |child: Uuid| {
        let channel = hall.server.channel_as(guardian_of(Uuid::new_v4(), child));
        let request = GetChildPictureRequest { question_id: WRITTEN, picture: name.clone() };
        into_result(ChildResultServiceClient::new(channel).get_child_picture(request).await)
            .map(|response| response.jpeg)
    };
    assert_eq!(reason(for_guardian(candidate.id).await), "NOT_FOUND", "before the result is final");
    hall.give("mori", 4, "").await;
    hall.give("hara", 4, "").await;
    hall.mark().await;
    assert_eq!(for_guardian(candidate.id).await.unwrap(), jpeg);
    assert_eq!(reason(for_guardian(Uuid::new_v4()).await), "NOT_FOUND");
    let result = candidate.paper_result(PAPER).await.unwrap();
    assert_eq!(result.questions[5].given, Some(drawn(&name)));
}

#[tokio::test]
async fn a_picture_is_exported_and_erased_with_the_account() {
    let hall = Hall::with_written().await;
    let candidate = hall.admit().await;
    let name = candidate.draw().await;
    let jpeg = candidate.picture(&name).await.unwrap();
    let channel = hall.server.channel_as(learner(candidate.id));
    let export = ApplicationServiceClient::new(channel)
        .export_applications(ExportApplicationsRequest {})
        .await
        .unwrap()
        .into_inner();
    let pictures: Vec<_> = export.sittings[0]
        .answers
        .iter()
        .map(|answer| (answer.question_id, answer.picture.clone()))
        .collect();
    assert_eq!(pictures, [(WRITTEN, Some(jpeg))]);
    assert_eq!(hall.count_pictures().await, 1);
    hall.erase(candidate.id).await;
    assert_eq!(hall.count_pictures().await, 0);
}
