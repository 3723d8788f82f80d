//! Writes the parts of the catalogue that differ from the database.

use std::collections::HashMap;

use kit::Failure;
use kit_content::{Difference, Faults};
use kit_db::span;
use sqlx::PgConnection;
use sqlx::types::Json;
use time::OffsetDateTime;
use tracing::Instrument as _;

use super::courses::AuthoredCourse;
use super::folder::Folder;
use super::teachers::AuthoredTeacher;
use crate::course::{self, Content};
use crate::question::Question;
use crate::{question, search, teacher};

/// The catalogue before the import, by id.
struct StoredCatalogue {
    teachers: HashMap<i64, AuthoredTeacher>,
    courses: HashMap<i64, AuthoredCourse>,
}

/// Writes new and changed teachers and courses, and notes them in the difference.
pub(super) async fn write_catalogue(
    connection: &mut PgConnection,
    folder: &Folder,
    now: OffsetDateTime,
) -> Result<Difference, Failure> {
    let before = find_before(connection).await?;
    let mut faults = Faults::default();
    missing_teachers(&before, folder, &mut faults);
    missing_courses(&before, folder, &mut faults);
    faults.into_result()?;

    let mut difference = Difference::default();
    for new in &folder.teachers {
        let AuthoredTeacher { teacher, search } = new;
        let old = before.teachers.get(&teacher.id);
        if difference.note("teacher", teacher.id, &teacher.name, old, new) {
            teacher::put(connection, teacher).await?;
            search::put(connection, search.as_slice()).await?;
        }
    }
    for new in &folder.courses {
        let AuthoredCourse { content, search, questions } = new;
        let old = before.courses.get(&content.id);
        if !difference.note("course", content.id, &content.name, old, new) {
            continue;
        }
        // Search entries are not sent to learners, so their change needs no new revision.
        if old.is_none_or(|old| old.content != *content) {
            write_course(connection, content, now).await?;
            write_media(connection, content).await?;
            write_tree(connection, content).await?;
        }
        search::put(connection, search).await?;
        for question in questions {
            question::put(connection, question).await?;
        }
    }
    Ok(difference)
}

async fn find_before(connection: &mut PgConnection) -> sqlx::Result<StoredCatalogue> {
    let ids = sqlx::query_scalar!("SELECT id FROM course")
        .fetch_all(&mut *connection)
        .instrument(span("SELECT course"))
        .await?;
    let courses = course::load(connection, &ids).await?.into_iter();
    let mut courses: HashMap<i64, AuthoredCourse> =
        courses.map(|course| (course.content.id, AuthoredCourse::from_content(course.content))).collect();
    for course in courses.values_mut() {
        let lessons: Vec<_> = course.content.lessons().map(|lesson| lesson.id).collect();
        course.questions = question::list_by_lessons(connection, &lessons).await?;
    }
    let teachers = teacher::list_all(connection).await?.into_iter();
    let mut teachers: HashMap<i64, AuthoredTeacher> =
        teachers.map(|teacher| (teacher.id, AuthoredTeacher { teacher, search: None })).collect();
    for (course, entry) in search::list_entries(connection).await? {
        if let Some(course) = course.and_then(|course| courses.get_mut(&course)) {
            course.search.push(entry);
        } else if let Some(teacher) = teachers.get_mut(&entry.id) {
            teacher.search = Some(entry);
        }
    }
    Ok(StoredCatalogue { teachers, courses })
}

fn missing_teachers(before: &StoredCatalogue, folder: &Folder, faults: &mut Faults) {
    let is_here = |id: i64| folder.teachers.iter().any(|new| new.teacher.id == id);
    for old in before.teachers.values().map(|old| &old.teacher).filter(|old| !is_here(old.id)) {
        add_missing(faults, "teachers.yaml", "teachers", old.id, &old.name);
    }
}

/// Reports courses, chapters, units and lessons that are missing, because learners may have marked
/// them.
fn missing_courses(before: &StoredCatalogue, folder: &Folder, faults: &mut Faults) {
    for AuthoredCourse { content: old, questions: old_questions, .. } in before.courses.values() {
        let file = format!("courses/{}.yaml", old.id);
        let Some(AuthoredCourse { content: new, questions, .. }) =
            folder.courses.iter().find(|course| course.content.id == old.id)
        else {
            add_missing(faults, &file, "id", old.id, &old.name);
            continue;
        };
        missing_questions(old_questions, questions, &file, faults);
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
                    add_missing(faults, &file, field, id, &name);
                }
            }
        }
    }
}

/// Reports questions that are missing or changed their kind, because learners may have answered
/// them.
fn missing_questions(before: &[Question], now: &[Question], file: &str, faults: &mut Faults) {
    for old in before {
        let Some(new) = now.iter().find(|new| new.id == old.id) else {
            add_missing(faults, file, "questions", old.id, &old.prompt);
            continue;
        };
        if new.kind != old.kind || new.choices.len() < old.choices.len() {
            let reason =
                "has answers of another kind or choices that are no longer there; ask another question";
            faults.add_whole(file, "questions", format!("{} {reason}", old.id));
        }
    }
}

fn add_missing(faults: &mut Faults, file: &str, field: &str, id: i64, name: &str) {
    faults.add_whole(file, field, format!("{id} ({name}) is in the catalogue and no longer here"));
}

/// Writes a course. Its revision is the time of the import in microseconds, so no two states of a
/// course share one, even in a database that replaces this one.
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
                    INSERT INTO lesson (
                        id, unit_id, course_id, position, name, summary, duration, has_video, marks, handouts
                    )
                    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
                    ON CONFLICT (id) DO UPDATE SET
                        position = excluded.position,
                        name = excluded.name,
                        summary = excluded.summary,
                        duration = excluded.duration,
                        has_video = excluded.has_video,
                        marks = excluded.marks,
                        handouts = excluded.handouts
                    ",
                    lesson.id,
                    unit.id,
                    content.id,
                    position,
                    lesson.name,
                    lesson.summary,
                    lesson.duration,
                    lesson.has_video,
                    Json(&lesson.marks) as _,
                    Json(&lesson.handouts) as _,
                )
                .execute(&mut *connection)
                .instrument(span("INSERT lesson"))
                .await?;
            }
        }
    }
    Ok(())
}
