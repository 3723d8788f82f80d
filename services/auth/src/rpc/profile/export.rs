//! All that this service holds about one account, for its owner.

use kit::caller::Person;
use proto::auth as wire;

use super::person::encode_address;
use crate::account::full_name;
use crate::error::Error;
use crate::guardian::{consent, link, view, withdrawal};
use crate::rpc::{Rpc, timestamp, user};
use crate::{address, birth_date, email_change, passkey, session};

impl Rpc {
    pub(super) async fn export(
        &self,
        person: &Person,
        request: wire::ExportAccountRequest,
    ) -> Result<wire::ExportAccountResponse, Error> {
        let id = person.actor;
        let now = self.clock.now();
        let (_, mut transaction) =
            self.check_password(person.into(), request.password, &request.client_address, now).await?;
        let database = &mut *transaction;
        let sessions = session::of(database, id).await?.into_iter().map(|seen| wire::ExportedSession {
            user_agent: seen.user_agent,
            created: Some(timestamp(seen.created)),
            last_used: Some(timestamp(seen.last_used_at)),
            ended: seen.ended_at.map(timestamp),
        });
        let passkeys = passkey::list(database, id).await?.into_iter().map(|passkey| wire::ExportedPasskey {
            name: passkey.name,
            created: Some(timestamp(passkey.created)),
            last_used: passkey.last_used_at.map(timestamp),
            suspended: passkey.suspended_at.map(timestamp),
        });
        let consent = consent::of(database, id).await?.map(|kept| wire::ExportedConsent {
            name: kept.name,
            relation: kept.relation,
            email: kept.email,
            asked: Some(timestamp(kept.asked_at)),
            given: kept.given_at.map(timestamp),
            given_name: kept.given_name.unwrap_or_default(),
        });
        let changes =
            email_change::of(database, id).await?.into_iter().map(|change| wire::ExportedEmailChange {
                old_email: change.old_email.unwrap_or_default(),
                new_email: change.new_email,
                asked: Some(timestamp(change.asked_at)),
            });
        let birth_dates =
            birth_date::list(database, id).await?.into_iter().map(|change| wire::ExportedBirthDateChange {
                old_birth_date: change.old_birth_date.map(|birth| birth.to_string()),
                new_birth_date: change.new_birth_date.to_string(),
                asked: Some(timestamp(change.asked_at)),
                decided: change.decided_at.map(timestamp),
                state: change.state,
            });
        let withdrawals =
            withdrawal::list(database, id).await?.into_iter().map(|kept| wire::ExportedWithdrawal {
                given_name: kept.given_name.unwrap_or_default(),
                given: kept.given_at.map(timestamp),
                withdrawn: Some(timestamp(kept.withdrawn_at)),
            });
        let export = wire::ExportAccountResponse {
            user: Some(user(database, id, now).await?),
            address: address::of(database, id).await?.map(encode_address),
            sessions: sessions.collect(),
            consent,
            guardians: link::guardians(database, id).await?.iter().map(encode_person).collect(),
            children: link::children(database, id).await?.iter().map(encode_person).collect(),
            views: view::of(database, id).await?.into_iter().map(encode_view).collect(),
            email_changes: changes.collect(),
            passkeys: passkeys.collect(),
            birth_date_changes: birth_dates.collect(),
            withdrawals: withdrawals.collect(),
        };
        transaction.commit().await?;
        Ok(export)
    }
}

fn encode_person(link: &link::Link) -> wire::ExportedPerson {
    wire::ExportedPerson {
        name: full_name(&link.last_name, &link.first_name),
        since: Some(timestamp(link.since)),
    }
}

/// A look, as the learner sees it.
pub(in crate::rpc) fn encode_view(view: view::View) -> wire::GuardianView {
    wire::GuardianView {
        name: full_name(&view.last_name, &view.first_name),
        what: view.what,
        at: Some(timestamp(view.at)),
    }
}
