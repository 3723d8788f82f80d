//! Windows as Kubernetes objects.
//!
//! One task follows the objects and writes them to the board at once. Another, possibly slow, task writes their
//! statuses. Without the API server the last list stays on the board, and edges start and end its windows by their own
//! clocks. A process that starts without the API server has no list, so that edges keep theirs.
//!
//! Every edge listens to every replica, so all replicas compute the same status. Statuses have one field manager
//! ([`objects::MANAGER`]), and the name of an event is unique. A replica writes nothing until the edges had time to
//! connect, and nothing after its shutdown began.

mod follow;
mod objects;
mod report;
mod status;

use std::time::Duration;

use kit::Failure;
use kit::clock::Clock;
use kit::shutdown::Shutdown;
use kube::{Api, Client, Config};
use tokio::sync::watch;

use crate::board::Board;
use crate::source::Source;
use objects::{LIMIT, Objects};

/// The objects of one namespace as a [`Source`].
pub struct Cluster {
    client: Client,
    namespace: String,
    clock: Clock,
    settle: Duration,
}

impl Cluster {
    /// The cluster and namespace of `KUBECONFIG`, or those of this pod. Makes no request yet.
    ///
    /// No status is written before `settle` has passed, so that every edge can connect first.
    ///
    /// # Errors
    ///
    /// If there is no configuration.
    pub async fn from_environment(clock: Clock, settle: Duration) -> Result<Self, Failure> {
        Self::from_config(Config::infer().await?, clock, settle)
    }

    /// The API server at `url` without credentials, e.g. a `kubectl proxy`.
    ///
    /// # Errors
    ///
    /// If the URL is invalid.
    pub fn from_url(url: &str, namespace: &str, clock: Clock, settle: Duration) -> Result<Self, Failure> {
        let mut config = Config::new(url.parse()?);
        namespace.clone_into(&mut config.default_namespace);
        Self::from_config(config, clock, settle)
    }

    fn from_config(mut config: Config, clock: Clock, settle: Duration) -> Result<Self, Failure> {
        config.connect_timeout = Some(LIMIT);
        config.write_timeout = Some(LIMIT);
        let namespace = config.default_namespace.clone();
        Ok(Self { client: Client::try_from(config)?, namespace, clock, settle })
    }
}

impl Source for Cluster {
    fn follow(self, board: Board, shutdown: Shutdown) {
        tracing::info!(namespace = self.namespace, "following the windows of Kubernetes");
        let api = Api::namespaced(self.client.clone(), &self.namespace);
        let (objects, declared) = watch::channel(Objects::default());
        let audience = board.watch_audience();
        let follow = follow::Follower::new(api, board, objects).run();
        let ended = shutdown.wait();
        kit::task::spawn("maintenance cluster", &shutdown, async move {
            tokio::select! {
                () = follow => {}
                () = ended => {}
            }
        });
        let report = report::Reporter::new(&self.client, &self.namespace, self.clock).run(
            self.settle,
            declared,
            audience,
        );
        kit::task::spawn("maintenance report", &shutdown.clone(), async move {
            tokio::select! {
                () = report => {}
                () = shutdown.wait() => {}
            }
        });
    }
}
