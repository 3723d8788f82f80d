//! Staff decides about a birth date: the command `auth birth-date`.

use kit::Failure;
use kit_db::Pool;
use kit_db::outbox::Outbox;
use proto::auth as wire;
use sqlx::PgConnection;
use time::{Date, OffsetDateTime};

use crate::account::full_name;
use crate::birth_date::{self, Decider, PendingChange, Resolution};
use crate::config::{BirthDate, Decision};
use crate::profile;
use crate::{adult, school};

/// Carries the command out; returns a sentence about the outcome.
pub(crate) async fn decide(pool: &Pool, command: &BirthDate, now: OffsetDateTime) -> Result<String, Failure> {
    let BirthDate { account, operator, decision, .. } = command;
    let by = Decider::Staff(operator);
    let mut transaction = pool.begin().await?;
    let missing = || format!("there is no account {account}");
    if !profile::lock(&mut transaction, *account).await? {
        return Err(missing().into());
    }
    let before = profile::find_by_id(&mut transaction, *account, now).await?.ok_or_else(missing)?;
    let pending = birth_date::find_pending(&mut transaction, *account).await?;
    let outbox = Outbox::new(command.secret.parse_secret()?.outbox());
    let is_approved = match decision {
        Decision { date: Some(typed), .. } => {
            let date = parse_date(typed, now)?;
            if before.scope.iter().any(|held| held == "guardian")
                && !adult::is_adult(date, school::today(now))
            {
                return Err(format!("{account} is a guardian's account: a guardian is 18 or older").into());
            }
            replace_pending(&mut transaction, pending, by, now).await?;
            birth_date::add_applied(&mut transaction, *account, (before.birth_date, date), by, now).await?;
            birth_date::apply(&mut transaction, *account, date).await?;
            birth_date::publish_change(&mut transaction, &outbox, *account, date, now).await?;
            true
        }
        Decision { approve, .. } => {
            let pending =
                pending.ok_or_else(|| format!("no change of the birth date of {account} is pending"))?;
            let how = if *approve { Resolution::Approved } else { Resolution::Declined };
            birth_date::resolve(&mut transaction, pending.id, how, by, now).await?;
            if *approve {
                let date = pending.new_birth_date;
                birth_date::apply(&mut transaction, *account, date).await?;
                birth_date::publish_change(&mut transaction, &outbox, *account, date, now).await?;
            }
            *approve
        }
    };
    let event = wire::BirthDateChangeDecided {
        account_id: account.to_string(),
        name: full_name(&before.last_name, &before.first_name),
        to: before.email,
        is_approved,
    };
    outbox.publish(&mut transaction, &event, now).await?;
    transaction.commit().await?;
    Ok(format!("the birth date of {account} is {}", if is_approved { "changed" } else { "not changed" }))
}

fn parse_date(typed: &str, now: OffsetDateTime) -> Result<Date, Failure> {
    forms::birth_date(typed, school::today(now)).map_err(|_| {
        format!("{typed} is not the birth date of a person aged 6 to 120: pass --date YYYY-MM-DD").into()
    })
}

async fn replace_pending(
    database: &mut PgConnection,
    pending: Option<PendingChange>,
    by: Decider<'_>,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    match pending {
        Some(pending) => birth_date::resolve(database, pending.id, Resolution::Replaced, by, now).await,
        None => Ok(()),
    }
}
