//! Schools and their departments.

use std::collections::HashMap;

use forms::search::Words;
use kit::page::Page;
use kit_db::span;
use sqlx::PgConnection;
use tracing::Instrument as _;

/// Number of schools on a page.
pub(crate) const PAGE_SIZE: u32 = 20;

/// A school with its departments.
#[derive(Clone, Debug)]
pub(crate) struct School {
    pub(crate) id: i64,
    pub(crate) name: String,
    pub(crate) kana: String,
    pub(crate) prefecture: String,
    pub(crate) counts_school_marks: bool,
    /// In order.
    pub(crate) departments: Vec<Department>,
}

/// A department of a school.
#[derive(Clone, Debug)]
pub(crate) struct Department {
    pub(crate) id: i64,
    pub(crate) name: String,
}

impl School {
    /// Finds a department of the school.
    pub(crate) fn find_department(&self, id: i64) -> Option<&Department> {
        self.departments.iter().find(|department| department.id == id)
    }
}

/// Finds a school.
pub(crate) async fn find(connection: &mut PgConnection, id: i64) -> sqlx::Result<Option<School>> {
    Ok(load(connection, &[id]).await?.remove(&id))
}

/// Loads schools by id.
pub(crate) async fn load(connection: &mut PgConnection, ids: &[i64]) -> sqlx::Result<HashMap<i64, School>> {
    let rows = sqlx::query!(
        "SELECT id, name, kana, prefecture, counts_school_marks FROM school WHERE id = ANY ($1)",
        ids,
    )
    .fetch_all(&mut *connection)
    .instrument(span("SELECT school"))
    .await?;
    let mut departments = list_departments(connection, ids).await?;
    let schools = rows.into_iter().map(|row| {
        let school = School {
            departments: departments.remove(&row.id).unwrap_or_default(),
            id: row.id,
            name: row.name,
            kana: row.kana,
            prefecture: row.prefecture,
            counts_school_marks: row.counts_school_marks,
        };
        (school.id, school)
    });
    Ok(schools.collect())
}

/// Lists one page of the schools that have all words and are in the prefecture, ordered by kana.
/// Counts all of them.
pub(crate) async fn list_page(
    connection: &mut PgConnection,
    words: Option<&Words>,
    prefecture: Option<&str>,
    page: Page,
) -> sqlx::Result<(i64, Vec<School>)> {
    let rows = sqlx::query!(
        r#"
        SELECT id, name, kana, prefecture, counts_school_marks, count(*) OVER () AS "count!"
        FROM school
        WHERE search LIKE ALL ($1) AND ($2::text IS NULL OR prefecture = $2)
        ORDER BY kana COLLATE "ja-x-icu", id
        LIMIT $3 OFFSET $4
        "#,
        &words.map(Words::patterns).unwrap_or_default(),
        prefecture,
        page.limit(),
        page.offset(),
    )
    .fetch_all(&mut *connection)
    .instrument(span("SELECT school"))
    .await?;
    let count = rows.first().map_or(0, |row| row.count);
    let ids: Vec<i64> = rows.iter().map(|row| row.id).collect();
    let mut departments = list_departments(connection, &ids).await?;
    let schools = rows.into_iter().map(|row| School {
        departments: departments.remove(&row.id).unwrap_or_default(),
        id: row.id,
        name: row.name,
        kana: row.kana,
        prefecture: row.prefecture,
        counts_school_marks: row.counts_school_marks,
    });
    Ok((count, schools.collect()))
}

/// Lists the departments of schools in order, by school.
async fn list_departments(
    connection: &mut PgConnection,
    schools: &[i64],
) -> sqlx::Result<HashMap<i64, Vec<Department>>> {
    let rows = sqlx::query!(
        "SELECT id, school_id, name FROM department WHERE school_id = ANY ($1) ORDER BY school_id, position",
        schools,
    )
    .fetch_all(connection)
    .instrument(span("SELECT department"))
    .await?;
    let mut departments: HashMap<i64, Vec<Department>> = HashMap::new();
    for row in rows {
        departments.entry(row.school_id).or_default().push(Department { id: row.id, name: row.name });
    }
    Ok(departments)
}
