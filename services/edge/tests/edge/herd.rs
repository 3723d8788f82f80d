//! A herd of candidates at the start and at the deadline of a paper.

use futures_util::future::join_all;
use serde_json::{Value, json};
use sqlx::Executor as _;
use time::Duration;
use uuid::Uuid;

use crate::sitting::{APPLICATIONS, Candidate, LAPTOP, exam, id};
use crate::support::{Edge, Forge, ONE, Tap};

/// Number of candidates.
const HERD: u128 = 300;
/// Time limit of a request. A loaded machine runs the services of this test more slowly than a cluster, and the test is
/// about refusals.
const TIME_LIMIT: std::time::Duration = std::time::Duration::from_mins(2);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_herd_that_opens_a_paper_and_hands_it_in_at_once_is_never_refused() {
    let world = exam().await;
    let learners: Vec<_> = (1..=HERD).map(|number| Uuid::from_u128(number << 64)).collect();
    let mut connection = world.exam_database.pool.acquire().await.unwrap();
    let seats: Vec<_> =
        learners.iter().map(|learner| format!("('{learner}', 1, timestamptz '2026-11-02')")).collect();
    let seats = format!("INSERT INTO seat (learner_id, exam_id, granted_at) VALUES {};", seats.join(","));
    let applications = APPLICATIONS.replace("FROM seat", "FROM seat WHERE granted_at = '2026-11-02'");
    connection.execute(sqlx::raw_sql(sqlx::AssertSqlSafe(seats + &applications))).await.unwrap();
    drop(connection);

    // The default limits: all candidates share one address, as in a school.
    let forge = Forge::new();
    let tap = Tap::new(world.auth.channel(), forge.public.clone()).await;
    tap.trust_sessions();
    let mut settings = world.settings();
    settings.auth_url = tap.server.url();
    settings.limits.time = TIME_LIMIT;
    let edge = Edge::new(&settings, world.clock.clock()).await;
    let sign =
        |learner: &Uuid| forge.sign(&forge.header(), &Forge::claims_with("sub", json!(learner.to_string())));
    let herd: Vec<_> = learners
        .iter()
        .map(|learner| Candidate { world: &world, edge: &edge, token: sign(learner) })
        .collect();
    let bystander = edge.login(ONE).await.0;

    let started = join_all(herd.iter().map(|candidate| candidate.start(LAPTOP)));
    let (started, seen) = tokio::join!(started, edge.get("/api/lms/inventory/", Some(&bystander)));
    assert_eq!(seen.outcome(), "200", "a learner outside the exam");
    assert!(started.iter().all(|sitting| sitting.outcome() == "200"), "{:?}", refusals(&started));
    let ids: Vec<_> = started.iter().map(id).collect();
    let reloaded = join_all(herd.iter().zip(&ids).map(|(candidate, id)| candidate.find(id))).await;
    assert!(reloaded.iter().all(|sitting| sitting.outcome() == "200"), "{:?}", refusals(&reloaded));

    world.clock.advance(Duration::minutes(49) + Duration::seconds(59));
    let ends = herd.iter().zip(&ids).zip(1..).map(|((candidate, id), number): (_, u32)| async move {
        let rows = [(1102, 1, json!({"number": number.to_string()}))];
        let (save, flag) = tokio::join!(
            candidate.save(id, LAPTOP, 1, &rows),
            candidate.save(id, LAPTOP, 1, &[(1103, 1, Value::Null)]),
        );
        assert_eq!((save.outcome().as_str(), flag.outcome().as_str()), ("200", "200"));
        let transcript = candidate.hand_in(id, LAPTOP, 1).await;
        assert_eq!(transcript.outcome(), "200");
        let transcript = transcript.json();
        assert_eq!(transcript["sealed_by"], "candidate");
        assert_eq!(transcript["answers"][1]["answer"], json!({"number": number.to_string()}));
    });
    join_all(ends).await;
}

/// Lists the outcomes of refused requests, without repetitions.
fn refusals(answers: &[crate::support::Answer]) -> Vec<String> {
    let mut refused: Vec<_> =
        answers.iter().map(crate::support::Answer::outcome).filter(|outcome| outcome != "200").collect();
    refused.sort_unstable();
    refused.dedup();
    refused
}
