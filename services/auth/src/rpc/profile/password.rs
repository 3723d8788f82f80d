//! Changes of the password of an account.

use kit::caller::Person;
use kit::error::FieldError;
use proto::auth as wire;
use sqlx::PgConnection;

use crate::account::{self, Account};
use crate::error::Error;
use crate::rpc::{Client, Rpc, encode_count};
use crate::{passkey, recovery};

impl Rpc {
    pub(super) async fn change_password(
        &self,
        person: &Person,
        request: wire::ChangePasswordRequest,
    ) -> Result<wire::Tokens, Error> {
        let id = person.actor;
        forms::password(&request.new_password)
            .map_err(|wrong| Error::Field(FieldError::new("new_password", wrong.code())))?;
        let now = self.clock.now();
        let client = Client {
            address: &request.client_address,
            user_agent: &request.user_agent,
            device: &request.device,
        };
        let (account, transaction) =
            self.check_password(person.into(), request.password, client.address, now).await?;
        // Hashing is slow and holds no transaction. The password is compared again afterwards.
        transaction.commit().await?;
        let hash =
            self.passwords.choose("new_password", request.new_password, account.personal_words()).await?;

        let mut transaction = self.pool.begin().await?;
        if !account::replace_password(&mut transaction, id, &account.password_hash, &hash).await? {
            return Err(Error::BadCredentials);
        }
        recovery::end_everything(&mut transaction, id, now).await?;
        let tokens = self.sign_in(&mut transaction, id, client, now).await?;
        let event = encode_password_changed(&mut transaction, &account).await?;
        self.outbox.publish(&mut transaction, &event, now).await?;
        transaction.commit().await?;
        Ok(tokens)
    }
}

/// The event that notifies the owner of a changed password.
pub(in crate::rpc) async fn encode_password_changed(
    database: &mut PgConnection,
    account: &Account,
) -> sqlx::Result<wire::PasswordChanged> {
    let passkeys = passkey::count(database, account.id).await?;
    Ok(wire::PasswordChanged {
        to: account.email.clone(),
        account_id: account.id.to_string(),
        name: account.name(),
        active_passkeys: encode_count(passkeys.active),
        suspended_passkeys: encode_count(passkeys.suspended),
    })
}
