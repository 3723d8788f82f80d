//! Writes the statuses of windows, and an event at each transition.

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

use super::objects::{LIMIT, MANAGER, Objects};
use super::status::{ACTIVE, PROPAGATED, compute_status, condition_message, find_next_change, has_condition};
use crate::board::Audience;
use crate::crd::{Edges, MaintenanceWindow, MaintenanceWindowStatus, Phase};

/// Delay that collects the confirmations of several edges in one status.
const GATHER: Duration = Duration::from_millis(50);
/// Pause after a failed request.
const RETRY: Duration = Duration::from_secs(2);
/// Interval of a full check without changes, in case the clock was set or a status was overwritten.
const RECHECK: Duration = Duration::from_secs(30);

/// Writes the statuses of one namespace.
pub(super) struct Reporter {
    windows: Api<MaintenanceWindow>,
    events: Api<Event>,
    clock: Clock,
    /// The statuses written last. If two replicas see different edges, each writes once instead of overwriting the
    /// other forever.
    written: BTreeMap<String, MaintenanceWindowStatus>,
}

impl Reporter {
    pub(super) fn new(client: &Client, namespace: &str, clock: Clock) -> Self {
        let windows = Api::namespaced(client.clone(), namespace);
        let events = Api::namespaced(client.clone(), namespace);
        Self { windows, events, clock, written: BTreeMap::new() }
    }

    /// Writes changes, starting after `settle`. Never ends.
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
            let is_done = self.write_all(&before, &objects, &listeners).await;
            let pause = if is_done { self.compute_pause(&objects) } else { RETRY };
            before = objects;
            tokio::select! {
                changed = declared.changed() => if changed.is_err() { return },
                changed = audience.changed() => if changed.is_err() { return },
                () = sleep(pause) => self.written.clear(),
            }
            sleep(GATHER).await;
        }
    }

    /// The time until the next window starts or ends, or until the next full check.
    fn compute_pause(&self, objects: &Objects) -> Duration {
        let now = self.clock.now();
        let windows = objects.values().filter_map(|declared| declared.object.to_window().ok());
        let next = windows.filter_map(|window| find_next_change(&window, now)).min();
        next.map_or(RECHECK, |next| RECHECK.min((next - now).unsigned_abs()))
    }

    /// Writes the statuses that changed. Returns whether all requests succeeded.
    async fn write_all(&mut self, before: &Objects, objects: &Objects, audience: &Audience) -> bool {
        let now = self.clock.now();
        let mut is_done = true;
        for (name, gone) in before.iter().filter(|(name, _)| !objects.contains_key(*name)) {
            let last = self.written.remove(name).or_else(|| gone.object.status.clone());
            if has_condition(last.as_ref(), ACTIVE) {
                self.publish_event(&gone.object, "Ended", "Open", "deleted while it was active").await;
            }
        }
        for (name, declared) in objects.iter() {
            let object = &declared.object;
            let (Ok(window), Some(generation), Some(revision)) =
                (object.to_window(), object.metadata.generation, declared.revision)
            else {
                continue;
            };
            let edges = Edges { known: audience.count_edges(), told: audience.count_confirmed(revision) };
            let next = compute_status(&window, generation, edges, object.status.as_ref(), now);
            if object.status.as_ref() == Some(&next) || self.written.get(name) == Some(&next) {
                continue;
            }
            if self.write_status(object, &next).await {
                self.publish_transitions(object, &next).await;
                self.written.insert(name.clone(), next);
            } else {
                is_done = false;
            }
        }
        is_done
    }

    /// Writes one status. Returns whether it succeeded.
    async fn write_status(&self, object: &MaintenanceWindow, next: &MaintenanceWindowStatus) -> bool {
        let name = object.name_any();
        let patch = Patch::Apply(json!({
            "apiVersion": MaintenanceWindow::api_version(&()),
            "kind": MaintenanceWindow::kind(&()),
            // Only this object, not a new one of the same name.
            "metadata": { "name": name, "uid": object.metadata.uid },
            "status": next,
        }));
        let parameters = PatchParams::apply(MANAGER).force();
        let error = match timeout(LIMIT, self.windows.patch_status(&name, &parameters, &patch)).await {
            Ok(Ok(_)) => return true,
            // The object was deleted or replaced; the watch will report it.
            Ok(Err(kube::Error::Api(refusal))) if [404, 409].contains(&refusal.code) => return true,
            Ok(Err(error)) => kit::error::chain(&error),
            Err(_) => "timeout".to_owned(),
        };
        tracing::warn!(window = name, error, "a status could not be written");
        false
    }

    /// Publishes the transitions from the object's status to the next one.
    async fn publish_transitions(&self, object: &MaintenanceWindow, next: &MaintenanceWindowStatus) {
        let before = object.status.as_ref();
        let is_new = |type_: &str| has_condition(Some(next), type_) && !has_condition(before, type_);
        if is_new(ACTIVE) {
            self.publish_event(object, "Activated", "Close", condition_message(next, ACTIVE)).await;
        }
        if next.phase == Phase::Ended && before.is_some_and(|before| before.phase != Phase::Ended) {
            self.publish_event(object, "Ended", "Open", condition_message(next, ACTIVE)).await;
        }
        if is_new(PROPAGATED) {
            self.publish_event(object, "Propagated", "Tell", condition_message(next, PROPAGATED)).await;
        }
    }

    /// Publishes an event. The first replica wins; an event occurs once for each generation of a window. A failed
    /// request is not repeated, because the status has the same information.
    async fn publish_event(&self, object: &MaintenanceWindow, reason: &str, action: &str, note: &str) {
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
            // Another replica published it.
            Ok(Err(kube::Error::Api(refusal))) if refusal.code == 409 => return,
            Ok(Err(error)) => kit::error::chain(&error),
            Err(_) => "timeout".to_owned(),
        };
        tracing::warn!(window = name, reason, error, "an event could not be published");
    }
}
