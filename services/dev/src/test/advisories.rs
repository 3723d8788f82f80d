//! Known vulnerabilities in dependencies: `RustSec` advisories for crates, the npm registry's for packages.
//!
//! The data is fetched if a network is available, and kept in the state folder. Without a network the kept
//! data is used and its age is printed; without any data the check counts as skipped.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use runner::inputs::{all, stamp};
use runner::npm::npm;
use runner::places;
use serde_json::{Value, json};
use tokio::process::Command;
use tooling::command::{ProgramOutput, run};
use tooling::failure::{Doing as _, Outcome, fail};

use super::Session;

/// Longest fetch; beyond it there is no network.
const FETCH_LIMIT: Duration = Duration::from_mins(1);
/// Age at which data counts as stale.
const STALE: Duration = Duration::from_hours(14 * 24);
/// npm packages whose advisories do not apply, each with the reason.
const ACCEPTED: [(&str, &str); 0] = [];

impl Session {
    /// Checks crates and packages.
    pub(super) async fn advisories(&mut self, deny: &Path) -> Outcome {
        let folder = self.state.path("advisories");
        fs::create_dir_all(&folder).doing(|| format!("making {}", folder.display()))?;
        self.crate_advisories(deny, &folder).await?;
        for (name, packages) in
            [("the site's packages", places::web()), ("own tools' packages", places::tools())]
        {
            self.package_advisories(name, &packages, &folder).await?;
        }
        Ok(())
    }

    /// Runs cargo-deny with the database of advisories in the state folder.
    async fn crate_advisories(&mut self, deny: &Path, folder: &Path) -> Outcome {
        let name = "advisories of crates";
        let begun = Instant::now();
        let database = folder.join("crates");
        let config = folder.join("deny.toml");
        let rules =
            fs::read_to_string(places::repository().join("deny.toml")).doing(|| "reading deny.toml")?;
        fs::write(&config, with_database(&rules, &database)?)?;
        let fetched = folder.join("crates.fetched");
        let command = |arguments: &[&str]| {
            let mut command = Command::new(deny);
            command.current_dir(places::repository()).args(arguments);
            command
        };
        let config = config.display().to_string();
        let fetch = limited(&mut command(&["--config", &config, "fetch", "db"])).await?;
        if fetch.is_some_and(|ended| ended.status.success()) {
            fs::write(&fetched, "").doing(|| format!("writing {}", fetched.display()))?;
        }
        let Some(age) = age(&fetched) else {
            self.report.add_skipped(name, "not available: no network, and none were downloaded before");
            return Ok(());
        };
        let mut check = command(&["--offline", "--config", &config, "check", "advisories"]);
        let ended = run(&mut check).await?;
        self.advised(name, ended.status.success().then_some(()).ok_or(ended.output), age, begun);
        Ok(())
    }

    /// Runs `npm audit` for the packages in `packages`. The last result is kept until their lock file
    /// changes.
    async fn package_advisories(&mut self, name: &str, packages: &Path, folder: &Path) -> Outcome {
        let name = format!("advisories of {name}");
        let begun = Instant::now();
        let lock = stamp(&[&packages.join("package-lock.json")], &all)?;
        let kept = folder.join(format!("npm-{lock}.json"));
        let mut audit = npm(&self.state, packages)?;
        audit.args(["audit", "--json", "--package-lock-only"]);
        if let Some(ended) = limited(&mut audit).await?
            && parse(&ended.stdout).is_some()
        {
            fs::write(&kept, &ended.stdout).doing(|| format!("writing {}", kept.display()))?;
        }
        let report = fs::read_to_string(&kept).ok().and_then(|text| parse(&text));
        let (Some(report), Some(age)) = (report, age(&kept)) else {
            self.report.add_skipped(
                &name,
                "not available: the registry did not answer, and there is no earlier result for this lock file",
            );
            return Ok(());
        };
        let found = vulnerable(&report, &ACCEPTED);
        self.advised(&name, if found.is_empty() { Ok(()) } else { Err(found.join("\n")) }, age, begun);
        Ok(())
    }

    /// Counts the result, and prints the age of the data.
    fn advised(&mut self, name: &str, verdict: Result<(), String>, age: Duration, begun: Instant) {
        self.steps.say(&format!("{name}: {}", freshness(age)));
        match verdict {
            Ok(()) => self.report.add_passed(name, begun),
            Err(why) => self.report.add_failed(name, &why),
        }
    }
}

/// Runs `command`. Returns `None` if it exceeds the time limit.
async fn limited(command: &mut Command) -> Outcome<Option<ProgramOutput>> {
    tokio::time::timeout(FETCH_LIMIT, run(command)).await.ok().transpose()
}

/// Returns the rules of deny.toml with this folder of the database.
fn with_database(rules: &str, database: &Path) -> Outcome<String> {
    let section = "[advisories]\n";
    if !rules.contains(section) {
        return fail("deny.toml has no [advisories]");
    }
    Ok(rules.replacen(section, &format!("{section}db-path = {}\n", json!(database)), 1))
}

/// Time since `file` was written.
fn age(file: &PathBuf) -> Option<Duration> {
    fs::metadata(file).ok()?.modified().ok()?.elapsed().ok()
}

fn freshness(age: Duration) -> String {
    let days = age.as_secs() / (24 * 60 * 60);
    match days {
        0 => "data of today".to_owned(),
        _ if age > STALE => format!("WARNING: data is stale, {days} days old: run it once with a network"),
        _ => format!("data is {days} days old"),
    }
}

/// Parses a complete result of `npm audit`. If the registry does not answer, npm prints another document.
fn parse(text: &str) -> Option<Value> {
    let report: Value = serde_json::from_str(text).ok()?;
    report["vulnerabilities"].is_object().then_some(report)
}

/// Returns the packages with an advisory that is not accepted.
fn vulnerable(report: &Value, accepted: &[(&str, &str)]) -> Vec<String> {
    let empty = serde_json::Map::new();
    let found = report["vulnerabilities"].as_object().unwrap_or(&empty);
    found
        .iter()
        .filter(|(name, _)| accepted.iter().all(|(package, _)| package != name))
        .map(|(name, one)| {
            let titles = one["via"].as_array().into_iter().flatten();
            let titles: Vec<&str> =
                titles.filter_map(|via| via["title"].as_str().or_else(|| via.as_str())).collect();
            let severity = one["severity"].as_str().unwrap_or("unknown");
            let range = one["range"].as_str().unwrap_or("*");
            format!("{name} {range}: {severity}: {}", titles.join("; "))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_advisory_of_a_package_is_reported_unless_it_is_accepted() {
        let report = parse(
            r#"{"auditReportVersion": 2, "vulnerabilities": {
                "a": {"severity": "high", "range": "<1.2", "via": [{"title": "Reads any file"}]},
                "b": {"severity": "low", "range": "*", "via": ["a"]}
            }}"#,
        )
        .expect("parse the report");
        let accepted = [("b", "it never reads a file")];
        assert_eq!(vulnerable(&report, &accepted), ["a <1.2: high: Reads any file"]);
        assert_eq!(vulnerable(&report, &[]).len(), 2);
    }

    #[test]
    fn a_registry_that_refuses_leaves_no_report() {
        assert_eq!(parse(r#"{"message": "405 Method Not Allowed", "error": {}}"#), None);
        assert_eq!(parse(""), None);
    }

    #[test]
    fn data_older_than_a_fortnight_is_stale() {
        let days = |days: u64| Duration::from_hours(24 * days);
        assert_eq!(freshness(days(0)), "data of today");
        assert_eq!(freshness(days(14)), "data is 14 days old");
        assert!(freshness(days(15)).contains("stale, 15 days old"));
    }

    #[test]
    fn the_rules_get_the_folder_of_the_database() {
        let rules = with_database("[graph]\n[advisories]\nignore = []\n", Path::new("/x"))
            .expect("the file has the section");
        assert_eq!(rules, "[graph]\n[advisories]\ndb-path = \"/x\"\nignore = []\n");
        assert!(with_database("[bans]\n", Path::new("/x")).is_err());
    }
}
