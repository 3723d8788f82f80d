//! The revision of every course, in memory. Each page of an inventory needs some of them, and only
//! an import changes them.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use kit_db::span;
use sqlx::PgConnection;
use tracing::Instrument as _;

/// The newest loaded revisions. Cheap to clone. Clones share them.
#[derive(Clone, Default)]
pub(crate) struct CourseRevisions(Arc<RwLock<Arc<Catalogue>>>);

/// One version of the catalogue, numbered by the table `catalogue_version`.
#[derive(Default)]
struct Catalogue {
    version: i64,
    /// By course id.
    revisions: HashMap<i64, i64>,
}

/// The revisions of one version of the catalogue.
pub(crate) struct RevisionLookup(Arc<Catalogue>);

impl RevisionLookup {
    /// The revision of a course, or 0 if the course is unknown.
    pub(crate) fn find(&self, course: i64) -> i64 {
        self.0.revisions.get(&course).copied().unwrap_or_default()
    }
}

impl CourseRevisions {
    /// Gets the revisions. `version` is the version of the catalogue that the caller has just read.
    /// If another version is in memory, the revisions are loaded again.
    pub(crate) async fn get(
        &self,
        connection: &mut PgConnection,
        version: i64,
    ) -> sqlx::Result<RevisionLookup> {
        let known = self.0.read().unwrap_or_else(PoisonError::into_inner).clone();
        if known.version == version {
            return Ok(RevisionLookup(known));
        }
        let catalogue = Arc::new(load(connection).await?);
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = catalogue.clone();
        Ok(RevisionLookup(catalogue))
    }
}

/// Loads the version and the revisions in one statement, so that they belong together.
async fn load(connection: &mut PgConnection) -> sqlx::Result<Catalogue> {
    let rows = sqlx::query!("SELECT version, id, revision FROM catalogue_version CROSS JOIN course")
        .fetch_all(connection)
        .instrument(span("SELECT course"))
        .await?;
    Ok(Catalogue {
        version: rows.first().map_or(0, |row| row.version),
        revisions: rows.into_iter().map(|row| (row.id, row.revision)).collect(),
    })
}
