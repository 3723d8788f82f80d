//! Resolves the names of push services, to public addresses only.

use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::vec::IntoIter;

use hyper_util::client::legacy::connect::dns::Name;
use tokio::net::lookup_host;
use tower::Service;

use super::endpoint::is_public;

/// A resolver that hides private addresses, so that a name which changes its address cannot lead to one.
#[derive(Clone, Debug)]
pub(super) struct PublicResolver;

impl Service<Name> for PublicResolver {
    type Response = IntoIter<SocketAddr>;
    type Error = io::Error;
    type Future = Pin<Box<dyn Future<Output = io::Result<Self::Response>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, name: Name) -> Self::Future {
        Box::pin(async move {
            let all = lookup_host((name.as_str(), 0)).await?;
            let public: Vec<_> = all.filter(|address| is_public(address.ip())).collect();
            if public.is_empty() {
                return Err(io::Error::new(
                    io::ErrorKind::PermissionDenied,
                    "the host has no public address",
                ));
            }
            Ok(public.into_iter())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_name_of_this_host_has_no_address() {
        let refused = PublicResolver.call("localhost".parse().unwrap()).await.unwrap_err();
        assert_eq!(refused.kind(), io::ErrorKind::PermissionDenied);
    }
}
