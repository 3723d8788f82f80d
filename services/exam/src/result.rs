//! Results: a learner's points in an exam, and how they compare.

pub(crate) mod paper;
pub(crate) mod report;

use kit_db::span;
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::Instrument as _;
use uuid::Uuid;

use self::paper::FinalPaperResult;
use crate::error::Error;
use crate::judgement::{Department, Judgement, department};
use crate::missed_question::{self, MissedQuestion};
use crate::statistics::{self, Distribution, Standing};

/// The result of an exam.
#[derive(Debug)]
pub(crate) struct ExamResult {
    pub(crate) is_final: bool,
    /// When the statistics were computed. `None` before the first time.
    pub(crate) computed_at: Option<OffsetDateTime>,
    /// In order.
    pub(crate) papers: Vec<PaperResult>,
    /// `None` unless every paper is marked.
    pub(crate) total: Option<Standing>,
    /// Questions without a right answer, easiest first. Empty before the result is final.
    pub(crate) missed: Vec<MissedQuestion>,
}

/// The result of a paper.
#[derive(Debug)]
pub(crate) struct PaperResult {
    pub(crate) paper_id: i64,
    pub(crate) subject: String,
    pub(crate) full_points: i32,
    pub(crate) state: PaperResultState,
}

/// The state of a paper's result.
#[derive(Debug)]
pub(crate) enum PaperResultState {
    /// The learner has not handed in the paper.
    Absent,
    /// Handed in, but not yet part of the statistics.
    Marking,
    /// Handed in, and people mark its written answers.
    PartlyMarked(PartialMark),
    Marked(Standing),
}

/// The points of a paper without its written answers.
#[derive(Debug)]
pub(crate) struct PartialMark {
    /// Number of written answers that are not decided.
    pub(crate) open_answers: i32,
    pub(crate) points: i32,
    /// The most points of all other questions.
    pub(crate) full_points: i32,
}

impl ExamResult {
    /// Finds a learner's result. It may be empty.
    pub(crate) async fn find(connection: &mut PgConnection, learner: Uuid, exam: i64) -> sqlx::Result<Self> {
        let papers = list_papers(connection, learner, exam).await?;
        let statistics = statistics::find(connection, exam).await?;
        let is_final = statistics.as_ref().is_some_and(|statistics| statistics.is_final);
        let computed_at = statistics.as_ref().and_then(|statistics| statistics.computed_at);
        let total = statistics.and_then(|statistics| add_up(&papers, statistics.totals));
        let missed =
            if is_final { missed_question::list(connection, learner, exam).await? } else { Vec::new() };
        Ok(Self { is_final, computed_at, papers, total, missed })
    }

    /// Whether no paper was handed in.
    pub(crate) fn is_empty(&self) -> bool {
        self.papers.iter().all(|paper| matches!(paper.state, PaperResultState::Absent))
    }

    /// Judges a department.
    pub(crate) fn judge(&self, department: Department) -> Judgement {
        Judgement::new(department, self.total.as_ref(), &self.missed)
    }

    /// Judges the desired schools, by rank.
    pub(crate) async fn judge_desired_schools(
        &self,
        connection: &mut PgConnection,
        learner: Uuid,
        exam: i64,
    ) -> sqlx::Result<Vec<(i32, Judgement)>> {
        let desired = department::list_desired(connection, learner, exam).await?;
        Ok(desired.into_iter().map(|(rank, department)| (rank, self.judge(department))).collect())
    }
}

impl ExamResult {
    /// Finds the results of the papers that the learner sat, in order, once the result is final.
    pub(crate) async fn find_final_papers(
        &self,
        connection: &mut PgConnection,
        learner: Uuid,
    ) -> Result<Vec<FinalPaperResult>, Error> {
        let mut papers = Vec::new();
        if self.is_final {
            for paper in &self.papers {
                if matches!(paper.state, PaperResultState::Marked(_)) {
                    papers.push(paper::find(connection, learner, paper.paper_id).await?);
                }
            }
        }
        Ok(papers)
    }
}

/// An exam with a result.
pub(crate) struct ListedResult {
    pub(crate) id: i64,
    pub(crate) name: String,
    pub(crate) ends_at: OffsetDateTime,
    pub(crate) is_final: bool,
}

/// Lists the exams in which a learner has handed in a paper, newest first.
pub(crate) async fn list(connection: &mut PgConnection, learner: Uuid) -> sqlx::Result<Vec<ListedResult>> {
    sqlx::query_as!(
        ListedResult,
        r#"
        SELECT exam.id, name, ends_at, coalesce(is_final, false) AS "is_final!"
        FROM exam
        LEFT JOIN exam_statistics ON exam_id = exam.id
        WHERE EXISTS (
            SELECT FROM sitting
            JOIN paper ON paper.id = paper_id
            WHERE learner_id = $1 AND paper.exam_id = exam.id AND transcript IS NOT NULL
        )
        ORDER BY ends_at DESC, exam.id DESC
        "#,
        learner,
    )
    .fetch_all(connection)
    .instrument(span("SELECT exam"))
    .await
}

/// Returns the total of all papers. `None` unless each paper is marked.
fn add_up(papers: &[PaperResult], totals: Distribution) -> Option<Standing> {
    let points = papers.iter().map(|paper| match &paper.state {
        PaperResultState::Marked(standing) => Some(standing.points),
        PaperResultState::Absent | PaperResultState::Marking | PaperResultState::PartlyMarked(_) => None,
    });
    let points = points.sum::<Option<i32>>()?;
    Standing::new(points, papers.iter().map(|paper| paper.full_points).sum(), totals)
}

/// Lists the results of an exam's papers, in order.
async fn list_papers(
    connection: &mut PgConnection,
    learner: Uuid,
    exam: i64,
) -> sqlx::Result<Vec<PaperResult>> {
    let rows = sqlx::query!(
        r#"
        SELECT
            paper.id, subject, paper.points AS full_points, mark.points AS "points?", counts AS "counts?",
            (sitting.transcript IS NOT NULL) AS "is_handed_in!",
            partial_mark.points AS "partial_points?", partial_mark.full_points AS "partial_full_points?",
            (
                SELECT count(*)::integer FROM written_answer
                WHERE written_answer.sitting_id = partial_mark.sitting_id AND decided_at IS NULL
            ) AS "open_answers!"
        FROM paper
        LEFT JOIN sitting ON sitting.paper_id = paper.id AND sitting.learner_id = $1
        LEFT JOIN mark ON mark.sitting_id = sitting.id
        LEFT JOIN partial_mark ON partial_mark.sitting_id = sitting.id
        LEFT JOIN paper_statistics ON paper_statistics.paper_id = paper.id
        WHERE exam_id = $2
        ORDER BY position
        "#,
        learner,
        exam,
    )
    .fetch_all(connection)
    .instrument(span("SELECT paper"))
    .await?;
    let papers = rows.into_iter().map(|row| {
        let distribution = Distribution::from_counts(row.counts.unwrap_or_default());
        let standing = row.points.and_then(|points| Standing::new(points, row.full_points, distribution));
        let partial = row
            .partial_points
            .zip(row.partial_full_points)
            .map(|(points, full_points)| PartialMark { open_answers: row.open_answers, points, full_points });
        let state = match (standing, partial) {
            (Some(standing), _) => PaperResultState::Marked(standing),
            (None, Some(partial)) => PaperResultState::PartlyMarked(partial),
            (None, None) if row.is_handed_in => PaperResultState::Marking,
            (None, None) => PaperResultState::Absent,
        };
        PaperResult { paper_id: row.id, subject: row.subject, full_points: row.full_points, state }
    });
    Ok(papers.collect())
}
