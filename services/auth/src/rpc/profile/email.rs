//! How the address and the password of an account change.

use kit::form;
use proto::auth as wire;
use uuid::Uuid;

use crate::account::{self, Account};
use crate::email_change::{self, masked};
use crate::error::Error;
use crate::limit::address;
use crate::link::{self, Purpose};
use crate::passkey;
use crate::rpc::{DESK, Rpc, Who, parse_account, timestamp};
use crate::session;
use crate::token::Token;

impl Rpc {
    pub(super) async fn change_own_password(
        &self,
        request: wire::ChangePasswordRequest,
    ) -> Result<(), Error> {
        let id = parse_account(&request.user_id)?;
        let sid = request.sid.parse::<Uuid>().map_err(|_| Error::NotFound)?;
        form::password(&request.new_password)
            .map_err(|wrong| Error::Field { name: "new_password", code: wrong.code() })?;
        let now = self.clock.now();
        let (account, transaction) = self
            .check_password(
                Who::Account { id, sid: &request.sid },
                request.password,
                &request.client_address,
                now,
            )
            .await?;
        // Hashing takes its time; that the password is still the same is asked again.
        transaction.commit().await?;
        let hash = self.passwords.choose("new_password", request.new_password, account.known()).await?;

        let mut transaction = self.pool.begin().await?;
        if !account::replace_password(&mut transaction, id, &account.password_hash, &hash).await? {
            return Err(Error::BadCredentials);
        }
        link::end_all(&mut transaction, Purpose::Reset, id, now).await?;
        session::end_others(&mut transaction, id, sid, now).await?;
        let event =
            wire::PasswordChanged { name: account.name(), to: account.email, account_id: id.to_string() };
        self.outbox.add(&mut transaction, DESK, &event, now).await?;
        transaction.commit().await?;
        Ok(())
    }

    pub(super) async fn ask_for_email(&self, request: wire::ChangeEmailRequest) -> Result<(), Error> {
        let id = parse_account(&request.user_id)?;
        let email = form::email(&request.email)
            .map_err(|wrong| Error::Field { name: "email", code: wrong.code() })?;
        let now = self.clock.now();
        let (account, mut transaction) = self
            .check_password(
                Who::Account { id, sid: &request.sid },
                request.password,
                &request.client_address,
                now,
            )
            .await?;
        self.cause_mail(&mut transaction, id, now).await?;
        let expires_at = now + self.owner.email_lifetime;
        let change = email_change::ask(&mut transaction, id, &email, now, expires_at).await?;
        link::end_all(&mut transaction, Purpose::Email, id, now).await?;
        // For an address that is somebody's the same is done, but nobody gets to know the link.
        let token = link::issue(&mut transaction, Purpose::Email, Some(id), Some(change), expires_at).await?;
        let other = account::by_email(&mut transaction, &account::email_key(&email)).await?;
        if let Some(owner) = other.filter(|other| other.id != id) {
            let event = wire::SignUpOfAccount { to: owner.email, account_id: owner.id.to_string() };
            self.outbox.add(&mut transaction, DESK, &event, now).await?;
        } else {
            let event = wire::EmailChangeRequested {
                to: email,
                account_id: id.to_string(),
                name: account.name(),
                token: token.encode(),
                expires_at: Some(timestamp(expires_at)),
            };
            self.outbox.add(&mut transaction, DESK, &event, now).await?;
        }
        transaction.commit().await?;
        Ok(())
    }

    pub(super) async fn confirm_new_email(&self, request: &wire::ConfirmEmailRequest) -> Result<(), Error> {
        match self.take_email_link(&request.token).await {
            Err(Error::LinkDead) => {
                Err(self.dead(Error::LinkDead, &request.client_address, self.clock.now()).await)
            }
            outcome => outcome,
        }
    }

    async fn take_email_link(&self, token: &str) -> Result<(), Error> {
        let token = Token::parse(token).ok_or(Error::LinkDead)?;
        let now = self.clock.now();
        let mut transaction = self.pool.begin().await?;
        let link = link::take(&mut transaction, Purpose::Email, &token, now).await?;
        let id = link.and_then(|link| link.subject).ok_or(Error::LinkDead)?;
        let change = email_change::lock(&mut transaction, id).await?;
        let change = change.filter(|change| change.confirmed_at.is_none()).ok_or(Error::LinkDead)?;
        let account = account::by_id(&mut transaction, change.account).await?.ok_or(Error::LinkDead)?;
        set_email(&mut transaction, account.id, &change.new_email).await?;
        // What went to the old address opens nothing any more, but for the way back.
        link::end_all(&mut transaction, Purpose::Reset, account.id, now).await?;
        let expires_at = now + self.owner.email_undo_lifetime;
        email_change::confirm(&mut transaction, id, &account.email, now, expires_at).await?;
        let undo =
            link::issue(&mut transaction, Purpose::EmailUndo, Some(account.id), Some(id), expires_at).await?;
        let event = wire::EmailChanged {
            name: account.name(),
            to: account.email,
            account_id: account.id.to_string(),
            new_email: masked(&change.new_email),
            token: undo.encode(),
            expires_at: Some(timestamp(expires_at)),
        };
        self.outbox.add(&mut transaction, DESK, &event, now).await?;
        transaction.commit().await?;
        Ok(())
    }

    pub(super) async fn undo_new_email(&self, request: &wire::UndoEmailRequest) -> Result<(), Error> {
        match self.take_undo_link(&request.token).await {
            Err(Error::LinkDead) => {
                Err(self.dead(Error::LinkDead, &request.client_address, self.clock.now()).await)
            }
            outcome => outcome,
        }
    }

    async fn take_undo_link(&self, token: &str) -> Result<(), Error> {
        let token = Token::parse(token).ok_or(Error::LinkDead)?;
        let now = self.clock.now();
        let nobodys = self.passwords.nobodys()?;
        let mut transaction = self.pool.begin().await?;
        let link = link::take(&mut transaction, Purpose::EmailUndo, &token, now).await?;
        let id = link.and_then(|link| link.subject).ok_or(Error::LinkDead)?;
        let change = email_change::lock(&mut transaction, id).await?.ok_or(Error::LinkDead)?;
        let (Some(email), Some(confirmed_at)) = (change.old_email, change.confirmed_at) else {
            return Err(Error::LinkDead);
        };
        let account: Account =
            account::by_id(&mut transaction, change.account).await?.ok_or(Error::LinkDead)?;
        set_email(&mut transaction, account.id, &email).await?;
        email_change::forget_since(&mut transaction, account.id, confirmed_at).await?;
        // Whoever changed the address knew the password, and may have left another way in.
        account::set_password(&mut transaction, account.id, &nobodys).await?;
        passkey::remove_since(&mut transaction, account.id, change.asked_at).await?;
        for purpose in [Purpose::Reset, Purpose::Email] {
            link::end_all(&mut transaction, purpose, account.id, now).await?;
        }
        session::end_all(&mut transaction, account.id, now).await?;
        let event =
            wire::EmailChangeUndone { to: email, account_id: account.id.to_string(), name: account.name() };
        self.outbox.add(&mut transaction, DESK, &event, now).await?;
        transaction.commit().await?;
        Ok(())
    }

    /// Counts a mail that an account causes, to whomever it goes.
    pub(in crate::rpc) async fn cause_mail(
        &self,
        database: &mut sqlx::PgConnection,
        account: Uuid,
        now: time::OffsetDateTime,
    ) -> Result<(), Error> {
        let bucket = address::Bucket::of(self.blinding.blind("mails of", &account.to_string()));
        address::take(database, &bucket, self.owner.mails, now).await
    }
}

async fn set_email(database: &mut sqlx::PgConnection, account: Uuid, email: &str) -> Result<(), Error> {
    account::set_email(database, account, email).await.map_err(|error| match kit::db::constraint(&error) {
        Some("account_email_unique") => Error::EmailTaken,
        _ => error.into(),
    })
}
