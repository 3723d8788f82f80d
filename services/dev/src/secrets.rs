//! `cargo dev secrets`: the secrets of a new cluster, as manifests.

use std::collections::BTreeMap;
use std::fs::OpenOptions;
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;

use runner::callers::{self, SERVICES};
use runner::random::create_secret;
use tooling::failure::{Doing as _, Outcome, fail};

use crate::cli;

/// The service of the primary database.
const DATABASE: &str = "postgres-rw:5432";
/// Encrypted, but without certificate verification: the operator creates its authority later, in the cluster.
/// A network policy determines which pod answers at that port, and SCRAM reveals the password to no one.
const TLS: &str = "sslmode=require";

/// Type of a Secret without a specific format.
const OPAQUE: &str = "Opaque";

/// Prints the manifests, or writes them to a new file.
pub(crate) fn make(arguments: &cli::Secrets) -> Outcome {
    let namespace = &arguments.namespace;
    let manifests = if arguments.caller_keys {
        caller_keys(namespace)?
    } else {
        let smtp = arguments.smtp_url.as_deref().unwrap_or_default();
        if !is_mail_server(smtp) {
            // The value is not printed, because it may contain a password.
            return fail(
                "DESK_SMTP_URL is not like smtps://user:password@host; special characters must be percent-encoded, e.g. %40",
            );
        }
        manifests(namespace, smtp, &Provider::from_arguments(arguments)?)? + &caller_keys(namespace)?
    };
    let Some(path) = &arguments.out else {
        print!("{manifests}");
        return Ok(());
    };
    let path_text = path.display();
    let mut file = OpenOptions::new()
        .create_new(true)
        .write(true)
        .mode(0o600)
        .open(path)
        .doing(|| format!("creating {path_text}, which must not exist yet"))?;
    file.write_all(manifests.as_bytes()).doing(|| format!("writing {path_text}"))?;
    println!("wrote {path_text}, readable only by you; next: kubectl create -f {path_text}");
    Ok(())
}

/// What commerce and the payment provider share.
struct Provider {
    key: String,
    webhook_secret: String,
}

impl Provider {
    /// The given values, or random ones for the stand-in.
    fn from_arguments(arguments: &cli::Secrets) -> Outcome<Self> {
        if arguments.payment_sandbox {
            return Ok(Self {
                key: format!("sk_test_{}", create_secret()?),
                webhook_secret: format!("whsec_{}", create_secret()?),
            });
        }
        let key = arguments.provider_key.clone().unwrap_or_default();
        let webhook_secret = arguments.provider_webhook_secret.clone().unwrap_or_default();
        // Neither value is printed.
        if !is_credential(&key, &["sk_", "rk_"]) {
            return fail(
                "COMMERCE_PROVIDER_KEY is not like sk_… or rk_…; --payment-sandbox creates one for the stand-in",
            );
        }
        if !is_credential(&webhook_secret, &["whsec_"]) {
            return fail("COMMERCE_PROVIDER_WEBHOOK_SECRET is not like whsec_…");
        }
        Ok(Self { key, webhook_secret })
    }
}

/// Whether the text has one of these beginnings and needs no quoting in YAML.
fn is_credential(text: &str, prefixes: &[&str]) -> bool {
    let rest = prefixes.iter().find_map(|prefix| text.strip_prefix(prefix));
    rest.is_some_and(|rest| {
        !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_+/=-".contains(&byte))
    })
}

/// Whether the text is a URL of a mail server that needs no quoting in YAML.
fn is_mail_server(url: &str) -> bool {
    let rest = ["smtp://", "smtps://"].iter().find_map(|scheme| url.strip_prefix(scheme));
    rest.is_some_and(|rest| !rest.is_empty())
        && url.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'"' && byte != b'\\')
}

/// Generates all secrets of the product.
fn manifests(namespace: &str, smtp: &str, provider: &Provider) -> Outcome<String> {
    let (auth, commerce, desk, exam, lms) =
        (create_secret()?, create_secret()?, create_secret()?, create_secret()?, create_secret()?);
    let url = |role: &str, password: &str| format!("postgres://{role}:{password}@{DATABASE}/{role}?{TLS}");
    let secret =
        |name, component, kind, values: &[(&str, &str)]| manifest(namespace, name, component, kind, values);
    let (opaque, login) = (OPAQUE, "kubernetes.io/basic-auth");
    Ok([
        "# For a new cluster: kubectl create -f FILE. Keep AUTH_SECRET and DESK_SECRET: without AUTH_SECRET the signing keys\n\
         # in the database can't be decrypted, and without DESK_SECRET the queued mails.\n"
            .to_owned(),
        secret("auth", "auth", opaque, &[("AUTH_DATABASE_URL", &url("auth", &auth)), ("AUTH_SECRET", &create_secret()?)]),
        secret(
            "commerce",
            "commerce",
            opaque,
            &[
                ("COMMERCE_DATABASE_URL", &url("commerce", &commerce)),
                ("COMMERCE_SECRET", &create_secret()?),
                ("COMMERCE_PROVIDER_KEY", &provider.key),
                ("COMMERCE_PROVIDER_WEBHOOK_SECRET", &provider.webhook_secret),
            ],
        ),
        secret(
            "desk",
            "desk",
            opaque,
            &[
                ("DESK_DATABASE_URL", &url("desk", &desk)),
                ("DESK_PUSH_SECRET", &create_secret()?),
                ("DESK_SECRET", &create_secret()?),
                ("DESK_SMTP_URL", smtp),
            ],
        ),
        secret(
            "exam",
            "exam",
            opaque,
            &[("EXAM_DATABASE_URL", &url("exam", &exam)), ("EXAM_RECEIPT_KEY", &create_secret()?), ("EXAM_SECRET", &create_secret()?)],
        ),
        secret("lms", "lms", opaque, &[("LMS_DATABASE_URL", &url("lms", &lms))]),
        secret(
            "edge",
            "edge",
            opaque,
            &[("EDGE_CSRF_SECRET", &create_secret()?), ("EDGE_MEDIA_KEY", &create_secret()?)],
        ),
        secret("postgres-auth", "postgres", login, &[("username", "auth"), ("password", &auth)]),
        secret("postgres-commerce", "postgres", login, &[("username", "commerce"), ("password", &commerce)]),
        secret("postgres-desk", "postgres", login, &[("username", "desk"), ("password", &desk)]),
        secret("postgres-exam", "postgres", login, &[("username", "exam"), ("password", &exam)]),
        secret("postgres-lms", "postgres", login, &[("username", "lms"), ("password", &lms)]),
    ]
    .concat())
}

/// Generates the keys that sign calls between services: a Secret for each service, so that it can be replaced
/// alone. Both ends of a call get the same key.
fn caller_keys(namespace: &str) -> Outcome<String> {
    let mut keys: BTreeMap<(String, String), String> = BTreeMap::new();
    let mut manifests = String::new();
    for service in SERVICES {
        let settings = callers::settings(service, |caller, receiver| {
            let pair = (caller.to_owned(), receiver.to_owned());
            if let Some(key) = keys.get(&pair) {
                return Ok(key.clone());
            }
            let key = create_secret()?;
            keys.insert(pair, key.clone());
            Ok(key)
        })?;
        let values: Vec<_> = settings.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        let name = format!("{service}-caller-keys");
        manifests += &manifest(namespace, &name, service, OPAQUE, &values);
    }
    Ok(manifests)
}

fn manifest(namespace: &str, name: &str, component: &str, kind: &str, values: &[(&str, &str)]) -> String {
    let values: Vec<_> = values.iter().map(|(key, value)| format!("  {key}: \"{value}\"\n")).collect();
    format!(
        "---\napiVersion: v1\nkind: Secret\nmetadata:\n  name: {name}\n  namespace: {namespace}\n  labels:\n    \
         app.kubernetes.io/name: {component}\n    app.kubernetes.io/component: secret\n    \
         app.kubernetes.io/part-of: konomana\ntype: {kind}\nstringData:\n{}",
        values.concat()
    )
}

#[cfg(test)]
mod tests;
