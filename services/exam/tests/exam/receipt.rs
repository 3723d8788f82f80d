//! Receipts: their bytes, their signature and the published keys.

use std::process::Command;

use aws_lc_rs::digest::{SHA256, digest};
use aws_lc_rs::signature::{ED25519, UnparsedPublicKey};
use exam::{PublicKey, ReceiptKeys};
use kit::caller::Service;
use kit::error::{Code, ServiceError};
use kit::test::{TestServer, anyone, learner};
use proto::exam::receipt_service_client::ReceiptServiceClient;
use proto::exam::{GetReceiptRequest, GetReceiptResponse, ListReceiptKeysRequest, ReceiptKey};
use tokio::task::JoinSet;

use crate::hall::{
    Browser, Candidate, Hall, MINUTE, PAPER, RECEIPT_KEY, RULES, SINGLE, TEXT, choices, pdf_writer, row, text,
};

const SIGNATURE: usize = 64;

impl Candidate<'_> {
    async fn receipt_at(&self, server: &TestServer, id: &str) -> Result<GetReceiptResponse, ServiceError> {
        let mut client = ReceiptServiceClient::new(server.channel_as(learner(self.id)));
        let receipt = client.get_receipt(GetReceiptRequest { sitting_id: id.to_owned() }).await;
        receipt.map(tonic::Response::into_inner).map_err(|status| ServiceError::from_status(&status))
    }

    async fn receipt(&self, id: &str) -> Result<GetReceiptResponse, ServiceError> {
        self.receipt_at(&self.hall.server, id).await
    }

    /// Sits a paper with one answer and one answer that is taken back. Returns the sitting.
    async fn sit_and_hand_in(&self) -> String {
        let browser = Browser::new();
        let id = self.start(PAPER, &browser).await.unwrap().id;
        self.hall.clock.advance(MINUTE);
        let rows = vec![row(SINGLE, 1, choices(&[2])), row(TEXT, 1, text("am")), row(TEXT, 2, None)];
        self.save(&id, &browser, 1, rows).await.unwrap();
        self.hall.clock.advance(MINUTE);
        self.hand_in(&id, &browser, 1).await.unwrap();
        id
    }
}

async fn published(server: &TestServer) -> Vec<ReceiptKey> {
    let mut client = ReceiptServiceClient::new(server.channel_as(anyone()));
    client.list_receipt_keys(ListReceiptKeysRequest {}).await.unwrap().into_inner().keys
}

fn is_signed_by(key: &ReceiptKey, receipt: &[u8]) -> bool {
    let (statement, signature) = receipt.split_at(receipt.len() - SIGNATURE);
    UnparsedPublicKey::new(&ED25519, &key.public_key).verify(statement, signature).is_ok()
}

#[tokio::test]
async fn a_receipt_is_signed_by_the_published_key_and_contains_the_digest_of_the_stored_transcript() {
    let hall = Hall::open().await;
    let candidate = hall.admit().await;
    let id = candidate.sit_and_hand_in().await;
    let GetReceiptResponse { receipt, transcript } = candidate.receipt(&id).await.unwrap();
    assert_eq!(Some(&transcript), hall.document(&id).await.as_ref());
    let [key] = &published(&hall.server).await[..] else { panic!("one key") };
    assert_eq!(key.id, digest(&SHA256, &key.public_key).as_ref()[..8]);
    assert!(receipt.starts_with(b"KNR\x01") && receipt[4..12] == key.id);
    assert!(is_signed_by(key, &receipt));
    assert_eq!(&receipt[29..61], digest(&SHA256, &transcript).as_ref());
    for position in [0, 12, 40, receipt.len() - SIGNATURE - 1, receipt.len() - 1] {
        let mut changed = receipt.clone();
        changed[position] ^= 1;
        assert!(!is_signed_by(key, &changed), "byte {position}");
    }
    // The states: answered, never saved, never saved, taken back, never saved.
    let states = &receipt[receipt.len() - SIGNATURE - 5 - 2 * 36..receipt.len() - SIGNATURE];
    assert_eq!([states[0], states[37], states[38], states[39], states[76]], [2, 0, 0, 1, 0]);
    assert_eq!(states[1..5], 60_000_u32.to_be_bytes());
    let name = candidate.id.to_string();
    assert!(
        !transcript.windows(name.len()).any(|part| part == name.as_bytes()),
        "the receipt contains no name"
    );
}

#[tokio::test]
async fn a_receipt_is_issued_once_and_outlives_its_key() {
    let hall = Hall::open().await;
    let candidate = hall.admit().await;
    let id = candidate.sit_and_hand_in().await;
    let mut reading = JoinSet::new();
    for _ in 0..8 {
        let mut client = ReceiptServiceClient::new(hall.server.channel_as(learner(candidate.id)));
        let request = GetReceiptRequest { sitting_id: id.clone() };
        reading.spawn(async move { client.get_receipt(request).await.unwrap().into_inner().receipt });
    }
    let mut receipts = reading.join_all().await;
    receipts.dedup();
    let [receipt] = &receipts[..] else { panic!("all calls get the same receipt") };

    // The next key signs. The old one is still published.
    let old: PublicKey = ReceiptKeys::new(RECEIPT_KEY, &[]).unwrap().public_key();
    let next = ReceiptKeys::new(&"a7".repeat(32), &[old]).unwrap();
    let services = exam::services(hall.database.pool.clone(), hall.clock.clock(), RULES, next, pdf_writer());
    let rotated = TestServer::service(Service::Exam, exam::CALLERS, services).await;
    assert_eq!(&candidate.receipt_at(&rotated, &id).await.unwrap().receipt, receipt);
    let keys = published(&rotated).await;
    assert_eq!(keys.iter().map(|key| is_signed_by(key, receipt)).collect::<Vec<_>>(), [false, true]);
    let other = hall.admit().await;
    let id = other.sit_and_hand_in().await;
    assert!(is_signed_by(&keys[0], &other.receipt_at(&rotated, &id).await.unwrap().receipt));

    let mut connection = hall.connection().await;
    let changed = sqlx::query!("UPDATE receipt SET receipt = ''").execute(&mut *connection).await;
    assert_eq!(kit_db::constraint(&changed.unwrap_err()), Some("receipt_kept"));
}

#[tokio::test]
async fn a_receipt_exists_only_for_an_own_sealed_sitting() {
    let hall = Hall::open().await;
    let (candidate, browser) = (hall.admit().await, Browser::new());
    let id = candidate.start(PAPER, &browser).await.unwrap().id;
    let refused = candidate.receipt(&id).await.unwrap_err();
    assert_eq!((refused.code, &*refused.reason), (Code::Conflict, "NOTHING_HANDED_IN"));
    let stranger = hall.stranger();
    // No browser is open: the deadline hands in.
    hall.clock.advance(MINUTE * 53);
    assert_eq!(stranger.receipt(&id).await.unwrap_err().code, Code::NotFound);
    assert_eq!(candidate.receipt(&id).await.unwrap().receipt[12], 2);
    assert_eq!(stranger.receipt(&id).await.unwrap_err().code, Code::NotFound);
    assert_eq!(candidate.receipt("1").await.unwrap_err().code, Code::Invalid);
}

#[test]
fn a_key_is_configured_in_hex_and_never_printed() {
    let exam = |key: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_exam"));
        command.env_clear().args(["receipt-key", "--receipt-key", key]).output().unwrap()
    };
    let printed = String::from_utf8(exam(RECEIPT_KEY).stdout).unwrap();
    assert_eq!(printed.trim_end().parse(), Ok(ReceiptKeys::new(RECEIPT_KEY, &[]).unwrap().public_key()));
    for wrong in ["", "0f1e", "zz", &RECEIPT_KEY.repeat(2)] {
        let refused = exam(wrong);
        let said = String::from_utf8(refused.stderr).unwrap();
        assert!(
            !refused.status.success() && said.contains("EXAM_RECEIPT_KEY is not 32 bytes in hex"),
            "{said}"
        );
        assert!(wrong.is_empty() || !said.contains(wrong), "{said}");
    }
}
