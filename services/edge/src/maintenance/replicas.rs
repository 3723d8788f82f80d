//! Follows every replica of the maintenance service and uses the newest list of all. The edge survives the
//! loss of any replica, and reports to every replica.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock, RwLockWriteGuard};
use std::time::Duration;

use http::Uri;
use kit::Failure;
use kit::caller::Signer;
use kit::client::{Channel, channel};
use kit::shutdown::Shutdown;
use proto::maintenance::maintenance_service_client::MaintenanceServiceClient;
use proto::maintenance::{ConfirmWindowsRequest, WatchWindowsRequest, WatchWindowsResponse};
use tokio::net::lookup_host;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};

use super::Window;
use crate::follow::{StreamLimits, follow};

/// The service repeats an unchanged list every 5 s.
const STREAM_LIMITS: StreamLimits =
    StreamLimits { quiet: Duration::from_secs(15), age: Duration::from_hours(24) };
/// Interval of DNS lookups of the service.
const LOOKUP_INTERVAL: Duration = Duration::from_secs(2);
/// Time limit of a confirmation. The next list brings another.
const CONFIRM_LIMIT: Duration = Duration::from_secs(2);

type Windows = Arc<[Window]>;

/// The list of each replica.
#[derive(Default)]
pub(super) struct ReplicaLists {
    state: RwLock<Lists>,
    /// Revision of the list in force; 0 if it cannot be confirmed.
    revision: watch::Sender<u64>,
}

#[derive(Default)]
struct Lists {
    lists: HashMap<SocketAddr, (u64, Windows)>,
    newest: Windows,
}

impl ReplicaLists {
    /// Returns the newest list.
    pub(super) fn windows(&self) -> Windows {
        self.state.read().unwrap_or_else(PoisonError::into_inner).newest.clone()
    }

    fn take(&self, replica: SocketAddr, answer: WatchWindowsResponse) {
        let windows: Windows = answer.windows.into_iter().filter_map(Window::from_proto).collect();
        let mut state = self.write();
        state.lists.insert(replica, (answer.revision, windows.clone()));
        let newest = state.lists.values().max_by_key(|(revision, _)| *revision);
        // Among lists with the same number, the last received counts: they may come from a service without
        // revisions.
        let (revision, windows) = match newest {
            Some((revision, windows)) if *revision > answer.revision => (*revision, windows.clone()),
            _ => (answer.revision, windows),
        };
        state.newest = windows;
        drop(state);
        self.revision.send_replace(revision);
    }

    /// Removes the list of a lost replica. It stays in force until another replica sends one.
    fn forget(&self, replica: SocketAddr) {
        self.write().lists.remove(&replica);
    }

    fn write(&self) -> RwLockWriteGuard<'_, Lists> {
        self.state.write().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Follows every replica behind `urls` (comma-separated) until `shutdown`. Calls are signed with `signer`.
pub(super) fn listen(
    urls: &str,
    signer: Signer,
    lists: &Arc<ReplicaLists>,
    shutdown: Shutdown,
) -> Result<(), Failure> {
    let addresses = urls.split(',').map(parse_address).collect::<Result<Vec<_>, _>>()?;
    let mut replicas = Replicas {
        addresses,
        signer,
        edge: uuid::Uuid::now_v7().to_string(),
        lists: lists.clone(),
        following: HashMap::new(),
        shutdown: shutdown.clone(),
    };
    kit::task::spawn("maintenance replicas", &shutdown.clone(), async move {
        let refreshing = async {
            loop {
                replicas.refresh().await;
                sleep(LOOKUP_INTERVAL).await;
            }
        };
        tokio::select! {
            () = refreshing => {}
            () = shutdown.wait() => {}
        }
    });
    Ok(())
}

/// Splits a URL into host and port.
fn parse_address(url: &str) -> Result<(String, u16), Failure> {
    let uri: Option<Uri> = url.trim().parse().ok().filter(|uri: &Uri| uri.scheme_str() == Some("http"));
    let host = uri.as_ref().and_then(Uri::host);
    let host =
        host.ok_or_else(|| format!("'{url}' is not the address of a service, like http://lms:7000"))?;
    let port = uri.as_ref().and_then(Uri::port_u16).unwrap_or(80);
    Ok((host.trim_matches(['[', ']']).to_owned(), port))
}

struct Replicas {
    addresses: Vec<(String, u16)>,
    signer: Signer,
    /// Random id of this process.
    edge: String,
    lists: Arc<ReplicaLists>,
    following: HashMap<SocketAddr, Following>,
    /// Ends all of them.
    shutdown: Shutdown,
}

struct Following {
    end: Shutdown,
    task: JoinHandle<()>,
}

impl Replicas {
    /// Follows new replicas, and stops following lost ones.
    async fn refresh(&mut self) {
        let mut found = Vec::new();
        for (host, port) in &self.addresses {
            match lookup_host((host.as_str(), *port)).await {
                Ok(addresses) => found.extend(addresses),
                // A DNS failure removes no replica.
                Err(_) => return,
            }
        }
        self.following.retain(|replica, following| {
            let stays = found.contains(replica) && !following.task.is_finished();
            if !stays {
                following.end.begin();
            }
            stays
        });
        for replica in found {
            self.following.entry(replica).or_insert_with(|| {
                let end = self.shutdown.child();
                let replica = Replica {
                    address: replica,
                    signer: self.signer.clone(),
                    edge: self.edge.clone(),
                    lists: self.lists.clone(),
                };
                let task = kit::task::spawn("maintenance", &end, replica.follow(end.clone()));
                Following { end, task }
            });
        }
    }
}

struct Replica {
    address: SocketAddr,
    signer: Signer,
    edge: String,
    lists: Arc<ReplicaLists>,
}

impl Replica {
    async fn follow(self, end: Shutdown) {
        let service = match channel(&format!("http://{}", self.address)) {
            Ok(channel) => MaintenanceServiceClient::new(channel.signed(self.signer.clone())),
            Err(error) => return tracing::error!(error = %error, "no channel to a replica of maintenance"),
        };
        // Revision that this replica has as confirmed; 0 on a new stream.
        let confirmed = AtomicU64::new(0);
        let open = || {
            confirmed.store(0, Ordering::Relaxed);
            let (mut service, edge) = (service.clone(), self.edge.clone());
            async move { service.watch_windows(WatchWindowsRequest { edge }).await }
        };
        let take = |answer| self.lists.take(self.address, answer);
        tokio::select! {
            () = follow("maintenance.WatchWindows", STREAM_LIMITS, end, open, take) => {}
            () = self.confirm(service.clone(), &confirmed) => {}
        }
        self.lists.forget(self.address);
    }

    /// Confirms the revision in force to the replica, until it answers.
    async fn confirm(&self, mut service: MaintenanceServiceClient<Channel>, confirmed: &AtomicU64) {
        let mut acted_on = self.lists.revision.subscribe();
        while acted_on.changed().await.is_ok() {
            let revision = *acted_on.borrow_and_update();
            if revision <= confirmed.load(Ordering::Relaxed) {
                continue;
            }
            let confirmation = ConfirmWindowsRequest { edge: self.edge.clone(), revision };
            if let Ok(Ok(_)) = timeout(CONFIRM_LIMIT, service.confirm_windows(confirmation)).await {
                confirmed.fetch_max(revision, Ordering::Relaxed);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proto::maintenance::{MaintenanceWindow, Mode, Scope};

    fn list(revision: u64, name: &str) -> WatchWindowsResponse {
        let window = MaintenanceWindow {
            name: name.to_owned(),
            scope: Scope::Site.into(),
            mode: Mode::Full.into(),
            ..MaintenanceWindow::default()
        };
        WatchWindowsResponse { windows: vec![window], revision }
    }

    fn replica(port: u16) -> SocketAddr {
        SocketAddr::from(([10, 0, 0, 1], port))
    }

    #[test]
    fn the_newest_list_applies_whichever_replica_sends_last() {
        let lists = ReplicaLists::default();
        let newest = || (lists.windows()[0].name.clone(), *lists.revision.borrow());
        lists.take(replica(1), list(7, "seven"));
        lists.take(replica(2), list(5, "five"));
        assert_eq!(newest(), ("seven".to_owned(), 7));
        lists.take(replica(2), list(8, "eight"));
        assert_eq!(newest(), ("eight".to_owned(), 8));
        // The newest list came from a lost replica. It stays in force until another replica sends one.
        lists.forget(replica(2));
        assert_eq!(newest(), ("eight".to_owned(), 8));
        lists.take(replica(1), list(7, "seven"));
        assert_eq!(newest(), ("seven".to_owned(), 7));
    }

    #[test]
    fn revisions_may_restart_once_every_replica_has_the_new_list() {
        let lists = ReplicaLists::default();
        lists.take(replica(1), list(90, "old"));
        lists.take(replica(2), list(90, "old"));
        lists.take(replica(1), list(3, "restored"));
        assert_eq!(lists.windows()[0].name, "old");
        lists.take(replica(2), list(3, "restored"));
        assert_eq!(lists.windows()[0].name, "restored");
    }

    #[test]
    fn urls_are_split_into_host_and_port() {
        assert_eq!(parse_address("http://maintenance:7000").unwrap(), ("maintenance".to_owned(), 7000));
        assert_eq!(parse_address(" http://[::1]:7000").unwrap(), ("::1".to_owned(), 7000));
        for wrong in ["maintenance:7000", "https://maintenance:7000", "http://", ""] {
            assert!(parse_address(wrong).is_err(), "{wrong}");
        }
    }
}
