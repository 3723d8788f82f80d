//! Changes of a profile. A new birth date may need approval. Every change of it is stored, so changes are limited.

use kit::error::FieldError;
use kit::timestamp::to_timestamp;
use proto::auth as wire;
use sqlx::PgConnection;
use time::{Date, OffsetDateTime};
use uuid::Uuid;

use super::person::decode_profile;
use crate::account::full_name;
use crate::birth_date::{self, Decider, Outcome, Resolution};
use crate::error::{Error, GUARDIAN_UNDER_18};
use crate::guardian::contact;
use crate::limit::address::{self, Bucket};
use crate::profile::{self, Profile};
use crate::rpc::{Rpc, find_user};
use crate::school;
use crate::token::LinkToken;

impl Rpc {
    pub(super) async fn put_profile(
        &self,
        id: Uuid,
        request: &wire::PutProfileRequest,
    ) -> Result<wire::User, Error> {
        let now = self.clock.now();
        let today = school::today(now);
        let mut update = decode_profile(request, now)?;
        let mut transaction = self.pool.begin().await?;
        if !profile::lock(&mut transaction, id).await? {
            return Err(Error::NoAccount);
        }
        let before = profile::find_by_id(&mut transaction, id, now).await?.ok_or(Error::NoAccount)?;
        if let Some(typed) = update.birth_date {
            let change = (before.birth_date, typed);
            match birth_date::classify_change(&before.scope, before.birth_date, typed, today) {
                Outcome::Unchanged => {}
                Outcome::Immediate => {
                    self.count_birth_date(&mut transaction, id, now).await?;
                    replace_pending(&mut transaction, id, now).await?;
                    birth_date::add_applied(&mut transaction, id, change, Decider::Owner, now).await?;
                    birth_date::publish_change(&mut transaction, &self.outbox, id, typed, now).await?;
                }
                Outcome::NeedsApproval => {
                    update.birth_date = before.birth_date;
                    update.school_year_shift = before
                        .birth_date
                        .zip(request.school_year.as_deref())
                        .and_then(|(birth, chosen)| school::compute_shift(birth, chosen, today))
                        .unwrap_or_default();
                    self.request_birth_date(&mut transaction, &before, typed, now).await?;
                }
                Outcome::Refused => {
                    return Err(Error::Field(FieldError::new("birth_date", GUARDIAN_UNDER_18)));
                }
            }
        }
        profile::update(&mut transaction, id, &update).await?;
        self.publish_new_name(&mut transaction, &before, now).await?;
        let user = find_user(&mut transaction, id, now).await?;
        transaction.commit().await?;
        Ok(user)
    }

    /// Tells commerce if the name has changed.
    async fn publish_new_name(
        &self,
        database: &mut PgConnection,
        before: &Profile,
        now: OffsetDateTime,
    ) -> Result<(), Error> {
        let after = profile::find_by_id(database, before.id, now).await?.ok_or(Error::NoAccount)?;
        let name = full_name(&after.last_name, &after.first_name);
        if name == full_name(&before.last_name, &before.first_name) {
            return Ok(());
        }
        let event = wire::AccountRenamed { account_id: before.id.to_string(), name, email: after.email };
        self.outbox.publish(database, &event, now).await?;
        Ok(())
    }

    /// Stores a pending birth date and asks the guardians. The same date sends no further mail while the last link is
    /// valid.
    async fn request_birth_date(
        &self,
        database: &mut PgConnection,
        before: &Profile,
        birth_date: Date,
        now: OffsetDateTime,
    ) -> Result<(), Error> {
        if before.requested_birth_date == Some(birth_date)
            && before.guardian_asked_until.is_some_and(|until| until > now)
        {
            return Ok(());
        }
        self.count_birth_date(database, before.id, now).await?;
        replace_pending(database, before.id, now).await?;
        let change = (before.birth_date, birth_date);
        let guardians = contact::list(database, before.id, now).await?;
        if guardians.is_empty() {
            birth_date::add_pending(database, before.id, change, None, now).await?;
            return Ok(());
        }
        self.count_account_mail(database, before.id, now).await?;
        let (token, expires_at) = (LinkToken::random()?, now + self.owner.consent.lifetime);
        birth_date::add_pending(database, before.id, change, Some((&token, expires_at)), now).await?;
        for guardian in guardians {
            let event = wire::BirthDateChangeRequested {
                to: guardian.email,
                account_id: before.id.to_string(),
                guardian_name: guardian.name,
                learner_name: full_name(&before.last_name, &before.first_name),
                token: token.encode(),
                expires_at: Some(to_timestamp(expires_at)),
            };
            self.outbox.publish(database, &event, now).await?;
        }
        Ok(())
    }

    /// Counts a change of the birth date of an account.
    async fn count_birth_date(
        &self,
        database: &mut PgConnection,
        account: Uuid,
        now: OffsetDateTime,
    ) -> Result<(), Error> {
        let bucket = Bucket::new(self.keyed_hash.hash("birth dates of", &account.to_string()));
        address::take_token(database, &bucket, self.owner.birth_dates, now).await
    }
}

async fn replace_pending(
    database: &mut PgConnection,
    account: Uuid,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    if let Some(pending) = birth_date::find_pending(database, account).await? {
        birth_date::resolve(database, pending.id, Resolution::Replaced, Decider::Owner, now).await?;
    }
    Ok(())
}
