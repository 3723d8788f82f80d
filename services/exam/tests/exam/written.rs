//! Written answers: what markers see, what their points decide, and when a result is final.

use exam::written_marking::{MarkingError, MarkingProgress, MarkingTask, WrittenMarking};
use kit::caller::{Caller, Service};
use kit::timestamp::to_timestamp;
use prost::{Message as _, Name as _};
use proto::auth::AccountErased;
use proto::common::event_service_client::EventServiceClient;
use proto::common::{DeliverRequest, Event};
use proto::exam::application_service_client::ApplicationServiceClient;
use proto::exam::{
    ExportApplicationsRequest, ExportedExamAnswer, PaperResultState, QuestionKind, WrittenInMarking,
};
use serde_json::json;
use time::Duration;
use uuid::Uuid;

use crate::hall::{
    Browser, Candidate, Hall, PAPER, RULES, SECRETS, SINGLE, acked, choices, reason, refused, row, text,
};

/// A written question of `PAPER`, of 6 points and 20 characters.
pub(crate) const WRITTEN: i64 = 1106;
/// The marking guide. Only markers may see it.
const GUIDE: &str = "guide-of-the-test";
const ANSWER: &str = "真を責めずに\n任せたい気持ち。";

impl Hall {
    /// Opens a hall whose `PAPER` has a written question, too.
    pub(crate) async fn with_written() -> Self {
        let hall = Self::open().await;
        let content = json!({
            "kind": "written", "prompt": "問6", "figures": [], "choices": [], "is_ordered": false, "points": 6,
            "key": {"texts": [SECRETS[1]]}, "written": {"guide": GUIDE, "character_limit": 20, "takes_picture": true},
            "explanation": SECRETS[2], "lesson_id": null,
        });
        let mut connection = hall.connection().await;
        sqlx::query!(
            "INSERT INTO question (id, paper_id, number, content) VALUES ($1, $2, 6, $3)",
            WRITTEN,
            PAPER,
            content,
        )
        .execute(&mut *connection)
        .await
        .unwrap();
        sqlx::query!("UPDATE paper SET question_count = 6, points = 31 WHERE id = $1", PAPER)
            .execute(&mut *connection)
            .await
            .unwrap();
        drop(connection);
        hall
    }

    /// The marking of a process.
    pub(crate) fn written_marking(&self) -> WrittenMarking {
        WrittenMarking::new(self.database.pool.clone(), self.clock.clock())
    }

    /// Delivers the erasure of an account.
    pub(crate) async fn erase(&self, account: Uuid) {
        let erased = AccountErased { account_id: account.to_string() };
        let event = Event {
            id: Uuid::now_v7().to_string(),
            r#type: AccountErased::full_name(),
            payload: erased.encode_to_vec(),
            occurred_at: Some(to_timestamp(self.now())),
        };
        let mut events = EventServiceClient::new(self.server.channel_as(Caller::service(Service::Auth)));
        events.deliver(DeliverRequest { event: Some(event) }).await.unwrap();
    }

    pub(crate) async fn next(&self, marker: &str) -> MarkingTask {
        self.written_marking().next(marker, RULES).await.unwrap().unwrap()
    }

    /// Gives points for the marker's next task. Returns whether the answer is decided.
    pub(crate) async fn give(&self, marker: &str, points: i32, comment: &str) -> bool {
        let task = self.next(marker).await;
        self.written_marking().give(marker, task.id, points, comment).await.unwrap()
    }
}

impl Candidate<'_> {
    /// Sits `PAPER` with one right choice, of 5 points, and this written answer.
    async fn write(&self, answer: Option<&str>) {
        let browser = Browser::new();
        let sitting = self.start(PAPER, &browser).await.unwrap().id;
        let rows = vec![row(SINGLE, 1, choices(&[2])), row(WRITTEN, 1, answer.and_then(text))];
        self.save(&sitting, &browser, 1, rows).await.unwrap();
        self.hand_in(&sitting, &browser, 1).await.unwrap();
    }

    /// The state of the paper's result, and its written answers in marking.
    async fn paper_state(&self) -> (PaperResultState, Option<WrittenInMarking>) {
        let result = self.exam_result().await.unwrap();
        (result.papers[0].state(), result.papers[0].written_in_marking)
    }

    /// The answers in the export of the account.
    async fn exported_answers(&self) -> Vec<ExportedExamAnswer> {
        let channel = self.hall.server.channel_as(kit::test::learner(self.id));
        let mut applications = ApplicationServiceClient::new(channel);
        let exported = applications.export_applications(ExportApplicationsRequest {}).await.unwrap();
        exported.into_inner().sittings.remove(0).answers
    }

    /// The points of the paper, those of the written answer and its comments.
    async fn written_mark(&self) -> (i32, i32, Vec<String>) {
        let result = self.paper_result(PAPER).await.unwrap();
        let mark = result.questions[5].written_mark.clone().unwrap();
        (result.standing.unwrap().points, mark.points, mark.comments)
    }
}

#[tokio::test]
async fn a_written_answer_has_several_lines_up_to_its_limit_and_no_secret_leaves() {
    let hall = Hall::with_written().await;
    let candidate = hall.admit().await;
    let browser = Browser::new();
    let sitting = candidate.start(PAPER, &browser).await.unwrap();
    let question = sitting.questions.iter().find(|question| question.id == WRITTEN).unwrap();
    assert_eq!((question.kind(), question.character_limit), (QuestionKind::Written, Some(20)));
    let shown = format!("{sitting:?}");
    assert!(!shown.contains(GUIDE) && !shown.contains(SECRETS[1]), "{shown}");
    let lines = "あ\n".repeat(10);
    let long = "あ".repeat(21);
    let table =
        [(1, lines.as_str(), true), (2, long.as_str(), false), (3, " \n ", false), (4, "a\u{7}b", false)];
    for (sequence, typed, is_valid) in table {
        let saved = candidate.save(&sitting.id, &browser, 1, vec![row(WRITTEN, sequence, text(typed))]).await;
        let saved = saved.unwrap();
        assert_eq!(acked(&saved).len(), usize::from(is_valid), "{typed:?}");
        assert_eq!(refused(&saved).len(), usize::from(!is_valid), "{typed:?}");
    }
    let lines = candidate.save(&sitting.id, &browser, 1, vec![row(1104, 1, text("a\nb"))]).await.unwrap();
    assert_eq!(refused(&lines).len(), 1, "a short text has one line");
}

#[tokio::test]
async fn two_markers_who_agree_decide_and_only_then_the_result_is_final() {
    let hall = Hall::with_written().await;
    let candidate = hall.admit().await;
    candidate.write(Some(ANSWER)).await;
    hall.mark().await;
    let waiting = Some(WrittenInMarking { open_answers: 1, points: 5, full_points: 25 });
    assert_eq!(candidate.paper_state().await, (PaperResultState::Marking, waiting));
    assert_eq!(hall.written_marking().next("mori", RULES).await.unwrap(), None, "before the end of the exam");

    hall.end().await;
    assert_eq!(reason(candidate.paper_result(PAPER).await), "NOT_FINAL");
    assert!(!hall.give("mori", 4, " よく読めています。 ").await);
    assert_eq!(candidate.paper_state().await, (PaperResultState::Marking, waiting));
    assert!(hall.give("hara", 4, "").await);
    hall.mark().await;
    assert_eq!(candidate.paper_state().await.0, PaperResultState::Marked);
    assert_eq!(candidate.written_mark().await, (9, 4, vec!["よく読めています。".to_owned()]));
    let result = candidate.paper_result(PAPER).await.unwrap();
    assert!(!result.questions[5].is_right, "with 4 of 6 points");
    assert_eq!(result.questions[5].key, text(SECRETS[1]));
    assert!(!format!("{result:?}").contains(GUIDE), "only markers see the guide");
    let missed = candidate.exam_result().await.unwrap();
    assert!(missed.is_final);
}

#[tokio::test]
async fn a_third_marker_decides_a_difference() {
    let hall = Hall::with_written().await;
    let candidate = hall.admit().await;
    candidate.write(Some(ANSWER)).await;
    hall.end().await;
    assert!(!hall.give("mori", 2, "第一").await);
    assert!(!hall.give("hara", 6, "第二").await);
    let marking = hall.written_marking();
    let progress = MarkingProgress { exam: 1, answers: 1, decided: 0, disputed: 1, open_tasks: 0 };
    assert_eq!(marking.progress().await.unwrap(), std::slice::from_ref(&progress));
    for marker in ["mori", "hara"] {
        assert_eq!(marking.next(marker, RULES).await.unwrap(), None, "{marker} has marked it");
    }
    assert!(hall.give("oki", 5, "第三").await);
    hall.mark().await;
    assert_eq!(candidate.written_mark().await, (10, 5, vec!["第三".to_owned()]));
    assert_eq!(marking.progress().await.unwrap(), [MarkingProgress { decided: 1, disputed: 0, ..progress }]);
    assert_eq!(marking.next("ueda", RULES).await.unwrap(), None);
}

#[tokio::test]
async fn the_export_has_every_mark_of_a_written_answer_without_its_marker_once_it_is_final() {
    let hall = Hall::with_written().await;
    let candidate = hall.admit().await;
    candidate.write(Some(ANSWER)).await;
    hall.end().await;
    hall.give("mori", 2, "主語が足りません。").await;
    hall.give("hara", 6, "").await;
    let open = candidate.exported_answers().await;
    assert_eq!((open[1].points, open[1].marks.len()), (None, 0), "the result is not final");
    hall.give("oki", 5, "よく書けています。").await;
    hall.mark().await;
    let exported = candidate.exported_answers().await;
    assert_eq!((exported[0].question_id, exported[0].points), (SINGLE, None), "a question with a key");
    assert_eq!((exported[1].question_id, exported[1].points), (WRITTEN, Some(5)));
    let mut given: Vec<_> =
        exported[1].marks.iter().map(|mark| (mark.points, mark.comment.as_str())).collect();
    assert_eq!(given.pop(), Some((5, "よく書けています。")), "the third one is last");
    given.sort_unstable();
    assert_eq!(given, [(2, "主語が足りません。"), (6, "")]);
    let shown = format!("{exported:?}");
    assert!(["mori", "hara", "oki"].iter().all(|marker| !shown.contains(marker)), "{shown}");
}

#[tokio::test]
async fn full_points_are_a_right_answer_and_a_blank_one_needs_no_marker() {
    let hall = Hall::with_written().await;
    let (one, blank) = (hall.admit().await, hall.admit().await);
    one.write(Some(ANSWER)).await;
    blank.write(None).await;
    hall.mark().await;
    assert_eq!(blank.paper_state().await.0, PaperResultState::Marked);
    hall.end().await;
    hall.give("mori", 6, "").await;
    hall.give("hara", 6, "").await;
    hall.mark().await;
    assert_eq!(one.written_mark().await, (11, 6, vec![]));
    assert_eq!(blank.written_mark().await, (5, 0, vec![]));
    let result = one.paper_result(PAPER).await.unwrap();
    assert!(result.questions[5].is_right);
    assert_eq!(result.questions[5].right_rate_tenths, 500);
}

#[tokio::test]
async fn a_marker_sees_only_the_answer_and_has_one_task_at_a_time() {
    let hall = Hall::with_written().await;
    let (one, other) = (hall.admit().await, hall.admit().await);
    one.write(Some(ANSWER)).await;
    other.write(Some("気持ち")).await;
    hall.end().await;
    let task = hall.next("mori").await;
    assert_eq!((task.full_points, task.guide.as_str(), task.model_answer.as_str()), (6, GUIDE, SECRETS[1]));
    hall.written_marking().give("mori", task.id, 3, "他の人へのことば").await.unwrap();
    let seen = format!("{:?}", hall.next("hara").await);
    for secret in [one.id.to_string(), other.id.to_string(), "mori".to_owned(), "他の人".to_owned()] {
        assert!(!seen.contains(&secret), "{seen}");
    }
    // The process is killed, and the marker asks again.
    let open = hall.next("mori").await;
    let (again, twice) = tokio::join!(hall.next("mori"), hall.next("mori"));
    assert_eq!((&again, &twice), (&open, &open));
    assert_ne!(open.answer, task.answer, "nobody marks an answer twice");
}

#[tokio::test]
async fn capital_letters_do_not_make_another_marker() {
    let hall = Hall::with_written().await;
    let candidate = hall.admit().await;
    candidate.write(Some(ANSWER)).await;
    hall.end().await;
    let task = hall.next("mori").await;
    assert_eq!(hall.next("Mori").await, task);
    assert!(!hall.written_marking().give("MORI", task.id, 3, "").await.unwrap());
    assert_eq!(
        hall.written_marking().next("Mori", RULES).await.unwrap(),
        None,
        "nobody marks an answer twice"
    );
}

#[tokio::test]
async fn a_mark_waits_for_the_erasure_of_its_candidate() {
    let hall = Hall::with_written().await;
    let candidate = hall.admit().await;
    candidate.write(Some(ANSWER)).await;
    hall.end().await;
    let task = hall.next("mori").await.id;
    let marking = hall.written_marking();
    // Erasure locks the learner, then deletes the sitting.
    let mut erasure = hall.database.pool.begin().await.unwrap();
    sqlx::query!("SELECT pg_advisory_xact_lock(hashtextextended($1::uuid::text, 0))", candidate.id)
        .execute(&mut *erasure)
        .await
        .unwrap();
    let (given, released) = (marking.give("mori", task, 3, ""), marking.release("mori"));
    let second = std::time::Duration::from_millis(300);
    assert!(tokio::time::timeout(second, given).await.is_err(), "it waits");
    assert!(tokio::time::timeout(second, released).await.is_err(), "it waits");
    // Neither holds a row that erasure needs.
    sqlx::query!("DELETE FROM mark WHERE learner_id = $1", candidate.id)
        .execute(&mut *erasure)
        .await
        .unwrap();
    sqlx::query!("DELETE FROM sitting WHERE learner_id = $1", candidate.id)
        .execute(&mut *erasure)
        .await
        .unwrap();
    erasure.commit().await.unwrap();
    assert!(matches!(marking.give("mori", task, 3, "").await, Err(MarkingError::NoTask { .. })));
    assert!(!marking.release("mori").await.unwrap());
}

#[tokio::test]
async fn many_markers_at_once_share_the_places() {
    let hall = Hall::with_written().await;
    let mut candidates = Vec::new();
    for _ in 0..3 {
        let candidate = hall.admit().await;
        candidate.write(Some(ANSWER)).await;
        candidates.push(candidate);
    }
    hall.end().await;
    let names: Vec<String> = (0..10).map(|number| format!("marker-{number}")).collect();
    let marking = hall.written_marking();
    let mut given = 0;
    // An answer whose row another marker has locked is skipped, so a round may give fewer.
    while given < 6 {
        let tasks = futures_util::future::join_all(names.iter().map(async |name| {
            let task = marking.next(name, RULES).await.unwrap()?;
            marking.give(name, task.id, 4, "").await.unwrap();
            Some(task.id)
        }))
        .await;
        given += tasks.iter().flatten().count();
    }
    assert_eq!(given, 6, "two markers for each of three answers");
    let progress = MarkingProgress { exam: 1, answers: 3, decided: 3, disputed: 0, open_tasks: 0 };
    assert_eq!(marking.progress().await.unwrap(), [progress]);
    hall.mark().await;
    for candidate in &candidates {
        assert_eq!(candidate.written_mark().await, (9, 4, vec![]));
    }
}

#[tokio::test]
async fn wrong_marks_change_nothing() {
    let hall = Hall::with_written().await;
    let candidate = hall.admit().await;
    candidate.write(Some(ANSWER)).await;
    hall.end().await;
    let marking = hall.written_marking();
    let task = hall.next("mori").await.id;
    let long = "あ".repeat(501);
    for (marker, id, points, comment, wanted) in [
        ("", task, 3, "", "names no marker"),
        ("mori hara", task, 3, "", "names no marker"),
        ("hara", task, 3, "", "marker hara has no task"),
        ("mori", Uuid::nil(), 3, "", "marker mori has no task"),
        ("mori", task, -1, "", "the question has 0 to 6"),
        ("mori", task, 7, "", "the question has 0 to 6"),
        ("mori", task, 3, long.as_str(), "longer than 500 characters"),
    ] {
        let error = marking.give(marker, id, points, comment).await.unwrap_err().to_string();
        assert!(error.contains(wanted), "{error}");
    }
    assert!(!marking.release("haar").await.unwrap());
    let mut connection = hall.connection().await;
    let markers: Vec<String> =
        sqlx::query_scalar!("SELECT id FROM marker").fetch_all(&mut *connection).await.unwrap();
    assert_eq!(markers, ["mori"], "a wrong name is not stored");
    drop(connection);
    assert!(!marking.give("mori", task, 3, "ほ").await.unwrap());
    assert!(!marking.give("mori", task, 3, "ほ").await.unwrap(), "the same again");
    for (points, comment) in [(4, "ほ"), (3, "へ")] {
        let again = marking.give("mori", task, points, comment).await;
        assert!(matches!(again, Err(MarkingError::Given { points: 3, .. })), "{again:?}");
    }
    assert!(hall.give("hara", 3, "").await);
}

#[tokio::test]
async fn a_killed_command_leaves_no_half_mark() {
    let hall = Hall::with_written().await;
    let candidate = hall.admit().await;
    candidate.write(Some(ANSWER)).await;
    hall.end().await;
    assert!(!hall.give("mori", 3, "").await);
    let task = hall.next("hara").await.id;
    // The last mark waits for a row lock when its process dies.
    let mut blocker = hall.database.pool.begin().await.unwrap();
    sqlx::query!("SELECT sitting_id FROM partial_mark FOR UPDATE").fetch_one(&mut *blocker).await.unwrap();
    let marking = hall.written_marking();
    let giving =
        tokio::time::timeout(std::time::Duration::from_millis(300), marking.give("hara", task, 3, ""));
    assert!(giving.await.is_err(), "it waits");
    blocker.rollback().await.unwrap();
    hall.mark().await;
    assert_eq!(candidate.paper_state().await.0, PaperResultState::Marking);
    assert_eq!(hall.next("hara").await.id, task, "the task is still open");
    assert!(marking.give("hara", task, 3, "").await.unwrap());
    hall.mark().await;
    assert_eq!(candidate.written_mark().await, (8, 3, vec![]));
}

#[tokio::test]
async fn a_released_task_goes_to_another_marker() {
    let hall = Hall::with_written().await;
    let candidate = hall.admit().await;
    candidate.write(Some(ANSWER)).await;
    hall.end().await;
    let marking = hall.written_marking();
    hall.next("mori").await;
    hall.next("hara").await;
    assert_eq!(marking.next("oki", RULES).await.unwrap(), None, "both places are taken");
    assert!(marking.release("mori").await.unwrap());
    assert!(!marking.release("mori").await.unwrap());
    assert!(!hall.give("oki", 1, "").await);
    assert!(hall.give("hara", 1, "").await);
}

#[tokio::test]
async fn an_erased_candidate_does_not_hold_back_the_others() {
    let hall = Hall::with_written().await;
    let (gone, stays) = (hall.admit().await, hall.admit().await);
    gone.write(Some(ANSWER)).await;
    stays.write(None).await;
    hall.end().await;
    let task = hall.next("mori").await.id;
    assert!(!stays.exam_result().await.unwrap().is_final);
    hall.erase(gone.id).await;
    let given = hall.written_marking().give("mori", task, 3, "").await;
    assert!(matches!(given, Err(MarkingError::NoTask { .. })), "{given:?}");
    hall.clock.advance(Duration::MINUTE);
    hall.mark().await;
    assert!(stays.exam_result().await.unwrap().is_final);
}
