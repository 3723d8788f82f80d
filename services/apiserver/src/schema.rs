//! Validation and printer columns by the committed definition.

use std::path::Path;
use std::sync::LazyLock;

use kube_cel::Validator;
use regex::Regex;
use serde_json::{Value, json};

use super::Refusal;

/// `spec.versions[0]` of the definition.
static VERSION: LazyLock<Value> = LazyLock::new(|| {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../k8s/base/maintenance/crd.yaml");
    let definition: Value = serde_saphyr::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    definition["spec"]["versions"][0].clone()
});

/// The schema of an object for clients.
pub fn openapi() -> Value {
    VERSION["schema"]["openAPIV3Schema"].clone()
}

/// Validates an object and sets defaults.
pub fn check(plural: &str, object: &mut Value) -> Result<(), Refusal> {
    if plural != "maintenancewindows" {
        return Ok(());
    }
    let faults = faults(object);
    if faults.is_empty() {
        if object["spec"]["suspend"].is_null() {
            object["spec"]["suspend"] = false.into();
        }
        return Ok(());
    }
    let name = object["metadata"]["name"].as_str().unwrap_or_default();
    let message = format!("MaintenanceWindow.ops.konomana.jp \"{name}\" is invalid: {}", faults.join(", "));
    Err(Refusal::new(422, "Invalid", message))
}

/// Finds the faults of an object. As in the real server, rules run only if the schema matches.
pub fn faults(object: &Value) -> Vec<String> {
    let schema = openapi();
    let mut faults = Vec::new();
    for part in ["spec", "status"] {
        if !object[part].is_null() || part == "spec" {
            shape(part, &schema["properties"][part], &object[part], &mut faults);
        }
    }
    if faults.is_empty()
        && let Err(errors) = Validator::new().validate(&schema, object, None)
    {
        faults.extend(errors.iter().map(|error| format!("{}: {}", error.field_path, error.message)));
    }
    faults
}

/// Checks the schema only. Unknown fields are refused, as with `kubectl`.
fn shape(path: &str, schema: &Value, value: &Value, faults: &mut Vec<String>) {
    let right = match schema["type"].as_str() {
        Some("object") => value.is_object(),
        Some("array") => value.is_array(),
        Some("string") => value.is_string(),
        Some("integer") => value.is_i64(),
        Some("boolean") => value.is_boolean(),
        _ => false,
    };
    if !right {
        return faults.push(format!("{path}: must be of type {}", schema["type"]));
    }
    let number = |name: &str| schema[name].as_f64();
    if let (Some(properties), Some(fields)) = (schema["properties"].as_object(), value.as_object()) {
        for required in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
            if !fields.contains_key(required) {
                faults.push(format!("{path}.{required}: Required value"));
            }
        }
        for (name, field) in fields {
            match properties.get(name) {
                Some(schema) => shape(&format!("{path}.{name}"), schema, field, faults),
                None => faults.push(format!("unknown field \"{path}.{name}\"")),
            }
        }
    }
    if let Some(items) = value.as_array() {
        for item in items {
            shape(&format!("{path}[]"), &schema["items"], item, faults);
        }
        let too_many = number("maxItems").is_some_and(|most| number_of(items.len()) > most);
        let is_set = schema["x-kubernetes-list-type"] == "set";
        let twice = is_set && items.iter().enumerate().any(|(at, item)| items[..at].contains(item));
        if too_many || twice {
            faults.push(format!("{path}: too many items, or one twice"));
        }
    }
    if let Some(text) = value.as_str() {
        let length = number_of(text.chars().count());
        let fits = number("minLength").is_none_or(|least| length >= least)
            && number("maxLength").is_none_or(|most| length <= most);
        let matches =
            schema["pattern"].as_str().is_none_or(|pattern| Regex::new(pattern).unwrap().is_match(text));
        let is_time = schema["format"] != "date-time"
            || time::OffsetDateTime::parse(text, &time::format_description::well_known::Rfc3339).is_ok();
        let is_one = schema["enum"].as_array().is_none_or(|values| values.contains(value));
        if !(fits && matches && is_time && is_one) {
            faults.push(format!("{path}: Invalid value: \"{text}\""));
        }
    }
    if let Some(value) = value.as_f64() {
        let fits = number("minimum").is_none_or(|least| value >= least)
            && number("maximum").is_none_or(|most| value <= most);
        if !fits {
            faults.push(format!("{path}: Invalid value: {value}"));
        }
    }
}

fn number_of(things: usize) -> f64 {
    u32::try_from(things).unwrap_or(u32::MAX).into()
}

/// The table of `kubectl get`.
pub fn table(objects: &[Value], version: u64) -> Value {
    let columns = VERSION["additionalPrinterColumns"].as_array().unwrap();
    let name =
        json!({ "name": "Name", "type": "string", "format": "name", "description": "", "priority": 0 });
    let definitions = columns.iter().map(|column| {
        json!({ "name": column["name"], "type": column["type"], "format": "", "description": "", "priority": 0 })
    });
    let rows = objects.iter().map(|object| {
        let cells = columns.iter().map(|column| {
            let pointer = column["jsonPath"].as_str().unwrap_or_default().replace('.', "/");
            // The real server computes the age; here it is the timestamp.
            object.pointer(&pointer).cloned().unwrap_or(Value::Null)
        });
        let cells: Vec<Value> = [object["metadata"]["name"].clone()].into_iter().chain(cells).collect();
        let partial = json!({
            "kind": "PartialObjectMetadata", "apiVersion": "meta.k8s.io/v1", "metadata": object["metadata"],
        });
        json!({ "cells": cells, "object": partial })
    });
    let definitions: Vec<Value> = [name].into_iter().chain(definitions).collect();
    json!({
        "kind": "Table", "apiVersion": "meta.k8s.io/v1",
        "metadata": { "resourceVersion": version.to_string() },
        "columnDefinitions": definitions,
        "rows": rows.collect::<Vec<Value>>(),
    })
}
