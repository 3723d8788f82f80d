//! Pictures of written answers. A picture is stored before the answer that names it, so an
//! acknowledged answer always has its picture.

use aws_lc_rs::digest::{SHA256, digest};
use kit_db::span;
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::Instrument as _;
use uuid::Uuid;

/// Pictures of a question that are kept while a sitting runs, beside that of the stored answer.
const KEPT: i64 = 5;

/// Returns the SHA-256 of the sent bytes. In hex it is the name of the picture.
pub(crate) fn digest_of(content: &[u8]) -> Vec<u8> {
    digest(&SHA256, content).as_ref().to_vec()
}

/// Parses the name of a picture into its digest.
pub(crate) fn parse_name(name: &str) -> Option<Vec<u8>> {
    let is_lower = !name.bytes().any(|byte| byte.is_ascii_uppercase());
    hex::decode(name).ok().filter(|digest| is_lower && digest.len() == 32)
}

/// Whether a sitting has a picture.
pub(crate) async fn exists(
    connection: &mut PgConnection,
    sitting: Uuid,
    question: i64,
    digest: &[u8],
) -> sqlx::Result<bool> {
    sqlx::query_scalar!(
        r#"
        SELECT EXISTS (
            SELECT FROM answer_picture WHERE sitting_id = $1 AND question_id = $2 AND digest = $3
        ) AS "exists!"
        "#,
        sitting,
        question,
        digest,
    )
    .fetch_one(connection)
    .instrument(span("SELECT answer_picture"))
    .await
}

/// Stores a picture. The caller holds the lock of the sitting. Deletes older pictures of the question, except for the newest
/// 5 and that of the stored answer.
pub(crate) async fn store(
    connection: &mut PgConnection,
    sitting: Uuid,
    question: i64,
    digest: &[u8],
    jpeg: &[u8],
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "
        INSERT INTO answer_picture (sitting_id, question_id, digest, jpeg, stored_at) VALUES ($1, $2, $3, $4, $5)
        ON CONFLICT ON CONSTRAINT answer_picture_pkey DO UPDATE SET stored_at = excluded.stored_at
        ",
        sitting,
        question,
        digest,
        jpeg,
        now,
    )
    .execute(&mut *connection)
    .instrument(span("INSERT answer_picture"))
    .await?;
    sqlx::query!(
        "
        DELETE FROM answer_picture
        WHERE sitting_id = $1 AND question_id = $2
            AND digest NOT IN (
                SELECT digest FROM answer_picture WHERE sitting_id = $1 AND question_id = $2
                ORDER BY stored_at DESC, digest LIMIT $3
            )
            AND NOT EXISTS (
                SELECT FROM answer
                WHERE answer.sitting_id = $1 AND answer.question_id = $2
                    AND (answer.answer::jsonb ->> 'picture') = encode(answer_picture.digest, 'hex')
            )
        ",
        sitting,
        question,
        KEPT,
    )
    .execute(connection)
    .instrument(span("DELETE answer_picture"))
    .await?;
    Ok(())
}

/// Finds a learner's picture. With `is_final`, only one of a final result.
pub(crate) async fn find(
    connection: &mut PgConnection,
    learner: Uuid,
    question: i64,
    digest: &[u8],
    is_final: bool,
) -> sqlx::Result<Option<Vec<u8>>> {
    sqlx::query_scalar!(
        "
        SELECT jpeg FROM answer_picture
        JOIN sitting ON sitting.id = sitting_id
        JOIN paper ON paper.id = paper_id
        LEFT JOIN exam_statistics USING (exam_id)
        WHERE learner_id = $1 AND question_id = $2 AND answer_picture.digest = $3
            AND (NOT $4 OR coalesce(is_final, false))
        ",
        learner,
        question,
        digest,
        is_final,
    )
    .fetch_optional(connection)
    .instrument(span("SELECT answer_picture"))
    .await
}

/// Deletes the pictures of a sitting that no answer names. The caller holds the lock of the sitting.
pub(crate) async fn delete_unused(connection: &mut PgConnection, sitting: Uuid) -> sqlx::Result<()> {
    sqlx::query!(
        "
        DELETE FROM answer_picture
        WHERE sitting_id = $1 AND NOT EXISTS (
            SELECT FROM answer
            WHERE answer.sitting_id = $1 AND answer.question_id = answer_picture.question_id
                AND (answer.answer::jsonb ->> 'picture') = encode(answer_picture.digest, 'hex')
        )
        ",
        sitting,
    )
    .execute(connection)
    .instrument(span("DELETE answer_picture"))
    .await?;
    Ok(())
}

/// Returns the picture of a stored answer. Fails with [`sqlx::Error::RowNotFound`] if there is none: an acknowledged answer
/// has its picture.
pub(crate) async fn find_by_sitting(
    connection: &mut PgConnection,
    sitting: Uuid,
    question: i64,
    digest: &[u8],
) -> sqlx::Result<Vec<u8>> {
    sqlx::query_scalar!(
        "SELECT jpeg FROM answer_picture WHERE sitting_id = $1 AND question_id = $2 AND digest = $3",
        sitting,
        question,
        digest,
    )
    .fetch_one(connection)
    .instrument(span("SELECT answer_picture"))
    .await
}
