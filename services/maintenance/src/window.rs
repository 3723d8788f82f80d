//! One maintenance window and its rules.

use std::fmt;

use http::Uri;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

/// One `MaintenanceWindow` (`ops.konomana.jp/v1alpha1`): a part of the product that is closed on purpose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Window {
    /// `metadata.name`: tells it from the others.
    pub name: String,
    /// Which part is closed.
    pub scope: Scope,
    /// How far it is closed.
    pub mode: Mode,
    /// When it was declared, where that is known.
    pub declared_at: Option<OffsetDateTime>,
    /// From when; `None`: from now on.
    pub starts_at: Option<OffsetDateTime>,
    /// Until when (exclusive), after `starts_at`; `None`: until it is taken away.
    pub ends_at: Option<OffsetDateTime>,
    /// One line for people.
    pub title: String,
    /// What happens and why, for people.
    pub message: String,
    /// Where more can be read (https).
    pub status_url: Option<String>,
    /// When to ask again, in seconds, at least 1; `None`: the edge decides.
    pub retry_after_seconds: Option<u32>,
    /// Callers with one of these scopes pass, e.g. `staff:support`.
    pub bypass_scopes: Vec<String>,
    /// Declared, and not to be followed for now.
    pub suspend: bool,
}

/// A part of the product.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Scope {
    /// All of it.
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

/// How far a part is closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Mode {
    /// Nothing passes.
    Full,
    /// Reading (GET, HEAD) passes.
    ReadOnly,
}

impl Window {
    /// Whether it is in force.
    pub(crate) fn is_active(&self, now: OffsetDateTime) -> bool {
        !self.suspend
            && self.starts_at.is_none_or(|start| start <= now)
            && self.ends_at.is_none_or(|end| now < end)
    }
}

/// How much of everything a window may have; a file and the API server draw the same lines.
pub(crate) mod limits {
    /// Characters.
    pub(crate) const TITLE: usize = 100;
    /// Characters.
    pub(crate) const MESSAGE: usize = 1_000;
    /// Characters.
    pub(crate) const URL: usize = 2_000;
    /// A day: nobody should be told to stay away for longer without looking again.
    pub(crate) const RETRY_AFTER: u32 = 86_400;
    /// Scopes that pass.
    pub(crate) const SCOPES: usize = 20;
    /// Characters of one of them.
    pub(crate) const SCOPE: usize = 100;
}

/// A time as `2026-11-21T18:00:00+09:00`.
pub(crate) fn time(text: &str) -> Option<OffsetDateTime> {
    OffsetDateTime::parse(text, &Rfc3339).ok()
}

/// An https address.
pub(crate) fn is_https(text: &str) -> bool {
    text.len() <= limits::URL
        && text.parse::<Uri>().is_ok_and(|uri| {
            uri.scheme_str() == Some("https") && uri.host().is_some_and(|host| !host.is_empty())
        })
}

/// `learner`, `staff:support`.
pub(crate) fn is_scope(text: &str) -> bool {
    text.len() <= limits::SCOPE
        && text.split(':').all(|word| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase()))
}

impl fmt::Display for Window {
    /// One line for an engineer: `upgrade: Site, Full, from 2026-11-21T18:00:00Z until taken away`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {:?}, {:?}", self.name, self.scope, self.mode)?;
        match self.starts_at {
            Some(start) => write!(f, ", from {}", rfc3339(start)?)?,
            None => f.write_str(", from now")?,
        }
        match self.ends_at {
            Some(end) => write!(f, " until {}", rfc3339(end)?)?,
            None => f.write_str(" until taken away")?,
        }
        if self.suspend { f.write_str(", suspended") } else { Ok(()) }
    }
}

/// As `2026-11-21T18:00:00Z`.
pub(crate) fn rfc3339(time: OffsetDateTime) -> Result<String, fmt::Error> {
    time.format(&Rfc3339).map_err(|_| fmt::Error)
}
