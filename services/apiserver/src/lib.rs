//! A fake Kubernetes API server for tests with `kubectl` and the maintenance service: discovery, `OpenAPI`, and windows and
//! events in one namespace, validated by the schema and rules of the definition.
#![expect(
    clippy::missing_panics_doc,
    clippy::must_use_candidate,
    clippy::unwrap_used,
    reason = "used only in tests, which may panic"
)]

mod discovery;
pub mod schema;
mod store;

use std::collections::HashMap;
use std::convert::Infallible;
use std::net::{SocketAddr, TcpListener};
use std::path::PathBuf;
use std::sync::Arc;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{Query, State};
use axum::response::{IntoResponse as _, Response};
use futures_util::stream;
use http::{HeaderMap, Method, StatusCode, Uri, header};
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use store::{Store, Watch};

/// The only namespace.
pub const NAMESPACE: &str = "konomana";

/// A server that can be stopped and restarted.
pub struct ApiServer {
    pub store: Arc<Store>,
    address: SocketAddr,
    runtime: Option<Runtime>,
    folder: PathBuf,
}

impl ApiServer {
    /// Starts a server.
    pub fn start() -> Self {
        let mut server = Self::absent();
        server.put_back();
        server
    }

    /// Reserves an address without starting the server.
    pub fn absent() -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let address = listener.local_addr().unwrap();
        let folder = std::env::temp_dir().join(format!("apiserver-{}", address.port()));
        std::fs::create_dir_all(&folder).unwrap();
        Self { store: Arc::default(), address, runtime: None, folder }
    }

    /// Starts the server with its earlier state.
    pub fn put_back(&mut self) {
        let listener = TcpListener::bind(self.address).unwrap();
        listener.set_nonblocking(true).unwrap();
        let app = Router::new().fallback(answer).with_state(self.store.clone());
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        runtime.spawn(async move {
            let listener = tokio::net::TcpListener::from_std(listener).unwrap();
            axum::serve(listener, app).await.unwrap();
        });
        self.runtime = Some(runtime);
    }

    /// Stops the server and closes every connection.
    pub fn take_away(&mut self) {
        self.runtime.take().unwrap().shutdown_background();
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// A folder for the files of this server.
    pub fn folder(&self) -> &PathBuf {
        &self.folder
    }

    /// Writes a kubeconfig for this server.
    pub fn kubeconfig(&self) -> PathBuf {
        let path = self.folder.join("kubeconfig");
        let context = json!({ "cluster": "test", "user": "test", "namespace": NAMESPACE });
        let config = json!({
            "apiVersion": "v1",
            "kind": "Config",
            "current-context": "test",
            "contexts": [{ "name": "test", "context": context }],
            "clusters": [{ "name": "test", "cluster": { "server": self.url() } }],
            "users": [{ "name": "test", "user": {} }],
        });
        std::fs::write(&path, config.to_string()).unwrap();
        path
    }
}

impl Drop for ApiServer {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// An error in the format of Kubernetes.
pub struct Refusal {
    pub code: u16,
    pub reason: &'static str,
    pub message: String,
}

impl Refusal {
    pub fn new(code: u16, reason: &'static str, message: impl Into<String>) -> Self {
        Self { code, reason, message: message.into() }
    }

    pub fn status(&self) -> Value {
        json!({
            "kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure",
            "code": self.code, "reason": self.reason, "message": self.message,
        })
    }
}

type Parameters = HashMap<String, String>;

async fn answer(
    State(store): State<Arc<Store>>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    Query(parameters): Query<Parameters>,
    body: Bytes,
) -> Response {
    let accept = text(&headers, header::ACCEPT);
    if let Some((content_type, document)) = discovery::document(uri.path(), accept) {
        return ([(header::CONTENT_TYPE, content_type)], document.to_string()).into_response();
    }
    let content_type = text(&headers, header::CONTENT_TYPE);
    let outcome = objects(&store, &method, uri.path(), accept, content_type, &parameters, &body);
    outcome.unwrap_or_else(|refusal| {
        let code = StatusCode::from_u16(refusal.code).unwrap();
        (code, axum::Json(refusal.status())).into_response()
    })
}

fn text(headers: &HeaderMap, name: header::HeaderName) -> &str {
    headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
}

/// A request for the objects of one kind.
fn objects(
    store: &Arc<Store>,
    method: &Method,
    path: &str,
    accept: &str,
    content_type: &str,
    parameters: &Parameters,
    body: &[u8],
) -> Result<Response, Refusal> {
    let nothing = || Refusal::new(404, "NotFound", format!("the server could not find {path}"));
    let (group, rest) = discovery::GROUPS
        .iter()
        .find_map(|group| {
            let under =
                format!("/apis/{}/{}/namespaces/{NAMESPACE}/{}", group.name, group.version, group.plural);
            path.strip_prefix(&under).map(|rest| (group, rest))
        })
        .ok_or_else(nothing)?;
    let words: Vec<&str> = rest.split('/').skip(1).collect();
    let name = words.first().copied().unwrap_or_default();
    let sent = || serde_json::from_slice::<Value>(body).or_else(|_| serde_saphyr::from_slice(body));
    let sent = || sent().map_err(|error| Refusal::new(400, "BadRequest", error.to_string()));
    let manager = parameters.get("fieldManager").map_or("unknown", String::as_str);
    let chosen = parameters.get("fieldSelector").and_then(|selector| selector.strip_prefix("metadata.name="));
    match (method.as_str(), words.as_slice()) {
        ("GET", [])
            if parameters.get("watch").is_some_and(|watch| ["1", "true"].contains(&watch.as_str())) =>
        {
            let from = parameters.get("resourceVersion").and_then(|version| version.parse().ok());
            let all = parameters.get("sendInitialEvents").is_some_and(|all| all == "true");
            let watched = store.watch(group.plural, chosen, from, all, accept.contains("as=Table"));
            Ok(events(watched))
        }
        ("GET", []) => {
            let (version, items) = store.list(group.plural, chosen);
            let list = if accept.contains("as=Table") {
                schema::table(&items, version)
            } else {
                json!({
                    "apiVersion": group.api_version(), "kind": format!("{}List", group.kind),
                    "metadata": { "resourceVersion": version.to_string() }, "items": items,
                })
            };
            Ok(axum::Json(list).into_response())
        }
        ("GET", [_] | [_, "status"]) => {
            let object = store.get(group.plural, name)?;
            let is_table = accept.contains("as=Table");
            Ok(axum::Json(if is_table { schema::table(&[object], 0) } else { object }).into_response())
        }
        ("POST", []) => {
            let object = store.create(group.plural, sent()?, manager)?;
            Ok((StatusCode::CREATED, axum::Json(object)).into_response())
        }
        ("PATCH", [_]) if content_type.contains("apply-patch") => {
            Ok(axum::Json(store.apply(group.plural, name, sent()?, manager)?).into_response())
        }
        ("PATCH", [_]) => Ok(axum::Json(store.merge(group.plural, name, &sent()?)?).into_response()),
        ("PATCH", [_, "status"]) if content_type.contains("apply-patch") => {
            Ok(axum::Json(store.apply_status(group.plural, name, &sent()?, manager)?).into_response())
        }
        ("DELETE", [_]) => {
            store.delete(group.plural, name)?;
            Ok(axum::Json(json!({ "kind": "Status", "apiVersion": "v1", "status": "Success" }))
                .into_response())
        }
        _ => Err(nothing()),
    }
}

/// Streams events as lines of JSON.
fn events(watched: Watch) -> Response {
    let lines = stream::unfold(watched, |mut watched| async {
        let event = watched.next().await?;
        Some((Ok::<_, Infallible>(format!("{event}\n")), watched))
    });
    ([(header::CONTENT_TYPE, "application/json")], Body::from_stream(lines)).into_response()
}
