//! Versions of statistics and their item analysis, compared with figures of scipy.

use exam::statistics_version::{Figures, StatisticsError, StatisticsVersions};
use exam::written_marking::TaskAnswer;
use proto::exam::AnswerToSave;

use crate::hall::{
    Browser, Candidate, Hall, MULTIPLE, NUMBER, ORDERED, PAPER, RULES, SECRETS, SINGLE, TEXT, choices,
    number, row, text,
};
use crate::written::WRITTEN;

/// Answers of 48 candidates to `PAPER`, one line each: the choice of `SINGLE`, the choices of `MULTIPLE`, r for the
/// right and w for a wrong answer to `NUMBER` and `TEXT`, the choice of `ORDERED`, the points of `WRITTEN`; - is blank.
const CANDIDATES: &str = include_str!("statistics/candidates.txt");
/// Their figures: a line for each question with its number, candidates, answers, right answers, difficulty and
/// discrimination, and one for each choice with its candidates and discrimination. The discrimination was computed by
/// `scipy.stats.pointbiserialr` (scipy 1.17.1) of the right answers and the rest of the points, and of `pearsonr` for
/// `WRITTEN`; - where scipy gives no number. Thousandths are rounded half up.
const ITEMS: &str = include_str!("statistics/items.txt");

impl Hall {
    fn versions(&self) -> StatisticsVersions {
        StatisticsVersions::new(self.database.pool.clone(), self.clock.clock())
    }

    /// Ends the exam with the candidates of the fixture.
    async fn with_fixture(&self) -> Vec<Candidate<'_>> {
        let mut candidates = Vec::new();
        for line in CANDIDATES.lines() {
            let candidate = self.admit().await;
            candidate.answer(line).await;
            candidates.push(candidate);
        }
        self.end().await;
        for marker in ["mori", "hara"] {
            while let Some(task) = self.written_marking().next(marker, RULES).await.unwrap() {
                let TaskAnswer::Text(text) = task.answer else { panic!("a picture") };
                let points = text.parse().unwrap();
                self.written_marking().give(marker, task.id, points, "").await.unwrap();
            }
        }
        self.mark().await;
        self.versions().add_missing().await.unwrap();
        candidates
    }

    async fn figures(&self, version: i32) -> Figures {
        self.versions().find(1, Some(version)).await.unwrap()
    }
}

impl Candidate<'_> {
    /// Sits `PAPER` with the answers of a line of the fixture.
    async fn answer(&self, line: &str) {
        let columns: Vec<&str> = line.split(' ').collect();
        let ids = |column: &str| -> Vec<i32> {
            column.chars().filter_map(|id| id.to_digit(10)).map(u32::cast_signed).collect()
        };
        let typed = |column: &str, right: &'static str, wrong| match column {
            "r" => Some(right),
            "w" => Some(wrong),
            _ => None,
        };
        let chosen = |column: &str| if column == "-" { None } else { choices(&ids(column)) };
        let answers = [
            (SINGLE, chosen(columns[0])),
            (MULTIPLE, chosen(columns[1])),
            (NUMBER, typed(columns[2], SECRETS[0], "1").and_then(number)),
            (TEXT, typed(columns[3], SECRETS[1], "wrong").and_then(text)),
            (ORDERED, chosen(columns[4])),
            (WRITTEN, if columns[5] == "-" { None } else { text(columns[5]) }),
        ];
        let rows: Vec<AnswerToSave> =
            answers.into_iter().map(|(question, answer)| row(question, 1, answer)).collect();
        let browser = Browser::new();
        let sitting = self.start(PAPER, &browser).await.unwrap().id;
        self.save(&sitting, &browser, 1, rows).await.unwrap();
        self.hand_in(&sitting, &browser, 1).await.unwrap();
    }
}

/// The figures of `PAPER` as the fixture has them.
fn lines_of(figures: &Figures) -> Vec<String> {
    let show = |figure: Option<i32>| figure.map_or_else(|| "-".to_owned(), |figure| figure.to_string());
    let mut lines = Vec::new();
    for item in &figures.papers[0].items {
        let (difficulty, discrimination) = (show(item.difficulty), show(item.discrimination));
        let counts = format!("{} {} {}", item.candidates, item.answered, item.right);
        lines.push(format!("{} - {counts} {difficulty} {discrimination}", item.number));
        for choice in &item.choices {
            let discrimination = show(choice.discrimination);
            lines.push(format!("{} {} {} {discrimination}", item.number, choice.choice, choice.candidates));
        }
    }
    lines
}

#[tokio::test]
async fn the_item_analysis_has_the_figures_of_scipy_and_equal_marks_give_equal_bytes() {
    let hall = Hall::with_written().await;
    let candidates = hall.with_fixture().await;
    let first = hall.figures(1).await;
    assert_eq!(lines_of(&first), ITEMS.lines().collect::<Vec<_>>());
    let keys = first.papers[0].items[1].choices.iter().filter(|choice| choice.is_right);
    assert_eq!(keys.map(|choice| choice.choice).collect::<Vec<_>>(), [1, 3]);
    let result = candidates[0].exam_result().await.unwrap();

    hall.clock.advance(time::Duration::DAY);
    assert_eq!(hall.versions().add(1).await.unwrap(), 2);
    let versions = hall.versions().list(1).await.unwrap();
    assert_eq!(hall.figures(2).await.to_string(), first.to_string());
    assert_eq!(versions[0].digest, versions[1].digest);
    assert!(versions[0].computed_at < versions[1].computed_at);
    assert!(versions[0].has_results() && !versions[1].has_results());

    // Without an erased candidate the figures change, but those of the results do not.
    hall.erase(candidates[1].id).await;
    assert_eq!(hall.versions().add(1).await.unwrap(), 3);
    assert_eq!(hall.figures(3).await.papers[0].items[0].candidates, 47);
    let versions = hall.versions().list(1).await.unwrap();
    assert_ne!(versions[2].digest, versions[1].digest);
    assert_eq!(hall.figures(1).await, first);
    assert_eq!(candidates[0].exam_result().await.unwrap(), result, "results keep their version");
}

#[tokio::test]
async fn version_1_has_the_distributions_of_the_results_though_a_candidate_was_erased_before_it() {
    let hall = Hall::open().await;
    let candidates = hall.candidates(&[(5, 4), (3, 4), (1, 4)]).await;
    hall.end().await;
    hall.erase(candidates[2].id).await;
    hall.versions().add_missing().await.unwrap();
    let first = hall.figures(1).await.to_string();
    assert!(first.starts_with("exam\t1\t25:1 35:1 45:1\n"), "{first}");
    assert!(first.contains("\npaper\t11\t英語\t5:1 15:1 25:1\n"), "{first}");
    hall.versions().add(1).await.unwrap();
    let second = hall.figures(2).await.to_string();
    assert!(second.starts_with("exam\t1\t35:1 45:1\n"), "{second}");
    assert!(second.contains("\npaper\t11\t英語\t15:1 25:1\n"), "{second}");
}

#[tokio::test]
async fn without_a_spread_there_is_no_discrimination_and_without_candidates_no_difficulty() {
    let hall = Hall::open().await;
    hall.admit().await.sit(PAPER, 2).await;
    hall.end().await;
    hall.versions().add_missing().await.unwrap();
    let figures = hall.figures(1).await;
    let [sat, not_sat] = figures.papers.as_slice() else { panic!("{figures:?}") };
    assert_eq!(sat.items[0].difficulty, Some(1000));
    assert_eq!(sat.items[4].difficulty, Some(0));
    assert_eq!((sat.items[4].candidates, sat.items[4].answered), (1, 0), "blank is wrong");
    assert_eq!((not_sat.items[0].candidates, not_sat.items[0].difficulty), (0, None), "absent is not wrong");
    assert!(not_sat.items[0].choices.iter().all(|choice| choice.candidates == 0));
    let items = || figures.papers.iter().flat_map(|paper| &paper.items);
    assert!(items().all(|item| item.discrimination.is_none()), "{figures:?}");
    assert_eq!(items().count(), 10);
    assert!(items().flat_map(|item| &item.choices).all(|choice| choice.discrimination.is_none()));
}

#[tokio::test]
async fn only_a_final_result_has_a_version_and_replicas_add_one() {
    let hall = Hall::open().await;
    hall.candidates(&[(5, 4), (3, 4)]).await;
    hall.mark().await;
    let versions = hall.versions();
    versions.add_missing().await.unwrap();
    assert!(matches!(versions.find(1, None).await, Err(StatisticsError::NotFinal(1))));
    assert!(matches!(versions.add(1).await, Err(StatisticsError::NotFinal(1))));
    hall.end().await;
    let (one, other) = (hall.versions(), hall.versions());
    let (first, second, third) = tokio::join!(versions.add_missing(), one.add_missing(), other.add_missing());
    first.and(second).and(third).unwrap();
    assert_eq!(versions.list(1).await.unwrap().len(), 1);
    let (one, other) = tokio::join!(one.add(1), other.add(1));
    let mut added = [one.unwrap(), other.unwrap()];
    added.sort_unstable();
    assert_eq!(added, [2, 3]);
    let missing = versions.find(1, Some(4)).await;
    assert!(matches!(missing, Err(StatisticsError::NoVersion { exam: 1, version: 4 })));
    assert_eq!(versions.find(1, None).await.unwrap(), hall.figures(1).await);
}
