//! `candidates.yaml`: the candidates of a demo's ended exams. The file is optional.

mod answers;
mod write;

pub(super) use write::write_candidates;

use kit_content::{Faults, File, date_time};
use serde::Deserialize;
use serde_saphyr::Spanned;
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use super::exams::AuthoredExam;
use crate::application::{BasicInfo, SchoolWish};
use crate::error::Error;
use crate::question::QuestionKind;

const FILE: &str = "candidates.yaml";
/// Maximum number of invented candidates of an exam.
const MOST: u16 = 1_000;
/// Limit of an ability's distance from the average, in standard deviations.
const MOST_ABILITY: f64 = 3.0;
/// The time between two papers of a candidate.
const BREAK: Duration = Duration::minutes(10);

/// The candidates of an exam.
pub(super) struct DemoCandidates {
    pub(super) exam: i64,
    /// The number of candidates without an account.
    invented: u16,
    accounts: Vec<DemoAccount>,
}

/// A demo account that handed in every paper, one after another.
struct DemoAccount {
    id: Uuid,
    /// In standard deviations above the average candidate.
    ability: f64,
    starts_at: OffsetDateTime,
    basic_info: BasicInfo,
    /// By rank.
    desired_schools: Vec<SchoolWish>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CandidatesEntry {
    exam: Spanned<i64>,
    invented: Spanned<u16>,
    accounts: Vec<AccountEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AccountEntry {
    id: Spanned<String>,
    ability: Spanned<f64>,
    starts_at: Spanned<String>,
    basic_info: Spanned<BasicInfoEntry>,
    desired_schools: Vec<SchoolWishEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BasicInfoEntry {
    last_name: String,
    first_name: String,
    last_kana: String,
    first_kana: String,
    school_year: String,
    school_name: String,
    prefecture: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SchoolWishEntry {
    school: i64,
    department: i64,
    school_marks: Option<i32>,
}

/// Reads the candidates and checks them against the exams of the folder.
pub(super) fn read_candidates(
    folder: &kit_content::Folder,
    exams: &[AuthoredExam],
    now: OffsetDateTime,
    faults: &mut Faults,
) -> Vec<DemoCandidates> {
    if !folder.has(FILE) {
        return Vec::new();
    }
    let mut file = File { name: FILE, faults };
    let entries: Vec<CandidatesEntry> = file.read_document(folder).unwrap_or_default();
    let mut candidates: Vec<DemoCandidates> = Vec::new();
    for CandidatesEntry { exam: id, invented, accounts } in entries {
        let Some(exam) = exams.iter().find(|exam| exam.content.id == id.value) else {
            file.fault(&id, "exam", format!("{} is not in exams", id.value));
            continue;
        };
        if candidates.iter().any(|other| other.exam == id.value) {
            file.fault(&id, "exam", format!("{} is there twice", id.value));
        }
        let mut questions = exam.papers.iter().flat_map(|paper| &paper.questions);
        if questions.any(|question| question.content.kind == QuestionKind::Written) {
            // Its result would wait for markers.
            file.fault(
                &id,
                "exam",
                format!("{} has written questions, so it cannot have candidates", id.value),
            );
        }
        if exam.content.ends_at > now {
            file.fault(&id, "exam", format!("{} has not ended", id.value));
        }
        if invented.value > MOST {
            file.fault(&invented, "invented", format!("is more than {MOST}"));
        }
        let mut read: Vec<DemoAccount> = Vec::new();
        for entry in accounts {
            let line = entry.id.clone();
            let account = read_account(&mut file, entry, exam);
            if read.iter().any(|other| other.id == account.id) {
                file.fault(&line, "id", format!("{} is there twice", account.id));
            }
            read.push(account);
        }
        candidates.push(DemoCandidates { exam: id.value, invented: invented.value, accounts: read });
    }
    candidates
}

fn read_account(file: &mut File<'_>, entry: AccountEntry, exam: &AuthoredExam) -> DemoAccount {
    let AccountEntry { id, ability, starts_at, basic_info, desired_schools } = entry;
    if !(-MOST_ABILITY..=MOST_ABILITY).contains(&ability.value) {
        file.fault(&ability, "ability", format!("is not -{MOST_ABILITY} to {MOST_ABILITY}"));
    }
    let start = date_time::parse_instant(&starts_at.value).unwrap_or_else(|reason| {
        file.fault(&starts_at, "starts_at", reason);
        exam.content.starts_at
    });
    if start < exam.content.starts_at || start + papers_time(exam) > exam.content.ends_at {
        file.fault(&starts_at, "starts_at", "leaves no time for the papers within the exam");
    }
    let typed = basic_info.value.to_typed();
    if let Err(Error::Fields(wrong)) = BasicInfo::from_form(&typed) {
        for field in wrong {
            file.fault(&basic_info, &field.name, format!("is refused: {}", field.code));
        }
    }
    let wishes = desired_schools.into_iter().zip(1..).map(|(wish, rank)| SchoolWish {
        rank,
        school_id: wish.school,
        department_id: wish.department,
        school_marks: wish.school_marks,
    });
    DemoAccount {
        id: id.value.parse().unwrap_or_else(|_| {
            file.fault(&id, "id", format!("'{}' is not a UUID", id.value));
            Uuid::nil()
        }),
        ability: ability.value,
        starts_at: start,
        basic_info: typed,
        desired_schools: wishes.collect(),
    }
}

impl BasicInfoEntry {
    fn to_typed(&self) -> BasicInfo {
        BasicInfo {
            last_name: self.last_name.clone(),
            first_name: self.first_name.clone(),
            last_kana: self.last_kana.clone(),
            first_kana: self.first_kana.clone(),
            school_year: self.school_year.clone(),
            school_name: self.school_name.clone(),
            prefecture: self.prefecture.clone(),
        }
    }
}

/// The time that a candidate needs for all papers of an exam, with breaks.
fn papers_time(exam: &AuthoredExam) -> Duration {
    exam.papers.iter().map(|paper| Duration::minutes(paper.minutes.into()) + BREAK).sum()
}
