//! Cost of the caller assertion of a call between services: signing and verifying it.

use std::hint::black_box;
use std::time::Instant;

use kit::caller::{Keyring, Person, Scope, Service, Signer};
use kit::clock::Clock;
use tooling::failure::{Outcome, fail};
use uuid::Uuid;

use runner::random::create_secret;

/// Assertions in each turn.
const CALLS: u32 = 100_000;
const TURNS: usize = 5;
/// Limits in microseconds and bytes.
const MOST_MICROSECONDS: f64 = 3.0;
const MOST_BYTES: usize = 200;
const PATH: &str = "/lms.v1.InventoryService/ListInventory";

/// Prints the median of several turns. Fails above the limits.
pub(super) fn measure() -> Outcome {
    let key = create_secret()?;
    let signer = Signer::new(Service::Edge, Service::Lms, &key, Clock::system())?;
    let keyring = Keyring::new(Service::Lms, &format!("auth={},edge={key}", create_secret()?))?;
    let person = Person::new(Uuid::now_v7(), Uuid::now_v7(), Scope::ALL.into_iter().collect());
    let clock = Clock::system();
    let bytes = signer.sign(Some(&person), PATH).len();
    let mut turns = Vec::new();
    for _ in 0..TURNS {
        let begun = Instant::now();
        for _ in 0..CALLS {
            let assertion = signer.sign(Some(black_box(&person)), PATH);
            let now = i64::try_from(clock.now().unix_timestamp_nanos() / 1_000_000).unwrap_or_default();
            let caller = keyring.verify(assertion.as_bytes(), PATH, now);
            black_box(caller)?;
        }
        turns.push(begun.elapsed().as_secs_f64() * 1_000_000.0 / f64::from(CALLS));
    }
    turns.sort_by(f64::total_cmp);
    let median = turns[TURNS / 2];
    println!(
        "\ncaller assertion: {bytes} of at most {MOST_BYTES} bytes; signed and verified in {median:.2} µs of at most \
         {MOST_MICROSECONDS:.0} (median of {TURNS} turns of {CALLS}; {:.2} to {:.2})",
        turns[0],
        turns[TURNS - 1]
    );
    check(bytes, median)
}

/// Fails above the limits.
fn check(bytes: usize, microseconds: f64) -> Outcome {
    if bytes > MOST_BYTES {
        return fail(format!("a caller assertion has {bytes} bytes, more than {MOST_BYTES}"));
    }
    if microseconds > MOST_MICROSECONDS {
        return fail(format!(
            "a caller assertion takes {microseconds:.2} µs, more than {MOST_MICROSECONDS:.0}: is the machine busy?"
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cost_above_the_limits_fails() {
        assert!(check(MOST_BYTES, MOST_MICROSECONDS).is_ok());
        let told = |bytes, microseconds| check(bytes, microseconds).unwrap_err().to_string();
        assert_eq!(told(201, 1.0), "a caller assertion has 201 bytes, more than 200");
        assert_eq!(told(150, 3.01), "a caller assertion takes 3.01 µs, more than 3: is the machine busy?");
    }
}
