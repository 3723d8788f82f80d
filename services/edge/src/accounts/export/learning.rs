//! Learning data of an export.

use proto::lms;
use serde::Serialize;
use time::OffsetDateTime;
use utoipa::ToSchema;

use super::all;
use crate::error::Error;
use crate::lms::heartbeats::WatchedDay;
use crate::lms::notes::Note;
use crate::timestamp::{parse_optional_timestamp, parse_timestamp};

/// Learning data of the caller.
#[derive(Serialize, ToSchema)]
pub(in crate::accounts) struct Learning {
    courses: Vec<ExportedCourse>,
    /// Bookmarked courses.
    bookmarks: Vec<ExportedBookmark>,
    favorites: Vec<ExportedMark>,
    checks: Vec<ExportedMark>,
    watches: Vec<ExportedWatch>,
    progress: Vec<ExportedProgress>,
    /// Days with playback.
    days: Vec<WatchedDay>,
    /// Questions in the review queue.
    reviews: Vec<ExportedReview>,
    /// Questions of mock exams in the review queue.
    exam_reviews: Vec<ExportedExamReview>,
    /// Certificates of completed courses.
    certificates: Vec<ExportedCertificate>,
    /// Live lessons that the caller joined.
    attendances: Vec<ExportedAttendance>,
    /// Homework of classes that the caller marked as done.
    homework_marks: Vec<ExportedHomeworkMark>,
    /// Minutes a day of the study plan; null if they were never chosen, 0 for no plan.
    #[schema(required)]
    study_minutes: Option<u32>,
    /// Active and recent streams.
    streams: Vec<ExportedStream>,
    notes: Vec<Note>,
    /// Graded attempts and practice rounds.
    results: Vec<ExportedResult>,
    answers: Vec<ExportedAnswer>,
}

impl Learning {
    /// Converts everything except notes, results and answers.
    pub(super) fn new(learning: lms::ExportLearnerResponse) -> Result<Self, Error> {
        Ok(Self {
            courses: all(learning.items, ExportedCourse::new)?,
            bookmarks: all(learning.bookmarks, ExportedBookmark::new)?,
            favorites: all(learning.favorites, ExportedMark::new)?,
            checks: all(learning.checks, ExportedMark::new)?,
            watches: all(learning.watches, ExportedWatch::new)?,
            progress: all(learning.progress, ExportedProgress::new)?,
            days: learning.days.into_iter().map(WatchedDay::from).collect(),
            reviews: all(learning.reviews, ExportedReview::new)?,
            exam_reviews: all(learning.exam_reviews, ExportedExamReview::new)?,
            certificates: all(learning.certificates, ExportedCertificate::new)?,
            attendances: all(learning.attendances, ExportedAttendance::new)?,
            homework_marks: all(learning.homework_marks, ExportedHomeworkMark::new)?,
            study_minutes: learning.study_minutes,
            streams: all(learning.streams, ExportedStream::new)?,
            notes: Vec::new(),
            results: Vec::new(),
            answers: Vec::new(),
        })
    }
}

#[derive(Serialize, ToSchema)]
struct ExportedCourse {
    course: String,
    product_id: i64,
    #[serde(with = "time::serde::rfc3339")]
    created: OffsetDateTime,
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(required)]
    expire_at: Option<OffsetDateTime>,
}

impl ExportedCourse {
    fn new(item: lms::ExportedItem) -> Result<Self, Error> {
        Ok(Self {
            course: item.course,
            product_id: item.product_id,
            created: parse_timestamp(item.created)?,
            expire_at: parse_optional_timestamp(item.expire_at)?,
        })
    }
}

#[derive(Serialize, ToSchema)]
struct ExportedBookmark {
    course: String,
    #[serde(with = "time::serde::rfc3339")]
    created: OffsetDateTime,
}

impl ExportedBookmark {
    fn new(bookmark: lms::ExportedBookmark) -> Result<Self, Error> {
        Ok(Self { course: bookmark.course, created: parse_timestamp(bookmark.created)? })
    }
}

#[derive(Serialize, ToSchema)]
struct ExportedMark {
    course: String,
    lesson: String,
    #[serde(with = "time::serde::rfc3339")]
    created: OffsetDateTime,
}

impl ExportedMark {
    fn new(mark: lms::ExportedMark) -> Result<Self, Error> {
        Ok(Self { course: mark.course, lesson: mark.lesson, created: parse_timestamp(mark.created)? })
    }
}

#[derive(Serialize, ToSchema)]
struct ExportedWatch {
    course: String,
    lesson: String,
    /// Resume position in seconds.
    position: i32,
    /// Seconds watched at least once.
    covered: i32,
    /// Number of sittings.
    times: i32,
    #[serde(with = "time::serde::rfc3339")]
    first_seen: OffsetDateTime,
    #[serde(with = "time::serde::rfc3339")]
    last_seen: OffsetDateTime,
}

impl ExportedWatch {
    fn new(watch: lms::ExportedWatch) -> Result<Self, Error> {
        Ok(Self {
            course: watch.course,
            lesson: watch.lesson,
            position: watch.position,
            covered: watch.covered,
            times: watch.times,
            first_seen: parse_timestamp(watch.first_seen)?,
            last_seen: parse_timestamp(watch.last_seen)?,
        })
    }
}

#[derive(Serialize, ToSchema)]
struct ExportedProgress {
    course: String,
    check_count: i32,
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(required)]
    completed_at: Option<OffsetDateTime>,
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(required)]
    opened_at: Option<OffsetDateTime>,
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(required)]
    last_watched_at: Option<OffsetDateTime>,
}

impl ExportedProgress {
    fn new(progress: lms::ExportedProgress) -> Result<Self, Error> {
        Ok(Self {
            course: progress.course,
            check_count: progress.check_count,
            completed_at: parse_optional_timestamp(progress.completed_at)?,
            opened_at: parse_optional_timestamp(progress.opened_at)?,
            last_watched_at: parse_optional_timestamp(progress.last_watched_at)?,
        })
    }
}

#[derive(Serialize, ToSchema)]
pub(super) struct ExportedAnswer {
    course: String,
    lesson: String,
    question: String,
    /// Whether it was the graded attempt.
    is_graded: bool,
    /// Texts of the chosen choices, or the answer as typed.
    given: String,
    is_right: bool,
    #[serde(with = "time::serde::rfc3339")]
    created: OffsetDateTime,
}

impl ExportedAnswer {
    pub(super) fn new(answer: lms::ExportedAnswer) -> Result<Self, Error> {
        Ok(Self {
            is_graded: answer.kind() == lms::ResultKind::Graded,
            course: answer.course,
            lesson: answer.lesson,
            question: answer.question,
            given: answer.given,
            is_right: answer.is_right,
            created: parse_timestamp(answer.created)?,
        })
    }
}

#[derive(Serialize, ToSchema)]
struct ExportedExamReview {
    exam_id: i64,
    question_id: i64,
    /// Review step, 1 to 4: an interval of 1, 3, 7 or 14 days.
    step: i32,
    /// Next review; null: none.
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(required)]
    due_at: Option<OffsetDateTime>,
}

impl ExportedExamReview {
    fn new(review: lms::ExportedExamReview) -> Result<Self, Error> {
        Ok(Self {
            exam_id: review.exam_id,
            question_id: review.question_id,
            step: review.step,
            due_at: parse_optional_timestamp(review.due_at)?,
        })
    }
}

#[derive(Serialize, ToSchema)]
struct ExportedReview {
    course: String,
    lesson: String,
    question: String,
    /// Review step, 1 to 4: an interval of 1, 3, 7 or 14 days.
    step: i32,
    /// Next review; null: none.
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(required)]
    due_at: Option<OffsetDateTime>,
}

impl ExportedReview {
    fn new(review: lms::ExportedReview) -> Result<Self, Error> {
        Ok(Self {
            course: review.course,
            lesson: review.lesson,
            question: review.question,
            step: review.step,
            due_at: parse_optional_timestamp(review.due_at)?,
        })
    }
}

#[derive(Serialize, ToSchema)]
struct ExportedCertificate {
    #[schema(format = Uuid)]
    id: String,
    /// Name of the course when it was issued.
    course: String,
    /// Name of the caller when it was issued.
    name: String,
    #[serde(with = "time::serde::rfc3339")]
    issued_at: OffsetDateTime,
    /// Whether the public check tells the name.
    is_name_shown: bool,
}

impl ExportedCertificate {
    fn new(certificate: lms::Certificate) -> Result<Self, Error> {
        Ok(Self {
            id: certificate.id,
            course: certificate.course_name,
            name: certificate.learner_name,
            issued_at: parse_timestamp(certificate.issued_at)?,
            is_name_shown: certificate.is_name_shown,
        })
    }
}

#[derive(Serialize, ToSchema)]
struct ExportedAttendance {
    /// Name of the class.
    class: String,
    /// Start of the live lesson.
    #[serde(with = "time::serde::rfc3339")]
    starts_at: OffsetDateTime,
    #[serde(with = "time::serde::rfc3339")]
    joined_at: OffsetDateTime,
}

impl ExportedAttendance {
    fn new(attendance: lms::ExportedAttendance) -> Result<Self, Error> {
        Ok(Self {
            class: attendance.class,
            starts_at: parse_timestamp(attendance.starts_at)?,
            joined_at: parse_timestamp(attendance.joined_at)?,
        })
    }
}

#[derive(Serialize, ToSchema)]
struct ExportedHomeworkMark {
    /// Name of the class.
    class: String,
    /// Empty if it was withdrawn.
    homework: String,
    /// Null if it was withdrawn.
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(required)]
    due_at: Option<OffsetDateTime>,
    #[serde(with = "time::serde::rfc3339")]
    done_at: OffsetDateTime,
}

impl ExportedHomeworkMark {
    fn new(mark: lms::ExportedHomeworkMark) -> Result<Self, Error> {
        Ok(Self {
            class: mark.class,
            homework: mark.homework,
            due_at: parse_optional_timestamp(mark.due_at)?,
            done_at: parse_timestamp(mark.done_at)?,
        })
    }
}

#[derive(Serialize, ToSchema)]
struct ExportedStream {
    course: String,
    lesson: String,
    /// Id of the browser tab, chosen by the tab.
    #[schema(format = Uuid)]
    device: String,
    #[serde(with = "time::serde::rfc3339")]
    last_seen: OffsetDateTime,
}

impl ExportedStream {
    fn new(stream: lms::ExportedStream) -> Result<Self, Error> {
        Ok(Self {
            course: stream.course,
            lesson: stream.lesson,
            device: stream.device,
            last_seen: parse_timestamp(stream.last_seen)?,
        })
    }
}

#[derive(Serialize, ToSchema)]
pub(super) struct ExportedResult {
    course: String,
    lesson: String,
    /// True for graded attempts, false for a practice round.
    is_graded: bool,
    question_count: i32,
    answered_count: i32,
    right_count: i32,
    #[serde(with = "time::serde::rfc3339")]
    started: OffsetDateTime,
    /// When all questions were answered; null until then.
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(required)]
    finished: Option<OffsetDateTime>,
}

impl ExportedResult {
    pub(super) fn new(result: lms::ExportedResult) -> Result<Self, Error> {
        Ok(Self {
            is_graded: result.kind() == lms::ResultKind::Graded,
            course: result.course,
            lesson: result.lesson,
            question_count: result.question_count,
            answered_count: result.answered_count,
            right_count: result.right_count,
            started: parse_timestamp(result.started)?,
            finished: parse_optional_timestamp(result.finished)?,
        })
    }
}
