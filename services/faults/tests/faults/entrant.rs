//! Somebody who signs up. Straight at auth: the edge is not what is killed here.

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
    /// `name`@demo.example, before the auth that listens there.
    pub(crate) fn at(address: SocketAddr, name: &str) -> Self {
        let channel = channel_as(&format!("http://{address}"), Service::Auth, anyone());
        Self { auth: EntryServiceClient::new(channel), email: format!("{name}@demo.example") }
    }

    /// Begins, and gives the handle.
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

    /// Proves the address by the code of the mail, and gives the handle to go on with.
    pub(crate) async fn verify(&self, sign_up: &str, code: &str) -> String {
        let code = SignUpCode { sign_up: sign_up.to_owned(), code: code.to_owned() };
        let request =
            VerifySignUpRequest { proof: Some(Proof::Code(code)), client_address: self.client_address() };
        self.auth.clone().verify_sign_up(request).await.expect("the code is right").into_inner().sign_up
    }

    /// Makes the account.
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

    /// Everybody's own: nothing here is about limits.
    fn client_address(&self) -> String {
        let number =
            self.email.bytes().fold(0_u16, |sum, byte| sum.wrapping_mul(31).wrapping_add(byte.into()));
        let [high, low] = number.to_be_bytes();
        format!("10.20.{high}.{low}")
    }
}
