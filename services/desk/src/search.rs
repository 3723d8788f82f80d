//! Full-text search in notices and FAQs.

use forms::search::Words;
use kit::page::Page;
use kit_db::span;
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::Instrument as _;

/// Longest summary of an answer, in characters.
const SUMMARY_LIMIT: usize = 100;

/// A search hit.
pub(crate) struct Hit {
    pub(crate) id: i64,
    pub(crate) title: String,
    pub(crate) summary: String,
}

/// Counts the public notices and the FAQs that contain all words.
pub(crate) async fn count_hits(
    database: &mut PgConnection,
    words: &Words,
    now: OffsetDateTime,
) -> sqlx::Result<(i64, i64)> {
    let row = sqlx::query!(
        r#"SELECT
            (SELECT count(*) FROM notice
                WHERE state = 'published' AND audience = 'everyone' AND published_at <= $2 AND words LIKE ALL ($1))
                AS "notices!",
            (SELECT count(*) FROM faq WHERE words LIKE ALL ($1)) AS "faqs!""#,
        &words.patterns(),
        now
    )
    .fetch_one(database)
    .instrument(span("SELECT notice"))
    .await?;
    Ok((row.notices, row.faqs))
}

/// Finds a page of public notices. Those with all words in the title come first, then the newest.
pub(crate) async fn find_notices(
    database: &mut PgConnection,
    words: &Words,
    page: Page,
    now: OffsetDateTime,
) -> sqlx::Result<Vec<Hit>> {
    sqlx::query_as!(
        Hit,
        "SELECT id, title, summary FROM notice \
         WHERE state = 'published' AND audience = 'everyone' AND published_at <= $2 AND words LIKE ALL ($1) \
         ORDER BY title_words LIKE ALL ($1) DESC, published_at DESC, id DESC LIMIT $3 OFFSET $4",
        &words.patterns(),
        now,
        page.limit(),
        page.offset()
    )
    .fetch_all(database)
    .instrument(span("SELECT notice"))
    .await
}

/// Finds a page of FAQs. Those with all words in the question come first, then in the order of the content.
pub(crate) async fn find_faqs(
    database: &mut PgConnection,
    words: &Words,
    page: Page,
) -> sqlx::Result<Vec<Hit>> {
    let rows = sqlx::query!(
        "SELECT id, question, answer FROM faq WHERE words LIKE ALL ($1) \
         ORDER BY title_words LIKE ALL ($1) DESC, position, id LIMIT $2 OFFSET $3",
        &words.patterns(),
        page.limit(),
        page.offset()
    )
    .fetch_all(database)
    .instrument(span("SELECT faq"))
    .await?;
    let hits =
        rows.into_iter().map(|row| Hit { id: row.id, title: row.question, summary: summarize(&row.answer) });
    Ok(hits.collect())
}

/// A suggested title.
pub(crate) struct Suggestion {
    pub(crate) id: i64,
    pub(crate) title: String,
    pub(crate) is_notice: bool,
}

/// Suggests at most `limit` titles that contain all words. Those that begin with the first word come first.
pub(crate) async fn suggest_titles(
    database: &mut PgConnection,
    words: &Words,
    limit: i64,
    now: OffsetDateTime,
) -> sqlx::Result<Vec<Suggestion>> {
    sqlx::query_as!(
        Suggestion,
        r#"SELECT id AS "id!", title AS "title!", is_notice AS "is_notice!" FROM (
            SELECT id, title, title_words, true AS is_notice FROM notice
                WHERE state = 'published' AND audience = 'everyone' AND published_at <= $3
            UNION ALL
            SELECT id, question, title_words, false FROM faq
        ) AS known
        WHERE title_words LIKE ALL ($1)
        ORDER BY title_words LIKE $2 DESC, is_notice, id LIMIT $4"#,
        &words.patterns(),
        words.beginning(),
        now,
        limit
    )
    .fetch_all(database)
    .instrument(span("SELECT notice"))
    .await
}

/// The beginning of a formatted text, on one line and without markup.
fn summarize(text: &str) -> String {
    let mut plain = String::new();
    for line in text.lines().filter(|line| !line.is_empty()) {
        plain.push_str(line.trim_start_matches("## ").trim_start_matches("- "));
    }
    let mut shown = String::new();
    let mut rest = plain.as_str();
    // Replace links by their text.
    while let Some((before, after)) = rest.split_once('[') {
        let Some((words, (_, following))) =
            after.split_once("](").and_then(|(words, after)| Some((words, after.split_once(')')?)))
        else {
            break;
        };
        shown.push_str(before);
        shown.push_str(words);
        rest = following;
    }
    shown.push_str(rest);
    if shown.chars().nth(SUMMARY_LIMIT).is_some() {
        shown = shown.chars().take(SUMMARY_LIMIT - 1).chain(['…']).collect();
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::summarize;

    #[test]
    fn an_answer_begins_with_its_words() {
        assert_eq!(
            summarize("できます。\n\n## 方法\n- [設定](/mypage/settings)から[選ぶ"),
            "できます。方法設定から[選ぶ"
        );
        assert_eq!(summarize(&"あ".repeat(100)), "あ".repeat(100));
        assert_eq!(summarize(&"あ".repeat(101)), format!("{}…", "あ".repeat(99)));
    }
}
