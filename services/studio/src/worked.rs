//! What the first lesson of each course shows of its own: a figure to think with, and an example done step by step.

mod language;
mod mathematics;
mod science;
mod society;

use crate::sheet::Sheet;

/// A slide of a question, the steps to its answer, and a figure beside them.
pub(crate) struct Worked {
    pub(crate) heading: &'static str,
    pub(crate) asked: &'static str,
    pub(crate) steps: &'static [&'static str],
    pub(crate) figure: fn() -> Sheet,
}

/// The slides of a lesson's own, where it has some.
pub(crate) fn of(lesson: i64) -> &'static [Worked] {
    match lesson {
        101_010_101 => &language::SUBJECT_FIRST,
        102_010_101 => &mathematics::BELOW_ZERO,
        103_010_101 => &language::POINTING_WORDS,
        104_010_101 => &science::DECOMPOSITION,
        105_010_101 => &mathematics::FACTORS,
        106_010_101 => &language::BONES,
        107_010_101 => &society::LAND_AND_TAX,
        108_010_101 => &mathematics::RANGE,
        109_010_101 => &language::BRACKETS,
        110_010_101 => &language::OLD_SPELLING,
        111_010_101 => &science::VELOCITY,
        112_010_101 => &society::EAST_ASIA,
        _ => &[],
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::of;
    use crate::course;

    #[test]
    fn the_first_lesson_of_each_course_has_something_worked_out() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../lms/demo/courses");
        for course in course::read_all(&folder).expect("the demo's courses") {
            let first = course.lessons().next().expect("a lesson");
            assert!(of(first.lesson.id).len() >= 2, "{}", first.lesson.name);
            for worked in of(first.lesson.id) {
                let figure = (worked.figure)();
                assert!(!figure.marks.is_empty() && figure.height > 0.0, "{}", worked.asked);
            }
        }
    }
}
