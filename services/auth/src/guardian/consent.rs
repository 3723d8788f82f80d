//! A guardian's consent to what a minor does here.

use time::{Date, OffsetDateTime};

use crate::school;

/// Whether a guardian has to agree, and has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Consent {
    NotNeeded,
    /// Nobody was asked, or too long ago.
    Missing,
    /// Somebody was asked and can still agree.
    Waiting,
    Given,
}

/// Whether it is needed: by learners under 18, and by those whose age is not known.
pub(crate) fn is_needed(scope: &[String], birth_date: Option<Date>, now: OffsetDateTime) -> bool {
    scope.iter().any(|held| held == "learner")
        && birth_date.is_none_or(|birth| school::is_minor(birth, school::today(now)))
}
