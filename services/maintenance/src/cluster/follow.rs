//! Follows the objects: lists them once, then watches.

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

use super::{Declared, LIMIT, Objects};
use crate::crd::MaintenanceWindow;
use crate::{Board, Window};

/// A watch is opened anew after so many seconds, so that one which died unnoticed is missed soon.
const WATCH_LIMIT: u32 = 60;
/// How long to rest after the first failure; it doubles with each.
const FIRST_REST: Duration = Duration::from_millis(100);
/// And never more than this: there are few of us.
const LONGEST_REST: Duration = Duration::from_secs(2);

/// What the API server holds. An object that can't be read as a window stays what it was before.
type Guarded = DeserializeGuard<MaintenanceWindow>;

/// Follows one namespace.
pub(super) struct Follower {
    api: Api<Guarded>,
    board: Board,
    objects: watch::Sender<Objects>,
    now: BTreeMap<String, Declared>,
    /// Up to where everything is known; `None`: list again.
    version: Option<String>,
    rest: Duration,
    is_lost: bool,
}

impl Follower {
    pub(super) fn new(api: Api<Guarded>, board: Board, objects: watch::Sender<Objects>) -> Self {
        Self { api, board, objects, now: BTreeMap::new(), version: None, rest: FIRST_REST, is_lost: false }
    }

    /// Puts the objects on the board, and hands them on, for ever.
    pub(super) async fn run(mut self) {
        loop {
            let patience = Duration::from_secs(WATCH_LIMIT.into()) + LIMIT;
            let error = match timeout(patience, self.round()).await {
                Ok(Ok(())) => continue,
                Ok(Err(error)) => kit::error::chain(&error),
                Err(_) => "it went quiet".to_owned(),
            };
            if !self.is_lost {
                tracing::error!(error, "the API server is lost; the last good list stays");
            }
            self.is_lost = true;
            // It may not know that version any more, or, put back from a copy, not yet.
            self.version = None;
            self.board.source_is_up(false);
            sleep(self.rest).await;
            self.rest = (self.rest * 2).min(LONGEST_REST);
        }
    }

    /// One list, if need be, and one watch, until it ends.
    async fn round(&mut self) -> kube::Result<()> {
        let version = match &self.version {
            Some(version) => version.clone(),
            None => self.list().await?,
        };
        let parameters = WatchParams::default().timeout(WATCH_LIMIT);
        let api = self.api.clone();
        let mut events = pin!(api.watch(&parameters, &version).await?);
        self.heard();
        while let Some(event) = events.next().await {
            let version = match event? {
                WatchEvent::Added(object) | WatchEvent::Modified(object) => {
                    let version = object.resource_version();
                    if let Some(declared) = self.read(object) {
                        self.now.insert(declared.object.name_any(), declared);
                    }
                    version
                }
                WatchEvent::Deleted(object) => {
                    self.now.remove(&object.name_any());
                    object.resource_version()
                }
                WatchEvent::Bookmark(bookmark) => Some(bookmark.metadata.resource_version),
                // What comes next has been forgotten there: everything is listed anew.
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

    /// Everything anew; says up to where.
    async fn list(&mut self) -> kube::Result<String> {
        let list = self.api.list(&ListParams::default()).await?;
        let version = list.metadata.resource_version.unwrap_or_default();
        let now = list.items.into_iter().filter_map(|object| self.read(object));
        self.now = now.map(|declared| (declared.object.name_any(), declared)).collect();
        self.version = Some(version.clone());
        self.publish();
        Ok(version)
    }

    fn heard(&mut self) {
        if self.is_lost {
            tracing::info!("the API server is back");
        }
        self.is_lost = false;
        self.board.source_is_up(true);
        self.rest = FIRST_REST;
    }

    /// The object, or what it was before it became unreadable.
    fn read(&self, object: Guarded) -> Option<Declared> {
        let name = object.name_any();
        let before = self.now.get(&name);
        let read = object.0.map_err(|invalid| invalid.error).and_then(|object| {
            object.window()?;
            Ok(object)
        });
        match read {
            Ok(object) => {
                let is_same = |before: &&Declared| {
                    before.object.metadata.uid == object.metadata.uid
                        && before.object.metadata.generation == object.metadata.generation
                };
                let revision = before.filter(is_same).and_then(|before| before.revision);
                Some(Declared { object, revision })
            }
            Err(error) => {
                tracing::error!(window = name, error, "a window can't be read; it stays as it was before");
                before.cloned()
            }
        }
    }

    fn publish(&mut self) {
        // Versions of an API server are numbers that grow.
        let revision = self.version.as_ref().and_then(|version| version.parse().ok()).unwrap_or(0);
        let windows: Vec<Window> =
            self.now.values().filter_map(|declared| declared.object.window().ok()).collect();
        self.board.declare_as(revision, windows);
        for declared in self.now.values_mut() {
            declared.revision.get_or_insert(revision);
        }
        self.objects.send_replace(Objects::new(self.now.clone()));
    }
}
