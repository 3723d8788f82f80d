//! The return invoice (返還インボイス) of a refund of a sale.

use kit_db::span;
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::Instrument as _;
use uuid::Uuid;

/// A return invoice.
pub(crate) struct ReturnInvoice {
    /// The number for people, e.g. `H-261125-7Q4F2-1`.
    pub(crate) number: String,
    pub(crate) order_number: String,
    /// The addressee of the receipt, or the buyer until it is issued. `None` once the name was
    /// erased.
    pub(crate) addressee: Option<String>,
    pub(crate) paid_at: OffsetDateTime,
    pub(crate) issued_at: OffsetDateTime,
    pub(crate) refunded_at: OffsetDateTime,
    /// Empty if a part of the order was refunded without naming lines.
    pub(crate) lines: Vec<ReturnInvoiceLine>,
    /// Yen, tax included.
    pub(crate) total: i32,
    /// Yen of tax in `total`.
    pub(crate) tax: i32,
}

impl ReturnInvoice {
    /// The rows of the table: names and yen.
    pub(crate) fn rows(&self) -> Vec<(String, i32)> {
        if self.lines.is_empty() {
            return vec![(format!("ご注文 {} の一部", self.order_number), self.total)];
        }
        self.lines.iter().map(|line| (line.name.clone(), line.amount)).collect()
    }
}

/// A line of a return invoice.
pub(crate) struct ReturnInvoiceLine {
    pub(crate) name: String,
    /// Yen, tax included.
    pub(crate) amount: i32,
}

/// Issues the return invoice of a refund of a sale, once. The order is locked.
pub(crate) async fn issue(
    connection: &mut PgConnection,
    order: Uuid,
    order_number: &str,
    refund: Uuid,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    let (_, rest) = order_number.split_once('-').unwrap_or(("", order_number));
    sqlx::query!(
        "
        UPDATE refund SET
            invoice_number = $1 || '-' || (
                SELECT count(*) + 1 FROM refund JOIN payment ON payment.id = refund.payment_id
                WHERE order_id = $2 AND invoice_number IS NOT NULL
            ),
            invoiced_at = $4
        WHERE id = $3 AND invoice_number IS NULL
        ",
        format!("H-{rest}"),
        order,
        refund,
        now,
    )
    .execute(connection)
    .instrument(span("UPDATE refund"))
    .await?;
    Ok(())
}

/// Finds the return invoice of a refund of the account.
pub(crate) async fn find(
    connection: &mut PgConnection,
    account: Uuid,
    order: Uuid,
    refund: Uuid,
) -> sqlx::Result<Option<ReturnInvoice>> {
    let row = sqlx::query!(
        r#"
        SELECT
            invoice_number AS "invoice_number!", invoiced_at AS "invoiced_at!",
            refund.settled_at AS "settled_at!", refund.amount, refund.tax, orders.number, paid_at AS "paid_at!",
            coalesce(receipt_addressee, nullif(buyer_name, '')) AS addressee
        FROM refund JOIN payment ON payment.id = refund.payment_id JOIN orders ON orders.id = payment.order_id
        WHERE
            refund.id = $1 AND orders.id = $2 AND account_id = $3 AND paid_at IS NOT NULL
            AND invoice_number IS NOT NULL AND refund.state = 'succeeded'
        "#,
        refund,
        order,
        account,
    )
    .fetch_optional(&mut *connection)
    .instrument(span("SELECT refund"))
    .await?;
    let Some(row) = row else { return Ok(None) };
    let lines = sqlx::query_as!(
        ReturnInvoiceLine,
        "
        SELECT name, amount FROM refund_line JOIN order_line USING (order_id, n)
        WHERE refund_id = coalesce((SELECT replaces FROM refund WHERE id = $1), $1)
        ORDER BY n
        ",
        refund,
    )
    .fetch_all(connection)
    .instrument(span("SELECT refund_line"))
    .await?;
    Ok(Some(ReturnInvoice {
        number: row.invoice_number,
        order_number: row.number,
        addressee: row.addressee,
        paid_at: row.paid_at,
        issued_at: row.invoiced_at,
        refunded_at: row.settled_at,
        lines,
        total: row.amount,
        tax: row.tax,
    }))
}
