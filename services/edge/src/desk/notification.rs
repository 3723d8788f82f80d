//! Settings of notifications, and unsubscribing without a session.

use axum::extract::{Path, State};
use axum::response::{IntoResponse as _, Response};
use http::{StatusCode, header};
use proto::desk;
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use utoipa::ToSchema;

use super::incomplete;
use super::push_device::PushDevice;
use crate::Edge;
use crate::answer::json;
use crate::error::Error;
use crate::input::{Fields, Form, JsonBody, OneClick};
use crate::own_account::find_own_account;
use crate::session::Caller;
use crate::timestamp::parse_optional_timestamp;

/// What a notification is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum NotificationTopic {
    /// A teacher answered a question.
    Answer,
    /// The school cancelled an interview.
    Interview,
    /// An event starts soon, or has a free place.
    Event,
    /// The result of an exam is final.
    ExamResult,
    /// The week of linked learners.
    WeeklyReport,
    /// A new notice. Without mails by default.
    Notice,
}

impl NotificationTopic {
    const ALL: [(Self, &str); 6] = [
        (Self::Answer, "answer"),
        (Self::Interview, "interview"),
        (Self::Event, "event"),
        (Self::ExamResult, "exam_result"),
        (Self::WeeklyReport, "weekly_report"),
        (Self::Notice, "notice"),
    ];

    fn name(self) -> String {
        Self::ALL.iter().find(|(topic, _)| *topic == self).map_or("", |(_, name)| *name).to_owned()
    }

    fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(_, known)| *known == name).map(|(topic, _)| *topic)
    }
}

/// Hours of each day in Japan in which no notification is sent, at most 12. They may span midnight.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct QuietHours {
    #[schema(minimum = 0, maximum = 23, example = 21)]
    from: u8,
    #[schema(minimum = 0, maximum = 23, example = 7)]
    until: u8,
}

/// The settings of the caller. Mails about money, the account and the law, and mails that answer an action, are always sent.
#[derive(Serialize, ToSchema)]
pub(crate) struct NotificationSettings {
    /// Topics without mails.
    mail_off: Vec<NotificationTopic>,
    /// Topics without pushes.
    push_off: Vec<NotificationTopic>,
    /// Null: none. Those of a caller under 18 who chose none are 21 to 7.
    #[schema(required)]
    quiet_hours: Option<QuietHours>,
    /// Whether the quiet hours, or that there are none, follow from the age. They do until the caller chooses.
    is_quiet_by_age: bool,
    /// From this day on the caller is an adult; null: the date of birth is not known.
    #[schema(required, format = Date, example = "2029-04-02")]
    adult_on: Option<String>,
    /// When the mail server of the caller's address refused our newest mail; null: it accepted it.
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(required)]
    mail_bounced_at: Option<OffsetDateTime>,
    /// The key with which a browser subscribes to pushes (VAPID), in base64url; null: pushes are not offered.
    #[schema(required)]
    push_key: Option<String>,
    /// The browsers that get pushes, oldest first; also ended ones.
    push_devices: Vec<PushDevice>,
}

impl NotificationSettings {
    /// Fetches the settings of the caller.
    pub(crate) async fn fetch(edge: &Edge, caller: &Caller) -> Result<Self, Error> {
        let birth_date = find_birth_date(edge, caller).await?;
        let request = desk::GetNotificationSettingsRequest { birth_date };
        let stored = edge.notifications(caller).get_notification_settings(request).await?.into_inner();
        let settings = stored.settings.ok_or_else(|| incomplete("settings"))?;
        let topics =
            |names: Vec<String>| names.iter().filter_map(|name| NotificationTopic::from_name(name)).collect();
        let hour = |hour| u8::try_from(hour).map_err(|_| incomplete("hour"));
        let quiet_hours = match settings.quiet_hours {
            Some(quiet) => Some(QuietHours { from: hour(quiet.from)?, until: hour(quiet.until)? }),
            None => None,
        };
        Ok(Self {
            mail_off: topics(settings.mail_off),
            push_off: topics(settings.push_off),
            quiet_hours,
            is_quiet_by_age: stored.is_quiet_by_age,
            adult_on: stored.adult_on,
            mail_bounced_at: parse_optional_timestamp(stored.mail_bounced_at)?,
            push_key: stored.push_key,
            push_devices: stored.push_devices.into_iter().map(PushDevice::new).collect::<Result<_, _>>()?,
        })
    }
}

/// The birth date of the caller, on which the default of the quiet hours depends.
async fn find_birth_date(edge: &Edge, caller: &Caller) -> Result<Option<String>, Error> {
    Ok(find_own_account(edge, caller, caller.user().to_string()).await?.birth_date)
}

/// New settings.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NotificationSettingsForm {
    /// The topics that the client offers, each once. Others keep their settings. A client that leaves it out does not know
    /// `notice`.
    #[schema(required = false)]
    topics: Option<Vec<NotificationTopic>>,
    /// Topics without mails, each once.
    mail_off: Vec<NotificationTopic>,
    /// Topics without pushes, each once.
    push_off: Vec<NotificationTopic>,
    /// Null: none.
    #[schema(required = false)]
    quiet_hours: Option<QuietHours>,
}

impl Form for NotificationSettingsForm {
    fn from_fields(fields: &mut Fields) -> Option<Self> {
        let (mail_off, push_off) = (fields.nested("mail_off"), fields.nested("push_off"));
        let (topics, quiet_hours) = (fields.optional_nested("topics"), fields.optional_nested("quiet_hours"));
        Some(Self { topics: topics?, mail_off: mail_off?, push_off: push_off?, quiet_hours: quiet_hours? })
    }
}

/// The topic whose mails have ended.
#[derive(Serialize, ToSchema)]
pub(crate) struct Unsubscribed {
    topic: NotificationTopic,
}

/// Returns the caller's settings of notifications.
#[utoipa::path(
    get,
    path = "/api/desk/notification/setting/",
    operation_id = "notification_settings",
    tag = "desk",
    responses((status = 200, description = "The settings.", body = NotificationSettings))
)]
pub(crate) async fn settings(State(edge): State<Edge>, caller: Caller) -> Result<Response, Error> {
    Ok(json(&NotificationSettings::fetch(&edge, &caller).await?))
}

/// Stores the caller's settings of notifications. They also apply to notifications that wait.
#[utoipa::path(
    put,
    path = "/api/desk/notification/setting/",
    operation_id = "set_notification_settings",
    tag = "desk",
    request_body = NotificationSettingsForm,
    responses((status = 204, description = "The settings are stored."))
)]
pub(crate) async fn set_settings(
    State(edge): State<Edge>,
    caller: Caller,
    JsonBody(form): JsonBody<NotificationSettingsForm>,
) -> Result<Response, Error> {
    let names = |topics: Vec<NotificationTopic>| -> Vec<String> {
        topics.into_iter().map(NotificationTopic::name).collect()
    };
    let quiet = |quiet: QuietHours| desk::QuietHours { from: quiet.from.into(), until: quiet.until.into() };
    let settings = desk::NotificationSettings {
        mail_off: names(form.mail_off),
        push_off: names(form.push_off),
        quiet_hours: form.quiet_hours.map(quiet),
    };
    let birth_date = find_birth_date(&edge, &caller).await?;
    let request = desk::SetNotificationSettingsRequest {
        settings: Some(settings),
        birth_date,
        topics: names(form.topics.unwrap_or_default()),
    };
    edge.notifications(&caller).set_notification_settings(request).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// Ends the mails of one topic, with the token of such a mail. Idempotent.
///
/// A mail client sends the form `List-Unsubscribe=One-Click` (RFC 8058) without cookies; the site sends `{}`. 400
/// `LINK_DEAD` for an invalid token.
#[utoipa::path(
    post,
    path = "/api/desk/notification/unsubscribe/{token}/",
    operation_id = "unsubscribe",
    tag = "desk",
    params(("token" = String, Path, description = "The token of the mail.")),
    responses((status = 200, description = "The mails have ended.", body = Unsubscribed))
)]
pub(crate) async fn unsubscribe(
    State(edge): State<Edge>,
    Path(token): Path<String>,
    _: OneClick,
) -> Result<Response, Error> {
    let request = desk::UnsubscribeRequest { token };
    let ended = edge.unsubscriptions().unsubscribe(request).await?.into_inner();
    let topic = NotificationTopic::from_name(&ended.topic).ok_or_else(|| incomplete("topic"))?;
    Ok(json(&Unsubscribed { topic }))
}

/// Redirects a browser to the page that confirms the unsubscription. Changes nothing.
#[utoipa::path(
    get,
    path = "/api/desk/notification/unsubscribe/{token}/",
    operation_id = "open_unsubscribe",
    tag = "desk",
    params(("token" = String, Path, description = "The token of the mail.")),
    responses((status = 303, description = "The page."))
)]
pub(crate) async fn open_unsubscribe(Path(token): Path<String>) -> Result<Response, Error> {
    let is_token = token.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
    if !is_token {
        return Err(Error::NotFound);
    }
    let page = format!("/confirm/unsubscribe#token={token}");
    Ok((StatusCode::SEE_OTHER, [(header::LOCATION, page)]).into_response())
}
