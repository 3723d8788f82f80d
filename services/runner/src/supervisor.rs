//! Supervises the processes of a product: starts, checks, restarts and stops them in order.

mod log;

use std::convert::Infallible;
use std::ffi::OsString;
use std::net::{SocketAddr, TcpListener};
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rustix::process::Signal;
use serde::{Deserialize, Serialize};
use tokio::process::Child;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;
use tooling::failure::{Outcome, fail};
use tooling::steps::{Steps, duration};

use crate::child::{self, LastSignal, User};
use crate::databases::Server;
use crate::http;
use log::Log;

/// Delay before the first restart of a crashed process. It doubles with each crash, up to `MAX_BACKOFF`.
const FIRST_BACKOFF: Duration = Duration::from_millis(50);
const MAX_BACKOFF: Duration = Duration::from_millis(250);
/// A process that ran this long has recovered from earlier crashes.
const RECOVERY_TIME: Duration = Duration::from_secs(10);
/// A process that ends this often within `RECOVERY_TIME` before it was ever ready is given up.
const MAX_FAILED_STARTS: u32 = 3;
/// Maximum time until a process is ready.
const READY_LIMIT: Duration = Duration::from_mins(1);
/// Maximum time for a process to stop before it is killed; longer than a drain.
const STOP_LIMIT: Duration = Duration::from_secs(20);
/// Interval of log rotation checks.
const ROTATION_INTERVAL: Duration = Duration::from_mins(1);
/// Interval of readiness checks.
const READY_POLL: Duration = Duration::from_millis(5);

/// The command that starts a process, and its readiness check.
#[derive(Clone)]
pub struct Launch {
    /// Name for people.
    pub name: String,
    /// The program.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<OsString>,
    /// Its environment variables, besides a few harmless ones of this process.
    pub environment: Vec<(String, String)>,
    /// The listening socket, passed as standard input. It stays open across restarts, so that connections wait instead
    /// of being refused.
    pub socket: Option<Arc<TcpListener>>,
    /// The user to run as; `None` for the current user.
    pub user: Option<User>,
    /// The signal that stops it.
    pub stop: Signal,
    /// The signal that it gets when this process dies.
    pub last_signal: LastSignal,
    /// The readiness check.
    pub ready: Ready,
}

/// A readiness check.
#[derive(Clone)]
pub enum Ready {
    /// `GET /readyz` at this address returns 200.
    Http(SocketAddr),
    /// `GET` of this path at this address returns 200.
    Page(SocketAddr, &'static str),
    /// PostgreSQL accepts a connection of its administrator at this URL.
    Postgres(String),
}

impl Ready {
    /// Runs the check once.
    pub async fn ask(&self) -> bool {
        let answer = async {
            match self {
                Self::Http(address) => answers(*address, "/readyz").await,
                Self::Page(address, page) => answers(*address, page).await,
                Self::Postgres(url) => Server::connect(url).await.is_ok(),
            }
        };
        tokio::time::timeout(Duration::from_secs(2), answer).await.unwrap_or(false)
    }

    fn address(&self) -> String {
        match self {
            Self::Http(address) | Self::Page(address, _) => address.to_string(),
            Self::Postgres(url) => {
                url.rsplit('@').next().unwrap_or(url).trim_end_matches("/postgres").to_owned()
            }
        }
    }
}

async fn answers(address: SocketAddr, page: &str) -> bool {
    http::get(address, page, None).await.is_ok_and(|(status, _)| status == 200)
}

/// A process as `cargo dev status` shows it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Status {
    /// Its name.
    pub name: String,
    /// Its process id while it runs.
    pub pid: Option<u32>,
    /// Its address.
    pub address: String,
    /// Uptime in seconds.
    pub up: Option<u64>,
    /// Number of restarts.
    pub restarts: u32,
    /// Whether its readiness check passes.
    pub ready: bool,
}

/// The state of a process.
#[derive(Default)]
struct ProcessState {
    pid: Option<u32>,
    started: Option<Instant>,
    /// Times of unexpected exits.
    ends: Vec<Instant>,
    /// The last exit as text.
    last_end: String,
}

struct ManagedProcess {
    launch: Launch,
    state: Arc<Mutex<ProcessState>>,
    log: Log,
    stop: CancellationToken,
    ended: CancellationToken,
}

/// All processes of a product.
pub struct Supervisor {
    logs: PathBuf,
    steps: Steps,
    processes: Vec<ManagedProcess>,
    watch: ProcessTable,
    keepers: JoinSet<()>,
}

impl Supervisor {
    /// An empty supervisor that writes logs to the folder `logs`.
    #[must_use]
    pub fn new(logs: &Path, steps: Steps) -> Self {
        Self {
            logs: logs.to_owned(),
            steps,
            processes: Vec::new(),
            watch: ProcessTable::default(),
            keepers: JoinSet::new(),
        }
    }

    /// Starts a process and restarts it when it ends. Call `ready` next.
    pub fn start(&mut self, launch: Launch) {
        let state = Arc::new(Mutex::new(ProcessState::default()));
        let log = Log::new(self.logs.join(format!("{}.log", launch.name)));
        let (stop, ended) = (CancellationToken::new(), CancellationToken::new());
        let keeper = Keeper {
            launch: launch.clone(),
            state: state.clone(),
            log: log.clone(),
            stop: stop.clone(),
            steps: self.steps,
        };
        // Also set if the keeper is cancelled.
        let end = ended.clone().drop_guard();
        self.keepers.spawn(async move {
            keeper.keep().await;
            drop(end);
        });
        self.watch.lock().push((launch.clone(), state.clone()));
        self.processes.push(ManagedProcess { launch, state, log, stop, ended });
    }

    /// Waits until the process `name` is ready. Returns the time since its start. Fails if the process ends repeatedly.
    pub async fn ready(&self, name: &str) -> Outcome<Duration> {
        let Some(process) = self.processes.iter().find(|process| process.launch.name == name) else {
            return fail(format!("{name} was never started"));
        };
        let begun = Instant::now();
        loop {
            if process.launch.ready.ask().await {
                let started = process.state.lock().unwrap_or_else(PoisonError::into_inner).started;
                return Ok(started.map_or(begun.elapsed(), |started| started.elapsed()));
            }
            let hopeless = {
                let state = process.state.lock().unwrap_or_else(PoisonError::into_inner);
                let recent = state.ends.iter().filter(|end| end.elapsed() < RECOVERY_TIME).count();
                (recent >= MAX_FAILED_STARTS as usize).then(|| state.last_end.clone())
            };
            if let Some(end) = hopeless {
                return fail(format!("{name} does not start ({end}): {}", process.log.last_line()));
            }
            if begun.elapsed() > READY_LIMIT {
                return fail(format!(
                    "{name} is not ready after {}: {}",
                    duration(READY_LIMIT),
                    process.log.last_line()
                ));
            }
            tokio::time::sleep(READY_POLL).await;
        }
    }

    /// Stops the process `name` and no longer restarts it. Kills it after 20 s.
    pub async fn stop(&mut self, name: &str) {
        let Some(place) = self.processes.iter().position(|process| process.launch.name == name) else {
            return;
        };
        let process = self.processes.remove(place);
        self.watch.lock().retain(|(launch, _)| launch.name != name);
        process.stop.cancel();
        process.ended.cancelled().await;
    }

    /// The table of the processes.
    #[must_use]
    pub fn watch(&self) -> ProcessTable {
        self.watch.clone()
    }
}

/// A shared view of the processes. Cheap to clone.
#[derive(Clone, Default)]
pub struct ProcessTable(Arc<Mutex<Vec<WatchedProcess>>>);

type WatchedProcess = (Launch, Arc<Mutex<ProcessState>>);

impl ProcessTable {
    fn lock(&self) -> MutexGuard<'_, Vec<WatchedProcess>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Checks the readiness of each process.
    pub async fn status(&self) -> Vec<Status> {
        let watched = self.lock().clone();
        let mut all = Vec::with_capacity(watched.len());
        for (launch, state) in &watched {
            let ready = launch.ready.ask().await;
            let state = state.lock().unwrap_or_else(PoisonError::into_inner);
            all.push(Status {
                name: launch.name.clone(),
                pid: state.pid,
                address: launch.ready.address(),
                up: state.started.map(|started| started.elapsed().as_secs()),
                restarts: u32::try_from(state.ends.len()).unwrap_or(u32::MAX),
                ready,
            });
        }
        all
    }

    /// Process ids by name.
    #[must_use]
    pub fn pids(&self) -> Vec<(String, u32)> {
        self.lock()
            .iter()
            .filter_map(|(launch, state)| {
                Some((launch.name.clone(), state.lock().unwrap_or_else(PoisonError::into_inner).pid?))
            })
            .collect()
    }
}

/// Keeps one process running.
struct Keeper {
    launch: Launch,
    state: Arc<Mutex<ProcessState>>,
    log: Log,
    stop: CancellationToken,
    steps: Steps,
}

impl Keeper {
    async fn keep(self) {
        let mut backoff = FIRST_BACKOFF;
        loop {
            let begun = Instant::now();
            let end = match self.spawn() {
                Ok(mut child) => {
                    self.see(|state| {
                        state.pid = child.id();
                        state.started = Some(begun);
                    });
                    tokio::select! {
                        status = child.wait() => status.map_or_else(|error| error.to_string(), in_words),
                        never = self.tidy() => match never {},
                        () = self.stop.cancelled() => {
                            self.end(&mut child).await;
                            self.see(|state| state.pid = None);
                            break;
                        }
                    }
                }
                Err(error) => error.to_string(),
            };
            if begun.elapsed() > RECOVERY_TIME {
                backoff = FIRST_BACKOFF;
            }
            let name = &self.launch.name;
            self.see(|state| {
                state.pid = None;
                state.started = None;
                state.ends.push(Instant::now());
                state.last_end.clone_from(&end);
            });
            self.steps.say(&format!("{name} ended ({end}); starting it again (cargo dev logs {name})"));
            tokio::select! {
                () = tokio::time::sleep(backoff) => {}
                () = self.stop.cancelled() => break,
            }
            backoff = (backoff * 2).min(MAX_BACKOFF);
        }
    }

    /// Rotates the log while it is polled.
    async fn tidy(&self) -> Infallible {
        loop {
            tokio::time::sleep(ROTATION_INTERVAL).await;
            // Nothing more can be done on a full disk.
            let _ = self.log.tidy();
        }
    }

    fn spawn(&self) -> Outcome<Child> {
        let log = self.log.open()?;
        let mut command =
            child::tethered(&self.launch.program, self.launch.user.as_ref(), self.launch.last_signal);
        command
            .args(&self.launch.arguments)
            .env_clear()
            .envs(harmless())
            .envs(self.launch.environment.iter().map(|(name, value)| (name, value)))
            .current_dir("/")
            .stdout(Stdio::from(log.try_clone()?))
            .stderr(Stdio::from(log))
            .kill_on_drop(true);
        if let Some(socket) = &self.launch.socket {
            command.stdin(Stdio::from(OwnedFd::from(socket.try_clone()?)));
        }
        Ok(command.spawn()?)
    }

    async fn end(&self, child: &mut Child) {
        let Some(pid) = child.id() else {
            return;
        };
        child::signal_process(pid, self.launch.stop);
        if tokio::time::timeout(STOP_LIMIT, child.wait()).await.is_err() {
            self.steps.say(&format!(
                "{} did not end within {} and was killed",
                self.launch.name,
                duration(STOP_LIMIT)
            ));
            child::signal_group(pid, Signal::KILL);
            let _ = child.wait().await;
        }
    }

    fn see(&self, change: impl FnOnce(&mut ProcessState)) {
        change(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

/// Formats an exit: `exit status 1`, `signal 9`.
fn in_words(status: ExitStatus) -> String {
    use std::os::unix::process::ExitStatusExt as _;
    match (status.code(), status.signal()) {
        (Some(code), _) => format!("exit status {code}"),
        (_, Some(signal)) => format!("signal {signal}"),
        _ => status.to_string(),
    }
}

/// The environment variables that every process inherits. Its settings are passed explicitly.
#[expect(clippy::disallowed_methods, reason = "passed to children, not read")]
fn harmless() -> Vec<(&'static str, OsString)> {
    ["PATH", "HOME", "LANG", "TZ", "LOG", "RUST_BACKTRACE"]
        .into_iter()
        .filter_map(|name| Some((name, std::env::var_os(name)?)))
        .collect()
}
