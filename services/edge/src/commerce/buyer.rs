//! The buyer of a cart or an order: who pays, and for whom. Both are fetched from auth for every request,
//! because a link or a consent may have ended.

use proto::auth;
use proto::commerce as wire;

use crate::Edge;
use crate::error::Error;
use crate::own_account::{find_own_account, full_name};
use crate::session::{Learner, Relative};

/// Returns the caller as a buyer, with the learners that the caller may buy for.
pub(super) async fn find_buyer(edge: &Edge, relative: &Relative) -> Result<wire::Buyer, Error> {
    let (user, children) =
        tokio::try_join!(find_own_account(edge, relative, relative.id()), list_children(edge, relative))?;
    let name = full_name(&user);
    let own = relative.is_learner().then(|| learner(user.id.clone(), name.clone(), user.guardian_consent()));
    let children = children.into_iter().map(|child| {
        let consent = child.guardian_consent();
        learner(child.id, child.name, consent)
    });
    let learners = own.into_iter().chain(children).collect::<Result<_, _>>()?;
    Ok(wire::Buyer { name, kana: kana(&user), email: user.email, learners })
}

/// Returns a learner as a buyer for themselves.
pub(super) async fn find_learner(edge: &Edge, caller: &Learner) -> Result<wire::Buyer, Error> {
    let user = find_own_account(edge, caller, caller.id()).await?;
    let name = full_name(&user);
    let own = learner(user.id.clone(), name.clone(), user.guardian_consent())?;
    Ok(wire::Buyer { name, kana: kana(&user), email: user.email, learners: vec![own] })
}

/// Family name and given name in katakana. Empty for an account without them.
fn kana(user: &auth::User) -> String {
    format!("{} {}", user.last_name_kana, user.first_name_kana).trim().to_owned()
}

/// Lists the guardians who are linked to a learner now.
pub(super) async fn list_guardians(
    edge: &Edge,
    caller: &Learner,
) -> Result<Vec<wire::LinkedGuardian>, Error> {
    let request = auth::ListGuardiansRequest { user_id: caller.id() };
    let guardians = edge.guardians(caller).list_guardians(request).await?.into_inner().guardians;
    let guardians = guardians.into_iter().map(|guardian| wire::LinkedGuardian {
        id: guardian.account_id,
        name: guardian.name,
        email: guardian.email,
    });
    Ok(guardians.collect())
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
        auth::GuardianConsent::Unspecified => return Err(Error::incomplete("auth", "guardian_consent")),
        auth::GuardianConsent::NotNeeded | auth::GuardianConsent::Given => (false, false),
        auth::GuardianConsent::Missing => (true, false),
        auth::GuardianConsent::Waiting => (true, true),
    };
    Ok(wire::Learner { id, name, lacks_consent, is_consent_asked })
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
