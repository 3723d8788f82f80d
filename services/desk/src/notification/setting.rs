//! Which notifications a person gets, and when.

use kit::error::FieldError;
use kit_db::{erased_account, span};
use sqlx::PgConnection;
use time::{Duration, OffsetDateTime, Time};
use tracing::Instrument as _;
use uuid::Uuid;

use crate::error::Error;
use crate::japan_time::JAPAN;
use crate::notification_topic::Topic;
use crate::{learner_contact, mail, push};

/// Longest quiet hours. Shorter than the 24 hours for which the offer of a place is usually valid.
const QUIET_LIMIT: u8 = 12;

/// The settings of a person. Without any, every notification comes at once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Settings {
    /// Topics without mails.
    pub(crate) mail_off: Vec<Topic>,
    /// Topics without pushes.
    pub(crate) push_off: Vec<Topic>,
    pub(crate) quiet_hours: Option<QuietHours>,
}

/// Hours of each day in Japan in which no notification is sent. They may span midnight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct QuietHours {
    from: u8,
    until: u8,
}

impl QuietHours {
    /// From one full hour until another, at most 12 hours.
    pub(crate) fn new(from: u32, until: u32) -> Result<Self, Error> {
        let hour = |hour: u32| u8::try_from(hour).ok().filter(|hour| *hour < 24);
        let (Some(from), Some(until)) = (hour(from), hour(until)) else { return Err(invalid("quiet_hours")) };
        let length = (until + 24 - from) % 24;
        if length == 0 || length > QUIET_LIMIT {
            return Err(invalid("quiet_hours"));
        }
        Ok(Self { from, until })
    }

    pub(crate) fn from(self) -> u8 {
        self.from
    }

    pub(crate) fn until(self) -> u8 {
        self.until
    }

    /// The end of the quiet hours that contain `now`; `now` outside of them.
    fn find_end(self, now: OffsetDateTime) -> OffsetDateTime {
        let local = now.to_offset(JAPAN);
        let since = (local.hour() + 24 - self.from) % 24;
        if since >= (self.until + 24 - self.from) % 24 {
            return now;
        }
        let day = if local.hour() < self.until { local } else { local + Duration::DAY };
        day.replace_time(Time::MIDNIGHT) + Duration::hours(self.until.into())
    }
}

impl Settings {
    pub(super) fn has_mail(&self, topic: Topic) -> bool {
        !self.mail_off.contains(&topic)
    }

    pub(super) fn has_push(&self, topic: Topic) -> bool {
        !self.push_off.contains(&topic)
    }

    /// When a notification made `now` is sent.
    pub(super) fn find_due(&self, now: OffsetDateTime) -> OffsetDateTime {
        self.quiet_hours.map_or(now, |quiet| quiet.find_end(now))
    }
}

fn invalid(name: &'static str) -> Error {
    Error::Field(FieldError::new(name, "INVALID_FORMAT"))
}

/// Parses the names of topics. Each may occur once.
pub(crate) fn parse_topics(field: &'static str, names: &[String]) -> Result<Vec<Topic>, Error> {
    let mut topics = Vec::new();
    for name in names {
        let topic = Topic::from_name(name).filter(|topic| !topics.contains(topic));
        topics.push(topic.ok_or_else(|| invalid(field))?);
    }
    Ok(topics)
}

/// The names of topics, on the wire and in the database.
pub(crate) fn to_names(topics: &[Topic]) -> Vec<String> {
    topics.iter().map(|topic| topic.name().to_owned()).collect()
}

/// Finds the settings of an account. Topics of another release are left out.
pub(crate) async fn find(database: &mut PgConnection, account: Uuid) -> sqlx::Result<Settings> {
    let row = sqlx::query!(
        "SELECT mail_off, push_off, quiet_from, quiet_until FROM notification_setting WHERE account = $1",
        account
    )
    .fetch_optional(database)
    .instrument(span("SELECT notification_setting"))
    .await?;
    let Some(row) = row else { return Ok(Settings::default()) };
    let topics = |names: Vec<String>| names.iter().filter_map(|name| Topic::from_name(name)).collect();
    let hour = |hour: Option<i16>| hour.and_then(|hour| u32::try_from(hour).ok());
    let quiet_hours = hour(row.quiet_from).zip(hour(row.quiet_until));
    Ok(Settings {
        mail_off: topics(row.mail_off),
        push_off: topics(row.push_off),
        quiet_hours: quiet_hours.and_then(|(from, until)| QuietHours::new(from, until).ok()),
    })
}

/// Stores the settings of an account, also for the notifications that wait. Requires a transaction.
///
/// # Errors
///
/// [`Error::NotFound`] if the account was erased.
pub(crate) async fn save(
    database: &mut PgConnection,
    account: Uuid,
    settings: &Settings,
    now: OffsetDateTime,
) -> Result<(), Error> {
    learner_contact::lock(database, account).await?;
    store(database, account, settings, now).await
}

/// Stores settings. The caller holds the lock of the account.
async fn store(
    database: &mut PgConnection,
    account: Uuid,
    settings: &Settings,
    now: OffsetDateTime,
) -> Result<(), Error> {
    if erased_account::contains(database, account).await? {
        return Err(Error::NotFound);
    }
    let (mail_off, push_off) = (to_names(&settings.mail_off), to_names(&settings.push_off));
    sqlx::query!(
        "INSERT INTO notification_setting (account, mail_off, push_off, quiet_from, quiet_until) \
         VALUES ($1, $2, $3, $4, $5) ON CONFLICT ON CONSTRAINT notification_setting_pkey DO UPDATE SET \
             mail_off = excluded.mail_off, push_off = excluded.push_off, quiet_from = excluded.quiet_from, \
             quiet_until = excluded.quiet_until",
        account,
        &mail_off,
        &push_off,
        settings.quiet_hours.map(|quiet| i16::from(quiet.from)),
        settings.quiet_hours.map(|quiet| i16::from(quiet.until))
    )
    .execute(&mut *database)
    .instrument(span("INSERT notification_setting"))
    .await?;
    let due = settings.find_due(now);
    mail::withdraw_topics(database, account, &mail_off).await?;
    mail::set_due(database, account, due).await?;
    push::apply_settings(database, account, &push_off, due).await?;
    Ok(())
}

/// Switches the mails of a topic off. Idempotent. Requires a transaction.
pub(crate) async fn switch_mail_off(
    database: &mut PgConnection,
    account: Uuid,
    topic: Topic,
    now: OffsetDateTime,
) -> Result<(), Error> {
    learner_contact::lock(database, account).await?;
    let mut settings = find(database, account).await?;
    if settings.has_mail(topic) {
        settings.mail_off.push(topic);
    }
    store(database, account, &settings, now).await
}

/// Deletes the settings of an account. The caller holds its lock.
pub(super) async fn erase(database: &mut PgConnection, account: Uuid) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM notification_setting WHERE account = $1", account)
        .execute(database)
        .instrument(span("DELETE notification_setting"))
        .await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::*;

    #[test]
    fn quiet_hours_end_at_their_next_end_in_japan() {
        let night = QuietHours::new(21, 7).unwrap();
        let morning = datetime!(2026-11-22 07:00 +9);
        for quiet in [
            datetime!(2026-11-21 21:00 +9),
            datetime!(2026-11-21 23:59:59 +9),
            datetime!(2026-11-22 06:59 +9),
        ] {
            assert_eq!(night.find_end(quiet.to_offset(time::UtcOffset::UTC)), morning, "{quiet}");
        }
        for loud in [datetime!(2026-11-21 20:59 +9), morning] {
            assert_eq!(night.find_end(loud), loud);
        }
        let noon = QuietHours::new(12, 13).unwrap();
        assert_eq!(noon.find_end(datetime!(2026-11-21 12:30 +9)), datetime!(2026-11-21 13:00 +9));
        assert_eq!(noon.find_end(datetime!(2026-11-21 23:00 +9)), datetime!(2026-11-21 23:00 +9));
    }

    #[test]
    fn quiet_hours_have_1_to_12_hours() {
        for (from, until) in [(7, 7), (24, 7), (7, 24), (7, 20), (20, 9)] {
            assert!(QuietHours::new(from, until).is_err(), "{from} {until}");
        }
        assert!(QuietHours::new(20, 8).is_ok() && QuietHours::new(0, 12).is_ok());
    }
}
