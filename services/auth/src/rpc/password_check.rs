//! Checks a password and limits the attempts.

use kit::caller::Person;
use kit::error::FieldError;
use kit_db::Transaction;
use time::OffsetDateTime;
use uuid::Uuid;

use super::{Rpc, check_field};
use crate::account::{self, Account};
use crate::error::Error;
use crate::known_device::Holder;
use crate::limit::address::{self, Bucket};
use crate::limit::failure;
use crate::password;

/// Size of the outer bucket of an account, as a multiple of the bucket of one session or known device.
const ACCOUNT_TRIES: u32 = 4;

impl Rpc {
    /// The account, if the password is correct, and a transaction in which the password stays the same.
    ///
    /// Attempts and wrong passwords are counted separately for each session, for each known device, and for all other
    /// callers by e-mail address. An attacker can therefore lock neither sessions nor known devices.
    pub(super) async fn check_password(
        &self,
        subject: PasswordSubject<'_>,
        password: String,
        client_address: &str,
        now: OffsetDateTime,
    ) -> Result<(Account, Transaction), Error> {
        subject.check()?;
        check_field("password", &password, password::LIMIT)?;
        let (account, failures) = {
            let mut connection = self.pool.acquire().await?;
            let (account, Counters { tries, failures }) = match subject {
                PasswordSubject::Email { email, device } => {
                    let email = account::email_key(email);
                    let account = account::find_by_email(&mut connection, &email).await?;
                    let counters = self.login_counters(account.as_ref(), &email, device, client_address, now);
                    (account, counters)
                }
                PasswordSubject::Account { id, sid } => {
                    let account = account::find_by_id(&mut connection, id).await?.ok_or(Error::NoAccount)?;
                    (Some(account), self.session_counters("account session", id, sid))
                }
            };
            address::take_token(&mut connection, &tries, self.logins, now).await?;
            failure::check(&mut connection, &failures, now).await?;
            (account, failures)
        };
        // Hashing is slow and holds no connection.
        let hash = account.as_ref().map(|account| account.password_hash.as_str());
        let matches = self.passwords.matches(password, hash).await?;
        let mut transaction = self.pool.begin().await?;
        let Some(account) = account.filter(|_| matches) else {
            failure::count(&mut transaction, &failures, self.failures, now).await?;
            transaction.commit().await?;
            return Err(Error::BadCredentials);
        };
        failure::clear(&mut transaction, &failures, now).await?;
        if !account::lock_password(&mut transaction, account.id, &account.password_hash).await? {
            return Err(Error::BadCredentials);
        }
        Ok((account, transaction))
    }

    /// The counters of a login. An address without an account takes the same work.
    fn login_counters(
        &self,
        account: Option<&Account>,
        email_key: &str,
        device: &str,
        client_address: &str,
        now: OffsetDateTime,
    ) -> Counters {
        let holder = account.map_or(Holder { account: Uuid::nil(), password_hash: "" }, |account| Holder {
            account: account.id,
            password_hash: &account.password_hash,
        });
        match self.known_devices.find(device, holder, now) {
            Some(device) => self.session_counters("account device", holder.account, device),
            None => Counters {
                tries: address::bucket(&self.keyed_hash, "login", client_address),
                failures: self.keyed_hash.hash("account", email_key),
            },
        }
    }

    /// The counters of a session or a known device. Every sign-in creates a new one, so all of an account share an
    /// outer bucket.
    fn session_counters(&self, kind: &str, account: Uuid, id: Uuid) -> Counters {
        let one = self.keyed_hash.hash("tries", &format!("{kind} {account} {id}"));
        let all = self.keyed_hash.hash("tries of", &account.to_string());
        Counters {
            tries: Bucket::new(one).within(all, ACCOUNT_TRIES),
            failures: self.keyed_hash.hash(kind, &format!("{account} {id}")),
        }
    }
}

/// The counters for the attempts of one caller.
struct Counters {
    /// Every attempt counts, since each costs a hash.
    tries: Bucket,
    /// The key for the count of wrong passwords.
    failures: Vec<u8>,
}

/// The account whose password is checked.
#[derive(Clone, Copy)]
pub(super) enum PasswordSubject<'a> {
    /// The typed address and the device cookie. The answer is the same without an account.
    Email { email: &'a str, device: &'a str },
    /// The account of the caller's session.
    Account { id: Uuid, sid: Uuid },
}

impl From<&Person> for PasswordSubject<'_> {
    fn from(person: &Person) -> Self {
        Self::Account { id: person.actor, sid: person.session }
    }
}

impl PasswordSubject<'_> {
    fn check(self) -> Result<(), Error> {
        let Self::Email { email, .. } = self else { return Ok(()) };
        check_field("email", email, forms::EMAIL_LIMIT)?;
        // PostgreSQL accepts no NUL, and no address has control characters.
        if email.chars().any(char::is_control) {
            return Err(Error::Field(FieldError::new("email", "INVALID_FORMAT")));
        }
        Ok(())
    }
}
