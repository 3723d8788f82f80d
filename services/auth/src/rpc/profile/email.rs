//! Changes of the e-mail address of an account.

use kit::caller::Person;
use kit::error::FieldError;
use kit::timestamp::to_timestamp;
use kit_db::Transaction;
use proto::auth as wire;
use sqlx::PgConnection;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::account::{self, Account};
use crate::email_change::{self, mask_email};
use crate::error::Error;
use crate::limit::address;
use crate::link::{self, Link, Purpose};
use crate::rpc::{Rpc, encode_count};
use crate::token::LinkToken;
use crate::{passkey, recovery};

impl Rpc {
    pub(super) async fn change_email(
        &self,
        person: &Person,
        request: wire::ChangeEmailRequest,
    ) -> Result<(), Error> {
        let id = person.actor;
        let email = forms::email(&request.email)
            .map_err(|wrong| Error::Field(FieldError::new("email", wrong.code())))?;
        let now = self.clock.now();
        let (account, mut transaction) =
            self.check_password(person.into(), request.password, &request.client_address, now).await?;
        self.count_account_mail(&mut transaction, id, now).await?;
        let expires_at = now + self.owner.email_lifetime;
        let change = email_change::add(&mut transaction, &account, &email, now, expires_at).await?;
        link::end_all(&mut transaction, Purpose::Email, id, now).await?;
        // Links of earlier mails stay valid. They stop any later request too.
        let stop = link::issue(&mut transaction, Purpose::EmailStop, Some(id), None, expires_at).await?;
        // Sent even if the new address is taken: the caller may read both mailboxes.
        let event = wire::EmailChangePending {
            to: account.email.clone(),
            account_id: id.to_string(),
            name: account.name(),
            new_email: mask_email(&email),
            token: stop.encode(),
            expires_at: Some(to_timestamp(expires_at)),
        };
        self.outbox.publish(&mut transaction, &event, now).await?;
        // If another account has the address, the link is issued but not sent.
        let token = link::issue(&mut transaction, Purpose::Email, Some(id), Some(change), expires_at).await?;
        let other = account::find_by_email(&mut transaction, &account::email_key(&email)).await?;
        if let Some(owner) = other.filter(|other| other.id != id) {
            let event = wire::SignUpOfAccount { to: owner.email, account_id: owner.id.to_string() };
            self.outbox.publish(&mut transaction, &event, now).await?;
        } else {
            let event = wire::EmailChangeRequested {
                to: email,
                account_id: id.to_string(),
                name: account.name(),
                token: token.encode(),
                expires_at: Some(to_timestamp(expires_at)),
            };
            self.outbox.publish(&mut transaction, &event, now).await?;
        }
        transaction.commit().await?;
        Ok(())
    }

    pub(super) async fn confirm_email(&self, request: &wire::ConfirmEmailRequest) -> Result<(), Error> {
        let outcome = self.confirm_by_link(&request.token).await;
        self.count_dead_link(outcome, &request.client_address).await
    }

    async fn confirm_by_link(&self, token: &str) -> Result<(), Error> {
        let now = self.clock.now();
        let (mut transaction, account, link) = self.take_link(Purpose::Email, token, now).await?;
        let id = link.subject.ok_or(Error::LinkDead)?;
        let change = email_change::lock(&mut transaction, id).await?;
        let change = change
            .filter(|change| change.confirmed_at.is_none())
            .filter(|change| change.password_version == Some(account.password_version()))
            .ok_or(Error::LinkDead)?;
        set_email(&mut transaction, account.id, &change.new_email).await?;
        // Links that went to the old address end, except for the one that restores it.
        for purpose in [Purpose::Reset, Purpose::EmailStop] {
            link::end_all(&mut transaction, purpose, account.id, now).await?;
        }
        let expires_at = now + self.owner.email_undo_lifetime;
        email_change::confirm(&mut transaction, id, &account.email, now, expires_at).await?;
        let undo =
            link::issue(&mut transaction, Purpose::EmailUndo, Some(account.id), Some(id), expires_at).await?;
        self.publish_new_address(&mut transaction, &account, &change.new_email, now).await?;
        let event = wire::EmailChanged {
            name: account.name(),
            to: account.email,
            account_id: account.id.to_string(),
            new_email: mask_email(&change.new_email),
            token: undo.encode(),
            expires_at: Some(to_timestamp(expires_at)),
        };
        self.outbox.publish(&mut transaction, &event, now).await?;
        transaction.commit().await?;
        Ok(())
    }

    /// Tells commerce the new address of an account.
    async fn publish_new_address(
        &self,
        database: &mut PgConnection,
        account: &Account,
        email: &str,
        now: OffsetDateTime,
    ) -> Result<(), Error> {
        let event = wire::AccountRenamed {
            account_id: account.id.to_string(),
            name: account.name(),
            email: email.to_owned(),
        };
        self.outbox.publish(database, &event, now).await?;
        Ok(())
    }

    pub(super) async fn stop_email(&self, request: &wire::StopEmailRequest) -> Result<(), Error> {
        let outcome = self.stop_by_link(&request.token).await;
        self.count_dead_link(outcome, &request.client_address).await
    }

    async fn stop_by_link(&self, token: &str) -> Result<(), Error> {
        let now = self.clock.now();
        let (mut transaction, account, _) = self.take_link(Purpose::EmailStop, token, now).await?;
        email_change::delete_unconfirmed(&mut transaction, account.id).await?;
        for purpose in [Purpose::Email, Purpose::EmailStop] {
            link::end_all(&mut transaction, purpose, account.id, now).await?;
        }
        transaction.commit().await?;
        Ok(())
    }

    pub(super) async fn undo_email(&self, request: &wire::UndoEmailRequest) -> Result<(), Error> {
        let outcome = self.undo_by_link(&request.token).await;
        self.count_dead_link(outcome, &request.client_address).await
    }

    async fn undo_by_link(&self, token: &str) -> Result<(), Error> {
        let now = self.clock.now();
        let unusable_hash = self.passwords.unusable_hash()?;
        let (mut transaction, account, link) = self.take_link(Purpose::EmailUndo, token, now).await?;
        let id = link.subject.ok_or(Error::LinkDead)?;
        let change = email_change::lock(&mut transaction, id).await?.ok_or(Error::LinkDead)?;
        let (Some(email), Some(confirmed_at)) = (change.old_email, change.confirmed_at) else {
            return Err(Error::LinkDead);
        };
        set_email(&mut transaction, account.id, &email).await?;
        email_change::delete_since(&mut transaction, account.id, confirmed_at).await?;
        // An attacker who changed the address knew the password, and may have prepared other ways in.
        account::set_password(&mut transaction, account.id, &unusable_hash).await?;
        recovery::end_everything(&mut transaction, account.id, now).await?;
        // Passkeys from after the request are the attacker's. Older ones may be the owner's, and are suspended.
        passkey::remove_since(&mut transaction, account.id, change.asked_at).await?;
        passkey::suspend_all(&mut transaction, account.id, now).await?;
        let passkeys = passkey::count(&mut transaction, account.id).await?;
        self.publish_new_address(&mut transaction, &account, &email, now).await?;
        let event = wire::EmailChangeUndone {
            to: email,
            account_id: account.id.to_string(),
            name: account.name(),
            suspended_passkeys: encode_count(passkeys.suspended),
        };
        self.outbox.publish(&mut transaction, &event, now).await?;
        transaction.commit().await?;
        Ok(())
    }

    /// Uses a link of an account. Locks the account until the transaction ends.
    async fn take_link(
        &self,
        purpose: Purpose,
        token: &str,
        now: OffsetDateTime,
    ) -> Result<(Transaction, Account, Link), Error> {
        let token = LinkToken::parse(token).ok_or(Error::LinkDead)?;
        let mut transaction = self.pool.begin().await?;
        // The account is locked first, as recovery does: a link that recovery has ended can't be used afterwards.
        let link = link::find(&mut transaction, purpose, &token, now).await?;
        let id = link.and_then(|link| link.account).ok_or(Error::LinkDead)?;
        let account = account::lock(&mut transaction, id).await?.ok_or(Error::LinkDead)?;
        let link = link::take(&mut transaction, purpose, &token, now).await?.ok_or(Error::LinkDead)?;
        Ok((transaction, account, link))
    }

    /// Counts a mail that an account causes, to any address.
    pub(in crate::rpc) async fn count_account_mail(
        &self,
        database: &mut PgConnection,
        account: Uuid,
        now: OffsetDateTime,
    ) -> Result<(), Error> {
        let bucket = address::Bucket::new(self.keyed_hash.hash("mails of", &account.to_string()));
        address::take_token(database, &bucket, self.owner.mails, now).await
    }
}

async fn set_email(database: &mut PgConnection, account: Uuid, email: &str) -> Result<(), Error> {
    account::set_email(database, account, email).await.map_err(|error| match kit_db::constraint(&error) {
        Some("account_email_unique") => Error::EmailTaken,
        _ => error.into(),
    })
}
