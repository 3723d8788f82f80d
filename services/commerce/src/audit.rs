//! The audit: proves that the ledger agrees with itself, with the orders, and with the provider.
//!
//! The provider's list also tells its fees and its payouts, which no event does. The audit books them, each once.

mod books;
mod provider_list;

use std::fmt;

use kit::Failure;
use kit::clock::Clock;
use kit_db::{Pool, span};
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::Instrument as _;

use crate::provider::Provider;

/// What an audit found.
#[derive(Debug, Default)]
pub struct Report {
    checks: Vec<Check>,
}

/// One thing that was proved, or not.
#[derive(Debug)]
struct Check {
    name: &'static str,
    /// A figure for the reader: how many, or how much.
    figure: String,
    /// What is not as it should be, each with its name.
    differences: Vec<String>,
}

impl Report {
    fn add(&mut self, name: &'static str, figure: impl fmt::Display, differences: Vec<String>) {
        self.checks.push(Check { name, figure: figure.to_string(), differences });
    }

    /// Everything that is not as it should be.
    #[must_use]
    pub fn differences(&self) -> Vec<String> {
        let named = |check: &Check| {
            let name = check.name;
            check.differences.iter().map(move |found| format!("{name}: {found}")).collect::<Vec<_>>()
        };
        self.checks.iter().flat_map(named).collect()
    }
}

/// A table of the checks, and below it each difference.
impl fmt::Display for Report {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(formatter, "{:<58} {:>14} {:>11}", "check", "figure", "differences")?;
        for check in &self.checks {
            writeln!(formatter, "{:<58} {:>14} {:>11}", check.name, check.figure, check.differences.len())?;
        }
        for difference in self.differences() {
            writeln!(formatter, "- {difference}")?;
        }
        Ok(())
    }
}

/// Audits the books. A payment or a refund that is under way shows as a difference with the provider: run it again.
///
/// # Errors
///
/// If the database or the provider does not answer.
pub async fn audit(pool: &Pool, provider: &Provider, clock: &Clock) -> Result<Report, Failure> {
    let entries = provider.list_balance(0).await?;
    let mut transaction = pool.begin().await?;
    provider_list::book(&mut transaction, &entries, clock.now()).await?;
    transaction.commit().await?;
    let mut report = Report::default();
    // One snapshot, so that an order and its postings agree.
    let mut transaction = pool.begin().await?;
    sqlx::query!("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        .execute(&mut *transaction)
        .await?;
    books::check(&mut transaction, &mut report).await?;
    provider_list::compare(&mut transaction, &entries, &mut report).await?;
    let proven = books::find_last_journal(&mut transaction).await?;
    transaction.commit().await?;
    let differences = i32::try_from(report.differences().len()).unwrap_or(i32::MAX);
    store_run(&mut *pool.acquire().await?, differences, proven, clock.now()).await?;
    Ok(report)
}

/// Stores that the books were audited, for the alerts.
async fn store_run(
    connection: &mut PgConnection,
    differences: i32,
    journal: i64,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO audit_run (at, differences, journal_id) VALUES ($1, $2, $3)",
        now,
        differences,
        journal,
    )
    .execute(connection)
    .instrument(span("INSERT audit_run"))
    .await?;
    Ok(())
}
