//! Reads every calendar file of the product with the Python package icalendar, which other authors wrote.

use std::fs;
use std::net::SocketAddr;
use std::path::Path;

use ::http::header::AUTHORIZATION;
use ::http::{Method, Request};
use bytes::Bytes;
use runner::{http, npm, places};
use tokio::process::Command;
use tooling::command::run_or_fail;
use tooling::failure::{Outcome, fail};

use super::Session;
use super::schema::sign_in;

/// Files that the unit tests of the site keep, with what they must say.
const SITE_FILES: [&str; 4] = ["event", "interview", "class", "exam"];
const SUBSCRIPTION: &str = "subscription";
/// A learner of the demo with live lessons.
const LEARNER: &str = "adult@demo.example";
const ADDRESS: &str = "/api/desk/calendar/";

impl Session {
    /// Checks the files of the site, and the subscription of a learner in the running product.
    pub(super) async fn calendars(&mut self) -> Outcome {
        let Some(environment) = self.environment("icalendar").await? else {
            self.report.add_skipped("calendar files", "python3 is not installed");
            return Ok(());
        };
        let folder = self.state.path("calendars");
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        fs::create_dir(&folder)?;
        npm::install(&places::web(), &self.state).await?;
        let mut tests = npm::npm(&self.state, &places::web())?;
        tests
            .args(["exec", "--", "vitest", "run", "--project", "unit", "Calendar.test"])
            .env("CALENDAR_FOLDER", &folder);
        run_or_fail(&mut tests, &self.state.log("calendars")).await?;
        let product = self.product().await?;
        let gateway = SocketAddr::from(([127, 0, 0, 1], product.options.port));
        keep_subscription(gateway, &folder).await?;
        let mut reading = Command::new(environment.join("bin/python"));
        reading
            .arg(places::tools().join("read_calendars.py"))
            .arg(&folder)
            .args(SITE_FILES)
            .arg(SUBSCRIPTION);
        self.report.run_check("calendar files", &mut reading).await?;
        Ok(())
    }
}

/// Makes an address for the learner and reads it as a calendar app does.
async fn keep_subscription(gateway: SocketAddr, folder: &Path) -> Outcome {
    let request = Request::builder()
        .method(Method::POST)
        .uri(ADDRESS)
        .header(AUTHORIZATION, format!("Bearer {}", sign_in(gateway, LEARNER).await?))
        .body(Bytes::new())?;
    let (status, body) = http::send(gateway, request).await?;
    let made: serde_json::Value = serde_json::from_slice(&body)?;
    let token = made["url"].as_str().and_then(|url| url.rsplit('/').next());
    let Some(token) = token else { return fail(format!("making a calendar address answers {status}")) };
    let (status, calendar) = http::get(gateway, &format!("{ADDRESS}{token}"), None).await?;
    if status != 200 {
        return fail(format!("a calendar address answers {status}"));
    }
    fs::write(folder.join(format!("{SUBSCRIPTION}.ics")), calendar)?;
    // The dates of the demo are relative to its import.
    fs::write(folder.join(format!("{SUBSCRIPTION}.json")), "null")?;
    Ok(())
}
