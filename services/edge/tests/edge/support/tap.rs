//! A proxy between an edge and auth. It forwards all calls, adds one key, and can stop the stream.

use std::convert::Infallible;
use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use futures_util::{Stream, StreamExt as _};
use kit::caller::HEADER;
use kit::client::Channel;
use kit::test::TestServer;
use proto::auth::auth_service_client::AuthServiceClient;
use proto::auth::auth_service_server::{AuthService, AuthServiceServer};
use proto::auth::{
    CheckSessionRequest, CheckSessionResponse, GetUserRequest, GetUserResponse, LoginRequest, LoginResponse,
    LogoutRequest, LogoutResponse, PublicKey, RefreshRequest, RefreshResponse, WatchAccessRequest,
    WatchAccessResponse,
};
use tokio::sync::watch;
use tonic::service::Routes;
use tonic::{Request, Response, Status};
use tower::{Service as _, service_fn};

/// The proxy.
pub(crate) struct Tap {
    pub(crate) server: TestServer,
    silent: watch::Sender<bool>,
    retired: watch::Sender<bool>,
    trusts_sessions: Arc<AtomicBool>,
    session_checks: Arc<AtomicUsize>,
}

impl Tap {
    /// Starts a proxy of `auth` that adds `key`.
    pub(crate) async fn new(auth: Channel, key: PublicKey) -> Self {
        let (silent, retired) = (watch::Sender::new(false), watch::Sender::new(false));
        let (trusts_sessions, session_checks) = (Arc::<AtomicBool>::default(), Arc::<AtomicUsize>::default());
        let between = Between {
            auth: AuthServiceClient::new(auth.clone()),
            key,
            silent: silent.subscribe(),
            retired: retired.subscribe(),
            trusts_sessions: trusts_sessions.clone(),
            session_checks: session_checks.clone(),
        };
        let others = service_fn(move |request: axum::extract::Request| {
            let mut auth = auth.clone();
            async move {
                poll_fn(|context| auth.poll_ready(context)).await.expect("auth accepts calls");
                let answer = auth.call(request.map(tonic::body::Body::new)).await.expect("auth answers");
                Ok::<_, Infallible>(answer.map(axum::body::Body::new))
            }
        });
        let routes = Routes::new(AuthServiceServer::new(between))
            .into_axum_router()
            .route_service("/{service}/{method}", others);
        let server = TestServer::grpc(Routes::from(routes)).await;
        Self { server, silent, retired, trusts_sessions, session_checks }
    }

    /// Stops the messages of the stream. Calls are still answered.
    pub(crate) fn fall_silent(&self) {
        self.silent.send_replace(true);
    }

    /// Answers that each session of a token with the added key is alive. auth does not know these sessions. An edge under
    /// load may ask for one, because messages of auth's stream reach it late.
    pub(crate) fn trust_sessions(&self) {
        self.trusts_sessions.store(true, Ordering::Relaxed);
    }

    /// Retires the added key. Calls report it from now on.
    pub(crate) fn retire_key(&self) {
        self.retired.send_replace(true);
    }

    /// Number of calls that checked a session.
    pub(crate) fn session_checks(&self) -> usize {
        self.session_checks.load(Ordering::Relaxed)
    }
}

struct Between {
    auth: AuthServiceClient<Channel>,
    key: PublicKey,
    silent: watch::Receiver<bool>,
    retired: watch::Receiver<bool>,
    trusts_sessions: Arc<AtomicBool>,
    session_checks: Arc<AtomicUsize>,
}

/// Returns the message with only the assertion of the request.
fn keep_assertion<Message>(request: Request<Message>) -> Request<Message> {
    let assertion = request.metadata().get(HEADER).cloned();
    let mut request = Request::new(request.into_inner());
    if let Some(assertion) = assertion {
        request.metadata_mut().insert(HEADER, assertion);
    }
    request
}

/// Converts a status to one that a service would return.
#[expect(clippy::needless_pass_by_value, reason = "the signature of map_err")]
fn to_service_status(status: Status) -> Status {
    kit::error::ServiceError::from_status(&status).into_status(&status)
}

type Steps = Pin<Box<dyn Stream<Item = Result<WatchAccessResponse, Status>> + Send>>;

#[tonic::async_trait]
impl AuthService for Between {
    async fn login(&self, request: Request<LoginRequest>) -> Result<Response<LoginResponse>, Status> {
        self.auth.clone().login(keep_assertion(request)).await.map_err(to_service_status)
    }

    async fn refresh(&self, request: Request<RefreshRequest>) -> Result<Response<RefreshResponse>, Status> {
        self.auth.clone().refresh(keep_assertion(request)).await.map_err(to_service_status)
    }

    async fn logout(&self, request: Request<LogoutRequest>) -> Result<Response<LogoutResponse>, Status> {
        self.auth.clone().logout(keep_assertion(request)).await.map_err(to_service_status)
    }

    async fn get_user(&self, request: Request<GetUserRequest>) -> Result<Response<GetUserResponse>, Status> {
        self.auth.clone().get_user(keep_assertion(request)).await.map_err(to_service_status)
    }

    async fn check_session(
        &self,
        request: Request<CheckSessionRequest>,
    ) -> Result<Response<CheckSessionResponse>, Status> {
        self.session_checks.fetch_add(1, Ordering::Relaxed);
        let mut request = keep_assertion(request);
        if request.get_ref().kid.as_ref() == Some(&self.key.kid) && !*self.retired.borrow() {
            if self.trusts_sessions.load(Ordering::Relaxed) {
                return Ok(Response::new(CheckSessionResponse { alive: true }));
            }
            request.get_mut().kid = None;
        }
        self.auth.clone().check_session(request).await.map_err(to_service_status)
    }

    type WatchAccessStream = Steps;

    async fn watch_access(&self, request: Request<WatchAccessRequest>) -> Result<Response<Steps>, Status> {
        let steps = self.auth.clone().watch_access(keep_assertion(request)).await?.into_inner();
        let (key, silent) = (self.key.clone(), self.silent.clone());
        let steps = steps.map(move |step| {
            step.map(|mut step| {
                if !step.keys.is_empty() {
                    step.keys.push(key.clone());
                }
                step
            })
        });
        let steps = steps.filter_map(move |step| {
            let speaks = !*silent.borrow();
            std::future::ready(speaks.then_some(step))
        });
        Ok(Response::new(Box::pin(steps)))
    }
}
