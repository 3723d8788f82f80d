//! Checks the collector's configuration: spans are refused when memory is short, masked before they are buffered, and
//! sampled so that failures and slow requests are kept.

use std::collections::BTreeSet;

use regex::Regex;
use serde_json::{Value, json};

use super::set::{Findings, Rule, Set, entries, find, list, text};
use super::settings;

/// The required order. Memory comes first, so refused spans cost nothing. Masking comes before every processor that
/// buffers spans.
const PROCESSORS: [&str; 5] = ["memory_limiter", "redaction", "transform", "tail_sampling", "batch"];

/// Examples of personal data and secrets in a span, which must be masked.
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

/// Examples that must not be masked.
const HARMLESS: [&str; 5] = [
    "lms.v1.MarkService/SetFavorite",
    "/api/lms/favorite/{lesson}/",
    "SELECT inventory",
    "502",
    "10.244.1.17",
];

/// Patterns that `transform` must mask in the names and status messages of spans, which `redaction` skips.
const TRANSFORMED: [&str; 6] =
    ["(@|%40)", "eyJ", "{Han}", "{Hiragana}", "{Katakana}", "set(span.status.message, \"\")"];

/// Attributes that are not masked, because they identify the process and a random id can match any pattern.
const UNMASKED: [&str; 4] = ["service.name", "service.namespace", "service.version", "service.instance.id"];

/// The traces that sampling must keep.
const KEPT: [&str; 3] = [
    r#"status_code {"status_codes":["ERROR"]}"#,
    r#"latency {"threshold_ms":1000}"#,
    r#"probabilistic {"sampling_percentage":10}"#,
];

/// Longer than the time in which the edge always answers.
const DECISION_WAIT: &str = "12s";

/// Checks the collector, if the set has one.
pub(super) fn check(set: &Set, findings: &mut Findings) {
    for workload in set.workloads().filter(|workload| workload.name() == "collector") {
        let files = settings::mounted(set, workload);
        if files.is_empty() {
            find(findings, Rule::Telemetry, workload.object, "has no configuration file");
        }
        for fault in files.iter().flat_map(|(_, content)| faults(content)) {
            find(findings, Rule::Telemetry, workload.object, fault);
        }
    }
}

/// Finds the faults of a collector's configuration.
fn faults(content: &Value) -> Vec<String> {
    let mut faults = Vec::new();
    let pipelines: Vec<_> = entries(&content["service"]["pipelines"]).map(|(name, _)| name).collect();
    if pipelines != ["traces"] {
        faults.push(format!("unexpected pipelines {pipelines:?}"));
    }
    let pipeline = &content["service"]["pipelines"]["traces"]["processors"];
    if *pipeline != json!(PROCESSORS) {
        faults.push(format!("the processors are {pipeline}, not {PROCESSORS:?}"));
    }
    let processors = &content["processors"];
    if processors["redaction"]["allow_all_keys"] != false {
        faults.push("attributes that are not listed are kept".to_owned());
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
    faults.extend(TRANSFORMED.iter().filter(is_left).map(|part| format!("transform does not mask {part}")));
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
        let source = std::fs::read_to_string(path).expect("read the collector's configuration");
        serde_saphyr::from_str(&source).expect("parse YAML")
    }

    #[test]
    fn the_committed_configuration_has_no_faults() {
        assert_eq!(faults(&ours()), Vec::<String>::new());
    }

    #[test]
    fn seeded_faults_are_found() {
        let pipeline = "/service/pipelines/traces/processors";
        let faulty = [
            (pipeline, json!(["redaction", "transform", "tail_sampling", "batch"]), "the processors are"),
            (
                pipeline,
                json!(["memory_limiter", "tail_sampling", "redaction", "transform", "batch"]),
                "the processors are",
            ),
            ("/processors/redaction/allow_all_keys", json!(true), "are not listed"),
            ("/processors/redaction/ignored_keys/0", json!("db.statement"), "masks nothing in"),
            ("/processors/transform/trace_statements/0/statements", json!([]), "does not mask eyJ"),
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
        for (path, value, said) in faulty {
            let mut content = ours();
            let (parent, key) = path.rsplit_once('/').expect("the path begins with a slash");
            let parent = content.pointer_mut(parent).expect("the parent exists");
            match key.parse::<usize>() {
                Ok(place) => parent[place] = value,
                Err(_) => parent[key.replace("~1", "/")] = value,
            }
            let found = faults(&content);
            assert!(found.iter().any(|fault| fault.contains(said)), "{path}: {found:?}");
        }
    }
}
