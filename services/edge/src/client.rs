//! The client of a request: its address, browser and device cookie.

use std::convert::Infallible;
use std::net::{IpAddr, SocketAddr};

use axum::extract::{ConnectInfo, FromRequestParts};
use http::request::Parts;
use http::{Extensions, HeaderMap, header};

use crate::Edge;
use crate::device_cookie;

/// Longest User-Agent passed on, in characters.
const MAX_NAME: usize = 256;

/// The client of a request.
pub(crate) struct Client {
    /// E.g. `203.0.113.9`.
    pub(crate) address: String,
    /// User-Agent header; may be empty.
    pub(crate) user_agent: String,
    /// Value of the device cookie, unchecked; may be empty.
    pub(crate) device: String,
}

impl FromRequestParts<Edge> for Client {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, edge: &Edge) -> Result<Self, Infallible> {
        let name =
            parts.headers.get(header::USER_AGENT).and_then(|name| name.to_str().ok()).unwrap_or_default();
        Ok(Self {
            address: address_of(edge, &parts.headers, &parts.extensions)
                .map_or_else(String::new, |address| address.to_string()),
            user_agent: name.chars().take(MAX_NAME).collect(),
            device: device_cookie::value(&parts.headers),
        })
    }
}

/// Returns the client address of a request with these headers and extensions.
pub(crate) fn address_of(edge: &Edge, headers: &HeaderMap, extensions: &Extensions) -> Option<IpAddr> {
    let peer = extensions.get::<ConnectInfo<SocketAddr>>().map(|peer| peer.0);
    address(edge.trusted_proxies(), peer, headers)
}

/// Returns the client address. Without trusted proxies it is the peer's. With `proxies` trusted proxies it is
/// the entry of X-Forwarded-For that the outermost of them wrote; entries further left can be forged.
fn address(proxies: usize, peer: Option<SocketAddr>, headers: &HeaderMap) -> Option<IpAddr> {
    let forwarded: Vec<&str> = headers
        .get_all("x-forwarded-for")
        .iter()
        .map(|line| line.to_str().unwrap_or_default())
        .flat_map(|line| line.split(','))
        .map(str::trim)
        .collect();
    let peer = peer.map(|peer| peer.ip());
    let trusted_hops = forwarded.iter().rev().take(proxies).map_while(|hop| hop.parse::<IpAddr>().ok());
    trusted_hops.last().or(peer).map(|address| address.to_canonical())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_as_many_hops_are_believed_as_there_are_proxies() {
        let peer = Some("10.0.0.1:4711".parse().unwrap());
        let headers = |lines: &[&str]| -> HeaderMap {
            lines.iter().map(|line| ("x-forwarded-for".parse().unwrap(), line.parse().unwrap())).collect()
        };
        let table: [(usize, &[&str], &str); 9] = [
            (0, &["203.0.113.9"], "10.0.0.1"),
            (1, &[], "10.0.0.1"),
            (1, &["203.0.113.9"], "203.0.113.9"),
            (1, &["6.6.6.6, 203.0.113.9"], "203.0.113.9"),
            (2, &["6.6.6.6, 203.0.113.9, 10.0.0.2"], "203.0.113.9"),
            (2, &["6.6.6.6, 203.0.113.9", "10.0.0.2"], "203.0.113.9"),
            (2, &["junk, 10.0.0.2"], "10.0.0.2"),
            (1, &["junk"], "10.0.0.1"),
            (1, &["::ffff:203.0.113.9"], "203.0.113.9"),
        ];
        for (proxies, lines, wanted) in table {
            assert_eq!(address(proxies, peer, &headers(lines)), wanted.parse().ok(), "{proxies} {lines:?}");
        }
    }
}
