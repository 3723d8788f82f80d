//! The calendar of a person for calendar apps, which read it at a secret address without a session.

mod file;
mod reader;

use std::collections::BTreeMap;

use axum::extract::{Path, State};
use axum::response::{IntoResponse as _, Response};
use futures_util::future::try_join_all;
use http::{HeaderMap, HeaderValue, StatusCode, header};
use kit::caller::Scope as Role;
use kit::error::Code;
use proto::{auth, desk, exam, lms};

use self::file::{CalendarEvent, Reminder, write_calendar};
use self::reader::CalendarReader;
use crate::Edge;
use crate::answer::{build_response, etag_of, is_known};
use crate::bulkhead::{Bulkhead, Part};
use crate::client::Client;
use crate::closure::Scope;
use crate::desk::calendar_address::SUFFIX;
use crate::error::Error;
use crate::own_account::find_own_account;
use crate::part::load;
use crate::timestamp::parse_timestamp;

const MEDIA_TYPE: &str = "text/calendar; charset=utf-8";
const CACHING: HeaderValue = HeaderValue::from_static("private, max-age=300");
/// Seconds until a calendar app asks again after a failure.
const RETRY_AFTER: HeaderValue = HeaderValue::from_static("300");

/// Returns the dates of a person as a calendar (RFC 5545), for calendar apps.
///
/// It needs no session: the address is secret. It has the person's interviews, live lessons and mock exams, and the
/// events for which the person signed themselves or a child up. It has either all dates or none: while a part of them
/// cannot be loaded, the answer is 503 with `Retry-After`. 404 for an unknown or ended address.
#[utoipa::path(
    get,
    path = "/api/desk/calendar/{file}",
    operation_id = "calendar",
    tag = "desk",
    params(("file" = String, Path, description = "The secret token, with `.ics`.")),
    responses(
        (status = 200, description = "The calendar.", content_type = "text/calendar", body = String),
        (status = 304, description = "Not modified: the `ETag` in `If-None-Match` is current."),
        (status = 503, description = "A part of the dates cannot be loaded, or the site is closed. Ask again after `Retry-After`.")
    )
)]
pub(crate) async fn calendar(
    State(edge): State<Edge>,
    Path(file): Path<String>,
    client: Client,
    headers: HeaderMap,
) -> Result<Response, Error> {
    let token = file.strip_suffix(SUFFIX).ok_or(Error::NotFound)?;
    let found = async {
        let reader = find_reader(&edge, token, client.address).await?;
        Box::pin(collect(&edge, &reader)).await.map_err(into_failure)
    };
    match found.await {
        Ok(events) => write_answer(&edge, &headers, &events),
        Err(Failure::Refused(error)) => Err(error),
        Err(Failure::Unavailable(error)) => {
            tracing::warn!(%error, "a calendar cannot be loaded as a whole");
            Ok((StatusCode::SERVICE_UNAVAILABLE, [(header::RETRY_AFTER, RETRY_AFTER)]).into_response())
        }
    }
}

/// Why there is no calendar.
enum Failure {
    /// An answer for the client.
    Refused(Error),
    /// The client shall keep the dates that it has, and ask again.
    Unavailable(Error),
}

/// A calendar app may drop all dates after another error than 429 and 503.
fn into_failure(error: Error) -> Failure {
    match error {
        Error::Overloaded => Failure::Refused(error),
        Error::Upstream(ref problem) if problem.code == Code::TooMany => Failure::Refused(error),
        error => Failure::Unavailable(error),
    }
}

/// Finds whose address it is. 404 for an unknown or ended one, and while the account is closing: its erasure ends the
/// address, and reopening it restores the address.
async fn find_reader(edge: &Edge, token: &str, client_address: String) -> Result<CalendarReader, Failure> {
    let into_failure = |error: Error| match error {
        Error::Upstream(ref problem) if problem.code == Code::NotFound => Failure::Refused(Error::NotFound),
        error => into_failure(error),
    };
    let account = load(edge, Bulkhead::PublicReads(Part::Desk), Scope::Site, async {
        let request = desk::FindCalendarAccountRequest { token: token.to_owned(), client_address };
        Ok(edge.calendar_accounts().find_calendar_account(request).await?.into_inner().account_id)
    });
    let account = account.await.map_err(into_failure)?;
    let id = account.parse().map_err(|_| Failure::Unavailable(Error::Internal))?;
    let reader = CalendarReader::new(id);
    let user: auth::User = find_own_account(edge, &reader, account).await.map_err(into_failure)?;
    if user.erase_at.is_some() {
        return Err(Failure::Refused(Error::NotFound));
    }
    Ok(reader.with_roles(&user.scope))
}

/// Collects the dates of a person, or fails.
async fn collect(edge: &Edge, reader: &CalendarReader) -> Result<Vec<CalendarEvent>, Error> {
    let site = Site::new(edge.origin());
    let (desk, lms, exam) = (
        Bulkhead::PublicReads(Part::Desk),
        Bulkhead::PublicReads(Part::Lms),
        Bulkhead::PublicReads(Part::Exam),
    );
    let school_events = load(edge, desk, Scope::Site, collect_school_events(edge, reader, &site));
    let learning = async {
        if !reader.has_role(Role::Learner) {
            return Ok(Vec::new());
        }
        let (interviews, lessons, exams) = tokio::try_join!(
            load(edge, desk, Scope::Learning, collect_interviews(edge, reader, &site)),
            load(edge, lms, Scope::Learning, collect_lessons(edge, reader, &site)),
            load(edge, exam, Scope::Exam, collect_exams(edge, reader, &site)),
        )?;
        Ok([interviews, lessons, exams].concat())
    };
    let (mut events, learning) = tokio::try_join!(school_events, learning)?;
    events.extend(learning);
    events.sort_by(|one, other| (one.starts_at, &one.uid).cmp(&(other.starts_at, &other.uid)));
    Ok(events)
}

/// Builds UIDs and links. They are the same as in the calendar files of the site.
struct Site<'a> {
    origin: &'a str,
    host: String,
}

impl<'a> Site<'a> {
    fn new(origin: &'a str) -> Self {
        let uri = origin.parse::<http::Uri>().ok();
        let host = uri.as_ref().and_then(http::Uri::host).unwrap_or_default().to_owned();
        Self { origin, host }
    }

    fn uid(&self, name: &str) -> String {
        format!("{name}@{}", self.host)
    }

    fn url(&self, path: &str) -> String {
        format!("{}{path}", self.origin)
    }
}

/// Where and when a meeting can be joined.
fn describe_joining(url: &str) -> String {
    format!("開始の10分前から、次のページで参加できます：{url}")
}

async fn collect_school_events(
    edge: &Edge,
    reader: &CalendarReader,
    site: &Site<'_>,
) -> Result<Vec<CalendarEvent>, Error> {
    let request = desk::ListSchoolEventsRequest {};
    let found = edge.school_events(reader).list_school_events(request).await?.into_inner().events;
    let entered = found
        .into_iter()
        .filter(|event| event.entries.iter().any(|entry| entry.state() == desk::EntryState::SignedUp));
    entered.map(|event| encode_event(event, site)).collect()
}

async fn collect_interviews(
    edge: &Edge,
    reader: &CalendarReader,
    site: &Site<'_>,
) -> Result<Vec<CalendarEvent>, Error> {
    let request = desk::ExportInterviewsRequest {};
    let found = edge.interviews(reader).export_interviews(request).await?.into_inner().interviews;
    find_newest(found).map(|interview| encode_interview(&interview, site)).collect()
}

fn encode_event(event: desk::SchoolEvent, site: &Site<'_>) -> Result<CalendarEvent, Error> {
    let url = site.url(&format!("/mypage/event/{}", event.id));
    Ok(CalendarEvent {
        uid: site.uid(&format!("event-{}-{}", event.id, event.round)),
        sequence: event.revision,
        title: event.title,
        place: Some(event.place),
        description: format!("内容と取り消し：{url}"),
        starts_at: parse_timestamp(event.starts_at)?,
        ends_at: parse_timestamp(event.ends_at)?,
        is_cancelled: false,
        url,
        reminder: Reminder::Day,
    })
}

/// The newest interview of each calendar event. An interview that replaces another one keeps its event.
fn find_newest(interviews: Vec<desk::Interview>) -> impl Iterator<Item = desk::Interview> {
    let mut newest = BTreeMap::<String, desk::Interview>::new();
    for interview in interviews {
        let known = newest.get(&interview.calendar_id);
        if known.is_none_or(|known| known.calendar_sequence <= interview.calendar_sequence) {
            newest.insert(interview.calendar_id.clone(), interview);
        }
    }
    newest.into_values()
}

fn encode_interview(interview: &desk::Interview, site: &Site<'_>) -> Result<CalendarEvent, Error> {
    let url = site.url("/mypage/interview");
    Ok(CalendarEvent {
        uid: site.uid(&format!("interview-{}", interview.calendar_id)),
        // Cancelling is a further change.
        sequence: interview.calendar_sequence + u32::from(interview.is_cancelled),
        title: format!("{}（{}先生）", interview.kind_name, interview.teacher),
        place: None,
        description: describe_joining(&url),
        starts_at: parse_timestamp(interview.starts_at)?,
        ends_at: parse_timestamp(interview.ends_at)?,
        is_cancelled: interview.is_cancelled,
        url,
        reminder: Reminder::Day,
    })
}

async fn collect_lessons(
    edge: &Edge,
    reader: &CalendarReader,
    site: &Site<'_>,
) -> Result<Vec<CalendarEvent>, Error> {
    let request = lms::ListClassWeekRequest { day: String::new() };
    let classes = edge.classes(reader).list_class_week(request).await?.into_inner().classes;
    let lessons = classes.into_iter().map(async |class| {
        let request = lms::ListLiveLessonsRequest { class_id: class.id };
        let lessons = match edge.classes(reader).list_live_lessons(request).await {
            Ok(found) => found.into_inner().lessons,
            // The membership has just ended.
            Err(status) if status.code() == tonic::Code::NotFound => Vec::new(),
            Err(status) => return Err(Error::from(status)),
        };
        lessons.iter().map(|lesson| encode_lesson(&class, lesson, site)).collect::<Result<Vec<_>, _>>()
    });
    Ok(try_join_all(lessons).await?.concat())
}

fn encode_lesson(
    class: &lms::Class,
    lesson: &lms::LiveLesson,
    site: &Site<'_>,
) -> Result<CalendarEvent, Error> {
    let url = site.url("/mypage/class");
    let title = format!("{} 第{}回 {}", class.name, lesson.number, lesson.title);
    Ok(CalendarEvent {
        uid: site.uid(&format!("live-lesson-{}", lesson.id)),
        sequence: lesson.revision.unsigned_abs(),
        title: title.trim_end().to_owned(),
        place: None,
        description: format!("{}先生。{}", class.teacher_name, describe_joining(&url)),
        starts_at: parse_timestamp(lesson.starts_at)?,
        ends_at: parse_timestamp(lesson.ends_at)?,
        is_cancelled: lesson.is_cancelled,
        url,
        reminder: Reminder::TenMinutes,
    })
}

async fn collect_exams(
    edge: &Edge,
    reader: &CalendarReader,
    site: &Site<'_>,
) -> Result<Vec<CalendarEvent>, Error> {
    let request = exam::ListApplicationsRequest {};
    let found = edge.applications(reader).list_applications(request).await?.into_inner().applications;
    let applied = found.into_iter().filter(|application| {
        matches!(application.state(), exam::ApplicationState::Mine | exam::ApplicationState::Past)
    });
    applied.filter_map(|application| application.exam).map(|exam| encode_exam(exam, site)).collect()
}

fn encode_exam(exam: exam::Exam, site: &Site<'_>) -> Result<CalendarEvent, Error> {
    let url = site.url(&format!("/mypage/mockexam/{}", exam.id));
    Ok(CalendarEvent {
        uid: site.uid(&format!("exam-{}", exam.id)),
        sequence: 0,
        title: exam.name,
        place: None,
        description: format!("準備と受験：{url}"),
        starts_at: parse_timestamp(exam.starts_at)?,
        ends_at: parse_timestamp(exam.ends_at)?,
        is_cancelled: false,
        url,
        reminder: Reminder::Day,
    })
}

/// The `ETag` is weak: it ignores the time of the answer.
fn write_answer(edge: &Edge, headers: &HeaderMap, events: &[CalendarEvent]) -> Result<Response, Error> {
    let etag = etag_of(write_calendar(events, time::OffsetDateTime::UNIX_EPOCH).as_bytes());
    let mut answer = if is_known(headers, &etag) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        build_response(StatusCode::OK, MEDIA_TYPE, write_calendar(events, edge.clock().now()).into())
    };
    let etag = HeaderValue::try_from(format!("W/{etag}")).map_err(|_| Error::Internal)?;
    answer.headers_mut().insert(header::ETAG, etag);
    answer.headers_mut().insert(header::CACHE_CONTROL, CACHING);
    Ok(answer)
}
