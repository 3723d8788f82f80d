//! Imports notices, FAQs, success stories, entrance exams and events from a folder of content, on disk or in an archive.
//!
//! The whole folder is parsed and checked first. If it has faults, all of them are reported and nothing changes. Then
//! everything is written in one transaction. Items that are no longer in the folder are deleted. A second run changes
//! nothing.

mod folder;
pub(crate) mod prose;

use kit::Failure;
use kit::clock::Clock;
use kit_content::{Difference, Faults, Source, record};
use kit_db::Pool;

use crate::interview::hours;
use crate::{entry_exam, faq, notice, school_event, success};
use folder::Folder;

/// Whether an import is committed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Run {
    /// Commits the changes.
    Real,
    /// Reports the changes and rolls them back.
    Dry,
}

/// Parses and checks a folder without a database.
pub(crate) fn check_folder(folder: &kit_content::Folder) -> Result<(), Faults> {
    Folder::parse(folder).map(drop)
}

/// Imports a folder and returns the changes.
///
/// # Errors
///
/// Every fault of the folder, as `file:line: field: reason`.
pub async fn import_folder(
    pool: &Pool,
    clock: &Clock,
    source: impl Into<Source>,
    run: Run,
) -> Result<Difference, Failure> {
    let now = clock.now();
    let Source { folder, version } = source.into();
    let folder = Folder::parse(&folder)?;
    let mut difference = Difference::default();
    let mut transaction = pool.begin().await?;
    record::lock_imports(&mut transaction).await?;
    notice::import_notices(&mut transaction, &folder.notices, now, &mut difference).await?;
    faq::import_faqs(&mut transaction, &folder.faqs, &mut difference).await?;
    success::import_years(&mut transaction, &folder.success, &mut difference).await?;
    entry_exam::import_exams(&mut transaction, &folder.exams, &mut difference).await?;
    hours::import_hours(&mut transaction, &folder.hours, now, &mut difference).await?;
    school_event::import_events(&mut transaction, &folder.events, now, &mut difference).await?;
    record::add(&mut transaction, version.as_ref(), now).await?;
    match run {
        Run::Real => transaction.commit().await?,
        Run::Dry => transaction.rollback().await?,
    }
    Ok(difference)
}
