//! The receipt as PDF. It is rendered and stored on first access, and its bytes do not change.

use uuid::Uuid;

use super::{Commerce, commit};
use crate::error::Error;
use crate::receipt::pdf::{self, ReceiptPdf};
use crate::receipt::sheet::make_sheet;

/// Returns the PDF of the latest issue of an order's receipt.
pub(super) async fn get(commerce: &Commerce, account: Uuid, order: Uuid) -> Result<ReceiptPdf, Error> {
    let stored = pdf::find_pdf(&mut *commerce.acquire().await?, account, order).await?;
    if let Some(stored) = stored {
        return Ok(stored);
    }
    let permit = commerce.pdf_writer.permit().await?;
    let mut transaction = commerce.begin().await?;
    let receipt = pdf::lock_issued(&mut transaction, account, order).await?.ok_or(Error::NotFound)?;
    // Another request may have stored it in the meantime.
    if let Some(stored) = pdf::find_pdf(&mut transaction, account, order).await? {
        return Ok(stored);
    }
    // The order stays locked for about 10 ms of rendering.
    let sheet = make_sheet(&receipt, &commerce.issuer);
    let bytes = permit.write(move |fonts| sheet.write_pdf(fonts)).await?;
    pdf::store_pdf(&mut transaction, order, receipt.issues, &bytes, commerce.clock.now()).await?;
    commit(transaction).await?;
    Ok(ReceiptPdf { number: receipt.number(), pdf: bytes })
}
