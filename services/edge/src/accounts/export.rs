//! Export of an account's personal data as one file.

mod body;
mod learning;
mod minors;
mod pictures;

use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use http::header;
use proto::{auth, commerce, desk, exam, lms};
use serde::Serialize;
use time::OffsetDateTime;
use utoipa::ToSchema;

use self::body::{Parts, stream_body};
pub(super) use self::learning::Learning;
use self::minors::{ExportedBirthDateChange, ExportedConsent, ExportedWithdrawal};
use self::pictures::ExportedQuestionPicture;
use super::address::Address;
use super::guardian::GuardianView;
use super::incomplete;
use super::password::OwnPasswordRequest;
use super::user::User;
use crate::Edge;
use crate::client::Client;
use crate::commerce::card::SavedCard;
use crate::commerce::export::{ExportedCartLine, ExportedCoupon, ExportedOrder};
use crate::commerce::subscription::Subscription;
use crate::desk::calendar_address::CalendarAddress;
use crate::desk::interview::Interview;
use crate::desk::member_notice::ExportedNotices;
use crate::desk::notification::NotificationSettings;
use crate::desk::question_picture::RESPONSE_LIMIT;
use crate::desk::school_event::ExportedEventEntry;
use crate::desk::teacher_question::TeacherQuestionThread;
use crate::error::Error;
use crate::exam::export::{ExportedApplication, ExportedSitting};
use crate::input::JsonBody;
use crate::session::Caller;
use crate::timestamp::{parse_optional_timestamp, parse_timestamp};

/// Largest response of exam, in bytes: all pictures of a learner's answers.
const EXAMS_LIMIT: usize = 64 * 1024 * 1024;

/// All data stored about the caller.
#[derive(Serialize, ToSchema)]
pub(crate) struct Export {
    account: User,
    /// Postal address; null: none stored.
    #[schema(required)]
    address: Option<Address>,
    /// Active sessions, and those that ended recently.
    sessions: Vec<ExportedSession>,
    passkeys: Vec<ExportedPasskey>,
    /// Consent of a guardian, given or requested; null: neither.
    #[schema(required)]
    consent: Option<ExportedConsent>,
    /// Guardians who can see the progress of this account.
    guardians: Vec<ExportedPerson>,
    /// Views by guardians, newest first.
    views: Vec<GuardianView>,
    /// Learners whose progress this account can see.
    children: Vec<ExportedPerson>,
    /// Pending changes of the email address.
    email_changes: Vec<ExportedEmailChange>,
    /// Changes of the birth date, oldest first.
    birth_date_changes: Vec<ExportedBirthDateChange>,
    /// Withdrawn consents, oldest first.
    withdrawals: Vec<ExportedWithdrawal>,
    /// Emails of the last 30 days, newest first.
    mails: Vec<ExportedMail>,
    /// Questions to the teachers, oldest first.
    teacher_questions: Vec<TeacherQuestionThread>,
    /// Interviews, also cancelled ones, oldest first.
    interviews: Vec<Interview>,
    notices: ExportedNotices,
    notification_settings: NotificationSettings,
    /// The address for calendar apps, without its secret.
    calendar_address: CalendarAddress,
    /// Entries of events, also of people whom the caller signed up; oldest first.
    event_entries: Vec<ExportedEventEntry>,
    /// Lines of the cart, oldest first.
    cart: Vec<ExportedCartLine>,
    /// The coupons that the caller holds or has on the cart.
    coupons: Vec<ExportedCoupon>,
    /// When the account last asked its guardians to pay for the cart; null: not within 90 days.
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(required)]
    guardians_asked_at: Option<OffsetDateTime>,
    saved_card: SavedCard,
    /// Oldest first.
    subscriptions: Vec<Subscription>,
    /// Soonest exam first.
    exam_applications: Vec<ExportedApplication>,
    /// Oldest first.
    exam_sittings: Vec<ExportedSitting>,
    // Must be the last three: their longest lists are streamed.
    learning: Learning,
    /// Oldest first.
    orders: Vec<ExportedOrder>,
    /// The pictures of the questions to the teachers, oldest first.
    question_pictures: Vec<ExportedQuestionPicture>,
}

impl Export {
    /// Converts everything except orders, pictures, and the streamed lists of `learning`.
    pub(super) fn new(
        account: auth::ExportAccountResponse,
        learning: lms::ExportLearnerResponse,
        desk: DeskExport,
        purchases: commerce::ExportPurchasesResponse,
        exams: exam::ExportApplicationsResponse,
    ) -> Result<Self, Error> {
        Ok(Self {
            account: User::new(account.user.ok_or_else(|| incomplete("user"))?)?,
            address: account.address.map(Address::from),
            sessions: all(account.sessions, ExportedSession::new)?,
            passkeys: all(account.passkeys, ExportedPasskey::new)?,
            consent: account.consent.map(ExportedConsent::new).transpose()?,
            guardians: all(account.guardians, ExportedPerson::new)?,
            views: all(account.views, GuardianView::new)?,
            children: all(account.children, ExportedPerson::new)?,
            email_changes: all(account.email_changes, ExportedEmailChange::new)?,
            birth_date_changes: all(account.birth_date_changes, ExportedBirthDateChange::new)?,
            withdrawals: all(account.withdrawals, ExportedWithdrawal::new)?,
            learning: Learning::new(learning)?,
            mails: all(desk.mails, ExportedMail::new)?,
            teacher_questions: desk.teacher_questions,
            interviews: desk.interviews,
            notices: desk.notices,
            notification_settings: desk.notification_settings,
            calendar_address: desk.calendar_address,
            event_entries: desk.event_entries,
            guardians_asked_at: parse_optional_timestamp(purchases.asked_at)?,
            cart: all(purchases.cart, ExportedCartLine::new)?,
            coupons: all(purchases.coupons, ExportedCoupon::new)?,
            saved_card: SavedCard::new(purchases.card),
            subscriptions: all(purchases.subscriptions, Subscription::new)?,
            exam_applications: all(exams.applications, ExportedApplication::new)?,
            exam_sittings: all(exams.sittings, ExportedSitting::new)?,
            orders: Vec::new(),
            question_pictures: Vec::new(),
        })
    }
}

/// What desk has stored about an account, except for pictures.
pub(super) struct DeskExport {
    mails: Vec<desk::Mail>,
    teacher_questions: Vec<TeacherQuestionThread>,
    interviews: Vec<Interview>,
    notices: ExportedNotices,
    notification_settings: NotificationSettings,
    calendar_address: CalendarAddress,
    event_entries: Vec<ExportedEventEntry>,
}

impl DeskExport {
    async fn fetch(edge: &Edge, caller: &Caller) -> Result<Self, Error> {
        let request = desk::ExportRequest { account_id: caller.user().to_string() };
        Ok(Self {
            mails: edge.mails(caller).export(request).await?.into_inner().mails,
            teacher_questions: TeacherQuestionThread::export(edge, caller).await?,
            interviews: Interview::export(edge, caller).await?,
            notices: ExportedNotices::fetch(edge, caller).await?,
            notification_settings: NotificationSettings::fetch(edge, caller).await?,
            calendar_address: CalendarAddress::fetch(edge, caller).await?,
            event_entries: ExportedEventEntry::fetch(edge, caller).await?,
        })
    }
}

fn all<From, To>(list: Vec<From>, new: impl Fn(From) -> Result<To, Error>) -> Result<Vec<To>, Error> {
    list.into_iter().map(new).collect()
}

#[derive(Serialize, ToSchema)]
struct ExportedSession {
    /// User-Agent header of the browser.
    user_agent: String,
    #[serde(with = "time::serde::rfc3339")]
    created: OffsetDateTime,
    #[serde(with = "time::serde::rfc3339")]
    last_used: OffsetDateTime,
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(required)]
    ended: Option<OffsetDateTime>,
}

impl ExportedSession {
    fn new(session: auth::ExportedSession) -> Result<Self, Error> {
        Ok(Self {
            user_agent: session.user_agent,
            created: parse_timestamp(session.created)?,
            last_used: parse_timestamp(session.last_used)?,
            ended: parse_optional_timestamp(session.ended)?,
        })
    }
}

#[derive(Serialize, ToSchema)]
struct ExportedPasskey {
    /// Name chosen by the owner.
    name: String,
    #[serde(with = "time::serde::rfc3339")]
    created: OffsetDateTime,
    /// Last sign-in; null: never.
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(required)]
    last_used: Option<OffsetDateTime>,
    /// Start of the suspension; null: active. A suspended passkey cannot sign in until its owner keeps it.
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(required)]
    suspended: Option<OffsetDateTime>,
}

impl ExportedPasskey {
    fn new(passkey: auth::ExportedPasskey) -> Result<Self, Error> {
        Ok(Self {
            name: passkey.name,
            created: parse_timestamp(passkey.created)?,
            last_used: parse_optional_timestamp(passkey.last_used)?,
            suspended: parse_optional_timestamp(passkey.suspended)?,
        })
    }
}

#[derive(Serialize, ToSchema)]
struct ExportedPerson {
    name: String,
    #[serde(with = "time::serde::rfc3339")]
    since: OffsetDateTime,
}

impl ExportedPerson {
    fn new(person: auth::ExportedPerson) -> Result<Self, Error> {
        Ok(Self { name: person.name, since: parse_timestamp(person.since)? })
    }
}

#[derive(Serialize, ToSchema)]
struct ExportedEmailChange {
    /// Empty until the change is confirmed.
    old_email: String,
    new_email: String,
    #[serde(with = "time::serde::rfc3339")]
    asked: OffsetDateTime,
}

impl ExportedEmailChange {
    fn new(change: auth::ExportedEmailChange) -> Result<Self, Error> {
        Ok(Self {
            old_email: change.old_email,
            new_email: change.new_email,
            asked: parse_timestamp(change.asked)?,
        })
    }
}

#[derive(Serialize, ToSchema)]
struct ExportedMail {
    /// Kind of the email.
    #[schema(example = "password_changed")]
    kind: String,
    #[serde(with = "time::serde::rfc3339")]
    created: OffsetDateTime,
    /// `waiting`, `sent`, `bounced` or `expired`.
    #[schema(example = "sent")]
    state: String,
    /// When it was sent, bounced or expired; null while it waits.
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(required)]
    done: Option<OffsetDateTime>,
}

impl ExportedMail {
    fn new(mail: desk::Mail) -> Result<Self, Error> {
        Ok(Self {
            kind: mail.kind,
            created: parse_timestamp(mail.created)?,
            state: mail.state,
            done: parse_optional_timestamp(mail.done)?,
        })
    }
}

/// Exports all data stored about the caller.
///
/// 400 `BAD_CREDENTIALS` for a wrong password, 429 `RATE_LIMITED` after too many attempts.
#[utoipa::path(
    post,
    path = "/api/accounts/export/",
    operation_id = "export_account",
    tag = "accounts",
    request_body = OwnPasswordRequest,
    responses((status = 200, description = "The data.", body = Export))
)]
pub(crate) async fn export_account(
    State(edge): State<Edge>,
    caller: Caller,
    client: Client,
    JsonBody(form): JsonBody<OwnPasswordRequest>,
) -> Result<Response, Error> {
    let request = auth::ExportAccountRequest {
        user_id: caller.user().to_string(),
        password: form.password,
        client_address: client.address,
        sid: caller.session().to_string(),
    };
    // Auth first: it checks the password.
    let account = edge.profiles(&caller).export_account(request).await?.into_inner();
    let request = lms::ExportLearnerInPartsRequest {};
    let mut parts = edge.learners(&caller).export_learner_in_parts(request).await?.into_inner();
    let first = parts.message().await?.and_then(|first| first.part);
    let learning = first.ok_or_else(|| incomplete("the export"))?;
    let request = commerce::ExportPurchasesRequest {};
    let mut purchases = edge.orders(&caller).export_purchases(request).await?.into_inner();
    let first = purchases.message().await?.ok_or_else(|| incomplete("the export"))?;
    let desk = DeskExport::fetch(&edge, &caller).await?;
    let request = exam::ExportApplicationsRequest {};
    let mut applications = edge.applications(&caller).max_decoding_message_size(EXAMS_LIMIT);
    let exams = applications.export_applications(request).await?.into_inner();
    let headers = [
        (header::CONTENT_TYPE, "application/json"),
        (header::CONTENT_DISPOSITION, "attachment; filename=\"konomana.json\""),
    ];
    let export = Export::new(account, learning, desk, first, exams)?;
    let request = desk::ExportQuestionPicturesRequest {};
    let mut questions = edge.teacher_questions(&caller).max_decoding_message_size(RESPONSE_LIMIT);
    let pictures = questions.export_question_pictures(request).await?.into_inner();
    let parts = Parts { learning: Some(parts), purchases: Some(purchases), pictures };
    Ok((headers, stream_body(&export, parts)?).into_response())
}
