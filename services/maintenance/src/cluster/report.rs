//! Writes back what has become of the windows: their status, and an event where something happened.

use std::collections::BTreeMap;
use std::time::Duration;

use k8s_openapi::api::events::v1::Event;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{MicroTime, ObjectMeta};
use k8s_openapi::jiff::Timestamp;
use kit::clock::Clock;
use kube::api::{Patch, PatchParams, PostParams};
use kube::{Api, Client, Resource as _, ResourceExt as _};
use serde_json::json;
use tokio::sync::watch;
use tokio::time::{sleep, timeout};

use super::status::{ACTIVE, PROPAGATED, holds, message, next_change, status};
use super::{LIMIT, MANAGER, Objects};
use crate::board::Audience;
use crate::crd::{Edges, MaintenanceWindow, MaintenanceWindowStatus, Phase};

/// Edges confirm within a few milliseconds of each other: this long is waited, so that one status tells of all.
const GATHER: Duration = Duration::from_millis(50);
/// How long to rest when the API server did not take something.
const REST: Duration = Duration::from_secs(2);
/// Everything is looked at this often though nothing is heard: a clock may have been set, a status written over.
const LOOK: Duration = Duration::from_secs(30);

/// Writes for one namespace.
pub(super) struct Reporter {
    windows: Api<MaintenanceWindow>,
    events: Api<Event>,
    clock: Clock,
    /// What was written last. Should two replicas not see the same edges, each says so once, not for ever in turn.
    said: BTreeMap<String, MaintenanceWindowStatus>,
}

impl Reporter {
    pub(super) fn new(client: &Client, namespace: &str, clock: Clock) -> Self {
        let windows = Api::namespaced(client.clone(), namespace);
        let events = Api::namespaced(client.clone(), namespace);
        Self { windows, events, clock, said: BTreeMap::new() }
    }

    /// Writes whenever something is different, after `settle`, for ever.
    pub(super) async fn run(
        mut self,
        settle: Duration,
        mut declared: watch::Receiver<Objects>,
        mut audience: watch::Receiver<Audience>,
    ) {
        sleep(settle).await;
        let mut before = Objects::default();
        loop {
            let objects = declared.borrow_and_update().clone();
            let listeners = audience.borrow_and_update().clone();
            let is_done = self.write(&before, &objects, &listeners).await;
            let pause = if is_done { self.pause(&objects) } else { REST };
            before = objects;
            tokio::select! {
                changed = declared.changed() => if changed.is_err() { return },
                changed = audience.changed() => if changed.is_err() { return },
                () = sleep(pause) => self.said.clear(),
            }
            sleep(GATHER).await;
        }
    }

    /// Until a window begins or ends, if that is soon.
    fn pause(&self, objects: &Objects) -> Duration {
        let now = self.clock.now();
        let windows = objects.values().filter_map(|declared| declared.object.window().ok());
        let next = windows.filter_map(|window| next_change(&window, now)).min();
        next.map_or(LOOK, |next| LOOK.min((next - now).unsigned_abs()))
    }

    /// Writes what is different from what the objects say of themselves; says whether all of it was taken.
    async fn write(&mut self, before: &Objects, objects: &Objects, audience: &Audience) -> bool {
        let now = self.clock.now();
        let mut is_done = true;
        for (name, gone) in before.iter().filter(|(name, _)| !objects.contains_key(*name)) {
            let last = self.said.remove(name).or_else(|| gone.object.status.clone());
            if holds(last.as_ref(), ACTIVE) {
                self.say(&gone.object, "Ended", "Open", "deleted while it was active").await;
            }
        }
        for (name, declared) in objects.iter() {
            let object = &declared.object;
            let (Ok(window), Some(generation), Some(revision)) =
                (object.window(), object.metadata.generation, declared.revision)
            else {
                continue;
            };
            let edges = Edges { known: audience.known(), told: audience.told(revision) };
            let next = status(&window, generation, edges, object.status.as_ref(), now);
            if object.status.as_ref() == Some(&next) || self.said.get(name) == Some(&next) {
                continue;
            }
            if self.put(object, &next).await {
                self.tell(object, &next).await;
                self.said.insert(name.clone(), next);
            } else {
                is_done = false;
            }
        }
        is_done
    }

    /// Writes one status; says whether it was taken.
    async fn put(&self, object: &MaintenanceWindow, next: &MaintenanceWindowStatus) -> bool {
        let name = object.name_any();
        let patch = Patch::Apply(json!({
            "apiVersion": MaintenanceWindow::api_version(&()),
            "kind": MaintenanceWindow::kind(&()),
            // Another object of the same name is not meant.
            "metadata": { "name": name, "uid": object.metadata.uid },
            "status": next,
        }));
        let parameters = PatchParams::apply(MANAGER).force();
        let error = match timeout(LIMIT, self.windows.patch_status(&name, &parameters, &patch)).await {
            Ok(Ok(_)) => return true,
            // It is gone, or another one: news of that is on its way.
            Ok(Err(kube::Error::Api(refusal))) if [404, 409].contains(&refusal.code) => return true,
            Ok(Err(error)) => kit::error::chain(&error),
            Err(_) => "no answer in time".to_owned(),
        };
        tracing::warn!(window = name, error, "a status could not be written");
        false
    }

    /// Publishes what has happened with this status.
    async fn tell(&self, object: &MaintenanceWindow, next: &MaintenanceWindowStatus) {
        let before = object.status.as_ref();
        let is_new = |type_: &str| holds(Some(next), type_) && !holds(before, type_);
        if is_new(ACTIVE) {
            self.say(object, "Activated", "Close", message(next, ACTIVE)).await;
        }
        if next.phase == Phase::Ended && before.is_some_and(|before| before.phase != Phase::Ended) {
            self.say(object, "Ended", "Open", message(next, ACTIVE)).await;
        }
        if is_new(PROPAGATED) {
            self.say(object, "Propagated", "Tell", message(next, PROPAGATED)).await;
        }
    }

    /// Publishes an event, once for each generation of a window, whichever replica is first. One that is not taken is
    /// lost: the status says the same.
    async fn say(&self, object: &MaintenanceWindow, reason: &str, action: &str, note: &str) {
        let (name, generation) = (object.name_any(), object.metadata.generation.unwrap_or_default());
        let uid = object.metadata.uid.clone().unwrap_or_default();
        let event = Event {
            metadata: ObjectMeta {
                name: Some(format!("maintenancewindow.{uid}.{generation}.{}", reason.to_lowercase())),
                namespace: object.namespace(),
                ..ObjectMeta::default()
            },
            event_time: Some(MicroTime(
                Timestamp::from_nanosecond(self.clock.now().unix_timestamp_nanos()).unwrap_or_default(),
            )),
            type_: Some("Normal".to_owned()),
            reason: Some(reason.to_owned()),
            action: Some(action.to_owned()),
            note: Some(note.to_owned()),
            regarding: Some(object.object_ref(&())),
            reporting_controller: Some(format!("ops.konomana.jp/{MANAGER}")),
            reporting_instance: Some(MANAGER.to_owned()),
            ..Event::default()
        };
        let error = match timeout(LIMIT, self.events.create(&PostParams::default(), &event)).await {
            Ok(Ok(_)) => {
                tracing::info!(window = name, reason, note, "event");
                return;
            }
            // Another replica said so.
            Ok(Err(kube::Error::Api(refusal))) if refusal.code == 409 => return,
            Ok(Err(error)) => kit::error::chain(&error),
            Err(_) => "no answer in time".to_owned(),
        };
        tracing::warn!(window = name, reason, error, "an event could not be published");
    }
}
