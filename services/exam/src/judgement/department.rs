//! Departments of schools, for judgements.

use kit_db::span;
use sqlx::PgConnection;
use tracing::Instrument as _;
use uuid::Uuid;

use crate::statistics::Tenths;

/// A department to judge.
#[derive(Clone, Debug)]
pub(crate) struct Department {
    pub(crate) school_id: i64,
    pub(crate) school_name: String,
    pub(crate) id: i64,
    pub(crate) name: String,
    /// The 偏差値 with an even chance.
    pub(crate) border: Tenths,
}

/// Finds a department of a school.
pub(crate) async fn find(
    connection: &mut PgConnection,
    school: i64,
    department: i64,
) -> sqlx::Result<Option<Department>> {
    let row = sqlx::query!(
        "
        SELECT school_id, school.name AS school_name, department.id, department.name, border_tenths
        FROM department JOIN school ON school.id = school_id
        WHERE school_id = $1 AND department.id = $2
        ",
        school,
        department,
    )
    .fetch_optional(connection)
    .instrument(span("SELECT department"))
    .await?;
    Ok(row.map(|row| Department {
        school_id: row.school_id,
        school_name: row.school_name,
        id: row.id,
        name: row.name,
        border: Tenths::new(row.border_tenths),
    }))
}

/// Lists a learner's desired departments for an exam, with their ranks.
pub(crate) async fn list_desired(
    connection: &mut PgConnection,
    learner: Uuid,
    exam: i64,
) -> sqlx::Result<Vec<(i32, Department)>> {
    let rows = sqlx::query!(
        "
        SELECT rank, department.school_id, school.name AS school_name, department.id, department.name, border_tenths
        FROM desired_school
        JOIN department ON department.id = department_id
        JOIN school ON school.id = department.school_id
        WHERE learner_id = $1 AND exam_id = $2
        ORDER BY rank
        ",
        learner,
        exam,
    )
    .fetch_all(connection)
    .instrument(span("SELECT desired_school"))
    .await?;
    let departments = rows.into_iter().map(|row| {
        let department = Department {
            school_id: row.school_id,
            school_name: row.school_name,
            id: row.id,
            name: row.name,
            border: Tenths::new(row.border_tenths),
        };
        (row.rank, department)
    });
    Ok(departments.collect())
}
