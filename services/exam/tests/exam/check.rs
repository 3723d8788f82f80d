//! Free checks.

use kit::error::ServiceError;
use proto::exam::answer::Of;
use proto::exam::{Answer, CheckAnswer, Choices, GetCheckRequest, GradeCheckRequest, ListChecksRequest};
use time::macros::datetime;
use tonic::Code;

use crate::school::{NOON, School};

fn answer(question_id: i64, of: Of) -> CheckAnswer {
    CheckAnswer { question_id, answer: Some(Answer { of: Some(of) }) }
}

fn choices(ids: &[i32]) -> Of {
    Of::Choices(Choices { ids: ids.to_vec() })
}

#[tokio::test]
async fn checks_are_listed_by_school_year() {
    let school = School::open().await;
    let list = school.checks().list_checks(ListChecksRequest { page: 1 }).await.unwrap().into_inner();
    let listed: Vec<_> = list
        .checks
        .iter()
        .map(|check| (check.id, check.school_year.as_str(), check.question_count))
        .collect();
    assert_eq!((list.count, listed), (2, vec![(2, "中1", 1), (1, "中3", 3)]));
    for (page, code) in [(0, Code::InvalidArgument), (2, Code::NotFound)] {
        assert_eq!(school.checks().list_checks(ListChecksRequest { page }).await.unwrap_err().code(), code);
    }
}

#[tokio::test]
async fn questions_are_sent_without_their_keys_and_explanations() {
    let school = School::open().await;
    let check = school.checks().get_check(GetCheckRequest { id: 1 }).await.unwrap().into_inner();
    let ids: Vec<_> = check.questions.iter().map(|question| (question.id, question.number)).collect();
    assert_eq!(ids, [(101, 1), (102, 2), (103, 3)]);
    let told = format!("{:?}", check.questions);
    assert!(!told.contains("直径") && !told.contains("です。"), "{told}");
    assert_eq!(
        school.checks().get_check(GetCheckRequest { id: 9 }).await.unwrap_err().code(),
        Code::NotFound
    );
}

#[tokio::test]
async fn answers_are_graded_in_any_notation() {
    let school = School::open().await;
    let answers = vec![
        answer(103, Of::Text("　直径 ".to_owned())),
        answer(101, Of::Number("３".to_owned())),
        answer(102, choices(&[1])),
    ];
    let request = GradeCheckRequest { id: 1, answers };
    let graded = school.checks().grade_check(request).await.unwrap().into_inner();
    let outcomes: Vec<_> =
        graded.outcomes.iter().map(|outcome| (outcome.question_id, outcome.is_right)).collect();
    assert_eq!((graded.right_count, outcomes), (2, vec![(101, true), (102, false), (103, true)]));
    let wrong = &graded.outcomes[1];
    assert_eq!(wrong.answer, Some(Answer { of: Some(choices(&[1])) }));
    assert_eq!(wrong.key, Some(Answer { of: Some(choices(&[2])) }));
    assert_eq!(wrong.explanation, "3です。");
    assert_eq!(graded.outcomes[2].key, Some(Answer { of: Some(Of::Text("直径".to_owned())) }));
    assert_eq!(graded.course_ids, [105, 102]);
    // The next exam for 中3.
    assert_eq!(graded.exam.unwrap().id, 1);
}

#[tokio::test]
async fn omitted_questions_are_not_right_and_the_next_exam_is_open_for_application() {
    let school = School::open().await;
    school.clock.advance(datetime!(2026-11-30 00:00 UTC) - NOON);
    let answers = vec![CheckAnswer { question_id: 101, answer: None }];
    let graded =
        school.checks().grade_check(GradeCheckRequest { id: 1, answers }).await.unwrap().into_inner();
    assert_eq!((graded.right_count, graded.outcomes.len()), (0, 3));
    assert!(graded.outcomes.iter().all(|outcome| outcome.answer.is_none() && outcome.key.is_some()));
    assert_eq!(graded.exam.unwrap().id, 2);
    let graded = school.checks().grade_check(GradeCheckRequest { id: 2, answers: Vec::new() }).await.unwrap();
    assert_eq!(graded.into_inner().exam, None);
}

#[tokio::test]
async fn invalid_answers_are_refused() {
    let school = School::open().await;
    for (answers, code) in [
        (vec![answer(1101, Of::Number("3".to_owned()))], "UNKNOWN_CHOICE"),
        (vec![answer(102, choices(&[3]))], "UNKNOWN_CHOICE"),
        (vec![answer(102, choices(&[1, 2]))], "INVALID_FORMAT"),
        (vec![answer(101, Of::Number("三".to_owned()))], "INVALID_FORMAT"),
        (vec![answer(103, Of::Text("あ".repeat(201)))], "TOO_LONG"),
        (vec![answer(102, choices(&[1])), answer(102, choices(&[2]))], "INVALID_FORMAT"),
    ] {
        let said = format!("{answers:?}");
        let refused = school.checks().grade_check(GradeCheckRequest { id: 1, answers }).await.unwrap_err();
        let fields = ServiceError::from_status(&refused).fields;
        assert_eq!((fields[0].name.as_ref(), fields[0].code.as_ref()), ("answers", code), "{said}");
    }
}
