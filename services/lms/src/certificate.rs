//! Certificates (修了証) of completed courses.
//!
//! A certificate is issued once for each learner and course. It keeps the name of the course and of
//! the learner at that time. It stays valid when the course changes or the access ends, and is
//! deleted with the account.

pub(crate) mod earning;
pub(crate) mod sheet;

use kit::error::FieldError;
use kit_db::span;
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::Instrument as _;
use uuid::Uuid;

use crate::config::Rules;
use crate::error::Error;
use crate::learner;

/// The maximum length of a learner's name, in characters. Names of accounts are shorter.
const NAME_LIMIT: usize = 200;

/// An issued certificate.
pub(crate) struct Certificate {
    pub(crate) id: Uuid,
    /// Name of the course when the certificate was issued.
    pub(crate) course_name: String,
    /// Family name and given name at that time.
    pub(crate) learner_name: String,
    pub(crate) issued_at: OffsetDateTime,
    /// Whether a check shows the name.
    pub(crate) is_name_shown: bool,
}

/// The name on a certificate.
pub(crate) struct LearnerName(String);

impl LearnerName {
    /// Parses a name: 1 to 200 characters without control characters. Trims spaces.
    pub(crate) fn parse(text: &str) -> Result<Self, FieldError> {
        let text = text.trim();
        let code = if text.is_empty() {
            "REQUIRED"
        } else if text.chars().count() > NAME_LIMIT {
            "TOO_LONG"
        } else if forms::has_controls(text) {
            "INVALID_FORMAT"
        } else {
            return Ok(Self(text.to_owned()));
        };
        Err(FieldError::new("learner_name", code))
    }
}

/// Issues the certificate of a course. Returns the existing one if there is one.
///
/// Fails with [`Error::CertificateNotEarned`] while lessons or right answers are missing.
pub(crate) async fn issue(
    connection: &mut PgConnection,
    learner: Uuid,
    course: i64,
    name: &LearnerName,
    rules: Rules,
    now: OffsetDateTime,
) -> Result<Certificate, Error> {
    learner::lock(connection, learner).await?;
    if let Some(issued) = find_by_course(connection, learner, course).await? {
        return Ok(issued);
    }
    let progress = earning::find_progress(connection, learner, course, rules).await?;
    if !progress.ok_or(Error::NotFound)?.is_earned() {
        return Err(Error::CertificateNotEarned);
    }
    let issued = sqlx::query_as!(
        Certificate,
        "
        INSERT INTO certificate (id, learner_id, course_id, course_name, learner_name, issued_at)
        SELECT $1, $2, course.id, course.name, $4, $5 FROM course WHERE course.id = $3
        RETURNING id, course_name, learner_name, issued_at, is_name_shown
        ",
        make_id()?,
        learner,
        course,
        name.0,
        now,
    )
    .fetch_one(connection)
    .instrument(span("INSERT certificate"))
    .await?;
    Ok(issued)
}

/// Makes an id of 128 random bits. A UUID of version 4 has 122.
fn make_id() -> Result<Uuid, Error> {
    let mut bytes = [0; 16];
    aws_lc_rs::rand::fill(&mut bytes).map_err(|_| Error::Random)?;
    Ok(Uuid::from_bytes(bytes))
}

/// Finds the learner's certificate of a course.
pub(crate) async fn find_by_course(
    connection: &mut PgConnection,
    learner: Uuid,
    course: i64,
) -> sqlx::Result<Option<Certificate>> {
    sqlx::query_as!(
        Certificate,
        "
        SELECT id, course_name, learner_name, issued_at, is_name_shown
        FROM certificate
        WHERE learner_id = $1 AND course_id = $2
        ",
        learner,
        course,
    )
    .fetch_optional(connection)
    .instrument(span("SELECT certificate"))
    .await
}

/// Finds a certificate of the learner.
pub(crate) async fn find_own(
    connection: &mut PgConnection,
    learner: Uuid,
    id: Uuid,
) -> sqlx::Result<Option<Certificate>> {
    sqlx::query_as!(
        Certificate,
        "
        SELECT id, course_name, learner_name, issued_at, is_name_shown
        FROM certificate
        WHERE learner_id = $1 AND id = $2
        ",
        learner,
        id,
    )
    .fetch_optional(connection)
    .instrument(span("SELECT certificate"))
    .await
}

/// Finds a certificate of any learner.
pub(crate) async fn find(connection: &mut PgConnection, id: Uuid) -> sqlx::Result<Option<Certificate>> {
    sqlx::query_as!(
        Certificate,
        "
        SELECT id, course_name, learner_name, issued_at, is_name_shown
        FROM certificate
        WHERE id = $1
        ",
        id,
    )
    .fetch_optional(connection)
    .instrument(span("SELECT certificate"))
    .await
}

/// Sets whether a check shows the name. Returns the changed certificate. `None` if the learner has
/// no such certificate.
pub(crate) async fn set_visibility(
    connection: &mut PgConnection,
    learner: Uuid,
    id: Uuid,
    is_name_shown: bool,
) -> sqlx::Result<Option<Certificate>> {
    sqlx::query_as!(
        Certificate,
        "
        UPDATE certificate SET is_name_shown = $3
        WHERE learner_id = $1 AND id = $2
        RETURNING id, course_name, learner_name, issued_at, is_name_shown
        ",
        learner,
        id,
        is_name_shown,
    )
    .fetch_optional(connection)
    .instrument(span("UPDATE certificate"))
    .await
}

/// Exports the learner's certificates, oldest first.
pub(crate) async fn export(connection: &mut PgConnection, learner: Uuid) -> sqlx::Result<Vec<Certificate>> {
    sqlx::query_as!(
        Certificate,
        "
        SELECT id, course_name, learner_name, issued_at, is_name_shown
        FROM certificate
        WHERE learner_id = $1
        ORDER BY issued_at, course_id
        ",
        learner,
    )
    .fetch_all(connection)
    .instrument(span("SELECT certificate"))
    .await
}

/// Deletes the learner's certificates.
pub(crate) async fn erase(connection: &mut PgConnection, learner: Uuid) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM certificate WHERE learner_id = $1", learner)
        .execute(connection)
        .instrument(span("DELETE certificate"))
        .await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::LearnerName;

    #[test]
    fn a_name_is_one_line_of_1_to_200_characters() {
        assert_eq!(LearnerName::parse(" 葵 太郎 ").map(|name| name.0), Ok("葵 太郎".to_owned()));
        assert!(LearnerName::parse(&"葵".repeat(200)).is_ok());
        for (text, code) in
            [(" ", "REQUIRED"), ("葵\n太郎", "INVALID_FORMAT"), (&*"葵".repeat(201), "TOO_LONG")]
        {
            assert_eq!(LearnerName::parse(text).map(|name| name.0).unwrap_err().code, code, "{text:?}");
        }
    }
}
