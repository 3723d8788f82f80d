//! From which day a person is an adult, for the default of the quiet hours. Auth owns the birth date, which is not stored
//! here: its events and the edge tell it.

use kit_content::date_time::parse_date;
use kit_db::{erased_account, span};
use sqlx::PgConnection;
use time::{Date, Month, OffsetDateTime};
use tracing::Instrument as _;
use uuid::Uuid;

use crate::learner_contact;

/// The age of majority, as in auth.
const AGE: i32 = 18;

/// Parses a date like `2011-04-02`.
pub(crate) fn parse_birth_date(text: &str) -> Option<Date> {
    parse_date(text).ok()
}

/// The day from which a person born on `birth` is an adult. A person born on 29 February comes of age on 1 March.
pub(crate) fn find_adult_on(birth: Date) -> Date {
    let year = birth.year() + AGE;
    birth.replace_year(year).or_else(|_| Date::from_calendar_date(year, Month::March, 1)).unwrap_or(Date::MAX)
}

/// Stores the birth date of an account that an event told, unless the account was erased. Requires a transaction: the
/// account stays locked until it ends.
pub(crate) async fn learn(
    database: &mut PgConnection,
    account: Uuid,
    birth: Date,
    known_at: OffsetDateTime,
) -> sqlx::Result<()> {
    learner_contact::lock(database, account).await?;
    if erased_account::contains(database, account).await? {
        return Ok(());
    }
    save(database, account, birth, known_at).await
}

/// Stores the birth date of an account that has none here, unless the account was erased. For a date that was read some time
/// ago: an event may have told a newer one since. The caller holds the account's lock.
pub(crate) async fn learn_first(
    database: &mut PgConnection,
    account: Uuid,
    birth: Date,
    known_at: OffsetDateTime,
) -> sqlx::Result<()> {
    if find(database, account).await?.is_some() {
        return Ok(());
    }
    learn(database, account, birth, known_at).await
}

/// Stores the birth date of an account, if it is known. The caller holds its lock.
pub(crate) async fn save_text(
    database: &mut PgConnection,
    account: Uuid,
    birth: Option<&str>,
    known_at: OffsetDateTime,
) -> sqlx::Result<()> {
    match birth.and_then(parse_birth_date) {
        Some(birth) => save(database, account, birth, known_at).await,
        None => Ok(()),
    }
}

/// Stores the birth date of an account, unless a newer one is stored. The caller holds its lock.
pub(crate) async fn save(
    database: &mut PgConnection,
    account: Uuid,
    birth: Date,
    known_at: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO account_age (account, adult_on, known_at) VALUES ($1, $2, $3) \
         ON CONFLICT ON CONSTRAINT account_age_pkey DO UPDATE SET adult_on = excluded.adult_on, \
             known_at = excluded.known_at WHERE account_age.known_at <= excluded.known_at",
        account,
        find_adult_on(birth),
        known_at
    )
    .execute(database)
    .instrument(span("INSERT account_age"))
    .await?;
    Ok(())
}

/// The day from which the owner of an account is an adult; `None` if the birth date is not known.
pub(crate) async fn find(database: &mut PgConnection, account: Uuid) -> sqlx::Result<Option<Date>> {
    sqlx::query_scalar!("SELECT adult_on FROM account_age WHERE account = $1", account)
        .fetch_optional(database)
        .instrument(span("SELECT account_age"))
        .await
}

/// Deletes the age of an account. The caller holds its lock.
pub(crate) async fn erase(database: &mut PgConnection, account: Uuid) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM account_age WHERE account = $1", account)
        .execute(database)
        .instrument(span("DELETE account_age"))
        .await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use time::macros::date;

    use super::*;

    #[test]
    fn a_person_is_an_adult_from_the_day_on_which_the_age_is_18() {
        for birth in
            [date!(2008 - 02 - 28), date!(2008 - 02 - 29), date!(2008 - 03 - 01), date!(2010 - 12 - 31)]
        {
            let day = find_adult_on(birth);
            assert_eq!(forms::age(birth, day), 18, "{birth}");
            assert_eq!(forms::age(birth, day.previous_day().unwrap()), 17, "{birth}");
        }
    }
}
