//! The HTTP client of a bucket, built on hyper and rustls like all other clients.

use std::time::Duration;

use http_body_util::BodyExt as _;
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector as Tcp;
use hyper_util::rt::TokioExecutor;
use object_store::ClientOptions;
use object_store::client::{
    HttpClient, HttpConnector, HttpError, HttpErrorKind, HttpRequest, HttpRequestBody, HttpResponse,
    HttpResponseBody, HttpService,
};

const CONNECT_LIMIT: Duration = Duration::from_secs(2);

/// Creates the client of a bucket.
#[derive(Debug)]
pub(super) struct Connector;

impl HttpConnector for Connector {
    fn connect(&self, _: &ClientOptions) -> object_store::Result<HttpClient> {
        let mut tcp = Tcp::new();
        tcp.enforce_http(false);
        tcp.set_nodelay(true);
        tcp.set_connect_timeout(Some(CONNECT_LIMIT));
        let https = HttpsConnectorBuilder::new().with_webpki_roots().https_or_http().enable_http1();
        Ok(HttpClient::new(Hyper(Client::builder(TokioExecutor::new()).build(https.wrap_connector(tcp)))))
    }
}

#[derive(Debug)]
struct Hyper(Client<HttpsConnector<Tcp>, HttpRequestBody>);

#[tonic::async_trait]
impl HttpService for Hyper {
    async fn call(&self, request: HttpRequest) -> Result<HttpResponse, HttpError> {
        let answer = self.0.request(request).await.map_err(|error| {
            let kind = if error.is_connect() { HttpErrorKind::Connect } else { HttpErrorKind::Request };
            HttpError::new(kind, error)
        })?;
        let (head, body) = answer.into_parts();
        let body = body.map_err(|error| HttpError::new(HttpErrorKind::Interrupted, error));
        Ok(HttpResponse::from_parts(head, HttpResponseBody::new(body)))
    }
}
