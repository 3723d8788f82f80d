//! Starting and finding sittings: states, guards, deadlines, and what responses never contain.

use std::collections::BTreeSet;

use kit::error::Code;
use prost::Message as _;
use proto::exam::SittingState;
use time::Duration;
use uuid::Uuid;

use crate::hall::{
    Browser, END, Hall, LONG_PAPER, MINUTE, NUMBER, ORDERED, OTHER_PAPER, PAPER, SECOND, SECRETS, SINGLE,
    START, TEXT, at, choices, number, reason, row, saved, text,
};

#[tokio::test]
async fn a_start_returns_the_questions_and_a_fixed_deadline() {
    let hall = Hall::open().await;
    let candidate = hall.admit().await;
    let browser = Browser::new();
    let sitting = candidate.start(PAPER, &browser).await.unwrap();
    assert_eq!(sitting.state(), SittingState::Running);
    assert_eq!((at(sitting.started_at), at(sitting.deadline_at)), (START, START + MINUTE * 50));
    assert_eq!((sitting.epoch, sitting.is_active_device, sitting.exam_id, sitting.minutes), (1, true, 1, 50));
    assert_eq!((sitting.subject.as_str(), sitting.questions.len()), ("英語", 5));
    assert!(sitting.answers.is_empty() && sitting.transcript.is_none());

    hall.clock.advance(MINUTE * 10);
    let again = candidate.start(PAPER, &browser).await.unwrap();
    let found = candidate.find(&sitting.id, &browser).await.unwrap();
    for later in [again, found] {
        assert_eq!((later.id.as_str(), later.epoch), (sitting.id.as_str(), 1));
        assert_eq!(at(later.now), START + MINUTE * 10);
        assert_eq!((later.started_at, later.deadline_at), (sitting.started_at, sitting.deadline_at));
        assert_eq!(later.questions, sitting.questions);
    }
}

#[tokio::test]
async fn a_late_start_ends_with_the_exam() {
    let hall = Hall::open().await;
    let (candidate, browser) = (hall.admit().await, Browser::new());
    hall.clock.advance(END - START - MINUTE * 20);
    let sitting = candidate.start(PAPER, &browser).await.unwrap();
    assert_eq!(at(sitting.deadline_at), END);
    let (late, phone) = (hall.admit().await, Browser::new());
    hall.clock.advance(MINUTE * 20);
    assert_eq!(reason(late.start(PAPER, &phone).await), "EXAM_ENDED");
}

#[tokio::test]
async fn extra_time_extends_the_paper_but_not_the_exam() {
    let hall = Hall::open().await;
    for (percent, minutes) in [(130, 65), (150, 75)] {
        let (candidate, browser) = (hall.admit().await, Browser::new());
        let mut connection = hall.connection().await;
        exam::set_extra_time(&mut connection, candidate.id, Some(percent)).await.unwrap();
        let sitting = candidate.start(PAPER, &browser).await.unwrap();
        assert_eq!(at(sitting.deadline_at), START + MINUTE * minutes);
        assert_eq!(sitting.minutes, 50);
    }
    let (candidate, browser) = (hall.admit().await, Browser::new());
    let mut connection = hall.connection().await;
    exam::set_extra_time(&mut connection, candidate.id, Some(150)).await.unwrap();
    hall.clock.advance(END - START - MINUTE * 60);
    assert_eq!(at(candidate.start(PAPER, &browser).await.unwrap().deadline_at), END);
}

#[tokio::test]
async fn a_start_before_the_exam_is_refused_with_any_device_clock() {
    let hall = Hall::open().await;
    let candidate = hall.admit().await;
    hall.clock.advance(-SECOND);
    for error in [Duration::ZERO, Duration::HOUR * 3] {
        assert_eq!(reason(candidate.start(PAPER, &Browser::with_clock(error)).await), "NOT_OPEN_YET");
    }
    hall.clock.advance(SECOND);
    let slow = Browser::with_clock(-MINUTE * 5);
    let sitting = candidate.start(PAPER, &slow).await.unwrap();
    assert_eq!(at(sitting.started_at), START, "the start counts by the server's clock");
}

#[tokio::test]
async fn a_start_needs_a_seat_and_every_step() {
    let hall = Hall::open().await;
    let (stranger, browser) = (hall.stranger(), Browser::new());
    let refused = stranger.start(PAPER, &browser).await.unwrap_err();
    assert_eq!((refused.code, &*refused.reason), (Code::Forbidden, "NO_SEAT"));
    let mut connection = hall.connection().await;
    hall.seat(&mut connection, stranger.id, 1).await;
    let refused = stranger.start(PAPER, &browser).await.unwrap_err();
    assert_eq!((refused.code, &*refused.reason), (Code::Conflict, "STEP_NOT_OPEN"));
    assert_eq!(reason(stranger.start(999, &browser).await), "NOT_FOUND");
}

#[tokio::test]
async fn only_one_paper_runs_at_a_time() {
    let hall = Hall::open().await;
    let (candidate, browser) = (hall.admit().await, Browser::new());
    let sitting = candidate.start(PAPER, &browser).await.unwrap();
    for paper in [OTHER_PAPER, LONG_PAPER] {
        let refused = candidate.start(paper, &browser).await.unwrap_err();
        assert_eq!((refused.code, &*refused.reason), (Code::Conflict, "PAPER_RUNNING"));
        assert_eq!(refused.facts["sitting_id"], sitting.id);
    }
    // A sitting in its grace does not block the next paper.
    hall.clock.advance(MINUTE * 50);
    let other = candidate.start(OTHER_PAPER, &browser).await.unwrap();
    candidate.hand_in(&other.id, &browser, 1).await.unwrap();
    candidate.start(LONG_PAPER, &browser).await.unwrap();
}

#[tokio::test]
async fn eight_tabs_that_start_at_once_get_one_sitting() {
    let hall = Hall::open().await;
    let (candidate, browser) = (hall.admit().await, Browser::new());
    let starts = (0..8).map(|_| candidate.start(PAPER, &browser));
    let sittings = futures_util::future::join_all(starts).await;
    let ids: BTreeSet<_> = sittings.into_iter().map(|sitting| sitting.unwrap().id).collect();
    assert_eq!(ids.len(), 1);

    let (candidate, browser) = (hall.admit().await, Browser::new());
    let papers = [PAPER, OTHER_PAPER, LONG_PAPER].into_iter().cycle().take(8);
    let starts = papers.map(|paper| candidate.start(paper, &browser));
    let outcomes = futures_util::future::join_all(starts).await;
    let started: BTreeSet<_> = outcomes.iter().flatten().map(|sitting| sitting.paper_id).collect();
    assert_eq!(started.len(), 1, "one of several papers runs");
    for refused in outcomes.into_iter().filter_map(Result::err) {
        assert_eq!(refused.reason, "PAPER_RUNNING");
    }
}

#[tokio::test]
async fn a_sitting_belongs_to_its_learner() {
    let hall = Hall::open().await;
    let (candidate, other, browser) = (hall.admit().await, hall.admit().await, Browser::new());
    let sitting = candidate.start(PAPER, &browser).await.unwrap();
    assert_eq!(reason(other.find(&sitting.id, &browser).await), "NOT_FOUND");
    assert_eq!(reason(other.save(&sitting.id, &browser, 1, Vec::new()).await), "NOT_FOUND");
    assert_eq!(reason(other.take_over(&sitting.id, &browser).await), "NOT_FOUND");
    assert_eq!(reason(other.hand_in(&sitting.id, &browser, 1).await), "NOT_FOUND");
    assert_eq!(reason(candidate.find(&Uuid::new_v4().to_string(), &browser).await), "NOT_FOUND");
    let refused = candidate.find("1", &browser).await.unwrap_err();
    assert_eq!((refused.code, &*refused.fields[0].name), (Code::Invalid, "id"));
}

#[tokio::test]
async fn choices_are_shuffled_for_each_candidate_but_not_where_the_author_ordered_them() {
    let hall = Hall::open().await;
    let mut orders = BTreeSet::new();
    for _ in 0..12 {
        let candidate = hall.admit().await;
        let sitting = candidate.start(PAPER, &Browser::new()).await.unwrap();
        let order = |question: i64| {
            let question = sitting.questions.iter().find(|asked| asked.id == question).unwrap();
            question.choices.iter().map(|choice| (choice.id, choice.text.clone())).collect::<Vec<_>>()
        };
        let authored: Vec<_> = (1..).zip(["一", "二", "三", "四"].map(str::to_owned)).collect();
        assert_eq!(order(ORDERED), authored);
        let mut sorted = order(SINGLE);
        sorted.sort_unstable();
        assert_eq!(sorted, authored, "the ids are those of the author");
        orders.insert(order(SINGLE));
    }
    assert!(orders.len() > 3, "{orders:?}");
}

#[tokio::test]
async fn no_response_in_any_state_contains_a_key() {
    let hall = Hall::open().await;
    let (candidate, browser, phone) = (hall.admit().await, Browser::new(), Browser::new());
    let mut responses = Vec::new();
    let sitting = candidate.start(PAPER, &browser).await.unwrap();
    responses.push(sitting.encode_to_vec());
    let rows = vec![
        row(SINGLE, 1, choices(&[2])),
        row(NUMBER, 1, number("1")),
        row(TEXT, 1, text("x")),
        row(TEXT, 1, choices(&[1])),
    ];
    responses.push(candidate.save(&sitting.id, &browser, 1, rows).await.unwrap().encode_to_vec());
    responses.push(candidate.find(&sitting.id, &browser).await.unwrap().encode_to_vec());
    responses.push(candidate.take_over(&sitting.id, &phone).await.unwrap().encode_to_vec());
    hall.clock.advance(MINUTE * 51);
    responses.push(candidate.find(&sitting.id, &browser).await.unwrap().encode_to_vec());
    responses.push(candidate.hand_in(&sitting.id, &phone, 2).await.unwrap().encode_to_vec());
    let sealed = candidate.find(&sitting.id, &browser).await.unwrap();
    responses.push(sealed.encode_to_vec());
    responses.push(hall.document(&sitting.id).await.unwrap());
    for refused in [
        candidate.save(&sitting.id, &browser, 1, Vec::new()).await.unwrap_err(),
        candidate.start(PAPER, &browser).await.unwrap_err(),
        candidate.take_over(&sitting.id, &browser).await.unwrap_err(),
    ] {
        responses.push(format!("{refused:?}").into_bytes());
    }
    for (index, response) in responses.iter().enumerate() {
        let response = String::from_utf8_lossy(response);
        for secret in SECRETS {
            assert!(!response.contains(secret), "response {index} contains {secret}");
        }
    }
}

#[tokio::test]
async fn a_reload_in_every_state_finds_the_same_answers() {
    let hall = Hall::open().await;
    let (candidate, browser) = (hall.admit().await, Browser::new());
    let sitting = candidate.start(PAPER, &browser).await.unwrap();
    candidate.save(&sitting.id, &browser, 1, vec![row(SINGLE, 3, choices(&[2]))]).await.unwrap();
    for (step, state) in [
        (Duration::ZERO, SittingState::Running),
        (MINUTE * 50, SittingState::Grace),
        (SECOND * 119, SittingState::Grace),
        (SECOND, SittingState::Sealed),
    ] {
        hall.clock.advance(step);
        let found = candidate.find(&sitting.id, &browser).await.unwrap();
        assert_eq!(found.state(), state, "{step}");
        assert_eq!(saved(&found, SINGLE), choices(&[2]));
        assert_eq!((found.answers[0].sequence, found.answers[0].epoch), (3, 1));
        assert_eq!(found.transcript.is_some(), state == SittingState::Sealed);
        assert_eq!(found.deadline_at, sitting.deadline_at);
    }
}
