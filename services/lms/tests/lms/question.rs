//! Questions, answers, results, growth and reviews.

use std::fmt::Debug;

use futures_util::future::join_all;
use proto::lms::answer::Of;
use proto::lms::answer_question_request::Round;
use proto::lms::question_service_client::QuestionServiceClient;
use proto::lms::{
    Answer, AnswerQuestionRequest, Choices, GetGrowthRequest, GetQuestionRequest, GetQuestionResponse,
    GetResultRequest, GetResultResponse, ListQuestionsRequest, ListQuestionsResponse, ListResultsRequest,
    ListResultsResponse, ListReviewsRequest, ListReviewsResponse, Outcome, ResultKind, StartPracticeRequest,
};
use time::Duration;
use tonic::{Response, Status};
use uuid::Uuid;

use crate::school::{COURSE, LESSON, NOON, RULES, School, learner, refusal};
use crate::watch::beat;

/// The questions of the first lesson, one of each kind.
const SINGLE: i64 = LESSON * 100 + 1;
const MULTIPLE: i64 = LESSON * 100 + 2;
const NUMBER: i64 = LESSON * 100 + 3;
const TEXT: i64 = LESSON * 100 + 4;

/// Keys and explanations contain words that occur nowhere else.
const QUESTIONS: &str = "duration: 100, questions: [
        {id: 10101010101, kind: single, prompt: どれが負の数ですか, choices: ['$+2$', '$-3$', '0'], answer: 2,
          hint: 符号を見ます, explanation: 解説その一, required: true, watch_again_at: 30},
        {id: 10101010102, kind: multiple, prompt: どれが自然数ですか, choices: ['1', '2.5', '7'], answer: [3, 1],
          explanation: 解説その二},
        {id: 10101010103, kind: number, prompt: 計算しましょう, picture: {url: /share/1.png, alt: 数直線}, answer: 3/4,
          explanation: 解説その三},
        {id: 10101010104, kind: text, prompt: 何といいますか, answer: [ひみつの言葉, 秘密の言葉], explanation: 解説その四},
      ]}";

impl School {
    /// A school with four questions in the first lesson of course 101, and one in that of 102.
    pub(crate) async fn with_questions() -> Self {
        let school = Self::open().await;
        school.folder.edit("courses/101.yaml", "duration: 100}", QUESTIONS);
        let one = "duration: 100, questions: [{id: 10201010101, kind: number, prompt: 数, answer: 1, explanation: 一}]}";
        school.folder.edit("courses/102.yaml", "duration: 100}", one);
        school.folder.edit("courses/102.yaml", "category: 数学", "category: 英語");
        school.import().await.unwrap();
        school
    }

    async fn with_questions_and_learner() -> (Self, Uuid) {
        let school = Self::with_questions().await;
        let learner = learner();
        school.grant(learner, COURSE).await;
        (school, learner)
    }

    pub(crate) fn question_client(&self, learner: Uuid) -> QuestionServiceClient<kit::client::Channel> {
        QuestionServiceClient::new(self.channel(learner))
    }

    async fn questions(&self, learner: Uuid, lesson_id: i64) -> Result<ListQuestionsResponse, Status> {
        let request = ListQuestionsRequest { lesson_id, ..Default::default() };
        self.question_client(learner).list_questions(request).await.map(Response::into_inner)
    }

    async fn question(&self, learner: Uuid, id: i64) -> Result<GetQuestionResponse, Status> {
        let request = GetQuestionRequest { id, ..Default::default() };
        self.question_client(learner).get_question(request).await.map(Response::into_inner)
    }

    pub(crate) async fn answer(
        &self,
        learner: Uuid,
        question_id: i64,
        of: Of,
        round: Option<Round>,
    ) -> Result<Outcome, Status> {
        let answer = Some(Answer { of: Some(of) });
        let request = AnswerQuestionRequest { question_id, answer, round, ..Default::default() };
        self.question_client(learner)
            .answer_question(request)
            .await
            .map(|answer| answer.into_inner().outcome.unwrap())
    }

    /// Answers all four questions as graded tries, the last one wrong. Returns the result.
    async fn answer_all(&self, learner: Uuid) -> i64 {
        for (id, of) in [
            (SINGLE, chosen(&[2])),
            (MULTIPLE, chosen(&[1, 3])),
            (NUMBER, number("0.75")),
            (TEXT, text("別")),
        ] {
            self.answer(learner, id, of, None).await.unwrap();
        }
        self.questions(learner, LESSON).await.unwrap().result_id.unwrap()
    }

    pub(crate) async fn practise(&self, learner: Uuid, lesson_id: i64) -> Result<i64, Status> {
        let request = StartPracticeRequest { lesson_id, ..Default::default() };
        self.question_client(learner)
            .start_practice(request)
            .await
            .map(|answer| answer.into_inner().result_id)
    }

    async fn results(
        &self,
        learner: Uuid,
        page: u32,
        subject: Option<&str>,
    ) -> Result<ListResultsResponse, Status> {
        let subject = subject.map(str::to_owned);
        let request = ListResultsRequest { page, subject, ..Default::default() };
        self.question_client(learner).list_results(request).await.map(Response::into_inner)
    }

    async fn result(&self, learner: Uuid, id: i64) -> Result<GetResultResponse, Status> {
        let request = GetResultRequest { id, ..Default::default() };
        self.question_client(learner).get_result(request).await.map(Response::into_inner)
    }

    /// Lists the points of the growth as `(subject, day, right, of)`.
    async fn growth(&self, learner: Uuid) -> Vec<(String, String, i32, i32)> {
        let request = GetGrowthRequest::default();
        let growth = self.question_client(learner).get_growth(request).await.unwrap().into_inner();
        let subjects = growth.subjects.into_iter();
        subjects
            .flat_map(|growth| {
                let subject = growth.subject;
                growth
                    .points
                    .into_iter()
                    .map(move |point| (subject.clone(), point.date, point.right, point.of))
            })
            .collect()
    }

    async fn reviews(&self, learner: Uuid) -> ListReviewsResponse {
        let request = ListReviewsRequest { page: 1, ..Default::default() };
        self.question_client(learner).list_reviews(request).await.unwrap().into_inner()
    }

    /// Lists the due reviews as `(question, step)`.
    async fn due(&self, learner: Uuid) -> Vec<(i64, i32)> {
        let due = self.reviews(learner).await.reviews;
        due.iter().map(|review| (review.question_id, review.step)).collect()
    }
}

pub(crate) fn chosen(ids: &[i32]) -> Of {
    Of::Choices(Choices { ids: ids.to_vec() })
}

pub(crate) fn number(typed: &str) -> Of {
    Of::Number(typed.to_owned())
}

pub(crate) fn text(typed: &str) -> Of {
    Of::Text(typed.to_owned())
}

fn has_no_key(told: &impl Debug) -> bool {
    let told = format!("{told:?}");
    !["解説", "ひみつ", "秘密", "3/4", "key"].iter().any(|secret| told.contains(secret))
}

#[tokio::test]
async fn a_question_is_sent_without_its_key_until_its_graded_try() {
    let (school, learner) = School::with_questions_and_learner().await;
    let list = school.questions(learner, LESSON).await.unwrap();
    let asked: Vec<_> = list.questions.iter().map(|listed| listed.question.as_ref().unwrap()).collect();
    assert_eq!(
        asked.iter().map(|question| question.id).collect::<Vec<_>>(),
        [SINGLE, MULTIPLE, NUMBER, TEXT]
    );
    assert_eq!(asked.iter().map(|question| question.number).collect::<Vec<_>>(), [1, 2, 3, 4]);
    assert_eq!(asked[0].choices[1].text, "$-3$");
    assert_eq!((asked[0].is_required, asked[1].is_required), (true, false));
    assert_eq!(asked[2].picture.as_ref().unwrap().alt, "数直線");
    assert!(list.questions.iter().all(|listed| listed.is_right.is_none()) && list.result_id.is_none());
    assert!(has_no_key(&list), "{list:?}");

    for id in [SINGLE, MULTIPLE, NUMBER, TEXT] {
        let question = school.question(learner, id).await.unwrap();
        assert!(question.graded.is_none() && has_no_key(&question), "{question:?}");
        // An invalid answer is not a try and reveals nothing.
        let misfit = school.answer(learner, id, chosen(&[9]), None).await.unwrap_err();
        assert!(has_no_key(&misfit), "{misfit:?}");
    }
    let first = school.question(learner, SINGLE).await.unwrap();
    assert_eq!((first.of, first.previous_id, first.next_id), (4, None, Some(MULTIPLE)));
    assert_eq!((first.hint.as_deref(), first.lesson.unwrap().name.as_str()), (Some("符号を見ます"), "講義1"));

    // An answered question reveals its own key and no other.
    let outcome = school.answer(learner, SINGLE, chosen(&[1]), None).await.unwrap();
    assert_eq!((outcome.is_right, outcome.explanation.as_str()), (false, "解説その一"));
    assert_eq!((outcome.key.unwrap().of.unwrap(), outcome.watch_again_at), (chosen(&[2]), Some(30)));
    let standing = outcome.result.unwrap();
    assert_eq!((standing.answered, standing.of, standing.is_finished), (1, 4, false));
    let result = school.result(learner, standing.id).await.unwrap();
    assert_eq!(result.answers.len(), 4);
    assert!(result.answers[0].outcome.is_some() && has_no_key(&&result.answers[1..]), "{result:?}");
    assert!(has_no_key(&school.questions(learner, LESSON).await.unwrap()));
    assert!(has_no_key(&school.question(learner, TEXT).await.unwrap()));
    assert!(has_no_key(&school.results(learner, 1, None).await.unwrap()));
    school.clock.advance(Duration::days(2));
    assert!(has_no_key(&school.reviews(learner).await));
    let told = school.question(learner, SINGLE).await.unwrap().graded.unwrap();
    assert_eq!(told.given.unwrap().of.unwrap(), chosen(&[1]));
    assert!(has_no_key(&school.course(COURSE).await), "the catalogue reveals no key");
}

#[tokio::test]
async fn the_first_answer_counts_and_a_repeated_one_gives_the_same_outcome() {
    let (school, learner) = School::with_questions_and_learner().await;
    let table = [
        (SINGLE, chosen(&[2]), chosen(&[2, 2]), chosen(&[1])),
        (MULTIPLE, chosen(&[3, 1]), chosen(&[1, 3, 3]), chosen(&[1])),
        (NUMBER, number("0.75"), number("６／８"), number("-0.75")),
        (TEXT, text("ひみつの言葉"), text("　ひみつの言葉 "), text("秘密の言葉")),
    ];
    for (id, first, same, other) in table {
        let outcome = school.answer(learner, id, first.clone(), None).await.unwrap();
        assert!(outcome.is_right, "{id}");
        for again in [first, same] {
            assert_eq!(school.answer(learner, id, again, None).await.unwrap(), outcome, "{id}");
        }
        let refused = school.answer(learner, id, other, None).await;
        assert_eq!(refusal(refused), "Conflict ALREADY_ANSWERED", "{id}");
        assert_eq!(school.question(learner, id).await.unwrap().graded.unwrap().given, outcome.given);
    }
    let result = school.results(learner, 1, None).await.unwrap().results.remove(0);
    assert_eq!((result.question_count, result.answered_count, result.right_count), (4, 4, 4));
    assert_eq!(result.finished_at.unwrap().seconds, NOON.unix_timestamp());
    assert!(school.question(learner, TEXT).await.unwrap().graded.unwrap().result.unwrap().is_finished);
}

#[tokio::test]
async fn sixteen_first_answers_at_once_give_one_graded_outcome() {
    let (school, learner) = School::with_questions_and_learner().await;
    for (id, answer) in [(SINGLE, chosen(&[1])), (NUMBER, number("3/4"))] {
        let answers = join_all((0..16).map(|_| school.answer(learner, id, answer.clone(), None))).await;
        let outcomes: Vec<_> = answers.into_iter().map(Result::unwrap).collect();
        assert!(outcomes.windows(2).all(|pair| pair[0] == pair[1]));
    }
    // With different answers, the first one counts.
    let typed = |number: i32| text(&format!("答え{}", number % 4));
    let answers = join_all((0..16).map(|number| school.answer(learner, TEXT, typed(number), None))).await;
    let taken: Vec<_> = answers.iter().flatten().collect();
    assert!((1..=4).contains(&taken.len()), "{taken:?}");
    assert!(taken.windows(2).all(|pair| pair[0] == pair[1]));
    for refused in answers.into_iter().filter(Result::is_err) {
        assert_eq!(refusal(refused), "Conflict ALREADY_ANSWERED");
    }
    let list = school.results(learner, 1, None).await.unwrap();
    assert_eq!((list.count, list.results[0].answered_count), (1, 3));
}

#[tokio::test]
async fn an_invalid_answer_is_refused_and_uses_up_no_try() {
    let (school, learner) = School::with_questions_and_learner().await;
    for (id, of, reason) in [
        (SINGLE, chosen(&[]), "REQUIRED"),
        (SINGLE, chosen(&[1, 2]), "INVALID_FORMAT"),
        (SINGLE, chosen(&[4]), "UNKNOWN_CHOICE"),
        (SINGLE, text("2"), "INVALID_FORMAT"),
        (NUMBER, number("四分の三"), "INVALID_FORMAT"),
        (TEXT, text("　"), "REQUIRED"),
    ] {
        let refused = school.answer(learner, id, of, None).await.unwrap_err();
        let problem = kit::error::ServiceError::from_status(&refused);
        assert_eq!((&*problem.fields[0].name, &*problem.fields[0].code), ("answer", reason), "{id}");
    }
    let request = AnswerQuestionRequest { question_id: TEXT, ..Default::default() };
    assert_eq!(refusal(school.question_client(learner).answer_question(request).await), "Invalid INVALID");
    assert!(school.questions(learner, LESSON).await.unwrap().result_id.is_none());
}

#[tokio::test]
async fn nobody_reaches_what_is_not_theirs() {
    let (school, one) = School::with_questions_and_learner().await;
    let result = school.answer_all(one).await;
    let practice = school.practise(one, LESSON).await.unwrap();
    let (owner, stranger) = (learner(), learner());
    school.grant(owner, COURSE).await;

    let none = "NotFound NOT_FOUND";
    assert_eq!(refusal(school.questions(stranger, LESSON).await), none);
    assert_eq!(refusal(school.question(stranger, SINGLE).await), none);
    assert_eq!(refusal(school.answer(stranger, SINGLE, chosen(&[1]), None).await), none);
    assert_eq!(refusal(school.practise(stranger, LESSON).await), none);
    for (id, other) in [(result, owner), (practice, owner), (result, stranger), (i64::MAX, one), (-1, one)] {
        assert_eq!(refusal(school.result(other, id).await), none);
        let round = Some(Round::ResultId(id));
        assert_eq!(refusal(school.answer(other, TEXT, text("別"), round).await), none);
    }
    assert_eq!(refusal(school.question(one, 1).await), none);
    assert_eq!(refusal(school.questions(one, 102_010_101).await), none);

    // Another owner of the course starts without answers.
    let list = school.questions(owner, LESSON).await.unwrap();
    assert!(list.result_id.is_none() && list.questions.iter().all(|listed| listed.is_right.is_none()));
    assert!(school.question(owner, SINGLE).await.unwrap().graded.is_none());
    assert_eq!(school.results(owner, 1, None).await.unwrap().count, 0);
    assert!(school.growth(owner).await.is_empty());
    school.clock.advance(Duration::days(2));
    assert!(school.due(owner).await.is_empty());
}

#[tokio::test]
async fn an_expired_item_refuses_answers_and_stays_readable() {
    let school = School::with_questions().await;
    let learner = learner();
    school.grant_until(learner, COURSE, Some(NOON + Duration::DAY)).await;
    let result = school.answer_all(learner).await;
    let before = school.result(learner, result).await.unwrap();
    let practice = school.practise(learner, LESSON).await.unwrap();
    school.answer(learner, TEXT, text("別"), Some(Round::ResultId(practice))).await.unwrap();
    school.clock.advance(Duration::days(2));
    for round in [None, Some(Round::ResultId(practice)), Some(Round::IsReview(true))] {
        let refused = school.answer(learner, TEXT, text("別"), round).await;
        assert_eq!(refusal(refused), "Forbidden EXPIRED_ITEM", "{round:?}");
    }
    assert_eq!(refusal(school.practise(learner, LESSON).await), "Forbidden EXPIRED_ITEM");
    assert_eq!(school.result(learner, result).await.unwrap(), before);
    assert_eq!(school.results(learner, 1, None).await.unwrap().count, 2);
    assert_eq!(school.question(learner, TEXT).await.unwrap().graded.unwrap().explanation, "解説その四");
    assert_eq!(school.questions(learner, LESSON).await.unwrap().questions.len(), 4);
    assert_eq!(school.growth(learner).await.len(), 1);
    assert!(school.due(learner).await.is_empty(), "questions of an expired item are not due");
}

#[tokio::test]
async fn practice_comes_after_the_graded_tries_and_as_often_as_one_likes() {
    let (school, learner) = School::with_questions_and_learner().await;
    assert_eq!(refusal(school.practise(learner, LESSON).await), "Conflict NOT_ANSWERED_YET");
    school.answer(learner, SINGLE, chosen(&[2]), None).await.unwrap();
    assert_eq!(refusal(school.practise(learner, LESSON).await), "Conflict NOT_ANSWERED_YET");
    let graded = school.answer_all(learner).await;
    assert_eq!(refusal(school.practise(learner, LESSON + 1).await), "NotFound NOT_FOUND");

    let first = school.practise(learner, LESSON).await.unwrap();
    assert_eq!(
        school.practise(learner, LESSON).await.unwrap(),
        first,
        "a round without answers is continued"
    );
    let round = Some(Round::ResultId(first));
    assert!(
        school.result(learner, first).await.unwrap().answers.iter().all(|answer| answer.outcome.is_none())
    );
    let outcome = school.answer(learner, SINGLE, chosen(&[1]), round).await.unwrap();
    assert_eq!((outcome.is_right, outcome.result.unwrap().id), (false, first));
    let refused = school.answer(learner, SINGLE, chosen(&[2]), round).await;
    assert_eq!(refusal(refused), "Conflict ALREADY_ANSWERED");
    for (id, of) in [(MULTIPLE, chosen(&[1, 3])), (NUMBER, number("3/4")), (TEXT, text("秘密の言葉"))] {
        school.answer(learner, id, of, round).await.unwrap();
    }
    let done = school.result(learner, first).await.unwrap().result.unwrap();
    assert_eq!((done.kind(), done.right_count, done.finished_at.is_some()), (ResultKind::Practice, 3, true));

    let second = school.practise(learner, LESSON).await.unwrap();
    assert_ne!(second, first);
    let listed = async || {
        let list = school.results(learner, 1, None).await.unwrap();
        assert_eq!(list.count, u32::try_from(list.results.len()).unwrap());
        list.results.iter().map(|result| result.id).collect::<Vec<_>>()
    };
    assert_eq!(listed().await, [first, graded], "a round is listed after its first answer");
    school.answer(learner, SINGLE, chosen(&[2]), Some(Round::ResultId(second))).await.unwrap();
    assert_eq!(listed().await, [second, first, graded]);
    assert!(
        school.question(learner, SINGLE).await.unwrap().graded.unwrap().is_right,
        "practice does not change the graded try"
    );
    // The id of the graded result is the same as the graded try.
    let again = school.answer(learner, TEXT, text("別"), Some(Round::ResultId(graded))).await.unwrap();
    assert_eq!(again.result.unwrap().id, graded);
}

#[tokio::test]
async fn practice_is_limited_to_a_hundred_rounds_a_day() {
    let (school, learner) = School::with_questions_and_learner().await;
    school.answer_all(learner).await;
    let begin = async || {
        let id = school.practise(learner, LESSON).await?;
        school.answer(learner, SINGLE, chosen(&[1]), Some(Round::ResultId(id))).await.unwrap();
        Ok(())
    };
    for _ in 0..RULES.practice_limit {
        begin().await.unwrap();
    }
    assert_eq!(refusal(begin().await), "Conflict PRACTICE_LIMIT");
    // 03:59 of the same night in Tokyo, and 04:00.
    school.clock.advance(Duration::hours(15) + Duration::minutes(59));
    assert_eq!(refusal(begin().await), "Conflict PRACTICE_LIMIT");
    school.clock.advance(Duration::MINUTE);
    begin().await.unwrap();
}

#[tokio::test]
async fn a_question_added_later_reopens_the_graded_result_and_is_not_revealed_by_practice() {
    let (school, learner) = School::with_questions_and_learner().await;
    let graded = school.answer_all(learner).await;
    let practice = school.practise(learner, LESSON).await.unwrap();
    school.folder.edit(
        "courses/101.yaml",
        "explanation: 解説その四},",
        "explanation: 解説その四}, {id: 10101010105, kind: number, prompt: 新しい, answer: 5, explanation: 解説その五},",
    );
    school.import().await.unwrap();
    let before = school.result(learner, graded).await.unwrap();
    assert_eq!((before.answers.len(), before.result.unwrap().finished_at.is_some()), (4, true));
    let early = school.answer(learner, TEXT + 1, number("4"), Some(Round::ResultId(practice))).await;
    assert_eq!(refusal(early), "Conflict NOT_ANSWERED_YET");
    assert_eq!(refusal(school.practise(learner, LESSON).await), "Conflict NOT_ANSWERED_YET");
    let outcome = school.answer(learner, TEXT + 1, number("5"), None).await.unwrap();
    let standing = outcome.result.unwrap();
    assert_eq!((standing.id, standing.answered, standing.of, standing.is_finished), (graded, 5, 5, true));
}

#[tokio::test]
async fn a_wrong_answer_is_due_after_1_3_7_and_14_days_and_then_done() {
    let (school, learner) = School::with_questions_and_learner().await;
    school.answer_all(learner).await;
    let review = Some(Round::IsReview(true));
    let right = || text("ひみつの言葉");
    assert!(school.due(learner).await.is_empty());
    assert_eq!(refusal(school.answer(learner, TEXT, right(), review).await), "Conflict NOT_DUE");
    // Noon is eight hours after the start of the day in Tokyo.
    school.clock.advance(Duration::hours(-8));
    for (days, step) in [(1, 1), (3, 2), (7, 3), (14, 4)] {
        school.clock.advance(Duration::days(days) - Duration::SECOND);
        assert!(school.due(learner).await.is_empty(), "{days}");
        school.clock.advance(Duration::SECOND);
        let due = school.reviews(learner).await;
        assert_eq!((due.count, due.reviews[0].question_id, due.reviews[0].step), (1, TEXT, step));
        assert_eq!(due.reviews[0].due_at.unwrap().seconds, school.clock.clock().now().unix_timestamp());
        let outcome = school.answer(learner, TEXT, right(), review).await.unwrap();
        assert!(outcome.is_right && outcome.result.is_none());
        assert_eq!(outcome.explanation, "解説その四");
        // The same answer again, as after a lost response, changes nothing.
        assert_eq!(school.answer(learner, TEXT, right(), review).await.unwrap(), outcome);
        assert_eq!(refusal(school.answer(learner, TEXT, text("他"), review).await), "Conflict NOT_DUE");
    }
    school.clock.advance(Duration::days(365));
    assert!(school.due(learner).await.is_empty());
    assert!(!school.question(learner, TEXT).await.unwrap().graded.unwrap().is_right, "the graded try stays");
}

#[tokio::test]
async fn a_wrong_answer_in_review_or_practice_starts_again_with_one_day() {
    let (school, learner) = School::with_questions_and_learner().await;
    school.answer_all(learner).await;
    let review = Some(Round::IsReview(true));
    school.clock.advance(Duration::DAY);
    assert!(school.answer(learner, TEXT, text("秘密の言葉"), review).await.unwrap().is_right);
    school.clock.advance(Duration::days(3));
    assert!(!school.answer(learner, TEXT, text("別"), review).await.unwrap().is_right);
    assert!(school.due(learner).await.is_empty());
    school.clock.advance(Duration::DAY);
    assert_eq!(school.due(learner).await, [(TEXT, 1)]);

    let practice = Some(Round::ResultId(school.practise(learner, LESSON).await.unwrap()));
    school.answer(learner, SINGLE, chosen(&[3]), practice).await.unwrap();
    school.answer(learner, TEXT, text("違う"), practice).await.unwrap();
    school.answer(learner, NUMBER, number("3/4"), practice).await.unwrap();
    assert!(school.due(learner).await.is_empty());
    school.clock.advance(Duration::DAY);
    assert_eq!(school.due(learner).await, [(SINGLE, 1), (TEXT, 1)], "sorted by id at the same time");
}

#[tokio::test]
async fn results_are_listed_newest_first_for_all_subjects_or_one() {
    let (school, learner) = School::with_questions_and_learner().await;
    school.grant(learner, 102).await;
    let mathematics = school.answer_all(learner).await;
    school.clock.advance(Duration::HOUR);
    school.answer(learner, 10_201_010_101, number("2"), None).await.unwrap();
    let all = school.results(learner, 1, None).await.unwrap();
    let [english, first] = &all.results[..] else { panic!("{all:?}") };
    assert_eq!((all.count, first.id, first.kind()), (2, mathematics, ResultKind::Graded));
    assert_eq!((english.subject.as_str(), english.right_count), ("英語", 0));
    assert_eq!((first.subject.as_str(), first.question_count, first.right_count), ("数学", 4, 3));
    assert_eq!(first.lesson.as_ref().unwrap().name, "講義1");
    assert_eq!(english.started_at.unwrap().seconds, (NOON + Duration::HOUR).unix_timestamp());
    let of = async |subject| school.results(learner, 1, Some(subject)).await.unwrap().count;
    assert_eq!((of("数学").await, of("英語").await, of("国語").await), (1, 1, 0));
    assert_eq!(refusal(school.results(learner, 1, Some("体育")).await), "Invalid INVALID");
    assert_eq!(refusal(school.results(learner, 2, None).await), "NotFound NOT_FOUND");
    assert_eq!(refusal(school.results(learner, 0, None).await), "Invalid INVALID");
}

#[tokio::test]
async fn growth_counts_graded_tries_by_subject_and_learning_day() {
    let (school, learner) = School::with_questions_and_learner().await;
    school.grant(learner, 102).await;
    school.answer(learner, SINGLE, chosen(&[2]), None).await.unwrap();
    // 03:59 of the next morning in Tokyo is still the same day, 04:00 is the next.
    school.clock.advance(Duration::hours(15) + Duration::minutes(59));
    school.answer(learner, MULTIPLE, chosen(&[2]), None).await.unwrap();
    school.clock.advance(Duration::MINUTE);
    school.answer(learner, NUMBER, number("0.75"), None).await.unwrap();
    school.answer(learner, TEXT, text("別"), None).await.unwrap();
    school.answer(learner, 10_201_010_101, number("1"), None).await.unwrap();
    let practice = school.practise(learner, LESSON).await.unwrap();
    school.answer(learner, SINGLE, chosen(&[2]), Some(Round::ResultId(practice))).await.unwrap();
    let day = |subject: &str, date: &str, right, of| (subject.to_owned(), date.to_owned(), right, of);
    assert_eq!(
        school.growth(learner).await,
        [day("英語", "2026-11-21", 1, 1), day("数学", "2026-11-20", 1, 2), day("数学", "2026-11-21", 1, 2)]
    );
}

#[tokio::test]
async fn a_lesson_is_done_when_it_is_watched_and_its_required_questions_are_answered() {
    let (school, learner) = School::with_questions_and_learner().await;
    let watched = beat(&school, learner, LESSON, 100, 0..100, 1).await.unwrap();
    assert_eq!((watched.is_done, watched.is_check), (false, true));
    school.answer(learner, TEXT, text("別"), None).await.unwrap();
    assert!(!beat(&school, learner, LESSON, 100, 100..100, 2).await.unwrap().is_done);
    // Both right and wrong answers count.
    school.answer(learner, SINGLE, chosen(&[1]), None).await.unwrap();
    assert!(beat(&school, learner, LESSON, 100, 100..100, 3).await.unwrap().is_done);
}
