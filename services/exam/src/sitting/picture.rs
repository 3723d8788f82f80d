//! Pictures of a running sitting.

use sqlx::PgConnection;
use time::OffsetDateTime;
use uuid::Uuid;

use super::{PaperCache, find, lock};
use crate::answer_picture;
use crate::config::Rules;
use crate::error::Error;

/// Whether the learner may store a picture for a question now. Fails as [`put_picture`] does.
pub(crate) async fn check_picture(
    connection: &mut PgConnection,
    papers: &PaperCache,
    learner: Uuid,
    (sitting, question): (Uuid, i64),
    now: OffsetDateTime,
    rules: Rules,
) -> Result<(), Error> {
    let sitting = find(connection, papers, learner, sitting, now, rules).await?;
    sitting.require_unsealed()?;
    let paper = papers.find(connection, sitting.paper_id).await?;
    let question = paper.questions.iter().find(|known| known.id == question).ok_or(Error::NotFound)?;
    if question.takes_picture() { Ok(()) } else { Err(Error::NotFound) }
}

/// Stores a converted picture under the digest of the sent bytes. Fails with [`Error::HandedIn`] once the sitting is sealed.
/// [`check_picture`] has checked the question.
pub(crate) async fn put_picture(
    connection: &mut PgConnection,
    papers: &PaperCache,
    learner: Uuid,
    (sitting, question): (Uuid, i64),
    (digest, jpeg): (&[u8], &[u8]),
    now: OffsetDateTime,
    rules: Rules,
) -> Result<(), Error> {
    let sitting = lock(connection, papers, learner, sitting, now, rules).await?;
    sitting.require_unsealed()?;
    answer_picture::store(connection, sitting.id, question, digest, jpeg, now).await?;
    Ok(())
}
