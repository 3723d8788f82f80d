//! The HTML pages.

use askama::Template;
use axum::response::{IntoResponse as _, Response};
use http::StatusCode;
use http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS};
use time::OffsetDateTime;
use time::macros::{format_description, offset};

use super::fields::{CardFields, FieldErrors};
use crate::state::intent::{BANK, BRANCH, HOLDER, Intent, IntentStatus, Konbini, Transfer};
use crate::state::session::{Session, SessionMode};

/// The form for a payment or for saving a card.
#[derive(Template)]
#[template(path = "payment.html")]
pub(super) struct PaymentPage<'a> {
    session: &'a Session,
    amount: String,
    expires_at: String,
    is_setup: bool,
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
        let is_setup = session.mode == SessionMode::Setup;
        Self { session, amount, expires_at, is_setup, fields, errors, refusal }
    }
}

/// The form that simulates 3-D Secure.
#[derive(Template)]
#[template(path = "authentication.html")]
pub(super) struct AuthenticationPage<'a> {
    /// The URL that the result is posted to.
    action: String,
    /// `None` if a card is saved.
    amount: Option<String>,
    number: &'a str,
    /// The target of the back link.
    back: Option<String>,
}

impl<'a> AuthenticationPage<'a> {
    pub(super) fn of_session(session: &'a Session) -> Self {
        let amount = (session.mode == SessionMode::Payment).then(|| format_yen(session.amount));
        let action = format!("/pay/{}/authenticate", session.id);
        Self { action, amount, number: session.number(), back: Some(format!("/pay/{}", session.id)) }
    }

    pub(super) fn of_intent(intent: &'a Intent) -> Self {
        let (action, amount) = (format!("/authenticate/{}", intent.id), Some(format_yen(intent.amount)));
        Self { action, amount, number: intent.number(), back: None }
    }
}

/// The payment codes for the stores.
#[derive(Template)]
#[template(path = "konbini.html")]
pub(super) struct KonbiniPage<'a> {
    intent: &'a Intent,
    konbini: &'a Konbini,
    amount: String,
    expires_at: String,
    is_open: bool,
}

impl<'a> KonbiniPage<'a> {
    pub(super) fn new(intent: &'a Intent, konbini: &'a Konbini) -> Self {
        let (amount, expires_at) = (format_yen(intent.amount), format_time(konbini.expires_at));
        let is_open = intent.status == IntentStatus::RequiresAction;
        Self { intent, konbini, amount, expires_at, is_open }
    }
}

/// The bank account for a transfer.
#[derive(Template)]
#[template(path = "transfer.html")]
pub(super) struct TransferPage<'a> {
    intent: &'a Intent,
    transfer: &'a Transfer,
    amount: String,
    remaining: Option<String>,
    bank: String,
    branch: String,
    holder: &'static str,
}

impl<'a> TransferPage<'a> {
    pub(super) fn new(intent: &'a Intent, transfer: &'a Transfer) -> Self {
        let remaining = intent.transfer_remaining().map(format_yen);
        let name = |(name, code): (&str, &str)| format!("{name}（{code}）");
        let (bank, branch) = (name(BANK), name(BRANCH));
        Self { intent, transfer, amount: format_yen(intent.amount), remaining, bank, branch, holder: HOLDER }
    }
}

/// A page without a form.
#[derive(Template)]
#[template(path = "message.html")]
pub(crate) struct MessagePage {
    title: &'static str,
    text: &'static str,
    /// The target of the back link.
    link: Option<String>,
}

impl MessagePage {
    pub(super) fn complete(session: &Session) -> Self {
        let link = Some(session.success_url());
        if session.mode == SessionMode::Setup {
            return Self {
                title: "カードの登録完了", text: "カードは登録されています。", link
            };
        }
        let text = "お支払いは完了しています。もう一度お支払いいただく必要はありません。";
        Self { title: "お支払い完了", text, link }
    }

    pub(super) fn expired(session: &Session) -> Self {
        let text = if session.mode == SessionMode::Setup {
            "このページの有効期限が切れました。カードは登録されていません。"
        } else {
            "このお支払いページの有効期限が切れました。お支払いは行われていません。"
        };
        Self { title: "有効期限切れ", text, link: session.cancel_url.clone() }
    }

    /// The page after 3-D Secure.
    pub(super) fn authenticated(intent: &Intent) -> Self {
        let text = "本人認証は終わっています。";
        Self { title: "本人認証", text, link: intent.return_url() }
    }

    /// The page after a tool request was refused.
    pub(crate) fn refused(text: &'static str, link: String) -> Self {
        Self { title: "エラー", text, link: Some(link) }
    }

    pub(crate) fn unknown() -> Self {
        let text = "お支払いページが見つかりません。アドレスをご確認ください。";
        Self { title: "ページが見つかりません", text, link: None }
    }

    pub(super) fn failed() -> Self {
        let text = "処理できませんでした。しばらくしてからもう一度お試しください。";
        Self { title: "エラー", text, link: None }
    }
}

/// Responds with a page that must not be cached.
pub(crate) fn answer_html(status: StatusCode, page: &impl Template) -> Response {
    let Ok(html) = page.render() else { return StatusCode::INTERNAL_SERVER_ERROR.into_response() };
    let headers = [
        (CACHE_CONTROL, "no-store"),
        // No `form-action`: it would block the redirect to the shop.
        (CONTENT_SECURITY_POLICY, "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"),
        (REFERRER_POLICY, "no-referrer"),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    ];
    (status, headers, axum::response::Html(html)).into_response()
}

/// E.g. `16,500円`.
pub(crate) fn format_yen(amount: i64) -> String {
    let digits = amount.unsigned_abs().to_string();
    let mut text = if amount < 0 { "-".to_owned() } else { String::new() };
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
