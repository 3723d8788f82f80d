//! Two devices: the active one, a take-over, and unsent answers of the replaced device.

use kit::error::Code;

use crate::hall::{
    Browser, Hall, MINUTE, NUMBER, PAPER, SECOND, SINGLE, TEXT, acked, choices, number, reason, refused, row,
    saved, text,
};

#[tokio::test]
async fn only_the_active_device_can_save_and_hand_in() {
    let hall = Hall::open().await;
    let (candidate, laptop, phone) = (hall.admit().await, Browser::new(), Browser::new());
    let sitting = candidate.start(PAPER, &laptop).await.unwrap();
    let id = &*sitting.id;
    let started = candidate.start(PAPER, &phone).await.unwrap_err();
    assert_eq!((started.code, &*started.reason), (Code::Conflict, "OTHER_DEVICE"));
    assert_eq!(started.facts["sitting_id"], sitting.id);
    let rows = || vec![row(SINGLE, 1, choices(&[1]))];
    assert_eq!(reason(candidate.save(id, &phone, 1, rows()).await), "OTHER_DEVICE");
    assert_eq!(reason(candidate.hand_in(id, &phone, 1).await), "OTHER_DEVICE");
    let found = candidate.find(id, &phone).await.unwrap();
    assert!(!found.is_active_device && found.answers.is_empty(), "nothing was stored");
    assert!(candidate.find(id, &laptop).await.unwrap().is_active_device);

    candidate.save(id, &laptop, 1, rows()).await.unwrap();
    let taken = candidate.take_over(id, &phone).await.unwrap();
    assert_eq!((taken.epoch, taken.is_active_device), (2, true));
    assert_eq!(taken.deadline_at, sitting.deadline_at);
    assert_eq!(saved(&taken, SINGLE), choices(&[1]), "the new device has every answer");
    let again = candidate.take_over(id, &phone).await.unwrap();
    assert_eq!(again.epoch, 2, "a repeated call changes nothing");
    let refused = candidate.save(id, &laptop, 1, rows()).await.unwrap_err();
    assert_eq!((refused.code, &*refused.reason), (Code::Conflict, "OTHER_DEVICE"));
    assert_eq!(refused.facts["sitting_id"], sitting.id);
    assert_eq!(reason(candidate.hand_in(id, &laptop, 1).await), "OTHER_DEVICE");
    assert_eq!(reason(candidate.start(PAPER, &laptop).await), "OTHER_DEVICE");
    let rows = vec![row(SINGLE, 1, choices(&[2]))];
    assert_eq!(acked(&candidate.save(id, &phone, 2, rows).await.unwrap()), [(SINGLE, 1)], "a new epoch wins");
    assert_eq!(candidate.take_over(id, &laptop).await.unwrap().epoch, 3, "the laptop takes over again");
}

#[tokio::test]
async fn unsent_answers_of_the_old_device_win_only_where_the_new_epoch_has_none() {
    let hall = Hall::open().await;
    let (candidate, laptop, phone) = (hall.admit().await, Browser::new(), Browser::new());
    let id = candidate.start(PAPER, &laptop).await.unwrap().id;
    let sent = vec![row(SINGLE, 1, choices(&[1])), row(TEXT, 1, text("sent"))];
    candidate.save(&id, &laptop, 1, sent).await.unwrap();
    // The laptop is offline when the phone takes over.
    let unsent = candidate.message(
        &id,
        &laptop,
        1,
        vec![row(SINGLE, 9, choices(&[3])), row(TEXT, 9, text("unsent")), row(NUMBER, 9, number("9"))],
    );
    candidate.take_over(&id, &phone).await.unwrap();
    candidate.save(&id, &phone, 2, vec![row(SINGLE, 2, choices(&[2]))]).await.unwrap();

    assert_eq!(reason(candidate.send(unsent.clone()).await), "OTHER_DEVICE");
    let found = candidate.find(&id, &laptop).await.unwrap();
    assert_eq!(saved(&found, SINGLE), choices(&[2]), "the answer of the newer epoch stays");
    assert_eq!(saved(&found, TEXT), text("unsent"));
    assert_eq!(saved(&found, NUMBER), number("9"));
    let versions: Vec<_> = found.answers.iter().map(|saved| (saved.epoch, saved.sequence)).collect();
    assert_eq!(versions, [(2, 2), (1, 9), (1, 9)]);

    // Then the phone answers these questions, with lower sequences.
    let rows = vec![row(TEXT, 1, text("new")), row(NUMBER, 1, number("1"))];
    assert_eq!(acked(&candidate.save(&id, &phone, 2, rows).await.unwrap()), [(NUMBER, 1), (TEXT, 1)]);
    assert_eq!(reason(candidate.send(unsent.clone()).await), "OTHER_DEVICE");
    assert_eq!(saved(&candidate.find(&id, &phone).await.unwrap(), TEXT), text("new"));

    // The laptop takes over again. Each of its unsent answers of the old epoch is refused.
    candidate.take_over(&id, &laptop).await.unwrap();
    let response = candidate.send(unsent).await.unwrap();
    let older = |question| (question, 9, "REFUSAL_CODE_OLDER");
    assert_eq!(refused(&response), [SINGLE, NUMBER, TEXT].map(older));
}

#[tokio::test]
async fn the_old_device_cannot_save_in_the_new_epoch() {
    let hall = Hall::open().await;
    let (candidate, laptop, phone) = (hall.admit().await, Browser::new(), Browser::new());
    let id = candidate.start(PAPER, &laptop).await.unwrap().id;
    candidate.take_over(&id, &phone).await.unwrap();
    let rows = vec![row(SINGLE, 1, choices(&[1]))];
    assert_eq!(reason(candidate.save(&id, &laptop, 2, rows).await), "OTHER_DEVICE");
    assert!(candidate.find(&id, &laptop).await.unwrap().answers.is_empty());
}

#[tokio::test]
async fn an_old_hand_in_does_not_end_a_sitting_that_was_taken_back() {
    let hall = Hall::open().await;
    let (candidate, laptop, phone) = (hall.admit().await, Browser::new(), Browser::new());
    let id = candidate.start(PAPER, &laptop).await.unwrap().id;
    candidate.take_over(&id, &phone).await.unwrap();
    candidate.take_over(&id, &laptop).await.unwrap();
    assert_eq!(reason(candidate.hand_in(&id, &laptop, 1).await), "OTHER_DEVICE", "it was sent in epoch 1");
    assert!(candidate.find(&id, &laptop).await.unwrap().transcript.is_none());
    candidate.hand_in(&id, &laptop, 3).await.unwrap();
}

#[tokio::test]
async fn the_old_device_can_send_answers_given_in_time_during_the_grace() {
    let hall = Hall::open().await;
    let (candidate, laptop, phone) = (hall.admit().await, Browser::with_clock(MINUTE * 7), Browser::new());
    let sitting = candidate.start(PAPER, &laptop).await.unwrap();
    let id = &*sitting.id;
    hall.clock.advance(MINUTE * 49);
    let in_time = candidate.message(id, &laptop, 1, vec![row(TEXT, 1, text("in time"))]).answers;
    candidate.take_over(id, &phone).await.unwrap();
    hall.clock.advance(MINUTE + SECOND * 30);
    let late = candidate.message(id, &laptop, 1, vec![row(NUMBER, 1, number("1"))]).answers;
    let rows = [in_time, late].concat();
    assert_eq!(reason(candidate.save(id, &laptop, 1, rows).await), "OTHER_DEVICE");
    let found = candidate.find(id, &phone).await.unwrap();
    assert_eq!((saved(&found, TEXT), saved(&found, NUMBER)), (text("in time"), None));
    let taken_over = candidate.take_over(id, &laptop).await.unwrap();
    assert_eq!(
        (taken_over.epoch, taken_over.deadline_at),
        (3, sitting.deadline_at),
        "a take-over in the grace"
    );
}

#[tokio::test]
async fn unknown_devices_that_are_not_active_are_not_stored() {
    let hall = Hall::open().await;
    let (candidate, laptop, phone) = (hall.admit().await, Browser::new(), Browser::new());
    let id = candidate.start(PAPER, &laptop).await.unwrap().id;
    candidate.take_over(&id, &phone).await.unwrap();
    for _ in 0..5 {
        let unknown = Browser::new();
        assert_eq!(reason(candidate.save(&id, &unknown, 1, Vec::new()).await), "OTHER_DEVICE");
    }
    let sitting: uuid::Uuid = id.parse().unwrap();
    let mut connection = hall.connection().await;
    let devices = sqlx::query_scalar!(
        r#"SELECT count(*) AS "count!" FROM sitting_device WHERE sitting_id = $1"#,
        sitting
    );
    assert_eq!(devices.fetch_one(&mut *connection).await.unwrap(), 2);
}
