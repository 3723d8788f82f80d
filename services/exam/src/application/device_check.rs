//! Checks of the devices that a learner may use in an exam.

use kit::error::FieldError;
use kit_db::span;
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::Instrument as _;
use uuid::Uuid;

use super::lock;
use crate::error::Error;

/// The longest round trip that passes, in milliseconds.
const LONGEST_ROUND_TRIP: i32 = 5_000;
/// The longest name of a browser, in characters.
const BROWSER_LIMIT: usize = 200;
/// The number of devices that are kept for an application.
const DEVICES: i64 = 20;

/// The outcome of a check.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DeviceCheck {
    pub(crate) device_id: Uuid,
    pub(crate) passed: bool,
    pub(crate) checked_at: OffsetDateTime,
}

/// The findings of a device.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "the findings are independent of each other")]
pub(crate) struct DeviceReport {
    pub(crate) device_id: Uuid,
    pub(crate) browser: String,
    pub(crate) clock_offset_ms: i64,
    pub(crate) storage_kept: bool,
    pub(crate) round_trip_ms: i32,
    pub(crate) sound: bool,
    pub(crate) quiet_place: bool,
    /// Whether the browser has the features that an exam needs.
    pub(crate) browser_fits: bool,
}

impl DeviceReport {
    /// Whether the device is fit for an exam. Its clock may be wrong, because the server's clock
    /// counts. Its sound may fail, because no paper has a listening part. A noisy place is the learner's choice.
    fn is_fit(&self) -> bool {
        self.browser_fits && self.storage_kept && self.round_trip_ms <= LONGEST_ROUND_TRIP
    }

    fn check(&self) -> Result<(), Error> {
        let wrong = |name, code| Err(Error::Field(FieldError::new(name, code)));
        if self.browser.trim().is_empty() {
            return wrong("browser", "REQUIRED");
        }
        if self.browser.chars().nth(BROWSER_LIMIT).is_some() {
            return wrong("browser", "TOO_LONG");
        }
        if forms::has_controls(&self.browser) {
            return wrong("browser", "INVALID_FORMAT");
        }
        if self.round_trip_ms < 0 {
            return wrong("round_trip_ms", "OUT_OF_RANGE");
        }
        Ok(())
    }
}

/// Stores the check of a device. Returns whether it passed.
pub(crate) async fn set_device_check(
    connection: &mut PgConnection,
    learner: Uuid,
    exam: i64,
    report: &DeviceReport,
    now: OffsetDateTime,
) -> Result<bool, Error> {
    let application = lock(connection, learner, exam).await?;
    application.require_open(now)?;
    if application.desired_schools.is_empty() {
        return Err(Error::StepNotOpen);
    }
    report.check()?;
    let passed = report.is_fit();
    sqlx::query!(
        "
        INSERT INTO device_check (
            learner_id, exam_id, device_id, browser, clock_offset_ms, storage_kept, round_trip_ms, sound, quiet_place,
            passed, checked_at
        )
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
        ON CONFLICT ON CONSTRAINT device_check_pkey DO UPDATE SET
            browser = excluded.browser,
            clock_offset_ms = excluded.clock_offset_ms,
            storage_kept = excluded.storage_kept,
            round_trip_ms = excluded.round_trip_ms,
            sound = excluded.sound,
            quiet_place = excluded.quiet_place,
            passed = excluded.passed,
            checked_at = excluded.checked_at
        ",
        learner,
        exam,
        report.device_id,
        report.browser,
        report.clock_offset_ms,
        report.storage_kept,
        report.round_trip_ms,
        report.sound,
        report.quiet_place,
        passed,
        now,
    )
    .execute(&mut *connection)
    .instrument(span("INSERT device_check"))
    .await?;
    sqlx::query!(
        "
        DELETE FROM device_check
        WHERE learner_id = $1 AND exam_id = $2 AND device_id IN (
            SELECT device_id FROM device_check WHERE learner_id = $1 AND exam_id = $2
            ORDER BY checked_at DESC, device_id OFFSET $3
        )
        ",
        learner,
        exam,
        DEVICES,
    )
    .execute(connection)
    .instrument(span("DELETE device_check"))
    .await?;
    Ok(passed)
}
