//! A generic gRPC service, and a connection to it that can be cut.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::routing::post;
use futures_util::stream;
use http::{HeaderMap, HeaderValue, Response};
use http_body_util::StreamBody;
use hyper::body::{Bytes, Frame};
use kit::client::Channel;
use kit::test::TestServer;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;
use tonic::client::Grpc;
use tonic::codegen::http::uri::PathAndQuery;
use tonic::service::Routes;
use tonic_prost::ProstCodec;

/// Answers at once.
pub(crate) const SWIFT: &str = "/test.v1.TestService/Swift";
/// Answers when the gate opens.
pub(crate) const SLOW: &str = "/test.v1.TestService/Slow";
/// Fails with a server error.
pub(crate) const FAULTY: &str = "/test.v1.TestService/Faulty";

/// State that tests observe and control.
#[derive(Clone)]
pub(crate) struct Upstream {
    /// The headers of the last call.
    pub(crate) seen: Arc<Mutex<HeaderMap>>,
    /// Lets slow calls finish.
    pub(crate) gate: watch::Sender<bool>,
    arrived: mpsc::UnboundedSender<()>,
}

impl Upstream {
    /// The service, and a channel that reports the start of each slow call.
    pub(crate) fn new() -> (Self, mpsc::UnboundedReceiver<()>) {
        let (arrived, arrivals) = mpsc::unbounded_channel();
        (Self { seen: Arc::default(), gate: watch::Sender::new(false), arrived }, arrivals)
    }

    pub(crate) fn routes(&self) -> Routes {
        let (swift, slow) = (self.clone(), self.clone());
        Routes::from(
            Router::new()
                .route(
                    SWIFT,
                    post(move |request: Request| async move {
                        swift.seen.lock().unwrap().clone_from(request.headers());
                        empty_answer()
                    }),
                )
                .route(
                    SLOW,
                    post(move || async move {
                        let _ = slow.arrived.send(());
                        let _ = slow.gate.subscribe().wait_for(|open| *open).await;
                        empty_answer()
                    }),
                )
                .route(FAULTY, post(|| async { tonic::Status::internal("no").into_http::<Body>() })),
        )
    }

    pub(crate) async fn serve(&self) -> TestServer {
        TestServer::grpc(self.routes()).await
    }
}

/// An empty message and `OK`.
fn empty_answer() -> Response<Body> {
    let trailers = HeaderMap::from_iter([("grpc-status".parse().unwrap(), HeaderValue::from_static("0"))]);
    let frames = [Frame::data(Bytes::from_static(&[0; 5])), Frame::trailers(trailers)];
    let body = StreamBody::new(stream::iter(frames.map(Ok::<_, std::convert::Infallible>)));
    Response::builder().header("content-type", "application/grpc").body(Body::new(body)).unwrap()
}

/// Calls one of its methods with an empty message.
pub(crate) async fn call(channel: &Channel, method: &'static str) -> Result<(), tonic::Status> {
    let mut client = Grpc::new(channel.clone());
    client.ready().await.map_err(|error| tonic::Status::from_error(error.into()))?;
    let path = PathAndQuery::from_static(method);
    client.unary(tonic::Request::new(()), path, ProstCodec::<(), ()>::default()).await?;
    Ok(())
}

/// Runs `work` as a request with this much time left.
pub(crate) async fn within<Work: Future>(time: Duration, work: Work) -> Work::Output {
    kit::deadline::scope(tokio::time::Instant::now() + time, work).await
}

/// A connection to `upstream` that can be cut, as if the process was killed.
pub(crate) struct Wire {
    pub(crate) address: SocketAddr,
    connections: Arc<Mutex<JoinSet<()>>>,
    _listening: JoinSet<()>,
}

impl Wire {
    pub(crate) async fn to(upstream: SocketAddr) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let connections: Arc<Mutex<JoinSet<()>>> = Arc::default();
        let mut listening = JoinSet::new();
        let accepted = connections.clone();
        listening.spawn(async move {
            while let Ok((mut near, _)) = listener.accept().await {
                accepted.lock().unwrap().spawn(async move {
                    let mut far = TcpStream::connect(upstream).await.unwrap();
                    let _ = tokio::io::copy_bidirectional(&mut near, &mut far).await;
                });
            }
        });
        Self { address, connections, _listening: listening }
    }

    /// Cuts every connection and accepts new ones.
    pub(crate) fn cut(&self) {
        self.connections.lock().unwrap().abort_all();
    }
}
