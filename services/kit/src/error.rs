//! Errors, in one table for both protocols: ten codes, each with its gRPC code and its HTTP status.
//!
//! A service has one enum of its own errors and converts it into a [`ServiceError`]: the code, a stable machine reason such as
//! `BAD_CREDENTIALS`, and the fields of invalid input. The cause is logged once, where the error leaves the process. It is
//! never sent.

use std::borrow::Cow;
use std::collections::HashMap;
use std::error::Error;
use std::fmt::Write as _;
use std::time::Duration;

use http::StatusCode;
use tonic_types::{ErrorDetails, FieldViolation, StatusExt};

/// The code of an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Code {
    /// Invalid input. A retry fails too.
    Invalid,
    /// Not signed in.
    Unauthenticated,
    /// Signed in, and not allowed.
    Forbidden,
    /// It does not exist, or belongs to another account.
    NotFound,
    /// The current state does not allow it.
    Conflict,
    /// A rate limit or overload. A later retry may succeed.
    TooMany,
    /// A fault of the product.
    Internal,
    /// A service or a database that is needed is down.
    Unavailable,
    /// The deadline was exceeded.
    DeadlineExceeded,
    /// Valid input that contradicts an earlier request, e.g. a used idempotency key with another body.
    Unprocessable,
}

/// Every code with its gRPC code and its HTTP status.
const TABLE: [(Code, tonic::Code, StatusCode); 10] = [
    (Code::Invalid, tonic::Code::InvalidArgument, StatusCode::BAD_REQUEST),
    (Code::Unauthenticated, tonic::Code::Unauthenticated, StatusCode::UNAUTHORIZED),
    (Code::Forbidden, tonic::Code::PermissionDenied, StatusCode::FORBIDDEN),
    (Code::NotFound, tonic::Code::NotFound, StatusCode::NOT_FOUND),
    (Code::Conflict, tonic::Code::FailedPrecondition, StatusCode::CONFLICT),
    (Code::TooMany, tonic::Code::ResourceExhausted, StatusCode::TOO_MANY_REQUESTS),
    (Code::Internal, tonic::Code::Internal, StatusCode::INTERNAL_SERVER_ERROR),
    (Code::Unavailable, tonic::Code::Unavailable, StatusCode::BAD_GATEWAY),
    (Code::DeadlineExceeded, tonic::Code::DeadlineExceeded, StatusCode::GATEWAY_TIMEOUT),
    (Code::Unprocessable, tonic::Code::AlreadyExists, StatusCode::UNPROCESSABLE_ENTITY),
];

impl Code {
    /// The gRPC code.
    #[must_use]
    pub fn grpc(self) -> tonic::Code {
        TABLE[self as usize].1
    }

    /// The HTTP status.
    #[must_use]
    pub fn http(self) -> StatusCode {
        TABLE[self as usize].2
    }

    /// From a gRPC code. `Cancelled` is a deadline: nothing else cancels calls between services. A code that no service
    /// sends is a fault of the product.
    #[must_use]
    pub fn from_grpc(code: tonic::Code) -> Self {
        match code {
            tonic::Code::Cancelled => Self::DeadlineExceeded,
            code => TABLE.iter().find(|row| row.1 == code).map_or(Self::Internal, |row| row.0),
        }
    }

    /// The machine reason of an error without a more specific one.
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
            Self::DeadlineExceeded => "OUT_OF_TIME",
            Self::Unprocessable => "UNPROCESSABLE",
        }
    }
}

/// An error as callers see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServiceError {
    /// Its code.
    pub code: Code,
    /// Its stable machine reason, e.g. `MARK_LIMIT`.
    pub reason: Cow<'static, str>,
    /// The invalid fields.
    pub fields: Vec<FieldError>,
    /// When to retry after a rate limit or overload.
    pub retry_after: Option<Duration>,
    /// Additional data for the caller, by name.
    pub facts: HashMap<String, String>,
}

/// An invalid field of a request.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{name} is {code}")]
pub struct FieldError {
    /// Its name on the wire.
    pub name: Cow<'static, str>,
    /// A stable machine reason, e.g. `REQUIRED`.
    pub code: Cow<'static, str>,
}

impl FieldError {
    /// The field `name` is invalid for the reason `code`.
    #[must_use]
    pub const fn new(name: &'static str, code: &'static str) -> Self {
        Self { name: Cow::Borrowed(name), code: Cow::Borrowed(code) }
    }
}

impl From<Code> for ServiceError {
    fn from(code: Code) -> Self {
        Self::new(code, code.reason())
    }
}

impl From<FieldError> for ServiceError {
    fn from(field: FieldError) -> Self {
        vec![field].into()
    }
}

impl From<FieldError> for tonic::Status {
    fn from(field: FieldError) -> Self {
        ServiceError::from(field.clone()).into_status(&field)
    }
}

impl From<Vec<FieldError>> for ServiceError {
    fn from(fields: Vec<FieldError>) -> Self {
        Self { fields, ..Code::Invalid.into() }
    }
}

impl ServiceError {
    /// An error with this code and this machine reason.
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

    /// Invalid input in one field.
    #[must_use]
    pub fn field(name: &'static str, code: &'static str) -> Self {
        FieldError::new(name, code).into()
    }

    /// A rate limit or overload. The caller may retry after `wait`.
    #[must_use]
    pub fn limited(reason: &'static str, wait: Duration) -> Self {
        Self { retry_after: Some(wait), ..Self::new(Code::TooMany, reason) }
    }

    /// Adds a fact for the caller.
    #[must_use]
    pub fn with(mut self, fact: &str, value: String) -> Self {
        self.facts.insert(fact.to_owned(), value);
        self
    }

    /// Converts it for gRPC, and logs `cause` unless the caller is at fault. Call it once, at the boundary.
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

    /// Converts the answer of another service.
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
                .map(|violation| FieldError {
                    name: violation.field.clone().into(),
                    code: violation.description.clone().into(),
                })
                .collect()
        });
        let retry_after = details.retry_info().and_then(|info| info.retry_delay);
        Self { code, reason, fields, retry_after, facts }
    }
}

/// Logs the cause of an error: a fault of the product as an error, an outage as a warning, a fault of the caller not at all.
pub fn log(code: Code, cause: &dyn Error) {
    match code {
        Code::Internal => tracing::error!(error = chain(cause), "failed"),
        Code::Unavailable | Code::DeadlineExceeded => tracing::warn!(error = chain(cause), "failed"),
        _ => {}
    }
}

/// An error with all its causes, on one line.
#[must_use]
pub fn chain(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        // A wrapper often repeats the text of its cause.
        let cause_text = cause.to_string();
        if !text.contains(&cause_text) {
            let _ = write!(text, ": {cause_text}");
        }
        source = cause.source();
    }
    text
}

/// The code of a call without an answer because its connection broke; `None` if the service answered, because such a
/// status has no source. The gRPC code of a broken connection is unspecific (`UNKNOWN` for a killed service).
fn broken(status: &tonic::Status) -> Option<Code> {
    let mut source = status.source()?;
    loop {
        // The keep-alive timed out: the service does not answer, but it is not down.
        if source.downcast_ref::<hyper::Error>().is_some_and(hyper::Error::is_timeout) {
            return Some(Code::DeadlineExceeded);
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
        let mut problem = ServiceError::field("email", "REQUIRED").with("erase_at", "tomorrow".to_owned());
        problem.retry_after = Some(Duration::from_secs(3));
        let status = problem.clone().into_status(&std::fmt::Error);
        assert_eq!(ServiceError::from_status(&status), problem);
    }

    #[test]
    fn the_cause_is_not_sent() {
        let status = ServiceError::from(Code::Internal)
            .into_status(&std::io::Error::other("relation \"x\" is missing"));
        assert!(!format!("{status:?}").contains("relation"));
    }

    #[test]
    fn a_broken_connection_is_unavailable() {
        let broken = tonic::Status::from_error(std::io::Error::other("connection reset").into());
        assert_eq!(broken.code(), tonic::Code::Unknown);
        assert_eq!(ServiceError::from_status(&broken).code, Code::Unavailable);
    }

    #[test]
    fn a_cancelled_call_exceeded_its_deadline() {
        assert_eq!(
            ServiceError::from_status(&tonic::Status::cancelled("Timeout expired")).code,
            Code::DeadlineExceeded
        );
    }
}
