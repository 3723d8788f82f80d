//! Which notifications a person gets, and when.

use kit::error::FieldError;
use kit_db::{erased_account, span};
use sqlx::PgConnection;
use time::{Date, Duration, OffsetDateTime, Time};
use tracing::Instrument as _;
use uuid::Uuid;

use crate::account_age::find_adult_on;
use crate::error::Error;
use crate::japan_time::{JAPAN, date_in_japan};
use crate::notification_topic::Topic;
use crate::{account_age, learner_contact, mail, push};

/// Longest quiet hours. Shorter than the 24 hours for which the offer of a place is usually valid.
const QUIET_LIMIT: u8 = 12;

/// The quiet hours of a minor who chose none.
const OF_MINORS: QuietHours = QuietHours { from: 21, until: 7 };

/// The settings of a person. Without any, every notification comes, outside of the quiet hours of the age.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Settings {
    /// Topics without mails.
    mail_off: Vec<Topic>,
    /// Topics without pushes.
    push_off: Vec<Topic>,
    quiet: Quiet,
    /// From this day on the person is an adult; `None` if the birth date is not known.
    adult_on: Option<Date>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            mail_off: Topic::WITHOUT_MAILS.to_vec(),
            push_off: Vec::new(),
            quiet: Quiet::ByAge,
            adult_on: None,
        }
    }
}

/// What decides about the quiet hours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Quiet {
    /// The age: minors have [`OF_MINORS`], others have none.
    #[default]
    ByAge,
    /// The person: these, or none.
    Chosen(Option<QuietHours>),
}

/// The settings that a person sends.
#[derive(Clone, Debug)]
pub(crate) struct Choices {
    /// The topics that the client offers. Others keep their settings.
    pub(crate) topics: Vec<Topic>,
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

    /// Topics without mails.
    pub(crate) fn mail_off(&self) -> &[Topic] {
        &self.mail_off
    }

    /// Topics without pushes.
    pub(crate) fn push_off(&self) -> &[Topic] {
        &self.push_off
    }

    /// The quiet hours that apply `now`.
    pub(crate) fn quiet_hours(&self, now: OffsetDateTime) -> Option<QuietHours> {
        match self.quiet {
            Quiet::Chosen(chosen) => chosen,
            Quiet::ByAge => {
                let is_minor = self.adult_on.is_some_and(|day| date_in_japan(now) < day);
                is_minor.then_some(OF_MINORS)
            }
        }
    }

    /// Whether the age decides about the quiet hours.
    pub(crate) fn is_quiet_by_age(&self) -> bool {
        self.quiet == Quiet::ByAge
    }

    /// From which day on the person is an adult, if the birth date is known.
    pub(crate) fn adult_on(&self) -> Option<Date> {
        self.adult_on
    }

    /// The settings of a person born on `birth`.
    pub(crate) fn with_birth_date(self, birth: Option<Date>) -> Self {
        Self { adult_on: birth.map(find_adult_on).or(self.adult_on), ..self }
    }

    /// When a notification made `now` is sent.
    pub(super) fn find_due(&self, now: OffsetDateTime) -> OffsetDateTime {
        self.quiet_hours(now).map_or(now, |quiet| quiet.find_end(now))
    }

    /// The settings after a person sent new ones. Quiet hours that are already those of the age are not a choice, nor is
    /// their absence at a client of the release that had no quiet hours by age.
    fn change(self, choices: Choices, now: OffsetDateTime) -> Self {
        let Choices { topics, mut mail_off, mut push_off, quiet_hours } = choices;
        let knows_age = topics.contains(&Topic::Notice);
        let is_unchanged = self.is_quiet_by_age()
            && (self.quiet_hours(now) == quiet_hours || !knows_age && quiet_hours.is_none());
        let quiet = if is_unchanged { Quiet::ByAge } else { Quiet::Chosen(quiet_hours) };
        mail_off.extend(self.mail_off.into_iter().filter(|topic| !topics.contains(topic)));
        push_off.extend(self.push_off.into_iter().filter(|topic| !topics.contains(topic)));
        Self { mail_off, push_off, quiet, adult_on: self.adult_on }
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
        "SELECT mail_off, push_off, quiet_from, quiet_until, quiet_off, mail_on \
         FROM notification_setting WHERE account = $1",
        account
    )
    .fetch_optional(&mut *database)
    .instrument(span("SELECT notification_setting"))
    .await?;
    let adult_on = account_age::find(database, account).await?;
    let Some(row) = row else { return Ok(Settings { adult_on, ..Settings::default() }) };
    let topics = |names: Vec<String>| -> Vec<Topic> {
        names.iter().filter_map(|name| Topic::from_name(name)).collect()
    };
    let mail_on = topics(row.mail_on);
    let mut mail_off = topics(row.mail_off);
    mail_off.retain(|topic| !Topic::WITHOUT_MAILS.contains(topic));
    mail_off.extend(Topic::WITHOUT_MAILS.into_iter().filter(|topic| !mail_on.contains(topic)));
    let hour = |hour: Option<i16>| hour.and_then(|hour| u32::try_from(hour).ok());
    let quiet_hours = hour(row.quiet_from).zip(hour(row.quiet_until));
    let quiet_hours = quiet_hours.and_then(|(from, until)| QuietHours::new(from, until).ok());
    let is_chosen = quiet_hours.is_some() || row.quiet_off;
    Ok(Settings {
        mail_off,
        push_off: topics(row.push_off),
        quiet: if is_chosen { Quiet::Chosen(quiet_hours) } else { Quiet::ByAge },
        adult_on,
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
    choices: Choices,
    birth: Option<Date>,
    now: OffsetDateTime,
) -> Result<(), Error> {
    learner_contact::lock(database, account).await?;
    if let Some(birth) = birth {
        account_age::learn(database, account, birth, now).await?;
    }
    let settings = find(database, account).await?.change(choices, now);
    store(database, account, &settings, now).await
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
    let mail_on: Vec<_> =
        Topic::WITHOUT_MAILS.into_iter().filter(|topic| !settings.mail_off.contains(topic)).collect();
    let chosen = match settings.quiet {
        Quiet::Chosen(hours) => hours,
        Quiet::ByAge => None,
    };
    sqlx::query!(
        "INSERT INTO notification_setting (account, mail_off, push_off, quiet_from, quiet_until, quiet_off, mail_on) \
         VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT ON CONSTRAINT notification_setting_pkey DO UPDATE SET \
             mail_off = excluded.mail_off, push_off = excluded.push_off, quiet_from = excluded.quiet_from, \
             quiet_until = excluded.quiet_until, quiet_off = excluded.quiet_off, mail_on = excluded.mail_on",
        account,
        &mail_off,
        &push_off,
        chosen.map(|quiet| i16::from(quiet.from)),
        chosen.map(|quiet| i16::from(quiet.until)),
        settings.quiet == Quiet::Chosen(None),
        &to_names(&mail_on)
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
