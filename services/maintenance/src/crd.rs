//! `MaintenanceWindow` as Kubernetes knows it: what the API server takes, refuses and shows. `maintenance crd` prints
//! it, and `k8s/base/maintenance/crd.yaml` is that, kept.

#![expect(clippy::duplicated_attributes, reason = "each column has a type and a path")]
#![expect(unreachable_pub, reason = "what KubeSchema derives is as public as what it is derived from")]

use k8s_openapi::apimachinery::pkg::apis::meta::v1::Condition;
use kit::Failure;
use kube::{CustomResource, CustomResourceExt as _, KubeSchema, ResourceExt as _};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;

use crate::Window;
use crate::window::{self, Mode, Scope, limits};

/// What a window is.
#[derive(CustomResource, KubeSchema, Clone, Debug, Serialize, Deserialize)]
#[kube(
    group = "ops.konomana.jp",
    version = "v1alpha1",
    kind = "MaintenanceWindow",
    plural = "maintenancewindows",
    singular = "maintenancewindow",
    shortname = "mw",
    namespaced,
    status = "MaintenanceWindowStatus",
    doc = "A part of the product that is closed on purpose, now or at a time to come.",
    printcolumn(name = "Scope", type_ = "string", json_path = ".spec.scope"),
    printcolumn(name = "Mode", type_ = "string", json_path = ".spec.mode"),
    printcolumn(name = "Phase", type_ = "string", json_path = ".status.phase"),
    printcolumn(name = "Starts", type_ = "string", json_path = ".spec.startsAt"),
    printcolumn(name = "Ends", type_ = "string", json_path = ".spec.endsAt"),
    printcolumn(name = "Age", type_ = "date", json_path = ".metadata.creationTimestamp")
)]
#[serde(rename_all = "camelCase")]
#[x_kube(validation = Rule::new("!has(self.startsAt) || !has(self.endsAt) || self.endsAt > self.startsAt")
    .message("endsAt must be after startsAt").field_path(".endsAt"))]
pub struct MaintenanceWindowSpec {
    /// Which part is closed. Windows that overlap close all that any of them closes.
    pub scope: Scope,
    /// How far it is closed: Full, nothing passes; `ReadOnly`, reading passes.
    pub mode: Mode,
    /// From when, as 2026-11-21T18:00:00+09:00; not given: from now on. The site says so from 24 hours before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "moment")]
    pub starts_at: Option<String>,
    /// Until when, itself not included; not given: until the window is deleted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "moment")]
    pub ends_at: Option<String>,
    /// One line for learners, in Japanese.
    #[schemars(length(min = 1, max = limits::TITLE))]
    #[x_kube(validation = Rule::new("self.trim() != ''").message("title must not be blank"))]
    pub title: String,
    /// What happens and why, for learners, in Japanese.
    #[schemars(length(min = 1, max = limits::MESSAGE))]
    #[x_kube(validation = Rule::new("self.trim() != ''").message("message must not be blank"))]
    pub message: String,
    /// Where learners can read more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", length(max = limits::URL))]
    #[x_kube(validation = Rule::new(
        "isURL(self) && url(self).getScheme() == 'https' && url(self).getHostname() != ''"
    ).message("statusUrl must be an https address"))]
    pub status_url: Option<String>,
    /// When a browser may ask again; not given: as the edge is set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "retry_after")]
    pub retry_after_seconds: Option<u32>,
    /// Whoever has one of these scopes passes, as staff:support.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(schema_with = "scopes")]
    pub bypass_scopes: Vec<String>,
    /// Declared, and not to be followed for now.
    #[serde(default)]
    pub suspend: bool,
}

/// What has become of a window; the maintenance service writes it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MaintenanceWindowStatus {
    /// Where it stands, by the service's clock.
    pub phase: Phase,
    /// The edges, and how far they have come.
    pub edges: Edges,
    /// `Active`: the part is closed now. `Propagated`: every edge that listens has taken this generation in.
    #[schemars(extend("x-kubernetes-list-type" = "map", "x-kubernetes-list-map-keys" = ["type"]))]
    pub conditions: Vec<Condition>,
    /// The generation that all of this is about.
    pub observed_generation: i64,
}

/// Where a window stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Phase {
    /// It begins later.
    #[default]
    Planned,
    /// The part is closed.
    Active,
    /// It is over; nobody needs it any more.
    Ended,
    /// It is not followed.
    Suspended,
}

/// How many edges a window has reached.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Edges {
    /// Those that listen to the maintenance service.
    #[schemars(schema_with = "count")]
    pub known: u32,
    /// Those of them that have said that they took this generation in.
    #[schemars(schema_with = "count")]
    pub told: u32,
}

fn moment(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "string", "format": "date-time" })
}

fn count(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "integer", "format": "int32", "minimum": 0 })
}

fn retry_after(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "integer", "format": "int32", "minimum": 1, "maximum": limits::RETRY_AFTER })
}

fn scopes(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "type": "array",
        "maxItems": limits::SCOPES,
        "items": { "type": "string", "maxLength": limits::SCOPE, "pattern": "^[a-z]+(:[a-z]+)*$" },
        "x-kubernetes-list-type": "set",
    })
}

impl MaintenanceWindow {
    /// The same as a [`Window`]. The API server has seen to the rules; what it lets pass and can't be read all the same
    /// is an error.
    pub(crate) fn window(&self) -> Result<Window, String> {
        let spec = self.spec.clone();
        let created = self.creation_timestamp();
        let time = |field: &str, text: Option<String>| {
            text.map(|text| window::time(&text).ok_or_else(|| format!("{field} is no time: {text}")))
                .transpose()
        };
        Ok(Window {
            name: self.name_any(),
            scope: spec.scope,
            mode: spec.mode,
            declared_at: created.and_then(|at| OffsetDateTime::from_unix_timestamp(at.0.as_second()).ok()),
            starts_at: time("startsAt", spec.starts_at)?,
            ends_at: time("endsAt", spec.ends_at)?,
            title: spec.title.trim().to_owned(),
            message: spec.message.trim().to_owned(),
            status_url: spec.status_url,
            retry_after_seconds: spec.retry_after_seconds,
            bypass_scopes: spec.bypass_scopes,
            suspend: spec.suspend,
        })
    }
}

/// The definition as YAML.
pub fn yaml() -> Result<String, Failure> {
    let mut definition = MaintenanceWindow::crd();
    // Derived as if a status could be null, which it never is.
    for version in &mut definition.spec.versions {
        let schema = version.schema.as_mut().and_then(|schema| schema.open_api_v3_schema.as_mut());
        let properties = schema.and_then(|schema| schema.properties.as_mut());
        if let Some(status) = properties.and_then(|properties| properties.get_mut("status")) {
            status.nullable = None;
        }
    }
    let yaml = serde_saphyr::to_string(&definition)?;
    Ok(format!("# Written by `maintenance crd`; change services/maintenance/src/crd.rs.\n{yaml}"))
}
