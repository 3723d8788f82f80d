//! Consent: requested by a learner, given and withdrawn by a guardian.

use forms::Wrong;
use kit::caller::GuardianOf;
use kit::error::FieldError;
use kit::timestamp::to_timestamp;
use proto::auth as wire;
use sqlx::PgConnection;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::account::full_name;
use crate::error::Error;
use crate::guardian::consent::{self, ConsentLink, ConsentRequest, ConsentStatus, Guardian};
use crate::guardian::mailbox::{self, MailboxOwner};
use crate::guardian::{link as guardian_link, withdrawal};
use crate::limit::address::hash_network;
use crate::link::{self, Purpose};
use crate::profile::{self, Profile};
use crate::rpc::Rpc;
use crate::rpc::fields::Fields;
use crate::token::LinkToken;

/// The code for a guardian's address that is the learner's own mailbox.
const OWN_MAILBOX: &str = "OWN_MAILBOX";

impl Rpc {
    pub(super) async fn ask_consent(
        &self,
        learner: Uuid,
        request: &wire::AskConsentRequest,
    ) -> Result<(), Error> {
        let mut fields = Fields::default();
        let name = fields.check("name", forms::name(&request.name));
        let relation = fields.check("relation", consent::parse_relation(&request.relation));
        let email = fields.check("email", forms::email(&request.email));
        let guardian = name.zip(relation).zip(email);
        let ((name, relation), email) = fields.finish(guardian)?;
        let now = self.clock.now();
        let mut transaction = self.pool.begin().await?;
        let profile = profile::find_by_id(&mut transaction, learner, now).await?.ok_or(Error::NoAccount)?;
        match ConsentStatus::from_profile(&profile, now) {
            ConsentStatus::NotNeeded => return Err(Error::ConsentNotNeeded),
            ConsentStatus::Given => return Err(Error::ConsentGiven),
            ConsentStatus::Missing | ConsentStatus::Waiting => {}
        }
        let owner = mailbox::find_owner(&mut transaction, learner, &email, now).await?;
        if owner == MailboxOwner::Learner {
            return Err(Error::Field(FieldError::new("email", OWN_MAILBOX)));
        }
        let guardian = Guardian { name, relation, email };
        let replaces_void = profile.is_consent_valid == Some(false);
        let request = ConsentRequest { learner, guardian: &guardian, replaces_void };
        // The resend interval is checked before the rate limit, so its refusal comes first.
        let link = consent::add_request(&mut transaction, &request, self.owner.consent, now).await?;
        if owner == MailboxOwner::Minor {
            // The link is not sent. The response is the same in both cases.
            let event = wire::GuardianMailboxRefused { to: guardian.email, account_id: learner.to_string() };
            self.outbox.publish(&mut transaction, &event, now).await?;
        } else {
            let event = encode_request(&profile, guardian, &link);
            self.outbox.publish(&mut transaction, &event, now).await?;
        }
        self.count_account_mail(&mut transaction, learner, now).await?;
        transaction.commit().await?;
        Ok(())
    }

    pub(super) async fn check_consent(&self, token: &str) -> Result<consent::PendingConsent, Error> {
        let token = LinkToken::parse(token).ok_or(Error::LinkDead)?;
        let now = self.clock.now();
        let mut connection = self.pool.acquire().await?;
        let link = link::find(&mut connection, Purpose::Consent, &token, now).await?;
        let id = link.and_then(|link| link.subject).ok_or(Error::LinkDead)?;
        lock_valid_request(&mut connection, id, now).await
    }

    pub(super) async fn give_consent(&self, request: &wire::GiveConsentRequest) -> Result<(), Error> {
        let mut fields = Fields::default();
        let name = fields.check("guardian_name", forms::name(&request.guardian_name));
        let is_adult = if request.is_adult { Ok(()) } else { Err(Wrong::NotAgreed) };
        let is_adult = fields.check("is_adult", is_adult);
        let (name, ()) = fields.finish(name.zip(is_adult))?;
        let token = LinkToken::parse(&request.token).ok_or(Error::LinkDead)?;
        let now = self.clock.now();
        let mut transaction = self.pool.begin().await?;
        let link = link::take(&mut transaction, Purpose::Consent, &token, now).await?;
        let id = link.and_then(|link| link.subject).ok_or(Error::LinkDead)?;
        // Since the request the learner's address may have changed, or the mailbox may have become a minor's.
        let asked = lock_valid_request(&mut transaction, id, now).await?;
        let network = hash_network(&self.keyed_hash, &request.client_address);
        let withdraw = consent::give(&mut transaction, id, &name, network, now).await?;
        let receipt = wire::GuardianConsentReceipt {
            to: asked.guardian_email,
            account_id: asked.learner.to_string(),
            guardian_name: name.clone(),
            learner_name: asked.learner_name.clone(),
            token: withdraw.encode(),
        };
        self.outbox.publish(&mut transaction, &receipt, now).await?;
        let event = wire::GuardianConsentGiven {
            to: asked.learner_email,
            account_id: asked.learner.to_string(),
            name: asked.learner_name,
            guardian_name: name,
        };
        self.outbox.publish(&mut transaction, &event, now).await?;
        transaction.commit().await?;
        Ok(())
    }

    pub(super) async fn check_withdrawal(&self, token: &str) -> Result<wire::CheckWithdrawalResponse, Error> {
        let token = LinkToken::parse(token).ok_or(Error::LinkDead)?;
        let mut transaction = self.pool.begin().await?;
        let consent = withdrawal::lock_by_token(&mut transaction, &token).await?.ok_or(Error::LinkDead)?;
        let learner = profile::find_by_id(&mut transaction, consent.learner, self.clock.now()).await?;
        transaction.commit().await?;
        let learner = learner.ok_or(Error::LinkDead)?;
        Ok(wire::CheckWithdrawalResponse {
            learner_name: full_name(&learner.last_name, &learner.first_name),
            guardian_name: consent.guardian_name,
        })
    }

    pub(super) async fn withdraw_consent(&self, token: &str) -> Result<(), Error> {
        let token = LinkToken::parse(token).ok_or(Error::LinkDead)?;
        let now = self.clock.now();
        let mut transaction = self.pool.begin().await?;
        let consent = withdrawal::lock_by_token(&mut transaction, &token).await?.ok_or(Error::LinkDead)?;
        let learner =
            profile::find_by_id(&mut transaction, consent.learner, now).await?.ok_or(Error::LinkDead)?;
        self.withdraw(&mut transaction, learner, None, now).await?;
        transaction.commit().await?;
        Ok(())
    }

    pub(super) async fn withdraw_consent_for_child(
        &self,
        GuardianOf { guardian, child }: GuardianOf,
    ) -> Result<(), Error> {
        let now = self.clock.now();
        let mut transaction = self.pool.begin().await?;
        guardian_link::lock(&mut transaction, guardian, child).await?.ok_or(Error::NotFound)?;
        let guardian = profile::find_by_id(&mut transaction, guardian, now).await?.ok_or(Error::NoAccount)?;
        mailbox::check_guardian(&mut transaction, &guardian, child, now).await?;
        let learner = profile::find_by_id(&mut transaction, child, now).await?.ok_or(Error::NotFound)?;
        if ConsentStatus::from_profile(&learner, now) == ConsentStatus::Given {
            self.withdraw(&mut transaction, learner, Some(guardian), now).await?;
        }
        transaction.commit().await?;
        Ok(())
    }

    /// Withdraws consent. Notifies the learner, the guardian who withdraws and the guardian who had given it.
    async fn withdraw(
        &self,
        database: &mut PgConnection,
        learner: Profile,
        guardian: Option<Profile>,
        now: OffsetDateTime,
    ) -> Result<(), Error> {
        let by = guardian.as_ref().map(|guardian| guardian.id);
        let giver = withdrawal::withdraw(database, learner.id, by, now).await?;
        let name = full_name(&learner.last_name, &learner.first_name);
        let account_id = learner.id.to_string();
        let linked = guardian.map(|guardian| {
            let name = full_name(&guardian.last_name, &guardian.first_name);
            (guardian.email, name)
        });
        let mut told: Vec<_> =
            linked.into_iter().chain(giver.map(|giver| (giver.email, giver.name))).collect();
        told.dedup_by_key(|(email, _)| forms::mailbox(email));
        let guardians =
            told.iter().map(|(to, name)| wire::GuardianAddress { to: to.clone(), name: name.clone() });
        let event = wire::PurchaseConsentWithdrawn {
            account_id: account_id.clone(),
            learner_name: name.clone(),
            guardians: guardians.collect(),
        };
        self.outbox.publish(database, &event, now).await?;
        for (to, guardian_name) in told {
            let event = wire::GuardianConsentWithdrawnReceipt {
                to,
                account_id: account_id.clone(),
                guardian_name,
                learner_name: name.clone(),
            };
            self.outbox.publish(database, &event, now).await?;
        }
        let event = wire::GuardianConsentWithdrawn { to: learner.email, account_id, name };
        self.outbox.publish(database, &event, now).await?;
        Ok(())
    }
}

fn encode_request(
    learner: &Profile,
    guardian: Guardian,
    link: &ConsentLink,
) -> wire::GuardianConsentRequested {
    wire::GuardianConsentRequested {
        to: guardian.email,
        account_id: learner.id.to_string(),
        guardian_name: guardian.name,
        learner_name: full_name(&learner.last_name, &learner.first_name),
        token: link.token.encode(),
        expires_at: Some(to_timestamp(link.expires_at)),
    }
}

/// Finds and locks the request of a link. Fails if its mailbox can no longer be a guardian's.
async fn lock_valid_request(
    database: &mut PgConnection,
    id: Uuid,
    now: OffsetDateTime,
) -> Result<consent::PendingConsent, Error> {
    let asked = consent::lock_pending(database, id).await?.ok_or(Error::LinkDead)?;
    match mailbox::find_owner(database, asked.learner, &asked.guardian_email, now).await? {
        MailboxOwner::Other => Ok(asked),
        MailboxOwner::Learner | MailboxOwner::Minor => Err(Error::GuardianMailbox),
    }
}
