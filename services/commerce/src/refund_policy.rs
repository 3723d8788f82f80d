//! The refund policy as versioned data. An order keeps the version that its buyer agreed to.

use kit_db::span;
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::Instrument as _;

use crate::japan_time::end_of_day;

/// A version of the policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RefundPolicy {
    pub(crate) version: i16,
    /// The full amount is refunded until the end of this day in Tokyo. Day 0 is the day of the
    /// payment.
    pub(crate) full_days: i32,
    /// A full refund requires that less than this percentage of the lessons was opened.
    pub(crate) full_below_percent: i32,
    /// A contract of a 特定継続的役務 is refunded in full until the end of this day in Tokyo, whatever
    /// was opened.
    pub(crate) cooling_off_days: i32,
}

impl RefundPolicy {
    /// The exclusive end of the full refund of an order paid at `paid_at`.
    pub(crate) fn full_until(&self, paid_at: OffsetDateTime) -> OffsetDateTime {
        end_of_day(paid_at, self.full_days.into())
    }

    /// The exclusive end of the cooling-off of a contract paid at `paid_at`. The law counts from the
    /// document, which the buyer has before the payment.
    pub(crate) fn cooling_off_until(&self, paid_at: OffsetDateTime) -> OffsetDateTime {
        end_of_day(paid_at, self.cooling_off_days.into())
    }
}

/// Finds the policy for an order placed now.
pub(crate) async fn find_current(
    connection: &mut PgConnection,
    now: OffsetDateTime,
) -> sqlx::Result<RefundPolicy> {
    sqlx::query_as!(
        RefundPolicy,
        "
        SELECT version, full_days, full_below_percent, cooling_off_days FROM refund_policy
        WHERE starts_at <= $1 ORDER BY version DESC LIMIT 1
        ",
        now,
    )
    .fetch_one(connection)
    .instrument(span("SELECT refund_policy"))
    .await
}

/// Finds a version of the policy.
pub(crate) async fn find_version(connection: &mut PgConnection, version: i16) -> sqlx::Result<RefundPolicy> {
    sqlx::query_as!(
        RefundPolicy,
        "SELECT version, full_days, full_below_percent, cooling_off_days FROM refund_policy WHERE version = $1",
        version,
    )
    .fetch_one(connection)
    .instrument(span("SELECT refund_policy"))
    .await
}
