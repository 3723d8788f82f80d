//! Writes the catalogue, as far as it differs from what is there.

use std::collections::HashMap;

use kit::Failure;
use kit::content::Faults;
use kit::db::span;
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::Instrument as _;

use super::Outcome;
use super::folder::{Folder, Teacher};
use crate::course::{self, Content};

/// Writes teachers and courses that are new or other than before.
pub(super) async fn catalogue(
    connection: &mut PgConnection,
    folder: &Folder,
    now: OffsetDateTime,
    outcome: &mut Outcome,
) -> Result<(), Failure> {
    let before = courses(connection).await?;
    let mut faults = Faults::default();
    missing_teachers(connection, folder, &mut faults).await?;
    missing_courses(&before, folder, &mut faults);
    faults.into_result()?;

    for teacher in &folder.teachers {
        outcome.teachers += write_teacher(connection, teacher).await?;
    }
    for content in &folder.courses {
        match before.get(&content.id) {
            Some(before) if before == content => {
                outcome.courses_kept += 1;
                continue;
            }
            Some(_) => outcome.courses_changed += 1,
            None => outcome.courses_added += 1,
        }
        write_course(connection, content, now).await?;
        write_media(connection, content).await?;
        write_tree(connection, content).await?;
    }
    Ok(())
}

async fn courses(connection: &mut PgConnection) -> sqlx::Result<HashMap<i64, Content>> {
    let ids = sqlx::query_scalar!("SELECT id FROM course")
        .fetch_all(&mut *connection)
        .instrument(span("SELECT course"))
        .await?;
    let courses = course::load(connection, &ids).await?;
    Ok(courses.into_iter().map(|course| (course.content.id, course.content)).collect())
}

async fn missing_teachers(
    connection: &mut PgConnection,
    folder: &Folder,
    faults: &mut Faults,
) -> sqlx::Result<()> {
    let ids: Vec<i64> = folder.teachers.iter().map(|teacher| teacher.id).collect();
    let missing = sqlx::query!("SELECT id, name FROM teacher WHERE id <> ALL ($1) ORDER BY id", &ids)
        .fetch_all(connection)
        .instrument(span("SELECT teacher"))
        .await?;
    for teacher in missing {
        gone(faults, "teachers.yaml", "teachers", teacher.id, &teacher.name);
    }
    Ok(())
}

/// What learners may have marked can't go away.
fn missing_courses(before: &HashMap<i64, Content>, folder: &Folder, faults: &mut Faults) {
    let mut before: Vec<&Content> = before.values().collect();
    before.sort_by_key(|course| course.id);
    for old in before {
        let file = format!("courses/{}.yaml", old.id);
        let Some(new) = folder.courses.iter().find(|course| course.id == old.id) else {
            gone(faults, &file, "id", old.id, &old.name);
            continue;
        };
        let units = |course: &Content| {
            let units = course.chapters.iter().flat_map(|chapter| &chapter.units);
            units.map(|unit| (unit.id, unit.name.clone())).collect::<Vec<_>>()
        };
        let chapters = |course: &Content| {
            course.chapters.iter().map(|chapter| (chapter.id, chapter.name.clone())).collect::<Vec<_>>()
        };
        let lessons = |course: &Content| {
            course.lessons().map(|lesson| (lesson.id, lesson.name.clone())).collect::<Vec<_>>()
        };
        for (field, old, new) in [
            ("chapters", chapters(old), chapters(new)),
            ("units", units(old), units(new)),
            ("lessons", lessons(old), lessons(new)),
        ] {
            for (id, name) in old {
                if !new.iter().any(|(other, _)| *other == id) {
                    gone(faults, &file, field, id, &name);
                }
            }
        }
    }
}

fn gone(faults: &mut Faults, file: &str, field: &str, id: i64, name: &str) {
    faults.add_whole(file, field, format!("{id} ({name}) is in the catalogue and no longer here"));
}

/// How many teachers were written: one or none.
async fn write_teacher(connection: &mut PgConnection, teacher: &Teacher) -> sqlx::Result<u64> {
    let written = sqlx::query!(
        "
        INSERT INTO teacher (id, name, kana, subjects, message, career)
        VALUES ($1, $2, $3, $4, $5, $6)
        ON CONFLICT (id) DO UPDATE SET
            name = excluded.name,
            kana = excluded.kana,
            subjects = excluded.subjects,
            message = excluded.message,
            career = excluded.career
        WHERE teacher.* IS DISTINCT FROM excluded.*
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
    Ok(written.rows_affected())
}

/// The revision is the time of the import in microseconds, so that no two states of a course ever share one, in this
/// database or in one that takes its place.
async fn write_course(
    connection: &mut PgConnection,
    content: &Content,
    now: OffsetDateTime,
) -> Result<(), Failure> {
    let revision = i64::try_from(now.unix_timestamp_nanos() / 1000)?;
    let lesson_count = i32::try_from(content.lessons().count())?;
    let duration_sum =
        i32::try_from(content.lessons().map(|lesson| i64::from(lesson.duration)).sum::<i64>())?;
    sqlx::query!(
        "
        INSERT INTO course (
            id, name, category, school_year, level, description, summary, teacher_id, duration_sum, lesson_count,
            created, modified, revision
        )
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
        ON CONFLICT (id) DO UPDATE SET
            name = excluded.name,
            category = excluded.category,
            school_year = excluded.school_year,
            level = excluded.level,
            description = excluded.description,
            summary = excluded.summary,
            teacher_id = excluded.teacher_id,
            duration_sum = excluded.duration_sum,
            lesson_count = excluded.lesson_count,
            created = excluded.created,
            modified = excluded.modified,
            revision = greatest(excluded.revision, course.revision + 1)
        ",
        content.id,
        content.name,
        content.category,
        content.school_year,
        content.level,
        content.description,
        content.summary,
        content.teacher_id,
        duration_sum,
        lesson_count,
        content.created,
        now,
        revision,
    )
    .execute(connection)
    .instrument(span("INSERT course"))
    .await?;
    Ok(())
}

async fn write_media(connection: &mut PgConnection, content: &Content) -> sqlx::Result<()> {
    let (kinds, urls): (Vec<String>, Vec<String>) =
        content.media.kinds().map(|(kind, url)| (kind.to_owned(), url.to_owned())).unzip();
    sqlx::query!("DELETE FROM media WHERE course_id = $1 AND kind <> ALL ($2)", content.id, &kinds)
        .execute(&mut *connection)
        .instrument(span("DELETE media"))
        .await?;
    sqlx::query!(
        "
        INSERT INTO media (course_id, kind, url)
        SELECT $1, kind, url
        FROM unnest($2::text[], $3::text[]) AS new (kind, url)
        ON CONFLICT (course_id, kind) DO UPDATE SET url = excluded.url
        ",
        content.id,
        &kinds,
        &urls,
    )
    .execute(connection)
    .instrument(span("INSERT media"))
    .await?;
    Ok(())
}

async fn write_tree(connection: &mut PgConnection, content: &Content) -> Result<(), Failure> {
    for (chapter, position) in content.chapters.iter().zip(1..) {
        sqlx::query!(
            "
            INSERT INTO chapter (id, course_id, position, name)
            VALUES ($1, $2, $3, $4)
            ON CONFLICT (id) DO UPDATE SET position = excluded.position, name = excluded.name
            ",
            chapter.id,
            content.id,
            position,
            chapter.name,
        )
        .execute(&mut *connection)
        .instrument(span("INSERT chapter"))
        .await?;
        for (unit, position) in chapter.units.iter().zip(1..) {
            sqlx::query!(
                "
                INSERT INTO unit (id, chapter_id, position, name)
                VALUES ($1, $2, $3, $4)
                ON CONFLICT (id) DO UPDATE SET position = excluded.position, name = excluded.name
                ",
                unit.id,
                chapter.id,
                position,
                unit.name,
            )
            .execute(&mut *connection)
            .instrument(span("INSERT unit"))
            .await?;
            for (lesson, position) in unit.lessons.iter().zip(1..) {
                sqlx::query!(
                    "
                    INSERT INTO lesson (id, unit_id, course_id, position, name, summary, duration)
                    VALUES ($1, $2, $3, $4, $5, $6, $7)
                    ON CONFLICT (id) DO UPDATE SET
                        position = excluded.position,
                        name = excluded.name,
                        summary = excluded.summary,
                        duration = excluded.duration
                    ",
                    lesson.id,
                    unit.id,
                    content.id,
                    position,
                    lesson.name,
                    lesson.summary,
                    lesson.duration,
                )
                .execute(&mut *connection)
                .instrument(span("INSERT lesson"))
                .await?;
            }
        }
    }
    Ok(())
}
