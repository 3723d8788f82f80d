//! The end of a sitting: handing in, the job at the deadline, and a transcript that never changes.

use std::time::Duration;

use aws_lc_rs::digest::{SHA256, digest};
use kit::error::Code;
use proto::exam::{SealedBy, SittingState};
use serde_json::{Value, json};
use tokio::time::{sleep, timeout};
use uuid::Uuid;

use crate::hall::{
    Browser, Hall, MINUTE, MULTIPLE, NUMBER, ORDERED, PAPER, SECOND, SINGLE, START, TEXT, at, choices,
    handed_in, number, reason, row, text,
};

/// Timeout of the job. It is far longer than the job takes.
const PATIENCE: Duration = Duration::from_secs(20);

#[tokio::test]
async fn a_hand_in_returns_the_transcript_with_its_digest_and_it_never_changes() {
    let hall = Hall::open().await;
    let (candidate, browser, phone) = (hall.admit().await, Browser::new(), Browser::new());
    let id = candidate.start(PAPER, &browser).await.unwrap().id;
    hall.clock.advance(MINUTE);
    let rows = vec![row(SINGLE, 1, choices(&[2])), row(TEXT, 1, text("am")), row(TEXT, 2, None)];
    candidate.save(&id, &browser, 1, rows).await.unwrap();
    hall.clock.advance(MINUTE);
    let transcript = candidate.hand_in(&id, &browser, 1).await.unwrap();
    assert_eq!(at(transcript.handed_in_at), START + MINUTE * 2);
    assert_eq!(transcript.sealed_by(), SealedBy::Candidate);
    let rows: Vec<_> = transcript.answers.iter().map(|row| (row.question_id, row.number)).collect();
    assert_eq!(rows, [(SINGLE, 1), (MULTIPLE, 2), (NUMBER, 3), (TEXT, 4), (ORDERED, 5)]);
    assert_eq!((handed_in(&transcript, SINGLE), handed_in(&transcript, TEXT)), (choices(&[2]), None));
    let saved_at: Vec<_> =
        transcript.answers.iter().map(|row| row.saved_at.map(|time| at(Some(time)))).collect();
    let saved = Some(START + MINUTE);
    assert_eq!(saved_at, [saved, None, None, saved, None]);

    let document = hall.document(&id).await.unwrap();
    assert_eq!(transcript.digest, hex::encode(digest(&SHA256, &document)));
    let written: Value = serde_json::from_slice(&document).unwrap();
    assert_eq!(written["sitting_id"], id.as_str());
    assert_eq!((&written["exam_id"], &written["paper_id"]), (&json!(1), &json!(PAPER)));
    assert_eq!(written["answers"][0]["answer"], json!({"choices": [2]}));
    assert_eq!(written["answers"][0]["digest"].as_str().unwrap().len(), 64);

    hall.clock.advance(MINUTE * 200);
    assert_eq!(hall.seal().await, 0);
    for device in [&browser, &phone] {
        assert_eq!(candidate.hand_in(&id, device, 1).await.unwrap(), transcript, "a repeated call");
        let found = candidate.find(&id, device).await.unwrap();
        assert_eq!((found.state(), found.transcript.as_ref()), (SittingState::Sealed, Some(&transcript)));
    }
    assert_eq!(hall.document(&id).await.unwrap(), document);
}

#[tokio::test]
async fn a_sealed_sitting_refuses_every_change_with_its_digest() {
    let hall = Hall::open().await;
    let (candidate, browser, phone) = (hall.admit().await, Browser::new(), Browser::new());
    let id = candidate.start(PAPER, &browser).await.unwrap().id;
    candidate.save(&id, &browser, 1, vec![row(SINGLE, 1, choices(&[2]))]).await.unwrap();
    let transcript = candidate.hand_in(&id, &browser, 1).await.unwrap();
    let document = hall.document(&id).await;
    for refused in [
        // An acknowledged answer is refused, too.
        candidate.save(&id, &browser, 1, vec![row(SINGLE, 1, choices(&[2]))]).await.unwrap_err(),
        candidate.save(&id, &phone, 1, vec![row(SINGLE, 2, choices(&[3]))]).await.unwrap_err(),
        candidate.take_over(&id, &phone).await.unwrap_err(),
        candidate.start(PAPER, &browser).await.unwrap_err(),
        candidate.start(PAPER, &phone).await.unwrap_err(),
    ] {
        assert_eq!((refused.code, &*refused.reason), (Code::Conflict, "HANDED_IN"));
        assert_eq!(refused.facts["digest"], transcript.digest);
        assert_eq!(refused.facts["sitting_id"], id);
    }
    assert_eq!(hall.document(&id).await, document);
}

#[tokio::test]
async fn the_database_refuses_changes_of_a_sealed_sitting_and_a_deadline() {
    let hall = Hall::open().await;
    let (candidate, browser) = (hall.admit().await, Browser::new());
    let id = candidate.start(PAPER, &browser).await.unwrap().id;
    let sitting: Uuid = id.parse().unwrap();
    let mut connection = hall.connection().await;
    let moved = sqlx::query!(
        "UPDATE sitting SET deadline_at = deadline_at + interval '1 minute' WHERE id = $1",
        sitting
    );
    let moved = moved.execute(&mut *connection).await.unwrap_err();
    assert_eq!(kit_db::constraint(&moved), Some("sitting_deadline_fixed"));
    candidate.hand_in(&id, &browser, 1).await.unwrap();
    let changed = sqlx::query!("UPDATE sitting SET transcript = '', digest = '' WHERE id = $1", sitting);
    let changed = changed.execute(&mut *connection).await.unwrap_err();
    assert_eq!(kit_db::constraint(&changed), Some("sitting_sealed"));
}

#[tokio::test]
async fn concurrent_hand_ins_seal_once() {
    let hall = Hall::open().await;
    let (candidate, browser) = (hall.admit().await, Browser::new());
    let id = candidate.start(PAPER, &browser).await.unwrap().id;
    let calls = (0..8).map(|_| candidate.hand_in(&id, &browser, 1));
    let outcomes = futures_util::future::join_all(calls).await;
    let first = outcomes[0].as_ref().unwrap();
    assert!(outcomes.iter().all(|outcome| outcome.as_ref().unwrap() == first));
}

#[tokio::test]
async fn the_deadline_hands_in_the_stored_answers() {
    let hall = Hall::open().await;
    let (candidate, browser) = (hall.admit().await, Browser::new());
    let id = candidate.start(PAPER, &browser).await.unwrap().id;
    candidate.save(&id, &browser, 1, vec![row(NUMBER, 1, number("3"))]).await.unwrap();
    hall.clock.advance(MINUTE * 52 - SECOND);
    assert_eq!(hall.seal().await, 0, "the grace lasts 120 s");
    hall.clock.advance(SECOND);
    assert_eq!((hall.seal().await, hall.seal().await), (1, 0));
    let found = candidate.find(&id, &browser).await.unwrap();
    let transcript = found.transcript.unwrap();
    assert_eq!(
        (transcript.sealed_by(), at(transcript.handed_in_at)),
        (SealedBy::Deadline, START + MINUTE * 50)
    );
    assert_eq!(handed_in(&transcript, NUMBER), number("3"));
}

#[tokio::test]
async fn a_candidate_can_hand_in_during_the_grace() {
    let hall = Hall::open().await;
    let (candidate, browser) = (hall.admit().await, Browser::new());
    let id = candidate.start(PAPER, &browser).await.unwrap().id;
    hall.clock.advance(MINUTE * 51);
    let transcript = candidate.hand_in(&id, &browser, 1).await.unwrap();
    assert_eq!(
        (transcript.sealed_by(), at(transcript.handed_in_at)),
        (SealedBy::Deadline, START + MINUTE * 50)
    );
    hall.clock.advance(MINUTE);
    assert_eq!(hall.seal().await, 0);
}

#[tokio::test]
async fn a_call_seals_a_sitting_whose_grace_is_over() {
    let hall = Hall::open().await;
    for call in 0..4 {
        let (candidate, browser) = (hall.admit().await, Browser::new());
        let id = candidate.start(PAPER, &browser).await.unwrap().id;
        hall.clock.advance(MINUTE * 52);
        match call {
            0 => assert_eq!(candidate.find(&id, &browser).await.unwrap().state(), SittingState::Sealed),
            1 => assert_eq!(reason(candidate.save(&id, &browser, 1, Vec::new()).await), "HANDED_IN"),
            2 => assert_eq!(reason(candidate.start(PAPER, &browser).await), "HANDED_IN"),
            _ => assert_eq!(reason(candidate.take_over(&id, &Browser::new()).await), "HANDED_IN"),
        }
        assert!(hall.document(&id).await.is_some(), "call {call}");
        assert_eq!(hall.seal().await, 0);
    }
}

#[tokio::test]
async fn the_job_seals_sittings_of_closed_browsers() {
    let hall = Hall::open().await;
    let mut ids = Vec::new();
    for _ in 0..3 {
        ids.push(hall.admit().await.start(PAPER, &Browser::new()).await.unwrap().id);
    }
    let jobs = [hall.spawn_jobs(), hall.spawn_jobs()];
    hall.clock.advance(MINUTE * 52);
    let sealed = async {
        for id in &ids {
            while hall.document(id).await.is_none() {
                sleep(Duration::from_millis(20)).await;
            }
        }
    };
    timeout(PATIENCE, sealed).await.expect("the job seals all sittings");
    jobs.iter().for_each(kit::shutdown::Shutdown::begin);
}

#[tokio::test]
async fn replicas_share_the_work_and_skip_locked_sittings() {
    let hall = Hall::open().await;
    let mut ids: Vec<Uuid> = Vec::new();
    for _ in 0..120 {
        let sitting = hall.admit().await.start(PAPER, &Browser::new()).await.unwrap();
        ids.push(sitting.id.parse().unwrap());
    }
    hall.clock.advance(MINUTE * 52);
    let mut held = hall.database.pool.begin().await.unwrap();
    sqlx::query!("SELECT id FROM sitting WHERE id = $1 FOR UPDATE", ids[0])
        .fetch_one(&mut *held)
        .await
        .unwrap();
    let (one, other) = (hall.sealing(), hall.sealing());
    let (one, other) = tokio::join!(one.seal_due(), other.seal_due());
    assert_eq!(one.unwrap() + other.unwrap(), 119, "each is sealed once, and the locked one is skipped");
    held.rollback().await.unwrap();
    assert_eq!(hall.seal().await, 1);
}
