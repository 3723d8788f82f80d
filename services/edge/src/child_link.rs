//! The link of a guardian with a child, which every view of the child needs.

use proto::auth;
use uuid::Uuid;

use crate::Edge;
use crate::error::Error;
use crate::session::{Guardian, GuardianOf};

/// A linked child.
pub(crate) struct LinkedChild {
    pub(crate) child: auth::Child,
    /// For mails about what the guardian does for the child. Not for the guardian.
    pub(crate) email: String,
}

/// Checks the link with a child and records the view. Returns the right to act for the child, and the child.
pub(crate) async fn check_link<'a>(
    edge: &Edge,
    guardian: &'a Guardian,
    child: Uuid,
    view: auth::ChildView,
) -> Result<(GuardianOf<'a>, auth::Child), Error> {
    let relation = guardian.acting_for(child)?;
    let linked = find_linked_child(edge, &relation, view).await?;
    Ok((relation, linked.child))
}

/// Finds the child for whom a guardian acts, and records the view. 404 for a learner who is not linked.
pub(crate) async fn find_linked_child(
    edge: &Edge,
    relation: &GuardianOf<'_>,
    view: auth::ChildView,
) -> Result<LinkedChild, Error> {
    let request = auth::LookAtChildRequest { view: view.into(), ..Default::default() };
    let found = edge.guardians(relation).look_at_child(request).await?.into_inner();
    let child = found.child.ok_or_else(|| Error::incomplete("auth", "child"))?;
    Ok(LinkedChild { child, email: found.email })
}
