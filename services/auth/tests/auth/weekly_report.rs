//! The sending of weekly reports while exam or lms fail for some learners.

use std::sync::{Arc, Mutex};

use auth::account::Account;
use auth::weekly_report::job::WeeklyReportJob;
use kit::error;
use kit::shutdown::Shutdown;
use kit::test::TestServer;
use kit_db::outbox::Outbox;
use proto::auth::WeeklyReportDue;
use proto::exam::result_service_server::{ResultService, ResultServiceServer};
use proto::exam::{
    ExamWeek, GetExamOverviewRequest, GetExamOverviewResponse, GetExamResultPdfRequest,
    GetExamResultPdfResponse, GetExamResultRequest, GetExamResultResponse, GetExamWeekRequest,
    GetExamWeekResponse, GetPaperResultRequest, GetPaperResultResponse, GetQuestionResultRequest,
    GetQuestionResultResponse, JudgeDepartmentRequest, JudgeDepartmentResponse, ListExamWeeksRequest,
    ListExamWeeksResponse,
};
use proto::lms::weekly_report_service_server::{WeeklyReportService, WeeklyReportServiceServer};
use proto::lms::{
    GetWeeklyReportPdfRequest, GetWeeklyReportPdfResponse, ListWeeklySummariesRequest,
    ListWeeklySummariesResponse, WeeklySummary,
};
use time::Duration;
use time::macros::datetime;
use tonic::metadata::MetadataMap;
use tonic::service::Routes;
use tonic::{Request, Response, Status};
use uuid::Uuid;

use crate::support::{NOW, USER, World, guardian};

/// The first moment at which reports of the week of [`NOW`] are sent.
const MONDAY: time::OffsetDateTime = datetime!(2026-11-23 07:00 +9);
/// A learner whose figures fail.
const BROKEN: Uuid = Uuid::from_u128(0x0193_6f2a_4c00_7a31_8b52_1f6d_0c9e_4b00);

/// How exam and lms respond.
#[derive(Clone, Default)]
struct Behaviour {
    /// They leave out this many learners.
    missing_weeks: usize,
    missing_summaries: usize,
    /// Begins with a call to lms.
    shutdown: Option<Shutdown>,
}

/// Test services in place of exam and lms. lms fails for [`BROKEN`].
#[derive(Clone, Default)]
struct Upstreams {
    behaviour: Arc<Mutex<Behaviour>>,
}

impl Upstreams {
    fn behave(&self, behaviour: Behaviour) {
        *self.behaviour.lock().unwrap() = behaviour;
    }

    fn behaviour(&self) -> Behaviour {
        self.behaviour.lock().unwrap().clone()
    }
}

/// Fails for a call that could wait forever.
fn require_deadline(metadata: &MetadataMap) -> Result<(), Status> {
    metadata.get("grpc-timeout").map(drop).ok_or_else(|| Status::invalid_argument("without a deadline"))
}

#[tonic::async_trait]
impl WeeklyReportService for Upstreams {
    async fn get_weekly_report_pdf(
        &self,
        _: Request<GetWeeklyReportPdfRequest>,
    ) -> Result<Response<GetWeeklyReportPdfResponse>, Status> {
        Err(Status::unimplemented("not called"))
    }

    async fn list_weekly_summaries(
        &self,
        request: Request<ListWeeklySummariesRequest>,
    ) -> Result<Response<ListWeeklySummariesResponse>, Status> {
        require_deadline(request.metadata())?;
        let Behaviour { missing_summaries, shutdown, .. } = self.behaviour();
        if let Some(shutdown) = shutdown {
            shutdown.begin();
        }
        let ids = request.into_inner().learners.into_iter().skip(missing_summaries);
        let ids: Vec<String> = ids.map(|learner| learner.learner_id).collect();
        if ids.contains(&BROKEN.to_string()) {
            return Err(Status::internal("no figures"));
        }
        let summaries = ids.into_iter().map(|learner_id| WeeklySummary { learner_id, ..Default::default() });
        Ok(Response::new(ListWeeklySummariesResponse { summaries: summaries.collect() }))
    }
}

/// Implements exam's service with one rpc.
macro_rules! implement_list_exam_weeks {
    ($($rpc:ident($request:ident) -> $response:ident,)*) => {
        #[tonic::async_trait]
        impl ResultService for Upstreams {
            async fn list_exam_weeks(
                &self,
                request: Request<ListExamWeeksRequest>,
            ) -> Result<Response<ListExamWeeksResponse>, Status> {
                require_deadline(request.metadata())?;
                let ids = request.into_inner().learner_ids.into_iter().skip(self.behaviour().missing_weeks);
                let weeks = ids.map(|_| ExamWeek::default()).collect();
                Ok(Response::new(ListExamWeeksResponse { weeks }))
            }

            $(async fn $rpc(&self, _: Request<$request>) -> Result<Response<$response>, Status> {
                Err(Status::unimplemented("not called"))
            })*
        }
    };
}

implement_list_exam_weeks! {
    get_exam_result(GetExamResultRequest) -> GetExamResultResponse,
    get_exam_result_pdf(GetExamResultPdfRequest) -> GetExamResultPdfResponse,
    get_paper_result(GetPaperResultRequest) -> GetPaperResultResponse,
    get_question_result(GetQuestionResultRequest) -> GetQuestionResultResponse,
    judge_department(JudgeDepartmentRequest) -> JudgeDepartmentResponse,
    get_exam_overview(GetExamOverviewRequest) -> GetExamOverviewResponse,
    get_exam_week(GetExamWeekRequest) -> GetExamWeekResponse,
}

/// The job at [`MONDAY`], with the services that it calls.
struct Sending {
    world: World,
    job: WeeklyReportJob,
    upstreams: Upstreams,
    _server: TestServer,
}

impl Sending {
    /// The guardian with each number is linked with the learner at its place.
    async fn start(learners: &[Uuid]) -> Self {
        let world = World::with_guardians(learners.len() as u128).await;
        let broken =
            Account { id: BROKEN, email: "broken@konomana.example".to_owned(), ..world.account().await };
        world.put(&broken).await;
        for (number, learner) in (0..).zip(learners) {
            let link = format!(
                "INSERT INTO guardian_link (id, learner, guardian, since) \
                 VALUES ('{}', '{learner}', '{}', '{NOW}') RETURNING id::text",
                Uuid::now_v7(),
                guardian(number)
            );
            world.text(&link).await;
        }
        world.clock.advance(MONDAY - NOW);
        let upstreams = Upstreams::default();
        let services = Routes::new(ResultServiceServer::new(upstreams.clone()))
            .add_service(WeeklyReportServiceServer::new(upstreams.clone()));
        let server = TestServer::grpc(services).await;
        let outbox = Outbox::new(world.config(&[]).secret.parse_secret().unwrap().outbox());
        let pool = world.database.pool.clone();
        let job = WeeklyReportJob::new(pool, outbox, server.channel(), server.channel(), world.clock.clock());
        Self { world, job, upstreams, _server: server }
    }

    /// The failure of a run.
    async fn failure(&self) -> String {
        error::chain(&self.job.run_once().await.unwrap_err())
    }

    /// The guardians with a report.
    async fn sent(&self) -> Vec<String> {
        let reports = self.world.events_of::<WeeklyReportDue>().await;
        reports.into_iter().map(|report| report.account_id).collect()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_learner_whose_figures_fail_holds_up_no_other_guardian() {
    let sending = Sending::start(&[USER, BROKEN, USER]).await;
    sending.failure().await;
    assert_eq!(sending.sent().await, [""; 0], "the batch failed");
    sending.job.run_once().await.unwrap();
    assert_eq!(sending.sent().await, [""; 0], "the lease is not over");

    sending.world.clock.advance(Duration::minutes(5));
    let failure = sending.failure().await;
    assert!(failure.contains(&guardian(1).to_string()) && failure.contains("no figures"), "{failure}");
    sending.job.run_once().await.unwrap();
    assert_eq!(sending.sent().await, [guardian(0), guardian(2)].map(|id| id.to_string()));
    sending.world.clock.advance(Duration::minutes(5));
    sending.failure().await;
    assert_eq!(sending.sent().await.len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn figures_of_fewer_learners_send_no_report() {
    let sending = Sending::start(&[USER]).await;
    for (behaviour, failure) in [
        (Behaviour { missing_weeks: 1, ..Default::default() }, "exam returned 0 weeks for 1 learners"),
        (Behaviour { missing_summaries: 1, ..Default::default() }, "lms returned 0 summaries for 1 learners"),
    ] {
        sending.upstreams.behave(behaviour);
        let found = sending.failure().await;
        assert!(found.ends_with(failure), "{found}");
        sending.world.clock.advance(Duration::minutes(5));
    }
    sending.upstreams.behave(Behaviour::default());
    sending.job.run_once().await.unwrap();
    assert_eq!(sending.sent().await, [guardian(0).to_string()]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_shutdown_stops_the_sending_after_a_batch() {
    let sending = Sending::start(&[USER; 51]).await;
    let shutdown = Shutdown::default();
    sending.upstreams.behave(Behaviour { shutdown: Some(shutdown.clone()), ..Default::default() });
    sending.job.run_until(&shutdown).await.unwrap();
    assert_eq!(sending.sent().await.len(), 50);
    sending.job.run_once().await.unwrap();
    assert_eq!(sending.sent().await.len(), 51);
}
