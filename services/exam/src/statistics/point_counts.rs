//! Counting candidates by their points.

use kit_db::span;
use sqlx::PgConnection;
use tracing::Instrument as _;

/// The numbers of candidates of an exam with 0, 1, 2, … points.
pub(crate) struct PointCounts {
    /// By the total of those who sat every paper.
    pub(crate) total: Vec<i64>,
    /// In order.
    pub(crate) papers: Vec<PaperCounts>,
}

/// The numbers of candidates of a paper with 0, 1, 2, … points.
pub(crate) struct PaperCounts {
    pub(crate) paper_id: i64,
    pub(crate) counts: Vec<i64>,
}

impl PointCounts {
    /// Counts the marks of an exam.
    pub(crate) async fn count(connection: &mut PgConnection, exam: i64) -> sqlx::Result<Self> {
        let papers = sqlx::query_as!(
            PaperCounts,
            r#"
            SELECT paper.id AS paper_id, ARRAY (
                SELECT count(mark.sitting_id)
                FROM generate_series(0, paper.points) AS possible (points)
                LEFT JOIN mark ON mark.paper_id = paper.id AND mark.points = possible.points
                GROUP BY possible.points
                ORDER BY possible.points
            ) AS "counts!"
            FROM paper
            WHERE paper.exam_id = $1
            ORDER BY position
            "#,
            exam,
        )
        .fetch_all(&mut *connection)
        .instrument(span("SELECT mark"))
        .await?;
        let total = sqlx::query_scalar!(
            r#"
            WITH total AS (
                SELECT sum(mark.points) AS points
                FROM mark JOIN paper ON paper.id = paper_id
                WHERE exam_id = $1
                GROUP BY learner_id
                HAVING count(*) = (SELECT count(*) FROM paper WHERE exam_id = $1)
            ), counted AS (
                SELECT points, count(*) AS candidates FROM total GROUP BY points
            )
            SELECT ARRAY (
                SELECT coalesce(candidates, 0)
                FROM generate_series(0, (SELECT sum(points) FROM paper WHERE exam_id = $1)) AS possible (points)
                LEFT JOIN counted ON counted.points = possible.points
                ORDER BY possible.points
            ) AS "counts!"
            "#,
            exam,
        )
        .fetch_one(connection)
        .instrument(span("SELECT mark"))
        .await?;
        Ok(Self { total, papers })
    }
}
