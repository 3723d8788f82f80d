//! A child's results as a guardian sees them.

use kit::error::{Code, ServiceError};
use proto::exam::child_result_service_client::ChildResultServiceClient;
use proto::exam::result_service_client::ResultServiceClient;
use proto::exam::{
    ExamTotal, ExamWeek, GetChildExamResultRequest, GetChildPaperResultRequest, GetExamOverviewRequest,
    GetExamOverviewResponse, GetExamResultResponse, GetExamWeekRequest, GetQuestionResultRequest,
    ListChildResultsRequest, ListExamWeeksRequest, ListedResult,
};
use uuid::Uuid;

use crate::hall::{Candidate, Hall, NUMBER, OTHER_PAPER, PAPER, reason};
use crate::result::into_result;

impl Candidate<'_> {
    /// A client of a guardian who acts for this candidate.
    fn as_child(&self) -> ChildResultServiceClient<kit::client::Channel> {
        let guardian = kit::test::guardian_of(Uuid::new_v4(), self.id);
        ChildResultServiceClient::new(self.hall.server.channel_as(guardian))
    }

    /// Returns the result of exam 1 as the guardian sees it.
    pub(crate) async fn child_exam_result(&self) -> GetExamResultResponse {
        let request = GetChildExamResultRequest { exam_id: 1 };
        let seen = self.as_child().get_child_exam_result(request).await.unwrap().into_inner();
        seen.result.unwrap()
    }

    async fn listed(&self) -> Vec<ListedResult> {
        self.as_child().list_child_results(ListChildResultsRequest {}).await.unwrap().into_inner().results
    }
}

#[tokio::test]
async fn a_guardian_sees_the_same_results_as_the_child() {
    let hall = Hall::open().await;
    let candidates = hall.candidates(&[(5, 5), (2, 3)]).await;
    let child = &candidates[1];
    assert_eq!(hall.stranger().listed().await, []);
    hall.mark().await;
    let [listed] = &child.listed().await[..] else { panic!("not one") };
    assert_eq!((listed.exam_id, listed.is_final), (1, false));
    let paper = GetChildPaperResultRequest { paper_id: PAPER };
    let early = into_result(child.as_child().get_child_paper_result(paper).await);
    assert_eq!(reason(early), "NOT_FINAL");

    hall.end().await;
    assert!(child.listed().await[0].is_final);
    let exam = GetChildExamResultRequest { exam_id: 1 };
    let seen = into_result(child.as_child().get_child_exam_result(exam).await).unwrap();
    assert_eq!(seen.result.unwrap(), child.exam_result().await.unwrap());
    for paper_id in [PAPER, OTHER_PAPER] {
        let request = GetChildPaperResultRequest { paper_id };
        let seen = into_result(child.as_child().get_child_paper_result(request).await).unwrap();
        assert_eq!(
            seen.result.unwrap(),
            child.paper_result(paper_id).await.unwrap(),
            "the choices are in the child's order"
        );
    }
    let stranger = into_result(hall.stranger().as_child().get_child_exam_result(exam).await);
    assert_eq!(stranger.unwrap_err().code, Code::NotFound);
}

#[tokio::test]
async fn the_overview_is_the_same_for_guardian_and_child_and_follows_the_exam() {
    let hall = Hall::open().await;
    let candidates = hall.candidates(&[(5, 5), (2, 3)]).await;
    let child = &candidates[1];
    let overview = async || {
        let guardian = kit::test::guardian_of(Uuid::new_v4(), child.id);
        let mut seen = ResultServiceClient::new(hall.server.channel_as(guardian));
        let seen = seen.get_exam_overview(GetExamOverviewRequest {}).await.unwrap().into_inner();
        let own = child.results().get_exam_overview(GetExamOverviewRequest {}).await.unwrap();
        assert_eq!(seen, own.into_inner());
        seen
    };
    let next = |overview: &GetExamOverviewResponse| {
        let mut exams = overview.next.iter();
        exams.find(|exam| exam.exam_id == 1).map(|exam| exam.is_application_open)
    };
    let running = overview().await;
    assert_eq!(next(&running), Some(false));
    assert_eq!(running.results[0].exam_id, 1);
    hall.mark().await;
    let total = child.exam_result().await.unwrap().total.unwrap();
    let wanted = ExamTotal {
        points: total.points,
        full_points: total.full_points,
        deviation_score_tenths: total.deviation_score_tenths,
    };
    assert_eq!(overview().await.last_total, Some(wanted));
    hall.end().await;
    let ended = overview().await;
    assert_eq!((next(&ended), ended.results[0].is_final), (None, true));
    let stranger = hall.stranger().results().get_exam_overview(GetExamOverviewRequest {}).await.unwrap();
    assert_eq!(stranger.into_inner(), GetExamOverviewResponse::default());
}

#[tokio::test]
async fn a_question_has_the_same_result_as_in_its_paper() {
    let hall = Hall::open().await;
    let candidates = hall.candidates(&[(2, 5)]).await;
    let find = async |candidate: &Candidate<'_>, question_id| {
        let request = GetQuestionResultRequest { question_id };
        into_result(candidate.results().get_question_result(request).await)
    };
    hall.mark().await;
    assert_eq!(reason(find(&candidates[0], NUMBER).await), "NOT_FINAL");
    hall.end().await;
    let found = find(&candidates[0], NUMBER).await.unwrap();
    let paper = candidates[0].paper_result(PAPER).await.unwrap();
    assert_eq!(found.result.as_ref(), paper.questions.get(2));
    assert_eq!((found.exam_id, found.subject), (1, paper.subject));
    for (candidate, question) in [(&candidates[0], 9), (&hall.stranger(), NUMBER)] {
        let refused: Result<_, ServiceError> = find(candidate, question).await;
        assert_eq!(refused.unwrap_err().code, Code::NotFound);
    }
}

#[tokio::test]
async fn a_week_has_the_results_that_became_final_in_it_and_the_exams_after_it() {
    let hall = Hall::open().await;
    let candidates = hall.candidates(&[(5, 5), (2, 3)]).await;
    let child = &candidates[1];
    let week = async |week: &str| {
        let request = || GetExamWeekRequest { week: week.to_owned() };
        let guardian = kit::test::guardian_of(Uuid::new_v4(), child.id);
        let mut seen = ResultServiceClient::new(hall.server.channel_as(guardian));
        let seen = into_result(seen.get_exam_week(request()).await)?;
        let own = into_result(child.results().get_exam_week(request()).await)?;
        assert_eq!(seen, own);
        Ok::<_, ServiceError>(own.exams.unwrap())
    };
    hall.mark().await;
    assert_eq!(week("2026-11-16").await.unwrap(), ExamWeek::default(), "the result is provisional");
    let before = week("2026-11-09").await.unwrap();
    assert_eq!(before.next.iter().map(|next| next.exam_id).collect::<Vec<_>>(), [1, 2]);

    hall.end().await;
    let ended = week("2026-11-16").await.unwrap();
    let total = child.exam_result().await.unwrap().total.unwrap();
    let wanted = ExamTotal {
        points: total.points,
        full_points: total.full_points,
        deviation_score_tenths: total.deviation_score_tenths,
    };
    let totals: Vec<_> = ended.results.iter().map(|result| result.total.as_ref()).collect();
    assert_eq!(totals, [Some(&wanted)]);
    for other in ["2026-11-09", "2026-11-23"] {
        assert_eq!(week(other).await.unwrap().results, [], "{other}");
    }
    assert_eq!(reason(week("2026-11-17").await), "INVALID");

    let stranger = hall.stranger();
    let request = ListExamWeeksRequest {
        week: "2026-11-16".to_owned(),
        learner_ids: vec![stranger.id.to_string(), child.id.to_string()],
    };
    let auth = hall.server.channel_as(kit::caller::Caller::service(kit::caller::Service::Auth));
    let weeks = ResultServiceClient::new(auth).list_exam_weeks(request).await.unwrap().into_inner().weeks;
    assert_eq!(weeks, [ExamWeek::default(), ended]);
}
