//! Exam results of learners, by year. A voice is shown up to the last day of its owner's consent.

use std::collections::BTreeMap;

use kit_content::Difference;
use kit_db::span;
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use sqlx::types::Json;
use time::Date;
use tracing::Instrument as _;

/// A year as authors write it.
#[derive(PartialEq, Serialize)]
pub(crate) struct Content {
    pub(crate) year: i32,
    pub(crate) as_of: Date,
    pub(crate) figures: Vec<Figure>,
    pub(crate) schools: Vec<School>,
    pub(crate) voices: Vec<VoiceContent>,
}

/// A count with its total.
#[derive(Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Figure {
    pub(crate) label: String,
    pub(crate) count: u32,
    pub(crate) of: u32,
    pub(crate) unit: String,
}

/// A school and the number of learners admitted to it.
#[derive(Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct School {
    pub(crate) name: String,
    pub(crate) kind: String,
    pub(crate) count: u32,
}

/// A voice as authors write it.
#[derive(PartialEq, Serialize)]
pub(crate) struct VoiceContent {
    pub(crate) id: i64,
    pub(crate) name: String,
    pub(crate) school: String,
    pub(crate) school_year: String,
    pub(crate) text: String,
    pub(crate) course_ids: Vec<i64>,
    /// Last day of the consent.
    pub(crate) consent_until: Date,
}

/// A year without its voices.
pub(crate) struct Year {
    pub(crate) as_of: Date,
    pub(crate) figures: Vec<Figure>,
    pub(crate) schools: Vec<School>,
}

/// A testimonial of a learner.
pub(crate) struct Voice {
    pub(crate) name: String,
    pub(crate) school: String,
    pub(crate) school_year: String,
    pub(crate) text: String,
    pub(crate) course_ids: Vec<i64>,
}

/// Finds the results of a year.
pub(crate) async fn find_year(database: &mut PgConnection, year: i32) -> sqlx::Result<Option<Year>> {
    let row = sqlx::query!(
        r#"SELECT as_of, figures AS "figures: Json<Vec<Figure>>", schools AS "schools: Json<Vec<School>>"
        FROM success_year WHERE year = $1"#,
        year
    )
    .fetch_optional(database)
    .instrument(span("SELECT success_year"))
    .await?;
    Ok(row.map(|row| Year { as_of: row.as_of, figures: row.figures.0, schools: row.schools.0 }))
}

/// Lists the voices of a year, of a course, or all, with consent on `today`. The newest year comes first.
pub(crate) async fn list_voices(
    database: &mut PgConnection,
    year: Option<i32>,
    course: Option<i64>,
    today: Date,
) -> sqlx::Result<Vec<Voice>> {
    sqlx::query_as!(
        Voice,
        "SELECT name, school, school_year, text, course_ids FROM success_voice \
         WHERE consent_until >= $3 AND ($1::integer IS NULL OR year = $1) AND ($2::bigint IS NULL OR $2 = ANY (course_ids)) \
         ORDER BY year DESC, position",
        year,
        course,
        today
    )
    .fetch_all(database)
    .instrument(span("SELECT success_voice"))
    .await
}

/// Replaces the stored years by `wanted`.
pub(crate) async fn import_years(
    database: &mut PgConnection,
    wanted: &[Content],
    difference: &mut Difference,
) -> sqlx::Result<()> {
    let before = list_all(database).await?;
    for content in wanted {
        let old = before.get(&content.year);
        if difference.note("success", content.year, "合格実績", old, content) {
            write_year(database, content).await?;
        }
    }
    for old in before.keys() {
        if !wanted.iter().any(|content| content.year == *old) {
            difference.gone("success", old, "合格実績");
            sqlx::query!("DELETE FROM success_year WHERE year = $1", old)
                .execute(&mut *database)
                .instrument(span("DELETE success_year"))
                .await?;
        }
    }
    Ok(())
}

async fn list_all(database: &mut PgConnection) -> sqlx::Result<BTreeMap<i32, Content>> {
    let years = sqlx::query!(
        r#"SELECT year, as_of, figures AS "figures: Json<Vec<Figure>>", schools AS "schools: Json<Vec<School>>"
        FROM success_year"#
    )
    .fetch_all(&mut *database)
    .instrument(span("SELECT success_year"))
    .await?;
    let voices = sqlx::query!(
        "SELECT year, id, name, school, school_year, text, course_ids, consent_until FROM success_voice \
         ORDER BY year, position"
    )
    .fetch_all(database)
    .instrument(span("SELECT success_voice"))
    .await?;
    let mut all: BTreeMap<i32, Content> = years
        .into_iter()
        .map(|row| {
            let (figures, schools) = (row.figures.0, row.schools.0);
            (row.year, Content { year: row.year, as_of: row.as_of, figures, schools, voices: Vec::new() })
        })
        .collect();
    for row in voices {
        if let Some(content) = all.get_mut(&row.year) {
            content.voices.push(VoiceContent {
                id: row.id,
                name: row.name,
                school: row.school,
                school_year: row.school_year,
                text: row.text,
                course_ids: row.course_ids,
                consent_until: row.consent_until,
            });
        }
    }
    Ok(all)
}

async fn write_year(database: &mut PgConnection, content: &Content) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO success_year (year, as_of, figures, schools) VALUES ($1, $2, $3, $4) \
         ON CONFLICT ON CONSTRAINT success_year_pkey DO UPDATE SET as_of = $2, figures = $3, schools = $4",
        content.year,
        content.as_of,
        Json(&content.figures) as _,
        Json(&content.schools) as _
    )
    .execute(&mut *database)
    .instrument(span("INSERT success_year"))
    .await?;
    sqlx::query!("DELETE FROM success_voice WHERE year = $1", content.year)
        .execute(&mut *database)
        .instrument(span("DELETE success_voice"))
        .await?;
    for (voice, position) in content.voices.iter().zip(1..) {
        sqlx::query!(
            "INSERT INTO success_voice (id, year, position, name, school, school_year, text, course_ids, consent_until) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
            voice.id,
            content.year,
            position,
            voice.name,
            voice.school,
            voice.school_year,
            voice.text,
            &voice.course_ids,
            voice.consent_until
        )
        .execute(&mut *database)
        .instrument(span("INSERT success_voice"))
        .await?;
    }
    Ok(())
}
