//! Guardians: codes, links, and the progress of linked learners.

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use proto::{auth, lms};
use serde::Serialize;
use time::OffsetDateTime;
use utoipa::ToSchema;

use super::user::GuardianConsent;
use crate::Edge;
use crate::answer::{json, json_of};
use crate::child_link::check_link;
use crate::client::Client;
use crate::error::Error;
use crate::input::{Empty, Fields, Form, JsonBody, Key};
use crate::session::{Guardian, Learner, Relative};
use crate::timestamp::{parse_optional_timestamp, parse_timestamp};

/// A code that links one guardian.
#[derive(Serialize, ToSchema)]
pub(crate) struct GuardianCode {
    #[schema(pattern = "^[2-9A-HJ-NP-Z]{4}-[2-9A-HJ-NP-Z]{4}$")]
    code: String,
    #[serde(with = "time::serde::rfc3339")]
    expires_at: OffsetDateTime,
}

/// Creates a code that one guardian can use once. Replaces the earlier code.
#[utoipa::path(
    post,
    path = "/api/accounts/guardian/code/",
    operation_id = "new_guardian_code",
    tag = "accounts",
    responses((status = 201, description = "The new code.", body = GuardianCode))
)]
pub(crate) async fn new_code(
    State(edge): State<Edge>,
    learner: Learner,
    _: Empty,
) -> Result<Response, Error> {
    let request = auth::IssueCodeRequest { user_id: learner.id() };
    let issued = edge.guardians(&learner).issue_code(request).await?.into_inner();
    let code = GuardianCode { code: issued.code, expires_at: parse_timestamp(issued.expires_at)? };
    Ok(json_of(StatusCode::CREATED, "application/json", &code))
}

/// A guardian linked with the caller.
#[derive(Serialize, ToSchema)]
struct GuardianLink {
    #[schema(format = Uuid)]
    id: String,
    name: String,
    #[serde(with = "time::serde::rfc3339")]
    since: OffsetDateTime,
}

/// A view of a learner's data by a guardian.
#[derive(Serialize, ToSchema)]
pub(super) struct GuardianView {
    name: String,
    /// What was viewed: `progress`, `exam_result`, `overview`, `weekly_report` or `interview`.
    #[schema(example = "progress")]
    what: String,
    #[serde(with = "time::serde::rfc3339")]
    at: OffsetDateTime,
}

impl GuardianView {
    pub(super) fn new(view: auth::GuardianView) -> Result<Self, Error> {
        Ok(Self { name: view.name, what: view.what, at: parse_timestamp(view.at)? })
    }
}

/// The caller's guardians and their views.
#[derive(Serialize, ToSchema)]
pub(crate) struct GuardianLinks {
    results: Vec<GuardianLink>,
    /// Newest first.
    #[schema(max_items = 1000)]
    views: Vec<GuardianView>,
}

/// Lists the guardians who can see the caller's progress, and when they viewed it.
#[utoipa::path(
    get,
    path = "/api/accounts/guardian/links/",
    operation_id = "guardian_links",
    tag = "accounts",
    responses((status = 200, description = "The guardians and their views.", body = GuardianLinks))
)]
pub(crate) async fn links(State(edge): State<Edge>, learner: Learner) -> Result<Response, Error> {
    let request = auth::ListGuardiansRequest { user_id: learner.id() };
    let list = edge.guardians(&learner).list_guardians(request).await?.into_inner();
    let results = list.guardians.into_iter().map(|guardian| {
        Ok(GuardianLink { id: guardian.id, name: guardian.name, since: parse_timestamp(guardian.since)? })
    });
    Ok(json(&GuardianLinks {
        results: results.collect::<Result<_, Error>>()?,
        views: list.views.into_iter().map(GuardianView::new).collect::<Result<_, _>>()?,
    }))
}

/// Ends a link between a guardian and a learner, from either side. 404 for a link of other people.
#[utoipa::path(
    delete,
    path = "/api/accounts/guardian/links/{id}/",
    operation_id = "end_guardian_link",
    tag = "accounts",
    params(("id" = uuid::Uuid, Path, description = "Id of the link.")),
    responses((status = 204, description = "The link has ended."))
)]
pub(crate) async fn end_link(
    State(edge): State<Edge>,
    relative: Relative,
    Key(id): Key,
) -> Result<Response, Error> {
    let request = auth::EndLinkRequest { user_id: relative.id(), link_id: id.to_string() };
    edge.guardians(&relative).end_link(request).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// A learner's code, as typed.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CodeRequest {
    /// Case, spaces and hyphens are ignored.
    #[schema(min_length = 1, max_length = 254)]
    code: String,
}

impl Form for CodeRequest {
    fn from_fields(fields: &mut Fields) -> Option<Self> {
        Some(Self { code: fields.text("code", 254)? })
    }
}

/// A learner linked with the caller.
#[derive(Serialize, ToSchema)]
pub(crate) struct Linked {
    /// Id of the link.
    #[schema(format = Uuid)]
    id: String,
    /// Learner's name.
    name: String,
}

/// Links the caller with a learner by the learner's code.
///
/// 400 `CODE_WRONG` if the code is wrong, used or expired. 409 `GUARDIANS_FULL` if the learner has four
/// guardians. 409 `GUARDIAN_UNDER_18` or `GUARDIAN_MAILBOX` for a guardian who cannot give consent. 429
/// `RATE_LIMITED` after too many attempts.
#[utoipa::path(
    post,
    path = "/api/accounts/guardian/link/",
    operation_id = "use_guardian_code",
    tag = "accounts",
    request_body = CodeRequest,
    responses(
        (status = 201, description = "The new link.", body = Linked),
        (status = 200, description = "The existing link: they were linked already.", body = Linked)
    )
)]
pub(crate) async fn use_code(
    State(edge): State<Edge>,
    guardian: Guardian,
    client: Client,
    JsonBody(form): JsonBody<CodeRequest>,
) -> Result<Response, Error> {
    let request =
        auth::UseCodeRequest { user_id: guardian.id(), code: form.code, client_address: client.address };
    let linked = edge.guardians(&guardian).use_code(request).await?.into_inner();
    let status = if linked.is_new { StatusCode::CREATED } else { StatusCode::OK };
    Ok(json_of(status, "application/json", &Linked { id: linked.link_id, name: linked.name }))
}

/// A linked learner, as a guardian sees it.
#[derive(Serialize, ToSchema)]
struct Child {
    #[schema(format = Uuid)]
    id: String,
    #[schema(format = Uuid)]
    link_id: String,
    name: String,
    /// School year, as in the learner's own account.
    #[schema(required, example = "中1")]
    school_year: Option<String>,
    #[serde(with = "time::serde::rfc3339")]
    since: OffsetDateTime,
    /// State of a guardian's consent for this learner.
    guardian_consent: GuardianConsent,
}

/// The learners of a guardian.
#[derive(Serialize, ToSchema)]
pub(crate) struct Children {
    results: Vec<Child>,
}

/// Lists the learners whose progress the caller can see.
#[utoipa::path(
    get,
    path = "/api/accounts/guardian/children/",
    operation_id = "children",
    tag = "accounts",
    responses((status = 200, description = "The linked learners.", body = Children))
)]
pub(crate) async fn children(State(edge): State<Edge>, guardian: Guardian) -> Result<Response, Error> {
    let request = auth::ListChildrenRequest { user_id: guardian.id() };
    let children = edge.guardians(&guardian).list_children(request).await?.into_inner().children;
    let results = children.into_iter().map(|child| {
        Ok(Child {
            guardian_consent: GuardianConsent::new(child.guardian_consent())?,
            id: child.id,
            link_id: child.link_id,
            name: child.name,
            school_year: child.school_year,
            since: parse_timestamp(child.since)?,
        })
    });
    Ok(json(&Children { results: results.collect::<Result<_, Error>>()? }))
}

/// A learner's progress in a course.
#[derive(Serialize, ToSchema)]
pub(crate) struct ChildCourse {
    id: i64,
    name: String,
    lesson_count: i32,
    /// Number of checked lessons.
    check_count: i32,
    /// When all lessons were checked for the first time; null until then.
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(required)]
    completed_at: Option<OffsetDateTime>,
    /// End of access; null: no end.
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(required)]
    expire_at: Option<OffsetDateTime>,
    /// Last heartbeat; null: never watched.
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(required)]
    last_watched_at: Option<OffsetDateTime>,
}

impl ChildCourse {
    pub(crate) fn new(course: lms::CourseProgress) -> Result<Self, Error> {
        Ok(Self {
            id: course.course_id,
            name: course.name,
            lesson_count: course.lesson_count,
            check_count: course.check_count,
            completed_at: parse_optional_timestamp(course.completed_at)?,
            expire_at: parse_optional_timestamp(course.expire_at)?,
            last_watched_at: parse_optional_timestamp(course.last_watched_at)?,
        })
    }
}

/// The lesson with which a learner goes on.
#[derive(Serialize, ToSchema)]
pub(crate) struct ChildNextLesson {
    /// Name of the lesson.
    lesson: String,
    /// Name of its course.
    course: String,
}

impl From<lms::NextLesson> for ChildNextLesson {
    fn from(next: lms::NextLesson) -> Self {
        Self { lesson: next.lesson_name, course: next.course_name }
    }
}

/// A learner's progress, as a guardian sees it.
#[derive(Serialize, ToSchema)]
pub(crate) struct ChildProgress {
    #[schema(format = Uuid)]
    id: String,
    /// Id of the link with the caller.
    #[schema(format = Uuid)]
    link_id: String,
    name: String,
    #[schema(required, example = "中1")]
    school_year: Option<String>,
    /// State of a guardian's consent for this learner.
    guardian_consent: GuardianConsent,
    /// Seconds of lessons watched in the last seven days, today included.
    week_seconds: u32,
    /// Null without a lesson that is left to do in a course that can be used.
    #[schema(required)]
    next_lesson: Option<ChildNextLesson>,
    /// Number of questions that are due for review.
    due_count: u32,
    /// Last watched first, then newest.
    courses: Vec<ChildCourse>,
}

/// Returns the progress of a linked learner. 404 for a learner who is not linked.
///
/// The view is recorded and shown to the learner.
#[utoipa::path(
    get,
    path = "/api/accounts/guardian/children/{id}/",
    operation_id = "child",
    tag = "accounts",
    params(("id" = uuid::Uuid, Path, description = "Account id of the learner.")),
    responses((status = 200, description = "The learner's progress.", body = ChildProgress))
)]
pub(crate) async fn child(
    State(edge): State<Edge>,
    guardian: Guardian,
    Key(id): Key,
) -> Result<Response, Error> {
    let (relation, child) = check_link(&edge, &guardian, id, auth::ChildView::Unspecified).await?;
    let request = lms::ListProgressRequest { learner_id: child.id.clone() };
    let progress = edge.learners(&relation).list_progress(request).await?.into_inner();
    let courses = progress.courses.into_iter().map(ChildCourse::new).collect::<Result<_, _>>()?;
    Ok(json(&ChildProgress {
        guardian_consent: GuardianConsent::new(child.guardian_consent())?,
        id: child.id,
        link_id: child.link_id,
        name: child.name,
        school_year: child.school_year,
        week_seconds: progress.week_seconds,
        next_lesson: progress.next_lesson.map(ChildNextLesson::from),
        due_count: progress.due_count,
        courses,
    }))
}
