//! Converts courses and lessons to messages.

use kit::timestamp::to_timestamp;
use proto::lms;

use crate::course::{Chapter, Course, Handout, HandoutPage, Lesson, Unit, VideoMark};
use crate::lesson::{LessonPath, LessonSummary, MarkedLesson};

impl From<Course> for lms::Course {
    fn from(course: Course) -> Self {
        let Course { content, modified, revision } = course;
        let lessons = content.lessons().count();
        let summary = lms::CourseSummary {
            id: content.id,
            duration_sum: content.lessons().map(|lesson| lesson.duration).sum(),
            lesson_count: i32::try_from(lessons).unwrap_or(i32::MAX),
            name: content.name,
            category: content.category,
            school_year: content.school_year,
            level: content.level,
            description: content.description,
            summary: content.summary,
            orientation: content.media.orientation,
            sample_video: content.media.sample_video,
            thumbnail: content.media.thumbnail,
            textbook_bundle: content.media.textbook_bundle,
            whiteboard_bundle: content.media.whiteboard_bundle,
            teacher: Some(lms::TeacherRef { id: content.teacher_id, name: content.teacher_name }),
            created: Some(to_timestamp(content.created)),
            modified: Some(to_timestamp(modified)),
        };
        let chapters = content.chapters.into_iter().map(lms::Chapter::from).collect();
        Self { summary: Some(summary), chapters, revision }
    }
}

impl From<Chapter> for lms::Chapter {
    fn from(Chapter { id, name, units }: Chapter) -> Self {
        Self { id, name, units: units.into_iter().map(lms::Unit::from).collect() }
    }
}

impl From<Unit> for lms::Unit {
    fn from(Unit { id, name, lessons }: Unit) -> Self {
        Self { id, name, lessons: lessons.into_iter().map(lms::Lesson::from).collect() }
    }
}

impl From<Lesson> for lms::Lesson {
    fn from(Lesson { id, name, summary, duration, .. }: Lesson) -> Self {
        Self { id, name, summary, duration }
    }
}

impl From<VideoMark> for lms::VideoMark {
    fn from(VideoMark { at, name }: VideoMark) -> Self {
        Self { at, name }
    }
}

impl From<Handout> for lms::Handout {
    fn from(Handout { kind, page_count, pages }: Handout) -> Self {
        let pages = pages.into_iter().map(|HandoutPage { page, at }| lms::HandoutPage { page, at });
        Self { kind, page_count, pages: pages.collect() }
    }
}

impl From<LessonSummary> for lms::Lesson {
    fn from(LessonSummary { id, name, summary, duration }: LessonSummary) -> Self {
        Self { id, name, summary, duration }
    }
}

impl From<LessonPath> for lms::LessonRef {
    fn from(path: LessonPath) -> Self {
        Self {
            lesson: Some(path.lesson.into()),
            unit_id: path.unit_id,
            unit_name: path.unit_name,
            chapter_id: path.chapter_id,
            chapter_name: path.chapter_name,
            course_id: path.course_id,
            course_name: path.course_name,
        }
    }
}

impl From<MarkedLesson> for lms::LessonMark {
    fn from(mark: MarkedLesson) -> Self {
        Self {
            lesson: Some(lms::LessonRef {
                lesson: Some(lms::Lesson {
                    id: mark.id,
                    name: mark.name,
                    summary: mark.summary,
                    duration: mark.duration,
                }),
                unit_id: mark.unit_id,
                unit_name: mark.unit_name,
                chapter_id: mark.chapter_id,
                chapter_name: mark.chapter_name,
                course_id: mark.course_id,
                course_name: mark.course_name,
            }),
            created: Some(to_timestamp(mark.created)),
        }
    }
}
