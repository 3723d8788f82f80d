//! Exams and their papers.

use std::collections::HashMap;

use kit::page::Page;
use kit_db::span;
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::Instrument as _;

/// Number of exams on a page.
pub(crate) const PAGE_SIZE: u32 = 20;

/// An exam with its papers.
#[derive(Clone, Debug)]
pub(crate) struct Exam {
    pub(crate) id: i64,
    pub(crate) name: String,
    pub(crate) description: String,
    pub(crate) school_year: String,
    /// The product of commerce that grants a seat. `None` for a free exam.
    pub(crate) product_id: Option<i64>,
    /// The number of seats of a free exam. `None` for no limit.
    pub(crate) capacity: Option<i32>,
    /// The number of seats that were taken and not revoked.
    pub(crate) seats_taken: i64,
    pub(crate) application_opens_at: OffsetDateTime,
    pub(crate) application_closes_at: OffsetDateTime,
    pub(crate) starts_at: OffsetDateTime,
    pub(crate) ends_at: OffsetDateTime,
    pub(crate) results_at: OffsetDateTime,
    /// In order.
    pub(crate) papers: Vec<Paper>,
}

impl Exam {
    /// Returns the number of seats left. `None` for a sold exam or no limit.
    pub(crate) fn seats_left(&self) -> Option<i32> {
        let capacity = self.capacity?;
        Some(i32::try_from((i64::from(capacity) - self.seats_taken).max(0)).unwrap_or(i32::MAX))
    }
}

/// A paper of an exam.
#[derive(Clone, Debug)]
pub(crate) struct Paper {
    pub(crate) id: i64,
    pub(crate) exam_id: i64,
    pub(crate) subject: String,
    pub(crate) minutes: i32,
    pub(crate) question_count: i32,
    pub(crate) points: i32,
}

/// Lists one page of the exams that end after `now`, soonest first. Counts all of them.
pub(crate) async fn list_current(
    connection: &mut PgConnection,
    page: Page,
    now: OffsetDateTime,
) -> sqlx::Result<(i64, Vec<Exam>)> {
    let rows = sqlx::query!(
        r#"
        SELECT id, count(*) OVER () AS "count!" FROM exam WHERE ends_at > $1
        ORDER BY starts_at, id LIMIT $2 OFFSET $3
        "#,
        now,
        page.limit(),
        page.offset(),
    )
    .fetch_all(&mut *connection)
    .instrument(span("SELECT exam"))
    .await?;
    let count = rows.first().map_or(0, |row| row.count);
    let ids: Vec<i64> = rows.into_iter().map(|row| row.id).collect();
    Ok((count, list(connection, &ids).await?))
}

/// Finds the next exam of a school year that can still be applied for.
pub(crate) async fn find_next(
    connection: &mut PgConnection,
    school_year: &str,
    now: OffsetDateTime,
) -> sqlx::Result<Option<Exam>> {
    let id = sqlx::query_scalar!(
        "
        SELECT id FROM exam WHERE school_year = $1 AND application_closes_at > $2
        ORDER BY starts_at, id LIMIT 1
        ",
        school_year,
        now,
    )
    .fetch_optional(&mut *connection)
    .instrument(span("SELECT exam"))
    .await?;
    match id {
        Some(id) => find(connection, id).await,
        None => Ok(None),
    }
}

/// Finds an exam.
pub(crate) async fn find(connection: &mut PgConnection, id: i64) -> sqlx::Result<Option<Exam>> {
    Ok(list(connection, &[id]).await?.pop())
}

/// Lists exams, ordered by their start.
pub(crate) async fn list(connection: &mut PgConnection, ids: &[i64]) -> sqlx::Result<Vec<Exam>> {
    let rows = sqlx::query!(
        r#"
        SELECT
            id, name, description, school_year, product_id, capacity,
            application_opens_at, application_closes_at, starts_at, ends_at, results_at,
            (SELECT count(*) FROM seat WHERE seat.exam_id = exam.id AND revoked_at IS NULL) AS "seats_taken!"
        FROM exam
        WHERE id = ANY ($1)
        ORDER BY starts_at, id
        "#,
        ids,
    )
    .fetch_all(&mut *connection)
    .instrument(span("SELECT exam"))
    .await?;
    let mut papers: HashMap<i64, Vec<Paper>> = HashMap::new();
    for paper in list_papers(connection, ids).await? {
        papers.entry(paper.exam_id).or_default().push(paper);
    }
    let exams = rows.into_iter().map(|row| Exam {
        papers: papers.remove(&row.id).unwrap_or_default(),
        id: row.id,
        name: row.name,
        description: row.description,
        school_year: row.school_year,
        product_id: row.product_id,
        capacity: row.capacity,
        seats_taken: row.seats_taken,
        application_opens_at: row.application_opens_at,
        application_closes_at: row.application_closes_at,
        starts_at: row.starts_at,
        ends_at: row.ends_at,
        results_at: row.results_at,
    });
    Ok(exams.collect())
}

/// Lists the papers of exams, by exam and position.
async fn list_papers(connection: &mut PgConnection, exams: &[i64]) -> sqlx::Result<Vec<Paper>> {
    sqlx::query_as!(
        Paper,
        "
        SELECT id, exam_id, subject, minutes, question_count, points FROM paper
        WHERE exam_id = ANY ($1) ORDER BY exam_id, position
        ",
        exams,
    )
    .fetch_all(connection)
    .instrument(span("SELECT paper"))
    .await
}
