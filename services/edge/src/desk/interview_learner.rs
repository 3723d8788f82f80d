//! The learner whose interviews a request is about: the caller, or a linked child of the caller.

use axum::extract::FromRequestParts;
use http::request::Parts;
use kit::caller::Person;
use proto::{auth, desk};

use crate::Edge;
use crate::child_link::{LinkedChild, find_linked_child};
use crate::error::Error;
use crate::input::Query;
use crate::own_account::{find_own_account, full_name};
use crate::session::{Guardian, Learner, OnBehalf};

/// The learner of a request about interviews. The query parameter `child` names the child of a guardian: 404 for a learner
/// who is not linked, and the view is recorded for the child. Without it, a caller without the scope `learner` is 403.
pub(crate) enum InterviewLearner {
    /// The caller.
    Own(Learner),
    Child(Box<InterviewChild>),
}

/// A linked child, for whom the caller acts.
pub(crate) struct InterviewChild {
    guardian: Guardian,
    person: Option<Person>,
    linked: LinkedChild,
}

impl InterviewLearner {
    /// Name of the child; `None` if the caller is the learner.
    pub(crate) fn child_name(&self) -> Option<String> {
        match self {
            Self::Own(_) => None,
            Self::Child(child) => Some(child.linked.child.name.clone()),
        }
    }

    /// Fetches the name and address of the learner, for mails.
    pub(crate) async fn find_participant(&self, edge: &Edge) -> Result<desk::InterviewParticipant, Error> {
        match self {
            Self::Own(learner) => find_participant(edge, learner, learner.id()).await,
            Self::Child(child) => {
                let LinkedChild { child, email } = &child.linked;
                Ok(desk::InterviewParticipant {
                    name: child.name.clone(),
                    email: email.clone(),
                    birth_date: None,
                })
            }
        }
    }

    /// Fetches the name and address of the guardian who acts, for mails. `None` if the caller is the learner.
    pub(crate) async fn find_guardian(
        &self,
        edge: &Edge,
    ) -> Result<Option<desk::InterviewParticipant>, Error> {
        match self {
            Self::Own(_) => Ok(None),
            Self::Child(child) => {
                let guardian = &child.guardian;
                let contact = find_participant(edge, guardian, guardian.id()).await?;
                Ok(Some(desk::InterviewParticipant { birth_date: None, ..contact }))
            }
        }
    }
}

async fn find_participant(
    edge: &Edge,
    caller: &impl OnBehalf,
    id: String,
) -> Result<desk::InterviewParticipant, Error> {
    let user = find_own_account(edge, caller, id).await?;
    Ok(desk::InterviewParticipant { name: full_name(&user), email: user.email, birth_date: user.birth_date })
}

impl OnBehalf for InterviewLearner {
    fn person(&self) -> Option<Person> {
        match self {
            Self::Own(learner) => learner.person(),
            Self::Child(child) => child.person,
        }
    }
}

impl FromRequestParts<Edge> for InterviewLearner {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, edge: &Edge) -> Result<Self, Error> {
        let Ok(query) = Query::from_request_parts(parts, edge).await;
        let Some(id) = query.uuid("child")? else {
            return Learner::from_request_parts(parts, edge).await.map(Self::Own);
        };
        let guardian = Guardian::from_request_parts(parts, edge).await?;
        let relation = guardian.acting_for(id)?;
        let linked = find_linked_child(edge, &relation, auth::ChildView::Interview).await?;
        let person = relation.person();
        Ok(Self::Child(Box::new(InterviewChild { guardian, person, linked })))
    }
}
