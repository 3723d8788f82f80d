//! API discovery and schemas.

use serde_json::{Value, json};

use super::schema;

/// A kind and its API group.
pub(crate) struct Group {
    pub(crate) name: &'static str,
    pub(crate) version: &'static str,
    pub(crate) plural: &'static str,
    pub(crate) singular: &'static str,
    pub(crate) kind: &'static str,
    pub(crate) short: &'static [&'static str],
}

pub(crate) const GROUPS: [Group; 2] = [
    Group {
        name: "ops.konomana.jp",
        version: "v1alpha1",
        plural: "maintenancewindows",
        singular: "maintenancewindow",
        kind: "MaintenanceWindow",
        short: &["mw"],
    },
    Group {
        name: "events.k8s.io",
        version: "v1",
        plural: "events",
        singular: "event",
        kind: "Event",
        short: &["ev"],
    },
];

const AGGREGATED: &str = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
const JSON: &str = "application/json";

impl Group {
    pub(crate) fn api_version(&self) -> String {
        format!("{}/{}", self.name, self.version)
    }

    fn discovered(&self) -> Value {
        let response_kind = json!({ "group": self.name, "version": self.version, "kind": self.kind });
        let verbs = ["create", "delete", "get", "list", "patch", "update", "watch"];
        let resource = json!({
            "resource": self.plural, "singularResource": self.singular, "shortNames": self.short,
            "scope": "Namespaced", "responseKind": response_kind, "verbs": verbs,
        });
        let version = json!({ "version": self.version, "resources": [resource], "freshness": "Current" });
        json!({ "metadata": { "name": self.name, "creationTimestamp": null }, "versions": [version] })
    }
}

/// Returns the document at `path` with its media type.
pub(crate) fn document(path: &str, accept: &str) -> Option<(&'static str, Value)> {
    let list = |items: Vec<Value>| {
        json!({
            "kind": "APIGroupDiscoveryList", "apiVersion": "apidiscovery.k8s.io/v2", "metadata": {}, "items": items,
        })
    };
    match path {
        "/version" => Some((JSON, json!({ "major": "1", "minor": "32", "gitVersion": "v1.32.0" }))),
        "/api" if accept.contains("APIGroupDiscoveryList") => Some((AGGREGATED, list(Vec::new()))),
        "/apis" if accept.contains("APIGroupDiscoveryList") => {
            Some((AGGREGATED, list(GROUPS.iter().map(Group::discovered).collect())))
        }
        "/openapi/v3" => Some((JSON, index())),
        path => {
            let group =
                GROUPS.iter().find(|group| path == format!("/openapi/v3/apis/{}", group.api_version()))?;
            Some((JSON, openapi(group)))
        }
    }
}

fn index() -> Value {
    let paths = GROUPS.iter().map(|group| {
        let path = format!("apis/{}", group.api_version());
        let url = json!({ "serverRelativeURL": format!("/openapi/v3/{path}?hash=1") });
        (path, url)
    });
    json!({ "paths": paths.collect::<serde_json::Map<_, _>>() })
}

fn openapi(group: &Group) -> Value {
    let kind = json!({ "group": group.name, "version": group.version, "kind": group.kind });
    let parameter = |name: &str| json!({ "name": name, "in": "query", "schema": { "type": "string" } });
    let parameters: Vec<Value> = ["dryRun", "fieldManager", "fieldValidation", "force"].map(parameter).into();
    let verb = |action: &str| {
        json!({
            "x-kubernetes-action": action, "x-kubernetes-group-version-kind": kind, "parameters": parameters,
            "responses": { "200": { "description": "OK" } },
        })
    };
    let path = format!("/apis/{}/namespaces/{{namespace}}/{}", group.api_version(), group.plural);
    let one = json!({ "get": verb("get"), "patch": verb("patch"), "delete": verb("delete") });
    let mut schema = schema::openapi();
    schema["x-kubernetes-group-version-kind"] = json!([kind]);
    json!({
        "openapi": "3.0.0",
        "info": { "title": "Kubernetes", "version": "v1.32.0" },
        "paths": { &path: { "post": verb("post"), "get": verb("list") }, format!("{path}/{{name}}"): one },
        "components": { "schemas": { format!("jp.konomana.ops.{}.{}", group.version, group.kind): schema } },
    })
}
