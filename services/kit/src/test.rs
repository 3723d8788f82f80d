//! Test helpers: servers on free ports, a manual clock.

mod caller;
mod mail_server;
mod names;
mod process;
mod random;
mod telemetry_capture;

pub use caller::{
    CALLER_SECRET, account, anyone, caller_keys, channel_as, every_rpc_admits_only_its_callers, guardian,
    guardian_of, in_session, learner, open_to_all, rpcs, signer,
};
pub use mail_server::{Mail, MailServer, Reply};
pub use names::Names;
pub use process::{Process, ask, feed, metrics};
pub use random::Random;
pub use telemetry_capture::TelemetryCapture;

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use time::OffsetDateTime;
use tokio::net::TcpListener;
use tonic::service::Routes;

use crate::caller::{Caller, Callers, Row, Service};
use crate::client::{Channel, channel};
use crate::clock::Clock;
use crate::config;
use crate::shutdown::Shutdown;

/// A server in the process of the test.
pub struct TestServer {
    /// Its address.
    pub address: SocketAddr,
    /// Stops it.
    pub shutdown: Shutdown,
    /// Its name in caller assertions.
    receiver: Option<Service>,
}

impl TestServer {
    /// Serves the gRPC `services` of `receiver` on a free port of 127.0.0.1; `table` has the allowed callers.
    pub async fn service(receiver: Service, table: &[Row], services: Routes) -> Self {
        let callers = Callers::new(receiver, table, &caller_keys(), Clock::system()).expect("keys of tests");
        let mut server = Self::serve(callers, services).await;
        server.receiver = Some(receiver);
        server
    }

    /// Serves gRPC `services` without caller checks on a free port of 127.0.0.1.
    pub async fn grpc(services: Routes) -> Self {
        Self::serve(open_to_all(), services).await
    }

    async fn serve(callers: Callers, services: Routes) -> Self {
        Self::start(|listener, shutdown| async move {
            crate::serve::grpc(&AT_ONCE, listener, callers, services, Router::new(), shutdown).await
        })
        .await
    }

    /// Serves HTTP on a free port of 127.0.0.1.
    pub async fn http(app: Router) -> Self {
        Self::start(|listener, shutdown| async move {
            crate::serve::http(&AT_ONCE, listener, app, shutdown).await
        })
        .await
    }

    /// A channel to it without a caller assertion. A server with caller checks refuses every call.
    #[must_use]
    pub fn channel(&self) -> Channel {
        channel(&self.url()).expect("the server's URL is valid")
    }

    /// A channel to it with calls signed by this caller.
    #[must_use]
    pub fn channel_as(&self, caller: Caller) -> Channel {
        let receiver = self.receiver.expect("the server was started with `service`");
        channel_as(&self.url(), receiver, caller)
    }

    /// Its address as a URL.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    async fn start<Serve, Serving>(serve: Serve) -> Self
    where
        Serve: FnOnce(TcpListener, Shutdown) -> Serving,
        Serving: Future<Output = Result<(), crate::Failure>> + Send + 'static,
    {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("bind a port");
        let address = listener.local_addr().expect("local address");
        let shutdown = Shutdown::default();
        let serving = serve(listener, shutdown.clone());
        crate::task::spawn_untracked("test server", async move {
            serving.await.expect("the server ends without an error");
        });
        Self { address, shutdown, receiver: None }
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        self.shutdown.begin();
    }
}

const AT_ONCE: config::Serve =
    config::Serve { drain_delay: Duration::ZERO, drain_limit: Duration::from_secs(1), metrics_listen: None };

/// A clock that stands still until a test advances it.
#[derive(Clone)]
pub struct HandClock(Arc<Mutex<OffsetDateTime>>);

impl HandClock {
    /// A clock that stands at `now`.
    #[must_use]
    pub fn at(now: OffsetDateTime) -> Self {
        Self(Arc::new(Mutex::new(now)))
    }

    /// Advances the clock by `step`.
    pub fn advance(&self, step: time::Duration) {
        *self.0.lock().expect("the lock is not poisoned") += step;
    }

    /// The clock for the code under test.
    #[must_use]
    pub fn clock(&self) -> Clock {
        let now = self.0.clone();
        Clock::new(move || *now.lock().expect("the lock is not poisoned"))
    }
}
