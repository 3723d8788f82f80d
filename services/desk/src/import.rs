//! Brings notices, answers, success stories and entrance exams in line with a folder of content, on disk or in
//! an archive.
//!
//! The whole folder is read and checked first; with anything wrong, every fault is told at once and nothing is changed.
//! Then everything is written in one transaction. What is no longer in the folder goes away: a voice is gone with the
//! next import after its owner asks for it. A second run changes nothing.

mod folder;
mod prose;

use kit::Failure;
use kit::clock::Clock;
use kit::content::{self, Difference, Faults, Source, record};
use kit::db::{Pool, span};
use sqlx::PgConnection;
use tracing::Instrument as _;

use crate::{entry_exam, faq, notice, success};
use folder::Folder;

/// Whether to keep what an import changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Run {
    /// It is kept.
    Real,
    /// It is told, and then taken back.
    Dry,
}

/// Reads and checks a folder without a database.
pub(crate) fn read(folder: &content::Folder) -> Result<(), Faults> {
    Folder::read(folder).map(drop)
}

/// Imports a folder and tells what that changes. A failure names every fault as `file:line: field: reason`.
pub async fn import_folder(
    pool: &Pool,
    clock: &Clock,
    source: impl Into<Source>,
    run: Run,
) -> Result<Difference, Failure> {
    let now = clock.now();
    let Source { folder, version } = source.into();
    let folder = Folder::read(&folder)?;
    let mut difference = Difference::default();
    let mut transaction = pool.begin().await?;
    lock(&mut transaction).await?;
    notice::import(&mut transaction, &folder.notices, now, &mut difference).await?;
    faq::import(&mut transaction, &folder.faqs, &mut difference).await?;
    success::import(&mut transaction, &folder.success, &mut difference).await?;
    entry_exam::import(&mut transaction, &folder.exams, &mut difference).await?;
    record::add(&mut transaction, version.as_ref(), now).await?;
    match run {
        Run::Real => transaction.commit().await?,
        Run::Dry => transaction.rollback().await?,
    }
    Ok(difference)
}

/// One import at a time; whoever reads is not held up.
async fn lock(connection: &mut PgConnection) -> sqlx::Result<()> {
    sqlx::query!("SELECT pg_advisory_xact_lock(hashtextextended('import', 0))")
        .execute(connection)
        .instrument(span("SELECT pg_advisory_xact_lock"))
        .await?;
    Ok(())
}
