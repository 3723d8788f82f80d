//! `desk interview`: the command line on which staff open slots and record what happened in interviews.

use std::fmt::Write as _;

use kit::Failure;
use kit::clock::Clock;
use kit_db::Pool;
use time::macros::format_description;
use time::{Duration, OffsetDateTime, PrimitiveDateTime};
use uuid::Uuid;

use crate::command_input::{check_teacher, read_text};
use crate::config::interview::{Interview, InterviewClose, InterviewFeedback, InterviewList, InterviewOpen};
use crate::email::interview::{Occasion, write_interview};
use crate::interview::slot::{self, ListedSlot, NewSlots};
use crate::interview::{self, Kind};
use crate::japan_time::{JAPAN, format_in_japan};
use crate::learner_contact;
use crate::notification::{Notification, Notifier};

/// Longest feedback in characters.
const FEEDBACK_LIMIT: usize = 4_000;
/// Most weeks that one command opens.
const WEEKS_LIMIT: u8 = 26;
/// How far back and ahead slots are listed.
const LISTED: Duration = Duration::weeks(4);

/// Runs a command and prints its result.
///
/// # Errors
///
/// The database failed, or the command does not fit the slot or the interview: the message says why.
#[expect(clippy::print_stdout, reason = "the output of a command")]
pub async fn run(command: Interview, clock: &Clock) -> Result<(), Failure> {
    let now = clock.now();
    let output = match command {
        Interview::Open(slots) => open(&slots, now).await?,
        Interview::List(list) => show_list(&list, now).await?,
        Interview::Close(close) => close_slot(&close, now).await?,
        Interview::Feedback(feedback) => store_feedback(&feedback, now).await?,
        Interview::NoShow { id, database } => {
            let pool = Pool::connect(&(&database).into()).await?;
            let is_stored = interview::set_missed(&mut *pool.acquire().await?, id, now).await?;
            pool.close().await;
            if !is_stored {
                return Err(not_started(id, "or it has feedback"));
            }
            format!("the learner missed interview {id}")
        }
    };
    println!("{output}");
    Ok(())
}

async fn open(slots: &InterviewOpen, now: OffsetDateTime) -> Result<String, Failure> {
    let teacher = check_teacher(&slots.teacher)?;
    let kind = Kind::from_name(&slots.kind).ok_or("--kind is unknown")?;
    if !(1..=WEEKS_LIMIT).contains(&slots.weeks) {
        return Err(format!("--weeks must be 1 to {WEEKS_LIMIT}").into());
    }
    let (from, until) = (parse_time("--from", &slots.from)?, parse_time("--to", &slots.to)?);
    if until <= from || until - from > Duration::DAY {
        return Err("--to must be after --from, by at most a day".into());
    }
    if from <= now {
        return Err("--from must be in the future".into());
    }
    let weeks = (0..slots.weeks).map(|week| Duration::weeks(week.into()));
    let length = Duration::minutes(slots.minutes.into());
    let times: Vec<_> = weeks.flat_map(|later| slot::divide(from + later, until + later, length)).collect();
    let pool = Pool::connect(&(&slots.database).into()).await?;
    let mut transaction = pool.begin().await?;
    let new = NewSlots { kind, teacher, join_url: &slots.join_url, hours: None };
    let opened = slot::open(&mut transaction, &new, &times).await?;
    transaction.commit().await?;
    pool.close().await;
    Ok(format!("opened {opened} slots; {} overlap other slots of {teacher}", times.len() as u64 - opened))
}

async fn show_list(list: &InterviewList, now: OffsetDateTime) -> Result<String, Failure> {
    let teacher = list.teacher.as_deref().map(check_teacher).transpose()?;
    let (from, until) = if list.past { (now - LISTED, now) } else { (now, now + LISTED) };
    let pool = Pool::connect(&(&list.database).into()).await?;
    let slots = slot::list_period(&mut *pool.acquire().await?, teacher, from, until, now).await?;
    pool.close().await;
    if slots.is_empty() {
        return Ok("no slots".to_owned());
    }
    let mut output = String::new();
    for slot in &slots {
        writeln!(output, "{}", describe(slot))?;
    }
    output.pop();
    Ok(output)
}

/// A line about a slot.
fn describe(slot: &ListedSlot) -> String {
    let state = match (slot.state.as_deref(), slot.interview, slot.account) {
        (Some("booked"), Some(interview), Some(account)) => {
            let outcome = match (slot.is_missed, slot.has_feedback) {
                (true, _) => ", missed",
                (_, true) => ", with feedback",
                _ => "",
            };
            format!("interview {interview} of {account}{outcome}")
        }
        (Some(_), ..) => "held".to_owned(),
        (None, ..) if slot.is_closed => "closed".to_owned(),
        (None, ..) => "free".to_owned(),
    };
    let (time, kind) = (format_in_japan(slot.starts_at), Kind::name_of(slot.kind));
    format!("slot {} {time} {kind} {}: {state}", slot.id, slot.teacher)
}

async fn close_slot(close: &InterviewClose, now: OffsetDateTime) -> Result<String, Failure> {
    let id = close.id;
    let pool = Pool::connect(&(&close.storage.database).into()).await?;
    let mut transaction = pool.begin().await?;
    let closed = slot::close(&mut transaction, id, now).await?;
    let (slot, account) = closed.ok_or_else(|| format!("there is no slot {id} that has not started"))?;
    let secret = &close.storage.secret;
    if let Some(account) = account
        && let Some(to) =
            learner_contact::find(&mut transaction, account, &secret.question_encryptor()?).await?
    {
        let email = write_interview(account, &to, &slot, Occasion::Closed, None);
        let notification =
            Notification { account, dedupe_key: &format!("{} {id}", email.kind), about: None, email: &email };
        let notifier = Notifier::new(&close.emails, secret)?;
        notifier.notify(&mut transaction, &notification, now).await?;
    }
    transaction.commit().await?;
    pool.close().await;
    Ok(match account {
        Some(account) => format!("slot {id} is closed; the interview of {account} is cancelled"),
        None => format!("slot {id} is closed"),
    })
}

async fn store_feedback(feedback: &InterviewFeedback, now: OffsetDateTime) -> Result<String, Failure> {
    let text = read_text(&feedback.file, "the feedback", FEEDBACK_LIMIT)?;
    let encryptor = feedback.storage.secret.interview_encryptor()?;
    let pool = Pool::connect(&(&feedback.storage.database).into()).await?;
    let id = feedback.id;
    let is_stored = interview::set_feedback(&mut *pool.acquire().await?, id, &text, &encryptor, now).await?;
    pool.close().await;
    if is_stored {
        Ok(format!("interview {id} has feedback"))
    } else {
        Err(not_started(id, "or the learner missed it"))
    }
}

fn not_started(id: Uuid, other: &str) -> Failure {
    format!(
        "there is no booked interview {id} that has started, {other}: `desk interview list --past` lists them"
    )
    .into()
}

/// Parses a time in Tokyo, e.g. `2026-12-01T17:00`.
fn parse_time(name: &str, text: &str) -> Result<OffsetDateTime, Failure> {
    let format = format_description!("[year]-[month]-[day]T[hour]:[minute]");
    let time = PrimitiveDateTime::parse(text, format)
        .map_err(|_| format!("{name}: '{text}' is not a time in Tokyo like 2026-12-01T17:00"))?;
    Ok(time.assume_offset(JAPAN))
}
