//! Lockout after wrong passwords: a few are free, then each costs a longer wait.
//!
//! Wrong passwords are counted separately for each session, for each known device, and for all other callers by e-mail
//! address. Addresses without an account are counted too, so the lockout does not tell whether an account exists.

use kit_db::span;
use sqlx::PgConnection;
use time::{Duration, OffsetDateTime};
use tracing::Instrument as _;

use crate::error::Error;

/// When wrong passwords lock an account, and for how long.
#[derive(Clone, Copy)]
pub(crate) struct LockoutRule {
    /// Wrong passwords within the window before the first wait.
    pub(crate) limit: u32,
    /// How long wrong passwords count; also the longest wait.
    pub(crate) window: Duration,
    /// The first wait. It doubles with each further wrong password.
    pub(crate) delay: Duration,
}

/// The recent wrong passwords for one account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Failures {
    count: i32,
    /// The time of the first one.
    since: OffsetDateTime,
    blocked_until: Option<OffsetDateTime>,
}

impl Failures {
    /// The remaining wait.
    fn remaining_wait(self, now: OffsetDateTime) -> Option<std::time::Duration> {
        self.blocked_until.filter(|until| *until > now).map(|until| (until - now).unsigned_abs())
    }

    /// Adds one wrong password.
    fn add_one(self, now: OffsetDateTime, rule: LockoutRule) -> Self {
        let forgotten = self.blocked_until.unwrap_or(self.since) + rule.window <= now;
        let before = if forgotten { Self { count: 0, since: now, blocked_until: None } } else { self };
        let count = before.count.saturating_add(1);
        let blocked_until = count.unsigned_abs().checked_sub(rule.limit).map(|beyond| {
            // With more doublings the wait exceeds every window.
            now + (rule.delay * (1_i32 << beyond.min(16))).min(rule.window)
        });
        Self { count, blocked_until, ..before }
    }
}

/// Fails while the account is locked.
pub(crate) async fn check(
    database: &mut PgConnection,
    account: &[u8],
    now: OffsetDateTime,
) -> Result<(), Error> {
    let blocked_until = sqlx::query_scalar!(
        r#"SELECT blocked_until AS "blocked_until!" FROM login_failure
        WHERE account_key = $1 AND blocked_until > $2"#,
        account,
        now
    )
    .fetch_optional(database)
    .instrument(span("SELECT login_failure"))
    .await?;
    match blocked_until {
        Some(until) => Err(Error::RateLimited((until - now).unsigned_abs())),
        None => Ok(()),
    }
}

/// Counts a wrong password. Fails if the account was locked by concurrent attempts in the meantime, so concurrent
/// guesses cannot exceed the limit.
pub(crate) async fn count(
    database: &mut PgConnection,
    account: &[u8],
    rule: LockoutRule,
    now: OffsetDateTime,
) -> Result<(), Error> {
    sqlx::query!(
        "INSERT INTO login_failure (account_key, failures, since) VALUES ($1, 0, $2) \
         ON CONFLICT ON CONSTRAINT login_failure_pkey DO NOTHING",
        account,
        now
    )
    .execute(&mut *database)
    .instrument(span("INSERT login_failure"))
    .await?;
    let before = sqlx::query_as!(
        Failures,
        "SELECT failures AS count, since, blocked_until FROM login_failure WHERE account_key = $1 FOR UPDATE",
        account
    )
    .fetch_optional(&mut *database)
    .instrument(span("SELECT login_failure"))
    .await?
    // A login has just cleared it.
    .unwrap_or(Failures { count: 0, since: now, blocked_until: None });
    if let Some(wait) = before.remaining_wait(now) {
        return Err(Error::RateLimited(wait));
    }
    let after = before.add_one(now, rule);
    sqlx::query!(
        "UPDATE login_failure SET failures = $2, since = $3, blocked_until = $4 WHERE account_key = $1",
        account,
        after.count,
        after.since,
        after.blocked_until
    )
    .execute(database)
    .instrument(span("UPDATE login_failure"))
    .await?;
    Ok(())
}

/// Deletes the count after a correct password. Fails if concurrent wrong passwords have locked the account in the
/// meantime; otherwise guessing in parallel would pay.
pub(crate) async fn clear(
    database: &mut PgConnection,
    account: &[u8],
    now: OffsetDateTime,
) -> Result<(), Error> {
    sqlx::query!(
        "DELETE FROM login_failure WHERE account_key = $1 AND (blocked_until IS NULL OR blocked_until <= $2)",
        account,
        now
    )
    .execute(&mut *database)
    .instrument(span("DELETE login_failure"))
    .await?;
    check(database, account, now).await
}

/// Deletes the count, because the account has a new password.
pub(crate) async fn reset(database: &mut PgConnection, account: &[u8]) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM login_failure WHERE account_key = $1", account)
        .execute(database)
        .instrument(span("DELETE login_failure"))
        .await?;
    Ok(())
}

/// Deletes at most `limit` counts whose wait ended, or which began, before `before`; returns their number.
pub(crate) async fn sweep(
    database: &mut PgConnection,
    before: OffsetDateTime,
    limit: i64,
) -> sqlx::Result<u64> {
    let swept = sqlx::query!(
        "DELETE FROM login_failure WHERE account_key IN (SELECT account_key FROM login_failure \
         WHERE COALESCE(blocked_until, since) < $1 LIMIT $2 FOR UPDATE SKIP LOCKED)",
        before,
        limit
    )
    .execute(database)
    .instrument(span("DELETE login_failure"))
    .await?;
    Ok(swept.rows_affected())
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::*;

    const RULE: LockoutRule =
        LockoutRule { limit: 10, window: Duration::minutes(15), delay: Duration::seconds(30) };
    const NOW: OffsetDateTime = datetime!(2026-11-20 09:00 UTC);

    fn after(failures: i32) -> Failures {
        (0..failures)
            .fold(Failures { count: 0, since: NOW, blocked_until: None }, |state, _| state.add_one(NOW, RULE))
    }

    #[test]
    fn the_tenth_failure_costs_half_a_minute() {
        assert_eq!(after(9).remaining_wait(NOW), None);
        assert_eq!(after(10).remaining_wait(NOW), Some(std::time::Duration::from_secs(30)));
    }

    #[test]
    fn each_further_one_doubles_the_wait_up_to_the_window() {
        for (failures, seconds) in [(11, 60), (12, 120), (14, 480), (15, 900), (16, 900), (1_000, 900)] {
            assert_eq!(
                after(failures).remaining_wait(NOW),
                Some(std::time::Duration::from_secs(seconds)),
                "{failures}"
            );
        }
    }

    #[test]
    fn failures_expire_a_window_after_the_first() {
        assert_eq!(after(9).add_one(NOW + RULE.window, RULE).count, 1);
        assert_eq!(after(9).add_one(NOW + RULE.window - Duration::SECOND, RULE).count, 10);
    }

    #[test]
    fn failures_after_a_wait_expire_a_window_after_it() {
        let waited = NOW + Duration::seconds(30);
        assert_eq!(after(10).add_one(waited + RULE.window - Duration::SECOND, RULE).count, 11);
        assert_eq!(after(10).add_one(waited + RULE.window, RULE).count, 1);
    }
}
