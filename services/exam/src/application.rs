//! Applications: the steps of a learner before an exam.

mod basic_info;
mod candidate_number;
mod desired_school;
mod device_check;
mod load;
mod seat;

pub(crate) use basic_info::{BasicInfo, set_basic_info};
pub(crate) use candidate_number::CandidateNumber;
pub(crate) use desired_school::{DesiredSchool, SchoolWish, clear_desired_school, set_desired_school};
pub(crate) use device_check::{DeviceCheck, DeviceReport, set_device_check};
pub(crate) use load::{find, list};
pub(crate) use seat::take_seat;

use kit_db::span;
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::Instrument as _;
use uuid::Uuid;

use crate::error::Error;
use crate::exam::Exam;
use crate::learner;

/// The first step that is not done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    Seat,
    BasicInfo,
    DesiredSchools,
    DeviceCheck,
    Exam,
    /// Every paper is handed in.
    HandedIn,
}

/// The state of an exam for a learner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ApplicationState {
    /// The learner has neither a seat nor an application.
    Open,
    /// The learner has a seat or an application.
    Mine,
    /// `Mine` after the end of the exam.
    Past,
}

/// A learner's sitting of a paper.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PaperSitting {
    pub(crate) paper_id: i64,
    pub(crate) id: Uuid,
    /// `None` until it is handed in.
    pub(crate) handed_in_at: Option<OffsetDateTime>,
}

/// A learner's application for an exam. It may be empty.
#[derive(Debug)]
pub(crate) struct Application {
    pub(crate) exam: Exam,
    pub(crate) has_seat: bool,
    pub(crate) basic_info: Option<BasicInfo>,
    /// Present with the basic info, unless an earlier release saved it.
    pub(crate) candidate_number: Option<CandidateNumber>,
    /// By rank.
    pub(crate) desired_schools: Vec<DesiredSchool>,
    /// Newest first.
    pub(crate) device_checks: Vec<DeviceCheck>,
    /// One for each started paper.
    pub(crate) sittings: Vec<PaperSitting>,
    /// The learner's time as a percentage of a paper's minutes.
    pub(crate) time_percent: i32,
}

impl Application {
    /// Returns the first step that is not done.
    pub(crate) fn stage(&self) -> Stage {
        let is_handed_in = |paper: i64| {
            self.sittings.iter().any(|sitting| sitting.paper_id == paper && sitting.handed_in_at.is_some())
        };
        if !self.exam.papers.is_empty() && self.exam.papers.iter().all(|paper| is_handed_in(paper.id)) {
            Stage::HandedIn
        } else if !self.has_seat {
            Stage::Seat
        } else if self.basic_info.is_none() {
            Stage::BasicInfo
        } else if self.desired_schools.is_empty() {
            Stage::DesiredSchools
        } else if !self.device_checks.iter().any(|check| check.passed) {
            Stage::DeviceCheck
        } else {
            Stage::Exam
        }
    }

    /// Returns the state of the exam for the learner at `now`.
    pub(crate) fn state(&self, now: OffsetDateTime) -> ApplicationState {
        if !self.has_seat && self.basic_info.is_none() {
            ApplicationState::Open
        } else if now < self.exam.ends_at {
            ApplicationState::Mine
        } else {
            ApplicationState::Past
        }
    }

    /// Fails unless the learner may change the application at `now`.
    fn require_open(&self, now: OffsetDateTime) -> Result<(), Error> {
        if now >= self.exam.ends_at {
            return Err(Error::ExamEnded);
        }
        if !self.has_seat {
            return Err(Error::NoSeat);
        }
        Ok(())
    }

    /// Fails once the learner has started a paper.
    fn require_not_started(&self) -> Result<(), Error> {
        if self.sittings.is_empty() { Ok(()) } else { Err(Error::ExamStarted) }
    }
}

/// Locks the learner and loads the application in order to change it.
async fn lock(connection: &mut PgConnection, learner: Uuid, exam: i64) -> Result<Application, Error> {
    learner::lock(connection, learner).await?;
    find(connection, learner, exam).await?.ok_or(Error::NotFound)
}

/// Fails unless every step before the exam is done.
pub(crate) async fn require_exam_step(
    connection: &mut PgConnection,
    learner: Uuid,
    exam: i64,
) -> Result<(), Error> {
    let is_done = sqlx::query_scalar!(
        r#"
        SELECT
            EXISTS (SELECT FROM desired_school WHERE learner_id = $1 AND exam_id = $2)
            AND EXISTS (SELECT FROM device_check WHERE learner_id = $1 AND exam_id = $2 AND passed)
            AS "is_done!"
        "#,
        learner,
        exam,
    )
    .fetch_one(connection)
    .instrument(span("SELECT desired_school"))
    .await?;
    if is_done { Ok(()) } else { Err(Error::StepNotOpen) }
}

/// Deletes the learner's applications.
pub(crate) async fn erase(connection: &mut PgConnection, learner: Uuid) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM device_check WHERE learner_id = $1", learner)
        .execute(&mut *connection)
        .instrument(span("DELETE device_check"))
        .await?;
    sqlx::query!("DELETE FROM desired_school WHERE learner_id = $1", learner)
        .execute(&mut *connection)
        .instrument(span("DELETE desired_school"))
        .await?;
    sqlx::query!("DELETE FROM application WHERE learner_id = $1", learner)
        .execute(connection)
        .instrument(span("DELETE application"))
        .await?;
    Ok(())
}
