//! Ended streams whose signed URLs may still be valid: a view that lms keeps up to date.

use std::collections::HashSet;
use std::sync::Arc;

use kit::client::Channel;
use kit::shutdown::Shutdown;
use proto::lms::lesson_service_client::LessonServiceClient;
use proto::lms::{CheckStreamRequest, WatchEndedStreamsRequest, WatchEndedStreamsResponse};
use tokio::sync::watch;
use tokio::time::{Instant, timeout};
use uuid::Uuid;

use crate::error::Error;
use crate::follow::{FIRST_VIEW, FRESH_FOR, VIEW_STREAM_LIMITS, follow};

/// Follows lms. Cheap to clone.
#[derive(Clone)]
pub(crate) struct EndedStreams {
    view: Arc<watch::Sender<View>>,
    lessons: LessonServiceClient<Channel>,
}

#[derive(Default)]
struct View {
    ended: HashSet<Uuid>,
    /// Time of the last message of lms; `None` before the first complete snapshot.
    updated_at: Option<Instant>,
    /// An incomplete snapshot.
    incoming: Option<HashSet<Uuid>>,
}

impl EndedStreams {
    /// Follows lms until `shutdown`.
    pub(crate) fn follow(lessons: LessonServiceClient<Channel>, shutdown: Shutdown) -> Self {
        let streams = Self { view: Arc::new(watch::Sender::new(View::default())), lessons };
        let (view, lessons) = (streams.view.clone(), streams.lessons.clone());
        kit::task::spawn("ended streams", &shutdown.clone(), async move {
            let open = || {
                let mut lessons = lessons.clone();
                async move { lessons.watch_ended_streams(WatchEndedStreamsRequest {}).await }
            };
            follow("lms.WatchEndedStreams", VIEW_STREAM_LIMITS, shutdown, open, |step| {
                view.send_modify(|view| view.apply(&step));
            })
            .await;
        });
        streams
    }

    /// Fails if the stream has ended. With a stale view, lms is called. If lms does not answer, the check
    /// fails.
    pub(crate) async fn check(&self, stream: Uuid) -> Result<(), Error> {
        self.first_view().await?;
        {
            let view = self.view.borrow();
            // An ended stream never becomes active again, so a stale view is enough.
            if view.ended.contains(&stream) {
                return Err(Error::StreamEnded);
            }
            if view.is_fresh() {
                return Ok(());
            }
        }
        let question = CheckStreamRequest { stream_id: stream.to_string() };
        let answer = self.lessons.clone().check_stream(question).await?.into_inner();
        if answer.alive { Ok(()) } else { Err(Error::StreamEnded) }
    }

    /// Adds a stream that ended through this edge, before lms publishes it.
    pub(crate) fn add(&self, stream: Uuid) {
        self.view.send_modify(|view| {
            view.ended.insert(stream);
        });
    }

    async fn first_view(&self) -> Result<(), Error> {
        if self.view.borrow().updated_at.is_some() {
            return Ok(());
        }
        let mut views = self.view.subscribe();
        if let Ok(Ok(_)) = timeout(FIRST_VIEW, views.wait_for(|view| view.updated_at.is_some())).await {
            return Ok(());
        }
        tracing::warn!("no ended streams received yet: lms does not answer");
        Err(Error::Upstream(kit::error::Code::Unavailable.into()))
    }
}

impl View {
    fn is_fresh(&self) -> bool {
        self.updated_at.is_some_and(|updated_at| updated_at.elapsed() < FRESH_FOR)
    }

    fn apply(&mut self, step: &WatchEndedStreamsResponse) {
        if step.snapshot {
            self.incoming = Some(HashSet::new());
        }
        let ids = step.ended_streams.iter().filter_map(|id| Uuid::from_slice(id).ok());
        if let Some(incoming) = &mut self.incoming {
            incoming.extend(ids);
        } else {
            self.ended.extend(ids);
        }
        if step.more {
            return;
        }
        if let Some(complete) = self.incoming.take() {
            self.ended = complete;
        }
        self.updated_at = Some(Instant::now());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(snapshot: bool, more: bool, ids: &[u128]) -> WatchEndedStreamsResponse {
        let ids = ids.iter().map(|id| id.to_be_bytes().to_vec());
        WatchEndedStreamsResponse { snapshot, more, ended_streams: ids.collect() }
    }

    #[tokio::test]
    async fn a_snapshot_applies_once_it_is_complete() {
        let mut view = View::default();
        view.apply(&step(true, true, &[1]));
        assert!(!view.is_fresh());
        view.apply(&step(false, false, &[2]));
        assert!(view.is_fresh() && view.ended.len() == 2);
        view.apply(&step(false, false, &[3]));
        view.apply(&step(true, true, &[3]));
        assert_eq!(view.ended.len(), 3, "the old view applies until then");
        view.apply(&step(false, false, &[]));
        assert_eq!(view.ended, HashSet::from([Uuid::from_u128(3)]));
    }
}
