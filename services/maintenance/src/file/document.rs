//! The YAML documents of windows and their rules.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use serde::{Deserialize, Deserializer};
use serde_saphyr::{Location, Spanned};
use time::OffsetDateTime;

use crate::window::{self, Mode, Scope, Window, is_https, is_scope, limits};

const API_VERSION: &str = "ops.konomana.jp/v1alpha1";
const KIND: &str = "MaintenanceWindow";
/// Limit of Kubernetes for `metadata.name`, in characters.
const NAME_LIMIT: usize = 253;

/// A fault in a file of windows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Line number from 1; `None` if unknown.
    pub line: Option<u64>,
    /// One line of English.
    pub message: String,
}

impl Fault {
    fn new(location: Location, message: impl Into<String>) -> Self {
        Self { line: (location != Location::UNKNOWN).then(|| location.line()), message: message.into() }
    }

    /// Formats the fault as `file:line: message`.
    #[must_use]
    pub fn format_with(&self, file: &Path) -> String {
        let (file, message) = (file.display(), &self.message);
        match self.line {
            Some(line) => format!("{file}:{line}: {message}"),
            None => format!("{file}: {message}"),
        }
    }
}

/// Parses YAML documents into windows, ordered by name. An empty text declares none.
///
/// # Errors
///
/// The first fault.
pub fn parse_windows(text: &str) -> Result<Vec<Window>, Fault> {
    let documents: Vec<Document> = serde_saphyr::from_multiple(text).map_err(|error| syntax_fault(&error))?;
    let mut windows = Vec::with_capacity(documents.len());
    let mut lines = HashMap::new();
    for document in documents {
        let at = document.metadata.name.defined;
        let window = document.into_window()?;
        if let Some(line) = lines.insert(window.name.clone(), at.line()) {
            return Err(Fault::new(at, format!("'{}' is already declared in line {line}", window.name)));
        }
        windows.push(window);
    }
    windows.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(windows)
}

fn syntax_fault(error: &serde_saphyr::Error) -> Fault {
    let location = error.location().unwrap_or(Location::UNKNOWN);
    let message = error.without_snippet().to_string();
    // `Fault` has the location already.
    let place = format!(" at line {}, column {}", location.line(), location.column());
    Fault::new(location, message.strip_suffix(&place).unwrap_or(&message))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Document {
    api_version: Spanned<String>,
    kind: Spanned<String>,
    metadata: Metadata,
    spec: Spec,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Metadata {
    name: Spanned<String>,
    #[serde(default, rename = "labels")]
    _labels: BTreeMap<String, String>,
    #[serde(default, rename = "annotations")]
    _annotations: BTreeMap<String, String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Spec {
    scope: Scope,
    mode: Mode,
    #[serde(default, deserialize_with = "deserialize_non_null")]
    starts_at: Option<Spanned<String>>,
    #[serde(default, deserialize_with = "deserialize_non_null")]
    ends_at: Option<Spanned<String>>,
    title: Spanned<String>,
    message: Spanned<String>,
    #[serde(default, deserialize_with = "deserialize_non_null")]
    status_url: Option<Spanned<String>>,
    #[serde(default, deserialize_with = "deserialize_non_null")]
    retry_after_seconds: Option<Spanned<i64>>,
    #[serde(default)]
    bypass_scopes: Vec<Spanned<String>>,
    #[serde(default)]
    suspend: bool,
}

/// Deserialises an optional field that must not be null, as in the API server.
fn deserialize_non_null<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}

impl Document {
    fn into_window(self) -> Result<Window, Fault> {
        let Self { api_version, kind, metadata, spec } = self;
        require(api_version.value == API_VERSION, &api_version, || {
            format!("apiVersion must be {API_VERSION}")
        })?;
        require(kind.value == KIND, &kind, || format!("kind must be {KIND}"))?;
        require(is_name(&metadata.name.value), &metadata.name, || {
            "metadata.name must be lower-case letters, digits, '-' and '.', as Kubernetes requires".into()
        })?;
        let starts_at = spec.starts_at.as_ref().map(|text| parse_time("startsAt", text)).transpose()?;
        let ends_at = spec.ends_at.as_ref().map(|text| parse_time("endsAt", text)).transpose()?;
        if let (Some(start), Some(end), Some(text)) = (starts_at, ends_at, &spec.ends_at) {
            require(end > start, text, || "endsAt must be after startsAt".into())?;
        }
        if let Some(url) = &spec.status_url {
            require(is_https(&url.value), url, || "statusUrl must be an https address".into())?;
        }
        let mut scopes = Vec::with_capacity(spec.bypass_scopes.len());
        for scope in spec.bypass_scopes {
            require(is_scope(&scope.value), &scope, || {
                format!("'{}' is not a scope like staff:support", scope.value)
            })?;
            require(!scopes.contains(&scope.value), &scope, || format!("'{}' is listed twice", scope.value))?;
            require(scopes.len() < limits::SCOPES, &scope, || {
                format!("bypassScopes must have at most {} scopes", limits::SCOPES)
            })?;
            scopes.push(scope.value);
        }
        Ok(Window {
            name: metadata.name.value,
            scope: spec.scope,
            mode: spec.mode,
            declared_at: None,
            starts_at,
            ends_at,
            title: check_text("title", &spec.title, limits::TITLE)?,
            message: check_text("message", &spec.message, limits::MESSAGE)?,
            status_url: spec.status_url.map(|url| url.value),
            retry_after_seconds: spec.retry_after_seconds.as_ref().map(check_retry_after).transpose()?,
            bypass_scopes: scopes,
            suspend: spec.suspend,
        })
    }
}

fn require<T>(holds: bool, field: &Spanned<T>, message: impl FnOnce() -> String) -> Result<(), Fault> {
    if holds { Ok(()) } else { Err(Fault::new(field.defined, message())) }
}

fn parse_time(field: &str, text: &Spanned<String>) -> Result<OffsetDateTime, Fault> {
    window::parse_time(&text.value).ok_or_else(|| {
        Fault::new(text.defined, format!("{field} must be a time like 2026-11-21T18:00:00+09:00"))
    })
}

fn check_text(field: &str, text: &Spanned<String>, limit: usize) -> Result<String, Fault> {
    let is_blank = text.value.trim().is_empty();
    require(!is_blank && text.value.chars().count() <= limit, text, || {
        format!("{field} must have 1 to {limit} characters")
    })?;
    Ok(text.value.trim().to_owned())
}

fn check_retry_after(seconds: &Spanned<i64>) -> Result<u32, Fault> {
    let limit = limits::RETRY_AFTER;
    u32::try_from(seconds.value)
        .ok()
        .filter(|seconds| (1..=limit).contains(seconds))
        .ok_or_else(|| Fault::new(seconds.defined, format!("retryAfterSeconds must be 1 to {limit}")))
}

/// Whether a text is a DNS subdomain (RFC 1123), as Kubernetes requires for names.
fn is_name(text: &str) -> bool {
    let is_edge =
        |byte: Option<u8>| byte.is_some_and(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
    text.len() <= NAME_LIMIT
        && text.split('.').all(|label| {
            is_edge(label.bytes().next())
                && is_edge(label.bytes().last())
                && label.bytes().all(|byte| is_edge(Some(byte)) || byte == b'-')
        })
}
