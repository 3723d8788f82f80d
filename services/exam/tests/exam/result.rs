//! Results: marks, comparison with other candidates, judgements, and keys that stay secret until
//! the end of the exam.

mod pdf;

use exam::marking_job::MarkingJob;
use kit::error::{Code, ServiceError};
use proto::exam::result_service_client::ResultServiceClient;
use proto::exam::{
    AnswerToSave, GetExamResultRequest, GetExamResultResponse, GetPaperResultRequest, GetPaperResultResponse,
    Grade, JudgeDepartmentRequest, Judgement, PaperResultState, Standing,
};
use time::OffsetDateTime;
use tonic::Status;

use crate::hall::{
    Browser, Candidate, END, Hall, MINUTE, MULTIPLE, NUMBER, ORDERED, OTHER_PAPER, PAPER, RULES, SECOND,
    SECRETS, SINGLE, TEXT, choices, number, outbox, question_of, reason, row, text,
};

/// Right answers to the first `count` questions of a paper, 5 points each.
fn right_answers(paper: i64, count: usize) -> Vec<AnswerToSave> {
    let all = [
        (SINGLE, choices(&[2])),
        (MULTIPLE, choices(&[1, 3])),
        (NUMBER, number(SECRETS[0])),
        (TEXT, text(SECRETS[1])),
        (ORDERED, choices(&[4])),
    ];
    all.into_iter()
        .take(count)
        .map(|(question, answer)| row(question_of(paper, question), 1, answer))
        .collect()
}

impl Candidate<'_> {
    pub(crate) fn results(&self) -> ResultServiceClient<kit::client::Channel> {
        ResultServiceClient::new(self.hall.server.channel_as(kit::test::learner(self.id)))
    }

    /// Sits a paper with `right` right answers.
    pub(crate) async fn sit(&self, paper: i64, right: usize) {
        let browser = Browser::new();
        let sitting = self.start(paper, &browser).await.unwrap().id;
        self.save(&sitting, &browser, 1, right_answers(paper, right)).await.unwrap();
        self.hand_in(&sitting, &browser, 1).await.unwrap();
    }

    pub(crate) async fn exam_result(&self) -> Result<GetExamResultResponse, ServiceError> {
        into_result(self.results().get_exam_result(GetExamResultRequest { exam_id: 1 }).await)
    }

    pub(crate) async fn paper_result(&self, paper: i64) -> Result<GetPaperResultResponse, ServiceError> {
        into_result(self.results().get_paper_result(GetPaperResultRequest { paper_id: paper }).await)
    }

    async fn judge(&self, school_id: i64, department_id: i64) -> Result<Judgement, ServiceError> {
        let request = JudgeDepartmentRequest { exam_id: 1, school_id, department_id };
        into_result(self.results().judge_department(request).await)
            .map(|response| response.judgement.unwrap())
    }
}

pub(crate) fn into_result<Message>(
    outcome: Result<tonic::Response<Message>, Status>,
) -> Result<Message, ServiceError> {
    outcome.map(tonic::Response::into_inner).map_err(|status| ServiceError::from_status(&status))
}

impl Hall {
    pub(crate) fn marking(&self) -> MarkingJob {
        MarkingJob::new(self.database.pool.clone(), outbox(), self.clock.clock(), RULES)
    }

    fn advance_to(&self, time: OffsetDateTime) {
        self.clock.advance(time - self.now());
    }

    /// Runs the sealing and the marking job once.
    pub(crate) async fn mark(&self) {
        self.seal().await;
        self.marking().mark_due().await.unwrap();
    }

    /// Moves the clock to the end of exam 1 and its grace, and runs the jobs.
    pub(crate) async fn end(&self) {
        self.advance_to(END + SECOND * 121);
        self.mark().await;
    }

    /// Makes candidates who sat both papers with these numbers of right answers.
    pub(crate) async fn candidates(&self, right: &[(usize, usize)]) -> Vec<Candidate<'_>> {
        let mut candidates = Vec::new();
        for (first, second) in right {
            let candidate = self.admit().await;
            candidate.sit(PAPER, *first).await;
            candidate.sit(OTHER_PAPER, *second).await;
            candidates.push(candidate);
        }
        candidates
    }
}

/// Points, average, 偏差値 (both in tenths), rank, candidates.
fn figures(standing: Option<&Standing>) -> (i32, i32, Option<i32>, i64, i64) {
    let standing = standing.unwrap();
    let Standing { points, average_tenths, deviation_score_tenths, rank, candidate_count, .. } = standing;
    (*points, *average_tenths, *deviation_score_tenths, *rank, *candidate_count)
}

#[tokio::test]
async fn a_result_compares_with_candidates_who_have_handed_in() {
    let hall = Hall::open().await;
    let candidates = hall.candidates(&[(5, 4), (3, 4), (1, 4)]).await;
    hall.mark().await;
    let result = candidates[0].exam_result().await.unwrap();
    assert!(!result.is_final);
    assert_eq!(result.exam_id, 1);
    // Points 25, 15 and 5: average 15, σ = √(200/3) = 8.165, 50 + 10·10/8.165 = 62.2.
    assert_eq!(figures(result.papers[0].standing.as_ref()), (25, 150, Some(622), 1, 3));
    assert_eq!(figures(result.papers[1].standing.as_ref()), (20, 200, Some(500), 1, 3));
    let total = result.total.as_ref();
    assert_eq!(figures(total), (45, 350, Some(622), 1, 3));
    assert!(total.unwrap().is_reference, "3 candidates are too few");
    assert_eq!(total.unwrap().full_points, 50);
    let counted: i64 = total.unwrap().distribution.iter().map(|range| range.candidate_count).sum();
    assert_eq!(counted, 3);
    let last = candidates[2].exam_result().await.unwrap();
    assert_eq!(figures(last.total.as_ref()), (25, 350, Some(378), 3, 3));
}

#[tokio::test]
async fn a_paper_that_was_just_handed_in_is_being_marked() {
    let hall = Hall::open().await;
    let candidate = hall.admit().await;
    assert_eq!(reason(candidate.exam_result().await), "NOTHING_HANDED_IN");
    candidate.sit(PAPER, 5).await;
    let result = candidate.exam_result().await.unwrap();
    assert_eq!(result.papers[0].state(), PaperResultState::Marking);
    assert_eq!(result.papers[1].state(), PaperResultState::Absent);
    assert_eq!(result.total, None);
    hall.mark().await;
    let result = candidate.exam_result().await.unwrap();
    assert_eq!(result.papers[0].state(), PaperResultState::Marked);
    assert_eq!(figures(result.papers[0].standing.as_ref()), (25, 250, None, 1, 1), "the only candidate");
    assert_eq!(result.total, None, "the total needs every paper");
    assert_eq!(result.judgements[0].grade(), Grade::Unspecified);
    assert_eq!(result.judgements[0].desired_rank, Some(1));
}

#[tokio::test]
async fn new_marks_are_in_the_statistics_after_ten_seconds() {
    let hall = Hall::open().await;
    let first = hall.candidates(&[(5, 5)]).await;
    hall.mark().await;
    let later = hall.candidates(&[(1, 1), (3, 3)]).await;
    hall.mark().await;
    let before = first[0].exam_result().await.unwrap();
    assert_eq!(before.total.unwrap().candidate_count, 1);
    hall.clock.advance(SECOND * 10);
    hall.mark().await;
    for candidate in first.iter().chain(&later) {
        assert_eq!(candidate.exam_result().await.unwrap().total.unwrap().candidate_count, 3);
    }
}

#[tokio::test]
async fn keys_are_secret_until_the_end_and_the_final_result_has_them() {
    let hall = Hall::open().await;
    let candidates = hall.candidates(&[(4, 5), (2, 5), (0, 5)]).await;
    hall.mark().await;
    hall.advance_to(END + SECOND * 119);
    hall.mark().await;
    let provisional = candidates[1].exam_result().await.unwrap();
    assert!(!provisional.is_final, "the grace is not over");
    // Another candidate's right answer must not be visible either. This one has answered none of the three.
    let judged = candidates[1].judge(1, 1).await.unwrap();
    let report = pdf::text_of(&candidates[1].pdf().await.unwrap());
    for text in [format!("{provisional:?}"), format!("{judged:?}"), report] {
        assert!(SECRETS.iter().all(|secret| !text.contains(secret)), "{text}");
    }
    let next = provisional.judgements[0].next.as_ref().unwrap();
    assert!(next.questions.is_empty());
    assert_eq!(reason(candidates[1].paper_result(PAPER).await), "NOT_FINAL");

    hall.end().await;
    let result = candidates[1].exam_result().await.unwrap();
    assert!(result.is_final);
    let paper = candidates[1].paper_result(PAPER).await.unwrap();
    assert_eq!(figures(paper.standing.as_ref()).0, 10);
    let rows: Vec<_> = paper
        .questions
        .iter()
        .map(|row| (row.question.as_ref().unwrap().id, row.is_right, row.right_rate_tenths))
        .collect();
    let expected = [
        (SINGLE, true, 667),
        (MULTIPLE, true, 667),
        (NUMBER, false, 333),
        (TEXT, false, 333),
        (ORDERED, false, 0),
    ];
    assert_eq!(rows, expected);
    assert_eq!(paper.questions[2].key, number(SECRETS[0]));
    assert_eq!(paper.questions[2].given, None);
    assert_eq!(paper.questions[0].given, choices(&[2]));
    assert_eq!(paper.questions[3].explanation, SECRETS[2]);
}

#[tokio::test]
async fn a_judgement_has_the_points_missing_for_the_next_grade() {
    let hall = Hall::open().await;
    // Points 45, 35 and 25; 偏差値 62.2, 50.0 and 37.8; border 50.0.
    let candidates = hall.candidates(&[(5, 4), (3, 4), (1, 4)]).await;
    hall.end().await;
    let grades = [(0, Grade::A, 98), (1, Grade::C, 50), (2, Grade::E, 1)];
    for (index, grade, probability) in grades {
        let result = candidates[index].exam_result().await.unwrap();
        assert_eq!(result.judgements[0].grade(), grade);
        assert_eq!(result.judgements[0].probability, Some(probability));
        assert_eq!(
            candidates[index].judge(1, 1).await.unwrap().grade(),
            grade,
            "the judgement of one department"
        );
    }
    let best = candidates[0].exam_result().await.unwrap();
    assert_eq!(best.judgements[0].next, None);
    let middle = candidates[1].exam_result().await.unwrap();
    let next = middle.judgements[0].next.as_ref().unwrap();
    // B needs a 偏差値 of 51.2, which 36 points reach.
    assert_eq!((next.grade(), next.deviation_score_tenths, next.missing_points), (Grade::B, 512, 1));
    let questions: Vec<_> = next.questions.iter().map(|row| (row.paper_id, row.number, row.points)).collect();
    assert_eq!(questions, [(PAPER, 4, 5)], "the question that most candidates got right");
    assert_eq!(candidates[0].judge(1, 99).await.unwrap_err().code, Code::NotFound);
}

#[tokio::test]
async fn the_final_result_never_changes_and_has_sittings_sealed_by_the_deadline() {
    let hall = Hall::open().await;
    let candidates = hall.candidates(&[(5, 5), (2, 2)]).await;
    let absent = hall.admit().await;
    let browser = Browser::new();
    hall.advance_to(END - MINUTE);
    let open = absent.start(PAPER, &browser).await.unwrap().id;
    absent.save(&open, &browser, 1, right_answers(PAPER, 3)).await.unwrap();
    hall.advance_to(END + SECOND * 119);
    hall.mark().await;
    assert!(!candidates[0].exam_result().await.unwrap().is_final, "a sitting is open");
    hall.end().await;
    let result = absent.exam_result().await.unwrap();
    assert!(result.is_final);
    assert_eq!(figures(result.papers[0].standing.as_ref()), (15, 167, Some(473), 2, 3));
    assert_eq!(result.papers[1].state(), PaperResultState::Absent);
    assert_eq!(reason(absent.paper_result(OTHER_PAPER).await), "NOTHING_HANDED_IN");
    let before = candidates[0].exam_result().await.unwrap();
    assert_eq!(before.total.as_ref().unwrap().candidate_count, 2, "candidates who sat both papers");
    hall.clock.advance(MINUTE * 60);
    hall.mark().await;
    assert_eq!(candidates[0].exam_result().await.unwrap(), before);
}

#[tokio::test]
async fn replicas_that_mark_at_the_same_time_mark_each_sitting_once() {
    let hall = Hall::open().await;
    let candidates = hall.candidates(&[(5, 5), (4, 4), (3, 3), (2, 2)]).await;
    let (first, second, third) = (hall.marking(), hall.marking(), hall.marking());
    let outcome = tokio::join!(first.mark_due(), second.mark_due(), third.mark_due());
    outcome.0.unwrap();
    outcome.1.unwrap();
    outcome.2.unwrap();
    hall.clock.advance(SECOND * 10);
    hall.mark().await;
    for candidate in &candidates {
        assert_eq!(candidate.exam_result().await.unwrap().total.unwrap().candidate_count, 4);
    }
}

#[tokio::test]
async fn a_result_is_visible_only_to_its_candidate() {
    let hall = Hall::open().await;
    hall.candidates(&[(5, 5)]).await;
    hall.end().await;
    let stranger = hall.stranger();
    assert_eq!(stranger.exam_result().await.unwrap_err().code, Code::NotFound);
    assert_eq!(stranger.paper_result(PAPER).await.unwrap_err().code, Code::NotFound);
    assert_eq!(stranger.judge(1, 1).await.unwrap_err().code, Code::NotFound);
    assert_eq!(hall.admit().await.paper_result(PAPER).await.unwrap_err().code, Code::Conflict);
}
