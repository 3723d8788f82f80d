//! Listens to every replica of the maintenance service and acts on the newest list that any of them has told. So no
//! replica is missed when it ends, and each of them knows every edge.

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
use crate::follow::{Patience, follow};

/// The service repeats an unchanged list every 5 s.
const PATIENCE: Patience = Patience { quiet: Duration::from_secs(15), age: Duration::from_hours(24) };
/// How often the name of the service is looked up.
const LOOK: Duration = Duration::from_secs(2);
/// How long a confirmation may take; the next list brings another.
const CONFIRM_LIMIT: Duration = Duration::from_secs(2);

type Windows = Arc<[Window]>;

/// What the replicas have told.
#[derive(Default)]
pub(super) struct Heard {
    told: RwLock<Told>,
    /// The list that is acted on; 0 for none that can be confirmed.
    revision: watch::Sender<u64>,
}

#[derive(Default)]
struct Told {
    lists: HashMap<SocketAddr, (u64, Windows)>,
    newest: Windows,
}

impl Heard {
    /// The newest list.
    pub(super) fn windows(&self) -> Windows {
        self.told.read().unwrap_or_else(PoisonError::into_inner).newest.clone()
    }

    fn take(&self, replica: SocketAddr, answer: WatchWindowsResponse) {
        let windows: Windows = answer.windows.into_iter().filter_map(Window::read).collect();
        let mut told = self.told();
        told.lists.insert(replica, (answer.revision, windows.clone()));
        let newest = told.lists.values().max_by_key(|(revision, _)| *revision);
        // Of several with the same number the last word counts: it may be from before lists had any.
        let (revision, windows) = match newest {
            Some((revision, windows)) if *revision > answer.revision => (*revision, windows.clone()),
            _ => (answer.revision, windows),
        };
        told.newest = windows;
        drop(told);
        self.revision.send_replace(revision);
    }

    /// A replica that is gone has no say any more; what it said last is acted on until another one speaks.
    fn forget(&self, replica: SocketAddr) {
        self.told().lists.remove(&replica);
    }

    fn told(&self) -> RwLockWriteGuard<'_, Told> {
        self.told.write().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Listens to every replica behind `urls`, one or several with commas between, until `shutdown`. Calls are signed with
/// `signer`.
pub(super) fn listen(
    urls: &str,
    signer: Signer,
    heard: &Arc<Heard>,
    shutdown: Shutdown,
) -> Result<(), Failure> {
    let places = urls.split(',').map(place).collect::<Result<Vec<_>, _>>()?;
    let mut replicas = Replicas {
        places,
        signer,
        edge: uuid::Uuid::now_v7().to_string(),
        heard: heard.clone(),
        following: HashMap::new(),
        shutdown: shutdown.clone(),
    };
    kit::task::spawn("maintenance replicas", &shutdown.clone(), async move {
        let looking = async {
            loop {
                replicas.look().await;
                sleep(LOOK).await;
            }
        };
        tokio::select! {
            () = looking => {}
            () = shutdown.wait() => {}
        }
    });
    Ok(())
}

/// Host and port of an address.
fn place(url: &str) -> Result<(String, u16), Failure> {
    let uri: Option<Uri> = url.trim().parse().ok().filter(|uri: &Uri| uri.scheme_str() == Some("http"));
    let host = uri.as_ref().and_then(Uri::host);
    let host =
        host.ok_or_else(|| format!("'{url}' is not the address of a service, like http://lms:7000"))?;
    let port = uri.as_ref().and_then(Uri::port_u16).unwrap_or(80);
    Ok((host.trim_matches(['[', ']']).to_owned(), port))
}

struct Replicas {
    places: Vec<(String, u16)>,
    signer: Signer,
    /// The name of this process: it means nothing but itself.
    edge: String,
    heard: Arc<Heard>,
    following: HashMap<SocketAddr, Following>,
    /// Ends all of them.
    shutdown: Shutdown,
}

struct Following {
    end: Shutdown,
    task: JoinHandle<()>,
}

impl Replicas {
    /// Begins to follow replicas that have come and ends with those that have gone.
    async fn look(&mut self) {
        let mut found = Vec::new();
        for (host, port) in &self.places {
            match lookup_host((host.as_str(), *port)).await {
                Ok(addresses) => found.extend(addresses),
                // Nobody has gone only because the name server has.
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
                    heard: self.heard.clone(),
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
    heard: Arc<Heard>,
}

impl Replica {
    async fn follow(self, end: Shutdown) {
        let service = match channel(&format!("http://{}", self.address)) {
            Ok(channel) => MaintenanceServiceClient::new(channel.signed(self.signer.clone())),
            Err(error) => return tracing::error!(error = %error, "a replica of maintenance can't be dialled"),
        };
        // What this replica has been told that we act on; nothing when its stream is new.
        let confirmed = AtomicU64::new(0);
        let open = || {
            confirmed.store(0, Ordering::Relaxed);
            let (mut service, edge) = (service.clone(), self.edge.clone());
            async move { service.watch_windows(WatchWindowsRequest { edge }).await }
        };
        let take = |answer| self.heard.take(self.address, answer);
        tokio::select! {
            () = follow("maintenance.WatchWindows", PATIENCE, end, open, take) => {}
            () = self.confirm(service.clone(), &confirmed) => {}
        }
        self.heard.forget(self.address);
    }

    /// Says which list is acted on, at each list until it has been answered.
    async fn confirm(&self, mut service: MaintenanceServiceClient<Channel>, confirmed: &AtomicU64) {
        let mut acted_on = self.heard.revision.subscribe();
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
    fn the_newest_list_counts_whoever_speaks_last() {
        let heard = Heard::default();
        let newest = || (heard.windows()[0].name.clone(), *heard.revision.borrow());
        heard.take(replica(1), list(7, "seven"));
        heard.take(replica(2), list(5, "five"));
        assert_eq!(newest(), ("seven".to_owned(), 7));
        heard.take(replica(2), list(8, "eight"));
        assert_eq!(newest(), ("eight".to_owned(), 8));
        // The one that was ahead is gone: its word stands until another one speaks.
        heard.forget(replica(2));
        assert_eq!(newest(), ("eight".to_owned(), 8));
        heard.take(replica(1), list(7, "seven"));
        assert_eq!(newest(), ("seven".to_owned(), 7));
    }

    #[test]
    fn numbers_may_begin_anew_once_every_replica_has_said_so() {
        let heard = Heard::default();
        heard.take(replica(1), list(90, "old"));
        heard.take(replica(2), list(90, "old"));
        heard.take(replica(1), list(3, "restored"));
        assert_eq!(heard.windows()[0].name, "old");
        heard.take(replica(2), list(3, "restored"));
        assert_eq!(heard.windows()[0].name, "restored");
    }

    #[test]
    fn addresses_are_read() {
        assert_eq!(place("http://maintenance:7000").unwrap(), ("maintenance".to_owned(), 7000));
        assert_eq!(place(" http://[::1]:7000").unwrap(), ("::1".to_owned(), 7000));
        for wrong in ["maintenance:7000", "https://maintenance:7000", "http://", ""] {
            assert!(place(wrong).is_err(), "{wrong}");
        }
    }
}
