//! Windows as objects of Kubernetes.
//!
//! One task follows them and puts them on the board at once; another one writes back what has become of them, and may
//! be slow. With the API server gone the last list stays on the board, and edges let its windows begin and end by their
//! own clocks; a process that starts without it puts nothing up, so that edges keep what they know.
//!
//! Every edge listens to every replica, so each replica knows all of them and comes to the same status; what they write
//! has one owner ([`MANAGER`]), and an event has a name that is taken once. A replica that has just started is silent
//! until the edges have found it, one that is told to end from then on.

mod follow;
mod report;
mod status;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use kit::Failure;
use kit::clock::Clock;
use kit::shutdown::Shutdown;
use kube::{Api, Client, Config};
use tokio::sync::watch;

use crate::crd::MaintenanceWindow;
use crate::{Board, Source};

/// The owner of what is written, in `metadata.managedFields`, and the reporter of events.
const MANAGER: &str = "maintenance";
/// How long a word of the API server may be waited for.
const LIMIT: Duration = Duration::from_secs(10);

/// The objects of one namespace as a [`Source`].
pub struct Cluster {
    client: Client,
    namespace: String,
    clock: Clock,
    settle: Duration,
}

/// One object, and the first list that had its generation; `None`: none yet.
#[derive(Clone, Debug)]
struct Declared {
    object: MaintenanceWindow,
    revision: Option<u64>,
}

/// Every object by name.
type Objects = Arc<BTreeMap<String, Declared>>;

impl Cluster {
    /// The cluster and the namespace that `KUBECONFIG` says, or this pod's own. Asks nobody yet.
    ///
    /// Nothing is written back before `settle` has passed: by then every edge is taken to have found this process.
    pub async fn own(clock: Clock, settle: Duration) -> Result<Self, Failure> {
        Self::with(Config::infer().await?, clock, settle)
    }

    /// The API server at `url`, with no credentials: a `kubectl proxy`, say.
    pub fn at(url: &str, namespace: &str, clock: Clock, settle: Duration) -> Result<Self, Failure> {
        let mut config = Config::new(url.parse()?);
        namespace.clone_into(&mut config.default_namespace);
        Self::with(config, clock, settle)
    }

    fn with(mut config: Config, clock: Clock, settle: Duration) -> Result<Self, Failure> {
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
        let audience = board.audience();
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
