//! Every `code` of the API's errors. The document lists them, and the site has a sentence for each.

use utoipa::openapi::schema::{Object, ObjectBuilder, Type};

/// Codes of failed requests.
const CODES: &[&str] = &[
    "ACCOUNT_CLOSING",
    "ALREADY_ANSWERED",
    "ANSWER_PENDING",
    "APPLICATION_CLOSED",
    "BAD_CREDENTIALS",
    "BODY_TOO_LARGE",
    "BODY_TOO_SLOW",
    "BOOKING_PAUSED",
    "CARD_NEEDED",
    "CART_EMPTY",
    "CART_FULL",
    "CERTIFICATE_NOT_EARNED",
    "CHALLENGE_DEAD",
    "CODE_EXPIRED",
    "CODE_TRIES_OVER",
    "CODE_WRONG",
    "CONFIRMATION_CHANGED",
    "CONFLICT",
    "CONSENT_GIVEN",
    "CONSENT_NOT_NEEDED",
    "CSRF_FAILED",
    "EMAIL_TAKEN",
    "EVENT_STARTED",
    "EXAM_ENDED",
    "EXAM_STARTED",
    "EXPIRED_ITEM",
    "FORBIDDEN",
    "GUARDIANS_FULL",
    "GUARDIAN_MAILBOX",
    "GUARDIAN_UNDER_18",
    "HANDED_IN",
    "HOLD_EXPIRED",
    "IDEMPOTENCY_KEY_IN_USE",
    "IDEMPOTENCY_KEY_REUSED",
    "INTERNAL",
    "INTERVIEW_FIXED",
    "INTERVIEW_LIMIT",
    "INTERVIEW_OVERLAP",
    "INVALID",
    "INVALID_PAGE",
    "LENGTH_REQUIRED",
    "LINK_DEAD",
    "MAINTENANCE",
    "MALFORMED_JSON",
    "MARK_LIMIT",
    "MEDIA_LINK_EXPIRED",
    "METHOD_NOT_ALLOWED",
    "NOTHING_HANDED_IN",
    "NOT_ANSWERED_YET",
    "NOT_DUE",
    "NOT_FINAL",
    "NOT_FOUND",
    "NOT_OPEN_YET",
    "NOT_REFUNDABLE",
    "NOT_VERIFIED",
    "NO_GUARDIAN",
    "NO_LEARNER",
    "NO_SEAT",
    "OFFER_ENDED",
    "ORDER_CLOSED",
    "ORDER_OPEN",
    "ORIGIN_FORBIDDEN",
    "OTHER_DEVICE",
    "OUT_OF_TIME",
    "OVERLOADED",
    "PAPER_RUNNING",
    "PASSKEYS_FULL",
    "PASSKEY_KNOWN",
    "PASSKEY_REFUSED",
    "PASSKEY_UNKNOWN",
    "PASSWORD_CHANGE_REQUIRED",
    "PICTURE_TOO_LARGE",
    "PICTURE_UNREADABLE",
    "PRACTICE_LIMIT",
    "QUESTIONS_USED_UP",
    "QUESTION_CLOSED",
    "QUOTE_CHANGED",
    "RANGE_NOT_SATISFIABLE",
    "RANK_GAP",
    "RATE_LIMITED",
    "REFRESH_DEAD",
    "RESEND_TOO_SOON",
    "SCHOOL_TWICE",
    "SEATS_GONE",
    "SEAT_FOR_SALE",
    "SIGNATURE_INVALID",
    "SIGN_UP_CLOSED",
    "SLOT_CLOSED",
    "SLOT_TAKEN",
    "STEP_NOT_OPEN",
    "STREAM_ENDED",
    "SUBSCRIPTION_ENDED",
    "TOO_MANY_STREAMS",
    "UNAUTHENTICATED",
    "UNPROCESSABLE",
    "UNSUPPORTED_MEDIA_TYPE",
    "UPSTREAM_UNAVAILABLE",
];

/// Codes of invalid fields.
const FIELD_CODES: &[&str] = &[
    "COUPON_EXPIRED",
    "COUPON_USED_UP",
    "GUARDIAN_UNDER_18",
    "GUESSABLE",
    "HOLDS_LINK",
    "IMPOSSIBLE_DATE",
    "INVALID_FORMAT",
    "NOT_AGREED",
    "OUT_OF_RANGE",
    "OWN_MAILBOX",
    "PICTURE_TOO_LARGE",
    "PICTURE_UNREADABLE",
    "REQUIRED",
    "TOO_LONG",
    "TOO_SHORT",
    "UNKNOWN_CHOICE",
    "UNKNOWN_COUPON",
    "UNKNOWN_FIELD",
];

/// Returns the schema of the `code` of an error.
pub(crate) fn code_schema() -> Object {
    enum_schema(CODES)
}

/// Returns the schema of the `code` of an invalid field.
pub(crate) fn field_code_schema() -> Object {
    enum_schema(FIELD_CODES)
}

fn enum_schema(codes: &[&'static str]) -> Object {
    ObjectBuilder::new()
        .schema_type(Type::String)
        .description(Some("Error code for programs; stable."))
        .enum_values(Some(codes.iter().copied()))
        .build()
}

#[cfg(test)]
mod tests {
    use super::{CODES, FIELD_CODES};

    /// Sources with the error reasons of the services and the edge.
    const REASONS: [&str; 6] = [
        include_str!("../../auth/src/error.rs"),
        include_str!("../../commerce/src/error.rs"),
        include_str!("../../desk/src/error.rs"),
        include_str!("../../exam/src/error.rs"),
        include_str!("../../lms/src/error.rs"),
        include_str!("error.rs"),
    ];

    /// Returns the string literals of a source that look like codes.
    fn codes_in(source: &str) -> impl Iterator<Item = &str> {
        let is_code = |text: &&str| {
            text.len() > 3
                && text.bytes().all(|byte| byte.is_ascii_uppercase() || b"_0123456789".contains(&byte))
        };
        source.split('"').skip(1).step_by(2).filter(is_code)
    }

    #[test]
    fn every_reason_of_the_services_is_published() {
        let missing: Vec<_> =
            REASONS.into_iter().flat_map(codes_in).filter(|code| !CODES.contains(code)).collect();
        assert_eq!(missing, [""; 0]);
    }

    #[test]
    fn every_reason_of_the_forms_is_published() {
        let claims = include_str!("../../commerce/src/coupon/claim.rs");
        let missing: Vec<_> = codes_in(include_str!("../../forms/src/lib.rs"))
            .chain(codes_in(claims))
            .filter(|code| !FIELD_CODES.contains(code))
            .collect();
        assert_eq!(missing, [""; 0]);
    }
}
