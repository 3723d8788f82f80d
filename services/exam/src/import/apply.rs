//! Writes the parts of the folder that differ from the database.

mod stored;

use std::collections::HashMap;

use kit::Failure;
use kit_content::{Difference, Faults};
use kit_db::span;
use sqlx::PgConnection;
use sqlx::types::Json;
use tracing::Instrument as _;

use super::checks::AuthoredCheck;
use super::exams::{AuthoredPaper, ExamContent};
use super::figures::Figures;
use super::folder::Folder;
use super::schools::AuthoredSchool;
use crate::question::{Content, Question};

use stored::{StoredContent, StoredPaper};

/// Writes new and changed content. Returns the difference.
pub(super) async fn write(connection: &mut PgConnection, folder: &Folder) -> Result<Difference, Failure> {
    let before = stored::load(connection).await?;
    let mut faults = Faults::default();
    note_missing(&before, folder, &mut faults);
    note_frozen(&before, folder, &mut faults);
    faults.into_result()?;

    let mut difference = Difference::default();
    for school in &folder.schools {
        if difference.note("school", school.id, &school.name, before.schools.get(&school.id), school) {
            write_school(connection, school).await?;
        }
    }
    for exam in &folder.exams {
        let content = &exam.content;
        if difference.note("exam", content.id, &content.name, before.exams.get(&content.id), content) {
            write_exam(connection, content).await?;
        }
    }
    for paper in folder.exams.iter().flat_map(|exam| &exam.papers) {
        let old = before.papers.get(&paper.id).map(|old| &old.paper);
        if difference.note("paper", paper.id, &paper.subject, old, paper) {
            write_paper(connection, paper).await?;
        }
    }
    for check in &folder.checks {
        if difference.note("check", check.id, &check.title, before.checks.get(&check.id), check) {
            write_check(connection, check).await?;
        }
    }
    for (id, old) in &before.checks {
        if !folder.checks.iter().any(|check| check.id == *id) {
            difference.gone("check", id, &old.title);
            delete_check(connection, *id).await?;
        }
    }
    write_figures(connection, &folder.figures).await?;
    Ok(difference)
}

/// Notes content that is in the database and not in the folder, and that applications may refer to.
fn note_missing(before: &StoredContent, folder: &Folder, faults: &mut Faults) {
    let mut missing = |file: &str, what: String| {
        faults.add_whole(file, "id", format!("{what} is missing, and applications may refer to it"));
    };
    for (id, exam) in &before.exams {
        if !folder.exams.iter().any(|new| new.content.id == *id) {
            missing("exams", format!("exam {id} ({})", exam.name));
        }
    }
    let papers: Vec<i64> = folder.exams.iter().flat_map(|exam| &exam.papers).map(|paper| paper.id).collect();
    for (id, StoredPaper { paper, .. }) in &before.papers {
        if !papers.contains(id) {
            missing(&format!("exams/{}.yaml", paper.exam_id), format!("paper {id} ({})", paper.subject));
        }
    }
    let by_id: HashMap<i64, &AuthoredSchool> =
        folder.schools.iter().map(|school| (school.id, school)).collect();
    for (id, school) in &before.schools {
        let Some(new) = by_id.get(id) else {
            missing("schools.yaml", format!("school {id} ({})", school.name));
            continue;
        };
        for old in &school.departments {
            if !new.departments.iter().any(|department| department.id == old.id) {
                missing("schools.yaml", format!("department {} ({} {})", old.id, school.name, old.name));
            }
        }
    }
}

/// Notes the started papers that changed for candidates.
fn note_frozen(before: &StoredContent, folder: &Folder, faults: &mut Faults) {
    for paper in folder.exams.iter().flat_map(|exam| &exam.papers) {
        let old = before.papers.get(&paper.id);
        let old = old.filter(|old| old.is_frozen && !old.paper.is_same_to_candidates(paper));
        if let Some(old) = old {
            faults.add_whole(
                &format!("exams/{}.yaml", paper.exam_id),
                "papers",
                format!(
                    "paper {} ({}) changed, and a learner has started it already: give a changed paper a new id",
                    paper.id, old.paper.subject
                ),
            );
        }
    }
}

async fn write_school(connection: &mut PgConnection, school: &AuthoredSchool) -> sqlx::Result<()> {
    sqlx::query!(
        "
        INSERT INTO school (id, name, kana, prefecture, counts_school_marks, search)
        VALUES ($1, $2, $3, $4, $5, $6)
        ON CONFLICT (id) DO UPDATE SET
            name = excluded.name,
            kana = excluded.kana,
            prefecture = excluded.prefecture,
            counts_school_marks = excluded.counts_school_marks,
            search = excluded.search
        ",
        school.id,
        school.name,
        school.kana,
        school.prefecture,
        school.counts_school_marks,
        school.search_text(),
    )
    .execute(&mut *connection)
    .instrument(span("INSERT school"))
    .await?;
    for (department, position) in school.departments.iter().zip(1..) {
        sqlx::query!(
            "
            INSERT INTO department (id, school_id, position, name, border_tenths) VALUES ($1, $2, $3, $4, $5)
            ON CONFLICT (id) DO UPDATE SET
                school_id = excluded.school_id,
                position = excluded.position,
                name = excluded.name,
                border_tenths = excluded.border_tenths
            ",
            department.id,
            school.id,
            position,
            department.name,
            department.border_tenths,
        )
        .execute(&mut *connection)
        .instrument(span("INSERT department"))
        .await?;
    }
    Ok(())
}

async fn write_exam(connection: &mut PgConnection, exam: &ExamContent) -> sqlx::Result<()> {
    sqlx::query!(
        "
        INSERT INTO exam (
            id, name, description, school_year, product_id, capacity,
            application_opens_at, application_closes_at, starts_at, ends_at, results_at
        )
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
        ON CONFLICT (id) DO UPDATE SET
            name = excluded.name,
            description = excluded.description,
            school_year = excluded.school_year,
            product_id = excluded.product_id,
            capacity = excluded.capacity,
            application_opens_at = excluded.application_opens_at,
            application_closes_at = excluded.application_closes_at,
            starts_at = excluded.starts_at,
            ends_at = excluded.ends_at,
            results_at = excluded.results_at
        ",
        exam.id,
        exam.name,
        exam.description,
        exam.school_year,
        exam.product_id,
        exam.capacity,
        exam.application_opens_at,
        exam.application_closes_at,
        exam.starts_at,
        exam.ends_at,
        exam.results_at,
    )
    .execute(connection)
    .instrument(span("INSERT exam"))
    .await?;
    Ok(())
}

async fn write_paper(connection: &mut PgConnection, paper: &AuthoredPaper) -> sqlx::Result<()> {
    sqlx::query!(
        "
        INSERT INTO paper (id, exam_id, position, subject, minutes, question_count, points, revision)
        VALUES ($1, $2, $3, $4, $5, $6, $7, 1)
        ON CONFLICT (id) DO UPDATE SET
            exam_id = excluded.exam_id,
            position = excluded.position,
            subject = excluded.subject,
            minutes = excluded.minutes,
            question_count = excluded.question_count,
            points = excluded.points,
            revision = paper.revision + 1
        ",
        paper.id,
        paper.exam_id,
        paper.position,
        paper.subject,
        paper.minutes,
        count(&paper.questions),
        paper.points(),
    )
    .execute(&mut *connection)
    .instrument(span("INSERT paper"))
    .await?;
    let kept: Vec<i64> = paper.questions.iter().map(|question| question.id).collect();
    sqlx::query!("DELETE FROM question WHERE paper_id = $1 AND id <> ALL ($2)", paper.id, &kept)
        .execute(&mut *connection)
        .instrument(span("DELETE question"))
        .await?;
    write_questions(connection, Some(paper.id), None, &paper.questions).await
}

async fn write_check(connection: &mut PgConnection, check: &AuthoredCheck) -> sqlx::Result<()> {
    sqlx::query!(
        "
        INSERT INTO free_check (id, school_year, subject, title, course_ids, question_count, revision)
        VALUES ($1, $2, $3, $4, $5, $6, 1)
        ON CONFLICT (id) DO UPDATE SET
            school_year = excluded.school_year,
            subject = excluded.subject,
            title = excluded.title,
            course_ids = excluded.course_ids,
            question_count = excluded.question_count,
            revision = free_check.revision + 1
        ",
        check.id,
        check.school_year,
        check.subject,
        check.title,
        &check.course_ids,
        count(&check.questions),
    )
    .execute(&mut *connection)
    .instrument(span("INSERT free_check"))
    .await?;
    sqlx::query!("DELETE FROM question WHERE check_id = $1", check.id)
        .execute(&mut *connection)
        .instrument(span("DELETE question"))
        .await?;
    write_questions(connection, None, Some(check.id), &check.questions).await
}

async fn write_questions(
    connection: &mut PgConnection,
    paper: Option<i64>,
    check: Option<i64>,
    questions: &[Question],
) -> sqlx::Result<()> {
    for question in questions {
        sqlx::query!(
            "
            INSERT INTO question (id, paper_id, check_id, number, content) VALUES ($1, $2, $3, $4, $5)
            ON CONFLICT (id) DO UPDATE SET number = excluded.number, content = excluded.content
            ",
            question.id,
            paper,
            check,
            question.number,
            Json(&question.content) as Json<&Content>,
        )
        .execute(&mut *connection)
        .instrument(span("INSERT question"))
        .await?;
    }
    Ok(())
}

async fn delete_check(connection: &mut PgConnection, id: i64) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM question WHERE check_id = $1", id)
        .execute(&mut *connection)
        .instrument(span("DELETE question"))
        .await?;
    sqlx::query!("DELETE FROM free_check WHERE id = $1", id)
        .execute(connection)
        .instrument(span("DELETE free_check"))
        .await?;
    Ok(())
}

/// Writes the figures of the folder. Deletes those that no question uses.
async fn write_figures(connection: &mut PgConnection, figures: &Figures) -> sqlx::Result<()> {
    let (names, svgs): (Vec<String>, Vec<String>) =
        figures.0.iter().map(|(name, svg)| (name.clone(), svg.clone())).unzip();
    sqlx::query!("DELETE FROM figure WHERE name <> ALL ($1)", &names)
        .execute(&mut *connection)
        .instrument(span("DELETE figure"))
        .await?;
    sqlx::query!(
        "
        INSERT INTO figure (name, svg) SELECT * FROM unnest($1::text[], $2::text[])
        ON CONFLICT ON CONSTRAINT figure_pkey DO NOTHING
        ",
        &names,
        &svgs,
    )
    .execute(connection)
    .instrument(span("INSERT figure"))
    .await?;
    Ok(())
}

fn count(questions: &[Question]) -> i32 {
    i32::try_from(questions.len()).unwrap_or(i32::MAX)
}
