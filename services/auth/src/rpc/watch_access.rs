//! The stream that tells one watcher.

use futures_util::{Stream, stream};
use proto::auth as wire;
use tokio::sync::watch::Receiver;

use crate::access::View;

/// At most so many sessions a message: some 2 MB, while gRPC takes 4.
const PART: usize = 50_000;

/// How far a watcher has been told.
struct Watcher {
    views: Receiver<View>,
    /// None before the snapshot.
    revoked: Option<usize>,
    keys_version: u64,
    behind: bool,
}

/// A snapshot after the next reading of the database, and then a message, often an empty one, after each. A snapshot of
/// several parts ends with the keys: nobody is believed before it is whole.
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
            // Ends with the process.
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
