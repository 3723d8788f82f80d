//! The ranked schools that a learner wants to enter.

use kit::error::FieldError;
use kit_db::span;
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::Instrument as _;
use uuid::Uuid;

use super::lock;
use crate::error::Error;
use crate::school::{self, Department, School};

/// The maximum number of desired schools of an application.
const MOST: i32 = 5;
/// Range of 内申点: nine subjects with 1 to 5 each.
const MARKS: std::ops::RangeInclusive<i32> = 9..=45;

/// A desired school of an application.
#[derive(Clone, Debug)]
pub(crate) struct DesiredSchool {
    /// From 1.
    pub(crate) rank: i32,
    pub(crate) school: School,
    pub(crate) department: Department,
    /// 内申点.
    pub(crate) school_marks: Option<i32>,
}

/// A learner's choice for a rank.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SchoolWish {
    pub(crate) rank: i32,
    pub(crate) school_id: i64,
    pub(crate) department_id: i64,
    pub(crate) school_marks: Option<i32>,
}

/// Adds or replaces the desired school of a rank.
pub(crate) async fn set_desired_school(
    connection: &mut PgConnection,
    learner: Uuid,
    exam: i64,
    wish: SchoolWish,
    now: OffsetDateTime,
) -> Result<(), Error> {
    let wrong = |name, code| Error::Field(FieldError::new(name, code));
    let SchoolWish { rank, school_id, department_id, school_marks } = wish;
    let application = lock(connection, learner, exam).await?;
    application.require_open(now)?;
    application.require_not_started()?;
    if application.basic_info.is_none() {
        return Err(Error::StepNotOpen);
    }
    if !(1..=MOST).contains(&rank) {
        return Err(wrong("rank", "OUT_OF_RANGE"));
    }
    let school = school::find(connection, school_id).await?;
    let school = school.ok_or_else(|| wrong("school_id", "UNKNOWN_CHOICE"))?;
    if !school.departments.iter().any(|department| department.id == department_id) {
        return Err(wrong("department_id", "UNKNOWN_CHOICE"));
    }
    if school_marks.is_some_and(|marks| !school.counts_school_marks || !MARKS.contains(&marks)) {
        return Err(wrong("school_marks", "OUT_OF_RANGE"));
    }
    let others = application.desired_schools.iter().filter(|desired| desired.rank != rank);
    if others.clone().any(|desired| desired.school.id == school_id) {
        return Err(Error::SchoolTwice);
    }
    if rank > 1 && !others.clone().any(|desired| desired.rank == rank - 1) {
        return Err(Error::RankGap);
    }
    sqlx::query!(
        "
        INSERT INTO desired_school (learner_id, exam_id, rank, school_id, department_id, school_marks)
        VALUES ($1, $2, $3, $4, $5, $6)
        ON CONFLICT ON CONSTRAINT desired_school_pkey DO UPDATE SET
            school_id = excluded.school_id,
            department_id = excluded.department_id,
            school_marks = excluded.school_marks
        ",
        learner,
        exam,
        rank,
        school_id,
        department_id,
        school_marks,
    )
    .execute(connection)
    .instrument(span("INSERT desired_school"))
    .await?;
    Ok(())
}

/// Deletes the desired school of a rank. The schools after it move up.
pub(crate) async fn clear_desired_school(
    connection: &mut PgConnection,
    learner: Uuid,
    exam: i64,
    rank: i32,
    now: OffsetDateTime,
) -> Result<(), Error> {
    let application = lock(connection, learner, exam).await?;
    application.require_open(now)?;
    application.require_not_started()?;
    if !application.desired_schools.iter().any(|desired| desired.rank == rank) {
        return Err(Error::NotFound);
    }
    sqlx::query!(
        "DELETE FROM desired_school WHERE learner_id = $1 AND exam_id = $2 AND rank = $3",
        learner,
        exam,
        rank,
    )
    .execute(&mut *connection)
    .instrument(span("DELETE desired_school"))
    .await?;
    // One row at a time, because one statement could violate the primary key between its rows.
    for behind in application.desired_schools.iter().map(|desired| desired.rank).filter(|other| *other > rank)
    {
        sqlx::query!(
            "UPDATE desired_school SET rank = rank - 1 WHERE learner_id = $1 AND exam_id = $2 AND rank = $3",
            learner,
            exam,
            behind,
        )
        .execute(&mut *connection)
        .instrument(span("UPDATE desired_school"))
        .await?;
    }
    Ok(())
}
