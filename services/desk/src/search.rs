//! Looking for notices and answers by words.

use kit::db::span;
use kit::page::Page;
use kit::search::Words;
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::Instrument as _;

/// So much of an answer says what it is about.
const SUMMARY: usize = 100;

/// Something that was found.
pub(crate) struct Hit {
    pub(crate) id: i64,
    pub(crate) title: String,
    pub(crate) summary: String,
}

/// How many of the notices that are public `now`, and how many answers, have all words.
pub(crate) async fn counts(
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

/// A page of notices, those with all words in their title first, then the newest.
pub(crate) async fn notices(
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

/// A page of answers, those with all words in their question first, then in the school's order.
pub(crate) async fn faqs(database: &mut PgConnection, words: &Words, page: Page) -> sqlx::Result<Vec<Hit>> {
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
        rows.into_iter().map(|row| Hit { id: row.id, title: row.question, summary: beginning(&row.answer) });
    Ok(hits.collect())
}

/// Something that may be meant.
pub(crate) struct Suggestion {
    pub(crate) id: i64,
    pub(crate) title: String,
    pub(crate) is_notice: bool,
}

/// Titles with all words in them, those that begin with the first word in front; at most `limit`.
pub(crate) async fn suggest(
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

/// The first words of a formatted text, on one line and without its signs.
fn beginning(text: &str) -> String {
    let mut plain = String::new();
    for line in text.lines().filter(|line| !line.is_empty()) {
        plain.push_str(line.trim_start_matches("## ").trim_start_matches("- "));
    }
    let mut shown = String::new();
    let mut rest = plain.as_str();
    // A link is its words.
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
    if shown.chars().nth(SUMMARY).is_some() {
        shown = shown.chars().take(SUMMARY - 1).chain(['…']).collect();
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::beginning;

    #[test]
    fn an_answer_begins_with_its_words() {
        assert_eq!(
            beginning("できます。\n\n## 方法\n- [設定](/mypage/settings)から[選ぶ"),
            "できます。方法設定から[選ぶ"
        );
        assert_eq!(beginning(&"あ".repeat(100)), "あ".repeat(100));
        assert_eq!(beginning(&"あ".repeat(101)), format!("{}…", "あ".repeat(99)));
    }
}
