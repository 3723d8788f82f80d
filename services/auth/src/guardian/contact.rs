//! The guardians of a learner who can be asked by mail.

use kit_db::span;
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::Instrument as _;
use uuid::Uuid;

use crate::{adult, school};

/// The mail address and the name of a guardian.
pub(crate) struct Contact {
    pub(crate) email: String,
    pub(crate) name: String,
}

/// The guardian who gave consent and the linked guardians, each mailbox once. Mailboxes of the learner or of minors are
/// left out.
pub(crate) async fn list(
    database: &mut PgConnection,
    learner: Uuid,
    now: OffsetDateTime,
) -> sqlx::Result<Vec<Contact>> {
    let mut contacts = sqlx::query_as!(
        Contact,
        r#"WITH named AS (
            SELECT email, mailbox, COALESCE(given_name, name) AS name FROM consent
            WHERE account = $1 AND given_at IS NOT NULL
            UNION ALL
            SELECT email, mailbox, concat(last_name, ' ', first_name)
            FROM guardian_link JOIN account ON account.id = guardian
            WHERE learner = $1 AND 'guardian' = ANY (scope) AND birth_date <= $2
        )
        SELECT named.email AS "email!", named.name AS "name!" FROM named JOIN account ON account.id = $1
        WHERE named.mailbox <> account.mailbox AND NOT is_mailbox_of_minor(named.mailbox, $2)"#,
        learner,
        adult::latest_birth_date(school::today(now))
    )
    .fetch_all(database)
    .instrument(span("SELECT consent"))
    .await?;
    contacts.sort_by_cached_key(|contact| forms::mailbox(&contact.email));
    contacts.dedup_by_key(|contact| forms::mailbox(&contact.email));
    Ok(contacts)
}
