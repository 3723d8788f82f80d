//! Compares the provider's list of balance transactions with the ledger.

use aws_lc_rs::digest::{SHA256, digest};
use kit_db::span;
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::Instrument as _;
use uuid::Uuid;

use super::Report;
use crate::ledger::{self, Entry};
use crate::provider::BalanceEntry;

/// The kind of a balance transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Payment,
    Refund,
    Dispute,
    Payout,
    Fee,
    Unknown,
}

impl Kind {
    fn from_type(name: &str) -> Self {
        match name {
            "charge" | "payment" => Self::Payment,
            "refund" | "payment_refund" | "refund_failure" | "payment_failure_refund" => Self::Refund,
            "adjustment" => Self::Dispute,
            "payout" | "payout_cancel" | "payout_failure" => Self::Payout,
            "stripe_fee" | "stripe_fx_fee" | "tax_fee" => Self::Fee,
            _ => Self::Unknown,
        }
    }
}

/// Books the fees and payouts in the list that are not booked yet.
pub(super) async fn book(
    connection: &mut PgConnection,
    entries: &[BalanceEntry],
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    for entry in entries {
        let id = entry_id(&entry.id);
        let kind = Kind::from_type(&entry.kind);
        let fee = if kind == Kind::Fee { entry.fee - entry.amount } else { entry.fee };
        if fee != 0 {
            let fee = Entry::FeeCharged { entry: id, amount: fee };
            ledger::book_entry_of_provider(connection, fee, now).await?;
        }
        if kind == Kind::Payout && entry.amount != 0 {
            let payout = Entry::PayoutSent { entry: id, amount: -entry.amount };
            ledger::book_entry_of_provider(connection, payout, now).await?;
        }
    }
    Ok(())
}

/// The id of a balance transaction in the ledger, derived from the provider's id.
fn entry_id(id: &str) -> Uuid {
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&digest(&SHA256, id.as_bytes()).as_ref()[..16]);
    Uuid::from_bytes(bytes)
}

/// Compares the list with the ledger.
pub(super) async fn compare(
    connection: &mut PgConnection,
    entries: &[BalanceEntry],
    report: &mut Report,
) -> sqlx::Result<()> {
    let sum = |kind: Kind| -> i64 {
        let of_kind = entries.iter().filter(|entry| Kind::from_type(&entry.kind) == kind);
        of_kind.map(|entry| entry.amount).sum()
    };
    let booked = sqlx::query!(
        r#"
        SELECT
            -- The provider does not list what goes back from the balance of a customer: it never paid an order.
            coalesce(sum(amount) FILTER (
                WHERE account = 2 AND kind IN ('refund_paid', 'refund_failed')
                    AND NOT EXISTS (SELECT FROM refund WHERE id = subject AND is_from_balance)
            ), 0)::bigint AS "refunds!",
            coalesce(sum(amount) FILTER (
                WHERE account = 2 AND kind IN ('dispute_opened', 'dispute_won', 'dispute_lost')
            ), 0)::bigint AS "disputes!",
            coalesce(sum(amount) FILTER (WHERE account = 2 AND kind = 'payout_sent'), 0)::bigint AS "payouts!",
            -- The provider lists what paid an order. A bank transfer does when it is applied.
            (
                coalesce(sum(amount) FILTER (
                    WHERE account = 2 AND kind IN ('payment_received', 'late_payment_received')
                ), 0) - coalesce(sum(amount) FILTER (WHERE account = 1 AND kind = 'transfer_applied'), 0)
            )::bigint AS "payments!",
            coalesce(sum(amount) FILTER (WHERE account = 2 AND kind = 'fee_charged'), 0)::bigint AS "fees!"
        FROM posting JOIN journal ON journal.id = journal_id
        "#,
    )
    .fetch_one(&mut *connection)
    .instrument(span("SELECT posting"))
    .await?;
    // The provider lists a refund when it starts. The ledger books it when it is paid.
    let pending = sqlx::query_scalar!(
        r#"
        SELECT coalesce(sum(amount), 0)::bigint AS "pending!" FROM refund
        WHERE state IN ('pending', 'needs_details') AND NOT is_from_balance
        "#,
    )
    .fetch_one(&mut *connection)
    .instrument(span("SELECT refund"))
    .await?;
    // The money of a failed refund of a bank transfer is in the customer's cash balance, which the
    // list does not include.
    let in_balance = sqlx::query_scalar!(
        r#"
        SELECT coalesce(sum(refund.amount), 0)::bigint AS "in_balance!"
        FROM refund JOIN payment ON payment.id = payment_id
        WHERE refund.state = 'failed' AND method = 'bank_transfer' AND NOT is_from_balance
            AND provider_refund IS NOT NULL
        "#,
    )
    .fetch_one(&mut *connection)
    .instrument(span("SELECT refund"))
    .await?;
    add(report, "payments are those of the provider", booked.payments, sum(Kind::Payment), 0);
    add(
        report,
        "refunds are those of the provider",
        booked.refunds - in_balance,
        sum(Kind::Refund),
        -pending,
    );
    add(report, "disputes are those of the provider", booked.disputes, sum(Kind::Dispute), 0);
    add(report, "payouts are those of the provider", booked.payouts, sum(Kind::Payout), 0);
    let fees: i64 = entries.iter().map(|entry| entry.fee).sum::<i64>() - sum(Kind::Fee);
    add(report, "fees are those of the provider", booked.fees, -fees, 0);
    let unknown = entries.iter().filter(|entry| Kind::from_type(&entry.kind) == Kind::Unknown);
    let unknown: Vec<_> =
        unknown.map(|entry| format!("{} is a {} of {} yen", entry.id, entry.kind, entry.amount)).collect();
    report.add("the provider lists nothing unknown", entries.len(), unknown);
    Ok(())
}

/// Adds a comparison of two sums. `under_way` is an amount that the provider's sum may include and
/// the ledger's does not.
fn add(report: &mut Report, name: &'static str, ledger: i64, provider: i64, under_way: i64) {
    let agrees = provider == ledger || provider == ledger + under_way;
    let difference = format!(
        "ledger {ledger} yen, provider {provider} yen, {} yen are missing in the ledger",
        provider - ledger
    );
    report.add(name, ledger, if agrees { Vec::new() } else { vec![difference] });
}
