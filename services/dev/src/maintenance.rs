//! `cargo dev maintenance`: declares maintenance windows, and waits until the edge shows them.

use std::fs;
use std::net::SocketAddr;
use std::path::Path;
use std::time::{Duration, Instant};

use runner::product::MAINTENANCE_FILE;
use runner::state::State;
use runner::{http, places};
use serde_json::Value;
use tokio::process::Command;
use tooling::command::run_or_fail;
use tooling::failure::{Doing as _, Outcome, fail};
use tooling::steps::duration;

use crate::cli;

/// Longest time until the edge shows a change.
const SEEN_LIMIT: Duration = Duration::from_secs(10);
/// Polling interval of the edge.
const SEEN_POLL: Duration = Duration::from_millis(50);
/// The window that `on` declares.
const CLOSED: &str = "\
apiVersion: ops.konomana.jp/v1alpha1
kind: MaintenanceWindow
metadata:
  name: cargo-dev
spec:
  scope: Site
  mode: Full
  title: ただいまメンテナンス中です
  message: しばらくしてから、もう一度お試しください。
";

/// Declares the windows of `arguments`, and prints the windows that the edge shows.
pub(crate) async fn declare(arguments: &cli::Maintenance) -> Outcome {
    let root = places::state(arguments.at.state.as_deref());
    let state = State::existing(&root)?.filter(|state| state.runner().is_some());
    let Some((state, port)) = state.and_then(|state| state.kept_port("edge").map(|port| (state, port)))
    else {
        return fail("no product is running: start one with cargo dev up");
    };
    let edge = SocketAddr::from(([127, 0, 0, 1], port));
    let file = state.path(MAINTENANCE_FILE);
    let text = match arguments.what.as_str() {
        "on" => CLOSED.to_owned(),
        "off" => String::new(),
        given => read_windows(Path::new(given), &state).await?,
    };
    let before = fetch_windows(edge).await?;
    // Replaced by a rename, because the service may read the file at any time.
    let next = file.with_extension("next");
    fs::write(&next, &text)
        .and_then(|()| fs::rename(&next, &file))
        .doing(|| format!("writing {}", file.display()))?;
    let begun = Instant::now();
    loop {
        let now = fetch_windows(edge).await?;
        let is_there = match arguments.what.as_str() {
            "on" => now.iter().any(|window| window["name"] == "cargo-dev" && window["active"] == true),
            "off" => now.is_empty(),
            _ => now != before,
        };
        if is_there {
            report(&now, begun.elapsed());
            return Ok(());
        }
        if begun.elapsed() > SEEN_LIMIT {
            if now == before && !["on", "off"].contains(&arguments.what.as_str()) {
                report(&now, begun.elapsed());
                println!(
                    "nothing changed: windows that have ended, or start in more than 24 hours, are not shown"
                );
                return Ok(());
            }
            return fail(format!(
                "the edge does not show the change after {}: see cargo dev logs maintenance",
                duration(SEEN_LIMIT)
            ));
        }
        tokio::time::sleep(SEEN_POLL).await;
    }
}

/// Reads a file of windows. Fails if the maintenance service finds it invalid.
async fn read_windows(file: &Path, state: &State) -> Outcome<String> {
    let text = fs::read_to_string(file).doing(|| format!("reading {}", file.display()))?;
    let mut check = Command::new(places::binary("maintenance", false));
    check.arg("check").arg(file);
    print!("{}", run_or_fail(&mut check, &state.log("maintenance-check")).await?);
    Ok(text)
}

/// Returns the windows as browsers see them.
async fn fetch_windows(edge: SocketAddr) -> Outcome<Vec<Value>> {
    let (status, body) = http::get(edge, "/api/maintenance/", None).await?;
    if status != 200 {
        return fail(format!("the edge answers {status} to GET /api/maintenance/"));
    }
    let mut answer: Value = serde_json::from_slice(&body)?;
    match answer["windows"].take() {
        Value::Array(windows) => Ok(windows),
        _ => fail("GET /api/maintenance/ has no windows"),
    }
}

fn report(windows: &[Value], took: Duration) {
    let took = duration(took);
    if windows.is_empty() {
        println!("the site is open (seen by the edge after {took})");
    }
    for window in windows {
        let text = |field: &str| window[field].as_str().unwrap_or("-").to_owned();
        println!(
            "{}: {} {}, {} — {} (seen by the edge after {took})",
            text("name"),
            text("scope"),
            text("mode"),
            if window["active"] == true { "closed now" } else { "planned" },
            text("title"),
        );
    }
}
