//! Saves of answers, through every process.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use sqlx::PgConnection;
use tooling::failure::Outcome;

use super::{Candidate, Sitting, list_choice_questions, start_sittings};
use crate::measurement::pgbench::Comparison;
use crate::measurement::{Bench, load};

/// The measured paper of the demo.
const PAPER: i64 = 201;
/// Number of connections at half of the capacity, as a gateway would keep open.
const CONNECTIONS: usize = 32;

impl Bench {
    /// Measures saves against `pgbench` with the same upsert, and their time at half of the capacity.
    pub(super) async fn saves(
        &self,
        edges: &[SocketAddr],
        database: &mut PgConnection,
        candidates: &[Candidate],
    ) -> Outcome {
        let saves = Saves {
            sittings: start_sittings(database, candidates, &[PAPER]).await?,
            candidates: candidates.to_vec(),
            questions: list_choice_questions(database, PAPER).await?,
        };
        let script = saves.pgbench_script();
        let saves = Arc::new(saves);
        let run = async |connections, length| {
            let saves = saves.clone();
            load::run_built(edges, move |turn| saves.request(turn), connections, length).await
        };
        let comparison =
            Comparison { what: "saves of one answer", sql: "the same upsert", service: "exam", script };
        let rate = self.against_pgbench(&comparison, run).await?;
        let seen = load::offer(
            edges,
            move |turn| saves.request(turn.into()),
            rate / 2.0,
            CONNECTIONS,
            self.length.max(Duration::from_secs(10)),
        )
        .await?;
        let failures = seen.describe_failures();
        println!(
            "\nsaves at half of the capacity at {CONNECTIONS} connections, {:.0} a second: p50 {:.2} ms, p99 {:.2} ms{failures}",
            seen.rate(),
            seen.quantile(0.5),
            seen.quantile(0.99),
        );
        Ok(())
    }
}

struct Saves {
    candidates: Vec<Candidate>,
    /// One sitting of each candidate.
    sittings: Vec<Sitting>,
    questions: Vec<i64>,
}

impl Saves {
    /// Builds the save of one answer. `turn` selects the candidate and the question.
    fn request(&self, turn: u64) -> Bytes {
        let sitting = load::any(&self.sittings, turn);
        let candidate = &self.candidates[sitting.candidate];
        let question = load::any(&self.questions, !turn);
        let body = candidate.save(&[*question]);
        format!(
            "PUT /api/exam/sitting/{}/answers/ HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer {}\r\n\
             content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            sitting.id,
            candidate.token,
            body.len()
        )
        .into()
    }

    /// Writes the same upsert for random sittings and questions.
    fn pgbench_script(&self) -> String {
        let sittings: Vec<_> = self.sittings.iter().map(|sitting| format!("'{}'", sitting.id)).collect();
        let questions: Vec<_> = self.questions.iter().map(i64::to_string).collect();
        format!(
            "\\set sitting random(1, {})\n\\set question random(1, {})\n\
             INSERT INTO answer (sitting_id, question_id, epoch, sequence, answer, is_flagged, digest, saved_at) \
             VALUES ((ARRAY[{}]::uuid[])[:sitting], (ARRAY[{}]::bigint[])[:question], 1, 1, \
             '{{\"choices\":[1]}}', false, sha256('x'), now()) \
             ON CONFLICT ON CONSTRAINT answer_pkey DO UPDATE SET epoch = excluded.epoch, \
             sequence = answer.sequence + 1, answer = excluded.answer, is_flagged = excluded.is_flagged, \
             digest = excluded.digest, saved_at = excluded.saved_at;\n",
            sittings.len(),
            questions.len(),
            sittings.join(","),
            questions.join(","),
        )
    }
}
