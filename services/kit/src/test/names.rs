//! A name resolver that a test controls.

use std::collections::BTreeMap;
use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use crate::client::{Channel, Resolver, channel_with};

/// Names and their addresses, which stay until the test changes them.
#[derive(Clone, Default)]
pub struct Names(Arc<Mutex<BTreeMap<String, Vec<SocketAddr>>>>);

impl Names {
    /// Sets the addresses of `host` (`name:port`). A name that was never set is not found.
    pub fn set(&self, host: &str, addresses: &[SocketAddr]) {
        let mut names = self.0.lock().expect("the lock is not poisoned");
        names.insert(host.to_owned(), addresses.to_vec());
    }

    /// A channel to `urls`, whose names this resolver looks up.
    #[must_use]
    pub fn channel(&self, urls: &str) -> Channel {
        let names = self.0.clone();
        let resolver = Resolver::new(move |host| {
            let found = names.lock().expect("the lock is not poisoned").get(&host).cloned();
            async { found.ok_or_else(|| io::ErrorKind::NotFound.into()) }
        });
        channel_with(urls, resolver).expect("the test's addresses are valid")
    }
}
