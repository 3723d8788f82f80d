//! Figures about pending orders and money, and the result of the last audit, for dashboards and
//! alerts.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use kit::clock::Clock;
use kit::error::chain;
use kit::metrics::{Kind, Metric, Sample, watch};
use kit::shutdown::Shutdown;
use kit::task::{Ticks, spawn};
use kit_db::{Pool, span};
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::Instrument as _;

/// The interval between reads of the figures.
const PERIOD: Duration = Duration::from_secs(15);

const ORDERS: Metric = Metric {
    name: "konomana_orders_waiting",
    kind: Kind::Gauge,
    labels: &["state"],
    help: "Orders that await their payment, and orders that are paid and whose courses are not granted",
};
const MONEY: Metric = Metric {
    name: "konomana_money_waiting_yen",
    kind: Kind::Gauge,
    labels: &["kind"],
    help: "Yen of transfers that are held for an order, of refunds on their way, of failed refunds that a person has to return, and of open disputes",
};
const TRANSFER_AGE: Metric = Metric {
    name: "konomana_transfer_held_age_seconds",
    kind: Kind::Gauge,
    labels: &[],
    help: "Age of the oldest bank transfer that neither paid an order nor went back; 0 if there is none",
};
const DISPUTES: Metric = Metric {
    name: "konomana_disputes_open",
    kind: Kind::Gauge,
    labels: &[],
    help: "Payments that their card's bank took back, and about which it has not decided",
};
const LEDGER: Metric = Metric {
    name: "konomana_ledger_sum_yen",
    kind: Kind::Gauge,
    labels: &[],
    help: "Sum of all postings since the last audit; anything but 0 is a fault",
};
const AUDIT_DIFFERENCES: Metric = Metric {
    name: "konomana_audit_differences",
    kind: Kind::Gauge,
    labels: &[],
    help: "Differences that the last audit found",
};
const AUDIT_AGE: Metric = Metric {
    name: "konomana_audit_age_seconds",
    kind: Kind::Gauge,
    labels: &[],
    help: "Time since the last audit ended; since the start of the process if there was none",
};
/// The metrics of the figures.
pub const METRICS: &[Metric] = &[ORDERS, MONEY, TRANSFER_AGE, DISPUTES, LEDGER, AUDIT_DIFFERENCES, AUDIT_AGE];

/// Counts and amounts of pending work, and the last audit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// Orders that await payment.
    pub unpaid_orders: i64,
    /// Orders that are paid and whose courses are not granted.
    pub ungranted_orders: i64,
    /// Yen of bank transfers that neither paid an order nor were returned.
    pub held_yen: i64,
    /// When the oldest of these transfers arrived.
    pub held_since: Option<OffsetDateTime>,
    /// Yen of refunds in progress.
    pub refunding_yen: i64,
    /// Yen of failed refunds without a replacement.
    pub owed_yen: i64,
    /// Open disputes.
    pub disputes: i64,
    /// The yen of open disputes.
    pub disputed_yen: i64,
    /// The sum of all postings since the last audit.
    pub ledger_yen: i64,
    /// When the last audit ended, or `None` if there was none.
    pub audited_at: Option<OffsetDateTime>,
    /// The differences that it found.
    pub differences: Option<i32>,
}

impl Figures {
    /// Reads the figures.
    ///
    /// # Errors
    ///
    /// If the database does not answer.
    pub async fn read_figures(connection: &mut PgConnection) -> sqlx::Result<Self> {
        sqlx::query_as!(
            Figures,
            r#"
            SELECT
                (SELECT count(*) FROM orders WHERE next_check_at IS NOT NULL AND state = 'awaiting_payment')
                    AS "unpaid_orders!",
                (SELECT count(*) FROM orders WHERE next_check_at IS NOT NULL AND state = 'paid')
                    AS "ungranted_orders!",
                (SELECT coalesce(sum(amount), 0) FROM transfer WHERE state = 'held')::bigint AS "held_yen!",
                (SELECT min(received_at) FROM transfer WHERE state = 'held') AS held_since,
                (
                    SELECT coalesce(sum(amount), 0) FROM refund
                    WHERE next_try_at IS NOT NULL AND state IN ('requested', 'pending', 'needs_details')
                )::bigint AS "refunding_yen!",
                (
                    SELECT coalesce(sum(amount), 0) FROM refund
                    WHERE state = 'failed' AND NOT EXISTS (
                        SELECT FROM refund AS other WHERE other.replaces = refund.id
                    )
                )::bigint AS "owed_yen!",
                (SELECT count(*) FROM dispute WHERE next_try_at IS NOT NULL) AS "disputes!",
                (SELECT coalesce(sum(amount), 0) FROM dispute WHERE next_try_at IS NOT NULL)::bigint
                    AS "disputed_yen!",
                (
                    SELECT coalesce(sum(amount), 0) FROM posting
                    WHERE journal_id > coalesce((SELECT journal_id FROM audit_run ORDER BY id DESC LIMIT 1), 0)
                )::bigint AS "ledger_yen!",
                (SELECT at FROM audit_run ORDER BY id DESC LIMIT 1) AS audited_at,
                (SELECT differences FROM audit_run ORDER BY id DESC LIMIT 1) AS differences
            "#,
        )
        .fetch_one(connection)
        .instrument(span("SELECT figures"))
        .await
    }
}

/// Reads the figures every [`PERIOD`] until `shutdown`, and exposes them as metrics.
pub(crate) fn spawn_reader(pool: Pool, clock: &Clock, shutdown: Shutdown) {
    let figures = Arc::<Mutex<Figures>>::default();
    register_metrics(&figures, clock);
    spawn("figures", &shutdown.clone(), async move {
        let mut ticks = Ticks::new(PERIOD, shutdown);
        while ticks.next().await {
            let read = async { Figures::read_figures(&mut *pool.acquire().await?).await };
            match read.await {
                Ok(read) => *figures.lock().unwrap_or_else(PoisonError::into_inner) = read,
                Err(error) => {
                    // The metrics keep the last values.
                    tracing::warn!(error = chain(&error), "the figures for the metrics cannot be read");
                }
            }
        }
    });
}

fn register_metrics(figures: &Arc<Mutex<Figures>>, clock: &Clock) {
    let started_at = clock.now();
    let show = |metric: &'static Metric, samples: fn(&Figures, &Moment) -> Vec<Sample>| {
        let (figures, clock) = (figures.clone(), clock.clone());
        watch(metric, move || {
            let moment = Moment { now: clock.now(), started_at };
            samples(&figures.lock().unwrap_or_else(PoisonError::into_inner), &moment)
        });
    };
    show(&ORDERS, |figures, _| {
        vec![
            Sample::new(["awaiting_payment"], number(figures.unpaid_orders)),
            Sample::new(["paid"], number(figures.ungranted_orders)),
        ]
    });
    show(&MONEY, |figures, _| {
        vec![
            Sample::new(["transfers_held"], number(figures.held_yen)),
            Sample::new(["refunds_pending"], number(figures.refunding_yen)),
            Sample::new(["refunds_failed"], number(figures.owed_yen)),
            Sample::new(["disputes"], number(figures.disputed_yen)),
        ]
    });
    show(&TRANSFER_AGE, |figures, moment| vec![Sample::new([], moment.age(figures.held_since))]);
    show(&DISPUTES, |figures, _| vec![Sample::new([], number(figures.disputes))]);
    show(&LEDGER, |figures, _| vec![Sample::new([], number(figures.ledger_yen))]);
    show(&AUDIT_DIFFERENCES, |figures, _| {
        vec![Sample::new([], f64::from(figures.differences.unwrap_or_default()))]
    });
    show(&AUDIT_AGE, |figures, moment| {
        vec![Sample::new([], moment.age(Some(figures.audited_at.unwrap_or(moment.started_at))))]
    });
}

/// The time at which the metrics are exposed.
struct Moment {
    now: OffsetDateTime,
    /// When the process started.
    started_at: OffsetDateTime,
}

impl Moment {
    /// Seconds since `since`, or 0 without it.
    fn age(&self, since: Option<OffsetDateTime>) -> f64 {
        since.map_or(0.0, |since| (self.now - since).as_seconds_f64())
    }
}

/// Converts a figure to a metric value. Capped at about two billion.
fn number(figure: i64) -> f64 {
    let limit = if figure < 0 { i32::MIN } else { i32::MAX };
    f64::from(i32::try_from(figure).unwrap_or(limit))
}
