//! Sign-up: e-mail address and password, verification by mail, personal data.

use forms::Wrong;
use kit::error::FieldError;
use kit::timestamp::to_timestamp;
use proto::auth as wire;
use proto::auth::verify_sign_up_request::Proof;
use sqlx::PgConnection;
use subtle::ConstantTimeEq as _;
use time::{Date, Duration, OffsetDateTime};
use uuid::Uuid;

use crate::account::{self, Account, Registration};
use crate::error::{Error, GUARDIAN_UNDER_18};
use crate::limit::address::{self, mailbox_bucket};
use crate::link::{self, Purpose};
use crate::rpc::fields::Fields;
use crate::rpc::{Client, Rpc};
use crate::sign_up::{self, Code, LEARNER, NewSignUp, SignUp, hash_code};
use crate::token::{LinkToken, SignUpHandle};
use crate::{adult, school};

/// Maximum length of the name of a campaign, in characters.
const CAMPAIGN_LIMIT: usize = 64;

/// The valid fields of a request to start a sign-up.
struct Form {
    email: String,
    kind: &'static str,
    campaign: String,
}

impl Form {
    fn from_request(request: &wire::StartSignUpRequest) -> Result<Self, Error> {
        let mut fields = Fields::default();
        let email = fields.check("email", forms::email(&request.email));
        let password = fields.check("password", forms::password(&request.password));
        let kind = fields.check("kind", sign_up::parse_kind(&request.kind));
        let terms = fields.check("terms", if request.terms { Ok(()) } else { Err(Wrong::NotAgreed) });
        let campaign = fields.check("campaign", parse_campaign(&request.campaign));
        let form = (|| {
            password?;
            terms?;
            Some(Self { email: email?, kind: kind?, campaign: campaign? })
        })();
        fields.finish(form)
    }
}

/// Parses the name of a campaign. It comes from a link to the site, so anyone may have changed it.
fn parse_campaign(given: &str) -> Result<String, Wrong> {
    if given.chars().any(|char| !(char.is_ascii_alphanumeric() || "-_./".contains(char))) {
        return Err(Wrong::InvalidFormat);
    }
    if given.len() > CAMPAIGN_LIMIT { Err(Wrong::TooLong) } else { Ok(given.to_owned()) }
}

/// The personal data at the end of a sign-up.
struct Person {
    last_name: String,
    first_name: String,
    last_name_kana: String,
    first_name_kana: String,
    birth_date: Date,
    school_year_shift: i16,
}

impl Person {
    fn from_request(request: &wire::CompleteSignUpRequest, now: OffsetDateTime) -> Result<Self, Error> {
        let today = school::today(now);
        let mut fields = Fields::default();
        let last_name = fields.check("last_name", forms::name(&request.last_name));
        let first_name = fields.check("first_name", forms::name(&request.first_name));
        let last_name_kana = fields.check("last_name_kana", forms::kana(&request.last_name_kana));
        let first_name_kana = fields.check("first_name_kana", forms::kana(&request.first_name_kana));
        let birth_date =
            fields.check("birth_date", forms::birth_date(&request.birth_date, school::today(now)));
        let shift = match (&request.school_year, birth_date) {
            (Some(chosen), Some(birth)) => {
                school::compute_shift(birth, chosen, today).ok_or(Wrong::UnknownChoice)
            }
            _ => Ok(0),
        };
        let shift = fields.check("school_year", shift);
        let person = (|| {
            Some(Self {
                last_name: last_name?,
                first_name: first_name?,
                last_name_kana: last_name_kana?,
                first_name_kana: first_name_kana?,
                birth_date: birth_date?,
                school_year_shift: shift?,
            })
        })();
        fields.finish(person)
    }
}

impl Rpc {
    pub(super) async fn start_sign_up(
        &self,
        request: wire::StartSignUpRequest,
    ) -> Result<wire::StartSignUpResponse, Error> {
        let form = Form::from_request(&request)?;
        let now = self.clock.now();
        self.count_address_mail(&request.client_address, now).await?;
        let password_hash =
            self.passwords.choose("password", request.password, vec![form.email.clone()]).await?;
        let id = Uuid::now_v7();
        let code = Code::random()?;
        let expires_at = now + self.sign_up.sign_up_lifetime;

        let mut transaction = self.pool.begin().await?;
        let key = account::email_key(&form.email);
        let bucket = mailbox_bucket(&self.keyed_hash, "sign-up mails", &form.email);
        address::take_token(&mut transaction, &bucket, self.sign_up.sign_up_mails, now).await?;
        // An address with an account gets the same answer. Only the mail differs.
        let owner = account::find_by_email(&mut transaction, &key).await?.map(|account| account.id);
        let new = NewSignUp {
            id,
            decoy_of: owner,
            email: &form.email,
            kind: form.kind,
            password_hash: &password_hash,
            news: request.news,
            campaign: &form.campaign,
            code_hash: &hash_code(&self.keyed_hash, id, &code.digits()),
        };
        sign_up::add(&mut transaction, &new, now, expires_at).await?;
        let handle = sign_up::issue_handle(&mut transaction, id, false).await?;
        self.send_code(&mut transaction, id, owner, form.email, &code, now, expires_at).await?;
        self.count_sign_up_mail(&mut transaction, &request.client_address, now).await?;
        transaction.commit().await?;
        Ok(wire::StartSignUpResponse {
            sign_up: handle.encode(),
            resend_after: self.sign_up.resend_seconds(),
            expires_at: Some(to_timestamp(expires_at)),
        })
    }

    /// Mails a code and a link to the address. If the address has an account, its owner is notified instead.
    #[expect(clippy::too_many_arguments, reason = "the data of a mail")]
    async fn send_code(
        &self,
        database: &mut PgConnection,
        id: Uuid,
        owner: Option<Uuid>,
        to: String,
        code: &Code,
        now: OffsetDateTime,
        expires_at: OffsetDateTime,
    ) -> Result<(), Error> {
        let token = link::issue(database, Purpose::Verify, None, Some(id), expires_at).await?;
        match owner {
            None => {
                let event = wire::SignUpStarted {
                    to,
                    code: code.digits(),
                    token: token.encode(),
                    expires_at: Some(to_timestamp(expires_at)),
                };
                self.outbox.publish(database, &event, now).await?;
            }
            Some(owner) => {
                let event = wire::SignUpOfAccount { to, account_id: owner.to_string() };
                self.outbox.publish(database, &event, now).await?;
            }
        }
        Ok(())
    }

    pub(super) async fn resend_sign_up(
        &self,
        request: &wire::ResendSignUpRequest,
    ) -> Result<wire::ResendSignUpResponse, Error> {
        let now = self.clock.now();
        let sign_up = self.find_sign_up(&request.sign_up, &request.client_address, now).await?;
        self.count_address_mail(&request.client_address, now).await?;
        let code = Code::random()?;
        let expires_at = now + self.sign_up.sign_up_lifetime;

        let mut transaction = self.pool.begin().await?;
        let hash = hash_code(&self.keyed_hash, sign_up.id, &code.digits());
        let mailed_before = now - self.sign_up.resend_after;
        let replaced =
            sign_up::replace_code(&mut transaction, sign_up.id, &hash, mailed_before, now, expires_at);
        if !replaced.await? {
            let wait = sign_up.mailed_at + self.sign_up.resend_after - now;
            // The sign-up is verified, or another call has just sent a mail.
            let wait = if sign_up.verified_at.is_some() { None } else { Some(wait.max(Duration::SECOND)) };
            return Err(wait.map_or(Error::LinkDead, |wait| Error::ResendTooSoon(wait.unsigned_abs())));
        }
        let bucket = mailbox_bucket(&self.keyed_hash, "sign-up mails", &sign_up.email);
        address::take_token(&mut transaction, &bucket, self.sign_up.sign_up_mails, now).await?;
        let SignUp { id, decoy_of, email, .. } = sign_up;
        self.send_code(&mut transaction, id, decoy_of, email, &code, now, expires_at).await?;
        self.count_sign_up_mail(&mut transaction, &request.client_address, now).await?;
        transaction.commit().await?;
        Ok(wire::ResendSignUpResponse { resend_after: self.sign_up.resend_seconds() })
    }

    /// Finds the sign-up of a browser.
    async fn find_sign_up(
        &self,
        handle: &str,
        client_address: &str,
        now: OffsetDateTime,
    ) -> Result<SignUp, Error> {
        let found = match SignUpHandle::parse(handle) {
            Some(handle) => sign_up::find_by_handle(&mut *self.pool.acquire().await?, &handle, now).await?,
            None => None,
        };
        match found {
            Some(sign_up) => Ok(sign_up),
            None => Err(self.count_guess(Error::LinkDead, client_address, now).await),
        }
    }

    pub(super) async fn verify_sign_up(
        &self,
        request: wire::VerifySignUpRequest,
    ) -> Result<wire::VerifySignUpResponse, Error> {
        let now = self.clock.now();
        let verified = match request.proof {
            Some(Proof::Code(code)) => self.verify_by_code(&code, &request.client_address, now).await,
            Some(Proof::Token(token)) => self.verify_by_link(&token, now).await,
            None => Err(Error::Field(FieldError::new("code", Wrong::Required.code()))),
        };
        match verified {
            Err(what @ (Error::CodeWrong | Error::LinkDead)) => {
                Err(self.count_guess(what, &request.client_address, now).await)
            }
            verified => verified,
        }
    }

    async fn verify_by_code(
        &self,
        code: &wire::SignUpCode,
        client_address: &str,
        now: OffsetDateTime,
    ) -> Result<wire::VerifySignUpResponse, Error> {
        let sign_up = self.find_sign_up(&code.sign_up, client_address, now).await?;
        let handle = SignUpHandle::parse(&code.sign_up).ok_or(Error::LinkDead)?;
        let mut transaction = self.pool.begin().await?;
        let Some(wanted) = sign_up::try_code(&mut transaction, sign_up.id, self.sign_up.code_tries).await?
        else {
            let over = sign_up.tries >= self.sign_up.code_tries;
            return Err(if over { Error::CodeTriesOver } else { Error::CodeExpired });
        };
        let presented = hash_code(&self.keyed_hash, sign_up.id, &code.code);
        let fits = bool::from(presented.ct_eq(&wanted)) && sign_up.decoy_of.is_none();
        if !fits {
            transaction.commit().await?;
            return Err(Error::CodeWrong);
        }
        sign_up::delete_code(&mut transaction, sign_up.id).await?;
        sign_up::prove_by_code(&mut transaction, &handle).await?;
        let expires_at = now + self.sign_up.sign_up_lifetime;
        let verified = sign_up::verify(&mut transaction, sign_up.id, now, expires_at).await?;
        let verified = verified.ok_or(Error::CodeExpired)?;
        transaction.commit().await?;
        Ok(wire::VerifySignUpResponse {
            sign_up: code.sign_up.clone(),
            email: verified.email,
            kind: verified.kind,
        })
    }

    async fn verify_by_link(
        &self,
        token: &str,
        now: OffsetDateTime,
    ) -> Result<wire::VerifySignUpResponse, Error> {
        let token = LinkToken::parse(token).ok_or(Error::LinkDead)?;
        let mut transaction = self.pool.begin().await?;
        let used = link::take(&mut transaction, Purpose::Verify, &token, now).await?;
        let id = used.and_then(|link| link.subject).ok_or(Error::LinkDead)?;
        let expires_at = now + self.sign_up.sign_up_lifetime;
        let verified =
            sign_up::verify(&mut transaction, id, now, expires_at).await?.ok_or(Error::LinkDead)?;
        let handle = sign_up::issue_handle(&mut transaction, id, true).await?;
        transaction.commit().await?;
        Ok(wire::VerifySignUpResponse {
            sign_up: handle.encode(),
            email: verified.email,
            kind: verified.kind,
        })
    }

    pub(super) async fn get_sign_up(
        &self,
        request: &wire::GetSignUpRequest,
    ) -> Result<wire::GetSignUpResponse, Error> {
        let now = self.clock.now();
        let sign_up = self.find_sign_up(&request.sign_up, &request.client_address, now).await?;
        let state = match sign_up {
            SignUp { completed_at: Some(_), .. } => wire::SignUpState::Done,
            SignUp { verified_at: Some(_), .. } => wire::SignUpState::Verified,
            SignUp { .. } => wire::SignUpState::Waiting,
        };
        Ok(wire::GetSignUpResponse { state: state.into(), email: sign_up.email, kind: sign_up.kind })
    }

    pub(super) async fn complete_sign_up(
        &self,
        request: wire::CompleteSignUpRequest,
    ) -> Result<wire::Tokens, Error> {
        let now = self.clock.now();
        let person = Person::from_request(&request, now)?;
        let sign_up = self.find_sign_up(&request.sign_up, &request.client_address, now).await?;
        if sign_up.completed_at.is_some() {
            return Err(Error::LinkDead);
        }
        let by_link = sign_up.proven_by_link.ok_or(Error::NotVerified)?;
        // Guardians have no school year.
        if sign_up.kind != LEARNER && request.school_year.is_some() {
            return Err(Error::Field(FieldError::new("school_year", Wrong::UnknownChoice.code())));
        }
        if sign_up.kind != LEARNER && !adult::is_adult(person.birth_date, school::today(now)) {
            return Err(Error::Field(FieldError::new("birth_date", GUARDIAN_UNDER_18)));
        }
        let chosen = match request.password {
            Some(password) => Some(self.hash_chosen_password(password, &sign_up.email, &person).await?),
            // The person who started the sign-up may have typed a stranger's address. They would know the password of
            // the account once its owner opens the link.
            None if by_link => {
                return Err(Error::Field(FieldError::new("password", Wrong::Required.code())));
            }
            None => None,
        };
        let mut transaction = self.pool.begin().await?;
        let completed = sign_up::complete(&mut transaction, sign_up.id, now).await?.ok_or(Error::LinkDead)?;
        let account = Account {
            id: Uuid::now_v7(),
            email: completed.email,
            password_hash: chosen.unwrap_or(completed.password_hash),
            scope: vec![completed.kind],
            last_name: person.last_name,
            first_name: person.first_name,
            last_name_kana: person.last_name_kana,
            first_name_kana: person.first_name_kana,
            birth_date: Some(person.birth_date),
            created: now,
        };
        let registration = Registration {
            terms_at: completed.terms_at,
            campaign: &completed.campaign,
            news: completed.news,
            school_year_shift: person.school_year_shift,
        };
        account::create(&mut transaction, &account, &registration).await?;
        let client = Client {
            address: &request.client_address,
            user_agent: &request.user_agent,
            device: &request.device,
        };
        let tokens = self.sign_in(&mut transaction, account.id, client, now).await?;
        let event = wire::AccountCreated {
            to: account.email.clone(),
            account_id: account.id.to_string(),
            name: account.name(),
            birth_date: person.birth_date.to_string(),
        };
        self.outbox.publish(&mut transaction, &event, now).await?;
        transaction.commit().await?;
        Ok(tokens)
    }

    /// Hashes the password that is chosen at the end of a sign-up.
    async fn hash_chosen_password(
        &self,
        password: String,
        email: &str,
        person: &Person,
    ) -> Result<String, Error> {
        forms::password(&password)
            .map_err(|wrong| Error::Field(FieldError::new("password", wrong.code())))?;
        let known = [email, &person.last_name, &person.first_name].map(str::to_owned);
        self.passwords.choose("password", password, known.into()).await
    }
}
