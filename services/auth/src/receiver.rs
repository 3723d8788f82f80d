//! The services that receive events from auth.

/// Sends the mails.
pub(crate) const DESK: &str = "desk";
/// Holds what learners did in their courses.
pub(crate) const LMS: &str = "lms";
/// Every service that holds data of an account, and deletes it when the account is erased.
pub(crate) const DATA_HOLDERS: [&str; 2] = [DESK, LMS];
