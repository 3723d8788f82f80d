//! Brings the catalogue in line with a folder of content, on disk or in an archive.
//!
//! The whole folder is read and checked first; with anything wrong, every fault is told at once and nothing is changed.
//! Then everything is written in one transaction. A second run changes nothing and keeps every revision. An import adds
//! and changes; what is in the catalogue and no longer in the folder is a fault, as learners' marks hang on it.

mod apply;
mod demo;
mod entry;
mod folder;
mod learners;
mod questions;

use kit::Failure;
use kit::clock::Clock;
use kit::content::{self, Difference, Faults, Source, record};
use kit::db::{Pool, span};
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::Instrument as _;

use folder::Folder;

/// Imports a folder, or only tries to, and says what differs. A failure names every fault as
/// `file:line: field: reason`.
pub async fn import_folder(
    pool: &Pool,
    clock: &Clock,
    source: impl Into<Source>,
    dry_run: bool,
) -> Result<Difference, Failure> {
    let now = clock.now();
    let Source { folder, version } = source.into();
    let folder = Folder::read(&folder, now)?;
    let mut transaction = pool.begin().await?;
    lock(&mut transaction).await?;
    let mut difference = apply::catalogue(&mut transaction, &folder, now).await?;
    for learner in &folder.learners {
        demo::learner(&mut transaction, learner, &mut difference).await?;
    }
    record::add(&mut transaction, version.as_ref(), now).await?;
    if dry_run {
        transaction.rollback().await?;
    } else {
        transaction.commit().await?;
    }
    Ok(difference)
}

/// Reads and checks a folder without a database.
pub(crate) fn read(folder: &content::Folder, now: OffsetDateTime) -> Result<(), Faults> {
    Folder::read(folder, now).map(drop)
}

/// One import at a time; whoever reads and marks is not held up.
async fn lock(connection: &mut PgConnection) -> sqlx::Result<()> {
    sqlx::query!("SELECT pg_advisory_xact_lock(hashtextextended('import', 0))")
        .execute(connection)
        .instrument(span("SELECT pg_advisory_xact_lock"))
        .await?;
    Ok(())
}
