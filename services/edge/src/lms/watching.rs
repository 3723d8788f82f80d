//! What a learner watches.

use axum::extract::State;
use axum::response::Response;
use proto::lms;
use serde::Serialize;
use serde_json::json;
use utoipa::ToSchema;
use utoipa::openapi::schema::{Array, ArrayBuilder, ObjectBuilder, Type};
use uuid::Uuid;

use crate::Edge;
use crate::answer;
use crate::error::Error;
use crate::input::{Fields, Form, Id, JsonBody, LARGEST};
use crate::session::Learner;

/// Stretches a beat.
const MOST_STRETCHES: usize = 20;
/// Seconds, more than any lesson has.
const LONGEST: i64 = u32::MAX as i64;

/// What a player says every 15 seconds, at a pause, and when it is left.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Beat {
    /// Milliseconds since 1970 by the device's clock, another for every beat: the highest has the position.
    #[schema(minimum = 0, maximum = 9_007_199_254_740_991_i64)]
    sequence: i64,
    /// The place now, in seconds from the start.
    #[schema(minimum = 0, maximum = 4_294_967_295_i64)]
    position: u32,
    /// What was played since the last beat.
    #[schema(schema_with = stretches)]
    watched: Vec<lms::Stretch>,
    /// The stream that plays; null where there is none.
    #[schema(nullable, required = false)]
    stream: Option<Uuid>,
}

impl Form for Beat {
    fn read(fields: &mut Fields) -> Option<Self> {
        let (sequence, position) = (fields.whole("sequence", LARGEST), fields.whole("position", LONGEST));
        let watched = fields.stretches("watched", MOST_STRETCHES, LONGEST);
        let stream = fields.optional_uuid("stream");
        let second = |second: i64| u32::try_from(second).ok();
        let stretch = |[from, to]: [i64; 2]| Some(lms::Stretch { from: second(from)?, to: second(to)? });
        Some(Self {
            sequence: sequence?,
            position: second(position?)?,
            watched: watched?.into_iter().map(stretch).collect::<Option<_>>()?,
            stream: stream?,
        })
    }
}

/// Pairs of seconds.
fn stretches() -> Array {
    let second = ObjectBuilder::new().schema_type(Type::Integer).minimum(Some(0)).maximum(Some(LONGEST));
    let stretch = ArrayBuilder::new().items(second).min_items(Some(2)).max_items(Some(2));
    ArrayBuilder::new()
        .description(Some(
            "What was played since the last beat, as it was: start and end of each stretch, in seconds.",
        ))
        .items(stretch)
        .max_items(Some(MOST_STRETCHES))
        .examples([json!([[0, 15]])])
        .build()
}

/// How a lesson stands.
#[derive(Serialize, ToSchema)]
pub(crate) struct WatchStanding {
    /// Where to go on, in seconds.
    position: u32,
    /// The furthest place ever reached, in seconds.
    furthest: u32,
    /// Seconds seen at least once.
    covered: u32,
    /// Whether it is ticked.
    is_check: bool,
    /// Whether as much of it was watched as makes it done.
    is_done: bool,
}

/// Keep what was watched of a lesson. Late, twice or from several devices is no harm; 403 `EXPIRED_ITEM` where the
/// caller's item has run out.
#[utoipa::path(
    post,
    path = "/api/lms/lesson/{id}/beat/",
    operation_id = "beat",
    tag = "lms",
    params(("id" = i64, Path, description = "The lesson", minimum = 1)),
    request_body = Beat,
    security(("token" = [])),
    responses((status = 200, description = "It is kept", body = WatchStanding))
)]
pub(crate) async fn beat(
    State(edge): State<Edge>,
    learner: Learner,
    Id(lesson_id): Id,
    JsonBody(beat): JsonBody<Beat>,
) -> Result<Response, Error> {
    let request = lms::RecordBeatRequest {
        learner_id: learner.id(),
        lesson_id,
        position: beat.position,
        sequence: beat.sequence,
        watched: beat.watched,
        stream: beat.stream.map(|stream| stream.to_string()),
    };
    let standing = edge.watching().record_beat(request).await?.into_inner();
    Ok(answer::json(&WatchStanding {
        position: standing.position,
        furthest: standing.furthest,
        covered: standing.covered,
        is_check: standing.is_check,
        is_done: standing.is_done,
    }))
}
