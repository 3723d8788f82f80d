//! Which addresses the server sends pushes to. Browsers choose them, so none may lead into a private network.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use http::Uri;

/// Longest endpoint in bytes. Those of today have at most 600.
const LIMIT: usize = 1_000;

/// Parses the address of a push service: https on port 443 and the name of a host, which [`is_public`] checks again when
/// it is resolved. `allows_loopback` also admits `http://127.0.0.1`, for tests.
pub(crate) fn parse_endpoint(text: &str, allows_loopback: bool) -> Option<Uri> {
    if text.len() > LIMIT
        || text.contains(['#', '\\', '@'])
        || text.chars().any(|sign| !sign.is_ascii_graphic())
    {
        return None;
    }
    let uri: Uri = text.parse().ok()?;
    let host = uri.host()?;
    let is_loopback = uri.scheme_str() == Some("http") && host == "127.0.0.1";
    if allows_loopback && is_loopback {
        return Some(uri);
    }
    // The last label of a name has only letters. That of an IP address in any notation has a digit.
    let is_name = host
        .rsplit_once('.')
        .is_some_and(|(_, last)| !last.is_empty() && last.bytes().all(|byte| byte.is_ascii_alphabetic()));
    let is_port = uri.port_u16().is_none_or(|port| port == 443);
    (uri.scheme_str() == Some("https") && is_name && is_port).then_some(uri)
}

/// Whether an address is one of the public internet.
pub(super) fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => address.to_ipv4_mapped().map_or_else(|| is_public_v6(address), is_public_v4),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let [first, second, third, _] = address.octets();
    let is_special = address.is_private()
        || address.is_loopback()
        || address.is_link_local()
        || address.is_documentation()
        || first == 0
        // Multicast, reserved and broadcast.
        || first >= 224
        // Carrier-grade NAT (RFC 6598), protocol assignments (RFC 6890), 6to4 relays, benchmarks (RFC 2544).
        || first == 100 && (64..128).contains(&second)
        || first == 192 && second == 0 && third == 0
        || first == 192 && second == 88 && third == 99
        || first == 198 && (18..20).contains(&second);
    !is_special
}

/// Global unicast without documentation, Teredo and 6to4, which embed other addresses.
fn is_public_v6(address: Ipv6Addr) -> bool {
    let [first, second, ..] = address.segments();
    first & 0xe000 == 0x2000
        && first != 0x2002
        && !(first == 0x2001 && (second < 0x200 || second == 0xdb8))
        && !(first == 0x3fff && second < 0x1000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_endpoint_is_https_with_the_name_of_a_host() {
        for good in [
            "https://fcm.googleapis.com/fcm/send/abc:def",
            "https://updates.push.services.mozilla.com/wpush/v2/x",
            "https://web.push.apple.com:443/x?y=z",
        ] {
            assert!(parse_endpoint(good, false).is_some(), "{good}");
        }
        for bad in [
            "",
            "http://push.example.com/x",
            "https://push.example.com:8443/x",
            "https://localhost/x",
            "https://127.0.0.1/x",
            "https://2130706433/x",
            "https://127.1/x",
            "https://0x7f.0.0.0x1/x",
            "https://[::1]/x",
            "https://user@push.example.com/x",
            "https://push.example.com./x",
            "https://push.example.com\\@127.0.0.1/x",
            "ftp://push.example.com/x",
            "/x",
            "http://127.0.0.1:9/x",
        ] {
            assert!(parse_endpoint(bad, false).is_none(), "{bad}");
        }
        assert!(parse_endpoint(&format!("https://push.example.com/{}", "a".repeat(1_000)), false).is_none());
        assert!(parse_endpoint("http://127.0.0.1:9/x", true).is_some());
        assert!(parse_endpoint("http://127.0.0.2:9/x", true).is_none());
    }

    #[test]
    fn addresses_of_private_networks_are_not_public() {
        for public in ["8.8.8.8", "142.250.207.10", "2404:6800:4004::200e", "::ffff:8.8.8.8"] {
            assert!(is_public(public.parse().unwrap()), "{public}");
        }
        for private in [
            "0.0.0.0",
            "10.1.2.3",
            "100.64.0.1",
            "127.0.0.1",
            "169.254.169.254",
            "172.16.0.1",
            "192.0.0.8",
            "192.168.1.1",
            "192.0.2.1",
            "198.18.0.1",
            "224.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "fc00::1",
            "fe80::1",
            "ff02::1",
            "::ffff:10.0.0.1",
            "64:ff9b::a00:1",
            "2002:a00:1::",
            "2001:db8::1",
            "2001::1",
            "::127.0.0.1",
        ] {
            assert!(!is_public(private.parse().unwrap()), "{private}");
        }
    }
}
