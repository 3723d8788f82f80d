//! Webhook events of the provider. They are stored before they are processed, and each is processed
//! at least once. An event only identifies the object whose state to query.

use kit::metrics::{Counter, Kind, Metric};
use kit::trace;
use kit_db::outbox::QueueState;
use kit_db::span;
use sqlx::PgConnection;
use time::{Duration, OffsetDateTime};
use tracing::Instrument as _;

use crate::provider::{SignatureError, VerifiedEvent};

/// How long an event is stored after it was processed. The provider repeats an event for three
/// days.
const RETENTION: Duration = Duration::days(30);

/// The events of the provider.
const EVENTS: Metric = Metric {
    name: "konomana_provider_events_total",
    kind: Kind::Counter,
    labels: &["result"],
    help: "Webhook events of the payment provider by result: accepted, or why one was refused; found: no event told it, and it was found in the provider's lists",
};
/// The metrics of webhook events.
pub(crate) const METRICS: &[Metric] = &[EVENTS];

static RECEIVED_EVENTS: Counter<1> = Counter::new(EVENTS);

/// Exposes all results from the start, with the value 0.
pub(crate) fn expose_metrics() {
    let refusals = SignatureError::ALL.map(SignatureError::label);
    for result in ["accepted", "found"].into_iter().chain(refusals) {
        RECEIVED_EVENTS.expose([result]);
    }
}

/// Counts an event that is stored.
pub(crate) fn count_accepted() {
    RECEIVED_EVENTS.increment(["accepted"]);
}

/// Counts an event that is refused.
pub(crate) fn count_refused(error: SignatureError) {
    RECEIVED_EVENTS.increment([error.label()]);
}

/// A stored event.
#[derive(Clone, Debug)]
pub(crate) struct ProviderEvent {
    /// The provider's id.
    pub(crate) id: String,
    /// E.g. `checkout.session.completed`.
    pub(crate) kind: String,
    /// The id of its object.
    pub(crate) object: String,
    /// The customer of that object.
    pub(crate) customer: Option<String>,
    /// The trace of its request.
    pub(crate) traceparent: Option<String>,
    /// Attempts so far, including the current one.
    pub(crate) tries: i32,
}

/// Stores an event. An event that is already stored is not changed.
pub(crate) async fn add_event(
    connection: &mut PgConnection,
    event: &VerifiedEvent,
    body: &[u8],
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "
        INSERT INTO provider_event (id, type, object_id, customer, body, received_at, traceparent, next_try_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $6)
        ON CONFLICT ON CONSTRAINT provider_event_pkey DO NOTHING
        ",
        event.id,
        event.r#type,
        event.object_id,
        event.customer,
        body,
        now,
        trace::current_traceparent(),
    )
    .execute(connection)
    .instrument(span("INSERT provider_event"))
    .await?;
    Ok(())
}

/// An event that the reconciliation found, because the provider did not send it or it did not
/// arrive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FoundEvent {
    /// Derived from the object and its state, so the same state has the same id.
    pub(crate) id: String,
    /// The type of the provider's event for the same change.
    pub(crate) kind: &'static str,
    /// The id of its object.
    pub(crate) object: String,
}

/// Stores and counts a found event. Returns whether it is new.
pub(crate) async fn add_found(
    connection: &mut PgConnection,
    event: &FoundEvent,
    now: OffsetDateTime,
) -> sqlx::Result<bool> {
    let added = sqlx::query!(
        "
        INSERT INTO provider_event (id, type, object_id, body, received_at, traceparent, next_try_at)
        VALUES ($1, $2, $3, '{}', $4, $5, $4)
        ON CONFLICT ON CONSTRAINT provider_event_pkey DO NOTHING
        ",
        event.id,
        event.kind,
        event.object,
        now,
        trace::current_traceparent(),
    )
    .execute(connection)
    .instrument(span("INSERT provider_event"))
    .await?;
    let is_new = added.rows_affected() > 0;
    if is_new {
        RECEIVED_EVENTS.increment(["found"]);
    }
    Ok(is_new)
}

/// Takes the oldest event that is due, and leases it for `lease`.
pub(crate) async fn take_due(
    connection: &mut PgConnection,
    lease: Duration,
    now: OffsetDateTime,
) -> sqlx::Result<Option<ProviderEvent>> {
    // No span: the last call of each round finds nothing.
    sqlx::query_as!(
        ProviderEvent,
        "
        UPDATE provider_event SET tries = tries + 1, next_try_at = $2
        WHERE id = (
            SELECT id FROM provider_event WHERE next_try_at <= $1
            ORDER BY next_try_at, received_at LIMIT 1 FOR UPDATE SKIP LOCKED
        )
        RETURNING id, type AS kind, object_id AS object, customer, traceparent, tries
        ",
        now,
        now + lease,
    )
    .fetch_optional(connection)
    .await
}

/// Reads the payment intent of the object of an event.
pub(crate) async fn find_intent(connection: &mut PgConnection, id: &str) -> sqlx::Result<Option<String>> {
    let body = sqlx::query_scalar!("SELECT body FROM provider_event WHERE id = $1", id)
        .fetch_one(connection)
        .instrument(span("SELECT provider_event"))
        .await?;
    let event: Option<serde_json::Value> = serde_json::from_slice(&body).ok();
    let intent = event.as_ref().and_then(|event| event["data"]["object"]["payment_intent"].as_str());
    Ok(intent.map(str::to_owned))
}

/// Marks an event as processed.
pub(crate) async fn mark_processed(
    connection: &mut PgConnection,
    id: &str,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!("UPDATE provider_event SET processed_at = $2, next_try_at = NULL WHERE id = $1", id, now)
        .execute(connection)
        .instrument(span("UPDATE provider_event"))
        .await?;
    Ok(())
}

/// Schedules the next attempt, unless another process has taken the event since.
pub(crate) async fn postpone(
    connection: &mut PgConnection,
    event: &ProviderEvent,
    at: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE provider_event SET next_try_at = $3 WHERE id = $1 AND tries = $2 AND next_try_at IS NOT NULL",
        event.id,
        event.tries,
        at,
    )
    .execute(connection)
    .instrument(span("UPDATE provider_event"))
    .await?;
    Ok(())
}

/// Reads the state of the queue.
pub(crate) async fn probe(connection: &mut PgConnection, now: OffsetDateTime) -> sqlx::Result<QueueState> {
    // No span: it runs every 2 s and mostly finds nothing.
    sqlx::query_as!(
        QueueState,
        r#"
        SELECT min(received_at) AS oldest, coalesce(bool_or(next_try_at <= $1), false) AS "is_due!"
        FROM provider_event WHERE next_try_at IS NOT NULL
        "#,
        now,
    )
    .fetch_one(connection)
    .await
}

/// Deletes at most `limit` events that were processed 30 days ago. Returns their number.
pub(crate) async fn sweep(
    connection: &mut PgConnection,
    now: OffsetDateTime,
    limit: i64,
) -> sqlx::Result<u64> {
    let deleted = sqlx::query!(
        "
        DELETE FROM provider_event WHERE id IN (
            SELECT id FROM provider_event
            WHERE received_at <= $1 AND processed_at IS NOT NULL
            LIMIT $2 FOR UPDATE SKIP LOCKED
        )
        ",
        now - RETENTION,
        limit,
    )
    .execute(connection)
    .instrument(span("DELETE provider_event"))
    .await?;
    Ok(deleted.rows_affected())
}
