//! Checks of alert rules and dashboards. promtool checks and tests the rules. Every alert has a severity, a test and a
//! runbook, and every metric is exposed by a process.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tokio::process::Command;
use tooling::failure::{Doing as _, Outcome, fail};

use super::metrics::Metrics;
use super::picture::{EXTERNAL_METRICS, RUNBOOK, SCRAPED_LABELS, SEVERITIES};
use super::promql;
use super::schema::documents;
use super::set::{Set, entries, list, name, text};
use super::tools;
use crate::Checks;
use crate::repository;

/// The rules of the sets, and their test files.
#[derive(Clone)]
struct Rules<'a> {
    /// Rule groups by the name of their object.
    groups: BTreeMap<String, Value>,
    /// The promtool test files below components/monitoring.
    tests: Vec<PathBuf>,
    /// The metrics that the services expose.
    metrics: &'a Metrics,
}

impl Checks<'_> {
    /// Runs all checks of rules and dashboards, if any set has rules.
    pub(super) async fn alerts(&mut self, sets: &[Set], log: &Path) -> Outcome {
        let metrics = Metrics::load(self.programs, log).await?;
        let rules = Rules::from_sets(sets, &metrics)?;
        if rules.groups.is_empty() {
            return fail("no set has a PrometheusRule, so no alert would fire");
        }
        let folder = self.folder.join("rules");
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        fs::create_dir_all(&folder)?;
        let promtool = tools::promtool(self.folder, self.report.steps).await?;
        for (name, groups) in &rules.groups {
            let file = folder.join(format!("{name}.yaml"));
            fs::write(&file, groups.to_string())?;
            let mut command = Command::new(&promtool);
            command.args(["check", "rules"]).arg(&file);
            self.report.run_check(&format!("promtool check rules: {name}"), &mut command).await?;
        }
        for test in &rules.tests {
            let file = rules.write_test(test, &folder)?;
            let mut command = Command::new(&promtool);
            command.args(["test", "rules"]).arg(&file);
            let shown = test.strip_prefix(repository()).unwrap_or(test);
            self.report.run_check(&format!("promtool test rules: {}", shown.display()), &mut command).await?;
        }
        self.report.add_verdict("every alert has a severity, a test and a runbook", &rules.alerts()?);
        self.report.add_verdict("every metric of a rule is exposed by a process", &rules.unknown_metrics());
        self.report.add_verdict("defects of rules are found", &rules.find_unseen_defects()?);
        let (count, unknown) = dashboards(sets, &rules)?;
        self.report
            .add_verdict(&format!("every metric of {count} dashboards is exposed by a process"), &unknown);
        Ok(())
    }
}

impl<'a> Rules<'a> {
    fn from_sets(sets: &[Set], metrics: &'a Metrics) -> Outcome<Self> {
        let mut groups = BTreeMap::new();
        for rule in sets.iter().flat_map(|set| set.objects_of_kind("PrometheusRule")) {
            let own = json!({ "groups": rule["spec"]["groups"] });
            if groups.insert(name(rule).to_owned(), own.clone()).is_some_and(|other| other != own) {
                return fail(format!("PrometheusRule {} differs from set to set", name(rule)));
            }
        }
        let mut tests = Vec::new();
        let folder = repository().join("k8s/components/monitoring");
        if folder.exists() {
            find_tests(&folder, &mut tests)?;
        }
        tests.sort();
        Ok(Self { groups, tests, metrics })
    }

    /// Writes a copy of a test file as promtool needs it: it refers to the rules of the rendered objects.
    fn write_test(&self, test: &Path, folder: &Path) -> Outcome<PathBuf> {
        let mut document = documents(test)?.into_iter().next().unwrap_or_default();
        let mut files = Vec::new();
        for named in list(&document["rule_files"]) {
            let path = test.parent().unwrap_or(test).join(text(named));
            let found = documents(&path)?.into_iter().find(|one| one["kind"] == "PrometheusRule");
            files.push(match found {
                Some(rule) if self.groups.contains_key(name(&rule)) => json!(format!("{}.yaml", name(&rule))),
                Some(rule) => {
                    return fail(format!("{}: no set has the rules {}", test.display(), name(&rule)));
                }
                None => json!(path.canonicalize().doing(|| format!("finding {}", path.display()))?),
            });
        }
        document["rule_files"] = Value::Array(files);
        let stem = test.file_stem().unwrap_or_default().to_string_lossy();
        let file = folder.join(format!("test-{stem}.yaml"));
        fs::write(&file, document.to_string())?;
        Ok(file)
    }

    fn rules(&self) -> impl Iterator<Item = &Value> {
        self.groups
            .values()
            .flat_map(|groups| list(&groups["groups"]))
            .flat_map(|group| list(&group["rules"]))
    }

    /// Finds alerts with a missing or invalid severity, test or runbook.
    fn alerts(&self) -> Outcome<Vec<String>> {
        let mut tested = BTreeSet::new();
        for test in &self.tests {
            for document in documents(test)? {
                for case in list(&document["tests"]).flat_map(|test| list(&test["alert_rule_test"])) {
                    if list(&case["exp_alerts"]).next().is_some() {
                        tested.insert(text(&case["alertname"]).to_owned());
                    }
                }
            }
        }
        let mut wrong = Vec::new();
        let mut runbooks = BTreeSet::new();
        for rule in self.rules().filter(|rule| rule["alert"].is_string()) {
            let alert = text(&rule["alert"]);
            if !SEVERITIES.contains(&text(&rule["labels"]["severity"])) {
                wrong.push(format!(
                    "{alert}: severity is {}, not one of {SEVERITIES:?}",
                    rule["labels"]["severity"]
                ));
            }
            if !tested.contains(alert) {
                wrong.push(format!("{alert}: no test expects it to fire"));
            }
            match runbook(rule) {
                Some(path) if repository().join(&path).is_file() => {
                    let content = fs::read_to_string(repository().join(&path))?;
                    let lacks = |heading: &&&str| {
                        !content.lines().any(|line| line.strip_prefix("## ") == Some(heading))
                    };
                    wrong.extend(
                        RUNBOOK.iter().filter(lacks).map(|heading| format!("{path} lacks '{heading}'")),
                    );
                    let commands = commands(&content);
                    if commands != 3 {
                        wrong.push(format!("{path} has {commands} first commands instead of three"));
                    }
                    runbooks.insert(path);
                }
                Some(path) => wrong.push(format!("{alert}: its runbook {path} does not exist")),
                None => wrong.push(format!("{alert}: has no runbook")),
            }
        }
        let folder = repository().join("k8s/runbooks");
        for entry in fs::read_dir(&folder).doing(|| format!("reading {}", folder.display()))? {
            let file = format!("k8s/runbooks/{}", entry?.file_name().to_string_lossy());
            if !file.ends_with("README.md") && !runbooks.contains(&file) {
                wrong.push(format!("{file}: no alert refers to it"));
            }
        }
        Ok(wrong)
    }

    /// Finds metrics of rules that no process exports.
    fn unknown_metrics(&self) -> Vec<String> {
        let named = |rule: &Value| {
            let own =
                text(if rule["alert"].is_string() { &rule["alert"] } else { &rule["record"] }).to_owned();
            self.unknown(&rule["expr"]).into_iter().map(move |what| format!("{own}: {what}"))
        };
        self.rules().flat_map(named).collect()
    }

    /// Finds the metrics of an expression that no process exports, no rule records and no known external program
    /// exports.
    fn unknown(&self, expression: &Value) -> Vec<String> {
        let recorded: BTreeSet<&str> = self.rules().filter_map(|rule| rule["record"].as_str()).collect();
        let mut unknown = Vec::new();
        for selector in promql::find_selectors(text(expression)) {
            let metric = selector.metric.as_str();
            if let Some(known) = self.metrics.labels(metric) {
                let labels = selector.labels.iter();
                let strange = labels
                    .filter(|label| !known.contains(*label) && !SCRAPED_LABELS.contains(&label.as_str()));
                unknown.extend(strange.map(|label| format!("{metric} has no label {label}")));
            } else if !recorded.contains(metric) && !EXTERNAL_METRICS.contains(&metric) {
                unknown.push(format!("no process exposes {metric}"));
            }
        }
        unknown
    }

    /// Seeds defects into the rules and returns those that the checks miss.
    fn find_unseen_defects(&self) -> Outcome<Vec<String>> {
        let spoiled: [(&str, &str, Value); 6] = [
            ("/labels/severity", "severity is", json!("loud")),
            ("/annotations/runbook", "does not exist", json!("k8s/runbooks/Nothing.md")),
            ("/annotations/runbook", "has no runbook", json!("see the wiki")),
            ("/alert", "no test expects it to fire", json!("KonomanaUntested")),
            ("/expr", "no process exposes", json!("edge_requests_total > 1")),
            ("/expr", "has no label", json!("konomana_build_info{color=\"red\"} > 1")),
        ];
        let mut unseen = Vec::new();
        for (path, said, value) in spoiled {
            let mut rules = self.clone();
            let rule =
                rules.groups.values_mut().filter_map(|groups| groups["groups"].as_array_mut()).flatten();
            let mut rule = rule.filter_map(|group| group["rules"].as_array_mut()).flatten();
            if let Some(place) =
                rule.find(|rule| rule["alert"].is_string()).and_then(|rule| rule.pointer_mut(path))
            {
                *place = value;
            }
            let all = [rules.alerts()?, rules.unknown_metrics()].concat();
            if !all.iter().any(|one| one.contains(said)) {
                unseen.push(format!("a defect at {path} was not reported as: {said}"));
            }
        }
        Ok(unseen)
    }
}

/// The file of a rule's runbook, from its path or its address.
fn runbook(rule: &Value) -> Option<String> {
    let annotations = &rule["annotations"];
    let given = annotations["runbook_url"].as_str().or_else(|| annotations["runbook"].as_str())?;
    let start = given.find("k8s/runbooks/")?;
    Some(given[start..].split(['#', '?']).next().unwrap_or_default().to_owned())
}

/// Counts the commands in a runbook's 'First three commands': lines in code blocks that are not comments.
fn commands(runbook: &str) -> usize {
    let section = runbook.split("\n## ").find(|section| section.starts_with(RUNBOOK[1])).unwrap_or_default();
    let fenced = section.split("```").skip(1).step_by(2);
    // The first line of a block names its language.
    fenced
        .flat_map(|block| block.lines().skip(1))
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .count()
}

/// Finds the test files: they have `rule_files`.
fn find_tests(folder: &Path, tests: &mut Vec<PathBuf>) -> Outcome {
    for entry in fs::read_dir(folder).doing(|| format!("reading {}", folder.display()))? {
        let path = entry?.path();
        if path.is_dir() {
            find_tests(&path, tests)?;
        } else if path.extension().is_some_and(|extension| extension == "yaml")
            && documents(&path)?.iter().any(|document| document["rule_files"].is_array())
        {
            tests.push(path);
        }
    }
    Ok(())
}

/// Counts the dashboards of the sets and finds their metrics that no process exports.
fn dashboards(sets: &[Set], rules: &Rules<'_>) -> Outcome<(usize, Vec<String>)> {
    let mut seen = BTreeSet::new();
    let mut unknown = Vec::new();
    for config in sets.iter().flat_map(|set| set.objects_of_kind("ConfigMap")) {
        for (file, source) in entries(&config["data"]).filter(|(file, _)| is_json(file)) {
            if !seen.insert(file.clone()) {
                continue;
            }
            let dashboard: Value = serde_json::from_str(text(source)).doing(|| format!("reading {file}"))?;
            let mut expressions = Vec::new();
            collect(&dashboard, &Value::Null, &mut expressions);
            if expressions.is_empty() {
                unknown.push(format!("{file}: has no expressions"));
            }
            for expression in expressions {
                unknown.extend(rules.unknown(expression).into_iter().map(|what| format!("{file}: {what}")));
            }
        }
    }
    Ok((seen.len(), unknown))
}

fn is_json(file: &str) -> bool {
    Path::new(file).extension().is_some_and(|extension| extension == "json")
}

/// Collects every `PromQL` expression below `value`. Expressions for Loki and Tempo are skipped.
fn collect<'a>(value: &'a Value, source: &'a Value, found: &mut Vec<&'a Value>) {
    match value {
        Value::Object(fields) => {
            let source = fields.get("datasource").unwrap_or(source);
            let foreign =
                ["loki", "tempo"].iter().any(|kind| source["type"] == *kind || source["uid"] == *kind);
            if let Some(expression) = fields.get("expr").filter(|_| !foreign) {
                found.push(expression);
            }
            for inner in fields.values() {
                collect(inner, source, found);
            }
        }
        Value::Array(elements) => {
            for inner in elements {
                collect(inner, source, found);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_runbook_is_a_file_of_the_repository() {
        let rule = |given: &str| json!({"annotations": {"runbook_url": given}});
        let at = |given: &str| runbook(&rule(given));
        assert_eq!(
            at("https://git.konomana.jp/blob/main/k8s/runbooks/edge.md#causes").as_deref(),
            Some("k8s/runbooks/edge.md")
        );
        assert_eq!(at("somewhere"), None);
        assert_eq!(runbook(&json!({})), None);
    }

    #[test]
    fn first_commands_are_counted() {
        let runbook = "# A\n\n## Symptom\nIt is.\n\n## First three commands\n```sh\n# Look\nls\n\n# Look again\nls && ls\n```\n\n## Likely causes\n```sh\nrm\n```\n";
        assert_eq!(commands(runbook), 2);
        assert_eq!(commands("# A\n"), 0);
    }

    #[test]
    fn metrics_that_no_process_exposes_are_found() {
        let mut metrics = Metrics::default();
        let json = r#"[{"name": "http_server_request_duration_seconds", "kind": "histogram", "labels": [], "help": ""}]"#;
        metrics.add(json).expect("it is a metric");
        let rules = Rules {
            groups: BTreeMap::from([(
                "x".to_owned(),
                json!({"groups": [{"rules": [
                    {"record": "job:requests:rate5m", "expr": "rate(http_server_request_duration_seconds_count[5m])"},
                    {"alert": "A", "expr": "job:requests:rate5m > 1 or up == 0"},
                    {"alert": "B", "expr": "http_server_request_duration_seconds > 1"},
                ]}]}),
            )]),
            tests: Vec::new(),
            metrics: &metrics,
        };
        assert_eq!(rules.unknown_metrics(), ["B: no process exposes http_server_request_duration_seconds"]);
    }
}
