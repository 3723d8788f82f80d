//! Access rights: every rpc of a learner, in every state of a sitting, for every kind of caller.

use std::collections::BTreeSet;

use exam::marking_job::MarkingJob;
use kit::caller::{Allowed, Caller, Scope, Service};
use kit::client::Channel;
use kit::error::ServiceError;
use kit::test::{account, anyone, guardian, guardian_of, learner};
use proto::exam::application_service_client::ApplicationServiceClient;
use proto::exam::receipt_service_client::ReceiptServiceClient;
use proto::exam::result_service_client::ResultServiceClient;
use proto::exam::sitting_service_client::SittingServiceClient;
use proto::exam::{
    ClearDesiredSchoolRequest, FindSittingRequest, GetApplicationRequest, GetExamResultPdfRequest,
    GetExamResultRequest, GetPaperResultRequest, GetPictureRequest, GetQuestionResultRequest,
    GetReceiptRequest, HandInSittingRequest, JudgeDepartmentRequest, ListApplicationsRequest,
    PutPictureRequest, SaveAnswersRequest, SetBasicInfoRequest, SetDesiredSchoolRequest, StartSittingRequest,
    TakeOverSittingRequest, TakeSeatRequest,
};
use tonic::Status;
use uuid::Uuid;

use crate::application::{fit_device, info};
use crate::hall::{
    Browser, Candidate, END, Hall, MINUTE, PAPER, RULES, SECOND, SINGLE, choices, outbox, row,
};

/// The state of a learner's paper, in the order of the columns below.
#[derive(Clone, Copy, Debug, PartialEq)]
enum State {
    NotBegun,
    Running,
    Grace,
    Sealed,
    /// Sealed and marked, before the exam ends.
    Marked,
    /// Marked, after the end of the exam.
    Final,
}

const STATES: [State; 6] =
    [State::NotBegun, State::Running, State::Grace, State::Sealed, State::Marked, State::Final];

const OK: &str = "OK";
const HANDED_IN: &str = "HANDED_IN";
const NOT_FOUND: &str = "NOT_FOUND";
const NOTHING: &str = "NOTHING_HANDED_IN";
const NOT_FINAL: &str = "NOT_FINAL";
const STARTED: &str = "EXAM_STARTED";
const ENDED: &str = "EXAM_ENDED";
const OTHER: &str = "OTHER_DEVICE";

/// Outcomes for the learner on the active device.
#[rustfmt::skip]
const OWNER: [(&str, [&str; 6]); 20] = [
    // rpc                                    not begun  running    grace      sealed     marked     final
    ("ApplicationService/ListApplications",   [OK,        OK,        OK,        OK,        OK,        OK]),
    ("ApplicationService/GetApplication",     [OK,        OK,        OK,        OK,        OK,        OK]),
    ("ApplicationService/TakeSeat",           [OK,        OK,        OK,        OK,        OK,        OK]),
    ("ApplicationService/SetBasicInfo",       [OK,        STARTED,   STARTED,   STARTED,   STARTED,   ENDED]),
    ("ApplicationService/SetDesiredSchool",   [OK,        STARTED,   STARTED,   STARTED,   STARTED,   ENDED]),
    ("ApplicationService/ClearDesiredSchool", [OK,        STARTED,   STARTED,   STARTED,   STARTED,   ENDED]),
    ("ApplicationService/SetDeviceCheck",     [OK,        OK,        OK,        OK,        OK,        ENDED]),
    ("SittingService/StartSitting",           [OK,        OK,        OK,        HANDED_IN, HANDED_IN, HANDED_IN]),
    ("SittingService/FindSitting",            [NOT_FOUND, OK,        OK,        OK,        OK,        OK]),
    ("SittingService/SaveAnswers",            [NOT_FOUND, OK,        OK,        HANDED_IN, HANDED_IN, HANDED_IN]),
    // About a question that takes no picture; see written.rs for one that does.
    ("SittingService/PutPicture",             [NOT_FOUND, NOT_FOUND, NOT_FOUND, HANDED_IN, HANDED_IN, HANDED_IN]),
    ("SittingService/GetPicture",             [NOT_FOUND, NOT_FOUND, NOT_FOUND, NOT_FOUND, NOT_FOUND, NOT_FOUND]),
    ("SittingService/TakeOverSitting",        [NOT_FOUND, OK,        OK,        HANDED_IN, HANDED_IN, HANDED_IN]),
    ("SittingService/HandInSitting",          [NOT_FOUND, OK,        OK,        OK,        OK,        OK]),
    ("ReceiptService/GetReceipt",             [NOT_FOUND, NOTHING,   NOTHING,   OK,        OK,        OK]),
    ("ResultService/GetExamResult",           [NOTHING,   NOTHING,   NOTHING,   OK,        OK,        OK]),
    ("ResultService/GetExamResultPdf",        [NOTHING,   NOTHING,   NOTHING,   OK,        OK,        OK]),
    ("ResultService/GetPaperResult",          [NOTHING,   NOTHING,   NOTHING,   NOT_FINAL, NOT_FINAL, OK]),
    ("ResultService/GetQuestionResult",       [NOTHING,   NOTHING,   NOTHING,   NOT_FINAL, NOT_FINAL, OK]),
    ("ResultService/JudgeDepartment",         [NOTHING,   NOTHING,   NOTHING,   OK,        OK,        OK]),
];

/// Outcomes for the same learner on another device, where they differ.
#[rustfmt::skip]
const OTHER_BROWSER: [(&str, [&str; 6]); 3] = [
    ("SittingService/StartSitting",           [OK,        OTHER,     OTHER,     HANDED_IN, HANDED_IN, HANDED_IN]),
    ("SittingService/SaveAnswers",            [NOT_FOUND, OTHER,     OTHER,     HANDED_IN, HANDED_IN, HANDED_IN]),
    ("SittingService/HandInSitting",          [NOT_FOUND, OTHER,     OTHER,     OK,        OK,        OK]),
];

/// Rpcs that name a sitting by its id. For another learner it does not exist.
const BY_ID: [&str; 6] = [
    "SittingService/PutPicture",
    "SittingService/FindSitting",
    "SittingService/SaveAnswers",
    "SittingService/TakeOverSitting",
    "SittingService/HandInSitting",
    "ReceiptService/GetReceipt",
];

/// A learner whose paper is in a certain state.
struct Subject<'a> {
    candidate: Candidate<'a>,
    browser: Browser,
    /// The id of no sitting if the paper is not begun.
    sitting: String,
}

impl Subject<'_> {
    /// Calls an rpc about this sitting on `browser`. Returns `OK` or the reason of the refusal.
    async fn call(&self, channel: &Channel, rpc: &str, browser: &Browser) -> String {
        let now = self.candidate.hall.now();
        let (exam_id, paper_id, id) = (1, PAPER, self.sitting.clone());
        let (device, device_id) = (Some(browser.device(now)), browser.id.to_string());
        let mut applications = ApplicationServiceClient::new(channel.clone());
        let mut sittings = SittingServiceClient::new(channel.clone());
        let mut receipts = ReceiptServiceClient::new(channel.clone());
        let mut results = ResultServiceClient::new(channel.clone());
        let outcome = match rpc {
            "ApplicationService/ListApplications" => {
                applications.list_applications(ListApplicationsRequest {}).await.map(drop)
            }
            "ApplicationService/GetApplication" => {
                applications.get_application(GetApplicationRequest { exam_id }).await.map(drop)
            }
            "ApplicationService/TakeSeat" => {
                applications.take_seat(TakeSeatRequest { exam_id }).await.map(drop)
            }
            "ApplicationService/SetBasicInfo" => {
                let request = SetBasicInfoRequest { exam_id, basic_info: Some(info()) };
                applications.set_basic_info(request).await.map(drop)
            }
            "ApplicationService/SetDesiredSchool" => {
                let request = SetDesiredSchoolRequest {
                    exam_id,
                    rank: 1,
                    school_id: 1,
                    department_id: 1,
                    school_marks: None,
                };
                applications.set_desired_school(request).await.map(drop)
            }
            "ApplicationService/ClearDesiredSchool" => applications
                .clear_desired_school(ClearDesiredSchoolRequest { exam_id, rank: 1 })
                .await
                .map(drop),
            "ApplicationService/SetDeviceCheck" => {
                applications.set_device_check(fit_device()).await.map(drop)
            }
            "SittingService/StartSitting" => sittings
                .start_sitting(StartSittingRequest { paper_id, device, resume_only: false })
                .await
                .map(drop),
            "SittingService/FindSitting" => {
                let request = FindSittingRequest { id, device_id: Some(device_id) };
                sittings.find_sitting(request).await.map(drop)
            }
            "SittingService/SaveAnswers" => {
                let answers = vec![row(SINGLE, 1, choices(&[1]))];
                let request: SaveAnswersRequest = self.candidate.message(&id, browser, 1, answers);
                sittings.save_answers(request).await.map(drop)
            }
            "SittingService/PutPicture" => {
                let request = PutPictureRequest { id, question_id: SINGLE, content: Vec::new() };
                sittings.put_picture(request).await.map(drop)
            }
            "SittingService/GetPicture" => {
                let request = GetPictureRequest { question_id: SINGLE, picture: "0".repeat(64) };
                sittings.get_picture(request).await.map(drop)
            }
            "SittingService/TakeOverSitting" => {
                sittings.take_over_sitting(TakeOverSittingRequest { id, device }).await.map(drop)
            }
            "SittingService/HandInSitting" => {
                sittings.hand_in_sitting(HandInSittingRequest { id, device_id, epoch: 1 }).await.map(drop)
            }
            "ReceiptService/GetReceipt" => {
                receipts.get_receipt(GetReceiptRequest { sitting_id: id }).await.map(drop)
            }
            "ResultService/GetExamResult" => {
                results.get_exam_result(GetExamResultRequest { exam_id }).await.map(drop)
            }
            "ResultService/GetExamResultPdf" => {
                results.get_exam_result_pdf(GetExamResultPdfRequest { exam_id }).await.map(drop)
            }
            "ResultService/GetPaperResult" => {
                results.get_paper_result(GetPaperResultRequest { paper_id }).await.map(drop)
            }
            "ResultService/GetQuestionResult" => {
                let request = GetQuestionResultRequest { question_id: SINGLE };
                results.get_question_result(request).await.map(drop)
            }
            "ResultService/JudgeDepartment" => {
                let request = JudgeDepartmentRequest { exam_id, school_id: 1, department_id: 1 };
                results.judge_department(request).await.map(drop)
            }
            _ => panic!("{rpc} is not called here"),
        };
        outcome.map_or_else(|refused| reason_of(&refused), |()| OK.to_owned())
    }
}

fn reason_of(status: &Status) -> String {
    ServiceError::from_status(status).reason.into_owned()
}

impl Hall {
    async fn subject(&self, state: State) -> Subject<'_> {
        let (candidate, browser) = (self.admit().await, Browser::new());
        if state == State::NotBegun {
            return Subject { candidate, browser, sitting: Uuid::new_v4().to_string() };
        }
        let sitting = candidate.start(PAPER, &browser).await.unwrap().id;
        if !matches!(state, State::Running | State::Grace) {
            candidate.hand_in(&sitting, &browser, 1).await.unwrap();
        }
        Subject { candidate, browser, sitting }
    }

    /// Moves all subjects from their start to the state.
    async fn enter(&self, state: State) {
        match state {
            State::NotBegun | State::Running | State::Sealed => {}
            State::Grace => self.clock.advance(MINUTE * 50 + SECOND),
            State::Marked => self.mark_all().await,
            State::Final => {
                self.clock.advance(END - self.now() + SECOND * 121);
                self.mark_all().await;
            }
        }
    }

    async fn mark_all(&self) {
        let marking = MarkingJob::new(self.database.pool.clone(), outbox(), self.clock.clock(), RULES);
        marking.mark_due().await.unwrap();
    }

    fn channel(&self, caller: Caller) -> Channel {
        self.server.channel_as(caller)
    }
}

/// Callers that every rpc of the table refuses, with the reason.
fn refused_callers(hall: &Hall, child: Uuid) -> Vec<(&'static str, Channel, &'static str)> {
    let id = Uuid::new_v4();
    let refused = |name, caller| (name, hall.channel(caller), "CALLER_NOT_ALLOWED");
    vec![
        refused("a guardian", guardian(id)),
        refused("the guardian of the learner", guardian_of(id, child)),
        refused("staff for content", account(id, &[Scope::StaffContent])),
        refused("staff for support", account(id, &[Scope::StaffSupport])),
        refused("staff for commerce", account(id, &[Scope::StaffCommerce])),
        refused("the learner's account without the scope", account(child, &[])),
        refused("a caller who is not signed in", anyone()),
        refused("another service", Caller::service(Service::Commerce)),
        ("a call without a caller", hall.server.channel(), "CALLER_MISSING"),
    ]
}

#[test]
fn the_table_has_every_rpc_of_a_learner() {
    let rows: BTreeSet<_> = OWNER.iter().map(|(rpc, _)| format!("/exam.v1.{rpc}")).collect();
    let callable = exam::CALLERS.iter().filter(|(_, allowed)| *allowed == Allowed::Learner);
    let callable: BTreeSet<_> = callable.map(|(path, _)| (*path).to_owned()).collect();
    assert_eq!(rows, callable);
}

#[tokio::test]
async fn each_caller_gets_the_outcome_of_the_table_in_every_state() {
    for (column, state) in STATES.into_iter().enumerate() {
        let hall = Hall::open().await;
        let mut subjects = Vec::new();
        for row in OWNER {
            subjects.push((row, hall.subject(state).await));
        }
        let stranger = hall.admit().await;
        hall.enter(state).await;
        for ((rpc, outcomes), subject) in &subjects {
            let owner = hall.channel(learner(subject.candidate.id));
            for (who, channel, wanted) in refused_callers(&hall, subject.candidate.id) {
                let outcome = subject.call(&channel, rpc, &subject.browser).await;
                assert_eq!(outcome, wanted, "{rpc} by {who}, {state:?}");
            }
            if BY_ID.contains(rpc) {
                let other = hall.channel(learner(stranger.id));
                let outcome = subject.call(&other, rpc, &subject.browser).await;
                assert_eq!(outcome, NOT_FOUND, "{rpc} by another learner, {state:?}");
            }
            // The refused calls have not changed the outcome for the learner.
            let outcome = subject.call(&owner, rpc, &subject.browser).await;
            assert_eq!(outcome, outcomes[column], "{rpc} by the learner, {state:?}");
        }
    }
}

#[tokio::test]
async fn another_device_of_the_learner_gets_the_outcome_of_the_table_in_every_state() {
    for (column, state) in STATES.into_iter().enumerate() {
        let hall = Hall::open().await;
        let mut subjects = Vec::new();
        for row in OWNER {
            subjects.push((row, hall.subject(state).await));
        }
        hall.enter(state).await;
        for ((rpc, outcomes), subject) in &subjects {
            let own = OTHER_BROWSER.iter().find(|(name, _)| name == rpc);
            let wanted = own.map_or(outcomes, |(_, outcomes)| outcomes)[column];
            let channel = hall.channel(learner(subject.candidate.id));
            let outcome = subject.call(&channel, rpc, &Browser::new()).await;
            assert_eq!(outcome, wanted, "{rpc} on another device, {state:?}");
        }
    }
}
