//! An example that the site's tests check, too. It was made with Python's `cryptography`, not with
//! this code.

use aws_lc_rs::digest::{SHA256, digest};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::Deserialize;

use super::Statement;
use crate::receipt_keys::ReceiptKeys;
use crate::sitting::StoredTranscript;

#[derive(Deserialize)]
struct Example {
    private_key: String,
    public_key: String,
    transcript: String,
    /// In base64url.
    receipt: String,
}

fn example() -> Example {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/libs/exam/src/receipt/receipt-example.json");
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

#[test]
fn a_receipt_has_the_bytes_that_another_implementation_writes_and_signs() {
    let Example { private_key, public_key, transcript, receipt } = example();
    let keys = ReceiptKeys::new(&private_key, &[]).unwrap();
    assert_eq!(keys.public_key().to_hex(), public_key);
    let document = transcript.into_bytes();
    let stored = StoredTranscript { digest: digest(&SHA256, &document).as_ref().to_vec(), document };
    let written = keys.sign(Statement::new(&stored).unwrap().write(keys.id()).unwrap());
    assert_eq!(URL_SAFE_NO_PAD.encode(written), receipt);
}
