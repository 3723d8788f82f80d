//! The buyer of a cart or an order: who pays, and for whom. Auth knows both; they are fetched for every
//! request, because a link or a consent may have ended.

use proto::auth;
use proto::commerce as wire;

use crate::Edge;
use crate::error::Error;
use crate::session::Relative;

/// Returns the caller as a buyer, with the learners that the caller may buy for.
pub(super) async fn find_buyer(edge: &Edge, relative: &Relative) -> Result<wire::Buyer, Error> {
    let (user, children) = tokio::try_join!(find_user(edge, relative), list_children(edge, relative))?;
    let name = format!("{} {}", user.last_name, user.first_name);
    let own = relative.is_learner().then(|| learner(user.id.clone(), name.clone(), user.guardian_consent()));
    let children = children.into_iter().map(|child| {
        let consent = child.guardian_consent();
        learner(child.id, child.name, consent)
    });
    let learners = own.into_iter().chain(children).collect::<Result<_, _>>()?;
    let kana = format!("{} {}", user.last_name_kana, user.first_name_kana).trim().to_owned();
    Ok(wire::Buyer { name, email: user.email, learners, kana })
}

async fn find_user(edge: &Edge, relative: &Relative) -> Result<auth::User, Error> {
    let request = auth::GetUserRequest { user_id: relative.id() };
    let user = edge.auth(relative).get_user(request).await?.into_inner().user;
    user.ok_or_else(|| incomplete("user"))
}

/// Lists the linked children of a guardian; none for other callers.
async fn list_children(edge: &Edge, relative: &Relative) -> Result<Vec<auth::Child>, Error> {
    if !relative.is_guardian() {
        return Ok(Vec::new());
    }
    let request = auth::ListChildrenRequest { user_id: relative.id() };
    Ok(edge.guardians(relative).list_children(request).await?.into_inner().children)
}

fn learner(id: String, name: String, consent: auth::GuardianConsent) -> Result<wire::Learner, Error> {
    let (lacks_consent, is_consent_asked) = match consent {
        auth::GuardianConsent::Unspecified => return Err(incomplete("guardian_consent")),
        auth::GuardianConsent::NotNeeded | auth::GuardianConsent::Given => (false, false),
        auth::GuardianConsent::Missing => (true, false),
        auth::GuardianConsent::Waiting => (true, true),
    };
    Ok(wire::Learner { id, name, lacks_consent, is_consent_asked })
}

fn incomplete(what: &str) -> Error {
    tracing::error!(what, "auth left something out");
    Error::Internal
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_learner_whose_consent_is_needed_and_missing_lacks_it() {
        let outcome = |consent| {
            let learner = learner("1".to_owned(), "葵 太郎".to_owned(), consent).ok()?;
            Some((learner.lacks_consent, learner.is_consent_asked))
        };
        assert_eq!(outcome(auth::GuardianConsent::NotNeeded), Some((false, false)));
        assert_eq!(outcome(auth::GuardianConsent::Given), Some((false, false)));
        assert_eq!(outcome(auth::GuardianConsent::Missing), Some((true, false)));
        assert_eq!(outcome(auth::GuardianConsent::Waiting), Some((true, true)));
        assert_eq!(outcome(auth::GuardianConsent::Unspecified), None);
    }
}
