//! Basic info of an applicant.

use forms::Wrong;
use kit::error::FieldError;
use kit_db::span;
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::Instrument as _;
use uuid::Uuid;

use super::{CandidateNumber, lock};
use crate::error::Error;

/// The maximum length of a school's name in characters, the same as in accounts.
const SCHOOL_NAME_LIMIT: usize = 50;

/// Validated basic info of an applicant.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct BasicInfo {
    pub(crate) last_name: String,
    pub(crate) first_name: String,
    pub(crate) last_kana: String,
    pub(crate) first_kana: String,
    pub(crate) school_year: String,
    pub(crate) school_name: String,
    pub(crate) prefecture: String,
}

impl BasicInfo {
    /// Validates typed fields by the same rules as accounts.
    ///
    /// # Errors
    ///
    /// [`Error::Fields`] with every wrong field.
    pub(crate) fn from_form(typed: &Self) -> Result<Self, Error> {
        let mut wrong = Vec::new();
        let mut note = |name, reason: &Wrong| wrong.push(FieldError::new(name, reason.code()));
        let last_name = forms::name(&typed.last_name).inspect_err(|reason| note("last_name", reason));
        let first_name = forms::name(&typed.first_name).inspect_err(|reason| note("first_name", reason));
        let last_kana = forms::kana(&typed.last_kana).inspect_err(|reason| note("last_kana", reason));
        let first_kana = forms::kana(&typed.first_kana).inspect_err(|reason| note("first_kana", reason));
        let school_year = forms::choice(&typed.school_year, &forms::SCHOOL_YEARS)
            .inspect_err(|reason| note("school_year", reason));
        let school_name =
            check_school_name(&typed.school_name).inspect_err(|reason| note("school_name", reason));
        let prefecture = forms::choice(&typed.prefecture, &forms::PREFECTURES)
            .inspect_err(|reason| note("prefecture", reason));
        match (last_name, first_name, last_kana, first_kana, school_year, school_name, prefecture) {
            (
                Ok(last_name),
                Ok(first_name),
                Ok(last_kana),
                Ok(first_kana),
                Ok(school_year),
                Ok(school_name),
                Ok(prefecture),
            ) => Ok(Self {
                last_name,
                first_name,
                last_kana,
                first_kana,
                school_year: school_year.to_owned(),
                school_name,
                prefecture: prefecture.to_owned(),
            }),
            _ => Err(Error::Fields(wrong)),
        }
    }
}

fn check_school_name(typed: &str) -> Result<String, Wrong> {
    let text = typed.trim();
    match text.chars().take(SCHOOL_NAME_LIMIT + 1).count() {
        0 => Err(Wrong::Required),
        length if length > SCHOOL_NAME_LIMIT => Err(Wrong::TooLong),
        _ if forms::has_controls(text) => Err(Wrong::InvalidFormat),
        _ => Ok(text.to_owned()),
    }
}

/// Replaces the basic info of an application. The first time, the application gets its candidate number.
pub(crate) async fn set_basic_info(
    connection: &mut PgConnection,
    learner: Uuid,
    exam: i64,
    typed: &BasicInfo,
    now: OffsetDateTime,
) -> Result<(), Error> {
    let application = lock(connection, learner, exam).await?;
    application.require_open(now)?;
    application.require_not_started()?;
    let info = BasicInfo::from_form(typed)?;
    let CandidateNumber(number) = match application.candidate_number {
        Some(number) => number,
        None => CandidateNumber::take(connection, exam).await?,
    };
    sqlx::query!(
        "
        INSERT INTO application (
            learner_id, exam_id, last_name, first_name, last_kana, first_kana, school_year, school_name, prefecture,
            created_at, updated_at, candidate_number
        )
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10, $11)
        ON CONFLICT ON CONSTRAINT application_pkey DO UPDATE SET
            last_name = excluded.last_name,
            first_name = excluded.first_name,
            last_kana = excluded.last_kana,
            first_kana = excluded.first_kana,
            school_year = excluded.school_year,
            school_name = excluded.school_name,
            prefecture = excluded.prefecture,
            updated_at = excluded.updated_at,
            candidate_number = excluded.candidate_number
        ",
        learner,
        exam,
        info.last_name,
        info.first_name,
        info.last_kana,
        info.first_kana,
        info.school_year,
        info.school_name,
        info.prefecture,
        now,
        number,
    )
    .execute(connection)
    .instrument(span("INSERT application"))
    .await?;
    Ok(())
}
