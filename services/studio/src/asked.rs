//! Pictures of questions: what is asked about, and never the answer.

use crate::figure::{Axes, graph, number_line, timeline};
use crate::sheet::Sheet;

/// White around a picture.
const MARGIN: f32 = 24.0;

/// The picture of a question, where it has one.
pub(crate) fn of(question: i64) -> Option<Sheet> {
    let figure = match question {
        10_201_010_101 => number_line(-6, 6, "気温（℃）", &[(0, -5, "？")]),
        10_701_010_102 => timeline(&[
            ("701年", "大宝律令"),
            ("723年", "三世一身法"),
            ("？年", "墾田永年私財法"),
            ("1016年", "藤原道長が摂政になる"),
        ]),
        10_801_010_102 => {
            let axes = Axes { x: (-3.0, 3.0), y: (-1.0, 5.0), names: ("x", "y") };
            let places = [(-1.0, 1.0, "x＝−1", (-46.0, 4.0)), (2.0, 4.0, "x＝2", (40.0, 8.0))];
            graph(&axes, |x| x * x, (-1.0, 2.0), false, &places)
        }
        11_101_010_102 => {
            let axes = Axes { x: (-1.0, 5.0), y: (-2.0, 15.0), names: ("t", "v") };
            graph(&axes, |t| 3.0 * t, (0.0, 4.0), false, &[(4.0, 12.0, "(4.0, 12)", (-62.0, -10.0))])
        }
        _ => return None,
    };
    let mut sheet = Sheet::new(figure.width + 2.0 * MARGIN, figure.height + 2.0 * MARGIN);
    sheet.place(&figure, (MARGIN, MARGIN), 1.0);
    Some(sheet)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::of;
    use crate::course;

    /// What the demo's questions show is drawn here, in three courses and more.
    #[test]
    fn the_pictures_of_the_demo_are_known() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../lms/demo/courses");
        let courses = course::read_all(&folder).expect("the demo's courses");
        let mut count = 0;
        for course in &courses {
            let pictured = course.pictured();
            let all = course.lessons().flat_map(|placed| &placed.lesson.questions);
            assert_eq!(all.filter(|question| question.picture.is_some()).count(), pictured.len());
            assert!(pictured.iter().all(|id| of(*id).is_some()), "{pictured:?}");
            count += usize::from(!pictured.is_empty());
        }
        assert!(count >= 3, "{count}");
    }
}
