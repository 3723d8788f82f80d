//! The pages as HTML.

use askama::Template;
use axum::response::{IntoResponse as _, Response};
use http::StatusCode;
use http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS};
use time::OffsetDateTime;
use time::macros::{format_description, offset};

use super::fields::{CardFields, FieldErrors};
use crate::session::Session;

/// The form to pay.
#[derive(Template)]
#[template(path = "payment.html")]
pub(super) struct PaymentPage<'a> {
    session: &'a Session,
    amount: String,
    expires_at: String,
    fields: CardFields,
    errors: FieldErrors,
    /// Why the last card was refused.
    refusal: Option<&'static str>,
}

impl<'a> PaymentPage<'a> {
    pub(super) fn new(
        session: &'a Session,
        fields: CardFields,
        errors: FieldErrors,
        refusal: Option<&'static str>,
    ) -> Self {
        let (amount, expires_at) = (format_yen(session.amount), format_time(session.expires_at));
        Self { session, amount, expires_at, fields, errors, refusal }
    }
}

/// The form that stands for 3-D Secure.
#[derive(Template)]
#[template(path = "authentication.html")]
pub(super) struct AuthenticationPage<'a> {
    session: &'a Session,
    amount: String,
}

impl<'a> AuthenticationPage<'a> {
    pub(super) fn new(session: &'a Session) -> Self {
        Self { session, amount: format_yen(session.amount) }
    }
}

/// A page without a form.
#[derive(Template)]
#[template(path = "message.html")]
pub(super) struct MessagePage {
    title: &'static str,
    text: &'static str,
    /// Where the link back leads.
    link: Option<String>,
}

impl MessagePage {
    pub(super) fn complete(session: &Session) -> Self {
        let text = "お支払いは完了しています。もう一度お支払いいただく必要はありません。";
        Self { title: "お支払い完了", text, link: Some(session.success_url()) }
    }

    pub(super) fn expired(session: &Session) -> Self {
        let text = "このお支払いページの有効期限が切れました。お支払いは行われていません。";
        Self { title: "有効期限切れ", text, link: session.cancel_url.clone() }
    }

    pub(super) fn unknown() -> Self {
        let text = "お支払いページが見つかりません。アドレスをご確認ください。";
        Self { title: "ページが見つかりません", text, link: None }
    }

    pub(super) fn failed() -> Self {
        let text = "処理できませんでした。しばらくしてからもう一度お試しください。";
        Self { title: "エラー", text, link: None }
    }
}

/// Answers with a page that only the browser of this person keeps.
pub(crate) fn answer_html(status: StatusCode, page: &impl Template) -> Response {
    let Ok(html) = page.render() else { return StatusCode::INTERNAL_SERVER_ERROR.into_response() };
    let headers = [
        (CACHE_CONTROL, "no-store"),
        // Without `form-action`: it would forbid the way back to the shop.
        (CONTENT_SECURITY_POLICY, "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"),
        (REFERRER_POLICY, "no-referrer"),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    ];
    (status, headers, axum::response::Html(html)).into_response()
}

/// E.g. `16,500円`.
pub(crate) fn format_yen(amount: i64) -> String {
    let digits = amount.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text + "円"
}

/// E.g. `11月25日 19:35`, in Tokyo.
pub(crate) fn format_time(seconds: i64) -> String {
    let format = format_description!("[month padding:none]月[day padding:none]日 [hour]:[minute]");
    let time = OffsetDateTime::from_unix_timestamp(seconds).ok();
    time.and_then(|time| time.to_offset(offset!(+9)).format(format).ok()).unwrap_or_default()
}
