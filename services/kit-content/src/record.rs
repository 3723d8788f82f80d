//! The imported versions of content: one row for each.
//!
//! The table in the importing service's own database:
//!
//! ```sql
//! CREATE TABLE content_import (
//!     id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT content_import_pkey PRIMARY KEY,
//!     digest text,
//!     git_commit text,
//!     imported_at timestamptz NOT NULL
//! );
//! ```

#![expect(
    clippy::disallowed_methods,
    reason = "the table lies in every importing service's own database, so no build can check"
)]

use std::fmt;

use kit::Failure;
use kit_db::config::Database;
use kit_db::{Pool, span};
use sqlx::{FromRow, PgConnection};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;
use tracing::Instrument as _;

use super::archive::Version;

/// Records that content of this version was imported; `None` is a folder without a version. The current version is not
/// recorded again. Call it in the transaction of the import.
pub async fn add(
    database: &mut PgConnection,
    version: Option<&Version>,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query(
        "INSERT INTO content_import (digest, git_commit, imported_at) SELECT $1, $2, $3 \
         WHERE NOT EXISTS (SELECT FROM (SELECT digest FROM content_import ORDER BY id DESC LIMIT 1) AS last \
                           WHERE digest IS NOT DISTINCT FROM $1)",
    )
    .bind(version.map(|version| &version.digest))
    .bind(version.and_then(|version| version.commit.as_ref()))
    .bind(now)
    .execute(database)
    .instrument(span("INSERT content_import"))
    .await?;
    Ok(())
}

/// Serialises imports into a database until the transaction ends. Readers are not blocked.
pub async fn lock_imports(database: &mut PgConnection) -> sqlx::Result<()> {
    sqlx::query("SELECT pg_advisory_xact_lock(hashtextextended('import', 0))")
        .execute(database)
        .instrument(span("SELECT pg_advisory_xact_lock"))
        .await?;
    Ok(())
}

/// A recorded import.
#[derive(FromRow)]
struct Import {
    digest: Option<String>,
    git_commit: Option<String>,
    imported_at: OffsetDateTime,
}

/// When, and which version.
impl fmt::Display for Import {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = self.imported_at.format(&Rfc3339).map_err(|_| fmt::Error)?;
        match &self.digest {
            None => write!(out, "{at} a folder, without a version"),
            Some(digest) => {
                let version = Version { digest: digest.clone(), commit: self.git_commit.clone() };
                write!(out, "{at} {version}")
            }
        }
    }
}

/// Prints the last ten versions, newest first, a line each.
#[expect(clippy::print_stdout, reason = "the operator reads it")]
pub async fn print(database: &Database) -> Result<(), Failure> {
    let pool = Pool::connect(database).await?;
    println!("{}", table(&mut *pool.acquire().await?).await?);
    pool.close().await;
    Ok(())
}

async fn table(database: &mut PgConnection) -> sqlx::Result<String> {
    let imports: Vec<Import> = sqlx::query_as(
        "SELECT digest, git_commit, imported_at FROM content_import ORDER BY id DESC LIMIT 10",
    )
    .fetch_all(database)
    .instrument(span("SELECT content_import"))
    .await?;
    if imports.is_empty() {
        return Ok("no content was imported".to_owned());
    }
    Ok(imports.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))
}
