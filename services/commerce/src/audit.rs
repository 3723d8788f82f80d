//! The audit: checks the ledger against itself, the orders and the provider.
//!
//! The provider's list of balance transactions also has its fees and payouts, which no event
//! reports. The audit books each of them once.

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

/// The result of an audit.
#[derive(Debug, Default)]
pub struct Report {
    checks: Vec<Check>,
}

/// A check and its result.
#[derive(Debug)]
struct Check {
    name: &'static str,
    /// A count or an amount, for the reader.
    figure: String,
    /// The items that failed the check, each with its name.
    differences: Vec<String>,
}

impl Report {
    fn add(&mut self, name: &'static str, figure: impl fmt::Display, differences: Vec<String>) {
        self.checks.push(Check { name, figure: figure.to_string(), differences });
    }

    /// The differences of all checks.
    #[must_use]
    pub fn differences(&self) -> Vec<String> {
        let named = |check: &Check| {
            let name = check.name;
            check.differences.iter().map(move |found| format!("{name}: {found}")).collect::<Vec<_>>()
        };
        self.checks.iter().flat_map(named).collect()
    }
}

/// Prints a table of the checks, then each difference.
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

/// Audits the ledger. A payment or a refund in progress shows as a difference with the provider.
/// Run the audit again then.
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
    // One snapshot, so an order and its postings are consistent.
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

/// Stores the result of the audit run, for the alerts.
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
