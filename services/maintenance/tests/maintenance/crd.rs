//! The definition of `MaintenanceWindow`: the committed file is up to date, and it rejects the same windows as the
//! file parser.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[test]
fn the_committed_definition_is_up_to_date() {
    let path = repository().join("k8s/base/maintenance/crd.yaml");
    let committed = std::fs::read_to_string(path).unwrap();
    let hint = "cargo run --bin maintenance -- crd > k8s/base/maintenance/crd.yaml";
    assert!(committed == maintenance::format_crd().unwrap(), "generate it again: {hint}");
}

fn example() -> Value {
    json!({
        "apiVersion": "ops.konomana.jp/v1alpha1", "kind": "MaintenanceWindow", "metadata": { "name": "upgrade" },
        "spec": {
            "scope": "Learning", "mode": "ReadOnly",
            "startsAt": "2026-11-21T18:00:00+09:00", "endsAt": "2026-11-21T20:00:00+09:00",
            "title": "システムメンテナンスのお知らせ", "message": "しばらくお待ちください。",
            "statusUrl": "https://status.konomana.jp/upgrade", "retryAfterSeconds": 120,
            "bypassScopes": ["staff:support", "staff"], "suspend": false,
        },
    })
}

/// The example with one field of its spec replaced or removed.
fn with(field: &str, value: Option<Value>) -> Value {
    let mut window = example();
    let spec = window["spec"].as_object_mut().unwrap();
    match value {
        Some(value) => spec.insert(field.to_owned(), value),
        None => spec.remove(field),
    };
    window
}

/// Whether the definition and the file parser accept a window.
fn verdicts(window: &Value) -> (bool, bool) {
    // JSON is valid YAML.
    (apiserver::schema::faults(window).is_empty(), maintenance::parse_windows(&window.to_string()).is_ok())
}

#[test]
fn the_definition_and_the_file_parser_accept_the_same_windows() {
    for window in [
        example(),
        with("startsAt", None),
        with("endsAt", None),
        with("endsAt", Some("2026-11-21T09:00:01Z".into())),
        with("statusUrl", None),
        with("statusUrl", Some("https://[::1]:8443/a?b=c#d".into())),
        with("retryAfterSeconds", None),
        with("retryAfterSeconds", Some(86_400.into())),
        with("bypassScopes", None),
        with("bypassScopes", Some(json!([]))),
        with("suspend", None),
        with("title", Some("あ".repeat(100).into())),
        with("message", Some("あ".repeat(1_000).into())),
    ] {
        assert_eq!(verdicts(&window), (true, true), "{window}");
    }
}

#[test]
fn the_definition_and_the_file_parser_refuse_the_same_windows() {
    let many: Vec<String> = (b'a'..=b'u').map(|letter| char::from(letter).to_string()).collect();
    for window in [
        with("scope", None),
        with("scope", Some("Everything".into())),
        with("mode", None),
        with("mode", Some("Half".into())),
        with("title", None),
        with("title", Some("".into())),
        with("title", Some(" \u{3000}\n".into())),
        with("title", Some("あ".repeat(101).into())),
        with("message", None),
        with("message", Some(" ".into())),
        with("message", Some("あ".repeat(1_001).into())),
        with("endsAt", Some("2026-11-21T18:00:00+09:00".into())),
        with("endsAt", Some("2026-11-21T08:59:59Z".into())),
        with("startsAt", Some("tomorrow".into())),
        with("startsAt", Some("2026-11-21 18:00".into())),
        with("statusUrl", Some("http://status.konomana.jp".into())),
        with("statusUrl", Some("status.konomana.jp".into())),
        with("statusUrl", Some("".into())),
        with("statusUrl", Some(format!("https://konomana.jp/{}", "a".repeat(2_000)).into())),
        with("retryAfterSeconds", Some(0.into())),
        with("retryAfterSeconds", Some((-1).into())),
        with("retryAfterSeconds", Some(86_401.into())),
        with("bypassScopes", Some(json!(["staff support"]))),
        with("bypassScopes", Some(json!(["Staff"]))),
        with("bypassScopes", Some(json!(["staff:"]))),
        with("bypassScopes", Some(json!(["staff", "staff"]))),
        with("bypassScopes", Some(json!(many))),
        with("bypassScopes", Some(json!(["a".repeat(101)]))),
        with("suspend", Some("yes please".into())),
        with("endAt", Some("2026-11-21T20:00:00+09:00".into())),
        with("startsAt", Some(Value::Null)),
        with("endsAt", Some(Value::Null)),
        with("statusUrl", Some(Value::Null)),
        with("retryAfterSeconds", Some(Value::Null)),
    ] {
        assert_eq!(verdicts(&window), (false, false), "{window}");
    }
}

#[test]
fn each_rule_of_the_definition_has_its_own_message() {
    for (window, words) in [
        (with("endsAt", Some("2026-11-21T17:00:00+09:00".into())), "endsAt must be after startsAt"),
        (with("statusUrl", Some("ftp://konomana.jp".into())), "statusUrl must be an https address"),
        (with("title", Some(" ".into())), "title must not be blank"),
        (with("message", Some(" ".into())), "message must not be blank"),
    ] {
        let faults = apiserver::schema::faults(&window);
        assert!(faults.len() == 1 && faults[0].contains(words), "{faults:?}");
    }
}

#[test]
fn no_optional_field_is_nullable_and_every_text_has_a_limit() {
    fn check_schema(path: &str, schema: &Value) {
        assert_ne!(schema["nullable"], true, "{path}");
        let is_bounded =
            !schema["maxLength"].is_null() || !schema["enum"].is_null() || !schema["format"].is_null();
        assert!(schema["type"] != "string" || is_bounded, "{path}");
        for (name, field) in schema["properties"].as_object().into_iter().flatten() {
            check_schema(&format!("{path}.{name}"), field);
        }
        if !schema["items"].is_null() {
            check_schema(&format!("{path}[]"), &schema["items"]);
        }
    }
    check_schema("spec", &apiserver::schema::openapi()["properties"]["spec"]);
}
