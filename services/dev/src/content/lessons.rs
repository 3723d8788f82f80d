//! The lessons that teach the questions of exams. exam imports their ids, and lms has the lessons: only here both are known.

use std::collections::HashMap;

use serde::Deserialize;
use tooling::failure::{Doing as _, Outcome};

use super::sources::Source;

#[derive(Deserialize)]
struct Course {
    chapters: Vec<Chapter>,
}

#[derive(Deserialize)]
struct Chapter {
    units: Vec<Unit>,
}

#[derive(Deserialize)]
struct Unit {
    lessons: Vec<Lesson>,
}

#[derive(Deserialize)]
struct Lesson {
    id: i64,
    /// Seconds.
    duration: i32,
}

#[derive(Deserialize)]
struct Paper {
    questions: Vec<Question>,
}

#[derive(Deserialize)]
struct Question {
    id: i64,
    lesson: Option<i64>,
    watch_again_at: Option<i32>,
}

/// Finds questions of exams whose lesson is in no course of `sources`, or is shorter than the second that they name.
pub(super) fn faults(sources: &[Source]) -> Outcome<Vec<String>> {
    let of = |source: &Source| format!("reading {}", source.path.display());
    let mut durations = HashMap::new();
    for source in sources.iter().filter(|source| source.is_in("courses")) {
        let course: Course = serde_saphyr::from_str(&source.text).doing(|| of(source))?;
        let units = course.chapters.into_iter().flat_map(|chapter| chapter.units);
        durations.extend(units.flat_map(|unit| unit.lessons).map(|lesson| (lesson.id, lesson.duration)));
    }
    let mut faults = Vec::new();
    if durations.is_empty() {
        // The courses are not among the folders.
        return Ok(faults);
    }
    for source in sources.iter().filter(|source| source.text.starts_with("questions:")) {
        let paper: Paper = serde_saphyr::from_str(&source.text).doing(|| of(source))?;
        for Question { id, lesson, watch_again_at } in paper.questions {
            let Some(lesson) = lesson else { continue };
            let fault = match durations.get(&lesson) {
                None => format!("the lesson {lesson} of question {id} is in no course"),
                Some(duration) if watch_again_at.is_some_and(|second| second >= *duration) => {
                    format!("question {id} names a second after the end of its lesson {lesson}")
                }
                Some(_) => continue,
            };
            faults.push(format!("{}: {fault}", source.path.display()));
        }
    }
    Ok(faults)
}
