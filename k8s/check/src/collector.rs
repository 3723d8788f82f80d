//! What the collector does with spans, by its file: it refuses before it drowns, masks before anything is kept, and keeps
//! what on-call looks for.

use std::collections::BTreeSet;

use regex::Regex;
use serde_json::{Value, json};

use super::set::{Findings, Rule, Set, entries, find, list, text};
use super::settings;

/// In this order. Memory first, as what is refused costs nothing; masking before whatever holds spans.
const PROCESSORS: [&str; 5] = ["memory_limiter", "redaction", "transform", "tail_sampling", "batch"];

/// What looks like a person or a secret, as it may stand in a span.
const PERSONAL: [&str; 13] = [
    "hanako@example.jp",
    "/users/hanako%40example.jp/",
    "eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl",
    "Bearer abc",
    "+819012345678",
    "tel +81-90-1234-5678",
    "090-1234-5678",
    "0312345678",
    "山田花子",
    "はなこ",
    "kana=ヤマダ",
    "wJ0v3m9Xl4x1QK7h2bT5dY8sR6aN0cE1fG3iU4oP7zA",
    "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
];

/// What on-call reads there.
const HARMLESS: [&str; 5] = [
    "lms.v1.MarkService/SetFavorite",
    "/api/lms/favorite/{lesson}/",
    "SELECT inventory",
    "502",
    "10.244.1.17",
];

/// Of what `transform` says of a span's name and of the words of its status, which `redaction` leaves alone.
const TRANSFORMED: [&str; 6] =
    ["(@|%40)", "eyJ", "{Han}", "{Hiragana}", "{Katakana}", "set(span.status.message, \"\")"];

/// Attributes that are not masked: they say which process it was, and its random id can look like anything.
const UNMASKED: [&str; 4] = ["service.name", "service.namespace", "service.version", "service.instance.id"];

/// What sampling keeps.
const KEPT: [&str; 3] = [
    r#"status_code {"status_codes":["ERROR"]}"#,
    r#"latency {"threshold_ms":1000}"#,
    r#"probabilistic {"sampling_percentage":10}"#,
];

/// Longer than the edge takes for an answer, whatever happens.
const DECISION_WAIT: &str = "12s";

/// All of it, where the set has a collector.
pub(super) fn check(set: &Set, findings: &mut Findings) {
    for workload in set.workloads().filter(|workload| workload.name() == "collector") {
        let files = settings::mounted(set, workload);
        if files.is_empty() {
            find(findings, Rule::Telemetry, workload.object, "no file says what it does");
        }
        for fault in files.iter().flat_map(|(_, content)| faults(content)) {
            find(findings, Rule::Telemetry, workload.object, fault);
        }
    }
}

/// What is wrong with a collector's file.
fn faults(content: &Value) -> Vec<String> {
    let mut faults = Vec::new();
    let pipelines: Vec<_> = entries(&content["service"]["pipelines"]).map(|(name, _)| name).collect();
    if pipelines != ["traces"] {
        faults.push(format!("there are pipelines {pipelines:?}"));
    }
    let pipeline = &content["service"]["pipelines"]["traces"]["processors"];
    if *pipeline != json!(PROCESSORS) {
        faults.push(format!("spans pass {pipeline}, not {PROCESSORS:?}"));
    }
    let processors = &content["processors"];
    if processors["redaction"]["allow_all_keys"] != false {
        faults.push("attributes that nobody listed are kept".to_owned());
    }
    if processors["redaction"]["ignored_keys"] != json!(UNMASKED) {
        faults.push(format!("masks nothing in {}", processors["redaction"]["ignored_keys"]));
    }
    if !processors["redaction"]["allowed_values"].is_null() {
        faults.push(format!("values may be {}", processors["redaction"]["allowed_values"]));
    }
    let statements: Vec<_> = list(&processors["transform"]["trace_statements"])
        .flat_map(|block| list(&block["statements"]))
        .map(text)
        .collect();
    let is_left = |part: &&&str| !statements.iter().any(|statement| statement.contains(**part));
    faults.extend(TRANSFORMED.iter().filter(is_left).map(|part| format!("transform does not say {part}")));
    let (masks, broken): (Vec<_>, Vec<_>) = list(&processors["redaction"]["blocked_values"])
        .map(|pattern| Regex::new(text(pattern)))
        .partition(Result::is_ok);
    faults.extend(broken.into_iter().filter_map(Result::err).map(|error| error.to_string()));
    let is_masked = |value: &str| masks.iter().flatten().any(|mask| mask.is_match(value));
    faults.extend(PERSONAL.iter().filter(|value| !is_masked(value)).map(|value| format!("keeps {value}")));
    faults.extend(HARMLESS.iter().filter(|value| is_masked(value)).map(|value| format!("masks {value}")));
    let kept: BTreeSet<String> =
        list(&processors["tail_sampling"]["policies"]).map(describe_policy).collect();
    let wanted = KEPT.map(str::to_owned).into();
    if kept != wanted {
        faults.push(format!("keeps {kept:?}, not {wanted:?}"));
    }
    if processors["tail_sampling"]["decision_wait"] != DECISION_WAIT {
        faults.push(format!("judges after {}", processors["tail_sampling"]["decision_wait"]));
    }
    faults
}

/// Describes the spans that a sampling policy keeps.
fn describe_policy(policy: &Value) -> String {
    let kind = text(&policy["type"]);
    format!("{kind} {}", policy[kind])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repository;

    fn ours() -> Value {
        let path = repository().join("k8s/components/telemetry/collector.yaml");
        let source = std::fs::read_to_string(path).expect("the collector has a file");
        serde_saphyr::from_str(&source).expect("it is YAML")
    }

    #[test]
    fn ours_masks_and_keeps_what_it_should() {
        assert_eq!(faults(&ours()), Vec::<String>::new());
    }

    #[test]
    fn one_that_somebody_spoiled_is_seen() {
        let pipeline = "/service/pipelines/traces/processors";
        let spoiled = [
            (pipeline, json!(["redaction", "transform", "tail_sampling", "batch"]), "spans pass"),
            (
                pipeline,
                json!(["memory_limiter", "tail_sampling", "redaction", "transform", "batch"]),
                "spans pass",
            ),
            ("/processors/redaction/allow_all_keys", json!(true), "nobody listed"),
            ("/processors/redaction/ignored_keys/0", json!("db.statement"), "masks nothing in"),
            ("/processors/transform/trace_statements/0/statements", json!([]), "does not say eyJ"),
            ("/processors/redaction/blocked_values", json!([".*"]), "masks SELECT"),
            ("/processors/redaction/blocked_values/0", json!("mail"), "keeps hanako@"),
            ("/processors/redaction/blocked_values/0", json!("("), "unclosed group"),
            ("/processors/tail_sampling/policies/0/status_code/status_codes/0", json!("OK"), "OK"),
            ("/processors/tail_sampling/policies/1/latency/threshold_ms", json!(5000), "5000"),
            ("/processors/tail_sampling/policies/1/latency/upper_threshold_ms", json!(2000), "upper"),
            ("/processors/tail_sampling/policies/2/probabilistic/sampling_percentage", json!(1), "\":1}"),
            ("/processors/tail_sampling/decision_wait", json!("1s"), "judges after \"1s\""),
            ("/processors/redaction/allowed_values", json!([".*"]), "values may be"),
            ("/service/pipelines/traces~1raw", json!({"receivers": ["otlp"]}), "traces/raw"),
        ];
        for (path, value, said) in spoiled {
            let mut content = ours();
            let (parent, key) = path.rsplit_once('/').expect("it begins with one");
            let parent = content.pointer_mut(parent).expect("it has that");
            match key.parse::<usize>() {
                Ok(place) => parent[place] = value,
                Err(_) => parent[key.replace("~1", "/")] = value,
            }
            let faults = faults(&content);
            assert!(faults.iter().any(|fault| fault.contains(said)), "{path}: {faults:?}");
        }
    }
}
