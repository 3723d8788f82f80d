//! No log and no trace contains personal data: no mail address, name, password, token, code or
//! number.

use std::fs;
use std::path::Path;

use http::{Method, StatusCode};
use serde_json::{Value, json};

use crate::learner::{Answer, Learner};
use crate::mailbox::Mailbox;
use crate::product::{Product, RECOVERY, until};

const PASSWORD: &str = "つくえのうえのりんご七個";
const NEW_PASSWORD: &str = "まどのそとのくじら三頭";
const WRONG_PASSWORD: &str = "ゆかのしたのねずみ九匹";
/// Processes that must appear in the trace.
const TRACED: [&str; 5] = ["site GET ", "edge POST ", "auth auth.v1.", "desk common.v1.", "lms lms.v1."];

/// A browser whose requests all belong to one trace.
struct Browser {
    learner: Learner,
    product: Product,
    mailbox: Mailbox,
    trace: String,
    /// Texts that no log or trace may contain.
    canaries: Vec<String>,
}

impl Browser {
    async fn open() -> Self {
        let product = Product::start_with(&[]);
        let mailbox = Mailbox::open(&product);
        let trace = uuid::Uuid::now_v7().simple().to_string();
        let learner = Learner::stranger(&product.origin)
            .with("traceparent", format!("00-{trace}-b7ad6b7169203331-01"))
            .with("origin", &product.origin)
            .with("user-agent", "Mozilla/5.0 (Windows NT 10.0; Win64; x64) Firefox/130.0");
        let cookies = learner.get("/api/maintenance/").await.headers;
        let cookie = cookies["set-cookie"]
            .to_str()
            .expect("the cookie is ASCII")
            .split(';')
            .next()
            .unwrap_or_default();
        let (_, xsrf) = cookie.split_once('=').expect("a cookie has a value");
        let learner = learner.with("cookie", cookie).with("x-xsrf-token", xsrf);
        Self { learner, product, mailbox, trace, canaries: Vec::new() }
    }

    /// Adds a text that no log or trace may contain.
    fn add_canary<Text: Into<String>>(&mut self, canary: Text) -> String {
        let canary = canary.into();
        self.canaries.push(canary.clone());
        canary
    }

    /// Adds a field of an answer as a text that no log or trace may contain.
    fn add_canary_from(&mut self, answer: &Answer, name: &str) -> String {
        self.add_canary(answer.body[name].as_str().unwrap_or_else(|| panic!("no {name}: {}", answer.body)))
    }

    async fn open_page(&self, page: &str) {
        assert_eq!(self.learner.get(page).await.status, StatusCode::OK, "{page}");
    }

    async fn post(&self, path: &str, body: Value) -> Answer {
        let path = format!("/api/accounts/{path}/");
        let answer = self.learner.ask(Method::POST, &path, Some(body)).await;
        assert!(answer.status.is_success(), "{path}: {}", answer.body);
        answer
    }

    async fn put(&self, path: &str, body: Value) {
        let path = format!("/api/accounts/{path}/");
        let answer = self.learner.ask(Method::PUT, &path, Some(body)).await;
        assert_eq!(answer.status, StatusCode::OK, "{path}: {}", answer.body);
    }

    async fn post_rejected(&self, path: &str, body: Value) {
        let answer = self.learner.ask(Method::POST, &format!("/api/accounts/{path}/"), Some(body)).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{path}: {}", answer.body);
    }

    /// Returns the token in the link of a mail. `path` is the path before the token.
    async fn token(&mut self, email: &str, path: &str) -> String {
        let token = self.mailbox.link(email, &format!("{path}#token=")).await;
        self.add_canary(token)
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sign_up_and_what_follows_leave_nothing_of_the_person_in_logs_and_traces() {
    let mut browser = Browser::open().await;
    // Unique to this run: earlier runs may have left logs of the product.
    let name = browser.add_canary(format!("canary-{}", uuid::Uuid::now_v7().simple()));
    let [email, new_email, guardian] = ["", "-new", "-guardian"].map(|of| format!("{name}{of}@demo.example"));
    for password in [PASSWORD, NEW_PASSWORD, WRONG_PASSWORD] {
        browser.add_canary(password);
    }
    let code = sign_up(&mut browser, &email).await;
    lose_a_sign_up_race(&mut browser, &format!("{name}-race@demo.example")).await;
    edit_profile(&mut browser).await;
    request_guardian_consent(&mut browser, &guardian).await;
    let guardian_code = browser.post("guardian/code", json!({})).await;
    browser.add_canary_from(&guardian_code, "code");
    browser.post("export", json!({ "password": PASSWORD })).await;
    browser.post("email", json!({ "password": PASSWORD, "email": new_email })).await;
    browser.token(&email, "/confirm/stop").await;
    let token = browser.token(&new_email, "/confirm/email").await;
    browser.open_page("/confirm/email").await;
    browser.post("email/confirm", json!({ "token": token })).await;
    browser.token(&email, "/confirm/undo").await;
    reset_password(&mut browser, &new_email).await;
    // The last mail says that the password changed. Earlier mails have been sent by then.
    browser.mailbox.wait_for(&new_email, 3).await;
    assert_no_canary(&browser, &code).await;
}

/// Signs up a minor and enters a wrong code first. Returns the code.
async fn sign_up(browser: &mut Browser, email: &str) -> String {
    browser.open_page("/signup").await;
    let form =
        json!({ "email": email, "password": PASSWORD, "kind": "learner", "terms": true, "news": false });
    let started = browser.post("signup", form).await;
    let signup = browser.add_canary_from(&started, "signup");
    let code = browser.mailbox.code(email).await;
    browser.token(email, "/signup/verify").await;
    let wrong = if code == "271828" { "314159" } else { "271828" };
    browser.post_rejected("signup/verify", json!({ "signup": signup, "code": wrong })).await;
    browser.post("signup/verify", json!({ "signup": signup, "code": code })).await;
    let names = ["鬼灯", "あおい", "ホオズキ", "アオイ"].map(|name| browser.add_canary(name));
    let person = json!({
        "signup": signup, "last_name": names[0], "first_name": names[1], "last_name_kana": names[2],
        "first_name_kana": names[3], "birth_date": "2011-04-01", "school_year": null,
    });
    let tokens = browser.post("signup/complete", person).await;
    for token in ["access_token", "refresh_token"] {
        browser.add_canary_from(&tokens, token);
    }
    browser.learner = browser.learner.clone().signed_in(&tokens);
    code
}

/// Completes two confirmed sign-ups of one address. The database refuses the second, and its log
/// names the constraint.
async fn lose_a_sign_up_race(browser: &mut Browser, email: &str) {
    let form =
        json!({ "email": email, "password": PASSWORD, "kind": "guardian", "terms": true, "news": false });
    let mut sign_ups = Vec::new();
    for mails in 1..=2 {
        let started = browser.post("signup", form.clone()).await;
        sign_ups.push(browser.add_canary_from(&started, "signup"));
        browser.mailbox.wait_for(email, mails).await;
    }
    let codes = browser.mailbox.codes(email).await;
    for signup in &sign_ups {
        let mut statuses = Vec::new();
        for code in &codes {
            let body = json!({ "signup": signup, "code": code });
            let verify = "/api/accounts/signup/verify/";
            statuses.push(browser.learner.ask(Method::POST, verify, Some(body)).await.status);
        }
        assert!(statuses.iter().any(StatusCode::is_success), "one of the codes is right: {statuses:?}");
    }
    let person = |signup: &str| {
        json!({
            "signup": signup, "last_name": "竜胆", "first_name": "みずき", "last_name_kana": "リンドウ",
            "first_name_kana": "ミズキ", "birth_date": "1980-04-01", "school_year": null,
        })
    };
    let winner = browser.post("signup/complete", person(&sign_ups[0])).await;
    for token in ["access_token", "refresh_token"] {
        browser.add_canary_from(&winner, token);
    }
    let complete = "/api/accounts/signup/complete/";
    let loser = browser.learner.ask(Method::POST, complete, Some(person(&sign_ups[1]))).await;
    assert_eq!(loser.status, StatusCode::CONFLICT, "{}", loser.body);
    assert_eq!(loser.body["code"], "EMAIL_TAKEN");
}

/// Changes the names and sets an address and a telephone number.
async fn edit_profile(browser: &mut Browser) {
    let names = ["竜胆", "みずき", "リンドウ", "ミズキ"].map(|name| browser.add_canary(name));
    let school = browser.add_canary("あさがお第七中学校");
    let profile = json!({
        "last_name": names[0], "first_name": names[1], "last_name_kana": names[2], "first_name_kana": names[3],
        "birth_date": "2011-04-01", "school_year": null, "school_name": school, "news": true,
    });
    browser.put("profile", profile).await;
    let (town, building) = (browser.add_canary("つきみそう町8-41"), browser.add_canary("かたつむり荘203"));
    browser.add_canary("+819024681357");
    let address = json!({
        "postal_code": "1000013", "prefecture": "東京都", "city": "千代田区", "town": town,
        "building": building, "phone": browser.add_canary("090-2468-1357"),
    });
    browser.put("address", address).await;
}

/// A guardian consents by the link of the mail.
async fn request_guardian_consent(browser: &mut Browser, email: &str) {
    let name = browser.add_canary("鬼灯 かえで");
    let guardian = json!({ "name": name, "relation": "母", "email": email });
    browser.post("guardian/consent", guardian).await;
    let token = browser.token(email, "/confirm/guardian").await;
    browser.open_page("/confirm/guardian").await;
    browser.post("guardian/consent/check", json!({ "token": token })).await;
    let consent = json!({ "token": token, "guardian_name": name, "is_adult": true });
    browser.post("guardian/consent/confirm", consent).await;
}

/// Enters a wrong password, then sets a new one by the link of the mail. The path of its page
/// contains the token.
async fn reset_password(browser: &mut Browser, email: &str) {
    browser.post_rejected("login", json!({ "email": email, "password": WRONG_PASSWORD })).await;
    browser.post("password/reset", json!({ "email": email })).await;
    let link = browser.mailbox.link(email, "/login/password/reset/").await;
    let (uid, token) = link.split_once('/').expect("a link has an account and a token");
    browser.add_canary(token);
    browser.open_page(&format!("/login/password/reset/{link}")).await;
    browser.post("password/reset/check", json!({ "uid": uid, "token": token })).await;
    let new = json!({ "uid": uid, "token": token, "password": NEW_PASSWORD });
    browser.post("password/reset/confirm", new).await;
    browser.post("login", json!({ "email": email, "password": NEW_PASSWORD })).await;
}

/// Checks all logs and the trace.
async fn assert_no_canary(browser: &Browser, code: &str) {
    let mut trace = String::new();
    until(RECOVERY, "every process is in the trace", async || {
        trace = browser.product.run_command(&["trace", &browser.trace]);
        TRACED.iter().all(|process| trace.contains(process)) && trace.contains("send password_changed")
    })
    .await;
    let mut texts = vec![("the trace".to_owned(), trace)];
    read_texts(&browser.product.state().join("logs"), &mut texts);
    for process in ["site", "edge", "auth", "lms", "desk"] {
        let log = texts.iter().find(|(name, _)| name.ends_with(&format!("/{process}.log")));
        assert!(log.is_some_and(|(_, text)| text.contains(&browser.trace)), "{process} logs its requests");
    }
    let database = texts.iter().find(|(name, _)| name.ends_with("/postgres.log"));
    let refusal = "duplicate key value violates unique constraint \"account_email_unique\"";
    assert!(database.is_some_and(|(_, text)| text.contains(refusal)), "PostgreSQL logs a refused address");
    for (name, text) in &texts {
        for canary in &browser.canaries {
            assert!(!text.contains(canary), "{name} contains {canary}");
        }
        assert!(!contains_number(text, code), "{name} contains the code {code}");
    }
}

/// Whether a number stands alone in a text. Timestamps and ids may contain any six digits.
fn contains_number(text: &str, number: &str) -> bool {
    let goes_on = |char: char| char.is_ascii_alphanumeric() || char == '.';
    text.match_indices(number)
        .any(|(at, _)| !text[..at].ends_with(goes_on) && !text[at + number.len()..].starts_with(goes_on))
}

/// Reads all files in a folder as text.
fn read_texts(folder: &Path, texts: &mut Vec<(String, String)>) {
    for entry in fs::read_dir(folder).expect("the folder can be read") {
        let path = entry.expect("the folder can be listed").path();
        // The mail catcher's log contains mails. The catcher is not part of the product.
        if path.is_dir() {
            read_texts(&path, texts);
        } else if !path.ends_with("mail.log") {
            let content = fs::read(&path).expect("the log can be read");
            texts.push((path.display().to_string(), String::from_utf8_lossy(&content).into_owned()));
        }
    }
}
