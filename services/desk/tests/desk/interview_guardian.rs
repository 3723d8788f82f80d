//! Interviews that a guardian and a child share: holds, bookings, changes, mails, and what a guardian does not get.

use kit::test::guardian_of;
use proto::desk::{
    BookInterviewRequest, CancelInterviewRequest, HoldInterviewSlotRequest, InterviewParticipant,
};
use time::Duration;
use uuid::Uuid;

use crate::contact::NOBODY;
use crate::interview::{
    Client, JOIN, START, add_slot, cancel, command, execute, get, go_to, hold, learner, list, own, reason,
    stdout, take,
};
use crate::world::{ACCOUNT, Desk, World};

const GUARDIAN: Uuid = Uuid::from_u128(70);

/// The guardian, acting for the learner [`ACCOUNT`].
fn parent(desk: &Desk) -> Client {
    Client::new(desk.server.channel_as(guardian_of(GUARDIAN, ACCOUNT.parse().unwrap())))
}

fn person(name: &str, email: &str) -> InterviewParticipant {
    InterviewParticipant { name: name.to_owned(), email: email.to_owned(), birth_date: None }
}

fn contact() -> InterviewParticipant {
    person("山田 恵子", "keiko@demo.example")
}

async fn book_as_parent(
    client: &mut Client,
    slot: &str,
    guardian: Option<InterviewParticipant>,
) -> Result<String, String> {
    let request = BookInterviewRequest {
        idempotency_key: format!("parent-{slot}"),
        slot_id: slot.to_owned(),
        participant: Some(person("山田 花子", "hanako@demo.example")),
        guardian,
    };
    client
        .book_interview(request)
        .await
        .map(|booked| booked.into_inner().id)
        .map_err(|status| reason(&status))
}

#[tokio::test]
async fn guardian_and_child_share_holds_bookings_changes_and_their_limits() {
    let world = World::new().await;
    let desk = world.serve(NOBODY).await;
    let (mut child, mut parent, mut stranger) =
        (own(&desk), parent(&desk), learner(&desk, Uuid::from_u128(7)));
    let mut slots = Vec::new();
    for hours in 0..3 {
        slots.push(add_slot(&world, "高瀬航", START + Duration::hours(hours)).await);
    }
    // One hold for both: what the child held, the guardian books.
    hold(&mut child, &slots[0]).await.unwrap();
    hold(&mut parent, &slots[0]).await.unwrap();
    let first = book_as_parent(&mut parent, &slots[0], Some(contact())).await.unwrap();
    assert_eq!(list(&mut child).await.upcoming, list(&mut parent).await.upcoming);
    assert_eq!(list(&mut child).await.upcoming[0].id, first);
    assert_eq!(get(&mut stranger, &first).await.unwrap_err(), "NOT_FOUND");
    assert_eq!(cancel(&mut stranger, &first).await.unwrap_err(), "NOT_FOUND");

    // What the child booked, the guardian changes, and the limit counts for both.
    let second = take(&mut child, &slots[1]).await.unwrap();
    assert_eq!(hold(&mut parent, &slots[2]).await.unwrap_err(), "INTERVIEW_LIMIT");
    let change = HoldInterviewSlotRequest { slot_id: slots[2].clone(), replaces: Some(second.clone()) };
    parent.hold_interview_slot(change).await.unwrap();
    let changed = book_as_parent(&mut parent, &slots[2], Some(contact())).await.unwrap();
    assert!(get(&mut child, &second).await.unwrap().is_cancelled);
    // What the guardian booked, the child cancels, and the other way round.
    cancel(&mut child, &first).await.unwrap();
    let request = CancelInterviewRequest { id: changed.clone(), guardian: Some(contact()) };
    parent.cancel_interview(request.clone()).await.unwrap();
    parent.cancel_interview(request).await.unwrap();
    assert!(get(&mut child, &changed).await.unwrap().is_cancelled);
    assert_eq!(world.text("SELECT DISTINCT account::text FROM interview").await, [ACCOUNT]);
}

#[tokio::test]
async fn both_get_a_mail_about_what_the_guardian_does() {
    let world = World::new().await;
    let desk = world.serve(NOBODY).await;
    let mut parent = parent(&desk);
    let slot = add_slot(&world, "高瀬航", START).await;
    hold(&mut parent, &slot).await.unwrap();
    for missing in [None, Some(person("山田 恵子", ""))] {
        assert_eq!(book_as_parent(&mut parent, &slot, missing).await.unwrap_err(), "INVALID");
    }
    let id = book_as_parent(&mut parent, &slot, Some(contact())).await.unwrap();
    parent.cancel_interview(CancelInterviewRequest { id, guardian: Some(contact()) }).await.unwrap();
    let mails = world.text("SELECT kind || ' ' || account FROM mail ORDER BY 1").await;
    let wanted = ["interview_booked", "interview_cancelled"]
        .map(|kind| [format!("{kind} {ACCOUNT}"), format!("{kind} {GUARDIAN}")])
        .concat();
    assert_eq!(mails, sorted(wanted));
}

fn sorted(mut texts: Vec<String>) -> Vec<String> {
    texts.sort();
    texts
}

#[tokio::test]
async fn a_guardian_joins_and_reads_the_notes_of_a_meeting_of_three_only() {
    let world = World::new().await;
    let desk = world.serve(NOBODY).await;
    let (mut child, mut parent) = (own(&desk), parent(&desk));
    for (kind, teacher, takes_part) in [(1, "高瀬航", false), (3, "佐倉みのり", true)] {
        let start = START + Duration::DAY * kind;
        let slot = add_slot(&world, teacher, start).await;
        execute(&world, format!("UPDATE interview_slot SET kind = {kind} WHERE id = '{slot}'")).await;
        let id = take(&mut child, &slot).await.unwrap();
        go_to(&world, start);
        assert_eq!(get(&mut child, &id).await.unwrap().join_url.as_deref(), Some(JOIN));
        let wanted = takes_part.then_some(JOIN);
        assert_eq!(get(&mut parent, &id).await.unwrap().join_url.as_deref(), wanted, "{teacher}");
        assert_eq!(list(&mut parent).await.upcoming[0].join_url.as_deref(), wanted, "{teacher}");
        // The command uses the system clock.
        let sql = "UPDATE interview_slot SET starts_at = now() - interval '2 days', ends_at = now() - interval '1 day'";
        execute(&world, format!("{sql} WHERE id = '{slot}'")).await;
        stdout(&command(&world, &["feedback", &id, "-"], "移項から練習しましょう。"));
        assert_eq!(get(&mut child, &id).await.unwrap().feedback, "移項から練習しましょう。");
        assert_eq!(get(&mut parent, &id).await.unwrap().feedback.is_empty(), !takes_part, "{teacher}");
    }
}
