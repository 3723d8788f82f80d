//! Every error of the API: its status, code and body (RFC 9457). The site has a text for people for each
//! `code`.

use std::time::Duration;

use axum::response::{IntoResponse, Response};
use http::{HeaderValue, StatusCode, header};
use kit::caller::CallerError;
use kit::error::{Code, FieldError, ServiceError};
use serde::Serialize;
use utoipa::ToSchema;

use crate::closure::Closure;
use crate::error_code::{code_schema, field_code_schema};
use crate::metrics::Refusal;

/// Cause of a failed request.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    #[error("the body is not a JSON object")]
    MalformedJson,
    #[error("some input is missing, wrong or unknown")]
    Invalid(Vec<FieldError>),
    #[error("page is a whole number from 1 on")]
    InvalidPage,
    #[error("a live access token is needed")]
    Unauthenticated,
    #[error("the X-XSRF-TOKEN header does not repeat a valid XSRF-TOKEN cookie")]
    CsrfFailed,
    #[error("another site may not write here")]
    OriginForbidden,
    #[error("this account may not do that")]
    Forbidden,
    #[error("the event carries no valid signature of the provider")]
    SignatureInvalid,
    #[error("there is nothing here, or nothing for this caller")]
    NotFound,
    #[error("the time of this address is over")]
    MediaLinkExpired,
    #[error("the stream of this address has ended")]
    StreamEnded,
    #[error("the file has no such bytes")]
    RangeNotSatisfiable(u64),
    #[error("this path does not take that method")]
    MethodNotAllowed,
    #[error("the body did not arrive in time")]
    BodyTooSlow,
    #[error("a body must say its Content-Length and no Transfer-Encoding")]
    LengthRequired,
    #[error("the body is larger than this path takes")]
    BodyTooLarge,
    #[error("the picture is larger than 5 MiB")]
    PictureTooLarge,
    #[error("a body must be of a media type that this path takes")]
    UnsupportedMediaType,
    #[error("too much is going on at once")]
    Overloaded,
    #[error("something went wrong here")]
    Internal,
    #[error("this took too long")]
    DeadlineExceeded,
    #[error("the service behind answered otherwise")]
    Upstream(ServiceError),
    #[error("closed for maintenance")]
    Maintenance(Box<Closure>),
}

/// `Retry-After` of a 429 when no service gave one.
const RETRY_AFTER: Duration = Duration::from_secs(1);

impl Error {
    /// Creates an error of one field.
    pub(crate) fn field(name: &'static str, code: &'static str) -> Self {
        Self::Invalid(ServiceError::field(name, code).fields)
    }

    /// Creates and logs the error of a response of a service that lacks a field.
    pub(crate) fn incomplete(service: &str, what: &str) -> Self {
        tracing::error!(service, what, "a response lacks a field");
        Self::Internal
    }

    /// Renames a field of an error of a service to its name in JSON.
    pub(crate) fn rename_field(mut self, from: &str, to: &'static str) -> Self {
        if let Self::Upstream(problem) = &mut self {
            for field in problem.fields.iter_mut().filter(|field| field.name == from) {
                field.name = to.into();
            }
        }
        self
    }

    fn status(&self) -> StatusCode {
        match self {
            Self::MalformedJson | Self::Invalid(_) | Self::InvalidPage | Self::SignatureInvalid => {
                StatusCode::BAD_REQUEST
            }
            Self::Unauthenticated => StatusCode::UNAUTHORIZED,
            Self::CsrfFailed
            | Self::OriginForbidden
            | Self::Forbidden
            | Self::MediaLinkExpired
            | Self::StreamEnded => StatusCode::FORBIDDEN,
            Self::RangeNotSatisfiable(_) => StatusCode::RANGE_NOT_SATISFIABLE,
            Self::NotFound => StatusCode::NOT_FOUND,
            Self::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
            Self::BodyTooSlow => StatusCode::REQUEST_TIMEOUT,
            Self::LengthRequired => StatusCode::LENGTH_REQUIRED,
            Self::BodyTooLarge | Self::PictureTooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Self::UnsupportedMediaType => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Self::Overloaded => StatusCode::TOO_MANY_REQUESTS,
            Self::Internal => StatusCode::INTERNAL_SERVER_ERROR,
            Self::DeadlineExceeded => StatusCode::GATEWAY_TIMEOUT,
            Self::Upstream(problem) => problem.code.http(),
            // No other error is a 503, which the site takes for maintenance. Only a calendar, which the site does not read,
            // has one more.
            Self::Maintenance(_) => StatusCode::SERVICE_UNAVAILABLE,
        }
    }

    fn code(&self) -> &str {
        match self {
            Self::MalformedJson => "MALFORMED_JSON",
            Self::Invalid(_) => "INVALID",
            Self::InvalidPage => "INVALID_PAGE",
            Self::Unauthenticated => "UNAUTHENTICATED",
            Self::CsrfFailed => "CSRF_FAILED",
            Self::OriginForbidden => "ORIGIN_FORBIDDEN",
            Self::Forbidden => "FORBIDDEN",
            Self::SignatureInvalid => "SIGNATURE_INVALID",
            Self::NotFound => "NOT_FOUND",
            Self::MediaLinkExpired => "MEDIA_LINK_EXPIRED",
            Self::StreamEnded => "STREAM_ENDED",
            Self::RangeNotSatisfiable(_) => "RANGE_NOT_SATISFIABLE",
            Self::MethodNotAllowed => "METHOD_NOT_ALLOWED",
            Self::BodyTooSlow => "BODY_TOO_SLOW",
            Self::LengthRequired => "LENGTH_REQUIRED",
            Self::BodyTooLarge => "BODY_TOO_LARGE",
            Self::PictureTooLarge => "PICTURE_TOO_LARGE",
            Self::UnsupportedMediaType => "UNSUPPORTED_MEDIA_TYPE",
            Self::Overloaded => "OVERLOADED",
            Self::Internal => "INTERNAL",
            Self::DeadlineExceeded => "OUT_OF_TIME",
            Self::Upstream(problem) => &problem.reason,
            Self::Maintenance(_) => "MAINTENANCE",
        }
    }

    fn detail(&self) -> String {
        match self {
            Self::Upstream(problem) => match problem.code {
                Code::Invalid => "the input was refused".to_owned(),
                Code::Unauthenticated => "the session is over".to_owned(),
                Code::Forbidden => Self::Forbidden.to_string(),
                Code::NotFound => Self::NotFound.to_string(),
                Code::Conflict => "this goes against the state of things".to_owned(),
                Code::TooMany => "too many tries; come again later".to_owned(),
                Code::Internal => Self::Internal.to_string(),
                Code::Unavailable => "a service that is needed for this does not answer".to_owned(),
                Code::DeadlineExceeded => Self::DeadlineExceeded.to_string(),
                Code::Unprocessable => "the input contradicts an earlier request".to_owned(),
            },
            error => error.to_string(),
        }
    }

    fn fields(&self) -> &[FieldError] {
        match self {
            Self::Invalid(fields) => fields,
            Self::Upstream(problem) => &problem.fields,
            _ => &[],
        }
    }

    /// Time of erasure of the account, for a refused sign-in.
    fn erase_at(&self) -> Option<&str> {
        match self {
            Self::Upstream(problem) => problem.facts.get("erase_at").map(String::as_str),
            _ => None,
        }
    }

    /// Sitting that a refused call of a mock exam concerns.
    fn sitting_id(&self) -> Option<&str> {
        match self {
            Self::Upstream(problem) => problem.facts.get("sitting_id").map(String::as_str),
            _ => None,
        }
    }

    /// Digest of the transcript of a sealed sitting.
    fn digest(&self) -> Option<&str> {
        match self {
            Self::Upstream(problem) => problem.facts.get("digest").map(String::as_str),
            _ => None,
        }
    }

    /// Cause of a 429, for the metrics.
    fn refusal(&self) -> Option<Refusal> {
        match self {
            Self::Overloaded => Some(Refusal::Load),
            Self::Upstream(problem) if problem.code == Code::TooMany => {
                // A 429 without a specific reason is overload.
                let load = problem.reason == Self::Overloaded.code();
                Some(if load { Refusal::Load } else { Refusal::Rate })
            }
            _ => None,
        }
    }

    fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::Overloaded => Some(RETRY_AFTER),
            Self::Upstream(problem) if problem.code == Code::TooMany => {
                Some(problem.retry_after.unwrap_or(RETRY_AFTER))
            }
            Self::Upstream(problem) => problem.retry_after,
            _ => None,
        }
    }

    /// Converts the error to a response. Its trace id can be quoted to support.
    pub(crate) fn answer(self, trace_id: String) -> Response {
        if let Self::Maintenance(closure) = self {
            let mut answer = write_body(StatusCode::SERVICE_UNAVAILABLE, "application/json", &closure);
            answer.headers_mut().insert(header::RETRY_AFTER, closure.retry_after.into());
            return answer;
        }
        let status = self.status();
        if let Some(refusal) = self.refusal() {
            refusal.count();
        }
        let body = ApiError {
            kind: "about:blank",
            title: status.canonical_reason().unwrap_or_default(),
            status: status.as_u16(),
            detail: self.detail(),
            code: self.code(),
            trace_id,
            erase_at: self.erase_at(),
            sitting_id: self.sitting_id(),
            digest: self.digest(),
            errors: self.fields().iter().map(|f| ApiErrorField { field: &f.name, code: &f.code }).collect(),
        };
        let mut answer = write_body(status, "application/problem+json", &body);
        let headers = answer.headers_mut();
        if let Some(wait) = self.retry_after() {
            headers.insert(header::RETRY_AFTER, whole_seconds(wait).into());
        }
        if let Self::RangeNotSatisfiable(size) = self
            && let Ok(size) = format!("bytes */{size}").try_into()
        {
            headers.insert(header::CONTENT_RANGE, size);
        }
        if status == StatusCode::UNAUTHORIZED {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        if matches!(
            self,
            Self::LengthRequired | Self::BodyTooLarge | Self::PictureTooLarge | Self::BodyTooSlow
        ) {
            // The body stays unread, so the next bytes on the connection may not be a request.
            headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
        }
        answer
    }
}

impl From<tonic::Status> for Error {
    fn from(status: tonic::Status) -> Self {
        let problem = ServiceError::from_status(&status);
        if CallerError::is_assertion_refused(&problem) {
            // A failure between two services. A 401 would make the site end the user's session.
            tracing::error!(
                reason = &*problem.reason,
                "a service refused the edge's assertion: compare their keys and clocks"
            );
            return Self::Upstream(Code::Unavailable.into());
        }
        kit::error::log(problem.code, &status);
        Self::Upstream(problem)
    }
}

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        self.answer(kit::trace::current_id())
    }
}

fn write_body(status: StatusCode, media_type: &'static str, body: &impl Serialize) -> Response {
    match serde_json::to_vec(body) {
        Ok(body) => {
            (status, [(header::CONTENT_TYPE, HeaderValue::from_static(media_type))], body).into_response()
        }
        Err(error) => {
            tracing::error!(%error, "an error could not be serialized");
            StatusCode::INTERNAL_SERVER_ERROR.into_response()
        }
    }
}

/// Rounds up to whole seconds, at least one.
pub(crate) fn whole_seconds(wait: Duration) -> u64 {
    wait.as_secs() + u64::from(wait.subsec_nanos() > 0).max(u64::from(wait.is_zero()))
}

/// An error (RFC 9457).
#[derive(Serialize, ToSchema)]
#[schema(as = Problem)]
pub(crate) struct ApiError<'a> {
    /// Always `about:blank`; `code` identifies the error.
    #[serde(rename = "type")]
    #[schema(value_type = String, format = "uri-reference")]
    kind: &'static str,
    /// Name of the HTTP status.
    title: &'static str,
    /// HTTP status code.
    #[schema(minimum = 400, maximum = 599)]
    status: u16,
    /// Explanation for engineers, in English.
    detail: String,
    /// Error code for programs; stable.
    #[schema(schema_with = code_schema)]
    code: &'a str,
    /// Id of the request's trace, to quote to support.
    #[schema(pattern = "^[0-9a-f]{32}$")]
    trace_id: String,
    /// Time of erasure of the account. Only with `ACCOUNT_CLOSING`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false, nullable = false, format = DateTime)]
    erase_at: Option<&'a str>,
    /// Id of the sitting. Only with `OTHER_DEVICE`, `PAPER_RUNNING` and `HANDED_IN`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false, nullable = false, format = Uuid)]
    sitting_id: Option<&'a str>,
    /// Digest of the transcript. Only with `HANDED_IN`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false, nullable = false, pattern = "^[0-9a-f]{64}$")]
    digest: Option<&'a str>,
    /// Errors of single fields. Only for invalid input.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    errors: Vec<ApiErrorField<'a>>,
}

/// An error of one field.
#[derive(Serialize, ToSchema)]
#[schema(as = ProblemField)]
pub(crate) struct ApiErrorField<'a> {
    /// Name of the field in the request.
    field: &'a str,
    /// Error code for programs; stable.
    #[schema(schema_with = field_code_schema)]
    code: &'a str,
}
