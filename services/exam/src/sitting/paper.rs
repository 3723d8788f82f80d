//! Papers of sittings. The first sitting freezes a paper, so it can be cached.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use kit_db::span;
use sqlx::PgConnection;
use tracing::Instrument as _;

use crate::error::Error;
use crate::question::{self, Question};

/// A frozen paper with its questions.
#[derive(Debug)]
pub(crate) struct SittingPaper {
    pub(crate) exam_id: i64,
    pub(crate) exam_name: String,
    pub(crate) subject: String,
    pub(crate) minutes: i32,
    /// In order.
    pub(crate) questions: Vec<Question>,
}

/// The frozen papers by id. Find only papers with a sitting. An exam has few papers, so the cache
/// has no limit.
#[derive(Clone, Default)]
pub(crate) struct PaperCache(Arc<Mutex<HashMap<i64, Arc<SittingPaper>>>>);

impl PaperCache {
    /// Finds the paper of a sitting.
    pub(crate) async fn find(
        &self,
        connection: &mut PgConnection,
        id: i64,
    ) -> Result<Arc<SittingPaper>, Error> {
        if let Some(paper) = self.0.lock().unwrap_or_else(PoisonError::into_inner).get(&id) {
            return Ok(paper.clone());
        }
        let paper = Arc::new(load_paper(connection, id).await?);
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(id, paper.clone());
        Ok(paper)
    }
}

async fn load_paper(connection: &mut PgConnection, id: i64) -> sqlx::Result<SittingPaper> {
    let paper = sqlx::query!(
        "
        SELECT paper.exam_id, exam.name AS exam_name, paper.subject, paper.minutes
        FROM paper
        JOIN exam ON exam.id = paper.exam_id
        WHERE paper.id = $1
        ",
        id,
    )
    .fetch_one(&mut *connection)
    .instrument(span("SELECT paper"))
    .await?;
    Ok(SittingPaper {
        exam_id: paper.exam_id,
        exam_name: paper.exam_name,
        subject: paper.subject,
        minutes: paper.minutes,
        questions: question::list_by_paper(connection, id).await?,
    })
}
