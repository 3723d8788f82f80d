//! Links between guardians and learners. A linked guardian sees the learner's progress.

use kit_db::span;
use sqlx::PgConnection;
use time::{Date, OffsetDateTime};
use tracing::Instrument as _;
use uuid::Uuid;

use crate::error::Error;

/// Maximum number of learners in a list. An export is one gRPC message of at most 4 MiB.
const LISTED: i64 = 1_000;

/// A link, with the person at its other end.
pub(crate) struct GuardianLink {
    pub(crate) id: Uuid,
    /// The account at the other end.
    pub(crate) other: Uuid,
    /// The email address of that account.
    pub(crate) email: String,
    pub(crate) last_name: String,
    pub(crate) first_name: String,
    pub(crate) birth_date: Option<Date>,
    pub(crate) school_year_shift: i16,
    pub(crate) since: OffsetDateTime,
}

/// Links a guardian to a learner, who may have at most `most`. Returns the link's id, and whether it is new. Locks the
/// learner's account, so concurrent calls wait.
pub(crate) async fn add(
    database: &mut PgConnection,
    learner: Uuid,
    guardian: Uuid,
    most: u32,
    now: OffsetDateTime,
) -> Result<(Uuid, bool), Error> {
    sqlx::query_scalar!("SELECT id FROM account WHERE id = $1 FOR UPDATE", learner)
        .fetch_optional(&mut *database)
        .instrument(span("SELECT account"))
        .await?;
    let links = sqlx::query!("SELECT id, guardian FROM guardian_link WHERE learner = $1", learner)
        .fetch_all(&mut *database)
        .instrument(span("SELECT guardian_link"))
        .await?;
    if let Some(link) = links.iter().find(|link| link.guardian == guardian) {
        return Ok((link.id, false));
    }
    if u32::try_from(links.len()).is_ok_and(|count| count >= most) {
        return Err(Error::GuardiansFull);
    }
    let id = Uuid::now_v7();
    sqlx::query!(
        "INSERT INTO guardian_link (id, learner, guardian, since) VALUES ($1, $2, $3, $4)",
        id,
        learner,
        guardian,
        now
    )
    .execute(database)
    .instrument(span("INSERT guardian_link"))
    .await?;
    Ok((id, true))
}

/// The guardians of a learner, oldest link first.
pub(crate) async fn list_guardians(
    database: &mut PgConnection,
    learner: Uuid,
) -> sqlx::Result<Vec<GuardianLink>> {
    sqlx::query_as!(
        GuardianLink,
        "SELECT guardian_link.id, guardian AS other, email, last_name, first_name, birth_date, school_year_shift, since \
         FROM guardian_link JOIN account ON account.id = guardian WHERE learner = $1 ORDER BY since, guardian_link.id",
        learner
    )
    .fetch_all(database)
    .instrument(span("SELECT guardian_link"))
    .await
}

/// The learners of a guardian, oldest link first; at most [`LISTED`].
pub(crate) async fn list_children(
    database: &mut PgConnection,
    guardian: Uuid,
) -> sqlx::Result<Vec<GuardianLink>> {
    sqlx::query_as!(
        GuardianLink,
        "SELECT guardian_link.id, learner AS other, email, last_name, first_name, birth_date, school_year_shift, since \
         FROM guardian_link JOIN account ON account.id = learner WHERE guardian = $1 ORDER BY since, guardian_link.id \
         LIMIT $2",
        guardian,
        LISTED
    )
    .fetch_all(database)
    .instrument(span("SELECT guardian_link"))
    .await
}

/// Finds the link of a guardian to a learner and locks it until the transaction ends.
pub(crate) async fn lock(
    database: &mut PgConnection,
    guardian: Uuid,
    learner: Uuid,
) -> sqlx::Result<Option<GuardianLink>> {
    sqlx::query_as!(
        GuardianLink,
        "SELECT guardian_link.id, learner AS other, email, last_name, first_name, birth_date, school_year_shift, since \
         FROM guardian_link JOIN account ON account.id = learner WHERE guardian = $1 AND learner = $2 \
         FOR UPDATE OF guardian_link",
        guardian,
        learner
    )
    .fetch_optional(database)
    .instrument(span("SELECT guardian_link"))
    .await
}

/// The two accounts of a link that was ended.
pub(crate) struct LinkEnds {
    pub(crate) learner: Uuid,
    pub(crate) guardian: Uuid,
}

/// Ends a link that belongs to `account`; returns both ends. `None` if there is no such link.
pub(crate) async fn end(
    database: &mut PgConnection,
    id: Uuid,
    account: Uuid,
) -> sqlx::Result<Option<LinkEnds>> {
    sqlx::query_as!(
        LinkEnds,
        "DELETE FROM guardian_link WHERE id = $1 AND (learner = $2 OR guardian = $2) RETURNING learner, guardian",
        id,
        account
    )
    .fetch_optional(database)
    .instrument(span("DELETE guardian_link"))
    .await
}
