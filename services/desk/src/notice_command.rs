//! `desk notice`: the command line on which staff send notices to one person.

use kit::Failure;
use kit::clock::Clock;
use kit_db::Pool;
use time::OffsetDateTime;

use crate::command_input::read_text;
use crate::config::{Notice, NoticeSend};
use crate::error::Error;
use crate::import::prose;
use crate::member_notice::{self, NewNotice};

/// Longest text in characters.
const BODY_LIMIT: usize = 4_000;
/// Longest title in characters.
const TITLE_LIMIT: usize = 100;
/// Longest summary in characters.
const SUMMARY_LIMIT: usize = 300;

/// Runs a command and prints its result.
///
/// # Errors
///
/// The database failed, or the command has a fault: the message says which.
#[expect(clippy::print_stdout, reason = "the output of a command")]
pub async fn run(command: Notice, clock: &Clock) -> Result<(), Failure> {
    let now = clock.now();
    let output = match command {
        Notice::Send(notice) => send(&notice, now).await?,
        Notice::Withdraw { id, database } => {
            let pool = Pool::connect(&(&database).into()).await?;
            let mut transaction = pool.begin().await?;
            let is_known = member_notice::withdraw(&mut transaction, id, now).await?;
            transaction.commit().await?;
            pool.close().await;
            if !is_known {
                return Err(format!("there is no notice {id} to one person").into());
            }
            format!("notice {id} is withdrawn")
        }
    };
    println!("{output}");
    Ok(())
}

async fn send(notice: &NoticeSend, now: OffsetDateTime) -> Result<String, Failure> {
    let title = check_line("--title", &notice.title, TITLE_LIMIT)?;
    let summary = check_line("--summary", &notice.summary, SUMMARY_LIMIT)?;
    let body = read_text(&notice.file, "the notice", BODY_LIMIT)?;
    if let Some((line, fault)) = prose::find_faults(&body).first() {
        return Err(format!("line {} of the notice {fault}", line + 1).into());
    }
    let account = notice.account;
    let new = NewNotice { account, category: &notice.category, title, summary, body: &body };
    let pool = Pool::connect(&(&notice.database).into()).await?;
    let mut transaction = pool.begin().await?;
    let id = match member_notice::send(&mut transaction, &new, now).await {
        Err(Error::NotFound) => return Err(format!("the account {account} was erased").into()),
        id => id?,
    };
    transaction.commit().await?;
    pool.close().await;
    Ok(format!("notice {id} is sent to {account}"))
}

fn check_line<'a>(name: &str, text: &'a str, limit: usize) -> Result<&'a str, Failure> {
    let text = text.trim();
    let is_line = !text.is_empty() && text.chars().count() <= limit && !forms::has_controls(text);
    if is_line { Ok(text) } else { Err(format!("{name} must be one line of 1 to {limit} characters").into()) }
}
