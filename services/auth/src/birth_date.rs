//! Changes of birth dates after sign-up. An earlier date of a minor needs approval by a guardian or by staff.

use kit_db::outbox::Outbox;
use kit_db::span;
use proto::auth::BirthDateChanged;
use sqlx::PgConnection;
use time::{Date, OffsetDateTime};
use tracing::Instrument as _;
use uuid::Uuid;

use crate::adult;
use crate::token::LinkToken;

/// Limit of an export: the latest changes. An export is one gRPC message of at most 4 MiB.
const LISTED: i64 = 5_000;

/// How a new birth date is handled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// The account has this date.
    Unchanged,
    /// It applies at once.
    Immediate,
    /// A guardian or staff must approve it.
    NeedsApproval,
    /// A guardian must be 18 or older.
    Refused,
}

/// Classifies the change from `old` to `new` in an account with this scope.
///
/// Every earlier date of a minor needs approval, even one that leaves them a minor, because they would come of age
/// sooner. An unknown age counts as under 18, as it does for consent. A first date that makes the owner a minor applies
/// at once.
pub(crate) fn classify_change(scope: &[String], old: Option<Date>, new: Date, today: Date) -> Outcome {
    let has = |wanted: &str| scope.iter().any(|held| held == wanted);
    let was_adult = old.is_some_and(|old| adult::is_adult(old, today));
    let is_adult = adult::is_adult(new, today);
    if old == Some(new) {
        Outcome::Unchanged
    } else if has("guardian") && !is_adult {
        Outcome::Refused
    } else if (has("learner") || has("guardian")) && !was_adult && old.map_or(is_adult, |old| new < old) {
        Outcome::NeedsApproval
    } else {
        Outcome::Immediate
    }
}

/// Who decides about a change.
#[derive(Clone, Copy)]
pub(crate) enum Decider<'a> {
    /// The owner of the account.
    Owner,
    /// A guardian, through the link in a mail.
    Guardian,
    /// Staff; the name of the operator.
    Staff(&'a str),
}

impl Decider<'_> {
    fn kind(self) -> &'static str {
        match self {
            Self::Owner => "owner",
            Self::Guardian => "guardian",
            Self::Staff(_) => "staff",
        }
    }

    fn operator(self) -> Option<String> {
        match self {
            Self::Staff(operator) => Some(operator.to_owned()),
            Self::Owner | Self::Guardian => None,
        }
    }
}

/// Stores a change that applies at once. The state is `applied` for the owner and `approved` for staff.
pub(crate) async fn add_applied(
    database: &mut PgConnection,
    account: Uuid,
    (old, new): (Option<Date>, Date),
    by: Decider<'_>,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    let state = if matches!(by, Decider::Owner) { "applied" } else { "approved" };
    sqlx::query!(
        "INSERT INTO birth_date_change (id, account, old_birth_date, new_birth_date, asked_at, state, decided_at, \
         decided_by, operator) VALUES ($1, $2, $3, $4, $5, $6, $5, $7, $8)",
        Uuid::now_v7(),
        account,
        old,
        new,
        now,
        state,
        by.kind(),
        by.operator()
    )
    .execute(database)
    .instrument(span("INSERT birth_date_change"))
    .await?;
    Ok(())
}

/// Stores a change that needs approval. `link` is the token for guardians and its expiry; `None` if there is no
/// guardian to ask. The caller has replaced the pending change before.
pub(crate) async fn add_pending(
    database: &mut PgConnection,
    account: Uuid,
    (old, new): (Option<Date>, Date),
    link: Option<(&LinkToken, OffsetDateTime)>,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO birth_date_change (id, account, old_birth_date, new_birth_date, asked_at, state, link_hash, \
         link_expires_at) VALUES ($1, $2, $3, $4, $5, 'waiting', $6, $7)",
        Uuid::now_v7(),
        account,
        old,
        new,
        now,
        link.map(|(token, _)| token.hash()),
        link.map(|(_, expires_at)| expires_at)
    )
    .execute(database)
    .instrument(span("INSERT birth_date_change"))
    .await?;
    Ok(())
}

/// A change that awaits approval.
pub(crate) struct PendingChange {
    pub(crate) id: Uuid,
    pub(crate) account: Uuid,
    pub(crate) new_birth_date: Date,
}

/// The pending change of an account. A caller that changes it holds [`lock`](crate::profile::lock).
pub(crate) async fn find_pending(
    database: &mut PgConnection,
    account: Uuid,
) -> sqlx::Result<Option<PendingChange>> {
    sqlx::query_as!(
        PendingChange,
        "SELECT id, account, new_birth_date FROM birth_date_change \
         WHERE account = $1 AND state = 'waiting'",
        account
    )
    .fetch_optional(database)
    .instrument(span("SELECT birth_date_change"))
    .await
}

/// The pending change that a guardian decides about by a link.
pub(crate) async fn find_by_token(
    database: &mut PgConnection,
    token: &LinkToken,
    now: OffsetDateTime,
) -> sqlx::Result<Option<PendingChange>> {
    sqlx::query_as!(
        PendingChange,
        "SELECT id, account, new_birth_date FROM birth_date_change \
         WHERE link_hash = $1 AND link_expires_at > $2 AND state = 'waiting'",
        token.hash(),
        now
    )
    .fetch_optional(database)
    .instrument(span("SELECT birth_date_change"))
    .await
}

/// How a pending change ends.
#[derive(Clone, Copy)]
pub(crate) enum Resolution {
    Approved,
    Declined,
    /// Another change took its place.
    Replaced,
}

/// Ends a pending change and its link. [`apply`] writes an approved date.
pub(crate) async fn resolve(
    database: &mut PgConnection,
    id: Uuid,
    how: Resolution,
    by: Decider<'_>,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    let state = match how {
        Resolution::Approved => "approved",
        Resolution::Declined => "declined",
        Resolution::Replaced => "replaced",
    };
    sqlx::query!(
        "UPDATE birth_date_change SET state = $2, decided_at = $3, decided_by = $4, operator = $5, link_hash = NULL, \
         link_expires_at = NULL WHERE id = $1",
        id,
        state,
        now,
        by.kind(),
        by.operator()
    )
    .execute(database)
    .instrument(span("UPDATE birth_date_change"))
    .await?;
    Ok(())
}

/// Tells the services that use the age of an account.
pub(crate) async fn publish_change(
    database: &mut PgConnection,
    outbox: &Outbox,
    account: Uuid,
    birth_date: Date,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    let event = BirthDateChanged { account_id: account.to_string(), birth_date: birth_date.to_string() };
    outbox.publish(database, &event, now).await?;
    Ok(())
}

/// Sets the birth date. The school year is computed from it again.
pub(crate) async fn apply(database: &mut PgConnection, account: Uuid, birth_date: Date) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE account SET birth_date = $2, school_year_shift = 0 WHERE id = $1",
        account,
        birth_date
    )
    .execute(database)
    .instrument(span("UPDATE account"))
    .await?;
    Ok(())
}

/// A stored change.
pub(crate) struct BirthDateChange {
    pub(crate) old_birth_date: Option<Date>,
    pub(crate) new_birth_date: Date,
    pub(crate) asked_at: OffsetDateTime,
    pub(crate) decided_at: Option<OffsetDateTime>,
    pub(crate) state: String,
}

/// The latest changes of an account, oldest first.
pub(crate) async fn export(database: &mut PgConnection, account: Uuid) -> sqlx::Result<Vec<BirthDateChange>> {
    sqlx::query_as!(
        BirthDateChange,
        "SELECT old_birth_date, new_birth_date, asked_at, decided_at, state FROM (SELECT * FROM birth_date_change \
         WHERE account = $1 ORDER BY asked_at DESC, id DESC LIMIT $2) AS latest ORDER BY asked_at, id",
        account,
        LISTED
    )
    .fetch_all(database)
    .instrument(span("SELECT birth_date_change"))
    .await
}

/// Marks the pending change of an account as replaced by its owner. Skips a row that a guardian is deciding about at
/// this moment, because waiting for it would be a deadlock.
pub(crate) async fn end_pending_at_recovery(
    database: &mut PgConnection,
    account: Uuid,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE birth_date_change SET state = 'replaced', decided_at = $2, decided_by = 'owner' WHERE id IN \
         (SELECT id FROM birth_date_change WHERE account = $1 AND state = 'waiting' FOR UPDATE SKIP LOCKED)",
        account,
        now
    )
    .execute(database)
    .instrument(span("UPDATE birth_date_change"))
    .await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use time::macros::date;

    use super::Outcome::{Immediate, NeedsApproval, Refused, Unchanged};
    use super::*;

    const TODAY: Date = date!(2026 - 11 - 20);
    const CHILD: Date = date!(2011 - 04 - 01);
    const OTHER_CHILD: Date = date!(2012 - 04 - 01);
    /// 18 years old on `TODAY`; `ALMOST` is 18 on the next day.
    const ADULT: Date = date!(2008 - 11 - 20);
    const ALMOST: Date = date!(2008 - 11 - 21);
    const OTHER_ADULT: Date = date!(1981 - 02 - 03);

    #[test]
    fn a_minor_who_would_come_of_age_sooner_waits_and_no_guardian_becomes_a_minor() {
        for (scope, old, new, wanted) in [
            ("learner", Some(CHILD), CHILD, Unchanged),
            ("learner", Some(CHILD), OTHER_CHILD, Immediate),
            ("learner", Some(OTHER_CHILD), CHILD, NeedsApproval),
            ("learner", Some(CHILD), ALMOST, NeedsApproval),
            ("learner", Some(ALMOST), CHILD, Immediate),
            ("learner", Some(CHILD), ADULT, NeedsApproval),
            ("learner", Some(ALMOST), ADULT, NeedsApproval),
            ("learner", Some(ALMOST), OTHER_ADULT, NeedsApproval),
            ("learner", Some(ADULT), OTHER_ADULT, Immediate),
            ("learner", Some(ADULT), CHILD, Immediate),
            ("learner", None, CHILD, Immediate),
            ("learner", None, ALMOST, Immediate),
            ("learner", None, ADULT, NeedsApproval),
            ("guardian", Some(OTHER_ADULT), ADULT, Immediate),
            ("guardian", Some(OTHER_ADULT), ALMOST, Refused),
            ("guardian", Some(CHILD), OTHER_CHILD, Refused),
            ("guardian", Some(CHILD), CHILD, Unchanged),
            ("guardian", Some(CHILD), ADULT, NeedsApproval),
            ("guardian", None, ADULT, NeedsApproval),
            ("guardian", None, CHILD, Refused),
            ("staff:support", Some(CHILD), ADULT, Immediate),
            ("staff:support", None, ADULT, Immediate),
        ] {
            assert_eq!(
                classify_change(&[scope.to_owned()], old, new, TODAY),
                wanted,
                "{scope} {old:?} {new}"
            );
        }
    }
}
