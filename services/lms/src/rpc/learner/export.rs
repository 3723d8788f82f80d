//! A learner's export, in one message or in parts that fit the size limit of a message.

use kit::timestamp::to_timestamp;
use proto::lms as wire;
use sqlx::PgConnection;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::class::attendance::{self, AttendanceExport};
use crate::class::homework::{self, HomeworkMarkExport};
use crate::lesson::LessonMarkExport;
use crate::result::{AnswerExport, ResultExport};
use crate::{
    bookmark, certificate, check, day, exam_review, favorite, inventory, note, progress, result, review,
    stream, study_plan, watch,
};

/// Number of notes in a part. With 2,000 characters each, they are about 800 kB of gRPC's 4 MB.
const NOTES: i64 = 100;
/// Number of results in a part.
const RESULTS: i64 = 1_000;
/// Number of answers in a part, each with its question.
const ANSWERS: i64 = 200;

/// A part of the export.
pub(super) enum Part {
    /// Everything except the long lists below.
    Rest,
    /// The notes after this one.
    Notes(Option<(OffsetDateTime, Uuid)>),
    /// The results after this id.
    Results(i64),
    /// The answers after this result and question.
    Answers(Option<(i64, i64)>),
}

impl Part {
    pub(super) const FIRST: Self = Self::Rest;
}

/// Exports a part. Also returns the next part.
pub(super) async fn export_part(
    connection: &mut PgConnection,
    learner: Uuid,
    part: Part,
) -> sqlx::Result<(wire::ExportLearnerResponse, Option<Part>)> {
    let mut read = wire::ExportLearnerResponse::default();
    let next = match part {
        Part::Rest => {
            read = export_rest(connection, learner).await?;
            let streams = stream::export(connection, learner).await?.into_iter();
            read.streams = streams.map(Into::into).collect();
            Some(Part::Notes(None))
        }
        Part::Notes(after) => {
            let notes = note::export(connection, learner, after, NOTES).await?;
            let last = notes.last().map(|note| (note.created, note.id));
            read.notes = notes.into_iter().map(Into::into).collect();
            Some(last.map_or(Part::Results(0), |last| Part::Notes(Some(last))))
        }
        Part::Results(after) => {
            let results = result::export_results(connection, learner, after, RESULTS).await?;
            let last = results.last().map(|result| result.id);
            read.results = results.into_iter().map(Into::into).collect();
            Some(last.map_or(Part::Answers(None), Part::Results))
        }
        Part::Answers(after) => {
            let answers = result::export_answers(connection, learner, after, ANSWERS).await?;
            let last = answers.last().map(|answer| (answer.result_id, answer.question_id));
            read.answers = answers.into_iter().map(Into::into).collect();
            last.map(|last| Part::Answers(Some(last)))
        }
    };
    Ok((read, next))
}

/// Exports everything in one message, for edges of an older release.
pub(super) async fn export_all(
    connection: &mut PgConnection,
    learner: Uuid,
) -> sqlx::Result<wire::ExportLearnerResponse> {
    let mut all = export_rest(connection, learner).await?;
    let notes = note::export(connection, learner, None, i64::MAX).await?;
    all.notes = notes.into_iter().map(Into::into).collect();
    let answers = result::export_answers(connection, learner, None, i64::MAX).await?;
    all.answers = answers.into_iter().map(Into::into).collect();
    Ok(all)
}

async fn export_rest(
    connection: &mut PgConnection,
    learner: Uuid,
) -> sqlx::Result<wire::ExportLearnerResponse> {
    Ok(wire::ExportLearnerResponse {
        items: inventory::export(connection, learner).await?.into_iter().map(Into::into).collect(),
        bookmarks: bookmark::export(connection, learner).await?.into_iter().map(Into::into).collect(),
        favorites: favorite::export(connection, learner).await?.into_iter().map(Into::into).collect(),
        checks: check::export(connection, learner).await?.into_iter().map(Into::into).collect(),
        watches: watch::export(connection, learner).await?.into_iter().map(Into::into).collect(),
        progress: progress::export(connection, learner).await?.into_iter().map(Into::into).collect(),
        days: day::export(connection, learner).await?.into_iter().map(Into::into).collect(),
        reviews: review::export(connection, learner).await?.into_iter().map(Into::into).collect(),
        exam_reviews: exam_review::export(connection, learner).await?.into_iter().map(Into::into).collect(),
        certificates: certificate::export(connection, learner).await?.into_iter().map(Into::into).collect(),
        attendances: attendance::export(connection, learner).await?.into_iter().map(Into::into).collect(),
        homework_marks: homework::export(connection, learner).await?.into_iter().map(Into::into).collect(),
        study_minutes: study_plan::minutes::find_chosen(connection, learner).await?.map(u32::from),
        ..Default::default()
    })
}

impl From<inventory::InventoryExport> for wire::ExportedItem {
    fn from(item: inventory::InventoryExport) -> Self {
        Self {
            course: item.course,
            product_id: item.product_id,
            created: Some(to_timestamp(item.created)),
            expire_at: item.expire_at.map(to_timestamp),
        }
    }
}

impl From<bookmark::BookmarkExport> for wire::ExportedBookmark {
    fn from(bookmark: bookmark::BookmarkExport) -> Self {
        Self { course: bookmark.course, created: Some(to_timestamp(bookmark.created)) }
    }
}

impl From<LessonMarkExport> for wire::ExportedMark {
    fn from(mark: LessonMarkExport) -> Self {
        Self { course: mark.course, lesson: mark.lesson, created: Some(to_timestamp(mark.created)) }
    }
}

impl From<watch::WatchExport> for wire::ExportedWatch {
    fn from(watch: watch::WatchExport) -> Self {
        Self {
            course: watch.course,
            lesson: watch.lesson,
            position: watch.position,
            covered: watch.covered,
            times: watch.times,
            first_seen: Some(to_timestamp(watch.first_seen)),
            last_seen: Some(to_timestamp(watch.last_seen)),
        }
    }
}

impl From<progress::ProgressExport> for wire::ExportedProgress {
    fn from(progress: progress::ProgressExport) -> Self {
        Self {
            course: progress.course,
            check_count: progress.check_count,
            completed_at: progress.completed_at.map(to_timestamp),
            opened_at: progress.opened_at.map(to_timestamp),
            last_watched_at: progress.last_watched_at.map(to_timestamp),
        }
    }
}

impl From<AnswerExport> for wire::ExportedAnswer {
    fn from(answer: AnswerExport) -> Self {
        Self {
            course: answer.course,
            lesson: answer.lesson,
            question: answer.question,
            kind: wire::ResultKind::from(answer.kind).into(),
            given: answer.given,
            is_right: answer.is_right,
            created: Some(to_timestamp(answer.created)),
        }
    }
}

impl From<review::ReviewExport> for wire::ExportedReview {
    fn from(review: review::ReviewExport) -> Self {
        Self {
            course: review.course,
            lesson: review.lesson,
            question: review.question,
            step: review.step,
            due_at: review.due_at.map(to_timestamp),
        }
    }
}

impl From<exam_review::ExamReviewExport> for wire::ExportedExamReview {
    fn from(review: exam_review::ExamReviewExport) -> Self {
        Self {
            exam_id: review.exam_id,
            question_id: review.question_id,
            step: review.step,
            due_at: review.due_at.map(to_timestamp),
        }
    }
}

impl From<AttendanceExport> for wire::ExportedAttendance {
    fn from(attendance: AttendanceExport) -> Self {
        Self {
            class: attendance.class,
            starts_at: Some(to_timestamp(attendance.starts_at)),
            joined_at: Some(to_timestamp(attendance.joined_at)),
        }
    }
}

impl From<HomeworkMarkExport> for wire::ExportedHomeworkMark {
    fn from(mark: HomeworkMarkExport) -> Self {
        Self {
            class: mark.class,
            homework: mark.homework,
            due_at: mark.due_at.map(to_timestamp),
            done_at: Some(to_timestamp(mark.done_at)),
        }
    }
}

impl From<ResultExport> for wire::ExportedResult {
    fn from(result: ResultExport) -> Self {
        Self {
            course: result.course,
            lesson: result.lesson,
            kind: wire::ResultKind::from(result.kind).into(),
            question_count: result.question_count,
            answered_count: result.answered_count,
            right_count: result.right_count,
            started: Some(to_timestamp(result.started_at)),
            finished: result.finished_at.map(to_timestamp),
        }
    }
}

impl From<stream::StreamExport> for wire::ExportedStream {
    fn from(stream: stream::StreamExport) -> Self {
        Self {
            course: stream.course,
            lesson: stream.lesson,
            device: stream.device.to_string(),
            last_seen: Some(to_timestamp(stream.last_seen)),
        }
    }
}
