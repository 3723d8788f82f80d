//! Sends signed webhook events, with retries until the receiver accepts them. The events of a payer are sent one after
//! another, those of several payers concurrently.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use aws_lc_rs::hmac;
use bytes::Bytes;
use http::{Request, Uri, header};
use http_body_util::Full;
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use kit::error::chain;
use kit::shutdown::Shutdown;
use kit::task::{Ticks, spawn};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use crate::api::API_VERSION;
use crate::config::Settings;
use crate::error::ApiError;
use crate::event::next_due;
use crate::store::Store;

/// Time limit of the receiver's response.
const LIMIT: Duration = Duration::from_secs(10);
/// How often the clock is checked for due events. A turn of the clock sends them at once.
const PERIOD: Duration = Duration::from_secs(1);
/// Maximum number of concurrent requests.
const AT_ONCE: usize = 16;

/// Sends due events until `shutdown`.
pub(crate) fn spawn_sender(settings: &Settings, store: Arc<Store>, receiver: Uri, shutdown: Shutdown) {
    let key = hmac::Key::new(hmac::HMAC_SHA256, settings.webhook_secret.as_bytes());
    let http = Client::builder(TokioExecutor::new()).build_http();
    let sender = Arc::new(Sender { store, receiver, key, http });
    spawn("webhooks", &shutdown.clone(), async move {
        let mut ticks = Ticks::new(PERIOD, shutdown);
        let mut deliveries = Deliveries::default();
        loop {
            tokio::select! {
                () = sender.store.changed.notified() => {}
                Some(queue) = deliveries.running.join_next() => match queue {
                    Ok(queue) => drop(deliveries.busy.remove(&queue)),
                    Err(error) => std::panic::resume_unwind(error.into_panic()),
                },
                goes_on = ticks.next() => if !goes_on { return },
            }
            if let Err(error) = sender.send_due(&mut deliveries).await {
                tracing::error!(error = %error.to_json(), "webhook events cannot be sent");
            }
        }
    });
}

/// Deliveries in progress. A drop cancels them.
#[derive(Default)]
struct Deliveries {
    /// Each returns its queue.
    running: JoinSet<String>,
    /// Their queues.
    busy: HashSet<String>,
}

/// An event that is due.
struct DueEvent {
    id: String,
    r#type: String,
    body: String,
    queue: String,
}

struct Sender {
    store: Arc<Store>,
    receiver: Uri,
    key: hmac::Key,
    http: Client<HttpConnector, Full<Bytes>>,
}

impl Sender {
    /// Starts the delivery of due events, at most one of each queue and [`AT_ONCE`] in all.
    async fn send_due(self: &Arc<Self>, deliveries: &mut Deliveries) -> Result<(), ApiError> {
        while deliveries.running.len() < AT_ONCE {
            let now = self.store.real_now();
            let due = self.store.inspect(|state| {
                let event = next_due(&state.events, &deliveries.busy, now)?;
                Some(DueEvent {
                    id: event.id.clone(),
                    r#type: event.r#type.clone(),
                    body: event.body(API_VERSION),
                    queue: event.queue().to_owned(),
                })
            });
            let Some(event) = due.await? else { break };
            deliveries.busy.insert(event.queue.clone());
            let sender = self.clone();
            deliveries.running.spawn(async move {
                let queue = event.queue.clone();
                if let Err(error) = sender.deliver(event, now).await {
                    tracing::error!(error = %error.to_json(), "the result of a webhook event cannot be stored");
                    // The event is still due.
                    sleep(PERIOD).await;
                }
                queue
            });
        }
        Ok(())
    }

    /// Sends an event and records the result.
    async fn deliver(&self, event: DueEvent, now: i64) -> Result<(), ApiError> {
        let DueEvent { id, r#type, body, .. } = event;
        let (is_delivered, result) = match self.send(body, now).await {
            Ok(status) => ((200..300).contains(&status), status.to_string()),
            Err(error) => (false, error),
        };
        tracing::info!(event = id, r#type, result, "webhook event sent");
        let recorded = self.store.change(move |state, now| {
            if let Some(event) = state.events.iter_mut().find(|event| event.id == id) {
                event.record(is_delivered, result, now - state.clock_offset);
            }
        });
        recorded.await
    }

    async fn send(&self, body: String, now: i64) -> Result<u16, String> {
        let signature = sign(&self.key, &body, now);
        let request = Request::post(&self.receiver)
            .header(header::CONTENT_TYPE, "application/json; charset=utf-8")
            .header("stripe-signature", signature)
            .body(Full::new(Bytes::from(body)))
            .map_err(|error| error.to_string())?;
        match timeout(LIMIT, self.http.request(request)).await {
            Ok(Ok(answer)) => Ok(answer.status().as_u16()),
            Ok(Err(error)) => Err(chain(&error)),
            Err(_) => Err("no answer in time".to_owned()),
        }
    }
}

/// The header `Stripe-Signature`.
fn sign(key: &hmac::Key, body: &str, now: i64) -> String {
    let tag = hmac::sign(key, format!("{now}.{body}").as_bytes());
    format!("t={now},v1={}", hex::encode(tag))
}
