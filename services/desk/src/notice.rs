//! Notices of the school: the public ones, and their import.
//!
//! A notice is public if it is published, for everyone, and its publication time has passed. No query for readers returns
//! another; `member_notice` has those for signed-in people.

use forms::search;
use kit::page::Page;
use kit_content::Difference;
use kit_db::span;
use serde::Serialize;
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::Instrument as _;

use crate::notice_telling;

/// Notices a page.
pub(crate) const PAGE_SIZE: u32 = 20;
/// The audiences that a content may have. `account` belongs to [`crate::member_notice`].
pub(crate) const AUDIENCES: [&str; 5] = ["everyone", "learner", "guardian", "course", "school_year"];
/// The school years of learners, as auth computes them.
pub(crate) const SCHOOL_YEARS: [&str; 13] =
    ["小1", "小2", "小3", "小4", "小5", "小6", "中1", "中2", "中3", "高1", "高2", "高3", "既卒"];
/// Ids from here on are those of notices for one account, which no content has.
pub(crate) const FIRST_PERSONAL_ID: i64 = 1_000_000_000;
/// A published notice with a future publication time is scheduled.
pub(crate) const STATES: [&str; 3] = ["draft", "published", "archived"];

/// A notice as authors write it, with its search texts.
#[derive(PartialEq, Serialize)]
pub(crate) struct Content {
    pub(crate) id: i64,
    pub(crate) category: String,
    pub(crate) audience: String,
    /// The course whose owners read it; only with the audience `course`.
    pub(crate) course_id: Option<i64>,
    /// Only with the audience `school_year`.
    pub(crate) school_year: Option<String>,
    pub(crate) state: String,
    pub(crate) is_pinned: bool,
    pub(crate) title: String,
    pub(crate) summary: String,
    pub(crate) body: String,
    pub(crate) published_at: OffsetDateTime,
    /// Search text of the title; matches in it rank first.
    pub(crate) title_words: String,
    /// Search text of all fields.
    pub(crate) words: String,
}

impl Content {
    /// Sets the search texts. `readings` is searched together with the title.
    pub(crate) fn with_words(mut self, readings: &str) -> Self {
        self.title_words = search::text([self.title.as_str(), readings]);
        self.words = search::text([self.title.as_str(), readings, &self.category, &self.summary, &self.body]);
        self
    }
}

impl Content {
    /// Whether both are for the same people, from the same time on.
    fn has_same_readers(&self, other: &Self) -> bool {
        self.state == other.state
            && self.published_at == other.published_at
            && self.audience == other.audience
            && self.course_id == other.course_id
            && self.school_year == other.school_year
    }
}

/// A public notice.
pub(crate) struct Notice {
    pub(crate) id: i64,
    pub(crate) category: String,
    pub(crate) title: String,
    pub(crate) summary: String,
    pub(crate) body: String,
    pub(crate) is_pinned: bool,
    pub(crate) published_at: OffsetDateTime,
    pub(crate) modified_at: OffsetDateTime,
}

/// Lists a page of public notices, pinned ones first, then the newest. Also returns the number on all pages, which is 0
/// if this page is empty.
pub(crate) async fn list_page(
    database: &mut PgConnection,
    page: Page,
    category: Option<&str>,
    now: OffsetDateTime,
) -> sqlx::Result<(i64, Vec<Notice>)> {
    let rows = sqlx::query!(
        r#"SELECT id, category, title, summary, body, is_pinned, published_at,
            GREATEST(modified_at, published_at) AS "modified_at!", count(*) OVER () AS "count!"
        FROM notice
        WHERE state = 'published' AND audience = 'everyone' AND published_at <= $1
            AND ($2::text IS NULL OR category = $2)
        ORDER BY is_pinned DESC, published_at DESC, id DESC
        LIMIT $3 OFFSET $4"#,
        now,
        category,
        page.limit(),
        page.offset()
    )
    .fetch_all(database)
    .instrument(span("SELECT notice"))
    .await?;
    let count = rows.first().map_or(0, |row| row.count);
    let notices = rows.into_iter().map(|row| Notice {
        id: row.id,
        category: row.category,
        title: row.title,
        summary: row.summary,
        body: row.body,
        is_pinned: row.is_pinned,
        published_at: row.published_at,
        modified_at: row.modified_at,
    });
    Ok((count, notices.collect()))
}

/// Finds a public notice.
pub(crate) async fn find_notice(
    database: &mut PgConnection,
    id: i64,
    now: OffsetDateTime,
) -> sqlx::Result<Option<Notice>> {
    sqlx::query_as!(
        Notice,
        r#"SELECT id, category, title, summary, body, is_pinned, published_at,
            GREATEST(modified_at, published_at) AS "modified_at!"
        FROM notice
        WHERE id = $1 AND state = 'published' AND audience = 'everyone' AND published_at <= $2"#,
        id,
        now
    )
    .fetch_optional(database)
    .instrument(span("SELECT notice"))
    .await
}

/// Replaces the stored notices by `wanted`.
pub(crate) async fn import_notices(
    database: &mut PgConnection,
    wanted: &[Content],
    now: OffsetDateTime,
    difference: &mut Difference,
) -> sqlx::Result<()> {
    let before = sqlx::query_as!(
        Content,
        "SELECT id, category, audience, course_id, school_year, state, is_pinned, title, summary, body, published_at, \
            title_words, words \
         FROM notice WHERE account IS NULL ORDER BY id"
    )
    .fetch_all(&mut *database)
    .instrument(span("SELECT notice"))
    .await?;
    for notice in wanted {
        let old = before.iter().find(|old| old.id == notice.id);
        if difference.note("notice", notice.id, &notice.title, old, notice) {
            write_notice(database, notice, now).await?;
            if old.is_some_and(|old| !old.has_same_readers(notice)) {
                notice_telling::withdraw(database, notice.id).await?;
            }
        }
    }
    for old in &before {
        if !wanted.iter().any(|notice| notice.id == old.id) {
            difference.gone("notice", old.id, &old.title);
            notice_telling::withdraw(database, old.id).await?;
            sqlx::query!("DELETE FROM notice WHERE id = $1", old.id)
                .execute(&mut *database)
                .instrument(span("DELETE notice"))
                .await?;
        }
    }
    Ok(())
}

/// Inserts or updates a notice. The modification time of a new notice is its publication time.
async fn write_notice(
    database: &mut PgConnection,
    notice: &Content,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO notice (id, category, audience, state, is_pinned, title, summary, body, published_at, modified_at, \
             title_words, words, course_id, school_year) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9, $10, $11, $13, $14) \
         ON CONFLICT ON CONSTRAINT notice_pkey DO UPDATE SET category = $2, audience = $3, state = $4, is_pinned = $5, \
             title = $6, summary = $7, body = $8, published_at = $9, modified_at = $12, title_words = $10, words = $11, \
             course_id = $13, school_year = $14",
        notice.id,
        notice.category,
        notice.audience,
        notice.state,
        notice.is_pinned,
        notice.title,
        notice.summary,
        notice.body,
        notice.published_at,
        notice.title_words,
        notice.words,
        now,
        notice.course_id,
        notice.school_year.as_deref()
    )
    .execute(database)
    .instrument(span("INSERT notice"))
    .await?;
    Ok(())
}
