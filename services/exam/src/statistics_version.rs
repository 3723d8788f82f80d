//! Versions of the statistics of an exam with a final result: its distributions and its item analysis.
//!
//! Version 1 has the distributions that the results are made with, which never change. A later version
//! counts the marks that exist when it is computed. Versions without a change of the marks have equal
//! figures, because they are computed with integers in PostgreSQL.

mod figures;
mod item;

pub use figures::{Choice, Figures, Item, Paper};

use kit::clock::Clock;
use kit_db::{Pool, span};
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::Instrument as _;

use crate::statistics::{PaperCounts, PointCounts};

/// The version that has the distributions of the results.
const FIRST: i32 = 1;

/// Why a command for statistics is refused.
#[derive(Debug, thiserror::Error)]
pub enum StatisticsError {
    /// The exam has no final result.
    #[error(
        "exam {0} has no final result: its statistics have versions once every paper is marked after its end"
    )]
    NotFinal(i64),
    /// The exam has no such version.
    #[error(
        "exam {exam} has no version {version} of its statistics: `exam statistics versions {exam}` lists them"
    )]
    NoVersion {
        /// The exam.
        exam: i64,
        /// The version.
        version: i32,
    },
    /// A SQL statement failed.
    #[error("the database failed: {0}")]
    Database(#[from] sqlx::Error),
}

/// A version of an exam's statistics.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Version {
    /// From 1.
    pub version: i32,
    /// When its marks were counted.
    pub computed_at: OffsetDateTime,
    /// SHA-256 of the printed [`Figures`], in hexadecimal.
    pub digest: String,
}

impl Version {
    /// Whether results are made with its distributions.
    #[must_use]
    pub fn has_results(&self) -> bool {
        self.version == FIRST
    }
}

/// The versions in one database.
#[derive(Clone)]
pub struct StatisticsVersions {
    pool: Pool,
    clock: Clock,
}

impl StatisticsVersions {
    /// Opens the versions.
    #[must_use]
    pub fn new(pool: Pool, clock: Clock) -> Self {
        Self { pool, clock }
    }

    /// Computes version 1 of each exam that has a final result and no version. Skips exams that another
    /// replica has locked.
    ///
    /// # Errors
    ///
    /// A failing database.
    pub async fn add_missing(&self) -> sqlx::Result<()> {
        while self.has_missing().await? {
            let mut transaction = self.pool.begin().await?;
            allow_long_statements(&mut transaction).await?;
            let Some(exam) = lock_missing(&mut transaction).await? else { return Ok(()) };
            add_first(&mut transaction, exam).await?;
            transaction.commit().await?;
        }
        Ok(())
    }

    /// Whether an exam has a final result and no version.
    async fn has_missing(&self) -> sqlx::Result<bool> {
        let mut connection = self.pool.acquire().await?;
        // No span, because it runs often and usually finds nothing.
        let has_missing = sqlx::query_scalar!(
            r#"
            SELECT EXISTS (
                SELECT FROM exam_statistics
                WHERE is_final AND NOT EXISTS (
                    SELECT FROM statistics_version WHERE statistics_version.exam_id = exam_statistics.exam_id
                )
            ) AS "has_missing!"
            "#
        )
        .fetch_one(&mut *connection)
        .await?;
        self.pool.keep(connection);
        Ok(has_missing)
    }

    /// Computes a new version from the marks that exist now. Returns its number. Results keep the
    /// distributions of version 1.
    ///
    /// # Errors
    ///
    /// See [`StatisticsError`].
    pub async fn add(&self, exam: i64) -> Result<i32, StatisticsError> {
        let mut transaction = self.pool.begin().await?;
        allow_long_statements(&mut transaction).await?;
        // Versions follow each other.
        sqlx::query!("SELECT exam_id FROM exam_statistics WHERE exam_id = $1 AND is_final FOR UPDATE", exam)
            .fetch_optional(&mut *transaction)
            .instrument(span("SELECT exam_statistics"))
            .await?
            .ok_or(StatisticsError::NotFinal(exam))?;
        add_first(&mut transaction, exam).await?;
        let version = add_next(&mut transaction, exam, self.clock.now()).await?;
        transaction.commit().await?;
        Ok(version)
    }

    /// Lists the versions of an exam, oldest first.
    ///
    /// # Errors
    ///
    /// A failing database.
    pub async fn list(&self, exam: i64) -> Result<Vec<Version>, StatisticsError> {
        let mut connection = self.pool.acquire().await?;
        let rows = sqlx::query!(
            "SELECT version, computed_at FROM statistics_version WHERE exam_id = $1 ORDER BY version",
            exam,
        )
        .fetch_all(&mut *connection)
        .instrument(span("SELECT statistics_version"))
        .await?;
        let mut versions = Vec::with_capacity(rows.len());
        for row in rows {
            let digest = Figures::find(&mut connection, exam, row.version).await?.digest();
            versions.push(Version { version: row.version, computed_at: row.computed_at, digest });
        }
        self.pool.keep(connection);
        Ok(versions)
    }

    /// Finds the figures of a version, by default those of version 1.
    ///
    /// # Errors
    ///
    /// See [`StatisticsError`].
    pub async fn find(&self, exam: i64, version: Option<i32>) -> Result<Figures, StatisticsError> {
        let wanted = version.unwrap_or(FIRST);
        let mut connection = self.pool.acquire().await?;
        let found = sqlx::query!(
            "SELECT version FROM statistics_version WHERE exam_id = $1 AND version = $2",
            exam,
            wanted,
        )
        .fetch_optional(&mut *connection)
        .instrument(span("SELECT statistics_version"))
        .await?;
        if found.is_none() {
            return Err(match version {
                Some(version) => StatisticsError::NoVersion { exam, version },
                None => StatisticsError::NotFinal(exam),
            });
        }
        let figures = Figures::find(&mut connection, exam, wanted).await?;
        self.pool.keep(connection);
        Ok(figures)
    }
}

/// Lets the statements of the transaction take ten minutes. An exam with 100,000 candidates has millions of
/// answers.
async fn allow_long_statements(connection: &mut PgConnection) -> sqlx::Result<()> {
    sqlx::query!("SET LOCAL statement_timeout = '10min'").execute(connection).await?;
    Ok(())
}

/// Locks an exam with a final result and without a version. `None` if other replicas have locked all of them.
async fn lock_missing(connection: &mut PgConnection) -> sqlx::Result<Option<i64>> {
    sqlx::query_scalar!(
        "
        SELECT exam_id FROM exam_statistics
        WHERE is_final AND NOT EXISTS (
            SELECT FROM statistics_version WHERE statistics_version.exam_id = exam_statistics.exam_id
        )
        ORDER BY exam_id
        LIMIT 1
        FOR UPDATE SKIP LOCKED
        ",
    )
    .fetch_optional(connection)
    .instrument(span("SELECT exam_statistics"))
    .await
}

/// Adds version 1 with the final distributions, unless it exists.
async fn add_first(connection: &mut PgConnection, exam: i64) -> sqlx::Result<()> {
    let added = sqlx::query!(
        "
        INSERT INTO statistics_version (exam_id, version, computed_at, counts)
        SELECT exam_id, $2, computed_at, counts FROM exam_statistics WHERE exam_id = $1
        ON CONFLICT ON CONSTRAINT statistics_version_pkey DO NOTHING
        ",
        exam,
        FIRST,
    )
    .execute(&mut *connection)
    .instrument(span("INSERT statistics_version"))
    .await?;
    if added.rows_affected() == 0 {
        return Ok(());
    }
    sqlx::query!(
        "
        INSERT INTO paper_statistics_version (exam_id, version, paper_id, counts)
        SELECT exam_id, $2, paper_id, counts FROM paper_statistics JOIN paper ON paper.id = paper_id
        WHERE exam_id = $1
        ",
        exam,
        FIRST,
    )
    .execute(&mut *connection)
    .instrument(span("INSERT paper_statistics_version"))
    .await?;
    item::analyze(connection, exam, FIRST).await
}

/// Adds a version with the distributions of the marks that exist now. Returns its number.
async fn add_next(connection: &mut PgConnection, exam: i64, now: OffsetDateTime) -> sqlx::Result<i32> {
    let counts = PointCounts::count(connection, exam).await?;
    let version = sqlx::query_scalar!(
        "
        INSERT INTO statistics_version (exam_id, version, computed_at, counts)
        SELECT $1, max(version) + 1, $2, $3 FROM statistics_version WHERE exam_id = $1
        RETURNING version
        ",
        exam,
        now,
        &counts.total,
    )
    .fetch_one(&mut *connection)
    .instrument(span("INSERT statistics_version"))
    .await?;
    for PaperCounts { paper_id, counts } in &counts.papers {
        sqlx::query!(
            "INSERT INTO paper_statistics_version (exam_id, version, paper_id, counts) VALUES ($1, $2, $3, $4)",
            exam,
            version,
            paper_id,
            counts,
        )
        .execute(&mut *connection)
        .instrument(span("INSERT paper_statistics_version"))
        .await?;
    }
    item::analyze(connection, exam, version).await?;
    Ok(version)
}
