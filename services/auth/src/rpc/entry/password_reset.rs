//! New passwords: by a link in a mail, or at a login that requires it.

use kit::error::FieldError;
use kit::timestamp::to_timestamp;
use proto::auth as wire;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::account::{self, Account};
use crate::error::Error;
use crate::known_device::Holder;
use crate::limit::address::{self, mailbox_bucket};
use crate::limit::failure;
use crate::link::{self, Purpose};
use crate::rpc::profile::encode_password_changed;
use crate::rpc::{Client, PasswordSubject, Rpc};
use crate::token::LinkToken;
use crate::{passkey, recovery};

impl Rpc {
    pub(super) async fn request_password_reset(
        &self,
        request: &wire::RequestPasswordResetRequest,
    ) -> Result<(), Error> {
        let email = forms::email(&request.email)
            .map_err(|wrong| Error::Field(FieldError::new("email", wrong.code())))?;
        let now = self.clock.now();
        self.count_address_mail(&request.client_address, now).await?;
        let key = account::email_key(&email);
        let expires_at = now + self.sign_up.reset_lifetime;

        let mut transaction = self.pool.begin().await?;
        let bucket = mailbox_bucket(&self.keyed_hash, "reset mails", &email);
        address::take_token(&mut transaction, &bucket, self.sign_up.reset_mails, now).await?;
        let account = account::find_by_email(&mut transaction, &key).await?;
        let owner = account.as_ref().map(|account| account.id);
        // Without an account the same work is done for a link without an owner, so the response time is the same.
        let token = link::issue(&mut transaction, Purpose::Reset, owner, None, expires_at).await?;
        match account {
            Some(account) => {
                let event = wire::PasswordResetRequested {
                    name: account.name(),
                    to: account.email,
                    account_id: account.id.to_string(),
                    uid: account.id.to_string(),
                    token: token.encode(),
                    expires_at: Some(to_timestamp(expires_at)),
                };
                self.outbox.publish(&mut transaction, &event, now).await?;
            }
            None => {
                self.outbox.publish(&mut transaction, &wire::PasswordResetRefused {}, now).await?;
            }
        }
        transaction.commit().await?;
        Ok(())
    }

    pub(super) async fn check_password_reset(
        &self,
        request: &wire::CheckPasswordResetRequest,
    ) -> Result<(), Error> {
        let now = self.clock.now();
        self.find_reset_account(&request.uid, &request.token, &request.client_address, now).await.map(drop)
    }

    /// Finds the account of a valid link; returns the link's token too.
    async fn find_reset_account(
        &self,
        uid: &str,
        token: &str,
        client_address: &str,
        now: OffsetDateTime,
    ) -> Result<(Account, LinkToken), Error> {
        if let (Ok(uid), Some(token)) = (uid.parse::<Uuid>(), LinkToken::parse(token)) {
            let mut connection = self.pool.acquire().await?;
            let link = link::find(&mut connection, Purpose::Reset, &token, now).await?;
            if link.is_some_and(|link| link.account == Some(uid))
                && let Some(account) = account::find_by_id(&mut connection, uid).await?
            {
                return Ok((account, token));
            }
        }
        Err(self.count_guess(Error::LinkDead, client_address, now).await)
    }

    /// Sets the new password and returns the device cookie. The cookie gives this browser its own count of wrong
    /// passwords, so an attacker who keeps guessing can't lock it out.
    pub(super) async fn confirm_password_reset(
        &self,
        request: wire::ConfirmPasswordResetRequest,
    ) -> Result<String, Error> {
        check_password("password", &request.password)?;
        let now = self.clock.now();
        let (account, token) =
            self.find_reset_account(&request.uid, &request.token, &request.client_address, now).await?;
        let hash = self.passwords.choose("password", request.password, account.personal_words()).await?;

        let mut transaction = self.pool.begin().await?;
        // The address may have changed, or the link may have been used, during the hashing.
        let account = account::lock(&mut transaction, account.id).await?.ok_or(Error::LinkDead)?;
        let used = link::take(&mut transaction, Purpose::Reset, &token, now).await?;
        used.filter(|link| link.account == Some(account.id)).ok_or(Error::LinkDead)?;
        account::set_password(&mut transaction, account.id, &hash).await?;
        recovery::end_everything(&mut transaction, account.id, now).await?;
        passkey::suspend_all(&mut transaction, account.id, now).await?;
        let failures = self.keyed_hash.hash("account", &account::email_key(&account.email));
        failure::reset(&mut transaction, &failures).await?;
        let event = encode_password_changed(&mut transaction, &account).await?;
        self.outbox.publish(&mut transaction, &event, now).await?;
        transaction.commit().await?;
        let holder = Holder { account: account.id, password_hash: &hash };
        Ok(self.known_devices.issue(&request.device, holder, now))
    }

    pub(super) async fn change_password_at_login(
        &self,
        request: wire::ChangePasswordAtLoginRequest,
    ) -> Result<wire::Tokens, Error> {
        check_password("new_password", &request.new_password)?;
        let now = self.clock.now();
        let client = Client {
            address: &request.client_address,
            user_agent: &request.user_agent,
            device: &request.device,
        };
        // Other people may know the old password.
        let mut known = vec![request.password.clone()];
        let (account, transaction) = self
            .check_password(
                PasswordSubject::Email { email: &request.email, device: client.device },
                request.password,
                client.address,
                now,
            )
            .await?;
        // Hashing is slow and holds no transaction. The password is compared again afterwards.
        transaction.commit().await?;
        known.extend(account.personal_words());
        let hash = self.passwords.choose("new_password", request.new_password, known).await?;

        let mut transaction = self.pool.begin().await?;
        let old_hash = &account.password_hash;
        if !account::replace_password(&mut transaction, account.id, old_hash, &hash).await? {
            return Err(Error::BadCredentials);
        }
        recovery::end_everything(&mut transaction, account.id, now).await?;
        let tokens = self.sign_in(&mut transaction, account.id, client, now).await?;
        let event = encode_password_changed(&mut transaction, &account).await?;
        self.outbox.publish(&mut transaction, &event, now).await?;
        transaction.commit().await?;
        Ok(tokens)
    }
}

fn check_password(name: &'static str, typed: &str) -> Result<(), Error> {
    forms::password(typed).map_err(|wrong| Error::Field(FieldError::new(name, wrong.code())))
}
