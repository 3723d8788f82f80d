//! Small HTTP requests to processes of the product.

use std::net::SocketAddr;

use ::http::header::{AUTHORIZATION, HOST};
use ::http::{Method, Request};
use bytes::Bytes;
use http_body_util::{BodyExt as _, Full, Limited};
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;

use tooling::failure::{Doing as _, Outcome};

/// Maximum size of an answer; no process should exceed it.
const ANSWER_LIMIT: usize = 64 * 1024 * 1024;

/// Sends `GET path`. Returns the status and the body.
pub async fn get(address: SocketAddr, path: &str, bearer: Option<&str>) -> Outcome<(u16, Bytes)> {
    let mut request = Request::builder().method(Method::GET).uri(path);
    if let Some(token) = bearer {
        request = request.header(AUTHORIZATION, format!("Bearer {token}"));
    }
    send(address, request.body(Bytes::new())?).await
}

/// Sends one request on a new connection. Returns the status and the body.
pub async fn send(address: SocketAddr, request: Request<Bytes>) -> Outcome<(u16, Bytes)> {
    let stream = TcpStream::connect(address).await.doing(|| format!("connecting to {address}"))?;
    let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await?;
    let (mut head, body) = request.into_parts();
    head.headers.insert(HOST, address.to_string().parse()?);
    let exchange = async {
        let answer = sender.send_request(Request::from_parts(head, Full::new(body))).await?;
        let status = answer.status().as_u16();
        let body = Limited::new(answer.into_body(), ANSWER_LIMIT).collect().await?.to_bytes();
        Ok::<_, tooling::failure::Failure>((status, body))
    };
    tokio::pin!(exchange);
    tokio::select! {
        answer = &mut exchange => answer,
        ended = connection => {
            ended?;
            exchange.await
        }
    }
}
