//! Calls every operation of the API as its document allows. Whatever is sent, the response is never 5xx.

use std::net::SocketAddr;

use ::http::header::CONTENT_TYPE;
use ::http::{Method, Request};
use bytes::Bytes;
use runner::http;
use tokio::process::Command;
use tooling::failure::{Doing as _, Outcome, fail};

use super::Session;

/// Number of examples for each operation.
const EXAMPLES: &str = "20";
/// Runs last, because it ends the session of the caller.
const LOGOUT: &str = "/api/accounts/logout/";

impl Session {
    /// Reads the calendar files, then runs schemathesis for /api/schema/ as a signed-in learner.
    pub(super) async fn schema(&mut self) -> Outcome {
        self.calendars().await?;
        let Some(environment) = self.environment("schemathesis").await? else {
            self.report.add_skipped("schemathesis", "python3 is not installed");
            return Ok(());
        };
        let schemathesis = environment.join("bin/schemathesis");
        let product = self.product().await?;
        let (origin, gateway) = (product.origin(), SocketAddr::from(([127, 0, 0, 1], product.options.port)));
        let token = sign_in(gateway, "second@demo.example").await?;
        for (name, choice) in [("all calls but logout", "--exclude-path"), ("logout", "--include-path")] {
            let mut command = Command::new(&schemathesis);
            command
                .current_dir(self.state.root())
                .args(["run", &format!("{origin}/api/schema/"), "--max-examples", EXAMPLES])
                .args(["--checks", "not_a_server_error", "--phases", "examples,coverage,fuzzing"])
                .args(["--header", &format!("Authorization: Bearer {token}"), choice, LOGOUT]);
            self.report.run_check(&format!("schemathesis: {name}"), &mut command).await?;
        }
        Ok(())
    }
}

/// Returns the access token of a demo account.
pub(super) async fn sign_in(gateway: SocketAddr, email: &str) -> Outcome<String> {
    let body = serde_json::json!({"email": email, "password": "demo-konomana-2026"}).to_string();
    let request = Request::builder()
        .method(Method::POST)
        .uri("/api/accounts/login/")
        .header(CONTENT_TYPE, "application/json")
        .body(Bytes::from(body))?;
    let (status, body) = http::send(gateway, request).await?;
    let answer: serde_json::Value =
        serde_json::from_slice(&body).doing(|| format!("signing in: {status}"))?;
    match answer["access_token"].as_str() {
        Some(token) => Ok(token.to_owned()),
        None => fail(format!("signing in answers {status}")),
    }
}
