//! Name resolution.

use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;

use tokio::net::lookup_host;

type Answer = Pin<Box<dyn Future<Output = io::Result<Vec<SocketAddr>>> + Send>>;

/// Looks up the addresses of a `host:port`. The system's resolver, or a test's.
#[derive(Clone)]
pub(crate) struct Resolver(Arc<dyn Fn(String) -> Answer + Send + Sync>);

impl Resolver {
    pub(crate) fn system() -> Self {
        Self::new(|host| async { Ok(lookup_host(host).await?.collect()) })
    }

    pub(crate) fn new<Resolve, Answering>(resolve: Resolve) -> Self
    where
        Resolve: Fn(String) -> Answering + Send + Sync + 'static,
        Answering: Future<Output = io::Result<Vec<SocketAddr>>> + Send + 'static,
    {
        Self(Arc::new(move |host| Box::pin(resolve(host))))
    }

    pub(super) async fn resolve(&self, host: &str) -> io::Result<Vec<SocketAddr>> {
        (self.0)(host.to_owned()).await
    }
}

impl fmt::Debug for Resolver {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Resolver")
    }
}
