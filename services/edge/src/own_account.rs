//! The account of the caller, as auth stores it.

use proto::auth;

use crate::Edge;
use crate::error::Error;
use crate::session::OnBehalf;

/// Fetches the account of the caller, whose id is `id`.
pub(crate) async fn find_own_account(
    edge: &Edge,
    caller: &impl OnBehalf,
    id: String,
) -> Result<auth::User, Error> {
    let request = auth::GetUserRequest { user_id: id };
    let user = edge.auth(caller).get_user(request).await?.into_inner().user;
    user.ok_or_else(|| Error::incomplete("auth", "user"))
}

/// Family name and given name.
pub(crate) fn full_name(user: &auth::User) -> String {
    format!("{} {}", user.last_name, user.first_name)
}
