//! Claiming a coupon: an account enters its code.

use kit::error::FieldError;
use kit_db::span;
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::Instrument as _;
use uuid::Uuid;

use super::{AccountCoupon, find_coupon};
use crate::error::Error;

/// Parses a code as typed.
pub(crate) fn parse_code(typed: &str) -> Result<String, FieldError> {
    let code = forms::coupon_code(typed).map_err(|wrong| refuse(wrong.code()))?;
    // The database can't store all control characters.
    if forms::has_controls(&code) { Err(refuse("UNKNOWN_COUPON")) } else { Ok(code) }
}

/// Adds the coupon with a code to the account, if it does not have it. Returns the coupon, and
/// whether it is new.
pub(crate) async fn claim(
    connection: &mut PgConnection,
    account: Uuid,
    code: &str,
    now: OffsetDateTime,
) -> Result<(AccountCoupon, bool), Error> {
    let id = sqlx::query_scalar!("SELECT id FROM coupon WHERE code = $1", code)
        .fetch_optional(&mut *connection)
        .instrument(span("SELECT coupon"))
        .await?
        .ok_or(refuse("UNKNOWN_COUPON"))?;
    let is_new = insert(connection, account, id, now).await?;
    let found = find_coupon(connection, account, id).await?.ok_or(Error::NotFound)?;
    // The caller rolls back.
    if is_new && found.coupon.has_ended(now) {
        return Err(refuse("COUPON_EXPIRED").into());
    }
    if is_new && found.is_used_up() {
        return Err(refuse("COUPON_USED_UP").into());
    }
    Ok((found, is_new))
}

/// Adds a coupon to the account. Returns `false` if the account already has it.
pub(crate) async fn insert(
    connection: &mut PgConnection,
    account: Uuid,
    id: i64,
    now: OffsetDateTime,
) -> sqlx::Result<bool> {
    let inserted = sqlx::query!(
        "
        INSERT INTO coupon_claim (account_id, coupon_id, claimed_at) VALUES ($1, $2, $3)
        ON CONFLICT ON CONSTRAINT coupon_claim_pkey DO NOTHING
        ",
        account,
        id,
        now,
    )
    .execute(connection)
    .instrument(span("INSERT coupon_claim"))
    .await?;
    Ok(inserted.rows_affected() == 1)
}

/// Deletes the claims of an erased account.
pub(crate) async fn erase(connection: &mut PgConnection, account: Uuid) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM coupon_claim WHERE account_id = $1", account)
        .execute(connection)
        .instrument(span("DELETE coupon_claim"))
        .await?;
    Ok(())
}

/// A coupon that an account holds or has on its cart, for the export of personal data.
pub(crate) struct CouponExport {
    pub(crate) id: i64,
    pub(crate) code: String,
    pub(crate) name: String,
    pub(crate) claimed_at: Option<OffsetDateTime>,
    pub(crate) applied_at: Option<OffsetDateTime>,
}

/// Exports the coupons of the account by id. Public coupons are left out.
pub(crate) async fn export(connection: &mut PgConnection, account: Uuid) -> sqlx::Result<Vec<CouponExport>> {
    sqlx::query_as!(
        CouponExport,
        r#"
        SELECT coupon.id, code, name, claimed_at AS "claimed_at?", applied_at AS "applied_at?"
        FROM coupon
        LEFT JOIN coupon_claim ON coupon_claim.coupon_id = coupon.id AND coupon_claim.account_id = $1
        LEFT JOIN cart_coupon ON cart_coupon.coupon_id = coupon.id AND cart_coupon.account_id = $1
        WHERE claimed_at IS NOT NULL OR applied_at IS NOT NULL
        ORDER BY coupon.id
        "#,
        account,
    )
    .fetch_all(connection)
    .instrument(span("SELECT coupon"))
    .await
}

fn refuse(code: &'static str) -> FieldError {
    FieldError::new("code", code)
}
