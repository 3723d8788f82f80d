//! A person who signs up. Calls auth directly, because these tests do not kill the edge.

use std::net::SocketAddr;

use kit::caller::Service;
use kit::client::Channel;
use kit::test::{anyone, channel_as};
use proto::auth::entry_service_client::EntryServiceClient;
use proto::auth::verify_sign_up_request::Proof;
use proto::auth::{CompleteSignUpRequest, SignUpCode, StartSignUpRequest, VerifySignUpRequest};
use tonic::Status;

const PASSWORD: &str = "つくえのうえのりんご七個";

#[derive(Clone)]
pub(crate) struct Entrant {
    auth: EntryServiceClient<Channel>,
    pub(crate) email: String,
}

impl Entrant {
    /// An entrant with the address `name`@demo.example, for the auth at `address`.
    pub(crate) fn at(address: SocketAddr, name: &str) -> Self {
        let channel = channel_as(&format!("http://{address}"), Service::Auth, anyone());
        Self { auth: EntryServiceClient::new(channel), email: format!("{name}@demo.example") }
    }

    /// Starts the sign-up. Returns its handle.
    pub(crate) async fn start(&self) -> Result<String, Status> {
        let request = StartSignUpRequest {
            email: self.email.clone(),
            password: PASSWORD.to_owned(),
            kind: "learner".to_owned(),
            terms: true,
            client_address: self.client_address(),
            ..StartSignUpRequest::default()
        };
        Ok(self.auth.clone().start_sign_up(request).await?.into_inner().sign_up)
    }

    /// Verifies the address with the code of the mail. Returns the next handle.
    pub(crate) async fn verify(&self, sign_up: &str, code: &str) -> String {
        let code = SignUpCode { sign_up: sign_up.to_owned(), code: code.to_owned() };
        let request =
            VerifySignUpRequest { proof: Some(Proof::Code(code)), client_address: self.client_address() };
        self.auth.clone().verify_sign_up(request).await.expect("auth accepts the code").into_inner().sign_up
    }

    /// Creates the account.
    pub(crate) async fn complete(&self, sign_up: &str) -> Result<(), Status> {
        let request = CompleteSignUpRequest {
            sign_up: sign_up.to_owned(),
            last_name: "鬼灯".to_owned(),
            first_name: "あおい".to_owned(),
            last_name_kana: "ホオズキ".to_owned(),
            first_name_kana: "アオイ".to_owned(),
            birth_date: "2001-05-06".to_owned(),
            client_address: self.client_address(),
            ..CompleteSignUpRequest::default()
        };
        self.auth.clone().complete_sign_up(request).await.map(drop)
    }

    /// Differs for each entrant, so no rate limit applies.
    fn client_address(&self) -> String {
        let number =
            self.email.bytes().fold(0_u16, |sum, byte| sum.wrapping_mul(31).wrapping_add(byte.into()));
        let [high, low] = number.to_be_bytes();
        format!("10.20.{high}.{low}")
    }
}
