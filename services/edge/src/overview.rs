//! What each linked guardian sees of a learner. The learner gets the same body.

mod body;
pub(crate) mod report;

use axum::extract::State;
use axum::response::Response;
use proto::{auth, commerce, desk, exam, lms};

use self::body::{Appointments, Exams, Learning, Overview, encode_purchases};
use crate::Edge;
use crate::answer::json;
use crate::bulkhead::Part;
use crate::child_link::check_link;
use crate::closure::Scope;
use crate::error::Error;
use crate::input::Key;
use crate::own_account::{find_own_account, full_name};
use crate::part::load_optional;
use crate::session::{Guardian, Learner, OnBehalf};

/// The learner of an overview.
struct Subject {
    id: String,
    name: String,
    school_year: Option<String>,
}

/// Returns what a guardian sees of a linked learner. 404 for a learner who is not linked.
///
/// The view is recorded and shown to the learner. A part that cannot be loaded now is null.
#[utoipa::path(
    get,
    path = "/api/accounts/guardian/children/{id}/overview/",
    operation_id = "child_overview",
    tag = "accounts",
    params(("id" = uuid::Uuid, Path, description = "Account id of the learner.")),
    responses((status = 200, description = "The overview.", body = Overview))
)]
pub(crate) async fn child_overview(
    State(edge): State<Edge>,
    guardian: Guardian,
    Key(id): Key,
) -> Result<Response, Error> {
    let (relation, child) = check_link(&edge, &guardian, id, auth::ChildView::Overview).await?;
    let subject = Subject { id: child.id, name: child.name, school_year: child.school_year };
    Ok(json(&Box::pin(compose(&edge, &relation, subject)).await))
}

/// Returns what each linked guardian sees of the caller: the same body as theirs.
///
/// A part that cannot be loaded now is null.
#[utoipa::path(
    get,
    path = "/api/accounts/guardian/overview/",
    operation_id = "own_overview",
    tag = "accounts",
    responses((status = 200, description = "The overview.", body = Overview))
)]
pub(crate) async fn own_overview(State(edge): State<Edge>, learner: Learner) -> Result<Response, Error> {
    let user = find_own_account(&edge, &learner, learner.id()).await?;
    let subject = Subject { name: full_name(&user), id: user.id, school_year: user.school_year };
    Ok(json(&Box::pin(compose(&edge, &learner, subject)).await))
}

/// Composes the overview for the learner, or for a guardian whose link was checked.
async fn compose(edge: &Edge, who: &impl OnBehalf, subject: Subject) -> Overview {
    let (learning, exams, appointments, purchases) = tokio::join!(
        load_optional(edge, Part::Lms, Scope::Learning, async {
            let request = lms::GetLearningOverviewRequest {};
            Learning::new(edge.learners(who).get_learning_overview(request).await?.into_inner())
        }),
        load_optional(edge, Part::Exam, Scope::Exam, async {
            let request = exam::GetExamOverviewRequest {};
            Exams::new(edge.exam_results(who).get_exam_overview(request).await?.into_inner())
        }),
        load_optional(edge, Part::Desk, Scope::Learning, async {
            let request = desk::ListAppointmentsRequest {};
            Appointments::new(edge.appointments(who).list_appointments(request).await?.into_inner())
        }),
        load_optional(edge, Part::Commerce, Scope::Commerce, async {
            let request = commerce::ListLearnerPurchasesRequest {};
            encode_purchases(edge.orders(who).list_learner_purchases(request).await?.into_inner())
        }),
    );
    let Subject { id, name, school_year } = subject;
    Overview { id, name, school_year, learning, exams, appointments, purchases }
}
