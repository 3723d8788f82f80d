//! Follows the objects: one list, then a watch.

use std::collections::BTreeMap;
use std::pin::pin;
use std::time::Duration;

use futures_util::StreamExt as _;
use http::StatusCode;
use kube::api::{ListParams, WatchParams};
use kube::core::{DeserializeGuard, WatchEvent};
use kube::{Api, ResourceExt as _};
use tokio::sync::watch;
use tokio::time::{sleep, timeout};

use super::objects::{DeclaredWindow, LIMIT, Objects};
use crate::board::Board;
use crate::crd::MaintenanceWindow;
use crate::window::Window;

/// Lifetime of a watch in seconds. A short one bounds the time until a dead connection is noticed.
const WATCH_LIMIT: u32 = 60;
/// Pause after the first failure. It doubles with each failure.
const FIRST_PAUSE: Duration = Duration::from_millis(100);
/// Longest pause.
const LONGEST_PAUSE: Duration = Duration::from_secs(2);

/// An object that may be unreadable. Then its earlier version stays.
type Guarded = DeserializeGuard<MaintenanceWindow>;

/// Follows one namespace.
pub(super) struct Follower {
    api: Api<Guarded>,
    board: Board,
    objects: watch::Sender<Objects>,
    now: BTreeMap<String, DeclaredWindow>,
    /// Resource version up to which the objects are known; `None` to list again.
    version: Option<String>,
    pause: Duration,
    is_lost: bool,
}

impl Follower {
    pub(super) fn new(api: Api<Guarded>, board: Board, objects: watch::Sender<Objects>) -> Self {
        Self { api, board, objects, now: BTreeMap::new(), version: None, pause: FIRST_PAUSE, is_lost: false }
    }

    /// Writes the objects to the board and sends them to the reporter. Never ends.
    pub(super) async fn run(mut self) {
        loop {
            let patience = Duration::from_secs(WATCH_LIMIT.into()) + LIMIT;
            let error = match timeout(patience, self.list_and_watch()).await {
                Ok(Ok(())) => continue,
                Ok(Err(error)) => kit::error::chain(&error),
                Err(_) => "it does not answer".to_owned(),
            };
            if !self.is_lost {
                tracing::error!(error, "the API server is unreachable; the last valid list stays");
            }
            self.is_lost = true;
            // The server may have forgotten the version, or not have it yet after a restore.
            self.version = None;
            self.board.set_source_up(false);
            sleep(self.pause).await;
            self.pause = (self.pause * 2).min(LONGEST_PAUSE);
        }
    }

    /// Lists the objects if necessary, then watches until the watch ends.
    async fn list_and_watch(&mut self) -> kube::Result<()> {
        let version = match &self.version {
            Some(version) => version.clone(),
            None => self.list().await?,
        };
        let parameters = WatchParams::default().timeout(WATCH_LIMIT);
        let api = self.api.clone();
        let mut events = pin!(api.watch(&parameters, &version).await?);
        self.mark_reachable();
        while let Some(event) = events.next().await {
            let version = match event? {
                WatchEvent::Added(object) | WatchEvent::Modified(object) => {
                    let version = object.resource_version();
                    if let Some(declared) = self.parse_object(object) {
                        self.now.insert(declared.object.name_any(), declared);
                    }
                    version
                }
                WatchEvent::Deleted(object) => {
                    self.now.remove(&object.name_any());
                    object.resource_version()
                }
                WatchEvent::Bookmark(bookmark) => Some(bookmark.metadata.resource_version),
                // The server has forgotten this version: list again.
                WatchEvent::Error(status) if status.code == StatusCode::GONE.as_u16() => {
                    self.version = None;
                    return Ok(());
                }
                WatchEvent::Error(status) => return Err(kube::Error::Api(status)),
            };
            self.version = version;
            self.publish();
        }
        Ok(())
    }

    /// Lists all objects. Returns the resource version.
    async fn list(&mut self) -> kube::Result<String> {
        let list = self.api.list(&ListParams::default()).await?;
        let version = list.metadata.resource_version.unwrap_or_default();
        let now = list.items.into_iter().filter_map(|object| self.parse_object(object));
        self.now = now.map(|declared| (declared.object.name_any(), declared)).collect();
        self.version = Some(version.clone());
        self.publish();
        Ok(version)
    }

    fn mark_reachable(&mut self) {
        if self.is_lost {
            tracing::info!("the API server is reachable again");
        }
        self.is_lost = false;
        self.board.set_source_up(true);
        self.pause = FIRST_PAUSE;
    }

    /// Parses an object. If it is unreadable, returns its earlier version.
    fn parse_object(&self, object: Guarded) -> Option<DeclaredWindow> {
        let name = object.name_any();
        let before = self.now.get(&name);
        let parsed = object.0.map_err(|invalid| invalid.error).and_then(|object| {
            object.to_window()?;
            Ok(object)
        });
        match parsed {
            Ok(object) => {
                let is_same = |before: &&DeclaredWindow| {
                    before.object.metadata.uid == object.metadata.uid
                        && before.object.metadata.generation == object.metadata.generation
                };
                let revision = before.filter(is_same).and_then(|before| before.revision);
                Some(DeclaredWindow { object, revision })
            }
            Err(error) => {
                tracing::error!(window = name, error, "a window is unreadable; its earlier version stays");
                before.cloned()
            }
        }
    }

    fn publish(&mut self) {
        // Resource versions are increasing numbers.
        let revision = self.version.as_ref().and_then(|version| version.parse().ok()).unwrap_or(0);
        let windows: Vec<Window> =
            self.now.values().filter_map(|declared| declared.object.to_window().ok()).collect();
        self.board.declare_revision(revision, windows);
        for declared in self.now.values_mut() {
            declared.revision.get_or_insert(revision);
        }
        self.objects.send_replace(Objects::new(self.now.clone()));
    }
}
