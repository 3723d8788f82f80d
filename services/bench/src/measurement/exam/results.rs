//! The results of an exam with many candidates.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use ::http::Method;
use serde_json::json;
use sqlx::{AssertSqlSafe, Executor as _, PgConnection, Row as _};
use tooling::failure::Outcome;

use super::{Candidate, list_choice_questions, start_sittings};
use crate::measurement::{RATIO_AT, load, pages};

/// The measured exam of the demo.
const EXAM: i64 = 1;
/// Candidates of the exam.
const CANDIDATES: usize = 100_000;
/// Candidates who answer through the API. The others hand in copies of their papers.
const MODELS: usize = 16;
/// Interval between checks whether the results are final.
const LOOK: Duration = Duration::from_millis(100);

/// Prints the time from the last hand-in to the final results, and the response time of a result.
pub(super) async fn measure(
    edges: &[SocketAddr],
    database: &mut PgConnection,
    candidates: &[Candidate],
    length: Duration,
) -> Outcome {
    let papers = list_papers(database).await?;
    sit_models(edges[0], database, &candidates[..MODELS], &papers).await?;
    println!("\nfilling an exam of {} papers with {CANDIDATES} candidates", papers.len());
    start_all(database, candidates, &papers).await?;
    // One transaction also ends the exam, so its results become final as soon as every paper is marked.
    run(
        database,
        format!(
            "BEGIN; \
             UPDATE sitting SET transcript = model.transcript, digest = model.digest FROM model \
             WHERE sitting.paper_id = model.paper_id AND sitting.transcript IS NULL \
                 AND model.number = abs(hashtext(sitting.learner_id::text)) % {MODELS}; \
             UPDATE exam SET ends_at = now() - interval '1 hour' WHERE id = {EXAM}; COMMIT"
        ),
    )
    .await?;
    let begun = Instant::now();
    while !is_final(database).await? {
        tokio::time::sleep(LOOK).await;
    }
    println!(
        "  all handed in at once: marked, ranked and final after {:.1} s",
        begun.elapsed().as_secs_f64()
    );
    let requests = candidates
        .iter()
        .map(|candidate| pages::get(&format!("/api/exam/application/{EXAM}/result/"), &candidate.token));
    let seen = load::run(edges, &Arc::new(requests.collect()), RATIO_AT, length).await?;
    let failures = seen.describe_failures();
    println!(
        "  a result with five judgements at {RATIO_AT} connections: {:.0} a second, p50 {:.2} ms, p99 {:.2} ms{failures}",
        seen.rate(),
        seen.quantile(0.5),
        seen.quantile(0.99),
    );
    Ok(())
}

async fn list_papers(database: &mut PgConnection) -> Outcome<Vec<i64>> {
    let list = format!("SELECT id FROM paper WHERE exam_id = {EXAM} ORDER BY position");
    let rows = database.fetch_all(sqlx::raw_sql(AssertSqlSafe(list))).await?;
    rows.iter().map(|row| Ok(row.try_get(0)?)).collect()
}

/// Hands in every paper for each of `models`, with different answers, and copies the papers to the table `model`.
async fn sit_models(
    edge: SocketAddr,
    database: &mut PgConnection,
    models: &[Candidate],
    papers: &[i64],
) -> Outcome {
    for paper in papers {
        let questions = list_choice_questions(database, *paper).await?;
        for sitting in start_sittings(database, models, &[*paper]).await? {
            let candidate = &models[sitting.candidate];
            let path = format!("/api/exam/sitting/{}", sitting.id);
            // The first candidate answers one question, the last one nearly all.
            let answered = questions.len() * (sitting.candidate + 1) / models.len();
            let save = candidate.save(&questions[..answered]);
            candidate.send(edge, Method::PUT, &format!("{path}/answers/"), save).await?;
            let device = json!({ "device_id": candidate.id, "epoch": 1 });
            candidate.send(edge, Method::POST, &format!("{path}/hand-in/"), device.to_string()).await?;
        }
    }
    run(
        database,
        format!(
            "CREATE TEMPORARY TABLE model AS \
             SELECT rank() OVER (PARTITION BY paper_id ORDER BY learner_id) - 1 AS number, paper_id, transcript, digest \
             FROM sitting JOIN paper ON paper.id = paper_id WHERE exam_id = {EXAM} AND transcript IS NOT NULL"
        ),
    )
    .await
}

/// Starts every paper for the other signed-in candidates, with five desired schools each, and for candidates without a
/// session.
async fn start_all(database: &mut PgConnection, candidates: &[Candidate], papers: &[i64]) -> Outcome {
    start_sittings(database, &candidates[MODELS..], papers).await?;
    let learners: Vec<_> = candidates.iter().map(|candidate| format!("('{}'::uuid)", candidate.id)).collect();
    run(
        database,
        format!(
            "INSERT INTO application (learner_id, exam_id, last_name, first_name, last_kana, first_kana, school_year, \
                 school_name, prefecture, created_at, updated_at) \
             SELECT learner, {EXAM}, '学習', '花子', 'ガクシュウ', 'ハナコ', '中3', '第一中学校', '東京都', now(), now() \
             FROM (VALUES {}) AS candidate (learner); \
             INSERT INTO desired_school (learner_id, exam_id, rank, school_id, department_id) \
             SELECT learner_id, exam_id, choice.rank, choice.school_id, choice.id FROM application, \
                 (SELECT row_number() OVER (ORDER BY school_id) AS rank, school_id, id FROM department \
                  WHERE position = 1 ORDER BY school_id LIMIT 5) AS choice \
             WHERE exam_id = {EXAM}; \
             INSERT INTO sitting (id, learner_id, paper_id, started_at, deadline_at, epoch, device_id, away_seconds) \
             SELECT gen_random_uuid(), learner, paper.id, now(), now() + interval '1 hour', 1, learner, 0 \
             FROM (SELECT gen_random_uuid() AS learner FROM generate_series(1, {})) AS candidate, paper \
             WHERE exam_id = {EXAM}; \
             ANALYZE",
            learners.join(","),
            CANDIDATES - candidates.len(),
        ),
    )
    .await
}

async fn is_final(database: &mut PgConnection) -> Outcome<bool> {
    let find =
        format!("SELECT coalesce(bool_or(is_final), false) FROM exam_statistics WHERE exam_id = {EXAM}");
    Ok(database.fetch_one(sqlx::raw_sql(AssertSqlSafe(find))).await?.try_get(0)?)
}

async fn run(database: &mut PgConnection, sql: String) -> Outcome {
    runner::databases::execute(database, sql).await
}
