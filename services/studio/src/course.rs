//! Courses, as far as their lessons are drawn from it.

use std::fs;
use std::path::Path;

use serde::Deserialize;

use crate::Outcome;
use crate::course_figures::CourseFigures;

/// A lesson shorter than this has no room for its slides.
const SHORTEST: u32 = 60;

/// A course.
#[derive(Deserialize)]
pub(crate) struct Course {
    pub(crate) id: i64,
    pub(crate) name: String,
    pub(crate) category: String,
    pub(crate) summary: String,
    pub(crate) chapters: Vec<Chapter>,
    /// From a file of its own.
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
    /// In seconds.
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

/// Where a question's picture is.
#[derive(Deserialize)]
pub(crate) struct Picture {
    pub(crate) url: String,
}

/// A lesson where it stands.
#[derive(Clone, Copy)]
pub(crate) struct Placed<'a> {
    pub(crate) course: &'a Course,
    pub(crate) chapter: &'a Chapter,
    pub(crate) unit: &'a Unit,
    pub(crate) lesson: &'a Lesson,
    /// From 0, in its unit.
    pub(crate) index: usize,
}

impl Course {
    /// All lessons in their order.
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

    /// The questions whose pictures are drawn here.
    pub(crate) fn pictured(&self) -> Vec<i64> {
        let questions = self.lessons().flat_map(|placed| &placed.lesson.questions);
        let is_own = |question: &&Question| {
            let own = format!("/api/media/open/course/{}/question/{}.png", self.id, question.id);
            question.picture.as_ref().is_some_and(|picture| picture.url == own)
        };
        questions.filter(is_own).map(|question| question.id).collect()
    }
}

/// All courses of a folder, by the names of their files.
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

/// One course.
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
