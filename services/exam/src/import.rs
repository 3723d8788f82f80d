//! Makes exams, free checks and schools match a folder of content, on disk or in an archive.
//!
//! The whole folder is checked first. If there are faults, all are reported and nothing is changed. Otherwise one
//! transaction writes everything. A second run changes nothing and keeps every revision.
//!
//! Exams, papers, schools and departments are never deleted, because applications refer to them. A
//! paper that a learner has started never changes, except for the lessons of its questions.

mod apply;
mod candidates;
mod checks;
mod exams;
mod figures;
mod folder;
mod questions;
mod schools;
mod taken;

use kit::Failure;
use kit::clock::Clock;
use kit_content::{Difference, Source, record};
use kit_db::Pool;

use candidates::write_candidates;
use folder::Folder;

/// Imports a folder and returns the difference. With `dry_run`, changes nothing. An error names every fault as
/// `file:line: field: reason`.
pub async fn import_folder(
    pool: &Pool,
    clock: &Clock,
    source: impl Into<Source>,
    dry_run: bool,
) -> Result<Difference, Failure> {
    let Source { folder, version } = source.into();
    let now = clock.now();
    let folder = Folder::parse(&folder, now)?;
    let mut transaction = pool.begin().await?;
    record::lock_imports(&mut transaction).await?;
    let mut difference = apply::write(&mut transaction, &folder).await?;
    write_candidates(&mut transaction, &folder.exams, &folder.candidates, now, &mut difference).await?;
    record::add(&mut transaction, version.as_ref(), now).await?;
    if dry_run {
        transaction.rollback().await?;
    } else {
        transaction.commit().await?;
    }
    Ok(difference)
}
