//! The search index of courses, lessons and teachers.

use forms::search::{Words, grams};
use kit::page::Page;
use kit_db::span;
use serde::Serialize;
use sqlx::PgConnection;
use tracing::Instrument as _;

/// The limit of counts and pages of each kind. To find further hits, a learner must narrow the
/// query.
pub(crate) const MOST_COUNTED: i64 = 1000;
/// The number of titles of each kind that are considered for suggestions.
const MOST_MEANT: i64 = 200;

/// The searchable words of one course, lesson or teacher, normalized by `forms::search`.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub(crate) struct Entry {
    /// `course`, `lesson` or `teacher`.
    pub(crate) kind: String,
    /// The id of the course, lesson or teacher.
    pub(crate) id: i64,
    /// The title and its readings.
    pub(crate) title: String,
    /// The title and all other words.
    pub(crate) body: String,
}

/// The kind of an entry.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum SearchKind {
    Course,
    Lesson,
    Teacher,
}

impl SearchKind {
    /// All kinds, in the order of hits.
    const ALL: [Self; 3] = [Self::Course, Self::Lesson, Self::Teacher];

    /// Its name in the database.
    fn name(self) -> &'static str {
        match self {
            Self::Course => "course",
            Self::Lesson => "lesson",
            Self::Teacher => "teacher",
        }
    }

    /// `None` for a kind of a newer release.
    fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// The hits of a query.
pub(crate) struct Hits {
    /// The number of hits of each kind on all pages, up to [`MOST_COUNTED`].
    pub(crate) counts: Vec<(SearchKind, i64)>,
    pub(crate) page: Vec<Hit>,
}

/// A hit.
pub(crate) struct Hit {
    pub(crate) kind: Option<SearchKind>,
    pub(crate) id: i64,
    pub(crate) title: String,
    pub(crate) summary: String,
    pub(crate) course_id: Option<i64>,
    pub(crate) course_name: Option<String>,
}

/// A suggested title.
pub(crate) struct Suggestion {
    pub(crate) kind: Option<SearchKind>,
    pub(crate) id: i64,
    pub(crate) title: String,
    pub(crate) course_id: Option<i64>,
}

/// Chooses where kana words match. `りか` typed for 理科 is also a part of `広がりから`. If a title or a
/// reading has all words, and the kana ones at the beginning of words, only such hits count.
pub(crate) async fn choose_words(connection: &mut PgConnection, words: Words) -> sqlx::Result<Words> {
    let Some(at_starts) = words.kana_at_starts() else { return Ok(words) };
    let begins = sqlx::query_file_scalar!("src/search/begins.sql", &at_starts.grams(), &at_starts.patterns())
        .fetch_one(connection)
        .instrument(span("SELECT search"))
        .await?;
    Ok(if begins { at_starts } else { words })
}

/// Counts the hits of every kind. Finds a page of each of `kinds`.
pub(crate) async fn find(
    connection: &mut PgConnection,
    words: &Words,
    kinds: &[SearchKind],
    page: Page,
) -> sqlx::Result<Hits> {
    let names: Vec<&str> = kinds.iter().map(|kind| kind.name()).collect();
    let rows = sqlx::query_file!(
        "src/search/find.sql",
        &words.grams(),
        &words.patterns(),
        words.beginning(),
        &names as &[&str],
        page.limit(),
        page.offset(),
        MOST_COUNTED,
    )
    .fetch_all(connection)
    .instrument(span("SELECT search"))
    .await?;
    let counts = SearchKind::ALL
        .map(|kind| (kind, rows.iter().find(|row| row.kind == kind.name()).map_or(0, |row| row.count)));
    let hits = rows.into_iter().filter(|row| row.is_hit).map(|row| Hit {
        kind: SearchKind::from_name(&row.kind),
        id: row.id,
        title: row.title,
        summary: row.summary,
        course_id: row.course_id,
        course_name: row.course_name,
    });
    Ok(Hits { counts: counts.to_vec(), page: hits.collect() })
}

/// Finds at most `limit` titles to suggest.
pub(crate) async fn suggest(
    connection: &mut PgConnection,
    words: &Words,
    limit: i64,
) -> sqlx::Result<Vec<Suggestion>> {
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
    let suggestions = rows.into_iter().map(|row| Suggestion {
        kind: SearchKind::from_name(&row.kind),
        id: row.id,
        title: row.title,
        course_id: row.course_id,
    });
    Ok(suggestions.collect())
}

/// Lists all entries by kind and id, with the id of their course if they have one.
pub(crate) async fn list_entries(connection: &mut PgConnection) -> sqlx::Result<Vec<(Option<i64>, Entry)>> {
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

/// Inserts or replaces entries.
pub(crate) async fn put(connection: &mut PgConnection, entries: &[Entry]) -> sqlx::Result<()> {
    let column = |of: &dyn Fn(&Entry) -> String| entries.iter().map(of).collect::<Vec<_>>();
    let ids: Vec<i64> = entries.iter().map(|entry| entry.id).collect();
    // Grams contain no space.
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
