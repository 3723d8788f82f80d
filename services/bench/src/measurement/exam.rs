//! Measures mock exams: saves of answers, and the results of an exam with many candidates.

mod results;
mod saves;

use std::collections::HashMap;
use std::net::SocketAddr;
use std::time::SystemTime;

use ::http::header::{AUTHORIZATION, CONTENT_TYPE};
use ::http::{Method, Request};
use bench::fill::NewLearners;
use bytes::Bytes;
use runner::http;
use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, Executor as _, PgConnection, Row as _};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;
use tooling::failure::{Doing as _, Outcome, fail};

use super::pages::{self, Learner};
use super::{Bench, SIGNED_IN};

impl Bench {
    /// Measures with learners of `filled`.
    pub(super) async fn exam(&self, edges: &[SocketAddr], filled: &NewLearners) -> Outcome {
        let learners = pages::sign_in(edges, &filled.emails, SIGNED_IN).await?;
        let candidates: Vec<_> =
            learners.into_iter().map(|learner| Candidate::new(learner, &filled.id_prefix)).collect();
        let mut database = self.connect("exam").await?;
        self.saves(edges, &mut database, &candidates).await?;
        results::measure(edges, &mut database, &candidates, self.length).await
    }
}

/// A learner with sittings. Their device has the same id.
#[derive(Clone)]
struct Candidate {
    id: String,
    token: String,
}

impl Candidate {
    fn new(learner: Learner, id_prefix: &str) -> Self {
        Self { id: format!("{id_prefix}{:012}", learner.number), token: learner.token }
    }

    /// Builds the body of a save with one answer to each of `questions`. Its sequence numbers are higher than before.
    fn save(&self, questions: &[i64]) -> String {
        let since = SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default();
        let now = (OffsetDateTime::UNIX_EPOCH + since).format(&Rfc3339).unwrap_or_default();
        let sequence = u64::try_from(since.as_micros()).unwrap_or_default();
        let answers = questions.iter().map(|question| {
            json!({
                "question_id": question, "sequence": sequence, "answer": { "choices": [1] },
                "is_flagged": false, "answered_at": now,
            })
        });
        let body = json!({
            "device_id": self.id, "device_time": now, "epoch": 1, "pending": 0,
            "answers": answers.collect::<Vec<_>>(),
        });
        body.to_string()
    }

    /// Sends one request. Fails unless the status is 200.
    async fn send(&self, edge: SocketAddr, method: Method, path: &str, body: String) -> Outcome<Value> {
        let request = Request::builder()
            .method(method)
            .uri(path)
            .header(CONTENT_TYPE, "application/json")
            .header(AUTHORIZATION, format!("Bearer {}", self.token))
            .body(Bytes::from(body))?;
        let (status, body) = http::send(edge, request).await?;
        if status != 200 {
            return fail(format!("{path} answers {status}: {}", String::from_utf8_lossy(&body)));
        }
        serde_json::from_slice(&body).doing(|| format!("reading the answer of {path}"))
    }
}

/// A running sitting.
struct Sitting {
    id: String,
    /// The index of its candidate.
    candidate: usize,
}

/// Starts a sitting of each paper for each candidate.
async fn start_sittings(
    database: &mut PgConnection,
    candidates: &[Candidate],
    papers: &[i64],
) -> Outcome<Vec<Sitting>> {
    let learners: Vec<_> = candidates.iter().map(|candidate| format!("'{}'::uuid", candidate.id)).collect();
    let start = format!(
        "INSERT INTO sitting (id, learner_id, paper_id, started_at, deadline_at, epoch, device_id, away_seconds) \
         SELECT gen_random_uuid(), learner, paper, now(), now() + interval '1 hour', 1, learner, 0 \
         FROM unnest(ARRAY[{}]) AS learner, unnest('{{{}}}'::bigint[]) AS paper \
         RETURNING id::text, learner_id::text",
        learners.join(","),
        papers.iter().map(i64::to_string).collect::<Vec<_>>().join(","),
    );
    let rows = database.fetch_all(sqlx::raw_sql(AssertSqlSafe(start))).await?;
    let places: HashMap<_, _> =
        candidates.iter().enumerate().map(|(place, candidate)| (candidate.id.as_str(), place)).collect();
    let sittings = rows.iter().map(|row| {
        let learner: String = row.try_get(1)?;
        let candidate = *places.get(learner.as_str()).ok_or("a sitting of nobody")?;
        Ok(Sitting { id: row.try_get(0)?, candidate })
    });
    sittings.collect()
}

/// Lists the questions of a paper with exactly one right choice.
async fn list_choice_questions(database: &mut PgConnection, paper: i64) -> Outcome<Vec<i64>> {
    let list = format!(
        "SELECT id FROM question WHERE paper_id = {paper} AND content->>'kind' = 'single' ORDER BY number"
    );
    let rows = database.fetch_all(sqlx::raw_sql(AssertSqlSafe(list))).await?;
    if rows.is_empty() {
        return fail(format!("the demo's paper {paper} has no question with choices"));
    }
    rows.iter().map(|row| Ok(row.try_get(0)?)).collect()
}
