//! The process: its state file, its settings and its end.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use http::Method;
use kit::test::{HandClock, Process, ask};

use crate::support::{KEY, NOW, SESSION, Sandbox, VERSION, WEBHOOK_SECRET};

/// A file that is deleted at the end of the test.
struct StateFile(PathBuf);

impl StateFile {
    fn new() -> Self {
        Self(PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{}.json", uuid::Uuid::now_v7())))
    }
}

impl Drop for StateFile {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

fn command(file: &StateFile) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sandbox"));
    command
        .env_clear()
        .args(["serve", "--listen", "127.0.0.1:0", "--metrics-listen", "127.0.0.1:0"])
        .args(["--key", KEY, "--webhook-secret", WEBHOOK_SECRET])
        // No server listens there, so events wait.
        .args(["--webhook-url", "http://127.0.0.1:1/"])
        .arg("--state")
        .arg(&file.0);
    command
}

#[test]
fn a_killed_process_goes_on_with_its_file() {
    let file = StateFile::new();
    let mut first = Process::start(&mut command(&file));
    let address = first.address("serving");
    let head = format!(
        "POST /v1/checkout/sessions HTTP/1.1\r\nAuthorization: Bearer {KEY}\r\nStripe-Version: {VERSION}\r\n\
         Idempotency-Key: KM-1:1\r\nContent-Type: application/x-www-form-urlencoded"
    );
    let body = form_urlencoded::Serializer::new(String::new()).extend_pairs(SESSION).finish();
    let created = ask(address, &head, &body);
    assert!(created.starts_with("HTTP/1.1 200"), "{created}");
    let id = created.split("\"id\":\"").nth(1).unwrap().split('"').next().unwrap();
    let pay = format!("POST /pay/{id} HTTP/1.1\r\nContent-Type: application/x-www-form-urlencoded");
    let paid = ask(address, &pay, "number=4242424242424242&expiry=12%2F34&cvc=123");
    assert!(paid.starts_with("HTTP/1.1 303"), "{paid}");
    // SIGKILL.
    drop(first);

    let mut second = Process::start(&mut command(&file));
    let address = second.address("serving");
    let replayed = ask(address, &head, &body);
    assert!(replayed.contains("idempotent-replayed: true") && replayed.contains(id), "{replayed}");
    let page = ask(address, &format!("GET /pay/{id} HTTP/1.1"), "");
    assert!(page.contains("お支払いは完了しています。"), "{page}");
    assert!(ask(address, "GET /readyz HTTP/1.1", "").starts_with("HTTP/1.1 200"));
}

#[test]
fn a_killed_process_still_has_money_customers_and_its_clock() {
    let file = StateFile::new();
    let mut first = Process::start(&mut command(&file));
    let address = first.address("serving");
    let head = |method: &str, path: &str| {
        format!(
            "{method} {path} HTTP/1.1\r\nAuthorization: Bearer {KEY}\r\nStripe-Version: {VERSION}\r\n\
             Content-Type: application/x-www-form-urlencoded"
        )
    };
    let created = ask(address, &head("POST", "/v1/customers"), "email=one%40konomana.example");
    let customer = created.split("\"id\":\"").nth(1).unwrap().split('"').next().unwrap();
    let transfer = format!("/tool/customers/{customer}/transfer");
    assert!(ask(address, &head("POST", &transfer), "amount=16500").starts_with("HTTP/1.1 303"));
    assert!(ask(address, &head("POST", "/tool/clock"), "days=7").starts_with("HTTP/1.1 303"));
    // SIGKILL.
    drop(first);

    let mut second = Process::start(&mut command(&file));
    let address = second.address("serving");
    let balance = ask(address, &head("GET", &format!("/v1/customers/{customer}/cash_balance")), "");
    assert!(balance.contains("\"jpy\":16500"), "{balance}");
    assert!(ask(address, "GET / HTTP/1.1", "").contains("実際の時刻に戻す"), "the clock is still turned");
}

#[tokio::test]
async fn events_that_wait_are_sent_after_a_restart() {
    let file = StateFile::new();
    let clock = HandClock::at(NOW);
    let first = Sandbox::start(Some(file.0.clone()), clock.clone()).await;
    first.switch("webhooks", "late").await;
    let id = first.create().await;
    first.pay(&id, "4242424242424242").await;
    drop(first);
    clock.advance(time::Duration::seconds(15));
    let mut second = Sandbox::start(Some(file.0.clone()), clock).await;
    second
        .receiver
        .expect(&["payment_intent.created", "payment_intent.succeeded", "checkout.session.completed"])
        .await;
    assert_eq!(second.session(&id).await["payment_status"], "paid");
}

#[tokio::test]
async fn a_file_that_cannot_be_written_fails_the_request_and_changes_nothing() {
    let file = StateFile::new();
    let sandbox = Sandbox::start(Some(file.0.join("folder-that-is-not-there")), HandClock::at(NOW)).await;
    let answer = sandbox.post("/v1/checkout/sessions", "", SESSION).await;
    assert_eq!(answer.problem(), (500, "api_error".to_owned(), String::new()));
    let headers = [("authorization", &*format!("Bearer {KEY}")), ("stripe-version", VERSION)];
    let list = sandbox.send(Method::GET, "/v1/checkout/sessions", &headers, &[]).await;
    assert_eq!(list.json()["data"].as_array().unwrap().len(), 0);
}

/// The error of a start with these settings.
fn start_error(file: &StateFile, settings: &[&str]) -> String {
    let output = command(file).args(settings).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn a_wrong_setting_is_one_line_that_shows_no_secret() {
    let file = StateFile::new();
    for (settings, name) in [
        (["--key", "sk_live_secret"], "SANDBOX_KEY"),
        (["--key", "secret"], "SANDBOX_KEY"),
        (["--webhook-secret", "secret"], "SANDBOX_WEBHOOK_SECRET"),
        (["--webhook-url", "https://site.test/"], "SANDBOX_WEBHOOK_URL"),
        (["--url", "http://site.test/sandbox"], "SANDBOX_URL"),
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sandbox"));
        let defaults =
            [("--key", KEY), ("--webhook-secret", WEBHOOK_SECRET), ("--webhook-url", "http://127.0.0.1:1/")];
        command.env_clear().args(["serve", "--listen", "127.0.0.1:0"]).args(settings);
        for (argument, value) in defaults.iter().filter(|(argument, _)| *argument != settings[0]) {
            command.args([argument, value]);
        }
        let output = command.output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        let words = String::from_utf8(output.stderr).unwrap();
        assert_eq!(words.lines().count(), 1, "{words}");
        assert!(words.contains(name) && !words.contains("secret\""), "{words}");
        assert!(!words.contains("sk_live_secret"), "{words}");
    }
    fs::write(&file.0, "{").unwrap();
    let words = start_error(&file, &[]);
    assert!(words.contains("SANDBOX_STATE is not a state of this version"), "{words}");
}
