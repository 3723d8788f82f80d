//! The stream of keys and ended sessions to one watcher.

use futures_util::{Stream, stream};
use proto::auth as wire;
use tokio::sync::watch::Receiver;

use crate::access::View;

/// Sessions in one message: about 2 MB. gRPC accepts 4 MiB.
const PART: usize = 50_000;

/// The progress of a watcher.
struct Watcher {
    views: Receiver<View>,
    /// Position in the ended sessions; `None` before the snapshot.
    revoked: Option<usize>,
    keys_version: u64,
    behind: bool,
}

/// Streams a snapshot after the next reading, and then a message after each reading, which is often empty.
///
/// The keys come with the last part of a snapshot, so the watcher accepts no token before the snapshot is complete.
pub(crate) fn watch(views: Receiver<View>) -> impl Stream<Item = wire::WatchAccessResponse> + Send {
    let watcher = Watcher { views, revoked: None, keys_version: 0, behind: false };
    stream::unfold(watcher, |mut watcher| async move {
        let message = watcher.next().await?;
        Some((message, watcher))
    })
}

impl Watcher {
    async fn next(&mut self) -> Option<wire::WatchAccessResponse> {
        if !self.behind {
            // The channel closes when the process ends.
            self.views.changed().await.ok()?;
        }
        let view = self.views.borrow_and_update();
        let snapshot = self.revoked.is_none();
        let (sids, next) = view.revoked_since(self.revoked.unwrap_or(0), PART);
        self.revoked = Some(next);
        self.behind = next < view.position();
        let keys = if self.behind || self.keys_version == view.keys_version() {
            Vec::new()
        } else {
            self.keys_version = view.keys_version();
            view.keys()
                .map(|key| wire::PublicKey { kid: key.kid.clone(), ed25519: key.ed25519.clone() })
                .collect()
        };
        Some(wire::WatchAccessResponse {
            snapshot,
            keys,
            revoked_sids: sids.iter().map(ToString::to_string).collect(),
        })
    }
}
