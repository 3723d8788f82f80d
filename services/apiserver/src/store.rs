//! Objects with their versions and history.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard};

use serde_json::{Value, json};
use tokio::sync::watch;

use super::{NAMESPACE, Refusal, schema};

/// Creation time of all objects. Only `kubectl` uses it, for the age.
const CREATED: &str = "2026-11-20T00:00:00Z";

/// The state of the server.
pub struct Store {
    known: Mutex<State>,
    version: watch::Sender<u64>,
}

#[derive(Default)]
struct State {
    version: u64,
    objects: BTreeMap<(String, String), Value>,
    history: VecDeque<Happened>,
    /// Watches from an older version are refused as expired.
    oldest: u64,
    status_writes: usize,
    refuses_status: bool,
}

#[derive(Clone)]
struct Happened {
    version: u64,
    kind: &'static str,
    plural: String,
    object: Value,
}

impl Default for Store {
    fn default() -> Self {
        Self { known: Mutex::default(), version: watch::Sender::new(0) }
    }
}

impl Store {
    fn lock_state(&self) -> MutexGuard<'_, State> {
        self.known.lock().unwrap()
    }

    /// Drops the history, as a server does after some time.
    pub fn forget_history(&self) {
        let mut known = self.lock_state();
        known.version += 1;
        known.oldest = known.version;
        known.history.clear();
    }

    /// Sets whether status writes are refused.
    pub fn refuse_status(&self, refuses: bool) {
        self.lock_state().refuses_status = refuses;
    }

    /// Number of attempts to write a status.
    pub fn status_writes(&self) -> usize {
        self.lock_state().status_writes
    }

    /// The objects of one kind.
    pub fn list(&self, plural: &str, name: Option<&str>) -> (u64, Vec<Value>) {
        let known = self.lock_state();
        let all = known
            .objects
            .iter()
            .filter(|((kind, at), _)| kind == plural && name.is_none_or(|name| name == at));
        (known.version, all.map(|(_, object)| object.clone()).collect())
    }

    pub fn get(&self, plural: &str, name: &str) -> Result<Value, Refusal> {
        let key = (plural.to_owned(), name.to_owned());
        self.lock_state().objects.get(&key).cloned().ok_or_else(|| not_found(plural, name))
    }

    pub fn create(&self, plural: &str, mut object: Value, manager: &str) -> Result<Value, Refusal> {
        schema::check(plural, &mut object)?;
        let name = object["metadata"]["name"].as_str().unwrap_or_default().to_owned();
        let mut known = self.lock_state();
        if known.objects.contains_key(&(plural.to_owned(), name.clone())) {
            return Err(Refusal::new(409, "AlreadyExists", format!("{plural} \"{name}\" already exists")));
        }
        let metadata = &mut object["metadata"];
        metadata["namespace"] = NAMESPACE.into();
        metadata["uid"] = format!("00000000-0000-4000-8000-{:012}", known.version + 1).into();
        metadata["creationTimestamp"] = CREATED.into();
        metadata["generation"] = 1.into();
        metadata["managedFields"] = managed(manager, "Update", "f:spec");
        if let Some(object) = object.as_object_mut() {
            object.remove("status");
        }
        Ok(self.put(&mut known, "ADDED", plural, object))
    }

    /// Server-side apply, without the status.
    pub fn apply(&self, plural: &str, name: &str, object: Value, manager: &str) -> Result<Value, Refusal> {
        if self.get(plural, name).is_err() {
            return self.create(plural, object, manager);
        }
        self.merge_inner(plural, name, &Value::Null, Some(&object["spec"]))
    }

    /// Merge patch, without the status.
    pub fn merge(&self, plural: &str, name: &str, patch: &Value) -> Result<Value, Refusal> {
        self.merge_inner(plural, name, patch, None)
    }

    fn merge_inner(
        &self,
        plural: &str,
        name: &str,
        patch: &Value,
        spec: Option<&Value>,
    ) -> Result<Value, Refusal> {
        let before = self.get(plural, name)?;
        let mut next = before.clone();
        if patch.is_object() {
            merge(&mut next, patch);
        }
        if let Some(spec) = spec {
            next["spec"] = spec.clone();
        }
        next["status"] = before["status"].clone();
        if next["status"].is_null() {
            next.as_object_mut().map(|next| next.remove("status"));
        }
        schema::check(plural, &mut next)?;
        if next["spec"] != before["spec"] {
            next["metadata"]["generation"] =
                (before["metadata"]["generation"].as_u64().unwrap_or(0) + 1).into();
        }
        let mut known = self.lock_state();
        Ok(self.put(&mut known, "MODIFIED", plural, next))
    }

    /// Server-side apply of the status.
    pub fn apply_status(
        &self,
        plural: &str,
        name: &str,
        patch: &Value,
        manager: &str,
    ) -> Result<Value, Refusal> {
        let before = self.get(plural, name)?;
        let mut known = self.lock_state();
        known.status_writes += 1;
        let refuses = known.refuses_status;
        drop(known);
        if refuses {
            return Err(Refusal::new(500, "InternalError", "status writes are refused"));
        }
        let wanted = &patch["metadata"]["uid"];
        if !wanted.is_null() && *wanted != before["metadata"]["uid"] {
            return Err(Refusal::new(409, "Conflict", format!("{name} has another uid")));
        }
        let mut next = before.clone();
        next["status"] = patch["status"].clone();
        schema::check(plural, &mut next)?;
        next["metadata"]["managedFields"] = managed(manager, "Apply", "f:status");
        if next == before {
            return Ok(before);
        }
        let mut known = self.lock_state();
        Ok(self.put(&mut known, "MODIFIED", plural, next))
    }

    pub fn delete(&self, plural: &str, name: &str) -> Result<(), Refusal> {
        let mut known = self.lock_state();
        let gone = known.objects.remove(&(plural.to_owned(), name.to_owned()));
        let gone = gone.ok_or_else(|| not_found(plural, name))?;
        self.put(&mut known, "DELETED", plural, gone);
        Ok(())
    }

    /// Stores an object without validation, like one of another version.
    pub fn force(&self, plural: &str, object: Value) {
        let mut known = self.lock_state();
        self.put(&mut known, "MODIFIED", plural, object);
    }

    fn put(&self, known: &mut State, kind: &'static str, plural: &str, mut object: Value) -> Value {
        known.version += 1;
        let version = known.version;
        object["metadata"]["resourceVersion"] = version.to_string().into();
        if kind != "DELETED" {
            let name = object["metadata"]["name"].as_str().unwrap_or_default().to_owned();
            known.objects.insert((plural.to_owned(), name), object.clone());
        }
        known.history.push_back(Happened {
            version,
            kind,
            plural: plural.to_owned(),
            object: object.clone(),
        });
        self.version.send_replace(version);
        object
    }

    /// Watches the objects of one kind after a version. Without a version, or with `all`, the existing objects
    /// come first.
    pub fn watch(
        self: &Arc<Self>,
        plural: &str,
        name: Option<&str>,
        from: Option<u64>,
        all: bool,
        table: bool,
    ) -> Watch {
        let mut version = self.version.subscribe();
        version.mark_changed();
        let (now, items) = self.list(plural, name);
        let from = from.filter(|from| *from > 0 && !all);
        let mut waiting = VecDeque::new();
        if from.is_none() {
            waiting.extend(items.into_iter().map(|object| ("ADDED", object)));
        }
        if all {
            waiting.push_back(("BOOKMARK", bookmark(now, true)));
        }
        Watch {
            store: self.clone(),
            version,
            plural: plural.to_owned(),
            name: name.map(str::to_owned),
            from: from.unwrap_or(now),
            waiting,
            table,
            is_over: false,
        }
    }
}

/// A watch.
pub struct Watch {
    store: Arc<Store>,
    version: watch::Receiver<u64>,
    plural: String,
    name: Option<String>,
    from: u64,
    waiting: VecDeque<(&'static str, Value)>,
    table: bool,
    is_over: bool,
}

impl Watch {
    pub async fn next(&mut self) -> Option<Value> {
        loop {
            if self.is_over {
                return None;
            }
            if let Some((kind, object)) = self.waiting.pop_front() {
                let is_object = kind != "BOOKMARK";
                let object = if self.table && is_object { schema::table(&[object], 0) } else { object };
                return Some(json!({ "type": kind, "object": object }));
            }
            self.version.changed().await.ok()?;
            self.version.borrow_and_update();
            let known = self.store.lock_state();
            if self.from < known.oldest {
                self.is_over = true;
                let refusal = Refusal::new(410, "Expired", "too old resource version");
                return Some(json!({ "type": "ERROR", "object": refusal.status() }));
            }
            let news = known.history.iter().filter(|happened| {
                let name = happened.object["metadata"]["name"].as_str();
                happened.version > self.from
                    && happened.plural == self.plural
                    && self.name.as_ref().is_none_or(|wanted| Some(wanted.as_str()) == name)
            });
            self.waiting = news.map(|happened| (happened.kind, happened.object.clone())).collect();
            self.from = known.version;
            // No event for this watch, but its bookmark advances.
            if self.waiting.is_empty() && !self.table {
                let object = bookmark(known.version, false);
                return Some(json!({ "type": "BOOKMARK", "object": object }));
            }
        }
    }
}

/// A bookmark; the first one marks the end of the existing objects.
fn bookmark(version: u64, is_first: bool) -> Value {
    let annotations = if is_first { json!({ "k8s.io/initial-events-end": "true" }) } else { json!({}) };
    json!({
        "apiVersion": "ops.konomana.jp/v1alpha1",
        "kind": "MaintenanceWindow",
        "metadata": {
            "resourceVersion": version.to_string(), "creationTimestamp": null, "annotations": annotations,
        },
    })
}

/// Field managers. The real server has one entry for each writer.
fn managed(manager: &str, operation: &str, field: &str) -> Value {
    json!([{
        "manager": manager, "operation": operation, "time": CREATED, "apiVersion": "ops.konomana.jp/v1alpha1",
        "fieldsType": "FieldsV1", "fieldsV1": { field: {} },
    }])
}

fn not_found(plural: &str, name: &str) -> Refusal {
    Refusal::new(404, "NotFound", format!("{plural} \"{name}\" not found"))
}

/// RFC 7386.
fn merge(target: &mut Value, patch: &Value) {
    let Value::Object(patch) = patch else {
        *target = patch.clone();
        return;
    };
    if !target.is_object() {
        *target = json!({});
    }
    for (key, value) in patch {
        if value.is_null() {
            target.as_object_mut().map(|target| target.remove(key));
        } else {
            merge(&mut target[key], value);
        }
    }
}
