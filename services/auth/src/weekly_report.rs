//! Weekly reports (週間レポート): which guardians get one, and about which learners.

pub mod job;

use kit_content::date_time::find_monday;
use kit_db::span;
use sqlx::PgConnection;
use time::macros::offset;
use time::{Date, Duration, OffsetDateTime, Time};
use tracing::Instrument as _;
use uuid::Uuid;

use crate::account::full_name;

/// Reports are sent from this time on Mondays in Tokyo.
const SEND_TIME: Duration = Duration::hours(7);
/// Reports are sent within this time. Later they are dropped.
const SEND_WINDOW: Duration = Duration::days(2);
/// How long it is stored that a report was sent.
const RETENTION: Duration = Duration::weeks(5);

/// The Monday of the week to report about. `None` if no report is due.
fn find_due_week(now: OffsetDateTime) -> Option<Date> {
    let local = now.to_offset(offset!(+9));
    let monday = find_monday(local.date());
    let since = local - (monday.with_time(Time::MIDNIGHT).assume_offset(offset!(+9)) + SEND_TIME);
    (Duration::ZERO..SEND_WINDOW).contains(&since).then(|| monday.saturating_sub(Duration::WEEK))
}

/// Whether a report was leased before, but not sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Attempt {
    First,
    Repeated,
}

/// Leases at most `limit` guardians whose report of `week` is not sent, until `until`. The longest waiting of repeated attempts
/// comes first. Guardians without a linked learner and closing accounts are left out.
async fn lease(
    database: &mut PgConnection,
    week: Date,
    attempt: Attempt,
    (now, until): (OffsetDateTime, OffsetDateTime),
    limit: i64,
) -> sqlx::Result<Vec<Uuid>> {
    // No span: it runs often and mostly finds nothing.
    sqlx::query_scalar!(
        "INSERT INTO weekly_report (guardian, week, leased_until) \
         SELECT account.id, $1::date, $3 FROM account \
         LEFT JOIN weekly_report AS report ON report.guardian = account.id AND report.week = $1 \
         WHERE account.erase_at IS NULL \
             AND EXISTS (SELECT FROM guardian_link WHERE guardian_link.guardian = account.id) \
             AND CASE WHEN $5 THEN report.sent_at IS NULL AND report.leased_until <= $2 \
                 ELSE report.guardian IS NULL END \
         ORDER BY report.leased_until, account.id LIMIT $4 \
         ON CONFLICT ON CONSTRAINT weekly_report_pkey DO UPDATE SET leased_until = excluded.leased_until \
             WHERE weekly_report.sent_at IS NULL AND weekly_report.leased_until <= $2 \
         RETURNING guardian",
        week,
        now,
        until,
        limit,
        attempt == Attempt::Repeated
    )
    .fetch_all(database)
    .await
}

/// Lists the learners who are linked with these guardians, each once.
async fn list_learners(database: &mut PgConnection, guardians: &[Uuid]) -> sqlx::Result<Vec<Uuid>> {
    sqlx::query_scalar!(
        "SELECT DISTINCT learner FROM guardian_link JOIN account ON account.id = learner \
         WHERE guardian = ANY ($1) AND erase_at IS NULL ORDER BY learner",
        guardians
    )
    .fetch_all(database)
    .instrument(span("SELECT guardian_link"))
    .await
}

/// Records that the report was sent; returns whether it was not sent before.
async fn set_sent(
    database: &mut PgConnection,
    guardian: Uuid,
    week: Date,
    now: OffsetDateTime,
) -> sqlx::Result<bool> {
    let updated = sqlx::query!(
        "UPDATE weekly_report SET sent_at = $3 WHERE guardian = $1 AND week = $2 AND sent_at IS NULL",
        guardian,
        week,
        now
    )
    .execute(database)
    .instrument(span("UPDATE weekly_report"))
    .await?;
    Ok(updated.rows_affected() > 0)
}

/// A guardian and the linked learners.
struct Family {
    email: String,
    name: String,
    /// Ids and names, oldest link first.
    children: Vec<(Uuid, String)>,
}

/// Finds a guardian's linked learners. Locks the links until the transaction ends. `None` without a learner.
async fn find_family(database: &mut PgConnection, guardian: Uuid) -> sqlx::Result<Option<Family>> {
    let rows = sqlx::query!(
        "SELECT guardian.email, guardian.last_name, guardian.first_name, learner.id AS child, \
             learner.last_name AS child_last_name, learner.first_name AS child_first_name \
         FROM guardian_link \
         JOIN account AS guardian ON guardian.id = guardian_link.guardian \
         JOIN account AS learner ON learner.id = guardian_link.learner \
         WHERE guardian_link.guardian = $1 AND guardian.erase_at IS NULL AND learner.erase_at IS NULL \
         ORDER BY since, guardian_link.id FOR SHARE OF guardian_link",
        guardian
    )
    .fetch_all(database)
    .instrument(span("SELECT guardian_link"))
    .await?;
    let mut family = None;
    for row in rows {
        let family = family.get_or_insert_with(|| Family {
            email: row.email,
            name: full_name(&row.last_name, &row.first_name),
            children: Vec::new(),
        });
        family.children.push((row.child, full_name(&row.child_last_name, &row.child_first_name)));
    }
    Ok(family)
}

/// Deletes at most `limit` records that are older than five weeks; returns their number.
pub(crate) async fn sweep(database: &mut PgConnection, now: OffsetDateTime, limit: i64) -> sqlx::Result<u64> {
    let swept = sqlx::query!(
        "DELETE FROM weekly_report WHERE ctid = ANY(ARRAY(SELECT ctid FROM weekly_report WHERE week < $1 \
         LIMIT $2 FOR UPDATE SKIP LOCKED))",
        (now - RETENTION).date(),
        limit
    )
    .execute(database)
    .instrument(span("DELETE weekly_report"))
    .await?;
    Ok(swept.rows_affected())
}

#[cfg(test)]
mod tests {
    use time::macros::{date, datetime};

    use super::find_due_week;

    #[test]
    fn a_report_is_due_for_two_days_from_seven_on_monday_in_tokyo() {
        for due in [datetime!(2027-01-04 07:00 +9), datetime!(2027-01-06 06:59:59 +9)] {
            assert_eq!(find_due_week(due), Some(date!(2026 - 12 - 28)), "{due}");
        }
        for none in [
            datetime!(2027-01-04 06:59:59 +9),
            datetime!(2027-01-06 07:00 +9),
            datetime!(2027-01-03 23:59 +9),
        ] {
            assert_eq!(find_due_week(none), None, "{none}");
        }
    }
}
