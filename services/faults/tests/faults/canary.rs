//! Nothing that belongs to a person is written where it does not belong: no mail address, name, password, token, code
//! or number of theirs in any log or trace of ours.

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
/// Where pages are opened and calls are made, so much must be told of it.
const PROCESSES: [&str; 5] = ["site GET ", "edge POST ", "auth auth.v1.", "desk common.v1.", "lms lms.v1."];

/// Somebody's browser, all of whose requests belong to one trace.
struct Browser {
    learner: Learner,
    product: Product,
    mailbox: Mailbox,
    trace: String,
    /// What nobody may read afterwards.
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
        let cookie =
            cookies["set-cookie"].to_str().expect("it is ASCII").split(';').next().unwrap_or_default();
        let (_, xsrf) = cookie.split_once('=').expect("a cookie has a value");
        let learner = learner.with("cookie", cookie).with("x-xsrf-token", xsrf);
        Self { learner, product, mailbox, trace, canaries: Vec::new() }
    }

    /// Nobody may read this afterwards.
    fn hides<Text: Into<String>>(&mut self, canary: Text) -> String {
        let canary = canary.into();
        self.canaries.push(canary.clone());
        canary
    }

    /// Nobody may read afterwards what an answer says there.
    fn hides_answer(&mut self, answer: &Answer, name: &str) -> String {
        self.hides(answer.body[name].as_str().unwrap_or_else(|| panic!("no {name}: {}", answer.body)))
    }

    async fn opens(&self, page: &str) {
        assert_eq!(self.learner.get(page).await.status, StatusCode::OK, "{page}");
    }

    async fn posts(&self, path: &str, body: Value) -> Answer {
        let path = format!("/api/accounts/{path}/");
        let answer = self.learner.ask(Method::POST, &path, Some(body)).await;
        assert!(answer.status.is_success(), "{path}: {}", answer.body);
        answer
    }

    async fn puts(&self, path: &str, body: Value) {
        let path = format!("/api/accounts/{path}/");
        let answer = self.learner.ask(Method::PUT, &path, Some(body)).await;
        assert_eq!(answer.status, StatusCode::OK, "{path}: {}", answer.body);
    }

    async fn fails(&self, path: &str, body: Value) {
        let answer = self.learner.ask(Method::POST, &format!("/api/accounts/{path}/"), Some(body)).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{path}: {}", answer.body);
    }

    /// The token in a link of a mail, by the path before it.
    async fn token(&mut self, email: &str, path: &str) -> String {
        let token = self.mailbox.link(email, &format!("{path}#token=")).await;
        self.hides(token)
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sign_up_and_what_follows_leave_nothing_of_the_person_in_logs_and_traces() {
    let mut browser = Browser::open().await;
    // Of this run's own: the product may have been here before.
    let name = browser.hides(format!("canary-{}", uuid::Uuid::now_v7().simple()));
    let [email, new_email, guardian] = ["", "-new", "-guardian"].map(|of| format!("{name}{of}@demo.example"));
    for password in [PASSWORD, NEW_PASSWORD, WRONG_PASSWORD] {
        browser.hides(password);
    }
    let code = sign_up(&mut browser, &email).await;
    lose_a_sign_up_race(&mut browser, &format!("{name}-race@demo.example")).await;
    tell_of_oneself(&mut browser).await;
    ask_a_guardian(&mut browser, &guardian).await;
    let guardian_code = browser.posts("guardian/code", json!({})).await;
    browser.hides_answer(&guardian_code, "code");
    browser.posts("export", json!({ "password": PASSWORD })).await;
    browser.posts("email", json!({ "password": PASSWORD, "email": new_email })).await;
    browser.token(&email, "/confirm/stop").await;
    let token = browser.token(&new_email, "/confirm/email").await;
    browser.opens("/confirm/email").await;
    browser.posts("email/confirm", json!({ "token": token })).await;
    browser.token(&email, "/confirm/undo").await;
    forget_the_password(&mut browser, &new_email).await;
    // The last one tells that the password is another now; then everything before it has been told too.
    browser.mailbox.wait_for(&new_email, 3).await;
    is_silent(&browser, &code).await;
}

/// Signs up a minor, with a wrong code on the way; gives the code.
async fn sign_up(browser: &mut Browser, email: &str) -> String {
    browser.opens("/signup").await;
    let form =
        json!({ "email": email, "password": PASSWORD, "kind": "learner", "terms": true, "news": false });
    let started = browser.posts("signup", form).await;
    let signup = browser.hides_answer(&started, "signup");
    let code = browser.mailbox.code(email).await;
    browser.token(email, "/signup/verify").await;
    let wrong = if code == "271828" { "314159" } else { "271828" };
    browser.fails("signup/verify", json!({ "signup": signup, "code": wrong })).await;
    browser.posts("signup/verify", json!({ "signup": signup, "code": code })).await;
    let names = ["鬼灯", "あおい", "ホオズキ", "アオイ"].map(|name| browser.hides(name));
    let person = json!({
        "signup": signup, "last_name": names[0], "first_name": names[1], "last_name_kana": names[2],
        "first_name_kana": names[3], "birth_date": "2011-04-01", "school_year": null,
    });
    let tokens = browser.posts("signup/complete", person).await;
    for token in ["access_token", "refresh_token"] {
        browser.hides_answer(&tokens, token);
    }
    browser.learner = browser.learner.clone().signed_in(&tokens);
    code
}

/// Two sign-ups with one address, both confirmed: the database refuses the second, and its log says which constraint.
async fn lose_a_sign_up_race(browser: &mut Browser, email: &str) {
    let form =
        json!({ "email": email, "password": PASSWORD, "kind": "guardian", "terms": true, "news": false });
    let mut sign_ups = Vec::new();
    for mails in 1..=2 {
        let started = browser.posts("signup", form.clone()).await;
        sign_ups.push(browser.hides_answer(&started, "signup"));
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
    let winner = browser.posts("signup/complete", person(&sign_ups[0])).await;
    for token in ["access_token", "refresh_token"] {
        browser.hides_answer(&winner, token);
    }
    let complete = "/api/accounts/signup/complete/";
    let loser = browser.learner.ask(Method::POST, complete, Some(person(&sign_ups[1]))).await;
    assert_eq!(loser.status, StatusCode::CONFLICT, "{}", loser.body);
    assert_eq!(loser.body["code"], "EMAIL_TAKEN");
}

/// Another name, an address, a telephone number.
async fn tell_of_oneself(browser: &mut Browser) {
    let names = ["竜胆", "みずき", "リンドウ", "ミズキ"].map(|name| browser.hides(name));
    let school = browser.hides("あさがお第七中学校");
    let profile = json!({
        "last_name": names[0], "first_name": names[1], "last_name_kana": names[2], "first_name_kana": names[3],
        "birth_date": "2011-04-01", "school_year": null, "school_name": school, "news": true,
    });
    browser.puts("profile", profile).await;
    let (town, building) = (browser.hides("つきみそう町8-41"), browser.hides("かたつむり荘203"));
    browser.hides("+819024681357");
    let address = json!({
        "postal_code": "1000013", "prefecture": "東京都", "city": "千代田区", "town": town,
        "building": building, "phone": browser.hides("090-2468-1357"),
    });
    browser.puts("address", address).await;
}

/// A guardian agrees, by the link of the mail.
async fn ask_a_guardian(browser: &mut Browser, email: &str) {
    let name = browser.hides("鬼灯 かえで");
    let guardian = json!({ "name": name, "relation": "母", "email": email });
    browser.posts("guardian/consent", guardian).await;
    let token = browser.token(email, "/confirm/guardian").await;
    browser.opens("/confirm/guardian").await;
    browser.posts("guardian/consent/check", json!({ "token": token })).await;
    let consent = json!({ "token": token, "guardian_name": name, "is_adult": true });
    browser.posts("guardian/consent/confirm", consent).await;
}

/// A wrong password, and a new one by the link of the mail. Its page has the token in the path.
async fn forget_the_password(browser: &mut Browser, email: &str) {
    browser.fails("login", json!({ "email": email, "password": WRONG_PASSWORD })).await;
    browser.posts("password/reset", json!({ "email": email })).await;
    let link = browser.mailbox.link(email, "/login/password/reset/").await;
    let (uid, token) = link.split_once('/').expect("a link has an account and a token");
    browser.hides(token);
    browser.opens(&format!("/login/password/reset/{link}")).await;
    browser.posts("password/reset/check", json!({ "uid": uid, "token": token })).await;
    let new = json!({ "uid": uid, "token": token, "password": NEW_PASSWORD });
    browser.posts("password/reset/confirm", new).await;
    browser.posts("login", json!({ "email": email, "password": NEW_PASSWORD })).await;
}

/// Looks through everything that was logged and traced.
async fn is_silent(browser: &Browser, code: &str) {
    let mut trace = String::new();
    until(RECOVERY, "every process has told of it", async || {
        trace = browser.product.run_command(&["trace", &browser.trace]);
        PROCESSES.iter().all(|process| trace.contains(process)) && trace.contains("send password_changed")
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
            assert!(!text.contains(canary), "{name} says {canary}");
        }
        assert!(!says_number(text, code), "{name} says the code {code}");
    }
}

/// Whether a number stands alone in a text. (Within times and ids any six digits may come.)
fn says_number(text: &str, number: &str) -> bool {
    let goes_on = |char: char| char.is_ascii_alphanumeric() || char == '.';
    text.match_indices(number)
        .any(|(at, _)| !text[..at].ends_with(goes_on) && !text[at + number.len()..].starts_with(goes_on))
}

/// Everything in a folder, as text.
fn read_texts(folder: &Path, texts: &mut Vec<(String, String)>) {
    for entry in fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("it lists its files").path();
        // The catcher's own is about mails, and no part of the product.
        if path.is_dir() {
            read_texts(&path, texts);
        } else if !path.ends_with("mail.log") {
            let content = fs::read(&path).expect("a log is a file");
            texts.push((path.display().to_string(), String::from_utf8_lossy(&content).into_owned()));
        }
    }
}
