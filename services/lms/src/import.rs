//! Makes the catalogue match a folder of content, on disk or in an archive.
//!
//! The whole folder is checked first. If there are faults, all are reported and nothing is changed. Otherwise one
//! transaction writes everything. A second run changes nothing and keeps every revision.
//!
//! An import adds and changes content. Content that is in the catalogue and not in the folder is a
//! fault, because learners' marks refer to it.

mod apply;
mod check;
mod classes;
mod courses;
mod demo;
mod entry;
mod folder;
mod learners;
mod questions;
mod teachers;

use kit::Failure;
use kit::clock::Clock;
use kit_content::{Difference, Faults, Source, record};
use kit_db::Pool;
use time::OffsetDateTime;

use folder::Folder;

/// Imports a folder and returns the difference. With `dry_run`, changes nothing. An error names every fault as
/// `file:line: field: reason`.
pub async fn import_folder(
    pool: &Pool,
    clock: &Clock,
    source: impl Into<Source>,
    dry_run: bool,
) -> Result<Difference, Failure> {
    let now = clock.now();
    let Source { folder, version } = source.into();
    let folder = Folder::parse(&folder, now)?;
    let mut transaction = pool.begin().await?;
    record::lock_imports(&mut transaction).await?;
    let mut difference = apply::write_catalogue(&mut transaction, &folder, now).await?;
    classes::write_classes(&mut transaction, &folder.classes, now, &mut difference).await?;
    for learner in &folder.learners {
        demo::write_learner(&mut transaction, learner, now, &mut difference).await?;
    }
    record::add(&mut transaction, version.as_ref(), now).await?;
    if dry_run {
        transaction.rollback().await?;
    } else {
        transaction.commit().await?;
    }
    Ok(difference)
}

/// Checks a folder without a database.
pub(crate) fn check_folder(folder: &kit_content::Folder, now: OffsetDateTime) -> Result<(), Faults> {
    Folder::parse(folder, now).map(drop)
}
