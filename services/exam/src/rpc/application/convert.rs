//! Converts applications from and to messages.

use kit::timestamp::to_timestamp;
use proto::exam as wire;
use time::OffsetDateTime;

use crate::application::{
    Application, ApplicationState, BasicInfo, DesiredSchool, DeviceCheck, PaperSitting, Stage,
};
use crate::rpc::sitting::encode_seconds;
use crate::sitting::export::{ExportedAnswer, ExportedSitting};
use crate::written_answer::GivenMark;

fn encode_stage(stage: Stage) -> wire::ApplicationStage {
    match stage {
        Stage::Seat => wire::ApplicationStage::Seat,
        Stage::BasicInfo => wire::ApplicationStage::BasicInfo,
        Stage::DesiredSchools => wire::ApplicationStage::DesiredSchools,
        Stage::DeviceCheck => wire::ApplicationStage::DeviceCheck,
        Stage::Exam => wire::ApplicationStage::Exam,
        Stage::HandedIn => wire::ApplicationStage::HandedIn,
    }
}

fn encode_state(state: ApplicationState) -> wire::ApplicationState {
    match state {
        ApplicationState::Open => wire::ApplicationState::Open,
        ApplicationState::Mine => wire::ApplicationState::Mine,
        ApplicationState::Past => wire::ApplicationState::Past,
    }
}

/// Encodes an application with its state at `now`.
pub(super) fn encode_application(application: Application, now: OffsetDateTime) -> wire::Application {
    let papers = application.exam.papers.iter();
    let papers = papers.map(|paper| {
        let sitting = application.sittings.iter().find(|sitting| sitting.paper_id == paper.id);
        encode_paper(paper.id, sitting)
    });
    wire::Application {
        papers: papers.collect(),
        state: encode_state(application.state(now)).into(),
        has_seat: application.has_seat,
        stage: encode_stage(application.stage()).into(),
        basic_info: application.basic_info.map(encode_info),
        desired_schools: application.desired_schools.into_iter().map(encode_desired).collect(),
        device_checks: application.device_checks.into_iter().map(encode_check).collect(),
        time_percent: application.time_percent,
        candidate_number: application.candidate_number.map(|number| number.to_string()),
        exam: Some(application.exam.into()),
    }
}

fn encode_paper(paper_id: i64, sitting: Option<&PaperSitting>) -> wire::PaperProgress {
    let handed_in_at = sitting.and_then(|sitting| sitting.handed_in_at);
    let state = match (sitting, handed_in_at) {
        (None, _) => wire::PaperState::NotStarted,
        (Some(_), None) => wire::PaperState::Running,
        (Some(_), Some(_)) => wire::PaperState::HandedIn,
    };
    wire::PaperProgress {
        paper_id,
        state: state.into(),
        sitting_id: sitting.map(|sitting| sitting.id.to_string()),
        handed_in_at: handed_in_at.map(to_timestamp),
    }
}

fn encode_info(info: BasicInfo) -> wire::BasicInfo {
    wire::BasicInfo {
        last_name: info.last_name,
        first_name: info.first_name,
        last_kana: info.last_kana,
        first_kana: info.first_kana,
        school_year: info.school_year,
        school_name: info.school_name,
        prefecture: info.prefecture,
    }
}

/// Decodes basic info without validation.
pub(super) fn decode_info(info: wire::BasicInfo) -> BasicInfo {
    BasicInfo {
        last_name: info.last_name,
        first_name: info.first_name,
        last_kana: info.last_kana,
        first_kana: info.first_kana,
        school_year: info.school_year,
        school_name: info.school_name,
        prefecture: info.prefecture,
    }
}

fn encode_desired(desired: DesiredSchool) -> wire::DesiredSchool {
    wire::DesiredSchool {
        rank: desired.rank,
        school: Some(desired.school.into()),
        department: Some(desired.department.into()),
        school_marks: desired.school_marks,
    }
}

fn encode_check(check: DeviceCheck) -> wire::DeviceCheck {
    wire::DeviceCheck {
        device_id: check.device_id.to_string(),
        checked_at: Some(to_timestamp(check.checked_at)),
        passed: check.passed,
    }
}

fn encode_answer(answer: ExportedAnswer) -> wire::ExportedExamAnswer {
    let points = answer.history.as_ref().map(|history| history.points);
    let given = answer.history.map(|history| history.given).unwrap_or_default().into_iter();
    wire::ExportedExamAnswer {
        question_id: answer.question_id,
        answer: answer.answer,
        saved_at: Some(to_timestamp(answer.saved_at)),
        points,
        marks: given.map(|GivenMark { points, comment }| wire::ExportedMark { points, comment }).collect(),
        picture: answer.picture,
    }
}

/// Encodes a sitting for the export.
pub(super) fn encode_sitting(sitting: ExportedSitting) -> wire::ExportedSitting {
    let answers = sitting.answers.into_iter().map(encode_answer);
    let devices = sitting.devices.into_iter().map(|device| wire::ExportedDevice {
        device_id: device.id.to_string(),
        since: Some(to_timestamp(device.since)),
    });
    wire::ExportedSitting {
        answers: answers.collect(),
        away_seconds: sitting.away_seconds,
        devices: devices.collect(),
        question_times: sitting.seconds.into_iter().map(encode_seconds).collect(),
        exam_name: sitting.exam_name,
        subject: sitting.subject,
        started_at: Some(to_timestamp(sitting.started_at)),
    }
}
