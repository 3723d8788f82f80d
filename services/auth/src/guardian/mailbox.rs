//! Checks whether a mailbox can be a guardian's.

use kit_db::span;
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::Instrument as _;
use uuid::Uuid;

use crate::error::Error;
use crate::profile::Profile;
use crate::{adult, school};

/// The owner of a mailbox.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MailboxOwner {
    /// The learner: the address of their account, or of a recent change of it.
    Learner,
    /// A person under 18, or a learner of unknown age.
    Minor,
    /// Anybody else. The mailbox can be a guardian's.
    Other,
}

/// Finds the owner of the mailbox of `email`, as seen from a learner's account.
pub(crate) async fn find_owner(
    database: &mut PgConnection,
    learner: Uuid,
    email: &str,
    now: OffsetDateTime,
) -> sqlx::Result<MailboxOwner> {
    let found = sqlx::query!(
        r#"SELECT
            (EXISTS (SELECT FROM account WHERE id = $1 AND mailbox = $2) OR EXISTS (SELECT FROM email_change
                WHERE account = $1 AND $2 IN (mailbox(old_email), mailbox(new_email)))) AS "is_learners!",
            is_mailbox_of_minor($2, $3) AS "is_minors!""#,
        learner,
        forms::mailbox(email),
        adult::latest_birth_date(school::today(now))
    )
    .fetch_one(database)
    .instrument(span("SELECT account"))
    .await?;
    Ok(if found.is_learners {
        MailboxOwner::Learner
    } else if found.is_minors {
        MailboxOwner::Minor
    } else {
        MailboxOwner::Other
    })
}

/// Checks that an account can be a learner's guardian: 18 or older, with a mailbox that is neither the learner's nor a
/// minor's.
pub(crate) async fn check_guardian(
    database: &mut PgConnection,
    guardian: &Profile,
    learner: Uuid,
    now: OffsetDateTime,
) -> Result<(), Error> {
    if !guardian.birth_date.is_some_and(|birth| adult::is_adult(birth, school::today(now))) {
        return Err(Error::GuardianUnder18);
    }
    match find_owner(database, learner, &guardian.email, now).await? {
        MailboxOwner::Other => Ok(()),
        MailboxOwner::Learner | MailboxOwner::Minor => Err(Error::GuardianMailbox),
    }
}
