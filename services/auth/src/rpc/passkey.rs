//! `auth.v1.PasskeyService`.

use forms::Wrong;
use kit::caller::{CallerOf as _, Person};
use kit::error::FieldError;
use kit::timestamp::to_timestamp;
use proto::auth as wire;
use proto::auth::passkey_service_server::PasskeyService;
use serde::Serialize;
use serde::de::DeserializeOwned;
use tonic::{Request, Response, Status};
use uuid::Uuid;
use webauthn_rs::prelude::{
    DiscoverableAuthentication, PasskeyRegistration, PublicKeyCredential, RegisterPublicKeyCredential,
};
use webauthn_rs_proto::ResidentKeyRequirement;

use super::{Client, Rpc, check_field};
use crate::account;
use crate::error::Error;
use crate::limit::address;
use crate::passkey;
use crate::passkey::challenge::{self, Challenge};

#[tonic::async_trait]
impl PasskeyService for Rpc {
    async fn list_passkeys(
        &self,
        request: Request<wire::ListPasskeysRequest>,
    ) -> Result<Response<wire::ListPasskeysResponse>, Status> {
        let account = request.caller()?.account()?;
        let mut connection = self.pool.acquire().await.map_err(Error::from)?;
        let passkeys = passkey::list(&mut connection, account).await.map_err(Error::from)?;
        let passkeys = passkeys.into_iter().map(encode_passkey).collect();
        Ok(Response::new(wire::ListPasskeysResponse { passkeys }))
    }

    async fn begin_passkey(
        &self,
        request: Request<wire::BeginPasskeyRequest>,
    ) -> Result<Response<wire::BeginPasskeyResponse>, Status> {
        let person = *request.caller()?.person()?;
        Ok(Response::new(self.begin_passkey(&person, request.into_inner()).await?))
    }

    async fn add_passkey(
        &self,
        request: Request<wire::AddPasskeyRequest>,
    ) -> Result<Response<wire::AddPasskeyResponse>, Status> {
        let account = request.caller()?.account()?;
        let added = self.add_passkey(account, request.into_inner()).await?;
        Ok(Response::new(wire::AddPasskeyResponse { passkey: Some(encode_passkey(added)) }))
    }

    async fn rename_passkey(
        &self,
        request: Request<wire::RenamePasskeyRequest>,
    ) -> Result<Response<wire::RenamePasskeyResponse>, Status> {
        let account = request.caller()?.account()?;
        let request = request.into_inner();
        let name = check_name(&request.name)?;
        let id = parse_id(&request.id)?;
        let mut connection = self.pool.acquire().await.map_err(Error::from)?;
        let renamed = passkey::rename(&mut connection, account, id, name).await.map_err(Error::from)?;
        if !renamed {
            return Err(Error::NotFound.into());
        }
        Ok(Response::new(wire::RenamePasskeyResponse {}))
    }

    async fn remove_passkey(
        &self,
        request: Request<wire::RemovePasskeyRequest>,
    ) -> Result<Response<wire::RemovePasskeyResponse>, Status> {
        let account = request.caller()?.account()?;
        self.remove_passkey(account, &request.into_inner()).await?;
        Ok(Response::new(wire::RemovePasskeyResponse {}))
    }

    async fn keep_passkey(
        &self,
        request: Request<wire::KeepPasskeyRequest>,
    ) -> Result<Response<wire::KeepPasskeyResponse>, Status> {
        let person = *request.caller()?.person()?;
        self.keep_passkey(&person, request.into_inner()).await?;
        Ok(Response::new(wire::KeepPasskeyResponse {}))
    }

    async fn begin_passkey_login(
        &self,
        request: Request<wire::BeginPasskeyLoginRequest>,
    ) -> Result<Response<wire::BeginPasskeyLoginResponse>, Status> {
        Ok(Response::new(self.begin_passkey_login(&request.into_inner()).await?))
    }

    async fn log_in_with_passkey(
        &self,
        request: Request<wire::LogInWithPasskeyRequest>,
    ) -> Result<Response<wire::LogInWithPasskeyResponse>, Status> {
        let tokens = self.log_in_with_passkey(request.into_inner()).await?;
        Ok(Response::new(wire::LogInWithPasskeyResponse { tokens: Some(tokens) }))
    }
}

impl Rpc {
    async fn begin_passkey(
        &self,
        person: &Person,
        request: wire::BeginPasskeyRequest,
    ) -> Result<wire::BeginPasskeyResponse, Error> {
        let now = self.clock.now();
        let (account, mut transaction) =
            self.check_password(person.into(), request.password, &request.client_address, now).await?;
        let known = passkey::list_credential_ids(&mut transaction, account.id).await?;
        let name = account.name();
        let (mut options, state) =
            self.webauthn.start_passkey_registration(account.id, &account.email, &name, Some(known))?;
        // A login with a passkey names no account, so the device must store it.
        if let Some(selection) = &mut options.public_key.authenticator_selection {
            selection.resident_key = Some(ResidentKeyRequirement::Required);
            selection.require_resident_key = true;
        }
        let challenge_id = challenge::add(&mut transaction, Some(&account), &state, now).await?;
        transaction.commit().await?;
        Ok(wire::BeginPasskeyResponse {
            challenge_id: challenge_id.to_string(),
            options: encode_options(&options)?,
        })
    }

    async fn add_passkey(
        &self,
        account: Uuid,
        request: wire::AddPasskeyRequest,
    ) -> Result<passkey::Passkey, Error> {
        let name = check_name(&request.name)?;
        let made: RegisterPublicKeyCredential = decode_credential(&request.credential)?;
        let challenge = parse_challenge(&request.challenge_id)?;
        let now = self.clock.now();
        let begun: Challenge<PasskeyRegistration> = {
            let mut connection = self.pool.acquire().await?;
            // The challenge is used up even if the registration fails.
            challenge::take(&mut connection, challenge, Some(account), now)
                .await?
                .ok_or(Error::ChallengeDead)?
        };
        let credential = self.webauthn.finish_passkey_registration(&made, &begun.state.0)?;
        let mut transaction = self.pool.begin().await?;
        let owner = account::lock(&mut transaction, account).await?.ok_or(Error::NoAccount)?;
        // The account may have been recovered since the challenge was taken.
        if begun.password_version != Some(owner.password_version()) {
            return Err(Error::ChallengeDead);
        }
        let added = passkey::add(&mut transaction, &owner, name, &credential, now).await?;
        let event = wire::PasskeyAdded {
            account_id: account.to_string(),
            name: owner.name(),
            to: owner.email,
            passkey_name: added.name.clone(),
        };
        self.outbox.publish(&mut transaction, &event, now).await?;
        transaction.commit().await?;
        Ok(added)
    }

    async fn keep_passkey(&self, person: &Person, request: wire::KeepPasskeyRequest) -> Result<(), Error> {
        let id = parse_id(&request.id)?;
        let now = self.clock.now();
        let (_, mut transaction) =
            self.check_password(person.into(), request.password, &request.client_address, now).await?;
        if !passkey::keep(&mut transaction, person.actor, id).await? {
            return Err(Error::NotFound);
        }
        transaction.commit().await?;
        Ok(())
    }

    async fn remove_passkey(&self, account: Uuid, request: &wire::RemovePasskeyRequest) -> Result<(), Error> {
        let id = parse_id(&request.id)?;
        let mut transaction = self.pool.begin().await?;
        let owner = account::lock(&mut transaction, account).await?.ok_or(Error::NotFound)?;
        let passkey_name = passkey::remove(&mut transaction, account, id).await?.ok_or(Error::NotFound)?;
        let event = wire::PasskeyRemoved {
            account_id: account.to_string(),
            name: owner.name(),
            to: owner.email,
            passkey_name,
        };
        self.outbox.publish(&mut transaction, &event, self.clock.now()).await?;
        transaction.commit().await?;
        Ok(())
    }

    async fn begin_passkey_login(
        &self,
        request: &wire::BeginPasskeyLoginRequest,
    ) -> Result<wire::BeginPasskeyLoginResponse, Error> {
        let now = self.clock.now();
        let bucket = address::bucket(&self.keyed_hash, "passkey", &request.client_address);
        let mut transaction = self.pool.begin().await?;
        address::take_token(&mut transaction, &bucket, self.logins, now).await?;
        let (mut options, state) = self.webauthn.start_discoverable_authentication()?;
        // The person pressed a button, so the browser must not wait for autofill.
        options.mediation = None;
        let challenge_id = challenge::add(&mut transaction, None, &state, now).await?;
        transaction.commit().await?;
        Ok(wire::BeginPasskeyLoginResponse {
            challenge_id: challenge_id.to_string(),
            options: encode_options(&options)?,
        })
    }

    async fn log_in_with_passkey(
        &self,
        request: wire::LogInWithPasskeyRequest,
    ) -> Result<wire::Tokens, Error> {
        let signed: PublicKeyCredential = decode_credential(&request.credential)?;
        let challenge = parse_challenge(&request.challenge_id)?;
        let now = self.clock.now();
        let begun: Challenge<DiscoverableAuthentication> = {
            let mut connection = self.pool.acquire().await?;
            let bucket = address::bucket(&self.keyed_hash, "login", &request.client_address);
            address::take_token(&mut connection, &bucket, self.logins, now).await?;
            // The challenge is used up even if the login fails.
            challenge::take(&mut connection, challenge, None, now).await?.ok_or(Error::ChallengeDead)?
        };
        let (account, credential_id) = self.webauthn.identify_discoverable_authentication(&signed)?;
        let mut transaction = self.pool.begin().await?;
        // The account is locked before its passkey, as recovery does.
        account::lock_sign_in_state(&mut transaction, account).await?.ok_or(Error::PasskeyUnknown)?;
        let (id, mut credential) = passkey::lock_by_credential(&mut transaction, account, credential_id)
            .await?
            .ok_or(Error::PasskeyUnknown)?;
        let result =
            self.webauthn.finish_discoverable_authentication_v2(&signed, begun.state.0, &credential)?;
        credential.update_credential(&result);
        passkey::record_use(&mut transaction, id, &credential, now).await?;
        let client = Client {
            address: &request.client_address,
            user_agent: &request.user_agent,
            device: &request.device,
        };
        let tokens = self.sign_in(&mut transaction, account, client, now).await?;
        transaction.commit().await?;
        Ok(tokens)
    }
}

fn check_name(name: &str) -> Result<&str, Error> {
    let name = name.trim();
    check_field("name", name, passkey::NAME_LIMIT)?;
    // The name appears in mails.
    let wrong = if forms::has_controls(name) {
        Wrong::InvalidFormat
    } else if forms::holds_link(name) {
        Wrong::HoldsLink
    } else {
        return Ok(name);
    };
    Err(Error::Field(FieldError::new("name", wrong.code())))
}

fn parse_id(id: &str) -> Result<Uuid, Error> {
    id.parse().map_err(|_| Error::NotFound)
}

fn parse_challenge(id: &str) -> Result<Uuid, Error> {
    id.parse().map_err(|_| Error::ChallengeDead)
}

/// Parses a credential from a browser.
fn decode_credential<Credential: DeserializeOwned>(credential: &str) -> Result<Credential, Error> {
    serde_json::from_str(credential)
        .map_err(|_| Error::Field(FieldError::new("credential", "INVALID_FORMAT")))
}

/// Encodes options for a browser.
fn encode_options(options: &impl Serialize) -> Result<String, Error> {
    Ok(serde_json::to_string(options)?)
}

fn encode_passkey(passkey: passkey::Passkey) -> wire::Passkey {
    wire::Passkey {
        id: passkey.id.to_string(),
        name: passkey.name,
        created: Some(to_timestamp(passkey.created)),
        last_used: passkey.last_used_at.map(to_timestamp),
        suspended: passkey.suspended_at.map(to_timestamp),
    }
}
