use kit::client::Channel;
use proto::lms::note_service_client::NoteServiceClient;
use proto::lms::{ClearNoteRequest, ListNotesRequest, ListNotesResponse, Note, SetNoteRequest};
use time::Duration;
use tonic::Status;
use uuid::Uuid;

use crate::school::{COURSE, LESSON, NOON, RULES, School, learner, refusal};

impl School {
    pub(crate) fn notes(&self, learner: Uuid) -> NoteServiceClient<Channel> {
        NoteServiceClient::new(self.channel(learner))
    }

    /// Writes a note on a lesson.
    pub(crate) async fn write(
        &self,
        learner: Uuid,
        id: Uuid,
        lesson_id: i64,
        at: u32,
        text: &str,
    ) -> Result<Note, Status> {
        let (id, text) = (id.to_string(), text.to_owned());
        let answer = self
            .notes(learner)
            .set_note(SetNoteRequest { id, lesson_id, at, text, ..Default::default() })
            .await?;
        Ok(answer.into_inner().note.unwrap())
    }

    async fn list(
        &self,
        learner: Uuid,
        page: u32,
        lesson_id: Option<i64>,
        query: Option<&str>,
    ) -> Result<ListNotesResponse, Status> {
        let query = query.map(str::to_owned);
        let request = ListNotesRequest { page, lesson_id, query, ..Default::default() };
        self.notes(learner).list_notes(request).await.map(tonic::Response::into_inner)
    }

    async fn delete_note(&self, learner: Uuid, id: Uuid) -> Result<(), Status> {
        let request = ClearNoteRequest { id: id.to_string(), ..Default::default() };
        self.notes(learner).clear_note(request).await.map(drop)
    }
}

fn texts(list: &ListNotesResponse) -> Vec<&str> {
    list.notes.iter().map(|note| note.text.as_str()).collect()
}

async fn school_with_learner() -> (School, Uuid) {
    let school = School::open().await;
    let learner = learner();
    school.grant(learner, COURSE).await;
    (school, learner)
}

#[tokio::test]
async fn a_note_can_be_written_changed_and_deleted() {
    let (school, learner) = school_with_learner().await;
    let id = Uuid::now_v7();
    let first = school.write(learner, id, LESSON, 42, "解の公式").await.unwrap();
    assert_eq!((first.id.as_str(), first.at, first.text.as_str()), (&*id.to_string(), 42, "解の公式"));
    assert_eq!((first.lesson_name.as_str(), first.course_name.as_str()), ("講義1", "講座101"));
    assert_eq!(first.created.unwrap().seconds, NOON.unix_timestamp());

    school.clock.advance(Duration::MINUTE);
    assert_eq!(
        school.write(learner, id, LESSON, 42, "解の公式").await.unwrap(),
        first,
        "the same note again changes nothing"
    );
    let changed = school.write(learner, id, LESSON + 1, 43, " 解と係数 ").await.unwrap();
    assert_eq!((changed.lesson_id, changed.at, changed.text.as_str()), (LESSON + 1, 43, " 解と係数 "));
    assert_eq!(changed.created, first.created);
    assert_eq!(changed.modified.unwrap().seconds, (NOON + Duration::MINUTE).unix_timestamp());
    assert_eq!(school.list(learner, 1, None, None).await.unwrap().notes, [changed]);

    for _ in 0..2 {
        school.delete_note(learner, id).await.unwrap();
    }
    assert_eq!(school.list(learner, 1, None, None).await.unwrap(), ListNotesResponse::default());
}

#[tokio::test]
async fn notes_of_a_lesson_are_sorted_by_position_and_all_notes_newest_first() {
    let (school, learner) = school_with_learner().await;
    for (lesson, at, text) in
        [(LESSON, 50, "b"), (LESSON, 10, "a"), (LESSON + 1, 5, "c"), (LESSON, u32::MAX, "end")]
    {
        school.clock.advance(Duration::SECOND);
        school.write(learner, Uuid::now_v7(), lesson, at, text).await.unwrap();
    }
    let lesson = school.list(learner, 1, Some(LESSON), None).await.unwrap();
    assert_eq!((lesson.count, texts(&lesson)), (3, vec!["a", "b", "end"]));
    assert_eq!(lesson.notes[2].at, 100, "a position beyond the end is stored as the end");
    assert_eq!(texts(&school.list(learner, 1, None, None).await.unwrap()), ["end", "c", "a", "b"]);
}

#[tokio::test]
async fn a_query_matches_all_words_in_any_width_case_and_kana() {
    let (school, learner) = school_with_learner().await;
    for text in ["ﾆｼﾞﾎｳﾃｲｼｷ と ＡＢＣ", "二次方程式の解", "100% わかった"] {
        school.clock.advance(Duration::SECOND);
        school.write(learner, Uuid::now_v7(), LESSON, 1, text).await.unwrap();
    }
    for (query, wanted) in [
        ("にじ　abc", vec!["ﾆｼﾞﾎｳﾃｲｼｷ と ＡＢＣ"]),
        ("方程式", vec!["二次方程式の解"]),
        ("解 二次", vec!["二次方程式の解"]),
        ("%", vec!["100% わかった"]),
        ("二次 abc", vec![]),
    ] {
        assert_eq!(texts(&school.list(learner, 1, None, Some(query)).await.unwrap()), wanted, "{query}");
        assert_eq!(
            texts(&school.list(learner, 1, Some(LESSON), Some(query)).await.unwrap()),
            wanted,
            "{query}"
        );
    }
    // A changed note is found by its new words only.
    let id = Uuid::now_v7();
    school.write(learner, id, LESSON, 1, "まえ").await.unwrap();
    school.write(learner, id, LESSON, 1, "あと").await.unwrap();
    assert_eq!(school.list(learner, 1, None, Some("まえ")).await.unwrap().count, 0);
    assert_eq!(school.list(learner, 1, None, Some("アト")).await.unwrap().count, 1);
}

#[tokio::test]
async fn another_learners_note_is_not_found_and_unchanged() {
    let (school, one) = school_with_learner().await;
    let two = learner();
    school.grant(two, COURSE).await;
    let id = Uuid::now_v7();
    let note = school.write(one, id, LESSON, 1, "わたしの").await.unwrap();
    assert_eq!(refusal(school.write(two, id, LESSON, 2, "ちがう").await), "NotFound NOT_FOUND");
    assert_eq!(refusal(school.delete_note(two, id).await), "NotFound NOT_FOUND");
    assert_eq!(school.list(two, 1, None, Some("わたし")).await.unwrap().count, 0);
    assert_eq!(school.list(one, 1, None, None).await.unwrap().notes, [note]);
}

#[tokio::test]
async fn only_lessons_of_owned_or_expired_courses_can_have_notes() {
    let school = School::open().await;
    let learner = learner();
    school.grant_until(learner, COURSE, Some(NOON - Duration::DAY)).await;
    let id = Uuid::now_v7();
    school.write(learner, id, LESSON, 1, "期限切れ").await.unwrap();
    school.write(learner, id, LESSON, 1, "でも書ける").await.unwrap();
    for lesson in [102_010_101, 7] {
        for id in [id, Uuid::now_v7()] {
            assert_eq!(refusal(school.write(learner, id, lesson, 1, "a").await), "NotFound NOT_FOUND");
        }
    }
    assert_eq!(texts(&school.list(learner, 1, None, None).await.unwrap()), ["でも書ける"]);
}

#[tokio::test]
async fn twenty_one_notes_fill_two_pages_and_the_one_beyond_the_limit_is_refused() {
    let school = School::with_rules(lms::config::Rules { mark_limit: 21, ..RULES }).await;
    let learner = learner();
    school.grant(learner, COURSE).await;
    let last = Uuid::now_v7();
    for _ in 0..20 {
        school.write(learner, Uuid::now_v7(), LESSON, 1, "a").await.unwrap();
    }
    school.write(learner, last, LESSON, 1, "a").await.unwrap();
    assert_eq!(refusal(school.write(learner, Uuid::now_v7(), LESSON, 1, "a").await), "Conflict MARK_LIMIT");
    school.write(learner, last, LESSON, 1, "b").await.unwrap();
    let second = school.list(learner, 2, Some(LESSON), Some("a")).await;
    assert_eq!(refusal(second), "NotFound NOT_FOUND");
    let second = school.list(learner, 2, None, None).await.unwrap();
    assert_eq!((second.count, second.notes.len()), (21, 1));
}

#[tokio::test]
async fn an_empty_or_too_long_note_or_one_with_a_control_character_is_refused() {
    let (school, learner) = school_with_learner().await;
    for text in ["", " 　\n", &*"あ".repeat(2001), "a\0"] {
        assert_eq!(refusal(school.write(learner, Uuid::now_v7(), LESSON, 1, text).await), "Invalid INVALID");
    }
    let longest = "𠮷".repeat(2000);
    assert_eq!(school.write(learner, Uuid::now_v7(), LESSON, 1, &longest).await.unwrap().text, longest);
}
