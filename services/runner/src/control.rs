//! Control interface of the running product for other commands: HTTP on 127.0.0.1 with a token from the state folder.
//!
//! The token blocks web pages: a browser sends no `Authorization` header to another origin that has not allowed it.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;

use ::http::header::{AUTHORIZATION, CONTENT_TYPE};
use ::http::{HeaderMap, HeaderValue, Method, Request, Response, StatusCode};
use bytes::Bytes;
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::net::TcpListener;
use tokio::task::JoinSet;
use tooling::failure::{Outcome, fail};

use crate::http;
use crate::spans::{Span, Spans};
use crate::state::State;
use crate::supervisor::{ProcessTable, Status};

/// What the running command exposes to other commands.
pub struct RunningProduct {
    /// The processes.
    pub watch: ProcessTable,
    /// The spans that they exported.
    pub spans: Spans,
    /// Bearer token that every request must carry.
    pub token: String,
}

/// Serves `listener` until the task is dropped.
pub async fn serve(listener: TcpListener, running_product: RunningProduct) {
    let running_product = Arc::new(running_product);
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            accepted = listener.accept() => {
                let Ok((stream, _)) = accepted else {
                    continue;
                };
                let running_product = running_product.clone();
                let service = service_fn(move |request| {
                    let running_product = running_product.clone();
                    async move { Ok::<_, Infallible>(running_product.answer(&request).await) }
                });
                let connection = http1::Builder::new().serve_connection(TokioIo::new(stream), service);
                connections.spawn(async move {
                    // A broken connection only affects the client.
                    let _ = connection.await;
                });
            }
            Some(_) = connections.join_next() => {}
        }
    }
}

impl RunningProduct {
    async fn answer(&self, request: &Request<Incoming>) -> Response<Full<Bytes>> {
        if !self.is_let_in(request.headers()) {
            return answer(StatusCode::UNAUTHORIZED, &"pass the token of the state folder as bearer token");
        }
        match (request.method(), request.uri().path()) {
            (&Method::GET, "/status") => answer(StatusCode::OK, &self.watch.status().await),
            (&Method::GET, path) => match path.strip_prefix("/trace/") {
                Some(id) => answer(StatusCode::OK, &self.spans.find_trace(id)),
                None => answer(StatusCode::NOT_FOUND, &"no such thing"),
            },
            _ => answer(StatusCode::METHOD_NOT_ALLOWED, &"only GET"),
        }
    }

    fn is_let_in(&self, headers: &HeaderMap) -> bool {
        headers.get(AUTHORIZATION).is_some_and(|value| value == &format!("Bearer {}", self.token))
    }
}

fn answer(status: StatusCode, body: &impl serde::Serialize) -> Response<Full<Bytes>> {
    // Serialising plain structs and strings cannot fail.
    let body = serde_json::to_vec(body).unwrap_or_default();
    let mut response = Response::new(Full::new(body.into()));
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

/// A client of the control interface.
pub struct Control {
    address: SocketAddr,
    token: String,
}

impl Control {
    /// Connects to the product that runs with `state`.
    pub fn open(state: Option<&State>) -> Outcome<Self> {
        let running = state.filter(|state| state.runner().is_some());
        let found =
            running.and_then(|state| Some((state.kept_port("control")?, state.kept_secret("control")?)));
        match found {
            Some((port, token)) => {
                Ok(Self { address: SocketAddr::from(([127, 0, 0, 1], port)), token: token.to_owned() })
            }
            None => fail("no product is running: start one with cargo dev up"),
        }
    }

    /// The status of each process.
    pub async fn status(&self) -> Outcome<Vec<Status>> {
        self.get("/status").await
    }

    /// The spans of a trace.
    pub async fn trace(&self, id: &str) -> Outcome<Vec<Span>> {
        self.get(&format!("/trace/{id}")).await
    }

    async fn get<T: serde::de::DeserializeOwned>(&self, path: &str) -> Outcome<T> {
        let (status, body) = http::get(self.address, path, Some(&self.token)).await?;
        if status != 200 {
            return fail(format!("the running command answers {status}: {}", String::from_utf8_lossy(&body)));
        }
        Ok(serde_json::from_slice(&body)?)
    }
}

#[cfg(test)]
mod tests {
    use tooling::steps::Steps;

    use super::*;
    use crate::supervisor::Supervisor;

    #[tokio::test]
    async fn requests_without_the_token_are_refused() {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("bind a port");
        let address = listener.local_addr().expect("local address");
        let spans = Spans::default();
        spans.add([Span { trace_id: "a".into(), ..Span::default() }]);
        let watch = Supervisor::new(std::path::Path::new("/nowhere"), Steps::begin()).watch();
        let mut tasks = JoinSet::new();
        tasks.spawn(serve(listener, RunningProduct { watch, spans, token: "right".into() }));

        for wrong in [None, Some("wrong"), Some("")] {
            let (status, body) = http::get(address, "/trace/a", wrong).await.expect("the server answers");
            assert_eq!(status, 401);
            assert!(!String::from_utf8_lossy(&body).contains("trace_id"));
        }
        let control = Control { address, token: "right".into() };
        assert_eq!(control.trace("a").await.expect("the server answers").len(), 1);
        assert!(control.trace("b").await.expect("the server answers").is_empty());
        assert!(control.status().await.expect("the server answers").is_empty());
    }
}
