//! The metrics of auth: the age of its signing key, and mails beyond a limit.

use kit::clock::Clock;
use kit::metrics::{Counter, Kind, Metric, Sample, watch};

use crate::access::Access;

/// The age of the signing key.
const SIGNING_KEY_AGE: Metric = Metric {
    name: "konomana_signing_key_age_seconds",
    kind: Kind::Gauge,
    labels: &[],
    help: "Time since the key that signs access tokens came into use; absent while there is none",
};
/// Mails withheld by an hourly limit.
const MAILS_WITHHELD: Metric = Metric {
    name: "konomana_mails_withheld_total",
    kind: Kind::Counter,
    labels: &["mail"],
    help: "Mails beyond an hourly limit of the whole service: sign_up, the sign-up was refused",
};
/// The metrics that only auth has.
pub(crate) const OWN: &[Metric] = &[SIGNING_KEY_AGE, MAILS_WITHHELD];

static WITHHELD_MAILS: Counter<1> = Counter::new(MAILS_WITHHELD);
const SIGN_UP: [&str; 1] = ["sign_up"];

/// Registers the metrics.
pub(crate) fn register_metrics(access: Access, clock: Clock) {
    WITHHELD_MAILS.expose(SIGN_UP);
    watch(&SIGNING_KEY_AGE, move || {
        let since = access.view().signing_since();
        since.map(|since| Sample::new([], (clock.now() - since).as_seconds_f64())).into_iter().collect()
    });
}

/// Counts a sign-up mail that was not sent because of the limit of the whole service.
pub(crate) fn count_withheld_sign_up_mail() {
    WITHHELD_MAILS.increment(SIGN_UP);
}
