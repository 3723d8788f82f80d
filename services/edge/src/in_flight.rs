//! Requests in flight by client address, so that one client cannot take all permits.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};

/// Limits of the networks around an IPv6 address: prefix length, and the limit in quarters of that of one
/// address. A host can use any address of its /64; a subscriber often has a /56, a company a /48. With the
/// default settings no network can exhaust a part of the API or the picture uploads.
const IPV6_NETWORKS: [(u32, usize); 3] = [(64, 4), (56, 6), (48, 7)];
/// Limit of an IPv4 address. Its network is not counted.
const IPV4_ADDRESS: [(u32, usize); 1] = [(128, 4)];

/// A prefix length and the bits of the prefix.
type Network = (u32, u128);

/// Counts requests in flight for each address and the networks around it.
pub(crate) struct InFlight {
    limit: usize,
    counts: Mutex<HashMap<Network, usize>>,
}

/// Held while a request is in flight.
pub(crate) struct Slot<'a> {
    in_flight: &'a InFlight,
    address: Option<IpAddr>,
}

impl InFlight {
    /// Creates a counter that admits at most `limit` requests at once for one address.
    pub(crate) fn new(limit: usize) -> Self {
        Self { limit, counts: Mutex::default() }
    }

    /// Counts one more request. Returns `None` at a limit, and counts nothing. Requests without an address
    /// share one count.
    pub(crate) fn enter(&self, address: Option<IpAddr>) -> Option<Slot<'_>> {
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        let is_full = |(network, quarters): (Network, usize)| {
            counts.get(&network).is_some_and(|count| *count >= self.limit.saturating_mul(quarters) / 4)
        };
        if networks(address).any(is_full) {
            return None;
        }
        for (network, _) in networks(address) {
            *counts.entry(network).or_default() += 1;
        }
        Some(Slot { in_flight: self, address })
    }
}

impl Drop for Slot<'_> {
    fn drop(&mut self) {
        let mut counts = self.in_flight.counts.lock().unwrap_or_else(PoisonError::into_inner);
        for (network, _) in networks(self.address) {
            if let Entry::Occupied(mut count) = counts.entry(network) {
                *count.get_mut() -= 1;
                if *count.get() == 0 {
                    count.remove();
                }
            }
        }
    }
}

/// Returns the networks of an address, narrowest first, with their limits in quarters.
fn networks(address: Option<IpAddr>) -> impl Iterator<Item = (Network, usize)> {
    let (bits, networks) = match address.map(|address| address.to_canonical()) {
        Some(IpAddr::V6(address)) => (address.to_bits(), &IPV6_NETWORKS[..]),
        Some(IpAddr::V4(address)) => (address.to_ipv6_mapped().to_bits(), &IPV4_ADDRESS[..]),
        None => (0, &IPV4_ADDRESS[..]),
    };
    networks.iter().map(move |(prefix, quarters)| ((*prefix, bits >> (128 - prefix)), *quarters))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_limited_and_an_ipv6_64_counts_as_one_address() {
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
        assert!(in_flight.counts.lock().unwrap().is_empty(), "finished requests leave no count");
    }

    #[test]
    fn ipv6_networks_have_their_own_limits() {
        let in_flight = InFlight::new(4);
        let enter = |address: String| in_flight.enter(Some(address.parse().unwrap()));
        // Each address is in a /64 of its own.
        let in_56 = |host: u16| enter(format!("2001:db8:0:{host:x}::1"));
        let subscriber: Vec<_> = (0..20).map_while(in_56).collect();
        assert_eq!(subscriber.len(), 6, "a /56 has 1.5 times as many");
        // Each address is in a /56 of its own.
        let in_48 = |site: u16| enter(format!("2001:db8:0:{:x}::1", site << 8));
        let others: Vec<_> = (1..20).map_while(in_48).collect();
        assert_eq!(others.len(), 1, "a /48 has 1.75 times as many");
        let company: Vec<_> =
            (1..20).map_while(|site| enter(format!("2001:db8:1:{:x}::1", site << 8))).collect();
        assert_eq!(company.len(), 7, "another /48 has its own limit");
        assert!(enter("203.0.113.9".to_owned()).is_some() && in_flight.enter(None).is_some());
        drop(subscriber);
        assert!(in_48(2).is_some(), "a refused request is not counted");
        drop((others, company));
        assert!(in_flight.counts.lock().unwrap().is_empty(), "finished requests leave no count");
    }

    #[test]
    fn no_network_exhausts_a_bulkhead_by_default() {
        #[derive(clap::Parser)]
        struct Defaults {
            #[command(flatten)]
            limits: crate::config::Limits,
        }
        let Defaults { limits } = clap::Parser::parse_from(["edge"]);
        let widest = |limit: usize| limit * IPV6_NETWORKS[2].1 / 4;
        assert!(widest(limits.requests_per_address) < limits.requests + limits.requests_queue);
        assert!(widest(limits.uploads_per_address) < limits.pictures + limits.pictures_queue);
    }
}
