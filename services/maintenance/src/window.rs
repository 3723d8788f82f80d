//! A maintenance window and its rules.

use std::fmt;

use http::Uri;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

/// One `MaintenanceWindow` (`ops.konomana.jp/v1alpha1`): a part of the product is closed for maintenance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Window {
    /// `metadata.name`, unique.
    pub name: String,
    pub scope: Scope,
    pub mode: Mode,
    /// When it was declared, if known.
    pub declared_at: Option<OffsetDateTime>,
    /// Start (inclusive); `None` for immediately.
    pub starts_at: Option<OffsetDateTime>,
    /// End (exclusive), after `starts_at`; `None` for no end.
    pub ends_at: Option<OffsetDateTime>,
    /// One line, shown to users.
    pub title: String,
    /// What happens and why, shown to users.
    pub message: String,
    /// https URL with more information.
    pub status_url: Option<String>,
    /// Value of Retry-After in seconds, at least 1; `None` for the edge's default.
    pub retry_after_seconds: Option<u32>,
    /// Callers with one of these scopes, e.g. `staff:support`, are not blocked.
    pub bypass_scopes: Vec<String>,
    /// Ignored while true.
    pub suspend: bool,
}

/// A part of the product.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Scope {
    /// The whole site.
    Site,
    /// Sign-in, sign-up, settings.
    Accounts,
    /// Courses, lessons, marks.
    Learning,
    /// Cart, orders, payments.
    Commerce,
    /// Mock exams.
    Exam,
}

/// How much is blocked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Mode {
    /// All requests are blocked.
    Full,
    /// Only reading (GET, HEAD) is allowed.
    ReadOnly,
}

impl Window {
    /// Whether it is in force at `now`.
    pub(crate) fn is_active(&self, now: OffsetDateTime) -> bool {
        !self.suspend
            && self.starts_at.is_none_or(|start| start <= now)
            && self.ends_at.is_none_or(|end| now < end)
    }
}

/// Limits of a window, enforced for files and by the API server.
pub(crate) mod limits {
    /// Characters.
    pub(crate) const TITLE: usize = 100;
    /// Characters.
    pub(crate) const MESSAGE: usize = 1_000;
    /// Characters.
    pub(crate) const URL: usize = 2_000;
    /// Seconds: one day.
    pub(crate) const RETRY_AFTER: u32 = 86_400;
    /// Number of scopes.
    pub(crate) const SCOPES: usize = 20;
    /// Characters of a scope.
    pub(crate) const SCOPE: usize = 100;
}

/// Parses a time like `2026-11-21T18:00:00+09:00`.
pub(crate) fn parse_time(text: &str) -> Option<OffsetDateTime> {
    OffsetDateTime::parse(text, &Rfc3339).ok()
}

/// Whether a text is an https URL.
pub(crate) fn is_https(text: &str) -> bool {
    text.len() <= limits::URL
        && text.parse::<Uri>().is_ok_and(|uri| {
            uri.scheme_str() == Some("https") && uri.host().is_some_and(|host| !host.is_empty())
        })
}

/// Whether a text is a scope like `learner` or `staff:support`.
pub(crate) fn is_scope(text: &str) -> bool {
    text.len() <= limits::SCOPE
        && text.split(':').all(|word| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase()))
}

impl fmt::Display for Window {
    /// Formats a window for operators: `upgrade: Site, Full, from 2026-11-21T18:00:00Z until it is deleted`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {:?}, {:?}", self.name, self.scope, self.mode)?;
        match self.starts_at {
            Some(start) => write!(f, ", from {}", format_rfc3339(start)?)?,
            None => f.write_str(", from now")?,
        }
        match self.ends_at {
            Some(end) => write!(f, " until {}", format_rfc3339(end)?)?,
            None => f.write_str(" until it is deleted")?,
        }
        if self.suspend { f.write_str(", suspended") } else { Ok(()) }
    }
}

/// Formats a time like `2026-11-21T18:00:00Z`.
pub(crate) fn format_rfc3339(time: OffsetDateTime) -> Result<String, fmt::Error> {
    time.format(&Rfc3339).map_err(|_| fmt::Error)
}
