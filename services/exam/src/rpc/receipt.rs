//! Receipts of handed-in papers.

use kit::caller::CallerOf as _;
use proto::exam as wire;
use proto::exam::receipt_service_server::ReceiptService;
use tonic::{Request, Response, Status};

use super::Exam;
use super::sitting::{parse_uuid, settle};
use crate::error::Error;
use crate::receipt;
use crate::receipt_keys::PublicKey;
use crate::sitting;

#[tonic::async_trait]
impl ReceiptService for Exam {
    async fn get_receipt(
        &self,
        request: Request<wire::GetReceiptRequest>,
    ) -> Result<Response<wire::GetReceiptResponse>, Status> {
        let learner = request.caller()?.learner()?;
        let id = parse_uuid("sitting_id", &request.into_inner().sitting_id)?;
        let mut transaction = self.begin().await?;
        let found =
            sitting::find(&mut transaction, &self.papers, learner, id, self.clock.now(), self.rules).await;
        let found = settle(transaction, found).await?;
        let transcript = found.transcript.ok_or(Error::NothingHandedIn)?;
        let mut connection = self.acquire().await?;
        let receipt = receipt::find_or_issue(&mut connection, &self.receipt_keys, id, &transcript).await?;
        Ok(Response::new(wire::GetReceiptResponse { receipt, transcript: transcript.document }))
    }

    async fn list_receipt_keys(
        &self,
        _: Request<wire::ListReceiptKeysRequest>,
    ) -> Result<Response<wire::ListReceiptKeysResponse>, Status> {
        let keys = self.receipt_keys.published().iter().map(encode_key).collect();
        Ok(Response::new(wire::ListReceiptKeysResponse { keys }))
    }
}

fn encode_key(key: &PublicKey) -> wire::ReceiptKey {
    wire::ReceiptKey { id: key.id().to_vec(), public_key: key.as_bytes().to_vec() }
}
