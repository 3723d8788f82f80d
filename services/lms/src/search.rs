//! What courses, lessons and teachers are found by, and finding them.

use kit::db::span;
use kit::page::Page;
use kit::search::{Words, grams};
use proto::lms;
use serde::Serialize;
use sqlx::PgConnection;
use tracing::Instrument as _;

/// How far each kind is counted and paged. Who finds so many needs another word, not another page.
pub(crate) const MOST_COUNTED: i64 = 1000;
/// How many titles of each kind are looked at for suggestions.
const MOST_MEANT: i64 = 200;

/// What one course, lesson or teacher is found by, in the form of `kit::search`.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub(crate) struct Entry {
    /// `course`, `lesson` or `teacher`.
    pub(crate) kind: String,
    /// Of the course, lesson or teacher.
    pub(crate) id: i64,
    /// The title and its readings.
    pub(crate) title: String,
    /// The title again, and all else.
    pub(crate) body: String,
}

/// The kinds by their names in the database, in the order of hits.
const KINDS: [(&str, lms::SearchKind); 3] = [
    ("course", lms::SearchKind::Course),
    ("lesson", lms::SearchKind::Lesson),
    ("teacher", lms::SearchKind::Teacher),
];

/// The name of a kind in the database; none of one that is not in use.
pub(crate) fn name(kind: lms::SearchKind) -> Option<&'static str> {
    KINDS.iter().find(|known| known.1 == kind).map(|known| known.0)
}

fn kind(name: &str) -> lms::SearchKind {
    KINDS.iter().find(|known| known.0 == name).map_or(lms::SearchKind::Unspecified, |known| known.1)
}

/// How many there are of every kind, and a page of hits of each of `kinds`.
pub(crate) async fn find(
    connection: &mut PgConnection,
    words: &Words,
    kinds: &[&str],
    page: Page,
) -> sqlx::Result<lms::SearchResponse> {
    let rows = sqlx::query_file!(
        "src/search/find.sql",
        &words.grams(),
        &words.patterns(),
        words.beginning(),
        kinds as &[&str],
        page.limit(),
        page.offset(),
        MOST_COUNTED,
    )
    .fetch_all(connection)
    .instrument(span("SELECT search"))
    .await?;
    let counts = KINDS.map(|(name, kind)| {
        let count = rows.iter().find(|row| row.kind == name).map_or(0, |row| row.count);
        lms::SearchCount { kind: kind.into(), count: u32::try_from(count).unwrap_or(u32::MAX) }
    });
    let hits = rows.into_iter().filter(|row| row.is_hit).map(|row| lms::SearchHit {
        kind: kind(&row.kind).into(),
        id: row.id,
        title: row.title,
        summary: row.summary,
        course_id: row.course_id,
        course_name: row.course_name,
    });
    Ok(lms::SearchResponse { counts: counts.to_vec(), hits: hits.collect() })
}

/// At most `limit` titles that may be meant.
pub(crate) async fn suggest(
    connection: &mut PgConnection,
    words: &Words,
    limit: i64,
) -> sqlx::Result<Vec<lms::Suggestion>> {
    let rows = sqlx::query_file!(
        "src/search/suggest.sql",
        &words.grams(),
        &words.patterns(),
        words.beginning(),
        limit,
        MOST_MEANT,
    )
    .fetch_all(connection)
    .instrument(span("SELECT search"))
    .await?;
    let suggestions = rows.into_iter().map(|row| lms::Suggestion {
        kind: kind(&row.kind).into(),
        id: row.id,
        title: row.title,
        course_id: row.course_id,
    });
    Ok(suggestions.collect())
}

/// All entries, each with the id of its course if it has one, by kind and id.
pub(crate) async fn entries(connection: &mut PgConnection) -> sqlx::Result<Vec<(Option<i64>, Entry)>> {
    let rows = sqlx::query!(
        r#"
        SELECT
            search.kind,
            search.id,
            search.title,
            search.body,
            CASE search.kind WHEN 'course' THEN search.id ELSE lesson.course_id END AS course_id
        FROM search
        LEFT JOIN lesson ON search.kind = 'lesson' AND lesson.id = search.id
        ORDER BY search.kind, search.id
        "#
    )
    .fetch_all(connection)
    .instrument(span("SELECT search"))
    .await?;
    let entries = rows
        .into_iter()
        .map(|row| (row.course_id, Entry { kind: row.kind, id: row.id, title: row.title, body: row.body }));
    Ok(entries.collect())
}

/// Writes entries, in place of those that there are for the same things.
pub(crate) async fn put(connection: &mut PgConnection, entries: &[Entry]) -> sqlx::Result<()> {
    let column = |of: &dyn Fn(&Entry) -> String| entries.iter().map(of).collect::<Vec<_>>();
    let ids: Vec<i64> = entries.iter().map(|entry| entry.id).collect();
    // No gram has a space in it.
    sqlx::query!(
        "
        INSERT INTO search (kind, id, title, body, title_grams, body_grams)
        SELECT kind, id, title, body, string_to_array(title_grams, ' '), string_to_array(body_grams, ' ')
        FROM unnest($1::text[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[])
            AS new (kind, id, title, body, title_grams, body_grams)
        ON CONFLICT (kind, id) DO UPDATE SET
            title = excluded.title,
            body = excluded.body,
            title_grams = excluded.title_grams,
            body_grams = excluded.body_grams
        ",
        &column(&|entry| entry.kind.clone()),
        &ids,
        &column(&|entry| entry.title.clone()),
        &column(&|entry| entry.body.clone()),
        &column(&|entry| grams(&entry.title).join(" ")),
        &column(&|entry| grams(&entry.body).join(" ")),
    )
    .execute(connection)
    .instrument(span("INSERT search"))
    .await?;
    Ok(())
}
