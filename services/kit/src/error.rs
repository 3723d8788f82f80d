//! What goes wrong, in one table for both protocols: nine codes, each with its gRPC code and its HTTP status.
//!
//! A service has one enum of its own errors and turns it into a [`Problem`]: the code, a stable machine reason such as
//! `BAD_CREDENTIALS`, and for bad input the fields. The cause is logged once, where the error leaves the process; it
//! never travels.

use std::borrow::Cow;
use std::collections::HashMap;
use std::error::Error;
use std::fmt::Write as _;
use std::time::Duration;

use http::StatusCode;
use tonic_types::{ErrorDetails, FieldViolation, StatusExt};

/// The kind of a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Code {
    /// The input is wrong; the same again will be wrong again.
    Invalid,
    /// Nobody we know.
    Unauthenticated,
    /// Known, and not allowed.
    Forbidden,
    /// Not there, or not the caller's.
    NotFound,
    /// Against the state of things.
    Conflict,
    /// Too much at once; later it may pass.
    TooMany,
    /// Our fault.
    Internal,
    /// Something we need is down.
    Unavailable,
    /// The time given was up.
    OutOfTime,
}

/// The one table.
const TABLE: [(Code, tonic::Code, StatusCode); 9] = [
    (Code::Invalid, tonic::Code::InvalidArgument, StatusCode::BAD_REQUEST),
    (Code::Unauthenticated, tonic::Code::Unauthenticated, StatusCode::UNAUTHORIZED),
    (Code::Forbidden, tonic::Code::PermissionDenied, StatusCode::FORBIDDEN),
    (Code::NotFound, tonic::Code::NotFound, StatusCode::NOT_FOUND),
    (Code::Conflict, tonic::Code::FailedPrecondition, StatusCode::CONFLICT),
    (Code::TooMany, tonic::Code::ResourceExhausted, StatusCode::TOO_MANY_REQUESTS),
    (Code::Internal, tonic::Code::Internal, StatusCode::INTERNAL_SERVER_ERROR),
    (Code::Unavailable, tonic::Code::Unavailable, StatusCode::BAD_GATEWAY),
    (Code::OutOfTime, tonic::Code::DeadlineExceeded, StatusCode::GATEWAY_TIMEOUT),
];

impl Code {
    /// As gRPC says it.
    #[must_use]
    pub fn grpc(self) -> tonic::Code {
        TABLE[self as usize].1
    }

    /// As HTTP says it.
    #[must_use]
    pub fn http(self) -> StatusCode {
        TABLE[self as usize].2
    }

    /// What gRPC said. Codes that none of our services sends mean our fault, but for a call that was cut: nothing
    /// but a deadline cancels calls between our services.
    #[must_use]
    pub fn from_grpc(code: tonic::Code) -> Self {
        match code {
            tonic::Code::Cancelled => Self::OutOfTime,
            code => TABLE.iter().find(|row| row.1 == code).map_or(Self::Internal, |row| row.0),
        }
    }

    /// The machine reason where a service gives no narrower one.
    #[must_use]
    pub fn reason(self) -> &'static str {
        match self {
            Self::Invalid => "INVALID",
            Self::Unauthenticated => "UNAUTHENTICATED",
            Self::Forbidden => "FORBIDDEN",
            Self::NotFound => "NOT_FOUND",
            Self::Conflict => "CONFLICT",
            Self::TooMany => "OVERLOADED",
            Self::Internal => "INTERNAL",
            Self::Unavailable => "UPSTREAM_UNAVAILABLE",
            Self::OutOfTime => "OUT_OF_TIME",
        }
    }
}

/// A failure as others may see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Its kind.
    pub code: Code,
    /// Its stable machine reason, e.g. `MARK_LIMIT`.
    pub reason: Cow<'static, str>,
    /// For bad input: what is wrong with which field.
    pub fields: Vec<Field>,
    /// For too much at once: when to come again.
    pub retry_after: Option<Duration>,
    /// What else the caller should know, by its name.
    pub facts: HashMap<String, String>,
}

/// What is wrong with one field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its name on the wire.
    pub name: Cow<'static, str>,
    /// A stable machine reason, e.g. `REQUIRED`.
    pub code: Cow<'static, str>,
}

impl From<Code> for Problem {
    fn from(code: Code) -> Self {
        Self::new(code, code.reason())
    }
}

impl Problem {
    /// A failure of this kind for this reason.
    #[must_use]
    pub fn new(code: Code, reason: &'static str) -> Self {
        Self {
            code,
            reason: Cow::Borrowed(reason),
            fields: Vec::new(),
            retry_after: None,
            facts: HashMap::new(),
        }
    }

    /// Bad input: one field and what is wrong with it.
    #[must_use]
    pub fn field(name: &'static str, code: &'static str) -> Self {
        let field = Field { name: Cow::Borrowed(name), code: Cow::Borrowed(code) };
        Self { fields: vec![field], ..Self::from(Code::Invalid) }
    }

    /// Too much at once; come again after `wait`.
    #[must_use]
    pub fn limited(reason: &'static str, wait: Duration) -> Self {
        Self { retry_after: Some(wait), ..Self::new(Code::TooMany, reason) }
    }

    /// The same, with something else the caller should know.
    #[must_use]
    pub fn with(mut self, fact: &str, value: String) -> Self {
        self.facts.insert(fact.to_owned(), value);
        self
    }

    /// For the wire between services. Logs `cause` when the failure is ours: this is the boundary.
    #[must_use]
    pub fn into_status(self, cause: &dyn Error) -> tonic::Status {
        log(self.code, cause);
        let mut details = ErrorDetails::with_error_info(self.reason.clone(), "konomana.jp", self.facts);
        if !self.fields.is_empty() {
            let violations =
                self.fields.iter().map(|field| FieldViolation::new(field.name.as_ref(), field.code.as_ref()));
            details.set_bad_request(violations.collect::<Vec<_>>());
        }
        if self.retry_after.is_some() {
            details.set_retry_info(self.retry_after);
        }
        tonic::Status::with_error_details(self.code.grpc(), self.reason, details)
    }

    /// What another service said.
    #[must_use]
    pub fn from_status(status: &tonic::Status) -> Self {
        let code = broken(status).unwrap_or_else(|| Code::from_grpc(status.code()));
        let details = status.get_error_details();
        let info = details.error_info();
        let reason = info.map_or(Cow::Borrowed(code.reason()), |info| info.reason.clone().into());
        let facts = info.map_or_else(HashMap::new, |info| info.metadata.clone());
        let fields = details.bad_request().map_or_else(Vec::new, |bad| {
            bad.field_violations
                .iter()
                .map(|violation| Field {
                    name: violation.field.clone().into(),
                    code: violation.description.clone().into(),
                })
                .collect()
        });
        let retry_after = details.retry_info().and_then(|info| info.retry_delay);
        Self { code, reason, fields, retry_after, facts }
    }
}

/// Logs a failure's cause where it leaves the process: ours as an error, another's as a warning, a caller's not at all.
pub fn log(code: Code, cause: &dyn Error) {
    match code {
        Code::Internal => tracing::error!(error = chain(cause), "failed"),
        Code::Unavailable | Code::OutOfTime => tracing::warn!(error = chain(cause), "failed"),
        _ => {}
    }
}

/// An error with all its causes, on one line.
#[must_use]
pub fn chain(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        // A wrapper often repeats its cause; say it once.
        let cause_text = cause.to_string();
        if !text.contains(&cause_text) {
            let _ = write!(text, ": {cause_text}");
        }
        source = cause.source();
    }
    text
}

/// What it means when a call found no answer because the way there broke; `None` where the other side did answer: what
/// travels has no cause. Of a broken way the gRPC code says little (a killed service is `UNKNOWN`).
fn broken(status: &tonic::Status) -> Option<Code> {
    let mut source = status.source()?;
    loop {
        // Gone quiet (keep-alive) rather than away.
        if source.downcast_ref::<hyper::Error>().is_some_and(hyper::Error::is_timeout) {
            return Some(Code::OutOfTime);
        }
        match source.source() {
            Some(cause) => source = cause,
            None => return Some(Code::Unavailable),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_the_order_of_the_enum() {
        for (index, row) in TABLE.iter().enumerate() {
            assert_eq!(row.0 as usize, index);
            assert_eq!(Code::from_grpc(row.1), row.0);
        }
    }

    #[test]
    fn nothing_is_ever_503() {
        assert!(TABLE.iter().all(|row| row.2 != StatusCode::SERVICE_UNAVAILABLE));
    }

    #[test]
    fn a_problem_survives_the_wire() {
        let mut problem = Problem::field("email", "REQUIRED").with("erase_at", "tomorrow".to_owned());
        problem.retry_after = Some(Duration::from_secs(3));
        let status = problem.clone().into_status(&std::fmt::Error);
        assert_eq!(Problem::from_status(&status), problem);
    }

    #[test]
    fn the_cause_does_not_travel() {
        let status =
            Problem::from(Code::Internal).into_status(&std::io::Error::other("relation \"x\" is missing"));
        assert!(!format!("{status:?}").contains("relation"));
    }

    #[test]
    fn a_call_that_broke_with_its_connection_found_nobody_there() {
        let broken = tonic::Status::from_error(std::io::Error::other("connection reset").into());
        assert_eq!(broken.code(), tonic::Code::Unknown);
        assert_eq!(Problem::from_status(&broken).code, Code::Unavailable);
    }

    #[test]
    fn a_cut_call_was_out_of_time() {
        assert_eq!(Problem::from_status(&tonic::Status::cancelled("Timeout expired")).code, Code::OutOfTime);
    }
}
