//! The services that receive events from auth.

/// Sends the mails.
pub(crate) const DESK: &str = "desk";
/// Holds the learning data.
pub(crate) const LMS: &str = "lms";
/// The services that hold data of an account and delete it when the account is erased.
pub(crate) const DATA_HOLDERS: [&str; 2] = [DESK, LMS];
