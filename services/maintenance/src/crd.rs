//! The `CustomResourceDefinition` of `MaintenanceWindow`. `maintenance crd` prints it; `k8s/base/maintenance/crd.yaml`
//! is a committed copy.

#![expect(clippy::duplicated_attributes, reason = "each column has a type and a path")]
#![expect(unreachable_pub, reason = "KubeSchema derives items with the visibility of the type")]

use k8s_openapi::apimachinery::pkg::apis::meta::v1::Condition;
use kit::Failure;
use kube::{CustomResource, CustomResourceExt as _, KubeSchema, ResourceExt as _};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;

use crate::window::{self, Mode, Scope, Window, limits};

/// The spec of a window.
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
    doc = "Closes a part of the product for maintenance, now or at a later time.",
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
    /// The part to close. Overlapping windows close everything that any of them closes.
    pub scope: Scope,
    /// Full blocks all requests; `ReadOnly` allows reading.
    pub mode: Mode,
    /// Start, e.g. 2026-11-21T18:00:00+09:00; if absent, immediately. The site announces it from 24 hours before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "time_schema")]
    pub starts_at: Option<String>,
    /// End (exclusive); if absent, the window lasts until it is deleted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "time_schema")]
    pub ends_at: Option<String>,
    /// One line for learners, in Japanese.
    #[schemars(length(min = 1, max = limits::TITLE))]
    #[x_kube(validation = Rule::new("self.trim() != ''").message("title must not be blank"))]
    pub title: String,
    /// What happens and why, for learners, in Japanese.
    #[schemars(length(min = 1, max = limits::MESSAGE))]
    #[x_kube(validation = Rule::new("self.trim() != ''").message("message must not be blank"))]
    pub message: String,
    /// https URL with more information for learners.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", length(max = limits::URL))]
    #[x_kube(validation = Rule::new(
        "isURL(self) && url(self).getScheme() == 'https' && url(self).getHostname() != ''"
    ).message("statusUrl must be an https address"))]
    pub status_url: Option<String>,
    /// Value of Retry-After in seconds; if absent, the edge's default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "retry_after_schema")]
    pub retry_after_seconds: Option<u32>,
    /// Callers with one of these scopes, e.g. staff:support, are not blocked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(schema_with = "scopes_schema")]
    pub bypass_scopes: Vec<String>,
    /// If true, the window is ignored.
    #[serde(default)]
    pub suspend: bool,
}

/// The status of a window, written by the maintenance service.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MaintenanceWindowStatus {
    /// Current phase, by the service's clock.
    pub phase: Phase,
    /// Progress of the edges.
    pub edges: Edges,
    /// `Active`: the part is closed now. `Propagated`: every connected edge applies this generation.
    /// `RunningExamsOpen`: always true, with a message about what the window does to running exams.
    #[schemars(extend("x-kubernetes-list-type" = "map", "x-kubernetes-list-map-keys" = ["type"]))]
    pub conditions: Vec<Condition>,
    /// The generation that this status describes.
    pub observed_generation: i64,
}

/// The phase of a window.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Phase {
    /// It starts later.
    #[default]
    Planned,
    /// The part is closed.
    Active,
    /// It is over and can be deleted.
    Ended,
    /// It is ignored.
    Suspended,
}

/// Number of edges that a window has reached.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Edges {
    /// Edges connected to the maintenance service.
    #[schemars(schema_with = "count_schema")]
    pub known: u32,
    /// Edges among them that confirmed this generation.
    #[schemars(schema_with = "count_schema")]
    pub told: u32,
}

fn time_schema(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "string", "format": "date-time" })
}

fn count_schema(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "integer", "format": "int32", "minimum": 0 })
}

fn retry_after_schema(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "integer", "format": "int32", "minimum": 1, "maximum": limits::RETRY_AFTER })
}

fn scopes_schema(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "type": "array",
        "maxItems": limits::SCOPES,
        "items": { "type": "string", "maxLength": limits::SCOPE, "pattern": "^[a-z]+(:[a-z]+)*$" },
        "x-kubernetes-list-type": "set",
    })
}

impl MaintenanceWindow {
    /// Converts to a [`Window`]. The API server has validated the object; an unreadable value is still an error.
    pub(crate) fn to_window(&self) -> Result<Window, String> {
        let spec = self.spec.clone();
        let created = self.creation_timestamp();
        let time = |field: &str, text: Option<String>| {
            text.map(|text| window::parse_time(&text).ok_or_else(|| format!("{field} is not a time: {text}")))
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

/// Formats the definition as YAML.
///
/// # Errors
///
/// If it cannot be serialised.
pub fn format_crd() -> Result<String, Failure> {
    let mut definition = MaintenanceWindow::crd();
    // The derived schema allows a null status, which never occurs.
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
