//! Figures of one course: worked examples of its lessons and pictures of its questions.
//!
//! They are read from the file `figures/ID.yaml` beside the folder of the courses. A course without figures
//! has no such file.

use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use serde::Deserialize;

use crate::Outcome;
use crate::figure::{Figure, WIDTH};
use crate::sheet::Sheet;

/// White margin around the picture of a question.
const MARGIN: f32 = 24.0;

/// The figures of a course.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CourseFigures {
    /// By lesson id.
    #[serde(default)]
    examples: BTreeMap<i64, Vec<WorkedExample>>,
    /// By question id. A picture shows the problem, never the answer.
    #[serde(default)]
    questions: BTreeMap<i64, Figure>,
    /// Text of the file, for digests.
    #[serde(skip)]
    pub(crate) text: String,
}

/// A slide with a question, the steps to its answer, and a figure.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct WorkedExample {
    pub(crate) heading: String,
    pub(crate) question: String,
    pub(crate) steps: Vec<String>,
    pub(crate) figure: Figure,
}

impl CourseFigures {
    /// Reads the figures of the course in `file`.
    pub(crate) fn read_for(file: &Path) -> Outcome<Self> {
        let folder = file.parent().and_then(Path::parent).unwrap_or(Path::new("."));
        let file = folder.join("figures").join(file.file_name().unwrap_or_default());
        let text = match fs::read_to_string(&file) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Self::default()),
            Err(error) => return Err(format!("{}: {error}", file.display()).into()),
        };
        let figures: Self =
            serde_saphyr::from_str(&text).map_err(|error| format!("{}: {error}", file.display()))?;
        Ok(Self { text, ..figures })
    }

    /// Returns the worked examples of a lesson, in order.
    pub(crate) fn find_examples(&self, lesson: i64) -> &[WorkedExample] {
        self.examples.get(&lesson).map_or(&[], Vec::as_slice)
    }

    /// Draws the picture of a question; `None` if it has none.
    pub(crate) fn draw_question(&self, question: i64) -> Option<Sheet> {
        let figure = self.questions.get(&question)?.draw();
        let mut sheet = Sheet::new(WIDTH + 2.0 * MARGIN, figure.height + 2.0 * MARGIN);
        sheet.place(&figure, (MARGIN, MARGIN), 1.0);
        Some(sheet)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::*;
    use crate::course::{self, Course};

    fn demo() -> Vec<Course> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../lms/demo/courses");
        course::read_courses(&folder).expect("the demo's courses")
    }

    #[test]
    fn the_first_lesson_of_each_course_has_two_worked_examples() {
        for course in demo() {
            let first = course.lessons().next().expect("a lesson").lesson;
            let examples = course.figures.find_examples(first.id);
            assert!(examples.len() >= 2, "{}", first.name);
            for example in examples {
                let figure = example.figure.draw();
                assert!(!figure.marks.is_empty() && figure.height > 0.0, "{}", example.question);
            }
        }
    }

    #[test]
    fn every_worked_example_belongs_to_a_lesson_of_its_course() {
        for course in demo() {
            let lessons: BTreeSet<i64> = course.lessons().map(|placed| placed.lesson.id).collect();
            let strange: Vec<_> =
                course.figures.examples.keys().filter(|lesson| !lessons.contains(lesson)).collect();
            assert!(strange.is_empty(), "course {}: {strange:?}", course.id);
        }
    }

    #[test]
    fn the_pictures_of_the_demo_are_those_of_its_questions() {
        let mut count = 0;
        for course in &demo() {
            let pictured = course.pictured();
            let all = course.lessons().flat_map(|placed| &placed.lesson.questions);
            assert_eq!(all.filter(|question| question.picture.is_some()).count(), pictured.len());
            let drawn: Vec<i64> = course.figures.questions.keys().copied().collect();
            assert_eq!(drawn, pictured, "course {}", course.id);
            assert!(pictured.iter().all(|id| course.figures.draw_question(*id).is_some()));
            count += usize::from(!pictured.is_empty());
        }
        assert!(count >= 3, "{count}");
    }

    #[test]
    fn unknown_fields_are_refused() {
        let parse = |text: &str| serde_saphyr::from_str::<CourseFigures>(text);
        assert!(parse("questions: { 1: { table: [[a, b]] } }").is_ok());
        assert!(parse("questions: { 1: { tabel: [[a, b]] } }").is_err());
        assert!(parse("exampels: {}").is_err());
    }
}
