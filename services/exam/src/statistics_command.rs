//! `exam statistics`: the statistics of exams with a final result on the command line.

use kit::Failure;
use kit::clock::Clock;
use kit_db::Pool;

use crate::config::{Database, ExamArgs, Statistics};
use crate::statistics_version::{StatisticsVersions, Version};

/// Runs a command.
pub(crate) async fn run(command: Statistics) -> Result<(), Failure> {
    let text = match command {
        Statistics::Items { version, exam: ExamArgs { exam, database } } => {
            open(&database).await?.find(exam, version).await?.to_string()
        }
        Statistics::Versions(ExamArgs { exam, database }) => {
            format_versions(exam, &open(&database).await?.list(exam).await?)
        }
        Statistics::Compute(ExamArgs { exam, database }) => {
            let version = open(&database).await?.add(exam).await?;
            format!("Exam {exam} has version {version} of its statistics.")
        }
    };
    print(&text);
    Ok(())
}

async fn open(database: &Database) -> Result<StatisticsVersions, Failure> {
    let pool = Pool::connect(&database.into()).await?;
    Ok(StatisticsVersions::new(pool, Clock::system()))
}

fn format_versions(exam: i64, versions: &[Version]) -> String {
    if versions.is_empty() {
        return format!("The statistics of exam {exam} have no version.");
    }
    versions.iter().map(format_version).collect::<Vec<_>>().join("\n")
}

fn format_version(version: &Version) -> String {
    let results = if version.has_results() { "\tresults have it" } else { "" };
    let Version { version, computed_at, digest } = version;
    format!("{version}\t{computed_at}\tsha256 {digest}{results}")
}

#[expect(clippy::print_stdout, reason = "the output of a command")]
fn print(text: &str) {
    println!("{text}");
}
