//! Loads applications with a fixed number of queries for any number of exams.

use std::collections::{BTreeSet, HashMap};

use kit_db::span;
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::Instrument as _;
use uuid::Uuid;

use super::{Application, BasicInfo, CandidateNumber, DesiredSchool, DeviceCheck, PaperSitting};
use crate::{exam, extra_time, school};

/// Finds the learner's application for an exam, which may be empty. `None` if the exam does not
/// exist.
pub(crate) async fn find(
    connection: &mut PgConnection,
    learner: Uuid,
    exam: i64,
) -> sqlx::Result<Option<Application>> {
    Ok(load(connection, learner, &[exam]).await?.pop())
}

/// Lists the learner's applications and the exams that are open for application at `now`, soonest
/// first. Without `now`, lists only the learner's applications.
pub(crate) async fn list(
    connection: &mut PgConnection,
    learner: Uuid,
    now: Option<OffsetDateTime>,
) -> sqlx::Result<Vec<Application>> {
    let ids = sqlx::query_scalar!(
        "
        SELECT id FROM exam
        WHERE
            (application_opens_at <= $2 AND application_closes_at > $2)
            OR id IN (SELECT exam_id FROM seat WHERE learner_id = $1 AND revoked_at IS NULL)
            OR id IN (SELECT exam_id FROM application WHERE learner_id = $1)
        ",
        learner,
        now,
    )
    .fetch_all(&mut *connection)
    .instrument(span("SELECT exam"))
    .await?;
    load(connection, learner, &ids).await
}

async fn load(connection: &mut PgConnection, learner: Uuid, exams: &[i64]) -> sqlx::Result<Vec<Application>> {
    let seats = sqlx::query_scalar!(
        r#"
        SELECT exam_id AS "exam_id!" FROM seat
        WHERE learner_id = $1 AND exam_id = ANY ($2) AND revoked_at IS NULL
        "#,
        learner,
        exams,
    )
    .fetch_all(&mut *connection)
    .instrument(span("SELECT seat"))
    .await?;
    let seats: BTreeSet<i64> = seats.into_iter().collect();
    let mut infos = load_infos(connection, learner, exams).await?;
    let mut desired = load_desired(connection, learner, exams).await?;
    let mut checks = load_checks(connection, learner, exams).await?;
    let mut sittings = load_sittings(connection, learner, exams).await?;
    let time_percent = extra_time::find_percent(connection, learner).await?;
    let exams = exam::list(connection, exams).await?.into_iter();
    let applications = exams.map(|exam| {
        let (basic_info, candidate_number) = infos.remove(&exam.id).unzip();
        Application {
            has_seat: seats.contains(&exam.id),
            basic_info,
            candidate_number: candidate_number.flatten(),
            desired_schools: desired.remove(&exam.id).unwrap_or_default(),
            device_checks: checks.remove(&exam.id).unwrap_or_default(),
            sittings: sittings.remove(&exam.id).unwrap_or_default(),
            time_percent,
            exam,
        }
    });
    Ok(applications.collect())
}

async fn load_infos(
    connection: &mut PgConnection,
    learner: Uuid,
    exams: &[i64],
) -> sqlx::Result<HashMap<i64, (BasicInfo, Option<CandidateNumber>)>> {
    let rows = sqlx::query!(
        "
        SELECT
            exam_id, last_name, first_name, last_kana, first_kana, school_year, school_name, prefecture,
            candidate_number
        FROM application WHERE learner_id = $1 AND exam_id = ANY ($2)
        ",
        learner,
        exams,
    )
    .fetch_all(connection)
    .instrument(span("SELECT application"))
    .await?;
    let infos = rows.into_iter().map(|row| {
        let info = BasicInfo {
            last_name: row.last_name,
            first_name: row.first_name,
            last_kana: row.last_kana,
            first_kana: row.first_kana,
            school_year: row.school_year,
            school_name: row.school_name,
            prefecture: row.prefecture,
        };
        (row.exam_id, (info, row.candidate_number.map(CandidateNumber)))
    });
    Ok(infos.collect())
}

async fn load_desired(
    connection: &mut PgConnection,
    learner: Uuid,
    exams: &[i64],
) -> sqlx::Result<HashMap<i64, Vec<DesiredSchool>>> {
    let rows = sqlx::query!(
        "
        SELECT exam_id, rank, school_id, department_id, school_marks FROM desired_school
        WHERE learner_id = $1 AND exam_id = ANY ($2) ORDER BY exam_id, rank
        ",
        learner,
        exams,
    )
    .fetch_all(&mut *connection)
    .instrument(span("SELECT desired_school"))
    .await?;
    let ids: Vec<i64> = rows.iter().map(|row| row.school_id).collect();
    let schools = school::load(connection, &ids).await?;
    let mut desired: HashMap<i64, Vec<DesiredSchool>> = HashMap::new();
    for row in rows {
        let school = schools.get(&row.school_id);
        let department = school.and_then(|school| school.find_department(row.department_id));
        if let (Some(school), Some(department)) = (school, department) {
            desired.entry(row.exam_id).or_default().push(DesiredSchool {
                rank: row.rank,
                school: school.clone(),
                department: department.clone(),
                school_marks: row.school_marks,
            });
        }
    }
    Ok(desired)
}

async fn load_checks(
    connection: &mut PgConnection,
    learner: Uuid,
    exams: &[i64],
) -> sqlx::Result<HashMap<i64, Vec<DeviceCheck>>> {
    let rows = sqlx::query!(
        "
        SELECT exam_id, device_id, passed, checked_at FROM device_check
        WHERE learner_id = $1 AND exam_id = ANY ($2) ORDER BY exam_id, checked_at DESC, device_id
        ",
        learner,
        exams,
    )
    .fetch_all(connection)
    .instrument(span("SELECT device_check"))
    .await?;
    let mut checks: HashMap<i64, Vec<DeviceCheck>> = HashMap::new();
    for row in rows {
        let check = DeviceCheck { device_id: row.device_id, passed: row.passed, checked_at: row.checked_at };
        checks.entry(row.exam_id).or_default().push(check);
    }
    Ok(checks)
}

async fn load_sittings(
    connection: &mut PgConnection,
    learner: Uuid,
    exams: &[i64],
) -> sqlx::Result<HashMap<i64, Vec<PaperSitting>>> {
    let rows = sqlx::query!(
        r#"
        SELECT
            paper.exam_id, sitting.paper_id, sitting.id,
            (convert_from(sitting.transcript, 'UTF8')::jsonb ->> 'handed_in_at')::timestamptz AS handed_in_at
        FROM sitting
        JOIN paper ON paper.id = sitting.paper_id
        WHERE sitting.learner_id = $1 AND paper.exam_id = ANY ($2)
        "#,
        learner,
        exams,
    )
    .fetch_all(connection)
    .instrument(span("SELECT sitting"))
    .await?;
    let mut sittings: HashMap<i64, Vec<PaperSitting>> = HashMap::new();
    for row in rows {
        let sitting = PaperSitting { paper_id: row.paper_id, id: row.id, handed_in_at: row.handed_in_at };
        sittings.entry(row.exam_id).or_default().push(sitting);
    }
    Ok(sittings)
}
