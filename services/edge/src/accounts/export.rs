//! All that is kept about one person, as they take it along.

mod minors;

use proto::{auth, desk, lms};
use serde::Serialize;
use time::OffsetDateTime;
use utoipa::ToSchema;

use self::minors::{ExportedBirthDateChange, ExportedConsent, ExportedWithdrawal};
use super::guardian::GuardianView;
use super::profile::Address;
use super::{User, incomplete};
use crate::error::Error;
use crate::lms::notes::Note;
use crate::lms::watching::WatchedDay;
use crate::moment::{moment, optional};

/// All that is kept about the caller.
#[derive(Serialize, ToSchema)]
pub(crate) struct Export {
    account: User,
    /// Null where it was never told.
    #[schema(required)]
    address: Option<Address>,
    /// Signed-in devices, also those that signed out lately.
    sessions: Vec<ExportedSession>,
    passkeys: Vec<ExportedPasskey>,
    /// The guardian who agreed, or was asked to.
    #[schema(required)]
    consent: Option<ExportedConsent>,
    /// Those who see the progress of this account.
    guardians: Vec<ExportedPerson>,
    /// When they looked, newest first.
    views: Vec<GuardianView>,
    /// Those whose progress this account sees.
    children: Vec<ExportedPerson>,
    /// Changes of the e-mail address under way.
    email_changes: Vec<ExportedEmailChange>,
    /// Changes of the birth date, oldest first.
    birth_date_changes: Vec<ExportedBirthDateChange>,
    /// Consents that guardians withdrew, oldest first.
    withdrawals: Vec<ExportedWithdrawal>,
    learning: Learning,
    /// Mails of the last 30 days, newest first.
    mails: Vec<ExportedMail>,
}

impl Export {
    pub(super) fn new(
        account: auth::ExportAccountResponse,
        learning: lms::ExportLearnerResponse,
        mails: desk::ExportResponse,
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
            mails: all(mails.mails, ExportedMail::new)?,
        })
    }
}

fn all<From, To>(list: Vec<From>, new: impl Fn(From) -> Result<To, Error>) -> Result<Vec<To>, Error> {
    list.into_iter().map(new).collect()
}

#[derive(Serialize, ToSchema)]
struct ExportedSession {
    /// What the browser called itself.
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
            created: moment(session.created)?,
            last_used: moment(session.last_used)?,
            ended: optional(session.ended)?,
        })
    }
}

#[derive(Serialize, ToSchema)]
struct ExportedPasskey {
    /// As its owner calls it.
    name: String,
    #[serde(with = "time::serde::rfc3339")]
    created: OffsetDateTime,
    /// Null until it signs in.
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(required)]
    last_used: Option<OffsetDateTime>,
    /// Since when it signs in nobody, until its owner keeps it; null unless it is suspended.
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(required)]
    suspended: Option<OffsetDateTime>,
}

impl ExportedPasskey {
    fn new(passkey: auth::ExportedPasskey) -> Result<Self, Error> {
        Ok(Self {
            name: passkey.name,
            created: moment(passkey.created)?,
            last_used: optional(passkey.last_used)?,
            suspended: optional(passkey.suspended)?,
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
        Ok(Self { name: person.name, since: moment(person.since)? })
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
        Ok(Self { old_email: change.old_email, new_email: change.new_email, asked: moment(change.asked)? })
    }
}

/// What is kept about learning.
#[derive(Serialize, ToSchema)]
struct Learning {
    courses: Vec<ExportedCourse>,
    /// Courses put aside.
    bookmarks: Vec<ExportedBookmark>,
    favorites: Vec<ExportedMark>,
    checks: Vec<ExportedMark>,
    watches: Vec<ExportedWatch>,
    progress: Vec<ExportedProgress>,
    /// Days on which something was watched.
    days: Vec<WatchedDay>,
    notes: Vec<Note>,
    answers: Vec<ExportedAnswer>,
    /// Questions that come back.
    reviews: Vec<ExportedReview>,
}

impl Learning {
    fn new(learning: lms::ExportLearnerResponse) -> Result<Self, Error> {
        Ok(Self {
            courses: all(learning.items, ExportedCourse::new)?,
            bookmarks: all(learning.bookmarks, ExportedBookmark::new)?,
            favorites: all(learning.favorites, ExportedMark::new)?,
            checks: all(learning.checks, ExportedMark::new)?,
            watches: all(learning.watches, ExportedWatch::new)?,
            progress: all(learning.progress, ExportedProgress::new)?,
            days: learning.days.into_iter().map(WatchedDay::from).collect(),
            notes: all(learning.notes, Note::new)?,
            answers: all(learning.answers, ExportedAnswer::new)?,
            reviews: all(learning.reviews, ExportedReview::new)?,
        })
    }
}

#[derive(Serialize, ToSchema)]
struct ExportedCourse {
    course: String,
    product_id: i64,
    #[serde(with = "time::serde::rfc3339")]
    created: OffsetDateTime,
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(required)]
    expire_at: Option<OffsetDateTime>,
}

impl ExportedCourse {
    fn new(item: lms::ExportedItem) -> Result<Self, Error> {
        Ok(Self {
            course: item.course,
            product_id: item.product_id,
            created: moment(item.created)?,
            expire_at: optional(item.expire_at)?,
        })
    }
}

#[derive(Serialize, ToSchema)]
struct ExportedBookmark {
    course: String,
    #[serde(with = "time::serde::rfc3339")]
    created: OffsetDateTime,
}

impl ExportedBookmark {
    fn new(bookmark: lms::ExportedBookmark) -> Result<Self, Error> {
        Ok(Self { course: bookmark.course, created: moment(bookmark.created)? })
    }
}

#[derive(Serialize, ToSchema)]
struct ExportedMark {
    course: String,
    lesson: String,
    #[serde(with = "time::serde::rfc3339")]
    created: OffsetDateTime,
}

impl ExportedMark {
    fn new(mark: lms::ExportedMark) -> Result<Self, Error> {
        Ok(Self { course: mark.course, lesson: mark.lesson, created: moment(mark.created)? })
    }
}

#[derive(Serialize, ToSchema)]
struct ExportedWatch {
    course: String,
    lesson: String,
    /// Seconds from the start.
    position: i32,
    /// Seconds seen at least once.
    covered: i32,
    /// Sittings.
    times: i32,
    #[serde(with = "time::serde::rfc3339")]
    first_seen: OffsetDateTime,
    #[serde(with = "time::serde::rfc3339")]
    last_seen: OffsetDateTime,
}

impl ExportedWatch {
    fn new(watch: lms::ExportedWatch) -> Result<Self, Error> {
        Ok(Self {
            course: watch.course,
            lesson: watch.lesson,
            position: watch.position,
            covered: watch.covered,
            times: watch.times,
            first_seen: moment(watch.first_seen)?,
            last_seen: moment(watch.last_seen)?,
        })
    }
}

#[derive(Serialize, ToSchema)]
struct ExportedProgress {
    course: String,
    check_count: i32,
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(required)]
    completed_at: Option<OffsetDateTime>,
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(required)]
    opened_at: Option<OffsetDateTime>,
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(required)]
    last_watched_at: Option<OffsetDateTime>,
}

impl ExportedProgress {
    fn new(progress: lms::ExportedProgress) -> Result<Self, Error> {
        Ok(Self {
            course: progress.course,
            check_count: progress.check_count,
            completed_at: optional(progress.completed_at)?,
            opened_at: optional(progress.opened_at)?,
            last_watched_at: optional(progress.last_watched_at)?,
        })
    }
}

#[derive(Serialize, ToSchema)]
struct ExportedAnswer {
    course: String,
    lesson: String,
    question: String,
    /// Whether it was the graded try.
    is_graded: bool,
    /// The texts of the choices, or as typed.
    given: String,
    is_right: bool,
    #[serde(with = "time::serde::rfc3339")]
    created: OffsetDateTime,
}

impl ExportedAnswer {
    fn new(answer: lms::ExportedAnswer) -> Result<Self, Error> {
        Ok(Self {
            is_graded: answer.kind() == lms::ResultKind::Graded,
            course: answer.course,
            lesson: answer.lesson,
            question: answer.question,
            given: answer.given,
            is_right: answer.is_right,
            created: moment(answer.created)?,
        })
    }
}

#[derive(Serialize, ToSchema)]
struct ExportedReview {
    course: String,
    lesson: String,
    question: String,
    /// How far it is: 1 to 4, for 1, 3, 7 and 14 days.
    step: i32,
    /// Null where it comes no more.
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(required)]
    due_at: Option<OffsetDateTime>,
}

impl ExportedReview {
    fn new(review: lms::ExportedReview) -> Result<Self, Error> {
        Ok(Self {
            course: review.course,
            lesson: review.lesson,
            question: review.question,
            step: review.step,
            due_at: optional(review.due_at)?,
        })
    }
}

#[derive(Serialize, ToSchema)]
struct ExportedMail {
    /// What it was about.
    #[schema(example = "password_changed")]
    kind: String,
    #[serde(with = "time::serde::rfc3339")]
    created: OffsetDateTime,
    /// `waiting`, `sent`, `bounced` or `expired`.
    #[schema(example = "sent")]
    state: String,
    /// When it was sent or given up.
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(required)]
    done: Option<OffsetDateTime>,
}

impl ExportedMail {
    fn new(mail: desk::Mail) -> Result<Self, Error> {
        Ok(Self {
            kind: mail.kind,
            created: moment(mail.created)?,
            state: mail.state,
            done: optional(mail.done)?,
        })
    }
}
