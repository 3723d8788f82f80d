//! Errors of the API, as the provider renders them.

use http::StatusCode;
use serde_json::{Value, json};

/// A refused request.
#[derive(Clone, Debug)]
pub(crate) struct ApiError {
    pub(crate) status: StatusCode,
    r#type: &'static str,
    code: Option<&'static str>,
    param: Option<String>,
    message: String,
    /// Whether the request had begun: only then the answer belongs to its idempotency key.
    pub(crate) has_begun: bool,
}

impl ApiError {
    fn new(status: StatusCode, r#type: &'static str, message: impl Into<String>) -> Self {
        Self { status, r#type, code: None, param: None, message: message.into(), has_begun: false }
    }

    /// A parameter is missing, unknown or invalid.
    pub(crate) fn parameter(code: &'static str, param: &str, message: &str) -> Self {
        let (code, param) = (Some(code), Some(param.to_owned()));
        let message = format!("{message}: {param}", param = param.as_deref().unwrap_or_default());
        Self { code, param, ..Self::new(StatusCode::BAD_REQUEST, "invalid_request_error", message) }
    }

    /// The state of an object does not allow the request.
    pub(crate) fn state(code: Option<&'static str>, message: &str) -> Self {
        let error = Self::new(StatusCode::BAD_REQUEST, "invalid_request_error", message);
        Self { code, has_begun: true, ..error }
    }

    /// There is no object with this id.
    pub(crate) fn missing(kind: &str, id: &str) -> Self {
        let message = format!("No such {kind}: '{id}'");
        Self {
            code: Some("resource_missing"),
            param: Some("id".to_owned()),
            has_begun: true,
            ..Self::new(StatusCode::NOT_FOUND, "invalid_request_error", message)
        }
    }

    pub(crate) fn unauthorized() -> Self {
        Self::new(StatusCode::UNAUTHORIZED, "invalid_request_error", "Invalid API Key provided.")
    }

    pub(crate) fn version(expected: &str) -> Self {
        let message = format!("The sandbox knows only the API version {expected}.");
        Self::new(StatusCode::BAD_REQUEST, "invalid_request_error", message)
    }

    pub(crate) fn other_parameters() -> Self {
        let message = "Keys for idempotent requests can only be used with the same parameters they were first used with.";
        Self::new(StatusCode::BAD_REQUEST, "idempotency_error", message)
    }

    pub(crate) fn key_in_use() -> Self {
        let message = "There is currently another in-progress request using this idempotency key.";
        let error = Self::new(StatusCode::CONFLICT, "idempotency_error", message);
        Self { code: Some("idempotency_key_in_use"), ..error }
    }

    pub(crate) fn unavailable() -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "api_error", "The sandbox is told to be unavailable.")
    }

    /// The state could not be stored.
    pub(crate) fn storage() -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "api_error", "The sandbox cannot write its file.")
    }

    pub(crate) fn to_json(&self) -> Value {
        let mut error = json!({"type": self.r#type, "message": self.message});
        if let Some(code) = self.code {
            error["code"] = code.into();
        }
        if let Some(param) = &self.param {
            error["param"] = param.as_str().into();
        }
        json!({"error": error})
    }
}
