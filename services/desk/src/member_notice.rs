//! Notices for a signed-in person, and which of them the person has read.
//!
//! A person reads the published notices for everyone, for their kinds of account, for the courses that they can use, for
//! their school year, and for their account alone, and no other notice. The edge passes the courses and the school year,
//! which desk does not store.

use kit::page::Page;
use kit_db::{erased_account, span};
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::Instrument as _;
use uuid::Uuid;

use crate::error::Error;
use crate::{learner_contact, notice_telling};

/// Notices a page.
pub(crate) const PAGE_SIZE: u32 = 20;

/// The person who reads.
#[derive(Clone, Debug)]
pub(crate) struct Reader {
    pub(crate) account: Uuid,
    /// The audiences of the account: `everyone`, and `learner` or `guardian`.
    pub(crate) audiences: Vec<String>,
    /// The courses that a learner can use.
    pub(crate) courses: Vec<i64>,
    /// The school year of a learner.
    pub(crate) school_year: Option<String>,
}

/// A notice for a person.
pub(crate) struct MemberNotice {
    pub(crate) id: i64,
    pub(crate) category: String,
    pub(crate) title: String,
    pub(crate) summary: String,
    pub(crate) body: String,
    pub(crate) is_pinned: bool,
    pub(crate) published_at: OffsetDateTime,
    pub(crate) modified_at: OffsetDateTime,
    pub(crate) is_unread: bool,
    /// Whether it is for the person's account alone.
    pub(crate) is_personal: bool,
}

/// The number of unread notices of one audience.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Unread {
    /// The course, if the notices are for its owners.
    pub(crate) course: Option<i64>,
    /// The school year, if the notices are for it.
    pub(crate) school_year: Option<String>,
    pub(crate) count: u32,
}

/// A notice to send to one account.
pub(crate) struct NewNotice<'a> {
    pub(crate) account: Uuid,
    pub(crate) category: &'a str,
    pub(crate) title: &'a str,
    pub(crate) summary: &'a str,
    pub(crate) body: &'a str,
}

/// Lists a page of the reader's notices: unread ones first, then pinned ones, then the newest. Also returns the number on
/// all pages, which is 0 if this page is empty.
pub(crate) async fn list_page(
    database: &mut PgConnection,
    reader: &Reader,
    page: Page,
    now: OffsetDateTime,
) -> sqlx::Result<(i64, Vec<MemberNotice>)> {
    let rows = sqlx::query!(
        r#"SELECT id, category, title, summary, body, is_pinned, published_at,
            GREATEST(modified_at, published_at) AS "modified_at!", reading.notice IS NULL AS "is_unread!",
            notice.account IS NOT NULL AS "is_personal!", count(*) OVER () AS "count!"
        FROM notice LEFT JOIN notice_reading AS reading ON reading.account = $1 AND reading.notice = id
        WHERE state = 'published' AND published_at <= $2 AND (
            notice.account = $1
            OR notice.account IS NULL AND (audience = ANY ($3) OR course_id = ANY ($4) OR school_year = $5)
        )
        ORDER BY "is_unread!" DESC, is_pinned DESC, published_at DESC, id DESC
        LIMIT $6 OFFSET $7"#,
        reader.account,
        now,
        &reader.audiences,
        &reader.courses,
        reader.school_year.as_deref(),
        page.limit(),
        page.offset()
    )
    .fetch_all(database)
    .instrument(span("SELECT notice"))
    .await?;
    let count = rows.first().map_or(0, |row| row.count);
    let notices = rows.into_iter().map(|row| MemberNotice {
        id: row.id,
        category: row.category,
        title: row.title,
        summary: row.summary,
        body: row.body,
        is_pinned: row.is_pinned,
        published_at: row.published_at,
        modified_at: row.modified_at,
        is_unread: row.is_unread,
        is_personal: row.is_personal,
    });
    Ok((count, notices.collect()))
}

/// Finds a notice of the reader.
pub(crate) async fn find(
    database: &mut PgConnection,
    reader: &Reader,
    id: i64,
    now: OffsetDateTime,
) -> sqlx::Result<Option<MemberNotice>> {
    sqlx::query_as!(
        MemberNotice,
        r#"SELECT id, category, title, summary, body, is_pinned, published_at,
            GREATEST(modified_at, published_at) AS "modified_at!", reading.notice IS NULL AS "is_unread!",
            notice.account IS NOT NULL AS "is_personal!"
        FROM notice LEFT JOIN notice_reading AS reading ON reading.account = $1 AND reading.notice = id
        WHERE id = $6 AND state = 'published' AND published_at <= $2 AND (
            notice.account = $1
            OR notice.account IS NULL AND (audience = ANY ($3) OR course_id = ANY ($4) OR school_year = $5)
        )"#,
        reader.account,
        now,
        &reader.audiences,
        &reader.courses,
        reader.school_year.as_deref(),
        id
    )
    .fetch_optional(database)
    .instrument(span("SELECT notice"))
    .await
}

/// Remembers that the account has read a notice. Idempotent: the first time stays. Requires a transaction: the account
/// stays locked until it ends. Stores nothing for an erased account, or if the notice was deleted meanwhile.
pub(crate) async fn mark_read(
    database: &mut PgConnection,
    account: Uuid,
    notice: i64,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    learner_contact::lock(database, account).await?;
    if erased_account::contains(database, account).await? {
        return Ok(());
    }
    sqlx::query!(
        "INSERT INTO notice_reading (account, notice, read_at) \
         SELECT $1, id, $3 FROM notice WHERE id = $2 FOR KEY SHARE \
         ON CONFLICT ON CONSTRAINT notice_reading_pkey DO NOTHING",
        account,
        notice,
        now
    )
    .execute(database)
    .instrument(span("INSERT notice_reading"))
    .await?;
    Ok(())
}

/// Counts the unread notices of an account, by course and by school year. The caller selects the counts that apply to the
/// reader.
pub(crate) async fn count_unread(
    database: &mut PgConnection,
    account: Uuid,
    audiences: &[String],
    now: OffsetDateTime,
) -> sqlx::Result<Vec<Unread>> {
    let rows = sqlx::query!(
        r#"SELECT course_id, school_year, count(*) AS "count!" FROM notice
        WHERE state = 'published' AND published_at <= $2
            AND (account = $1 OR account IS NULL AND audience = ANY ($3))
            AND NOT EXISTS (
                SELECT FROM notice_reading AS reading WHERE reading.account = $1 AND reading.notice = id
            )
        GROUP BY course_id, school_year ORDER BY course_id, school_year"#,
        account,
        now,
        audiences
    )
    .fetch_all(database)
    .instrument(span("SELECT notice"))
    .await?;
    let counts = rows.into_iter().map(|row| Unread {
        course: row.course_id,
        school_year: row.school_year,
        count: u32::try_from(row.count).unwrap_or(u32::MAX),
    });
    Ok(counts.collect())
}

/// Sends a notice to one account and returns its id. Requires a transaction.
///
/// # Errors
///
/// [`Error::NotFound`] if the account was erased.
pub(crate) async fn send(
    database: &mut PgConnection,
    new: &NewNotice<'_>,
    now: OffsetDateTime,
) -> Result<i64, Error> {
    learner_contact::lock(database, new.account).await?;
    if erased_account::contains(database, new.account).await? {
        return Err(Error::NotFound);
    }
    let id = sqlx::query_scalar!(
        "INSERT INTO notice (id, category, audience, account, state, is_pinned, title, summary, body, published_at, \
             modified_at, title_words, words) \
         VALUES (nextval('notice_personal_id'), $1, 'account', $2, 'published', false, $3, $4, $5, $6, $6, '', '') \
         RETURNING id",
        new.category,
        new.account,
        new.title,
        new.summary,
        new.body,
        now
    )
    .fetch_one(database)
    .instrument(span("INSERT notice"))
    .await?;
    Ok(id)
}

/// Withdraws a notice for one account: the account can no longer read it, and is not told. Returns false if there is no such
/// notice. Requires a transaction.
pub(crate) async fn withdraw(
    database: &mut PgConnection,
    id: i64,
    now: OffsetDateTime,
) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        "UPDATE notice SET state = 'archived', modified_at = $2 WHERE id = $1 AND account IS NOT NULL",
        id,
        now
    )
    .execute(&mut *database)
    .instrument(span("UPDATE notice"))
    .await?;
    if done.rows_affected() == 0 {
        return Ok(false);
    }
    notice_telling::withdraw(database, id).await?;
    Ok(true)
}

/// Lists the notices for an account alone, oldest first; also withdrawn ones.
pub(crate) async fn list_personal(
    database: &mut PgConnection,
    account: Uuid,
) -> sqlx::Result<Vec<MemberNotice>> {
    sqlx::query_as!(
        MemberNotice,
        r#"SELECT id, category, title, summary, body, is_pinned, published_at,
            GREATEST(modified_at, published_at) AS "modified_at!", reading.notice IS NULL AS "is_unread!",
            true AS "is_personal!"
        FROM notice LEFT JOIN notice_reading AS reading ON reading.account = $1 AND reading.notice = id
        WHERE notice.account = $1 ORDER BY id"#,
        account
    )
    .fetch_all(database)
    .instrument(span("SELECT notice"))
    .await
}

/// Lists the notices that an account has read, with the first time, oldest first.
pub(crate) async fn list_readings(
    database: &mut PgConnection,
    account: Uuid,
) -> sqlx::Result<Vec<(i64, OffsetDateTime)>> {
    let rows = sqlx::query!(
        "SELECT notice, read_at FROM notice_reading WHERE account = $1 ORDER BY read_at, notice",
        account
    )
    .fetch_all(database)
    .instrument(span("SELECT notice_reading"))
    .await?;
    Ok(rows.into_iter().map(|row| (row.notice, row.read_at)).collect())
}

/// Deletes the notices for an account alone and what it has read. The caller holds its lock.
pub(crate) async fn erase(database: &mut PgConnection, account: Uuid) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM notice_reading WHERE account = $1", account)
        .execute(&mut *database)
        .instrument(span("DELETE notice_reading"))
        .await?;
    sqlx::query!("DELETE FROM notice WHERE account = $1", account)
        .execute(database)
        .instrument(span("DELETE notice"))
        .await?;
    Ok(())
}
