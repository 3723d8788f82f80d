//! Saves that are lost, doubled, reordered, late or invalid, and devices with a wrong clock.

use kit::error::Code;
use proto::exam::{AnswerToSave, SittingState};
use time::Duration;

use crate::hall::{
    Browser, Hall, MINUTE, MULTIPLE, NUMBER, OTHER_PAPER, PAPER, SECOND, SINGLE, START, TEXT, acked, at,
    choices, number, question_of, reason, refused, row, saved, text,
};

#[tokio::test]
async fn every_kind_of_answer_is_stored_and_can_be_taken_back() {
    let hall = Hall::open().await;
    let (candidate, browser) = (hall.admit().await, Browser::new());
    let id = candidate.start(PAPER, &browser).await.unwrap().id;
    let rows = vec![
        row(SINGLE, 1, choices(&[2])),
        row(MULTIPLE, 1, choices(&[3, 1, 3])),
        row(NUMBER, 1, number("3.")),
        AnswerToSave { is_flagged: true, ..row(TEXT, 1, text(" am ")) },
    ];
    let response = candidate.save(&id, &browser, 1, rows).await.unwrap();
    assert_eq!(acked(&response), [(SINGLE, 1), (MULTIPLE, 1), (NUMBER, 1), (TEXT, 1)]);
    assert_eq!((response.refused.len(), response.state()), (0, SittingState::Running));
    let found = candidate.find(&id, &browser).await.unwrap();
    assert_eq!(saved(&found, MULTIPLE), choices(&[1, 3]), "choices are sorted");
    assert_eq!(saved(&found, NUMBER), number("3."), "an unfinished number is stored");
    assert_eq!(saved(&found, TEXT), text(" am "), "a text is stored as typed");
    let flagged: Vec<_> =
        found.answers.iter().filter(|saved| saved.is_flagged).map(|saved| saved.question_id).collect();
    assert_eq!(flagged, [TEXT]);
    for ack in &response.acks {
        let saved = found.answers.iter().find(|saved| saved.question_id == ack.question_id).unwrap();
        assert_eq!(saved.digest, ack.digest);
    }
    // echo -n '{"question_id":1101,"answer":{"choices":[2]}}' | sha256sum
    let digest = "a7b2ba58d9564ca6555d74fc1ec840215e58cabc8daaa7b29999b2ecab7101c8";
    assert!(response.acks.iter().any(|ack| ack.digest == digest), "{:?}", response.acks);

    let response = candidate.save(&id, &browser, 1, vec![row(SINGLE, 2, None)]).await.unwrap();
    assert_eq!(acked(&response), [(SINGLE, 2)]);
    assert_eq!(saved(&candidate.find(&id, &browser).await.unwrap(), SINGLE), None);
}

#[tokio::test]
async fn an_invalid_answer_is_refused_and_the_others_are_stored() {
    let hall = Hall::open().await;
    let (candidate, browser) = (hall.admit().await, Browser::new());
    let id = candidate.start(PAPER, &browser).await.unwrap().id;
    let long = "あ".repeat(201);
    let invalid = [
        row(SINGLE, 7, choices(&[5])),
        row(SINGLE, 7, choices(&[])),
        row(SINGLE, 7, choices(&[1, 2])),
        row(SINGLE, 7, text("2")),
        row(MULTIPLE, 7, choices(&[0])),
        row(MULTIPLE, 7, number("1")),
        row(NUMBER, 7, number(" 　")),
        row(NUMBER, 7, number(&long)),
        row(TEXT, 7, text("a\0")),
        row(TEXT, 7, choices(&[1])),
        row(question_of(OTHER_PAPER, SINGLE), 7, choices(&[1])),
        row(1, 7, None),
    ];
    for invalid in invalid {
        let (question, shown) = (invalid.question_id, format!("{invalid:?}"));
        let response =
            candidate.save(&id, &browser, 1, vec![invalid, row(TEXT, 1, text("am"))]).await.unwrap();
        assert_eq!(refused(&response), [(question, 7, "REFUSAL_CODE_INVALID")], "{shown}");
        assert_eq!(acked(&response), [(TEXT, 1)], "{shown}");
    }
    let most = (1..=100).map(|sequence| row(SINGLE, sequence, choices(&[1]))).collect::<Vec<_>>();
    let more = most.iter().cloned().chain([row(SINGLE, 101, None)]).collect();
    assert_eq!(candidate.save(&id, &browser, 1, more).await.unwrap_err().fields[0].code, "TOO_LONG");
    assert_eq!(candidate.save(&id, &browser, 1, most).await.unwrap().acks.len(), 100);
    for epoch in [0, -1, 2] {
        let refused = candidate.save(&id, &browser, epoch, Vec::new()).await.unwrap_err();
        assert_eq!((refused.code, &*refused.fields[0].name), (Code::Invalid, "epoch"));
    }
    let zero = candidate.save(&id, &browser, 1, vec![row(SINGLE, 0, None)]).await.unwrap_err();
    assert_eq!(&*zero.fields[0].name, "answers");
}

#[tokio::test]
async fn a_doubled_save_is_acknowledged_again_and_changes_nothing() {
    let hall = Hall::open().await;
    let (candidate, browser) = (hall.admit().await, Browser::new());
    let id = candidate.start(PAPER, &browser).await.unwrap().id;
    let message = candidate.message(&id, &browser, 1, vec![row(SINGLE, 1, choices(&[2]))]);
    let first = candidate.send(message.clone()).await.unwrap();
    let before = candidate.find(&id, &browser).await.unwrap();
    hall.clock.advance(SECOND * 30);
    let again = candidate.send(message.clone()).await.unwrap();
    assert_eq!((&again.acks, again.refused.len()), (&first.acks, 0));
    assert_eq!(candidate.find(&id, &browser).await.unwrap().answers, before.answers);

    let other = candidate.save(&id, &browser, 1, vec![row(SINGLE, 1, choices(&[3]))]).await.unwrap();
    assert_eq!(refused(&other), [(SINGLE, 1, "REFUSAL_CODE_OLDER")], "the same sequence, another answer");
    let flagged = AnswerToSave { is_flagged: true, ..row(SINGLE, 1, choices(&[2])) };
    let flagged = candidate.save(&id, &browser, 1, vec![flagged]).await.unwrap();
    assert_eq!(refused(&flagged), [(SINGLE, 1, "REFUSAL_CODE_OLDER")]);

    // The acknowledgement was lost. It is repeated in the grace, regardless of the time of the
    // answer.
    hall.clock.advance(MINUTE * 51);
    let late = candidate.save(&id, &browser, 1, vec![row(SINGLE, 1, choices(&[2]))]).await.unwrap();
    assert_eq!((late.state(), late.acks), (SittingState::Grace, first.acks));
}

#[tokio::test]
async fn the_newest_of_reordered_saves_stays() {
    let hall = Hall::open().await;
    let (candidate, browser) = (hall.admit().await, Browser::new());
    let id = candidate.start(PAPER, &browser).await.unwrap().id;
    let old =
        candidate.message(&id, &browser, 1, vec![row(SINGLE, 1, choices(&[1])), row(TEXT, 1, text("first"))]);
    let new = candidate.message(&id, &browser, 1, vec![row(SINGLE, 2, choices(&[2]))]);
    assert_eq!(acked(&candidate.send(new).await.unwrap()), [(SINGLE, 2)]);
    let response = candidate.send(old).await.unwrap();
    assert_eq!(refused(&response), [(SINGLE, 1, "REFUSAL_CODE_OLDER")]);
    assert_eq!(acked(&response), [(TEXT, 1)], "versions are compared for each question");
    let found = candidate.find(&id, &browser).await.unwrap();
    assert_eq!((saved(&found, SINGLE), saved(&found, TEXT)), (choices(&[2]), text("first")));

    let both = vec![row(SINGLE, 4, choices(&[4])), row(SINGLE, 3, choices(&[3]))];
    let response = candidate.save(&id, &browser, 1, both).await.unwrap();
    assert_eq!(acked(&response), [(SINGLE, 3), (SINGLE, 4)], "the order within a message does not matter");
    assert_eq!(saved(&candidate.find(&id, &browser).await.unwrap(), SINGLE), choices(&[4]));
}

#[tokio::test]
async fn only_answers_given_before_the_deadline_count_in_the_grace() {
    let hall = Hall::open().await;
    for hours in [0, 3, -3] {
        let candidate = hall.admit().await;
        let browser = Browser::with_clock(Duration::hours(hours));
        let sitting = candidate.start(PAPER, &browser).await.unwrap();
        let (id, deadline) = (&*sitting.id, at(sitting.deadline_at));
        let stamped = |question, sequence, answer, at| AnswerToSave {
            answered_at: Some(browser.time(at)),
            ..row(question, sequence, answer)
        };
        hall.clock.advance(deadline + SECOND * 90 - hall.now());
        let rows = vec![
            stamped(SINGLE, 1, choices(&[1]), deadline - Duration::milliseconds(200)),
            stamped(TEXT, 1, text("late"), deadline + SECOND),
            stamped(NUMBER, 1, number("1"), deadline - MINUTE * 40),
        ];
        let response = candidate.save(id, &browser, 1, rows).await.unwrap();
        assert_eq!(acked(&response), [(SINGLE, 1), (NUMBER, 1)], "a clock {hours} h ahead");
        assert_eq!(refused(&response), [(TEXT, 1, "REFUSAL_CODE_LATE")], "a clock {hours} h ahead");
        assert_eq!(response.state(), SittingState::Grace);
        // A message that arrives later with an earlier answer counts, although a late answer was
        // refused.
        let earlier = vec![stamped(TEXT, 1, text("in time"), deadline - SECOND)];
        assert_eq!(acked(&candidate.save(id, &browser, 1, earlier).await.unwrap()), [(TEXT, 1)]);

        let uuid: uuid::Uuid = id.parse().unwrap();
        let mut connection = hall.connection().await;
        let late = sqlx::query!(
            "SELECT question_id, answer, answered_at FROM late_answer WHERE sitting_id = $1",
            uuid
        );
        let late = late.fetch_all(&mut *connection).await.unwrap();
        assert_eq!((late.len(), late[0].question_id), (1, TEXT));
        assert_eq!(late[0].answer.as_deref(), Some(r#"{"text":"late"}"#), "a late answer is stored");
        assert_eq!(late[0].answered_at, deadline + SECOND);

        hall.clock.advance(SECOND * 30);
        let over = candidate.save(id, &browser, 1, Vec::new()).await.unwrap_err();
        assert_eq!((over.code, &*over.reason), (Code::Conflict, "HANDED_IN"));
    }
}

#[tokio::test]
async fn setting_the_clock_during_a_sitting_does_not_change_which_answers_count() {
    let hall = Hall::open().await;
    for hours in [3, -3] {
        let (candidate, mut browser) = (hall.admit().await, Browser::new());
        let sitting = candidate.start(PAPER, &browser).await.unwrap();
        let deadline = at(sitting.deadline_at);
        // Without a network, the learner answers, sets the clock, and answers again.
        let before = browser.time(deadline - MINUTE * 20);
        browser.error = Duration::hours(hours);
        let after = browser.time(deadline - MINUTE * 10);
        let too_late = browser.time(deadline + SECOND * 30);
        hall.clock.advance(deadline + MINUTE - hall.now());
        let rows = vec![
            AnswerToSave { answered_at: Some(before), ..row(SINGLE, 1, choices(&[1])) },
            AnswerToSave { answered_at: Some(after), ..row(TEXT, 1, text("am")) },
            AnswerToSave { answered_at: Some(too_late), ..row(NUMBER, 1, number("1")) },
        ];
        let response = candidate.save(&sitting.id, &browser, 1, rows).await.unwrap();
        assert_eq!(acked(&response), [(SINGLE, 1), (TEXT, 1)], "set by {hours} h");
        assert_eq!(refused(&response), [(NUMBER, 1, "REFUSAL_CODE_LATE")], "set by {hours} h");
        assert_eq!(response.deadline_at, sitting.deadline_at);
        hall.clock.advance(MINUTE);
        assert_eq!(hall.seal().await, 1);
    }
}

#[tokio::test]
async fn stamps_do_not_matter_before_the_deadline() {
    let hall = Hall::open().await;
    let (candidate, browser) = (hall.admit().await, Browser::new());
    let sitting = candidate.start(PAPER, &browser).await.unwrap();
    hall.clock.advance(MINUTE * 49);
    let odd = AnswerToSave {
        answered_at: Some(browser.time(START + Duration::DAY)),
        ..row(SINGLE, 1, choices(&[1]))
    };
    assert_eq!(acked(&candidate.save(&sitting.id, &browser, 1, vec![odd]).await.unwrap()), [(SINGLE, 1)]);
}

#[tokio::test]
async fn seconds_out_of_focus_never_decrease() {
    let hall = Hall::open().await;
    let (candidate, browser) = (hall.admit().await, Browser::new());
    let id = candidate.start(PAPER, &browser).await.unwrap().id;
    for (reported, kept) in [(5, 5), (12, 12), (7, 12), (0, 12)] {
        let message = candidate.message(&id, &browser, 1, Vec::new());
        candidate.send(proto::exam::SaveAnswersRequest { away_seconds: reported, ..message }).await.unwrap();
        assert_eq!(candidate.find(&id, &browser).await.unwrap().away_seconds, kept);
    }
    let message = candidate.message(&id, &browser, 1, Vec::new());
    let negative = proto::exam::SaveAnswersRequest { away_seconds: -1, ..message };
    assert_eq!(reason(candidate.send(negative).await), "INVALID");
}
