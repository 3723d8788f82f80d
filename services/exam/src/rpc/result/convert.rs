//! Converts results to messages.

use kit::timestamp::to_timestamp;
use proto::exam as wire;
use uuid::Uuid;

use crate::judgement::{Grade, Judgement, NextGrade};
use crate::missed_question::MissedQuestion;
use crate::result::paper::QuestionResult;
use crate::result::{PaperResult, PaperResultState};
use crate::rpc::question::{encode_answer, encode_for_candidate, encode_key};
use crate::sitting::{SittingRecord, number_devices};
use crate::statistics::{Bucket, Standing, Tenths};
use crate::written_answer::WrittenMark;

/// The number of ranges of a distribution.
const RANGES: i32 = 20;

pub(super) fn encode_paper(paper: &PaperResult, record: Option<SittingRecord>) -> wire::PaperResult {
    let (state, standing) = match &paper.state {
        PaperResultState::Absent => (wire::PaperResultState::Absent, None),
        PaperResultState::Marking | PaperResultState::PartlyMarked(_) => {
            (wire::PaperResultState::Marking, None)
        }
        PaperResultState::Marked(standing) => {
            (wire::PaperResultState::Marked, Some(encode_standing(standing)))
        }
    };
    let written_in_marking = match &paper.state {
        PaperResultState::PartlyMarked(partial) => Some(wire::WrittenInMarking {
            open_answers: partial.open_answers,
            points: partial.points,
            full_points: partial.full_points,
        }),
        _ => None,
    };
    wire::PaperResult {
        paper_id: paper.paper_id,
        subject: paper.subject.clone(),
        full_points: paper.full_points,
        state: state.into(),
        standing,
        record: record.map(encode_record),
        written_in_marking,
    }
}

fn encode_record(record: SittingRecord) -> wire::SittingRecord {
    let devices = number_devices(&record.devices)
        .into_iter()
        .map(|(number, since)| wire::ActiveDevice { number, since: Some(to_timestamp(since)) });
    let questions = record.questions.into_iter().map(|question| wire::QuestionRecord {
        number: question.number,
        saved_at: question.saved_at.map(to_timestamp),
        seconds: question.seconds,
    });
    wire::SittingRecord {
        started_at: Some(to_timestamp(record.started_at)),
        handed_in_at: Some(to_timestamp(record.handed_in_at)),
        away_seconds: record.away_seconds,
        devices: devices.collect(),
        questions: questions.collect(),
    }
}

pub(super) fn encode_standing(standing: &Standing) -> wire::Standing {
    let width = (standing.full_points / RANGES).max(1);
    wire::Standing {
        points: standing.points,
        full_points: standing.full_points,
        average_tenths: standing.average.tenths(),
        deviation_score_tenths: standing.deviation_score().map(Tenths::tenths),
        rank: standing.rank(),
        candidate_count: standing.distribution.candidates(),
        is_reference: standing.distribution.is_reference(),
        distribution: standing.distribution.buckets(width).into_iter().map(encode_bucket).collect(),
    }
}

fn encode_bucket(bucket: Bucket) -> wire::PointRange {
    wire::PointRange { from: bucket.from, to: bucket.to, candidate_count: bucket.count }
}

pub(super) fn encode_judgement(desired_rank: Option<i32>, judgement: Judgement) -> wire::Judgement {
    let Judgement { department, chance } = judgement;
    let grade = chance.as_ref().map_or(wire::Grade::Unspecified, |chance| encode_grade(chance.grade));
    wire::Judgement {
        desired_rank,
        school_id: department.school_id,
        school_name: department.school_name,
        department_id: department.id,
        department_name: department.name,
        border_tenths: department.border.tenths(),
        grade: grade.into(),
        probability: chance.as_ref().map(|chance| chance.percent),
        next: chance.and_then(|chance| chance.next).map(encode_next),
    }
}

fn encode_next(next: NextGrade) -> wire::NextGrade {
    wire::NextGrade {
        grade: encode_grade(next.grade).into(),
        deviation_score_tenths: next.score.tenths(),
        missing_points: next.missing_points,
        questions: next.questions.into_iter().map(encode_missed).collect(),
    }
}

fn encode_missed(question: MissedQuestion) -> wire::MissedQuestion {
    wire::MissedQuestion {
        paper_id: question.paper_id,
        subject: question.subject,
        number: question.number,
        points: question.points,
    }
}

fn encode_grade(grade: Grade) -> wire::Grade {
    match grade {
        Grade::A => wire::Grade::A,
        Grade::B => wire::Grade::B,
        Grade::C => wire::Grade::C,
        Grade::D => wire::Grade::D,
        Grade::E => wire::Grade::E,
    }
}

/// Encodes a question with its choices in the learner's order.
pub(super) fn encode_question(learner: Uuid, result: QuestionResult) -> wire::QuestionResult {
    let QuestionResult { question, given, is_right, right_rate, written_mark } = result;
    let written_mark =
        written_mark.map(|WrittenMark { points, comments }| wire::WrittenMark { points, comments });
    wire::QuestionResult {
        given: given.map(encode_answer),
        key: Some(encode_key(question.content.key.clone())),
        is_right,
        right_rate_tenths: right_rate.tenths(),
        explanation: question.content.explanation.clone(),
        lesson_id: question.content.lesson_id,
        watch_again_at: question.content.watch_again_at,
        question: Some(encode_for_candidate(learner, &question)),
        written_mark,
    }
}
