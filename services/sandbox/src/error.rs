//! Errors of the API, in the provider's format.

use http::StatusCode;
use serde_json::{Map, Value, json};

use crate::card::Refusal;

/// An error response.
#[derive(Clone, Debug)]
pub(crate) struct ApiError {
    pub(crate) status: StatusCode,
    r#type: &'static str,
    code: Option<&'static str>,
    param: Option<String>,
    message: String,
    /// Additional fields of the error.
    details: Map<String, Value>,
    /// Whether the request had begun. Only then the response is stored for its idempotency key.
    pub(crate) has_begun: bool,
}

impl ApiError {
    fn new(status: StatusCode, r#type: &'static str, message: impl Into<String>) -> Self {
        let (message, details) = (message.into(), Map::new());
        Self { status, r#type, code: None, param: None, message, details, has_begun: false }
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

    /// A parameter names an object that does not exist.
    pub(crate) fn missing_reference(param: &str, kind: &str, id: &str) -> Self {
        let (status, param) = (StatusCode::BAD_REQUEST, Some(param.to_owned()));
        Self { status, param, ..Self::missing(kind, id) }
    }

    /// A card was refused. `intent` is the payment intent in the API's format.
    pub(crate) fn card(refusal: &Refusal, intent: Value) -> Self {
        let mut details = refusal.to_json();
        if let Some(method) = intent["last_payment_error"].get("payment_method") {
            details.insert("payment_method".to_owned(), method.clone());
        }
        details.insert("payment_intent".to_owned(), intent);
        let error = Self::new(StatusCode::PAYMENT_REQUIRED, "card_error", refusal.sentence());
        Self { details, has_begun: true, ..error }
    }

    /// The state of a payment intent does not allow the request.
    pub(crate) fn intent_state(message: &str, intent: Value) -> Self {
        let mut error = Self::state(Some("payment_intent_unexpected_state"), message);
        error.details.insert("payment_intent".to_owned(), intent);
        error
    }

    /// The error message, in English.
    pub(crate) fn message(&self) -> &str {
        &self.message
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
        for (name, value) in &self.details {
            error[name] = value.clone();
        }
        json!({"error": error})
    }
}
