//! Writes the candidates of a demo, and the results of their exam.
//!
//! Demo accounts apply as learners do. All papers are handed in as a whole; the functions of the marking job mark them and
//! make the statistics final. Final statistics never change, so an exam gets its candidates once.

use aws_lc_rs::digest::{SHA256, digest};
use kit::Failure;
use kit_content::Difference;
use kit_db::erased_account;
use sqlx::PgConnection;
use time::{Duration, OffsetDateTime};
use uuid::{Builder, Uuid};

use super::answers::{answer_paper, draw_ability, share};
use super::{BREAK, DemoAccount, DemoCandidates, FILE, papers_time};
use crate::application::{self, DeviceReport};
use crate::error::Error;
use crate::import::exams::{AuthoredExam, ExamContent};
use crate::sitting::{self, HandedInPaper, SittingPaper};
use crate::{marking, missed_question, statistics};

/// Number of sittings marked in one call.
const BATCH: i64 = 100;
/// An invented candidate starts on a day of the exam, at most this time after the exam's start time of day.
const MORNING: Duration = Duration::hours(4);
/// Share of papers for which an invented candidate is absent.
const ABSENT: f64 = 0.02;

/// A candidate of an exam, with or without an account.
struct Candidate {
    id: Uuid,
    ability: f64,
    starts_at: OffsetDateTime,
    has_account: bool,
}

/// Writes the candidates of exams that have no final result, and notes them in the difference.
pub(in crate::import) async fn write_candidates(
    connection: &mut PgConnection,
    exams: &[AuthoredExam],
    by_exam: &[DemoCandidates],
    now: OffsetDateTime,
    difference: &mut Difference,
) -> Result<(), Failure> {
    for candidates in by_exam {
        let Some(exam) = exams.iter().find(|exam| exam.content.id == candidates.exam) else {
            continue;
        };
        let ExamContent { id, name, results_at, .. } = &exam.content;
        let statistics = statistics::find(connection, *id).await?;
        let before = statistics.filter(|statistics| statistics.is_final).map(|_| ());
        if difference.note("candidates", id, name, before.as_ref(), &()) {
            write_one(connection, exam, candidates, now.min(*results_at)).await?;
        }
    }
    Ok(())
}

/// Writes the candidates of one exam. Its result becomes final at `final_at`.
async fn write_one(
    connection: &mut PgConnection,
    exam: &AuthoredExam,
    DemoCandidates { invented, accounts, .. }: &DemoCandidates,
    final_at: OffsetDateTime,
) -> Result<(), Failure> {
    let mut candidates: Vec<Candidate> = (1..=*invented).map(|number| invent(exam, number)).collect();
    let invented: Vec<Uuid> = candidates.iter().map(|candidate| candidate.id).collect();
    for account in accounts {
        if erased_account::contains(connection, account.id).await? {
            continue;
        }
        apply(connection, &exam.content, account)
            .await
            .map_err(|error| format!("{FILE}: account {}: {error}", account.id))?;
        let DemoAccount { id, ability, starts_at, .. } = *account;
        candidates.push(Candidate { id, ability, starts_at, has_account: true });
    }
    hand_in(connection, exam, &candidates, final_at).await?;
    while marking::mark_queued(connection, final_at, BATCH).await? > 0 {}
    while statistics::finalize_due(connection, exam.content.ends_at, final_at).await? {}
    // Invented candidates have no account, so nothing is published for them.
    missed_question::unqueue(connection, &invented).await?;
    Ok(())
}

/// Invents a candidate.
fn invent(exam: &AuthoredExam, number: u16) -> Candidate {
    let ExamContent { id: exam_id, starts_at, ends_at, .. } = exam.content;
    let id = candidate_id(exam_id, number);
    let days = u16::try_from((ends_at - starts_at).whole_days()).unwrap_or(u16::MAX).max(1);
    let day = (f64::from(days) * share(&[b"day", id.as_bytes()])).floor();
    let start = starts_at + Duration::DAY * day + MORNING * share(&[b"time", id.as_bytes()]);
    Candidate {
        id,
        ability: draw_ability(id),
        starts_at: start.min(ends_at - papers_time(exam)),
        has_account: false,
    }
}

/// The id of an invented candidate. No account has it.
fn candidate_id(exam: i64, number: u16) -> Uuid {
    let seed = [&b"candidate"[..], &exam.to_be_bytes(), &number.to_be_bytes()].concat();
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&digest(&SHA256, &seed).as_ref()[..16]);
    Builder::from_custom_bytes(bytes).into_uuid()
}

/// Completes every step before the exam, dated to the start of the application period.
async fn apply(
    connection: &mut PgConnection,
    exam: &ExamContent,
    account: &DemoAccount,
) -> Result<(), Error> {
    let (id, applied_at) = (account.id, exam.application_opens_at);
    application::take_seat(connection, id, exam.id, applied_at).await?;
    application::set_basic_info(connection, id, exam.id, &account.basic_info, applied_at).await?;
    for wish in &account.desired_schools {
        application::set_desired_school(connection, id, exam.id, *wish, applied_at).await?;
    }
    let report = DeviceReport {
        device_id: id,
        browser: "demo".to_owned(),
        clock_offset_ms: 0,
        storage_kept: true,
        round_trip_ms: 20,
        sound: true,
        quiet_place: true,
        browser_fits: true,
    };
    application::set_device_check(connection, id, exam.id, &report, account.starts_at).await?;
    Ok(())
}

/// Hands in the papers of an exam.
async fn hand_in(
    connection: &mut PgConnection,
    exam: &AuthoredExam,
    candidates: &[Candidate],
    now: OffsetDateTime,
) -> Result<(), Error> {
    let mut after_start = Duration::ZERO;
    for paper in &exam.papers {
        let frozen = SittingPaper {
            exam_id: exam.content.id,
            exam_name: exam.content.name.clone(),
            subject: paper.subject.clone(),
            minutes: paper.minutes,
            questions: paper.questions.clone(),
        };
        let present = candidates.iter().filter(|Candidate { id, has_account, .. }| {
            *has_account || share(&[b"absent", id.as_bytes(), &paper.id.to_be_bytes()]) >= ABSENT
        });
        let handed_in = present.map(|candidate| HandedInPaper {
            learner: candidate.id,
            started_at: candidate.starts_at + after_start,
            answers: answer_paper(candidate.id, candidate.ability, paper),
            is_exported: candidate.has_account,
        });
        sitting::add_handed_in(connection, paper.id, &frozen, handed_in, now).await?;
        after_start += Duration::minutes(paper.minutes.into()) + BREAK;
    }
    Ok(())
}
