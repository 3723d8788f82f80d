//! The states of a subscription.

use commerce::subscription_rules::{Event, State};

const EVENTS: [Event; 7] = [
    Event::Paid,
    Event::Refused,
    Event::Unpaid,
    Event::Cancelled,
    Event::Resumed,
    Event::Over,
    Event::Erased,
];

#[test]
fn only_the_listed_state_transitions_are_possible() {
    let mut changes = Vec::new();
    for state in State::ALL {
        for event in EVENTS {
            if let Some(next) = state.after(event).filter(|next| *next != state) {
                changes.push(format!("{state:?} {event:?} {next:?}"));
            }
        }
    }
    assert_eq!(
        changes,
        [
            "Incomplete Paid Active",
            "Incomplete Unpaid Ended",
            "Incomplete Erased Ended",
            "Active Refused PastDue",
            "Active Unpaid Ended",
            "Active Cancelled CancelScheduled",
            "Active Erased Ended",
            "PastDue Paid Active",
            "PastDue Unpaid Ended",
            "PastDue Cancelled Ended",
            "PastDue Erased Ended",
            "CancelScheduled Refused Ended",
            "CancelScheduled Unpaid Ended",
            "CancelScheduled Resumed Active",
            "CancelScheduled Over Ended",
            "CancelScheduled Erased Ended",
        ]
    );
}

#[test]
fn nothing_changes_a_subscription_that_has_ended() {
    for event in EVENTS {
        assert_eq!(State::Ended.after(event), None);
    }
}

#[test]
fn a_repeated_event_does_not_change_the_state() {
    for (state, event) in [
        (State::Active, Event::Paid),
        (State::Active, Event::Resumed),
        (State::PastDue, Event::Refused),
        (State::CancelScheduled, Event::Cancelled),
        (State::CancelScheduled, Event::Paid),
    ] {
        assert_eq!(state.after(event), Some(state));
    }
}

#[test]
fn access_lasts_until_the_end_and_needs_a_first_payment() {
    let states = State::ALL.map(|state| (state.has_access(), state.can_cancel(), state.can_resume()));
    assert_eq!(
        states,
        [
            (false, false, false),
            (true, true, false),
            (true, true, false),
            (true, false, true),
            (false, false, false)
        ]
    );
}
