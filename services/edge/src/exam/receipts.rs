//! Receipts of handed-in papers, and the keys that they are checked with.

use axum::extract::State;
use axum::response::Response;
use http::HeaderMap;
use proto::exam as wire;
use serde::Serialize;
use utoipa::ToSchema;

use crate::answer::{json, public};
use crate::error::Error;
use crate::input::Key;
use crate::session::Learner;
use crate::{Edge, base64url};

/// A signed receipt of a handed-in paper. It names no candidate.
#[derive(Serialize, ToSchema)]
pub(crate) struct SignedReceipt {
    /// The statement and its Ed25519 signature, in base64url. The layout is in exam/v1/receipt.proto.
    #[schema(pattern = "^[\\w-]+$")]
    receipt: String,
    /// The stored bytes of the transcript, in base64url. Their SHA-256 is in the statement.
    #[schema(pattern = "^[\\w-]+$")]
    transcript: String,
}

/// Returns the signed receipt of a handed-in paper. Its bytes never change. 409 `NOTHING_HANDED_IN` before.
#[utoipa::path(
    get,
    path = "/api/exam/sitting/{id}/receipt/",
    operation_id = "exam_receipt",
    tag = "exam",
    params(("id" = String, Path, description = "Id of the sitting.", format = Uuid)),
    responses((status = 200, description = "The receipt.", body = SignedReceipt))
)]
pub(crate) async fn receipt(
    State(edge): State<Edge>,
    learner: Learner,
    Key(id): Key,
) -> Result<Response, Error> {
    let request = wire::GetReceiptRequest { sitting_id: id.to_string() };
    let found = edge.receipts(&learner).get_receipt(request).await?.into_inner();
    Ok(json(&SignedReceipt { receipt: base64url(&found.receipt), transcript: base64url(&found.transcript) }))
}

/// A JSON Web Key Set (RFC 7517).
#[derive(Serialize, ToSchema)]
pub(crate) struct ReceiptKeySet {
    /// The key that signs comes first.
    keys: Vec<ReceiptKey>,
}

/// An Ed25519 public key as a JSON Web Key (RFC 8037).
#[derive(Serialize, ToSchema)]
pub(crate) struct ReceiptKey {
    #[schema(example = "OKP")]
    kty: &'static str,
    #[schema(example = "Ed25519")]
    crv: &'static str,
    /// The id in receipts, in hex.
    #[schema(pattern = "^[0-9a-f]{16}$")]
    kid: String,
    /// The public key in base64url.
    #[schema(pattern = "^[\\w-]{43}$")]
    x: String,
}

impl ReceiptKey {
    fn new(key: &wire::ReceiptKey) -> Self {
        let (kid, x) = (hex::encode(&key.id), base64url(&key.public_key));
        Self { kty: "OKP", crv: "Ed25519", kid, x }
    }
}

/// Lists the public keys of receipts: the one that signs, earlier ones and the next one.
#[utoipa::path(
    get,
    path = "/api/exam/receipt-keys/",
    operation_id = "exam_receipt_keys",
    tag = "exam",
    responses(
        (status = 200, description = "The keys.", body = ReceiptKeySet),
        (status = 304, description = "Not modified: the `ETag` in `If-None-Match` is current.")
    )
)]
pub(crate) async fn keys(State(edge): State<Edge>, headers: HeaderMap) -> Result<Response, Error> {
    let keys =
        edge.receipt_keys().list_receipt_keys(wire::ListReceiptKeysRequest {}).await?.into_inner().keys;
    public(&edge, &headers, &ReceiptKeySet { keys: keys.iter().map(ReceiptKey::new).collect() })
}
