//! The devices of a sitting.

use kit_db::span;
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::Instrument as _;
use uuid::Uuid;

use super::Sitting;
use super::device_clock::DeviceClock;

/// A device that sends a message.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Device {
    pub(crate) id: Uuid,
    /// The device's clock when the message was sent.
    pub(crate) time: OffsetDateTime,
}

/// Records a message of a device. Returns what is known of its clock. `pending` is the number of
/// answers that stay on the device, or `None` if the message does not have it.
///
/// An unknown device that is not active is not stored, so that the number of devices stays small.
pub(super) async fn observe(
    connection: &mut PgConnection,
    sitting: &Sitting,
    device: Device,
    pending: Option<i32>,
    now: OffsetDateTime,
) -> sqlx::Result<DeviceClock> {
    let kept = sqlx::query_scalar!(
        "SELECT clock_offset_ms FROM sitting_device WHERE sitting_id = $1 AND device_id = $2",
        sitting.id,
        device.id,
    )
    .fetch_optional(&mut *connection)
    .instrument(span("SELECT sitting_device"))
    .await?;
    let clock = DeviceClock::new(kept, device.time, now);
    if kept.is_some() || sitting.device_id == device.id {
        sqlx::query!(
            "
            INSERT INTO sitting_device (sitting_id, device_id, clock_offset_ms, pending, last_seen_at)
            VALUES ($1, $2, $3, coalesce($4, 0), $5)
            ON CONFLICT ON CONSTRAINT sitting_device_pkey DO UPDATE SET
                clock_offset_ms = excluded.clock_offset_ms,
                pending = coalesce($4, sitting_device.pending),
                last_seen_at = excluded.last_seen_at
            ",
            sitting.id,
            device.id,
            clock.to_keep(),
            pending,
            now,
        )
        .execute(connection)
        .instrument(span("INSERT sitting_device"))
        .await?;
    }
    Ok(clock)
}
