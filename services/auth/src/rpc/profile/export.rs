//! Export of the data of one account for its owner, one line per noun.

use kit::caller::Person;
use kit::timestamp::to_timestamp;
use proto::auth as wire;

use super::person::encode_address;
use crate::account::full_name;
use crate::error::Error;
use crate::guardian::{consent, link, view, withdrawal};
use crate::rpc::{Rpc, find_user};
use crate::{address, birth_date, email_change, passkey, session};

impl Rpc {
    pub(super) async fn export_account(
        &self,
        person: &Person,
        request: wire::ExportAccountRequest,
    ) -> Result<wire::ExportAccountResponse, Error> {
        let id = person.actor;
        let now = self.clock.now();
        let (_, mut transaction) =
            self.check_password(person.into(), request.password, &request.client_address, now).await?;
        let database = &mut *transaction;
        let export = wire::ExportAccountResponse {
            user: Some(find_user(database, id, now).await?),
            address: address::find(database, id).await?.map(encode_address),
            sessions: encode_all(session::list(database, id).await?, encode_session),
            consent: consent::export(database, id).await?.map(encode_consent),
            guardians: encode_all(link::list_guardians(database, id).await?, |link| encode_person(&link)),
            children: encode_all(link::list_children(database, id).await?, |link| encode_person(&link)),
            views: encode_all(view::list(database, id, view::EXPORTED).await?, encode_view),
            email_changes: encode_all(email_change::export(database, id).await?, encode_email_change),
            passkeys: encode_all(passkey::list(database, id).await?, encode_passkey),
            birth_date_changes: encode_all(birth_date::export(database, id).await?, encode_birth_date_change),
            withdrawals: encode_all(withdrawal::export(database, id).await?, encode_withdrawal),
        };
        transaction.commit().await?;
        Ok(export)
    }
}

fn encode_all<Row, Message>(rows: Vec<Row>, encode: impl Fn(Row) -> Message) -> Vec<Message> {
    rows.into_iter().map(encode).collect()
}

fn encode_session(session: session::SessionRecord) -> wire::ExportedSession {
    wire::ExportedSession {
        user_agent: session.user_agent,
        created: Some(to_timestamp(session.created)),
        last_used: Some(to_timestamp(session.last_used_at)),
        ended: session.ended_at.map(to_timestamp),
    }
}

fn encode_passkey(passkey: passkey::Passkey) -> wire::ExportedPasskey {
    wire::ExportedPasskey {
        name: passkey.name,
        created: Some(to_timestamp(passkey.created)),
        last_used: passkey.last_used_at.map(to_timestamp),
        suspended: passkey.suspended_at.map(to_timestamp),
    }
}

fn encode_consent(consent: consent::ConsentRecord) -> wire::ExportedConsent {
    wire::ExportedConsent {
        name: consent.name,
        relation: consent.relation,
        email: consent.email,
        asked: Some(to_timestamp(consent.asked_at)),
        given: consent.given_at.map(to_timestamp),
        given_name: consent.given_name.unwrap_or_default(),
    }
}

fn encode_email_change(change: email_change::EmailChange) -> wire::ExportedEmailChange {
    wire::ExportedEmailChange {
        old_email: change.old_email.unwrap_or_default(),
        new_email: change.new_email,
        asked: Some(to_timestamp(change.asked_at)),
    }
}

fn encode_birth_date_change(change: birth_date::BirthDateChange) -> wire::ExportedBirthDateChange {
    wire::ExportedBirthDateChange {
        old_birth_date: change.old_birth_date.map(|birth| birth.to_string()),
        new_birth_date: change.new_birth_date.to_string(),
        asked: Some(to_timestamp(change.asked_at)),
        decided: change.decided_at.map(to_timestamp),
        state: change.state,
    }
}

fn encode_withdrawal(withdrawal: withdrawal::Withdrawal) -> wire::ExportedWithdrawal {
    wire::ExportedWithdrawal {
        given_name: withdrawal.given_name.unwrap_or_default(),
        given: withdrawal.given_at.map(to_timestamp),
        withdrawn: Some(to_timestamp(withdrawal.withdrawn_at)),
    }
}

fn encode_person(link: &link::GuardianLink) -> wire::ExportedPerson {
    wire::ExportedPerson {
        name: full_name(&link.last_name, &link.first_name),
        since: Some(to_timestamp(link.since)),
    }
}

/// Encodes a view as the learner sees it.
pub(in crate::rpc) fn encode_view(view: view::GuardianView) -> wire::GuardianView {
    wire::GuardianView {
        name: full_name(&view.last_name, &view.first_name),
        what: view.what,
        at: Some(to_timestamp(view.at)),
    }
}
