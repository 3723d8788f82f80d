use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use std::path::PathBuf;

use clap::Parser as _;
use kit::caller::{Keyring, Service, Signer};
use kit::clock::Clock;
use kit::config::Cli;
use serde::Deserialize;
use sqlx::postgres::{PgConnectOptions, PgSslMode};
use tooling::scratch::Scratch;

use super::*;

const SMTP: &str = "smtps://konomana:p%40ss@mail.example";
const PROVIDER_KEY: &str = "rk_live_51Konomana";
const WEBHOOK_SECRET: &str = "whsec_Konomana";

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Secret {
    api_version: String,
    kind: String,
    metadata: Metadata,
    #[serde(rename = "type")]
    of: String,
    string_data: BTreeMap<String, String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Metadata {
    name: String,
    namespace: String,
    labels: BTreeMap<String, String>,
}

fn arguments(out: Option<PathBuf>) -> cli::Secrets {
    cli::Secrets {
        namespace: "konomana".into(),
        smtp_url: Some(SMTP.into()),
        provider_key: Some(PROVIDER_KEY.into()),
        provider_webhook_secret: Some(WEBHOOK_SECRET.into()),
        payment_sandbox: false,
        caller_keys: false,
        out,
    }
}

/// The generated secrets by name.
fn secrets() -> BTreeMap<String, Secret> {
    let provider = Provider::from_arguments(&arguments(None)).expect("both arguments are given");
    let text = manifests("konomana", SMTP, &provider).expect("generate random bytes");
    let text = text + &caller_keys("konomana").expect("generate random bytes");
    let all: Vec<Secret> = serde_saphyr::from_multiple(&text).expect("parse YAML");
    all.into_iter().map(|secret| (secret.metadata.name.clone(), secret)).collect()
}

#[test]
fn every_secret_that_the_pods_name_is_there_with_its_keys() {
    let secrets = secrets();
    let keys: Vec<(&str, &str, Vec<&str>)> = secrets
        .values()
        .map(|secret| {
            let keys = secret.string_data.keys().map(String::as_str).collect();
            (secret.metadata.name.as_str(), secret.of.as_str(), keys)
        })
        .collect();
    let login = "kubernetes.io/basic-auth";
    assert_eq!(
        keys,
        [
            ("auth", "Opaque", vec!["AUTH_DATABASE_URL", "AUTH_SECRET"]),
            (
                "auth-caller-keys",
                "Opaque",
                vec!["AUTH_COMMERCE_KEY", "AUTH_DESK_KEY", "AUTH_EXAM_KEY", "AUTH_LMS_KEY", "CALLER_KEYS"]
            ),
            (
                "commerce",
                "Opaque",
                vec![
                    "COMMERCE_DATABASE_URL",
                    "COMMERCE_PROVIDER_KEY",
                    "COMMERCE_PROVIDER_WEBHOOK_SECRET",
                    "COMMERCE_SECRET"
                ]
            ),
            (
                "commerce-caller-keys",
                "Opaque",
                vec!["CALLER_KEYS", "COMMERCE_DESK_KEY", "COMMERCE_EXAM_KEY", "COMMERCE_LMS_KEY"]
            ),
            ("desk", "Opaque", vec!["DESK_DATABASE_URL", "DESK_PUSH_SECRET", "DESK_SECRET", "DESK_SMTP_URL"]),
            ("desk-caller-keys", "Opaque", vec!["CALLER_KEYS"]),
            ("edge", "Opaque", vec!["EDGE_CSRF_SECRET", "EDGE_MEDIA_KEY"]),
            (
                "edge-caller-keys",
                "Opaque",
                vec![
                    "EDGE_AUTH_KEY",
                    "EDGE_COMMERCE_KEY",
                    "EDGE_DESK_KEY",
                    "EDGE_EXAM_KEY",
                    "EDGE_LMS_KEY",
                    "EDGE_MAINTENANCE_KEY"
                ]
            ),
            ("exam", "Opaque", vec!["EXAM_DATABASE_URL", "EXAM_RECEIPT_KEY", "EXAM_SECRET"]),
            ("exam-caller-keys", "Opaque", vec!["CALLER_KEYS", "EXAM_AUTH_KEY", "EXAM_LMS_KEY"]),
            ("lms", "Opaque", vec!["LMS_DATABASE_URL"]),
            ("lms-caller-keys", "Opaque", vec!["CALLER_KEYS"]),
            ("maintenance-caller-keys", "Opaque", vec!["CALLER_KEYS"]),
            ("postgres-auth", login, vec!["password", "username"]),
            ("postgres-commerce", login, vec!["password", "username"]),
            ("postgres-desk", login, vec!["password", "username"]),
            ("postgres-exam", login, vec!["password", "username"]),
            ("postgres-lms", login, vec!["password", "username"]),
        ]
    );
    for secret in secrets.values() {
        assert_eq!((secret.api_version.as_str(), secret.kind.as_str()), ("v1", "Secret"));
        assert_eq!(secret.metadata.namespace, "konomana");
        assert_eq!(secret.metadata.labels["app.kubernetes.io/part-of"], "konomana");
    }
}

#[test]
fn a_database_and_its_service_know_the_same_role_and_password() {
    let secrets = secrets();
    for (name, key) in [
        ("auth", "AUTH_DATABASE_URL"),
        ("commerce", "COMMERCE_DATABASE_URL"),
        ("desk", "DESK_DATABASE_URL"),
        ("exam", "EXAM_DATABASE_URL"),
        ("lms", "LMS_DATABASE_URL"),
    ] {
        let url = &secrets[name].string_data[key];
        let login = &secrets[&format!("postgres-{name}")].string_data;
        let (role, password) = (&login["username"], &login["password"]);
        assert!(url.starts_with(&format!("postgres://{role}:{password}@")), "{name}");
        let options: PgConnectOptions = url.parse().expect("sqlx parses the URL");
        assert_eq!((options.get_username(), options.get_database()), (name, Some(name)));
        assert_eq!((options.get_host(), options.get_port()), ("postgres-rw", 5432));
        assert!(matches!(options.get_ssl_mode(), PgSslMode::Require));
    }
}

#[test]
fn no_secret_is_shared_by_two_clusters_or_two_purposes() {
    let mut seen = BTreeSet::new();
    for secrets in [secrets(), secrets()] {
        for (name, key) in [
            ("auth", "AUTH_SECRET"),
            ("edge", "EDGE_CSRF_SECRET"),
            ("edge", "EDGE_MEDIA_KEY"),
            ("postgres-auth", "password"),
            ("postgres-lms", "password"),
            ("postgres-exam", "password"),
            ("postgres-commerce", "password"),
            ("postgres-desk", "password"),
            ("desk", "DESK_SECRET"),
            ("commerce", "COMMERCE_SECRET"),
            ("exam", "EXAM_RECEIPT_KEY"),
            ("exam", "EXAM_SECRET"),
            ("auth-caller-keys", "AUTH_COMMERCE_KEY"),
            ("auth-caller-keys", "AUTH_DESK_KEY"),
            ("auth-caller-keys", "AUTH_EXAM_KEY"),
            ("auth-caller-keys", "AUTH_LMS_KEY"),
            ("commerce-caller-keys", "COMMERCE_DESK_KEY"),
            ("commerce-caller-keys", "COMMERCE_EXAM_KEY"),
            ("commerce-caller-keys", "COMMERCE_LMS_KEY"),
            ("edge-caller-keys", "EDGE_AUTH_KEY"),
            ("edge-caller-keys", "EDGE_COMMERCE_KEY"),
            ("edge-caller-keys", "EDGE_DESK_KEY"),
            ("edge-caller-keys", "EDGE_EXAM_KEY"),
            ("edge-caller-keys", "EDGE_LMS_KEY"),
            ("edge-caller-keys", "EDGE_MAINTENANCE_KEY"),
            ("exam-caller-keys", "EXAM_AUTH_KEY"),
            ("exam-caller-keys", "EXAM_LMS_KEY"),
        ] {
            let value = &secrets[name].string_data[key];
            assert_eq!(value.len(), 64, "{name}");
            assert!(seen.insert(value.clone()), "{name} is not new");
        }
    }
}

#[test]
fn the_services_accept_the_secrets_as_settings() {
    let secrets = secrets();
    let value = |name: &str, key: &str| secrets[name].string_data[key].clone();
    let auth = Cli::<auth::config::Command>::try_parse_from([
        "auth".to_owned(),
        "serve".to_owned(),
        format!("--database-url={}", value("auth", "AUTH_DATABASE_URL")),
        format!("--secret={}", value("auth", "AUTH_SECRET")),
        "--desk-url=http://desk:7000".to_owned(),
        format!("--desk-key={}", value("auth-caller-keys", "AUTH_DESK_KEY")),
        "--lms-url=http://lms:7000".to_owned(),
        format!("--lms-key={}", value("auth-caller-keys", "AUTH_LMS_KEY")),
        "--commerce-url=http://commerce:7000".to_owned(),
        format!("--commerce-key={}", value("auth-caller-keys", "AUTH_COMMERCE_KEY")),
        "--exam-url=http://exam:7000".to_owned(),
        format!("--exam-key={}", value("auth-caller-keys", "AUTH_EXAM_KEY")),
        format!("--caller-keys={}", value("auth-caller-keys", "CALLER_KEYS")),
    ]);
    let Ok(Cli { command: auth::config::Command::Serve(auth), .. }) = auth else {
        panic!("auth refuses its settings");
    };
    assert!(auth.secret.parse_secret().is_ok());
    let commerce = Cli::<commerce::config::Command>::try_parse_from([
        "commerce".to_owned(),
        "serve".to_owned(),
        format!("--database-url={}", value("commerce", "COMMERCE_DATABASE_URL")),
        format!("--secret={}", value("commerce", "COMMERCE_SECRET")),
        "--lms-url=http://lms:7000".to_owned(),
        format!("--lms-key={}", value("commerce-caller-keys", "COMMERCE_LMS_KEY")),
        "--desk-url=http://desk:7000".to_owned(),
        format!("--desk-key={}", value("commerce-caller-keys", "COMMERCE_DESK_KEY")),
        "--exam-url=http://exam:7000".to_owned(),
        format!("--exam-key={}", value("commerce-caller-keys", "COMMERCE_EXAM_KEY")),
        "--site-url=https://www.konomana.jp".to_owned(),
        format!("--provider-key={}", value("commerce", "COMMERCE_PROVIDER_KEY")),
        format!("--provider-webhook-secret={}", value("commerce", "COMMERCE_PROVIDER_WEBHOOK_SECRET")),
        format!("--caller-keys={}", value("commerce-caller-keys", "CALLER_KEYS")),
    ]);
    let Ok(Cli { command: commerce::config::Command::Serve(commerce), .. }) = commerce else {
        panic!("commerce refuses its settings");
    };
    assert!(commerce.secret.outbox().is_ok());
    let desk = Cli::<desk::config::Command>::try_parse_from([
        "desk".to_owned(),
        "serve".to_owned(),
        format!("--database-url={}", value("desk", "DESK_DATABASE_URL")),
        format!("--secret={}", value("desk", "DESK_SECRET")),
        format!("--push-secret={}", value("desk", "DESK_PUSH_SECRET")),
        format!("--smtp-url={}", value("desk", "DESK_SMTP_URL")),
        "--public-origin=https://www.konomana.jp".to_owned(),
        "--mail-from=no-reply@konomana.jp".to_owned(),
        "--contact-to=support@konomana.jp".to_owned(),
        format!("--caller-keys={}", value("desk-caller-keys", "CALLER_KEYS")),
    ]);
    let Ok(Cli { command: desk::config::Command::Serve(desk), .. }) = desk else {
        panic!("desk refuses its settings");
    };
    assert!(desk.secret.encryptor().is_ok());
    assert!(desk.caller_keys.callers(Service::Desk, desk::CALLERS).is_ok());
    let exam = Cli::<exam::config::Command>::try_parse_from([
        "exam".to_owned(),
        "serve".to_owned(),
        format!("--database-url={}", value("exam", "EXAM_DATABASE_URL")),
        format!("--receipt-key={}", value("exam", "EXAM_RECEIPT_KEY")),
        format!("--secret={}", value("exam", "EXAM_SECRET")),
        "--lms-url=http://lms:7000".to_owned(),
        format!("--lms-key={}", value("exam-caller-keys", "EXAM_LMS_KEY")),
        "--auth-url=http://auth:7000".to_owned(),
        format!("--auth-key={}", value("exam-caller-keys", "EXAM_AUTH_KEY")),
        format!("--caller-keys={}", value("exam-caller-keys", "CALLER_KEYS")),
    ]);
    let Ok(Cli { command: exam::config::Command::Serve(exam), .. }) = exam else {
        panic!("exam refuses its settings");
    };
    assert!(exam.receipt_keys.parse_keys().is_ok());
    assert!(exam.secret.outbox().is_ok());
    assert!(exam.caller_keys.callers(Service::Exam, exam::CALLERS).is_ok());
    let edge = Cli::<edge::config::Command>::try_parse_from([
        "edge".to_owned(),
        "serve".to_owned(),
        format!("--csrf-secret={}", value("edge", "EDGE_CSRF_SECRET")),
        format!("--media-key={}", value("edge", "EDGE_MEDIA_KEY")),
        "--media-store=s3://media".to_owned(),
        "--auth-url=http://auth:7000".to_owned(),
        "--lms-url=http://lms:7000".to_owned(),
        "--desk-url=http://desk:7000".to_owned(),
        "--commerce-url=http://commerce:7000".to_owned(),
        "--exam-url=http://exam:7000".to_owned(),
        "--maintenance-url=http://maintenance:7000".to_owned(),
        format!("--auth-key={}", value("edge-caller-keys", "EDGE_AUTH_KEY")),
        format!("--exam-key={}", value("edge-caller-keys", "EDGE_EXAM_KEY")),
        format!("--lms-key={}", value("edge-caller-keys", "EDGE_LMS_KEY")),
        format!("--desk-key={}", value("edge-caller-keys", "EDGE_DESK_KEY")),
        format!("--commerce-key={}", value("edge-caller-keys", "EDGE_COMMERCE_KEY")),
        format!("--maintenance-key={}", value("edge-caller-keys", "EDGE_MAINTENANCE_KEY")),
        "--public-origin=https://www.konomana.jp".to_owned(),
    ]);
    assert!(edge.is_ok());
}

#[test]
fn a_receiver_verifies_what_its_caller_signs_and_no_other_service_s() {
    let secrets = secrets();
    let service = |name: &str| name.parse::<Service>().expect("the name is a service");
    let now = i64::try_from(Clock::system().now().unix_timestamp_nanos() / 1_000_000)
        .expect("the time fits into i64");
    for (caller, receiver) in callers::CALLS {
        let key = format!("{caller}_{receiver}_KEY").to_uppercase();
        let key = &secrets[&format!("{caller}-caller-keys")].string_data[&key];
        let signer = Signer::new(service(caller), service(receiver), key, Clock::system());
        let assertion = signer.expect("the key is valid").sign(None, "/a.v1.B/C");
        for other in callers::CALLS.map(|(_, other)| other) {
            let keys = &secrets[&format!("{other}-caller-keys")].string_data["CALLER_KEYS"];
            let keyring = Keyring::new(service(other), keys).expect("the keys are valid");
            let verified = keyring.verify(assertion.as_bytes(), "/a.v1.B/C", now);
            assert_eq!(verified.is_ok(), other == receiver, "{caller} to {receiver}, at {other}");
        }
    }
}

#[test]
fn an_invalid_mail_server_is_refused_without_printing_it() {
    for wrong in
        ["", "smtps://", "mail.example", "smtps://u:p\"ss@mail.example", "smtps://u:p ss@mail.example"]
    {
        let arguments = cli::Secrets { smtp_url: Some(wrong.into()), ..arguments(None) };
        let refused = make(&arguments).expect_err(wrong).to_string();
        assert!(refused.starts_with("DESK_SMTP_URL is not like"), "{refused}");
        assert!(!refused.contains("mail.example"), "{refused}");
    }
    assert_eq!(secrets()["desk"].string_data["DESK_SMTP_URL"], SMTP);
}

#[test]
fn an_invalid_key_of_the_payment_provider_is_refused_without_printing_it() {
    for wrong in ["", "sk_", "pk_live_51Konomana", "sk_live_51 Konomana", "sk_live_\"51Konomana"] {
        let arguments = cli::Secrets { provider_key: Some(wrong.into()), ..arguments(None) };
        let refused = make(&arguments).expect_err(wrong).to_string();
        assert!(refused.starts_with("COMMERCE_PROVIDER_KEY is not like"), "{refused}");
        assert!(!refused.contains("Konomana"), "{refused}");
    }
    for wrong in ["", "whsec_", "Konomana"] {
        let arguments = cli::Secrets { provider_webhook_secret: Some(wrong.into()), ..arguments(None) };
        let refused = make(&arguments).expect_err(wrong).to_string();
        assert!(refused.starts_with("COMMERCE_PROVIDER_WEBHOOK_SECRET is not like"), "{refused}");
        assert!(!refused.contains("Konomana"), "{refused}");
    }
    let commerce = &secrets()["commerce"].string_data;
    assert_eq!(commerce["COMMERCE_PROVIDER_KEY"], PROVIDER_KEY);
    assert_eq!(commerce["COMMERCE_PROVIDER_WEBHOOK_SECRET"], WEBHOOK_SECRET);
}

#[test]
fn the_stand_in_for_the_payment_provider_gets_random_keys() {
    let arguments = cli::Secrets {
        payment_sandbox: true,
        provider_key: None,
        provider_webhook_secret: None,
        ..arguments(None)
    };
    let [one, two] = [(); 2].map(|()| Provider::from_arguments(&arguments).expect("generate random bytes"));
    assert!(one.key.starts_with("sk_test_") && one.webhook_secret.starts_with("whsec_"));
    assert!(one.key != two.key && one.webhook_secret != two.webhook_secret);
}

#[test]
fn a_file_is_private_and_never_overwritten() {
    let folder = Scratch::new();
    let path = folder.path().join("secrets.yaml");
    let arguments = arguments(Some(path.clone()));
    make(&arguments).expect("write the file");
    let first = fs::read_to_string(&path).expect("the file exists");
    assert_eq!(fs::metadata(&path).expect("the file exists").permissions().mode() & 0o777, 0o600);
    let refused = make(&arguments).expect_err("it is there");
    assert!(refused.to_string().contains("must not exist yet"), "{refused}");
    assert_eq!(fs::read_to_string(&path).expect("the file exists"), first);
}
