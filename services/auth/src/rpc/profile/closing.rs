//! Closing and reopening of an account.

use kit::caller::Person;
use kit::timestamp::to_timestamp;
use proto::auth as wire;
use time::OffsetDateTime;

use crate::error::Error;
use crate::rpc::{Client, PasswordSubject, Rpc};
use crate::{closing, recovery};

impl Rpc {
    pub(super) async fn close_account(
        &self,
        person: &Person,
        request: wire::CloseAccountRequest,
    ) -> Result<OffsetDateTime, Error> {
        let id = person.actor;
        let now = self.clock.now();
        let (account, transaction) =
            self.check_password(person.into(), request.password, &request.client_address, now).await?;
        // The shared lock ends here. Two transactions that hold it and both update the account would deadlock.
        transaction.commit().await?;
        let erase_at = now + self.owner.closing_period;
        let mut transaction = self.pool.begin().await?;
        if !closing::close(&mut transaction, id, &account.password_hash, erase_at).await? {
            return Err(Error::BadCredentials);
        }
        recovery::end_everything(&mut transaction, id, now).await?;
        let event = wire::AccountClosing {
            name: account.name(),
            to: account.email,
            account_id: id.to_string(),
            erase_at: Some(to_timestamp(erase_at)),
        };
        self.outbox.publish(&mut transaction, &event, now).await?;
        transaction.commit().await?;
        Ok(erase_at)
    }

    pub(super) async fn reopen(&self, request: wire::ReopenRequest) -> Result<wire::Tokens, Error> {
        let now = self.clock.now();
        let client = Client {
            address: &request.client_address,
            user_agent: &request.user_agent,
            device: &request.device,
        };
        let (account, transaction) = self
            .check_password(
                PasswordSubject::Email { email: &request.email, device: client.device },
                request.password,
                client.address,
                now,
            )
            .await?;
        transaction.commit().await?;
        let mut transaction = self.pool.begin().await?;
        if closing::reopen(&mut transaction, account.id, &account.password_hash, now).await? {
            let event = wire::AccountReopened {
                name: account.name(),
                to: account.email,
                account_id: account.id.to_string(),
            };
            self.outbox.publish(&mut transaction, &event, now).await?;
        }
        let tokens = match self.sign_in(&mut transaction, account.id, client, now).await {
            // The reopening is committed: otherwise the owner could not change the password.
            Err(Error::PasswordChangeRequired) => Err(Error::PasswordChangeRequired),
            outcome => Ok(outcome?),
        };
        transaction.commit().await?;
        tokens
    }
}
