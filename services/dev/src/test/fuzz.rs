//! Fuzz targets under libFuzzer, a minute each, two at a time.
//!
//! Stable Rust supports no sanitizers, but LLVM's coverage pass is available: a wrapper around rustc adds it
//! to the workspace's crates and to the code instantiated in them. Dependencies are those compiled for the
//! other tests.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::time::Instant;

use futures_util::StreamExt as _;
use runner::places;
use serde_json::Value;
use tokio::process::Command;
use tooling::command::{ProgramOutput, run, run_or_fail};
use tooling::failure::{Doing as _, Outcome, fail};

use super::Session;

/// Duration of each target in seconds.
const SECONDS: u32 = 60;
/// Number of targets that run concurrently.
const AT_ONCE: usize = 2;
/// Time limit of an input in seconds; beyond it the target fails.
const TIMEOUT: u32 = 10;
/// Memory limit of a target in MiB; beyond it the target fails.
const MEMORY: u32 = 1_024;
/// Arguments of rustc for the workspace's crates, except build scripts and generated code.
const WRAPPER: &str = r#"#!/bin/sh
# Written by `cargo dev test fuzz`: adds LLVM's coverage to our own crates.
case " $* " in
*" --crate-name auth "* | *" --crate-name commerce "* | *" --crate-name desk "* | *" --crate-name edge "* | \
*" --crate-name forms "* | *" --crate-name fuzz "* | *" --crate-name kit "* | *" --crate-name kit_content "* | \
*" --crate-name kit_db "* | *" --crate-name lms "* | *" --crate-name site "*)
    exec "$@" -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
        -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
        -Cllvm-args=-sanitizer-coverage-trace-compares -Ccodegen-units=1
    ;;
esac
exec "$@"
"#;

impl Session {
    /// Runs all targets: one for each folder of `services/fuzz/corpus`.
    pub(super) async fn fuzz(&mut self) -> Outcome {
        let folder = self.state.path("fuzz");
        fs::create_dir_all(&folder).doing(|| format!("making {}", folder.display()))?;
        let begun = Instant::now();
        let engine = engine(&folder, &self.state.log("fuzz-build")).await?;
        self.steps
            .say(&format!("the fuzz targets are built in {}", tooling::steps::duration(begun.elapsed())));
        let corpus = places::service("fuzz").join("corpus");
        let mut targets: Vec<String> = fs::read_dir(&corpus)
            .doing(|| format!("reading {}", corpus.display()))?
            .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
            .collect();
        targets.sort();
        let runs = targets.into_iter().map(|target| {
            let (engine, seeds, folder) = (engine.clone(), corpus.join(&target), folder.join(&target));
            async move {
                let begun = Instant::now();
                let ended = fuzz(&engine, &target, &seeds, &folder).await;
                (target, ended, begun)
            }
        });
        let mut runs = futures_util::stream::iter(runs).buffer_unordered(AT_ONCE);
        while let Some((target, ended, begun)) = runs.next().await {
            let ended = ended?;
            let name = format!("fuzz {target}: {} inputs", executed(&ended.output).unwrap_or_default());
            if ended.status.success() {
                self.report.add_passed(&name, begun);
            } else {
                let inputs = folder.join(&target).join("crashes");
                let kept = format!(
                    "the input is in {}; after the fix, add it to {}",
                    inputs.display(),
                    corpus.display()
                );
                self.report.add_failed(&name, &format!("{}\n{kept}", ended.output));
            }
        }
        Ok(())
    }
}

/// Builds the binary with all targets. Returns its path.
async fn engine(folder: &Path, log: &Path) -> Outcome<PathBuf> {
    let wrapper = folder.join("rustc");
    fs::write(&wrapper, WRAPPER).doing(|| format!("writing {}", wrapper.display()))?;
    fs::set_permissions(&wrapper, fs::Permissions::from_mode(0o755))?;
    let mut command = Session::cargo(&["test", "--workspace", "--no-run", "--message-format=json"]);
    command.args(["--features", "fuzz/engine", "--test", "engine"]).env("RUSTC_WORKSPACE_WRAPPER", &wrapper);
    let messages = run_or_fail(&mut command, log).await?;
    let built = messages.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let mut engines = built.filter(|message| message["target"]["name"] == "engine");
    match engines.find_map(|message| message["executable"].as_str().map(PathBuf::from)) {
        Some(engine) => Ok(engine),
        None => fail("cargo built no fuzz engine"),
    }
}

/// Runs a target. Its finds are kept in `folder`, where the next run starts.
async fn fuzz(engine: &Path, target: &str, seeds: &Path, folder: &Path) -> Outcome<ProgramOutput> {
    let (found, crashes) = (folder.join("corpus"), folder.join("crashes"));
    for path in [&found, &crashes] {
        fs::create_dir_all(path).doing(|| format!("making {}", path.display()))?;
    }
    let mut command = Command::new(engine);
    command
        .arg(format!("-max_total_time={SECONDS}"))
        .arg(format!("-timeout={TIMEOUT}"))
        .arg(format!("-rss_limit_mb={MEMORY}"))
        .args(["-print_final_stats=1", "-verbosity=0"])
        .arg(format!("-artifact_prefix={}/", crashes.display()))
        .arg(&found)
        .arg(seeds)
        .env("FUZZ_TARGET", target)
        .env("RUST_BACKTRACE", "1");
    run(&mut command).await
}

/// Returns the number of executed inputs.
fn executed(output: &str) -> Option<u64> {
    let (_, rest) = output.split_once("stat::number_of_executed_units:")?;
    rest.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::executed;

    #[test]
    fn the_number_of_inputs_is_read() {
        let said = "Done\nstat::number_of_executed_units: 271828\nstat::average_exec_per_sec:     4530\n";
        assert_eq!(executed(said), Some(271_828));
        assert_eq!(executed("ABORTING"), None);
    }
}
