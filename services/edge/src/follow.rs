//! Keeps a stream of another service open as long as the process runs.

use std::time::Duration;

use kit::shutdown::Shutdown;
use tokio::time::{sleep, timeout};
use tonic::{Response, Status, Streaming};

/// Pause after the first failure. It doubles with each failure.
const FIRST_RETRY_DELAY: Duration = Duration::from_millis(50);
/// Longest pause.
const MAX_RETRY_DELAY: Duration = Duration::from_secs(1);

/// Age at which a view is stale. Auth and lms publish data that is at most 200 ms old, so an ended session or
/// stream is refused within 1 s.
pub(crate) const FRESH_FOR: Duration = Duration::from_millis(650);
/// Time that a request waits for the first view after the process starts.
pub(crate) const FIRST_VIEW: Duration = Duration::from_secs(2);
/// Streams are reopened hourly: each begins with a snapshot, so the view does not grow without limit.
pub(crate) const VIEW_STREAM_LIMITS: StreamLimits =
    StreamLimits { quiet: Duration::from_secs(3), age: Duration::from_hours(1) };

/// Conditions for reopening a stream.
#[derive(Clone, Copy)]
pub(crate) struct StreamLimits {
    /// Longest time without a message.
    pub(crate) quiet: Duration,
    /// Longest age.
    pub(crate) age: Duration,
}

/// Opens a stream, passes each message to `apply`, and reopens the stream whenever it ends, until `shutdown`.
pub(crate) async fn follow<Message, Opening>(
    name: &'static str,
    limits: StreamLimits,
    shutdown: Shutdown,
    open: impl Fn() -> Opening,
    mut apply: impl FnMut(Message),
) where
    Opening: Future<Output = Result<Response<Streaming<Message>>, Status>>,
{
    let following = async {
        let mut delay = FIRST_RETRY_DELAY;
        loop {
            let end = match timeout(limits.quiet, open()).await {
                Ok(Ok(stream)) => {
                    tracing::info!(stream = name, "following a stream");
                    let heard = timeout(
                        limits.age,
                        drain(stream.into_inner(), limits.quiet, |message| {
                            delay = FIRST_RETRY_DELAY;
                            apply(message);
                        }),
                    );
                    match heard.await {
                        Ok(end) => end,
                        // The stream reached its age limit without an error: reopen it at once.
                        Err(_) => continue,
                    }
                }
                Ok(Err(status)) => kit::error::chain(&status),
                Err(_) => "no answer".to_owned(),
            };
            tracing::warn!(stream = name, error = end, "lost a stream");
            sleep(delay).await;
            delay = (delay * 2).min(MAX_RETRY_DELAY);
        }
    };
    tokio::select! {
        () = following => {}
        () = shutdown.wait() => {}
    }
}

/// Applies messages until the stream ends. Returns the reason.
async fn drain<Message>(
    mut stream: Streaming<Message>,
    quiet: Duration,
    mut apply: impl FnMut(Message),
) -> String {
    loop {
        match timeout(quiet, stream.message()).await {
            Ok(Ok(Some(message))) => apply(message),
            Ok(Ok(None)) => return "the stream ended".to_owned(),
            Ok(Err(status)) => return kit::error::chain(&status),
            Err(_) => return "no message in time".to_owned(),
        }
    }
}
