//! Wrong passwords for one account: a few are forgiven, then each costs a longer wait.
//!
//! They are counted in up to three places: for a session of the account, for a browser that signed in before, and for all
//! others by e-mail address, whether or not there is an account, so that the limit tells nothing either. Each place has
//! its own key.

use kit::db::span;
use sqlx::PgConnection;
use time::{Duration, OffsetDateTime};
use tracing::Instrument as _;

use crate::error::Error;

/// How many, and how long.
#[derive(Clone, Copy)]
pub(crate) struct LockoutRule {
    /// So many within the window are forgiven.
    pub(crate) limit: u32,
    /// How long they count; also the longest wait.
    pub(crate) window: Duration,
    /// The first wait; it doubles with each further one.
    pub(crate) delay: Duration,
}

/// The wrong passwords of one account, lately.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Failures {
    count: i32,
    /// The first of them.
    since: OffsetDateTime,
    blocked_until: Option<OffsetDateTime>,
}

impl Failures {
    /// How long the account has to wait.
    fn wait(self, now: OffsetDateTime) -> Option<std::time::Duration> {
        self.blocked_until.filter(|until| *until > now).map(|until| (until - now).unsigned_abs())
    }

    /// With one more.
    fn add_one(self, now: OffsetDateTime, rule: LockoutRule) -> Self {
        let forgotten = self.blocked_until.unwrap_or(self.since) + rule.window <= now;
        let before = if forgotten { Self { count: 0, since: now, blocked_until: None } } else { self };
        let count = before.count.saturating_add(1);
        let blocked_until = count.unsigned_abs().checked_sub(rule.limit).map(|beyond| {
            // Doubling further than this is beyond every window.
            now + (rule.delay * (1_i32 << beyond.min(16))).min(rule.window)
        });
        Self { count, blocked_until, ..before }
    }
}

/// Refuses an account that has to wait.
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

/// Counts a wrong password. One that was tried beside others, and counts only after they had used up what is forgiven,
/// is refused like one that came later: of however many at once no more than the limit learn anything.
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
    // Cleared by a login just now.
    .unwrap_or(Failures { count: 0, since: now, blocked_until: None });
    if let Some(wait) = before.wait(now) {
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

/// Forgets an account's wrong passwords after a right one; unless, meanwhile, there have been too many: then the right
/// one is refused as well, or guessing beside others would pay.
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

/// Forgets an account's wrong passwords, whatever they are: it has another password now.
pub(crate) async fn reset(database: &mut PgConnection, account: &[u8]) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM login_failure WHERE account_key = $1", account)
        .execute(database)
        .instrument(span("DELETE login_failure"))
        .await?;
    Ok(())
}

/// Deletes at most `limit` counts of wrong passwords that no longer matter since `before`; returns their number.
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
    fn nine_are_forgiven_and_the_tenth_costs_half_a_minute() {
        assert_eq!(after(9).wait(NOW), None);
        assert_eq!(after(10).wait(NOW), Some(std::time::Duration::from_secs(30)));
    }

    #[test]
    fn each_further_one_doubles_the_wait_up_to_the_window() {
        for (failures, seconds) in [(11, 60), (12, 120), (14, 480), (15, 900), (16, 900), (1_000, 900)] {
            assert_eq!(
                after(failures).wait(NOW),
                Some(std::time::Duration::from_secs(seconds)),
                "{failures}"
            );
        }
    }

    #[test]
    fn a_window_after_the_first_they_are_forgotten() {
        assert_eq!(after(9).add_one(NOW + RULE.window, RULE).count, 1);
        assert_eq!(after(9).add_one(NOW + RULE.window - Duration::SECOND, RULE).count, 10);
    }

    #[test]
    fn who_had_to_wait_is_remembered_for_a_window_after_it() {
        let waited = NOW + Duration::seconds(30);
        assert_eq!(after(10).add_one(waited + RULE.window - Duration::SECOND, RULE).count, 11);
        assert_eq!(after(10).add_one(waited + RULE.window, RULE).count, 1);
    }
}
