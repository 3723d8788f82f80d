//! The receipt (領収書) of a paid order, which is also its qualified invoice (適格請求書).

pub(crate) mod pdf;
pub(crate) mod return_invoice_pdf;
pub(crate) mod sheet;

use kit::error::FieldError;
use kit_db::span;
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::Instrument as _;
use uuid::Uuid;

use crate::coupon::usage::{self, OrderCoupon};
use crate::order::{self, Line};
use crate::payment::Method;

/// The maximum length of an addressee, in characters.
const ADDRESSEE_LIMIT: usize = 60;

/// A receipt.
pub(crate) struct Receipt {
    pub(crate) order_number: String,
    /// `None` until it is issued.
    pub(crate) addressee: Option<String>,
    /// The number of issues.
    pub(crate) issues: i32,
    /// The time of the last issue.
    pub(crate) issued_at: Option<OffsetDateTime>,
    pub(crate) paid_at: OffsetDateTime,
    pub(crate) lines: Vec<Line>,
    /// Yen, tax included, after the discount.
    pub(crate) total: i32,
    /// Yen of tax in `total`.
    pub(crate) tax: i32,
    /// The discount of coupons in yen.
    pub(crate) discount: i32,
    /// The percentage first.
    pub(crate) coupons: Vec<OrderCoupon>,
    pub(crate) method: Method,
}

impl Receipt {
    /// The number for people: `R-` and the order's number without its prefix.
    pub(crate) fn number(&self) -> String {
        make_number(&self.order_number)
    }
}

/// Makes the number of an order's receipt.
pub(crate) fn make_number(order_number: &str) -> String {
    let (_, rest) = order_number.split_once('-').unwrap_or(("", order_number));
    format!("R-{rest}")
}

/// The addressee of a receipt.
pub(crate) struct Addressee(String);

impl Addressee {
    /// Parses an addressee: 1 to 60 characters without control characters. Trims spaces.
    pub(crate) fn parse(text: &str) -> Result<Self, FieldError> {
        let text = text.trim();
        let code = if text.is_empty() {
            "REQUIRED"
        } else if text.chars().count() > ADDRESSEE_LIMIT {
            "TOO_LONG"
        } else if forms::has_controls(text) {
            "INVALID_FORMAT"
        } else {
            return Ok(Self(text.to_owned()));
        };
        Err(FieldError::new("addressee", code))
    }
}

/// Finds the receipt of a paid order of the account.
pub(crate) async fn find_receipt(
    connection: &mut PgConnection,
    account: Uuid,
    order: Uuid,
) -> sqlx::Result<Option<Receipt>> {
    let row = sqlx::query!(
        r#"
        SELECT
            number, total, tax, discount, paid_at AS "paid_at!", receipt_addressee, receipt_issues, receipt_issued_at,
            payment.method AS "method: Method"
        FROM orders JOIN payment ON payment.order_id = orders.id AND payment.state = 'succeeded'
        WHERE orders.id = $1 AND account_id = $2 AND paid_at IS NOT NULL
        ORDER BY payment.settled_at, payment.attempt
        LIMIT 1
        "#,
        order,
        account,
    )
    .fetch_optional(&mut *connection)
    .instrument(span("SELECT orders"))
    .await?;
    let Some(row) = row else { return Ok(None) };
    Ok(Some(Receipt {
        order_number: row.number,
        addressee: row.receipt_addressee,
        issues: row.receipt_issues,
        issued_at: row.receipt_issued_at,
        paid_at: row.paid_at,
        lines: order::list_lines(connection, &[order]).await?,
        total: row.total,
        tax: row.tax,
        discount: row.discount,
        coupons: usage::list_uses(connection, &[order]).await?,
        method: row.method,
    }))
}

/// Issues the receipt of a paid order of the account to an addressee. Issuing to the same addressee
/// again changes nothing.
pub(crate) async fn issue_receipt(
    connection: &mut PgConnection,
    account: Uuid,
    order: Uuid,
    addressee: &Addressee,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "
        UPDATE orders
        SET receipt_addressee = $3, receipt_issues = receipt_issues + 1, receipt_issued_at = $4
        WHERE id = $1 AND account_id = $2 AND paid_at IS NOT NULL AND receipt_addressee IS DISTINCT FROM $3
        ",
        order,
        account,
        addressee.0,
        now,
    )
    .execute(connection)
    .instrument(span("UPDATE orders"))
    .await?;
    Ok(())
}
