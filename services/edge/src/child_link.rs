//! The link of a guardian with a child, which every view of the child needs.

use proto::auth;
use uuid::Uuid;

use crate::Edge;
use crate::error::Error;
use crate::session::{Guardian, GuardianOf};

/// Checks the link with a child and records the view. Returns the right to act for the child, and the child.
pub(crate) async fn check_link<'a>(
    edge: &Edge,
    guardian: &'a Guardian,
    child: Uuid,
    view: auth::ChildView,
) -> Result<(GuardianOf<'a>, auth::Child), Error> {
    let relation = guardian.acting_for(child)?;
    let request = auth::LookAtChildRequest { view: view.into(), ..Default::default() };
    let found = edge.guardians(&relation).look_at_child(request).await?.into_inner().child;
    Ok((relation, found.ok_or_else(|| Error::incomplete("auth", "child"))?))
}
