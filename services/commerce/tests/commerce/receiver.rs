//! A test service that passes on the events delivered to it.

use std::iter;
use std::time::Duration;

use kit::caller::{Allowed, Caller, CallerOf as _, Service};
use kit::test::TestServer;
use proto::common::event_service_server::{EventService, EventServiceServer};
use proto::common::{DeliverRequest, DeliverResponse, Event};
use tokio::sync::mpsc;
use tokio::time::timeout;
use tonic::service::Routes;
use tonic::{Request, Response, Status};

/// The test timeout, far longer than a delivery.
const PATIENCE: Duration = Duration::from_secs(20);

pub(crate) struct Receiver {
    server: TestServer,
    received: mpsc::UnboundedReceiver<(Caller, Event)>,
}

impl Receiver {
    /// Starts a receiver in place of a service.
    pub(crate) async fn start(service: Service) -> Self {
        let (sent, received) = mpsc::unbounded_channel();
        let server = TestServer::service(
            service,
            &[("/common.v1.EventService/Deliver", Allowed::Services(&[Service::Commerce]))],
            Routes::new(EventServiceServer::new(Sender(sent))),
        )
        .await;
        Self { server, received }
    }

    pub(crate) fn url(&self) -> String {
        self.server.url()
    }

    /// Takes the events received so far.
    pub(crate) fn take_received(&mut self) -> Vec<(Caller, Event)> {
        iter::from_fn(|| self.received.try_recv().ok()).collect()
    }

    /// Waits for the next event. Returns it with its sender.
    pub(crate) async fn receive(&mut self) -> (Caller, Event) {
        timeout(PATIENCE, self.received.recv()).await.unwrap().unwrap()
    }
}

struct Sender(mpsc::UnboundedSender<(Caller, Event)>);

#[tonic::async_trait]
impl EventService for Sender {
    async fn deliver(&self, request: Request<DeliverRequest>) -> Result<Response<DeliverResponse>, Status> {
        let sender = request.caller()?;
        self.0.send((sender, request.into_inner().event.unwrap())).unwrap();
        Ok(Response::new(DeliverResponse {}))
    }
}
