//! The parts of a course that its lessons are drawn from.

use std::fs;
use std::path::Path;

use serde::Deserialize;

use crate::Outcome;
use crate::course_figures::CourseFigures;

/// Shortest lesson in seconds; a shorter one has no room for its slides.
const SHORTEST: u32 = 60;

/// A course.
#[derive(Deserialize)]
pub(crate) struct Course {
    pub(crate) id: i64,
    pub(crate) name: String,
    pub(crate) category: String,
    pub(crate) summary: String,
    pub(crate) chapters: Vec<Chapter>,
    /// Read from a separate file.
    #[serde(skip)]
    pub(crate) figures: CourseFigures,
}

/// A chapter.
#[derive(Deserialize)]
pub(crate) struct Chapter {
    pub(crate) name: String,
    pub(crate) units: Vec<Unit>,
}

/// A unit.
#[derive(Deserialize)]
pub(crate) struct Unit {
    pub(crate) name: String,
    pub(crate) lessons: Vec<Lesson>,
}

/// A lesson.
#[derive(Deserialize)]
pub(crate) struct Lesson {
    pub(crate) id: i64,
    pub(crate) name: String,
    pub(crate) summary: String,
    /// Length in seconds.
    pub(crate) duration: u32,
    #[serde(default)]
    pub(crate) questions: Vec<Question>,
}

/// A question.
#[derive(Deserialize)]
pub(crate) struct Question {
    pub(crate) id: i64,
    pub(crate) picture: Option<Picture>,
}

/// The picture of a question.
#[derive(Deserialize)]
pub(crate) struct Picture {
    pub(crate) url: String,
}

/// A lesson and its place in the course.
#[derive(Clone, Copy)]
pub(crate) struct Placed<'a> {
    pub(crate) course: &'a Course,
    pub(crate) chapter: &'a Chapter,
    pub(crate) unit: &'a Unit,
    pub(crate) lesson: &'a Lesson,
    /// Index in its unit, from 0.
    pub(crate) index: usize,
}

impl Course {
    /// Returns all lessons in order.
    pub(crate) fn lessons(&self) -> impl Iterator<Item = Placed<'_>> {
        self.chapters.iter().flat_map(move |chapter| {
            chapter.units.iter().flat_map(move |unit| {
                unit.lessons.iter().enumerate().map(move |(index, lesson)| Placed {
                    course: self,
                    chapter,
                    unit,
                    lesson,
                    index,
                })
            })
        })
    }

    /// Returns the ids of the questions whose pictures are drawn by the studio.
    pub(crate) fn pictured(&self) -> Vec<i64> {
        let questions = self.lessons().flat_map(|placed| &placed.lesson.questions);
        let is_own = |question: &&Question| {
            let own = format!("/api/media/open/course/{}/question/{}.png", self.id, question.id);
            question.picture.as_ref().is_some_and(|picture| picture.url == own)
        };
        questions.filter(is_own).map(|question| question.id).collect()
    }
}

/// Reads all courses of a folder, ordered by file name.
pub(crate) fn read_courses(folder: &Path) -> Outcome<Vec<Course>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "yaml") {
            files.push(path);
        }
    }
    files.sort();
    files.iter().map(|file| read_course(file)).collect()
}

/// Reads a course.
pub(crate) fn read_course(file: &Path) -> Outcome<Course> {
    let text = fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
    let mut course: Course =
        serde_saphyr::from_str(&text).map_err(|error| format!("{}: {error}", file.display()))?;
    course.figures = CourseFigures::read_for(file)?;
    for placed in course.lessons() {
        let Lesson { id, duration, .. } = placed.lesson;
        if *duration < SHORTEST {
            return Err(
                format!("lesson {id} takes {duration} s: {SHORTEST} s is the shortest to draw").into()
            );
        }
    }
    Ok(course)
}
