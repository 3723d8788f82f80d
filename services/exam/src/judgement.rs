//! 合格判定: the probability that a 偏差値 passes a department's border.

pub(crate) mod department;

pub(crate) use department::Department;

use crate::missed_question::{MissedQuestion, take_points};
use crate::statistics::{Standing, Tenths};

/// The judgement of a department.
#[derive(Debug)]
pub(crate) struct Judgement {
    pub(crate) department: Department,
    /// `None` if a paper is missing, or with fewer than two candidates.
    pub(crate) chance: Option<Chance>,
}

/// The chance to pass the border.
#[derive(Debug)]
pub(crate) struct Chance {
    pub(crate) grade: Grade,
    /// In percent, rounded down.
    pub(crate) percent: i32,
    /// `None` for A, or if no points reach a better grade.
    pub(crate) next: Option<NextGrade>,
}

/// The requirements of the next better grade.
#[derive(Debug)]
pub(crate) struct NextGrade {
    pub(crate) grade: Grade,
    /// The lowest 偏差値 with that grade.
    pub(crate) score: Tenths,
    /// At least 1.
    pub(crate) missing_points: i32,
    /// Missed questions that together have these points. Empty before the result is final.
    pub(crate) questions: Vec<MissedQuestion>,
}

impl Judgement {
    /// Judges a department by the total of all papers.
    pub(crate) fn new(department: Department, total: Option<&Standing>, missed: &[MissedQuestion]) -> Self {
        let chance = total.and_then(|total| Chance::new(department.border, total, missed));
        Self { department, chance }
    }
}

impl Chance {
    fn new(border: Tenths, total: &Standing, missed: &[MissedQuestion]) -> Option<Self> {
        let score = total.deviation_score()?;
        let next = Grade::next(score, border).and_then(|(grade, score)| {
            let missing_points = total.distribution.points_for(score)? - total.points;
            let questions = take_points(missed, missing_points).to_vec();
            Some(NextGrade { grade, score, missing_points, questions })
        });
        #[expect(clippy::cast_possible_truncation, reason = "0 to 100")]
        let percent = pass_percent(score, border).floor() as i32;
        Some(Self { grade: Grade::from_scores(score, border), percent, next })
    }
}

/// The grades, from the most likely one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Grade {
    A,
    B,
    C,
    D,
    E,
}

/// Steepness of the logistic curve, per point of 偏差値.
const STEEPNESS: f64 = 0.35;

/// The upper limit of the search for a better grade. No 偏差値 is that high.
const HIGHEST: i32 = 1_500;

/// Returns the probability in percent that `score` passes `border`. It is 50 if they are equal.
pub(crate) fn pass_percent(score: Tenths, border: Tenths) -> f64 {
    100.0 / (1.0 + (-STEEPNESS * (f64::from(score) - f64::from(border))).exp())
}

impl Grade {
    /// Returns the grade of `score` for `border`.
    pub(crate) fn from_scores(score: Tenths, border: Tenths) -> Self {
        match pass_percent(score, border) {
            80.0.. => Self::A,
            60.0.. => Self::B,
            40.0.. => Self::C,
            20.0.. => Self::D,
            _ => Self::E,
        }
    }

    /// Returns the next better grade than that of `score`, and its lowest 偏差値. `None` for A.
    pub(crate) fn next(score: Tenths, border: Tenths) -> Option<(Self, Tenths)> {
        let grade = Self::from_scores(score, border);
        let scores = (score.tenths()..HIGHEST).map(Tenths::new);
        scores.map(|higher| (Self::from_scores(higher, border), higher)).find(|(better, _)| *better < grade)
    }
}

#[cfg(test)]
mod tests {
    use super::{Grade, pass_percent};
    use crate::statistics::Tenths;

    const BORDER: Tenths = Tenths::new(580);

    #[test]
    fn a_score_on_the_border_passes_with_50_percent() {
        assert!((pass_percent(BORDER, BORDER) - 50.0).abs() < 1e-9);
        assert_eq!(Grade::from_scores(BORDER, BORDER), Grade::C);
    }

    /// ln(4) / 0.35 = 3.961 and ln(1.5) / 0.35 = 1.158 points away from the border.
    #[test]
    fn grades_change_at_80_60_40_and_20_percent() {
        let cases = [
            (620, Grade::A),
            (619, Grade::B),
            (592, Grade::B),
            (591, Grade::C),
            (569, Grade::C),
            (568, Grade::D),
            (541, Grade::D),
            (540, Grade::E),
            (200, Grade::E),
        ];
        for (score, grade) in cases {
            assert_eq!(Grade::from_scores(Tenths::new(score), BORDER), grade, "{score}");
        }
    }

    #[test]
    fn the_next_grade_is_the_better_one_with_the_lowest_score() {
        assert_eq!(Grade::next(Tenths::new(300), BORDER), Some((Grade::D, Tenths::new(541))));
        assert_eq!(Grade::next(Tenths::new(591), BORDER), Some((Grade::B, Tenths::new(592))));
        assert_eq!(Grade::next(Tenths::new(619), BORDER), Some((Grade::A, Tenths::new(620))));
        assert_eq!(Grade::next(Tenths::new(620), BORDER), None);
    }
}
