//! The deadline of a request: set where the request enters a process, enforced, and passed on to the calls it makes.

use std::future::Future;
use std::time::Duration;

use tokio::time::Instant;

/// Time that a process reserves for itself when it calls another one.
pub const MARGIN: Duration = Duration::from_millis(200);

tokio::task_local! {
    static DEADLINE: Instant;
}

/// Runs `work` with this deadline.
pub fn scope<Work: Future>(deadline: Instant, work: Work) -> impl Future<Output = Work::Output> {
    DEADLINE.scope(deadline, work)
}

/// The time until the deadline, or `None` without one (background work).
#[must_use]
pub fn left() -> Option<Duration> {
    DEADLINE.try_with(|deadline| deadline.saturating_duration_since(Instant::now())).ok()
}

/// Reads a `grpc-timeout` header: up to eight digits and a unit (H, M, S, m, u, n).
#[must_use]
pub fn parse_grpc_timeout(text: &str) -> Option<Duration> {
    let (digits, unit) = text.split_at_checked(text.len().checked_sub(1)?)?;
    if digits.is_empty() || digits.len() > 8 || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let amount: u64 = digits.parse().ok()?;
    match unit {
        "H" => Some(Duration::from_secs(amount * 3600)),
        "M" => Some(Duration::from_secs(amount * 60)),
        "S" => Some(Duration::from_secs(amount)),
        "m" => Some(Duration::from_millis(amount)),
        "u" => Some(Duration::from_micros(amount)),
        "n" => Some(Duration::from_nanos(amount)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grpc_timeouts_are_read_in_every_unit_and_junk_is_not() {
        assert_eq!(parse_grpc_timeout("9800m"), Some(Duration::from_millis(9800)));
        assert_eq!(parse_grpc_timeout("2H"), Some(Duration::from_hours(2)));
        assert_eq!(parse_grpc_timeout("15u"), Some(Duration::from_micros(15)));
        for junk in ["", "m", "9800", "-1m", "123456789m", "1.5S", "５S", "é"] {
            assert_eq!(parse_grpc_timeout(junk), None, "{junk}");
        }
    }

    #[tokio::test]
    async fn outside_a_request_there_is_no_deadline() {
        assert_eq!(left(), None);
        let inside = scope(Instant::now() + Duration::from_secs(10), async { left() }).await;
        assert!(inside.is_some_and(|left| left > Duration::from_secs(9)));
    }
}
