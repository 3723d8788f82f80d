//! Frequently asked questions, their answers, and votes on them.

use forms::search::{self, Words};
use kit::page::Page;
use kit_content::Difference;
use kit_db::span;
use serde::Serialize;
use sqlx::PgConnection;
use time::Date;
use tracing::Instrument as _;

/// Questions a page.
pub(crate) const PAGE_SIZE: u32 = 20;
/// Categories in display order.
pub(crate) const CATEGORIES: [&str; 6] =
    ["はじめての方", "講座・学習", "料金・お支払い", "アカウント", "動画・動作環境", "保護者の方"];

/// A question as authors write it, with its search texts.
#[derive(PartialEq, Serialize)]
pub(crate) struct Content {
    pub(crate) id: i64,
    pub(crate) position: i32,
    pub(crate) category: String,
    pub(crate) question: String,
    pub(crate) answer: String,
    pub(crate) related: Vec<i64>,
    /// Search text of the question; matches in it rank first.
    pub(crate) title_words: String,
    /// Search text of all fields.
    pub(crate) words: String,
}

impl Content {
    /// Sets the search texts. `readings` is searched together with the question.
    pub(crate) fn with_words(mut self, readings: &str) -> Self {
        self.title_words = search::text([self.question.as_str(), readings]);
        self.words = search::text([self.question.as_str(), readings, &self.category, &self.answer]);
        self
    }
}

/// A question and its answer.
pub(crate) struct Faq {
    pub(crate) id: i64,
    pub(crate) category: String,
    pub(crate) question: String,
    pub(crate) answer: String,
    pub(crate) helpful_count: i32,
}

/// Lists a page of the questions of a category that contain all words. Also returns the number on all pages, which is 0
/// if this page is empty.
pub(crate) async fn list_page(
    database: &mut PgConnection,
    page: Page,
    category: Option<&str>,
    words: Option<&Words>,
) -> sqlx::Result<(i64, Vec<Faq>)> {
    let patterns = words.map(Words::patterns);
    let rows = sqlx::query!(
        r#"SELECT id, category, question, answer, helpful_count, count(*) OVER () AS "count!"
        FROM faq
        WHERE ($1::text IS NULL OR category = $1) AND ($2::text[] IS NULL OR words LIKE ALL ($2))
        ORDER BY position, id
        LIMIT $3 OFFSET $4"#,
        category,
        patterns.as_deref() as Option<&[String]>,
        page.limit(),
        page.offset()
    )
    .fetch_all(database)
    .instrument(span("SELECT faq"))
    .await?;
    let count = rows.first().map_or(0, |row| row.count);
    let faqs = rows.into_iter().map(|row| Faq {
        id: row.id,
        category: row.category,
        question: row.question,
        answer: row.answer,
        helpful_count: row.helpful_count,
    });
    Ok((count, faqs.collect()))
}

/// Finds a question.
pub(crate) async fn find_faq(database: &mut PgConnection, id: i64) -> sqlx::Result<Option<Faq>> {
    sqlx::query_as!(Faq, "SELECT id, category, question, answer, helpful_count FROM faq WHERE id = $1", id)
        .fetch_optional(database)
        .instrument(span("SELECT faq"))
        .await
}

/// A related question.
pub(crate) struct RelatedFaq {
    pub(crate) id: i64,
    pub(crate) question: String,
}

/// Lists the related questions of a question, in the order of the content.
pub(crate) async fn list_related(database: &mut PgConnection, id: i64) -> sqlx::Result<Vec<RelatedFaq>> {
    sqlx::query_as!(
        RelatedFaq,
        "SELECT other.id, other.question \
         FROM faq CROSS JOIN LATERAL unnest(faq.related) WITH ORDINALITY AS near (id, place) \
             JOIN faq AS other ON other.id = near.id \
         WHERE faq.id = $1 ORDER BY near.place",
        id
    )
    .fetch_all(database)
    .instrument(span("SELECT faq"))
    .await
}

/// Counts the first vote of a visitor on a day. Returns false if the question does not exist.
pub(crate) async fn add_vote(
    database: &mut PgConnection,
    id: i64,
    visitor: &[u8],
    helpful: bool,
    day: Date,
) -> sqlx::Result<bool> {
    let first = sqlx::query!(
        "INSERT INTO faq_vote (faq, visitor, day) SELECT id, $2, $3 FROM faq WHERE id = $1 \
         ON CONFLICT ON CONSTRAINT faq_vote_pkey DO NOTHING",
        id,
        visitor,
        day
    )
    .execute(&mut *database)
    .instrument(span("INSERT faq_vote"))
    .await?;
    if first.rows_affected() == 0 {
        return Ok(find_faq(database, id).await?.is_some());
    }
    sqlx::query!(
        "UPDATE faq SET helpful_count = helpful_count + $2, unhelpful_count = unhelpful_count + $3 WHERE id = $1",
        id,
        i32::from(helpful),
        i32::from(!helpful)
    )
    .execute(database)
    .instrument(span("UPDATE faq"))
    .await?;
    Ok(true)
}

/// Deletes at most `limit` visitors who voted before `today`. Returns their number. The counts stay.
pub(crate) async fn sweep(database: &mut PgConnection, today: Date, limit: i64) -> sqlx::Result<u64> {
    let deleted = sqlx::query!(
        "DELETE FROM faq_vote WHERE ctid = ANY (ARRAY(SELECT ctid FROM faq_vote WHERE day < $1 \
         LIMIT $2 FOR UPDATE SKIP LOCKED))",
        today,
        limit
    )
    .execute(database)
    .instrument(span("DELETE faq_vote"))
    .await?;
    Ok(deleted.rows_affected())
}

/// Replaces the stored questions by `wanted`. A question keeps its votes.
pub(crate) async fn import_faqs(
    database: &mut PgConnection,
    wanted: &[Content],
    difference: &mut Difference,
) -> sqlx::Result<()> {
    let before = sqlx::query_as!(
        Content,
        "SELECT id, position, category, question, answer, related, title_words, words FROM faq ORDER BY id"
    )
    .fetch_all(&mut *database)
    .instrument(span("SELECT faq"))
    .await?;
    for faq in wanted {
        let old = before.iter().find(|old| old.id == faq.id);
        if difference.note("faq", faq.id, &faq.question, old, faq) {
            write_faq(database, faq).await?;
        }
    }
    for old in &before {
        if !wanted.iter().any(|faq| faq.id == old.id) {
            difference.gone("faq", old.id, &old.question);
            sqlx::query!("DELETE FROM faq WHERE id = $1", old.id)
                .execute(&mut *database)
                .instrument(span("DELETE faq"))
                .await?;
        }
    }
    Ok(())
}

async fn write_faq(database: &mut PgConnection, faq: &Content) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO faq (id, position, category, question, answer, related, title_words, words) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8) \
         ON CONFLICT ON CONSTRAINT faq_pkey DO UPDATE SET position = $2, category = $3, question = $4, answer = $5, \
             related = $6, title_words = $7, words = $8",
        faq.id,
        faq.position,
        faq.category,
        faq.question,
        faq.answer,
        &faq.related,
        faq.title_words,
        faq.words
    )
    .execute(database)
    .instrument(span("INSERT faq"))
    .await?;
    Ok(())
}
