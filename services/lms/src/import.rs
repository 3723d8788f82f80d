//! Brings the catalogue in line with a folder of content.
//!
//! The whole folder is read and checked first; with anything wrong, every fault is told at once and nothing is changed.
//! Then everything is written in one transaction. A second run changes nothing and keeps every revision. An import adds
//! and changes; what is in the catalogue and no longer in the folder is a fault, as learners' marks hang on it.

mod apply;
mod demo;
mod folder;
mod learners;

use std::fmt;
use std::path::Path;

use kit::Failure;
use kit::clock::Clock;
use kit::db::{Pool, span};
use sqlx::PgConnection;
use tracing::Instrument as _;

use folder::Folder;

/// What an import did.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Teachers added or changed.
    pub teachers: u64,
    /// Courses that were not there before.
    pub courses_added: u64,
    /// Courses that have a new revision.
    pub courses_changed: u64,
    /// Courses that are as they were.
    pub courses_kept: u64,
    /// Items of demo learners that were not there before.
    pub items: u64,
}

impl Outcome {
    /// Whether everything was there already.
    #[must_use]
    pub fn is_unchanged(&self) -> bool {
        *self == Self { courses_kept: self.courses_kept, ..Self::default() }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_unchanged() {
            return write!(out, "nothing changed: {} courses are as they were", self.courses_kept);
        }
        write!(
            out,
            "courses: {} added, {} changed, {} kept; teachers: {} written; items of demo learners: {} added",
            self.courses_added, self.courses_changed, self.courses_kept, self.teachers, self.items,
        )
    }
}

/// Imports `folder`. A failure names every fault as `file:line: field: reason`.
pub async fn import_folder(pool: &Pool, clock: &Clock, folder: &Path) -> Result<Outcome, Failure> {
    let now = clock.now();
    let folder = Folder::read(folder, now)?;
    let mut transaction = pool.begin().await?;
    lock(&mut transaction).await?;
    let mut outcome = Outcome::default();
    apply::catalogue(&mut transaction, &folder, now, &mut outcome).await?;
    for learner in &folder.learners {
        outcome.items += demo::learner(&mut transaction, learner).await?;
    }
    transaction.commit().instrument(span("COMMIT")).await?;
    Ok(outcome)
}

/// One import at a time; whoever reads and marks is not held up.
async fn lock(connection: &mut PgConnection) -> sqlx::Result<()> {
    sqlx::query!("SELECT pg_advisory_xact_lock(hashtextextended('import', 0))")
        .execute(connection)
        .instrument(span("SELECT pg_advisory_xact_lock"))
        .await?;
    Ok(())
}
