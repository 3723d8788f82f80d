//! The caller check in front of every rpc, over real sockets.

use crate::upstream::{FAULTY, SLOW, SWIFT, Upstream, call};
use kit::caller::{Allowed, CallerError, CallerOf as _, Row, Service};
use kit::error::{Code, ServiceError};
use kit::test::{TestServer, anyone, every_rpc_admits_only_its_callers, guardian_of, in_session, rpcs};
use proto::common::event_service_server::{EventService, EventServiceServer};
use proto::common::{DeliverRequest, DeliverResponse};
use tonic::service::Routes;
use tonic::{Request, Response, Status};
use uuid::Uuid;

const DELIVER: &str = "/common.v1.EventService/Deliver";
const ONE: Uuid = Uuid::from_u128(1);

/// Answers every event with an error that contains the caller.
struct WhoCalls;

#[tonic::async_trait]
impl EventService for WhoCalls {
    async fn deliver(&self, request: Request<DeliverRequest>) -> Result<Response<DeliverResponse>, Status> {
        Err(Status::not_found(format!("{:?}", request.caller()?)))
    }
}

async fn serve(allowed: Allowed) -> TestServer {
    let services = Routes::new(EventServiceServer::new(WhoCalls));
    TestServer::service(Service::Lms, &[(DELIVER, allowed)], services).await
}

#[tokio::test]
async fn each_row_admits_exactly_its_callers() {
    let staff = kit::caller::Scope::StaffSupport;
    let rows = [
        Allowed::Anyone,
        Allowed::SignedIn,
        Allowed::Learner,
        Allowed::Guardian,
        Allowed::LearnerOrGuardian,
        Allowed::GuardianOf,
        Allowed::LearnerOrGuardianOf,
        Allowed::Staff(staff),
        Allowed::Services(&[Service::Auth, Service::Commerce]),
        Allowed::Services(&[Service::Edge]),
    ];
    for allowed in rows {
        let server = serve(allowed).await;
        let table: [Row; 1] = [(DELIVER, allowed)];
        every_rpc_admits_only_its_callers(&server, Service::Lms, &table, &["common.v1"]).await;
    }
}

#[tokio::test]
async fn an_rpc_without_a_row_is_refused() {
    let (upstream, _) = Upstream::new();
    let table = [(SWIFT, Allowed::Anyone)];
    let server = TestServer::service(Service::Lms, &table, upstream.routes()).await;
    let edge = server.channel_as(anyone());
    call(&edge, SWIFT).await.unwrap();
    for path in [SLOW, FAULTY] {
        let problem = ServiceError::from_status(&call(&edge, path).await.unwrap_err());
        assert_eq!((problem.code, &*problem.reason), (Code::Forbidden, CallerError::NotAllowed.reason()));
    }
}

#[tokio::test]
async fn an_rpc_gets_its_caller() {
    let server = serve(Allowed::GuardianOf).await;
    let caller = in_session(guardian_of(ONE, Uuid::from_u128(2)), Uuid::from_u128(3));
    let mut client = proto::common::event_service_client::EventServiceClient::new(server.channel_as(caller));
    let status = client.deliver(DeliverRequest::default()).await.unwrap_err();
    assert_eq!(status.message(), format!("{caller:?}"));
}

#[tokio::test]
async fn without_the_check_an_rpc_finds_no_caller() {
    let server = TestServer::grpc(Routes::new(EventServiceServer::new(WhoCalls))).await;
    let status = call(&server.channel(), DELIVER).await.unwrap_err();
    assert_eq!(ServiceError::from_status(&status).reason, CallerError::Missing.reason());
}

#[tokio::test(flavor = "multi_thread")]
async fn health_and_probes_are_open() {
    let server = serve(Allowed::Learner).await;
    call(&server.channel(), "/grpc.health.v1.Health/Check").await.unwrap();
    for path in ["/livez", "/readyz"] {
        let answer = kit::test::ask(server.address, &format!("GET {path} HTTP/1.1"), "");
        assert!(answer.starts_with("HTTP/1.1 200"), "{path}: {answer}");
    }
}

#[test]
fn the_rpcs_of_a_package_are_known() {
    assert_eq!(rpcs(&["common.v1"]), [DELIVER]);
    let lms = rpcs(&["lms.v1"]);
    assert!(lms.len() > 30 && lms.iter().all(|path| path.starts_with("/lms.v1.")), "{lms:?}");
}
