//! The figures of a version, and their text.

use std::fmt;

use aws_lc_rs::digest::{SHA256, digest};
use kit_db::span;
use sqlx::PgConnection;
use tracing::Instrument as _;

/// With a lower discrimination, a question hardly tells good candidates from others.
const WEAK: i32 = 100;

/// The figures of a version. Its text is a table with tabs. Versions with equal figures have equal texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Figures {
    exam: i64,
    /// The numbers of candidates who sat every paper, with 0, 1, 2, … points.
    counts: Vec<i64>,
    /// In order.
    pub papers: Vec<Paper>,
}

/// The figures of a paper.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Paper {
    id: i64,
    subject: String,
    /// The numbers of candidates with 0, 1, 2, … points.
    counts: Vec<i64>,
    /// In order.
    pub items: Vec<Item>,
}

/// How a question worked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// Its number in the paper.
    pub number: i32,
    /// `single`, `multiple`, `number`, `text` or `written`.
    pub kind: String,
    /// Candidates who handed in the paper.
    pub candidates: i64,
    /// Candidates whose answer is not blank.
    pub answered: i64,
    /// Candidates with full points.
    pub right: i64,
    /// The average score divided by the full points, in thousandths. `None` without candidates.
    pub difficulty: Option<i32>,
    /// The correlation of the score with the points of the other questions, in thousandths. `None` if all of
    /// one of the two are equal.
    pub discrimination: Option<i32>,
    /// In the author's order.
    pub choices: Vec<Choice>,
}

/// How a choice worked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// From 1.
    pub choice: i32,
    /// Whether the key has it.
    pub is_right: bool,
    /// Candidates who chose it.
    pub candidates: i64,
    /// As [`Item::discrimination`], of choosing it.
    pub discrimination: Option<i32>,
}

impl Figures {
    /// Finds the figures of a version that exists.
    pub(super) async fn find(connection: &mut PgConnection, exam: i64, version: i32) -> sqlx::Result<Self> {
        let counts = sqlx::query_scalar!(
            "SELECT counts FROM statistics_version WHERE exam_id = $1 AND version = $2",
            exam,
            version,
        )
        .fetch_one(&mut *connection)
        .instrument(span("SELECT statistics_version"))
        .await?;
        let rows = sqlx::query!(
            "
            SELECT paper_id, subject, counts FROM paper_statistics_version JOIN paper ON paper.id = paper_id
            WHERE paper_statistics_version.exam_id = $1 AND version = $2
            ORDER BY position
            ",
            exam,
            version,
        )
        .fetch_all(&mut *connection)
        .instrument(span("SELECT paper_statistics_version"))
        .await?;
        let mut papers = Vec::with_capacity(rows.len());
        for row in rows {
            let items = list_items(connection, row.paper_id, version).await?;
            papers.push(Paper { id: row.paper_id, subject: row.subject, counts: row.counts, items });
        }
        Ok(Self { exam, counts, papers })
    }

    /// Returns the SHA-256 of the printed text with its line end, in hexadecimal.
    pub(super) fn digest(&self) -> String {
        hex::encode(digest(&SHA256, format!("{self}\n").as_bytes()))
    }
}

/// Lists the items of a paper, in order.
async fn list_items(connection: &mut PgConnection, paper: i64, version: i32) -> sqlx::Result<Vec<Item>> {
    let rows = sqlx::query!(
        r#"
        SELECT
            question_id, number, content ->> 'kind' AS "kind!", candidate_count, answered_count, right_count,
            difficulty_thousandths, discrimination_thousandths
        FROM item_statistics JOIN question ON question.id = question_id
        WHERE paper_id = $1 AND version = $2
        ORDER BY number
        "#,
        paper,
        version,
    )
    .fetch_all(&mut *connection)
    .instrument(span("SELECT item_statistics"))
    .await?;
    let choices = sqlx::query!(
        r#"
        SELECT
            question_id, choice, content -> 'key' -> 'choices' @> to_jsonb(choice) AS "is_right!", candidate_count,
            discrimination_thousandths
        FROM choice_statistics JOIN question ON question.id = question_id
        WHERE paper_id = $1 AND version = $2
        ORDER BY number, choice
        "#,
        paper,
        version,
    )
    .fetch_all(connection)
    .instrument(span("SELECT choice_statistics"))
    .await?;
    let items = rows.into_iter().map(|row| Item {
        number: row.number,
        kind: row.kind,
        candidates: row.candidate_count,
        answered: row.answered_count,
        right: row.right_count,
        difficulty: row.difficulty_thousandths,
        discrimination: row.discrimination_thousandths,
        choices: choices
            .iter()
            .filter(|choice| choice.question_id == row.question_id)
            .map(|choice| Choice {
                choice: choice.choice,
                is_right: choice.is_right,
                candidates: choice.candidate_count,
                discrimination: choice.discrimination_thousandths,
            })
            .collect(),
    });
    Ok(items.collect())
}

impl Item {
    /// What an author should look at.
    fn note(&self) -> &'static str {
        match self.discrimination {
            Some(..0) => "better candidates fail: check the key",
            Some(0..WEAK) => "tells candidates hardly apart",
            Some(_) | None => "",
        }
    }
}

impl Choice {
    /// What an author should look at, where the question had candidates.
    fn note(&self, item: &Item) -> &'static str {
        match (self.is_right, self.candidates, self.discrimination) {
            (false, 0, _) if item.candidates > 0 => "nobody chose it",
            (false, _, Some(1..)) => "attracts better candidates",
            _ => "",
        }
    }
}

impl fmt::Display for Figures {
    fn fmt(&self, text: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(text, "exam\t{}\t{}", self.exam, format_counts(&self.counts))?;
        for paper in &self.papers {
            write!(text, "\n\npaper\t{}\t{}\t{}", paper.id, paper.subject, format_counts(&paper.counts))?;
            text.write_str(
                "\nquestion\tchoice\tkind\tcandidates\tanswered\tright\tdifficulty\tdiscrimination\tnote",
            )?;
            for item in &paper.items {
                write!(text, "\n{item}")?;
            }
        }
        Ok(())
    }
}

impl fmt::Display for Item {
    fn fmt(&self, text: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { number, kind, candidates, answered, right, difficulty, discrimination, choices } = self;
        let (difficulty, discrimination) = (format_figure(*difficulty), format_figure(*discrimination));
        let note = self.note();
        write!(
            text,
            "{number}\t\t{kind}\t{candidates}\t{answered}\t{right}\t{difficulty}\t{discrimination}\t{note}"
        )?;
        for choice in choices {
            let Choice { choice: id, is_right, candidates, discrimination } = choice;
            let (key, discrimination) = (if *is_right { "key" } else { "" }, format_figure(*discrimination));
            let note = choice.note(self);
            write!(text, "\n{number}\t{id}\t{key}\t{candidates}\t\t\t\t{discrimination}\t{note}")?;
        }
        Ok(())
    }
}

/// Formats the numbers of candidates by points, e.g. `12:1 15:3`.
fn format_counts(counts: &[i64]) -> String {
    let present = (0..).zip(counts).filter(|(_, count)| **count > 0);
    present.map(|(points, count): (i32, _)| format!("{points}:{count}")).collect::<Vec<_>>().join(" ")
}

/// Formats thousandths, e.g. `-0.250`, or `-` for none.
fn format_figure(thousandths: Option<i32>) -> String {
    thousandths.map_or_else(|| "-".to_owned(), |figure| format!("{:.3}", f64::from(figure) / 1000.0))
}

#[cfg(test)]
mod tests {
    use super::{Choice, Figures, Item, Paper};

    #[test]
    fn the_text_has_every_figure_and_notes_for_authors() {
        let choice = |choice, is_right, candidates, discrimination| Choice {
            choice,
            is_right,
            candidates,
            discrimination,
        };
        let item = |number, kind: &str, discrimination, choices| Item {
            number,
            kind: kind.to_owned(),
            candidates: 8,
            answered: 7,
            right: 4,
            difficulty: Some(500),
            discrimination,
            choices,
        };
        let figures = Figures {
            exam: 1,
            counts: vec![0, 2, 0, 6],
            papers: vec![Paper {
                id: 11,
                subject: "英語".to_owned(),
                counts: vec![8],
                items: vec![
                    item(
                        1,
                        "single",
                        Some(-50),
                        vec![
                            choice(1, true, 4, Some(-50)),
                            choice(2, false, 3, Some(7)),
                            choice(3, false, 0, None),
                        ],
                    ),
                    item(2, "text", Some(99), vec![]),
                    item(3, "number", None, vec![]),
                ],
            }],
        };
        let wanted = "\
exam\t1\t1:2 3:6

paper\t11\t英語\t0:8
question\tchoice\tkind\tcandidates\tanswered\tright\tdifficulty\tdiscrimination\tnote
1\t\tsingle\t8\t7\t4\t0.500\t-0.050\tbetter candidates fail: check the key
1\t1\tkey\t4\t\t\t\t-0.050\t
1\t2\t\t3\t\t\t\t0.007\tattracts better candidates
1\t3\t\t0\t\t\t\t-\tnobody chose it
2\t\ttext\t8\t7\t4\t0.500\t0.099\ttells candidates hardly apart
3\t\tnumber\t8\t7\t4\t0.500\t-\t";
        assert_eq!(figures.to_string(), wanted);
    }
}
