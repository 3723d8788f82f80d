//! Somebody who signs up. Straight at auth: the edge is not what is killed here.

use std::net::SocketAddr;

use kit::client::{Channel, channel};
use proto::auth::entry_service_client::EntryServiceClient;
use proto::auth::verify_sign_up_request::Proof;
use proto::auth::{
    CompleteSignUpRequest, ConfirmPasswordResetRequest, RequestPasswordResetRequest, SignUpCode,
    StartSignUpRequest, VerifySignUpRequest,
};
use tonic::{Request, Status};

use crate::product::Product;

/// The first password.
pub(crate) const PASSWORD: &str = "つくえのうえのりんご七個";
/// Family name, given name, and their kana.
pub(crate) const NAMES: [&str; 4] = ["鬼灯", "あおい", "ホオズキ", "アオイ"];

#[derive(Clone)]
pub(crate) struct Entrant {
    auth: EntryServiceClient<Channel>,
    trace: Option<&'static str>,
    pub(crate) email: String,
}

impl Entrant {
    /// `name`@demo.example
    pub(crate) fn new(product: &Product, name: &str) -> Self {
        let address = product.process("auth").expect("auth runs").address;
        Self::at(address.parse().expect("an address is one"), name)
    }

    /// With the auth that listens there.
    pub(crate) fn at(address: SocketAddr, name: &str) -> Self {
        let channel = channel(&format!("http://{address}")).expect("its address is one");
        Self { auth: EntryServiceClient::new(channel), trace: None, email: format!("{name}@demo.example") }
    }

    /// Whose calls belong to this trace.
    pub(crate) fn traced(self, trace: &'static str) -> Self {
        Self { trace: Some(trace), ..self }
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
        Ok(self.auth.clone().start_sign_up(self.request(request)).await?.into_inner().sign_up)
    }

    /// Proves the address by the code of the mail, and gives the handle to go on with.
    pub(crate) async fn verify(&self, sign_up: &str, code: &str) -> String {
        let code = SignUpCode { sign_up: sign_up.to_owned(), code: code.to_owned() };
        let request =
            VerifySignUpRequest { proof: Some(Proof::Code(code)), client_address: self.client_address() };
        self.auth
            .clone()
            .verify_sign_up(self.request(request))
            .await
            .expect("the code is right")
            .into_inner()
            .sign_up
    }

    /// Makes the account.
    pub(crate) async fn complete(&self, sign_up: &str) -> Result<(), Status> {
        let request = CompleteSignUpRequest {
            sign_up: sign_up.to_owned(),
            last_name: NAMES[0].to_owned(),
            first_name: NAMES[1].to_owned(),
            last_name_kana: NAMES[2].to_owned(),
            first_name_kana: NAMES[3].to_owned(),
            birth_date: "2001-05-06".to_owned(),
            client_address: self.client_address(),
            ..CompleteSignUpRequest::default()
        };
        self.auth.clone().complete_sign_up(self.request(request)).await.map(drop)
    }

    /// Asks for the mail with which a new password is set.
    pub(crate) async fn forget_password(&self) {
        let request =
            RequestPasswordResetRequest { email: self.email.clone(), client_address: self.client_address() };
        self.auth.clone().request_password_reset(self.request(request)).await.expect("it is always taken");
    }

    /// Sets another password by the link of that mail.
    pub(crate) async fn choose_password(&self, uid: &str, token: &str) {
        let request = ConfirmPasswordResetRequest {
            uid: uid.to_owned(),
            token: token.to_owned(),
            password: "まどのそとのくじら三頭".to_owned(),
            client_address: self.client_address(),
        };
        self.auth.clone().confirm_password_reset(self.request(request)).await.expect("the link is alive");
    }

    fn request<Message>(&self, message: Message) -> Request<Message> {
        let mut request = Request::new(message);
        if let Some(trace) = self.trace {
            let parent = format!("00-{trace}-b7ad6b7169203331-01");
            request.metadata_mut().insert("traceparent", parent.parse().expect("it is ASCII"));
        }
        request
    }

    /// Everybody's own: nothing here is about limits.
    fn client_address(&self) -> String {
        let number =
            self.email.bytes().fold(0_u16, |sum, byte| sum.wrapping_mul(31).wrapping_add(byte.into()));
        let [high, low] = number.to_be_bytes();
        format!("10.20.{high}.{low}")
    }
}
