//! A device that creates and uses passkeys as `WebAuthn` requires (W3C, level 3): ES256, no attestation.

use aws_lc_rs::digest::{SHA256, digest};
use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::signature::{ECDSA_P256_SHA256_ASN1_SIGNING, EcdsaKeyPair, KeyPair as _};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};

const USER_PRESENT: u8 = 0x01;
const USER_VERIFIED: u8 = 0x04;
const HAS_CREDENTIAL: u8 = 0x40;

pub(crate) struct Authenticator {
    pair: EcdsaKeyPair,
    id: [u8; 16],
    /// Number of signatures.
    pub(crate) counter: u32,
    /// The origin that it sends to the server.
    pub(crate) origin: &'static str,
    /// Whether it verified its owner by finger or face.
    pub(crate) verifies: bool,
}

impl Authenticator {
    pub(crate) fn new(id: u8) -> Self {
        Self {
            pair: EcdsaKeyPair::generate(&ECDSA_P256_SHA256_ASN1_SIGNING).unwrap(),
            id: [id; 16],
            counter: 0,
            origin: "http://localhost:8080",
            verifies: true,
        }
    }

    /// The result of `navigator.credentials.create(options)`, as JSON.
    pub(crate) fn create(&self, options: &str) -> Value {
        let options: Value = serde_json::from_str(options).unwrap();
        let client = self.client("webauthn.create", &options["publicKey"]["challenge"]);
        let mut data = self.data(HAS_CREDENTIAL);
        data.extend([0; 16]);
        data.extend([0, 16]);
        data.extend(self.id);
        data.extend(self.public_key());
        // {"fmt": "none", "attStmt": {}, "authData": h'…'}
        let mut attestation = b"\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData\x58".to_vec();
        attestation.push(u8::try_from(data.len()).unwrap());
        attestation.extend(data);
        json!({
            "id": encode(&self.id), "rawId": encode(&self.id), "type": "public-key",
            "response": {"clientDataJSON": encode(&client), "attestationObject": encode(&attestation)},
        })
    }

    /// The result of `navigator.credentials.get(options)` for the passkey of this account, as JSON.
    pub(crate) fn get(&mut self, options: &str, account: uuid::Uuid) -> Value {
        let options: Value = serde_json::from_str(options).unwrap();
        let client = self.client("webauthn.get", &options["publicKey"]["challenge"]);
        self.counter += 1;
        let data = self.data(0);
        let signed = [&data[..], digest(&SHA256, &client).as_ref()].concat();
        let signature = self.pair.sign(&SystemRandom::new(), &signed).unwrap();
        json!({
            "id": encode(&self.id), "rawId": encode(&self.id), "type": "public-key",
            "response": {
                "clientDataJSON": encode(&client), "authenticatorData": encode(&data),
                "signature": encode(signature.as_ref()), "userHandle": encode(account.as_bytes()),
            },
        })
    }

    fn client(&self, kind: &str, challenge: &Value) -> Vec<u8> {
        json!({"type": kind, "challenge": challenge, "origin": self.origin, "crossOrigin": false})
            .to_string()
            .into_bytes()
    }

    fn data(&self, further: u8) -> Vec<u8> {
        let verified = if self.verifies { USER_VERIFIED } else { 0 };
        let mut data = digest(&SHA256, b"localhost").as_ref().to_vec();
        data.push(USER_PRESENT | verified | further);
        data.extend(self.counter.to_be_bytes());
        data
    }

    /// The COSE key {1: 2, 3: -7, -1: 1, -2: x, -3: y}.
    fn public_key(&self) -> Vec<u8> {
        let point = self.pair.public_key().as_ref();
        let (x, y) = point[1..].split_at(32);
        [b"\xa5\x01\x02\x03\x26\x20\x01\x21\x58\x20", x, b"\x22\x58\x20", y].concat()
    }
}

fn encode(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}
