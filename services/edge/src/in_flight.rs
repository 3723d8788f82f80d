//! How much one client address does at once, so that one caller can't take the room of all others.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};

/// Counts what is in flight for each address. An IPv6 network of 64 bits counts as one: its hosts change theirs at will.
pub(crate) struct InFlight {
    limit: usize,
    counts: Mutex<HashMap<u128, usize>>,
}

/// Held while something is in flight.
pub(crate) struct Slot<'a> {
    in_flight: &'a InFlight,
    network: u128,
}

impl InFlight {
    /// At most `limit` at once for one address.
    pub(crate) fn new(limit: usize) -> Self {
        Self { limit, counts: Mutex::default() }
    }

    /// Counts one more, or `None` at the limit.
    pub(crate) fn enter(&self, address: Option<IpAddr>) -> Option<Slot<'_>> {
        let network = address.map_or(0, network);
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        let count = counts.entry(network).or_default();
        if *count >= self.limit {
            return None;
        }
        *count += 1;
        Some(Slot { in_flight: self, network })
    }
}

impl Drop for Slot<'_> {
    fn drop(&mut self) {
        let mut counts = self.in_flight.counts.lock().unwrap_or_else(PoisonError::into_inner);
        if let Entry::Occupied(mut count) = counts.entry(self.network) {
            *count.get_mut() -= 1;
            if *count.get() == 0 {
                count.remove();
            }
        }
    }
}

fn network(address: IpAddr) -> u128 {
    match address.to_canonical() {
        IpAddr::V4(address) => address.to_ipv6_mapped().to_bits(),
        IpAddr::V6(address) => address.to_bits() & (u128::MAX << 64),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_so_many_at_once_and_a_network_of_ipv6_is_one() {
        let in_flight = InFlight::new(2);
        let enter = |address: &str| in_flight.enter(Some(address.parse().unwrap()));
        let first = enter("203.0.113.9");
        let second = enter("::ffff:203.0.113.9");
        assert!(first.is_some() && second.is_some() && enter("203.0.113.9").is_none());
        let others = [enter("203.0.113.10"), enter("2001:db8::1"), enter("2001:db8::2")];
        assert!(others.iter().all(Option::is_some) && enter("2001:db8::3").is_none());
        assert!(enter("2001:db8:0:1::1").is_some());
        drop(first);
        assert!(enter("203.0.113.9").is_some());
        drop((second, others));
        assert!(in_flight.counts.lock().unwrap().is_empty(), "nothing is kept of who is gone");
    }
}
