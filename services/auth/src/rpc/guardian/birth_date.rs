//! Decisions of guardians about a learner's birth date, by a link in a mail.

use proto::auth as wire;

use crate::account::full_name;
use crate::birth_date::{self, Decider, Resolution};
use crate::error::Error;
use crate::profile;
use crate::rpc::Rpc;
use crate::token::LinkToken;

impl Rpc {
    pub(super) async fn check_birth_date_change(
        &self,
        token: &str,
    ) -> Result<wire::CheckBirthDateChangeResponse, Error> {
        let token = LinkToken::parse(token).ok_or(Error::LinkDead)?;
        let now = self.clock.now();
        let mut connection = self.pool.acquire().await?;
        let change = birth_date::find_by_token(&mut connection, &token, now).await?.ok_or(Error::LinkDead)?;
        let learner =
            profile::find_by_id(&mut connection, change.account, now).await?.ok_or(Error::LinkDead)?;
        Ok(wire::CheckBirthDateChangeResponse {
            learner_name: full_name(&learner.last_name, &learner.first_name),
            birth_date: learner.birth_date.map(|birth| birth.to_string()),
            requested_birth_date: change.new_birth_date.to_string(),
        })
    }

    pub(super) async fn decide_birth_date_change(&self, token: &str, approve: bool) -> Result<(), Error> {
        let token = LinkToken::parse(token).ok_or(Error::LinkDead)?;
        let now = self.clock.now();
        let mut transaction = self.pool.begin().await?;
        let change =
            birth_date::find_by_token(&mut transaction, &token, now).await?.ok_or(Error::LinkDead)?;
        // The account is locked first, as everywhere. Another guardian may have decided while this call waited for the
        // lock.
        profile::lock(&mut transaction, change.account).await?;
        let change =
            birth_date::find_by_token(&mut transaction, &token, now).await?.ok_or(Error::LinkDead)?;
        let how = if approve { Resolution::Approved } else { Resolution::Declined };
        birth_date::resolve(&mut transaction, change.id, how, Decider::Guardian, now).await?;
        if approve {
            let (account, birth) = (change.account, change.new_birth_date);
            birth_date::apply(&mut transaction, account, birth).await?;
            birth_date::publish_change(&mut transaction, &self.outbox, account, birth, now).await?;
        }
        let learner =
            profile::find_by_id(&mut transaction, change.account, now).await?.ok_or(Error::LinkDead)?;
        let event = wire::BirthDateChangeDecided {
            account_id: learner.id.to_string(),
            name: full_name(&learner.last_name, &learner.first_name),
            to: learner.email,
            is_approved: approve,
        };
        self.outbox.publish(&mut transaction, &event, now).await?;
        transaction.commit().await?;
        Ok(())
    }
}
