//! The wait for a database at startup: a new pod may be refused for a moment, and the database may start later than the
//! services.

use std::time::Duration;

use kit::Failure;
use kit::error::chain;
use sqlx::ConnectOptions as _;
use sqlx::postgres::{PgConnectOptions, PgConnection};
use tokio::time::{Instant, sleep, timeout};

/// Timeout of one attempt to connect.
const ATTEMPT_LIMIT: Duration = Duration::from_secs(5);
/// The pause after the first failed attempt; it doubles up to [`LONGEST_PAUSE`].
const FIRST_PAUSE: Duration = Duration::from_millis(100);
/// The longest pause between two attempts.
const LONGEST_PAUSE: Duration = Duration::from_secs(1);
/// How often the cause is reported while the database does not answer.
const REPORT_INTERVAL: Duration = Duration::from_secs(30);

/// `host:port`.
pub(super) fn place(options: &PgConnectOptions) -> String {
    format!("{}:{}", options.get_host(), options.get_port())
}

/// Returns the first successful connection.
///
/// Every failure is retried, because a missing role or database may be created soon. The cause is logged at the first
/// failure and every 30 s. After `limit` the last cause is returned as the error; without a limit the wait never ends.
pub(super) async fn for_database(
    options: &PgConnectOptions,
    limit: Option<Duration>,
) -> Result<PgConnection, Failure> {
    let place = place(options);
    let began = Instant::now();
    let mut pause = FIRST_PAUSE;
    let mut next_report = began;
    loop {
        let cause = match timeout(ATTEMPT_LIMIT, options.connect()).await {
            Ok(Ok(connection)) => {
                if next_report > began {
                    tracing::info!("the database at {place} answers after {:.1?}", began.elapsed());
                }
                return Ok(connection);
            }
            Ok(Err(error)) => chain(&error),
            Err(_) => format!("no answer within {ATTEMPT_LIMIT:?}"),
        };
        if let Some(limit) = limit
            && began.elapsed() + pause > limit
        {
            return Err(format!(
                "cannot reach the database at {place}, tried for {:.1?}: {cause}",
                began.elapsed()
            )
            .into());
        }
        if Instant::now() >= next_report {
            tracing::warn!("waiting for the database at {place}: {cause}");
            next_report = Instant::now() + REPORT_INTERVAL;
        }
        sleep(pause).await;
        pause = LONGEST_PAUSE.min(pause * 2);
    }
}
