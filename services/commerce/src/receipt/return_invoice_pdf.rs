//! Return invoices (返還インボイス) as PDF. Each is rendered once, and its bytes do not change.

use kit_db::span;
use kit_pdf::{Fact, Row, Sheet};
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::Instrument as _;
use uuid::Uuid;

use super::make_number;
use super::sheet::{address, format_day, format_yen, issuer_lines};
use crate::config::Issuer;
use crate::refund::return_invoice::ReturnInvoice;
use crate::tax;

/// Finds the PDF of a refund's return invoice, if it was rendered. The caller checks its owner.
pub(crate) async fn find_pdf(connection: &mut PgConnection, refund: Uuid) -> sqlx::Result<Option<Vec<u8>>> {
    sqlx::query_scalar!("SELECT pdf FROM return_invoice_pdf WHERE refund_id = $1", refund)
        .fetch_optional(connection)
        .instrument(span("SELECT return_invoice_pdf"))
        .await
}

/// Locks the order of the account's refund until the transaction ends, so no name in it is erased.
pub(crate) async fn lock_order(
    connection: &mut PgConnection,
    account: Uuid,
    order: Uuid,
) -> sqlx::Result<()> {
    sqlx::query!("SELECT id FROM orders WHERE id = $1 AND account_id = $2 FOR UPDATE", order, account)
        .fetch_optional(connection)
        .instrument(span("SELECT orders"))
        .await?;
    Ok(())
}

/// Stores the PDF of a return invoice.
pub(crate) async fn store_pdf(
    connection: &mut PgConnection,
    refund: Uuid,
    pdf: &[u8],
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO return_invoice_pdf (refund_id, pdf, written_at) VALUES ($1, $2, $3)",
        refund,
        pdf,
        now,
    )
    .execute(connection)
    .instrument(span("INSERT return_invoice_pdf"))
    .await?;
    Ok(())
}

/// Deletes the PDFs of orders with erased names.
pub(crate) async fn erase(connection: &mut PgConnection, orders: &[Uuid]) -> sqlx::Result<()> {
    sqlx::query!(
        "
        DELETE FROM return_invoice_pdf USING refund JOIN payment ON payment.id = payment_id
        WHERE refund.id = refund_id AND order_id = ANY ($1)
        ",
        orders,
    )
    .execute(connection)
    .instrument(span("DELETE return_invoice_pdf"))
    .await?;
    Ok(())
}

/// Makes the sheet of a return invoice, with everything that a 適格返還請求書 requires.
pub(crate) fn make_sheet(invoice: &ReturnInvoice, issuer: &Issuer) -> Sheet {
    let rows = invoice.rows().into_iter().map(|(name, amount)| Row {
        name,
        detail: String::new(),
        quantity: "1".to_owned(),
        amount: format_yen(amount),
    });
    Sheet {
        title: "返還インボイス".to_owned(),
        subtitle: "（適格返還請求書）".to_owned(),
        mark: String::new(),
        number: invoice.number.clone(),
        numbers: vec![
            Fact::new("番号", invoice.number.clone()),
            Fact::new("注文番号", invoice.order_number.clone()),
            Fact::new("もとの領収書", make_number(&invoice.order_number)),
            Fact::new("発行日", format_day(invoice.issued_at)),
        ],
        addressee: invoice.addressee.as_deref().map(address).unwrap_or_default(),
        amount: Fact::new("返金額", format_yen(invoice.total)),
        amount_note: "（税込）".to_owned(),
        statement: "下記のとおり、返金いたしました。".to_owned(),
        issuer: issuer_lines(issuer),
        heads: ["品名", "数量", "返金額（税込）"].map(str::to_owned),
        rows: rows.collect(),
        before_total: Vec::new(),
        total: Fact::new("合計", format_yen(invoice.total)),
        after_total: vec![
            Fact::new(format!("{}%対象（税込）", tax::RATE), format_yen(invoice.total)),
            Fact::new(format!("内消費税（{}%）", tax::RATE), format_yen(invoice.tax)),
        ],
        facts: vec![
            Fact::new("お支払い日", format_day(invoice.paid_at)),
            Fact::new("返金日", format_day(invoice.refunded_at)),
        ],
    }
}
