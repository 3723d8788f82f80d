//! Teachers.

use kit::page::Page;
use kit_db::span;
use serde::Serialize;
use sqlx::PgConnection;
use tracing::Instrument as _;

/// Number of teachers on a page.
pub(crate) const PAGE_SIZE: u32 = 20;

/// The authored content of a teacher.
#[derive(Debug, PartialEq, Serialize)]
pub(crate) struct Teacher {
    pub(crate) id: i64,
    pub(crate) name: String,
    pub(crate) kana: String,
    /// Not limited to [`crate::course::SUBJECTS`].
    pub(crate) subjects: Vec<String>,
    pub(crate) message: String,
    pub(crate) career: String,
}

/// Lists one page of the teachers, ordered by kana. Counts all of them. Empty beyond the last page.
pub(crate) async fn list_page(
    connection: &mut PgConnection,
    page: Page,
) -> sqlx::Result<(i64, Vec<Teacher>)> {
    let rows = sqlx::query!(
        r#"
        SELECT id, name, kana, subjects, message, career, count(*) OVER () AS "count!"
        FROM teacher
        ORDER BY kana COLLATE "ja-x-icu", id
        LIMIT $1 OFFSET $2
        "#,
        page.limit(),
        page.offset(),
    )
    .fetch_all(connection)
    .instrument(span("SELECT teacher"))
    .await?;
    let count = rows.first().map_or(0, |row| row.count);
    let teachers = rows.into_iter().map(|row| Teacher {
        id: row.id,
        name: row.name,
        kana: row.kana,
        subjects: row.subjects,
        message: row.message,
        career: row.career,
    });
    Ok((count, teachers.collect()))
}

/// Lists all teachers by id.
pub(crate) async fn list_all(connection: &mut PgConnection) -> sqlx::Result<Vec<Teacher>> {
    sqlx::query_as!(Teacher, "SELECT id, name, kana, subjects, message, career FROM teacher ORDER BY id")
        .fetch_all(connection)
        .instrument(span("SELECT teacher"))
        .await
}

/// Finds a teacher.
pub(crate) async fn find(connection: &mut PgConnection, id: i64) -> sqlx::Result<Option<Teacher>> {
    sqlx::query_as!(
        Teacher,
        "SELECT id, name, kana, subjects, message, career FROM teacher WHERE id = $1",
        id,
    )
    .fetch_optional(connection)
    .instrument(span("SELECT teacher"))
    .await
}

/// Inserts or replaces a teacher.
pub(crate) async fn put(connection: &mut PgConnection, teacher: &Teacher) -> sqlx::Result<()> {
    sqlx::query!(
        "
        INSERT INTO teacher (id, name, kana, subjects, message, career)
        VALUES ($1, $2, $3, $4, $5, $6)
        ON CONFLICT (id) DO UPDATE SET
            name = excluded.name,
            kana = excluded.kana,
            subjects = excluded.subjects,
            message = excluded.message,
            career = excluded.career
        ",
        teacher.id,
        teacher.name,
        teacher.kana,
        &teacher.subjects,
        teacher.message,
        teacher.career,
    )
    .execute(connection)
    .instrument(span("INSERT teacher"))
    .await?;
    Ok(())
}
