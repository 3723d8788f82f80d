//! Sends signed webhook events, with retries until the receiver accepts them.

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
use tokio::time::timeout;

use crate::api::API_VERSION;
use crate::config::Settings;
use crate::error::ApiError;
use crate::event::next_due;
use crate::store::Store;

/// Time limit of the receiver's response.
const LIMIT: Duration = Duration::from_secs(10);
/// How often the clock is checked for due events. A turn of the clock sends them at once.
const PERIOD: Duration = Duration::from_secs(1);

/// Sends due events until `shutdown`.
pub(crate) fn spawn_sender(settings: &Settings, store: Arc<Store>, receiver: Uri, shutdown: Shutdown) {
    let key = hmac::Key::new(hmac::HMAC_SHA256, settings.webhook_secret.as_bytes());
    let http = Client::builder(TokioExecutor::new()).build_http();
    let sender = Sender { store, receiver, key, http };
    spawn("webhooks", &shutdown.clone(), async move {
        let mut ticks = Ticks::new(PERIOD, shutdown.clone());
        loop {
            tokio::select! {
                () = sender.store.changed.notified() => {}
                goes_on = ticks.next() => if !goes_on { return },
            }
            tokio::select! {
                () = shutdown.wait() => return,
                sent = sender.send_due() => if let Err(error) = sent {
                    tracing::error!(error = %error.to_json(), "webhook events cannot be sent");
                }
            }
        }
    });
}

struct Sender {
    store: Arc<Store>,
    receiver: Uri,
    key: hmac::Key,
    http: Client<HttpConnector, Full<Bytes>>,
}

impl Sender {
    /// Sends all due events one after another.
    async fn send_due(&self) -> Result<(), ApiError> {
        loop {
            let now = self.store.real_now();
            let due = self.store.inspect(|state| {
                let event = next_due(&state.events, now)?;
                Some((event.id.clone(), event.r#type.clone(), event.body(API_VERSION)))
            });
            let Some((id, r#type, body)) = due.await? else { return Ok(()) };
            let (is_delivered, result) = match self.send(body, now).await {
                Ok(status) => ((200..300).contains(&status), status.to_string()),
                Err(error) => (false, error),
            };
            tracing::info!(event = id, r#type, result, "webhook event sent");
            self.store
                .change(move |state, now| {
                    if let Some(event) = state.events.iter_mut().find(|event| event.id == id) {
                        event.record(is_delivered, result, now - state.clock_offset);
                    }
                })
                .await?;
        }
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
