//! Computes the status of a window.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::{Condition, Time};
use k8s_openapi::jiff::Timestamp;
use time::OffsetDateTime;

use crate::crd::{Edges, MaintenanceWindowStatus, Phase};
use crate::window::{Scope, Window, format_rfc3339};

/// Condition: the part is closed now.
pub(super) const ACTIVE: &str = "Active";
/// Condition: sittings of mock exams that have started go on.
const RUNNING_EXAMS_OPEN: &str = "RunningExamsOpen";
/// Condition: every connected edge applies the window.
pub(super) const PROPAGATED: &str = "Propagated";

/// Computes the status of `window`. An unchanged condition keeps its transition time from `before`.
pub(super) fn compute_status(
    window: &Window,
    generation: i64,
    edges: Edges,
    before: Option<&MaintenanceWindowStatus>,
    now: OffsetDateTime,
) -> MaintenanceWindowStatus {
    let phase = find_phase(window, now);
    let condition = |type_: &str, status: &str, reason: &str, message: String| {
        let old = before
            .and_then(|before| before.conditions.iter().find(|condition| condition.type_ == type_))
            .filter(|old| old.status == status);
        Condition {
            type_: type_.to_owned(),
            status: status.to_owned(),
            reason: reason.to_owned(),
            message,
            observed_generation: Some(generation),
            last_transition_time: old
                .map_or_else(|| to_kubernetes_time(now), |old| old.last_transition_time.clone()),
        }
    };
    let active = match phase {
        Phase::Planned => {
            condition(ACTIVE, "False", "Planned", format!("it starts at {}", format_time(window.starts_at)))
        }
        Phase::Active => {
            let until = window.ends_at.map_or("it is deleted".to_owned(), |end| format_time(Some(end)));
            condition(ACTIVE, "True", "Begun", format!("closed until {until}"))
        }
        Phase::Ended => {
            condition(ACTIVE, "False", "Ended", format!("it ended at {}", format_time(window.ends_at)))
        }
        Phase::Suspended => condition(ACTIVE, "False", "Suspended", "it is suspended".to_owned()),
    };
    let Edges { known, told } = edges;
    let propagated = match (known, told) {
        (0, _) => condition(PROPAGATED, "Unknown", "NoEdges", "no edge listens".to_owned()),
        _ if told == known => {
            condition(PROPAGATED, "True", "EveryEdge", format!("all {known} edges apply it"))
        }
        _ => condition(PROPAGATED, "False", "SomeEdges", format!("{told} of {known} edges apply it")),
    };
    let running_exams = condition(
        RUNNING_EXAMS_OPEN,
        "True",
        if closes_exams(window.scope) { "NewSittingsClosed" } else { "NotAffected" },
        describe_running_exams(window.scope).to_owned(),
    );
    MaintenanceWindowStatus {
        phase,
        edges,
        conditions: vec![active, propagated, running_exams],
        observed_generation: generation,
    }
}

fn closes_exams(scope: Scope) -> bool {
    matches!(scope, Scope::Site | Scope::Exam)
}

/// What a window of this scope does to sittings that have started.
fn describe_running_exams(scope: Scope) -> &'static str {
    match scope {
        Scope::Exam => "no paper starts; running papers go on, also on another device",
        Scope::Site => {
            "no paper starts; running papers go on, also on another device that is signed in, because sign-in is closed"
        }
        Scope::Accounts => {
            "running papers go on, also on another device that is signed in, because sign-in is closed"
        }
        Scope::Learning | Scope::Commerce => "exams are not affected",
    }
}

/// Finds the next change of the phase of `window`.
pub(super) fn find_next_change(window: &Window, now: OffsetDateTime) -> Option<OffsetDateTime> {
    [window.starts_at, window.ends_at].into_iter().flatten().filter(|at| !window.suspend && *at > now).min()
}

/// Whether the condition of this type is true.
pub(super) fn has_condition(status: Option<&MaintenanceWindowStatus>, type_: &str) -> bool {
    status.is_some_and(|status| {
        status.conditions.iter().any(|condition| condition.type_ == type_ && condition.status == "True")
    })
}

/// The message of the condition of this type.
pub(super) fn condition_message<'a>(status: &'a MaintenanceWindowStatus, type_: &str) -> &'a str {
    let condition = status.conditions.iter().find(|condition| condition.type_ == type_);
    condition.map_or("", |condition| &condition.message)
}

fn find_phase(window: &Window, now: OffsetDateTime) -> Phase {
    if window.suspend {
        Phase::Suspended
    } else if window.ends_at.is_some_and(|end| end <= now) {
        Phase::Ended
    } else if window.is_active(now) {
        Phase::Active
    } else {
        Phase::Planned
    }
}

fn format_time(time: Option<OffsetDateTime>) -> String {
    time.and_then(|time| format_rfc3339(time).ok()).unwrap_or_default()
}

/// Converts a time to that of Kubernetes, in whole seconds.
fn to_kubernetes_time(now: OffsetDateTime) -> Time {
    Time(Timestamp::from_second(now.unix_timestamp()).unwrap_or_default())
}
