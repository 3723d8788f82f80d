//! The report of a week about a learner, as PDF. Each linked guardian and the learner get the same bytes.

use axum::extract::State;
use axum::response::Response;
use proto::{auth, exam, lms};
use time::macros::format_description;
use time::{Date, Weekday};

use crate::Edge;
use crate::answer::attached_pdf;
use crate::bulkhead::Part;
use crate::child_link::check_link;
use crate::closure::Scope;
use crate::error::Error;
use crate::input::{Key, Query};
use crate::own_account::{find_own_account, full_name};
use crate::part::load_optional;
use crate::session::{Guardian, Learner, OnBehalf};

/// Returns the report of a week about a linked learner. 404 for a learner who is not linked.
///
/// The view is recorded and shown to the learner. The report says so if exams cannot be loaded now.
#[utoipa::path(
    get,
    path = "/api/accounts/guardian/children/{id}/report/",
    operation_id = "child_weekly_report_pdf",
    tag = "accounts",
    params(
        ("id" = uuid::Uuid, Path, description = "Account id of the learner."),
        ("week" = String, Query, description = "The Monday of one of the last 8 weeks that have ended in Tokyo, e.g. 2026-11-16. A week ends on Monday at 04:00.")
    ),
    responses((status = 200, description = "The PDF.", content_type = "application/pdf", body = String))
)]
pub(crate) async fn child_report(
    State(edge): State<Edge>,
    guardian: Guardian,
    Key(id): Key,
    query: Query,
) -> Result<Response, Error> {
    let week = parse_week(&query)?;
    let (relation, child) = check_link(&edge, &guardian, id, auth::ChildView::WeeklyReport).await?;
    write_pdf(&edge, &relation, child.name, week).await
}

/// Returns the report of a week about the caller: the same bytes as each linked guardian gets.
#[utoipa::path(
    get,
    path = "/api/accounts/guardian/report/",
    operation_id = "own_weekly_report_pdf",
    tag = "accounts",
    params(("week" = String, Query, description = "The Monday of one of the last 8 weeks that have ended in Tokyo, e.g. 2026-11-16. A week ends on Monday at 04:00.")),
    responses((status = 200, description = "The PDF.", content_type = "application/pdf", body = String))
)]
pub(crate) async fn own_report(
    State(edge): State<Edge>,
    learner: Learner,
    query: Query,
) -> Result<Response, Error> {
    let week = parse_week(&query)?;
    let user = find_own_account(&edge, &learner, learner.id()).await?;
    write_pdf(&edge, &learner, full_name(&user), week).await
}

/// Requires a Monday: no other day has a report, so no view may be recorded for it. lms checks that the week has a report.
/// Returns the day in one spelling, for the log of views.
fn parse_week(query: &Query) -> Result<String, Error> {
    let week = query.text("week")?.ok_or_else(|| Error::field("week", "REQUIRED"))?;
    let day = Date::parse(&week, format_description!("[year]-[month]-[day]")).ok();
    let monday = day.filter(|day| day.weekday() == Weekday::Monday);
    monday.map(|day| day.to_string()).ok_or_else(|| Error::field("week", "INVALID_FORMAT"))
}

async fn write_pdf(
    edge: &Edge,
    who: &impl OnBehalf,
    learner_name: String,
    week: String,
) -> Result<Response, Error> {
    let exams = load_optional(edge, Part::Exam, Scope::Exam, async {
        let request = exam::GetExamWeekRequest { week: week.clone() };
        Ok(edge.exam_results(who).get_exam_week(request).await?.into_inner().exams.unwrap_or_default())
    });
    let exams = exams.await.map(Into::into);
    let name = format!("weekly-report-{week}");
    let request = lms::GetWeeklyReportPdfRequest { week, learner_name, exams };
    let pdf = edge.weekly_reports(who).get_weekly_report_pdf(request).await?.into_inner().pdf;
    Ok(attached_pdf(&name, pdf))
}
