//! The return invoice as PDF. It is rendered and stored on first access, and its bytes do not
//! change.

use proto::commerce::GetReturnInvoicePdfResponse;
use uuid::Uuid;

use super::{Commerce, commit};
use crate::error::Error;
use crate::receipt::return_invoice_pdf::{find_pdf, lock_order, make_sheet, store_pdf};
use crate::refund::return_invoice;

/// Returns the PDF of a refund's return invoice.
pub(super) async fn get(
    commerce: &Commerce,
    account: Uuid,
    order: Uuid,
    refund: Uuid,
) -> Result<GetReturnInvoicePdfResponse, Error> {
    let mut connection = commerce.acquire().await?;
    let invoice = return_invoice::find(&mut connection, account, order, refund).await?;
    let number = invoice.ok_or(Error::NotFound)?.number;
    if let Some(pdf) = find_pdf(&mut connection, refund).await? {
        return Ok(GetReturnInvoicePdfResponse { number, pdf });
    }
    drop(connection);
    let permit = commerce.pdf_writer.permit().await?;
    let mut transaction = commerce.begin().await?;
    lock_order(&mut transaction, account, order).await?;
    let invoice = return_invoice::find(&mut transaction, account, order, refund).await?;
    let invoice = invoice.ok_or(Error::NotFound)?;
    // Another request may have stored it in the meantime.
    if let Some(pdf) = find_pdf(&mut transaction, refund).await? {
        return Ok(GetReturnInvoicePdfResponse { number, pdf });
    }
    // The order stays locked for about 10 ms of rendering.
    let sheet = make_sheet(&invoice, &commerce.issuer);
    let pdf = permit.write(move |fonts| sheet.write_pdf(fonts)).await?;
    store_pdf(&mut transaction, refund, &pdf, commerce.clock.now()).await?;
    commit(transaction).await?;
    Ok(GetReturnInvoicePdfResponse { number, pdf })
}
