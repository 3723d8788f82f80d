//! PostgreSQL on 127.0.0.1: binaries from npm, a cluster in the state folder, an unprivileged user.

use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::process::Signal;
use tooling::command::run_or_fail;
use tooling::failure::{Doing as _, Outcome, fail};
use tooling::steps::Steps;

use crate::child::{self, LastSignal, User};
use crate::databases::Server;
use crate::npm;
use crate::state::State;
use crate::supervisor::{Launch, Ready};

/// The superuser of the cluster.
const ADMIN: &str = "postgres";
/// Enough for 16 connections for each service, 64 for a benchmark, and some for people.
const MAX_CONNECTIONS: u16 = 200;
/// Enough for concurrent tests: each has up to four databases with a pool for each.
const MAX_TEST_CONNECTIONS: u16 = 1_000;
/// Shared memory. Where a file system is slow to make and delete files, it halves the time of the Rust tests, which create
/// thousands of databases.
const MEMORY: &str = "/dev/shm";
/// Free bytes that [`MEMORY`] needs: up to 1 GiB is used.
const MEMORY_LIMIT: u64 = 4 * 1024 * 1024 * 1024;
/// Time limit for a leftover cluster to stop.
const LEFTOVER_LIMIT: Duration = Duration::from_secs(30);

/// An initialised cluster.
pub struct Cluster {
    binaries: PathBuf,
    data: PathBuf,
    user: Option<User>,
    port: u16,
    password: String,
    durability: Durability,
}

/// Whether data must survive a crash of the machine.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Durability {
    /// Data survives: for every product.
    Durable,
    /// Data is lost when the cluster ends, which is faster: for tests only.
    Fleeting,
}

impl Cluster {
    /// Finds the cluster of `state`, or creates it. A fleeting one is always new. The npm packages must be installed.
    pub async fn prepare(state: &mut State, durability: Durability, steps: &Steps) -> Outcome<Self> {
        let user = child::unprivileged()?;
        let base = base(state, user.as_ref(), steps)?;
        let binaries = binaries(&base, user.as_ref(), steps)?;
        let port = state.port("postgres")?;
        let password = state.secret("postgres admin")?;
        let data = match durability {
            Durability::Fleeting if has_memory() => {
                Path::new(MEMORY).join(format!("konomana-{}", state.tag()))
            }
            _ => base.join("data"),
        };
        let cluster = Self { binaries, data, user, port, password, durability };
        cluster.end_leftover().await?;
        if durability == Durability::Fleeting {
            cluster.delete_data()?;
        }
        if !cluster.data.join("PG_VERSION").exists() {
            cluster.initialise(&base, state).await?;
        }
        Ok(cluster)
    }

    /// Deletes the data. The cluster must not run.
    pub fn delete_data(&self) -> Outcome {
        if !self.data.exists() {
            return Ok(());
        }
        fs::remove_dir_all(&self.data).doing(|| format!("deleting {}", self.data.display()))
    }

    /// The URL of the superuser.
    #[must_use]
    pub fn admin_url(&self) -> String {
        url(self.port, &self.password)
    }

    /// The command that starts it.
    #[must_use]
    pub fn launch(&self) -> Launch {
        let port = self.port.to_string();
        let connections = match self.durability {
            Durability::Durable => MAX_CONNECTIONS,
            Durability::Fleeting => MAX_TEST_CONNECTIONS,
        };
        let connections = format!("max_connections={connections}");
        let mut arguments = vec!["-D".into(), self.data.clone().into_os_string(), "-p".into(), port.into()];
        let mut settings = vec![
            "listen_addresses=127.0.0.1",
            "unix_socket_directories=",
            "timezone=UTC",
            "log_timezone=UTC",
            // Omits DETAIL, which contains the values of a row that violated a constraint, e.g. a mail address.
            "log_error_verbosity=terse",
            connections.as_str(),
        ];
        settings.extend(match self.durability {
            // Each database of an idle product would cost a new process a minute.
            Durability::Durable => &["autovacuum_naptime=5min"][..],
            // Test databases live for seconds. With hundreds of them, a process would start ten times a second.
            Durability::Fleeting => &[
                "fsync=off",
                "synchronous_commit=off",
                "full_page_writes=off",
                "autovacuum=off",
                "max_wal_size=256MB",
            ][..],
        });
        for setting in settings {
            arguments.extend(["-c".into(), setting.into()]);
        }
        Launch {
            name: "postgres".into(),
            program: self.binaries.join("bin/postgres"),
            arguments,
            environment: Vec::new(),
            socket: None,
            user: self.user.clone(),
            stop: Signal::INT,
            last_signal: LastSignal::Interrupt,
            ready: Ready::Postgres(self.admin_url()),
        }
    }

    /// Stops a cluster that a killed tool left running.
    async fn end_leftover(&self) -> Outcome {
        let begun = std::time::Instant::now();
        while let Some(pid) = self.running() {
            child::signal_process(pid, Signal::INT);
            if begun.elapsed() > LEFTOVER_LIMIT {
                return fail(format!(
                    "a PostgreSQL of this state still runs as process {pid}: stop it with kill -INT {pid}"
                ));
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        Ok(())
    }

    fn running(&self) -> Option<u32> {
        let file = fs::read_to_string(self.data.join("postmaster.pid")).ok()?;
        let pid = file.lines().next()?.trim().parse().ok()?;
        let command = fs::read(format!("/proc/{pid}/cmdline")).ok()?;
        let data = self.data.as_os_str().as_encoded_bytes();
        command.windows(data.len()).any(|part| part == data).then_some(pid)
    }

    async fn initialise(&self, base: &Path, state: &State) -> Outcome {
        // Created under a temporary name, so that an incomplete cluster is never used.
        let half = self.data.with_extension("new");
        if half.exists() {
            fs::remove_dir_all(&half).doing(|| format!("deleting {}", half.display()))?;
        }
        let password = base.join("password");
        fs::write(&password, &self.password).doing(|| format!("writing {}", password.display()))?;
        fs::set_permissions(&password, fs::Permissions::from_mode(0o600))?;
        set_owner(&password, self.user.as_ref())?;
        let mut command =
            child::tethered(&self.binaries.join("bin/initdb"), self.user.as_ref(), LastSignal::Terminate);
        command
            .arg("-D")
            .arg(&half)
            .arg("--pwfile")
            .arg(&password)
            .args(["-U", ADMIN, "-A", "scram-sha-256", "-E", "UTF8", "--locale=C.UTF-8", "--no-instructions"])
            .args(match self.durability {
                Durability::Durable => &[][..],
                // Otherwise each connection of a test hashes the password 4,096 times.
                Durability::Fleeting => &["--set", "scram_iterations=1"],
            })
            .current_dir("/")
            .env_remove("LD_LIBRARY_PATH");
        let made = run_or_fail(&mut command, &state.log("initdb")).await;
        fs::remove_file(&password)?;
        made?;
        fs::rename(&half, &self.data).doing(|| format!("naming {}", self.data.display()))
    }
}

/// Connects to the PostgreSQL of the product of `state`: its own server, or the one at the URL `given`.
pub async fn connect_server(state: &State, given: Option<&str>) -> Outcome<Server> {
    match (state.given_server(), given) {
        (Some(_), Some(url)) => Server::connect(url).await,
        (Some(place), None) => {
            fail(format!("the product uses the PostgreSQL at {place}: set DATABASE_URL to its URL"))
        }
        (None, _) => Server::connect(&admin_url(state)?).await,
    }
}

/// The superuser's URL of the cluster of `state`; an error if there is no cluster yet.
fn admin_url(state: &State) -> Outcome<String> {
    match (state.kept_port("postgres"), state.kept_secret("postgres admin")) {
        (Some(port), Some(password)) => Ok(url(port, password)),
        _ => fail("there is no database yet: run cargo dev up"),
    }
}

fn url(port: u16, password: &str) -> String {
    format!("postgres://{ADMIN}:{password}@127.0.0.1:{port}/postgres")
}

/// The folder of PostgreSQL's files, accessible to its user.
fn base(state: &mut State, user: Option<&User>, steps: &Steps) -> Outcome<PathBuf> {
    let base = match state.outside() {
        Some(outside) => outside.to_owned(),
        None if is_reachable(state.root(), user) => state.path("postgres"),
        None => {
            let outside = PathBuf::from(format!("/var/tmp/konomana-{}", state.tag()));
            steps.say(&format!(
                "PostgreSQL runs as user {}, who cannot access {}: its files are in {} until cargo dev reset",
                user.map_or("?", |user| &user.name),
                state.root().display(),
                outside.display()
            ));
            state.set_outside(outside.clone())?;
            outside
        }
    };
    if !base.exists() {
        fs::create_dir(&base).doing(|| format!("making {}", base.display()))?;
        fs::set_permissions(&base, fs::Permissions::from_mode(0o700))?;
        set_owner(&base, user)?;
    }
    Ok(base)
}

/// Whether [`MEMORY`] has room for a cluster of tests.
fn has_memory() -> bool {
    rustix::fs::statvfs(MEMORY).is_ok_and(|disk| disk.f_bavail * disk.f_frsize >= MEMORY_LIMIT)
}

/// The folder of PostgreSQL's programs: npm's, or a copy if PostgreSQL's user cannot access that.
fn binaries(base: &Path, user: Option<&User>, steps: &Steps) -> Outcome<PathBuf> {
    let native = npm::postgres()?;
    if is_reachable(&native, user) {
        return Ok(native);
    }
    let copy = base.join("native");
    if !copy.exists() {
        steps.say(&format!("copying PostgreSQL's programs to {}, which its user can access", copy.display()));
        let half = base.join("native.new");
        if half.exists() {
            fs::remove_dir_all(&half)?;
        }
        copy_tree(&native, &half).doing(|| format!("copying PostgreSQL to {}", copy.display()))?;
        set_owner(&half, user)?;
        fs::rename(&half, &copy)?;
    }
    Ok(copy)
}

/// Copies a folder recursively to a path that does not exist yet.
pub fn copy_tree(from: &Path, to: &Path) -> std::io::Result<()> {
    fs::create_dir(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (source, target) = (entry.path(), to.join(entry.file_name()));
        let kind = entry.file_type()?;
        if kind.is_dir() {
            copy_tree(&source, &target)?;
        } else if kind.is_symlink() {
            std::os::unix::fs::symlink(fs::read_link(&source)?, &target)?;
        } else {
            fs::copy(&source, &target)?;
        }
    }
    Ok(())
}

/// Whether `user` may enter `path` and every folder above it.
fn is_reachable(path: &Path, user: Option<&User>) -> bool {
    let Some(user) = user else {
        return true;
    };
    path.ancestors().all(|folder| {
        fs::metadata(folder).is_ok_and(|meta| {
            let enter = if meta.uid() == user.uid {
                0o100
            } else if meta.gid() == user.gid {
                0o010
            } else {
                0o001
            };
            meta.mode() & enter != 0
        })
    })
}

fn set_owner(path: &Path, user: Option<&User>) -> Outcome {
    match user {
        Some(user) => std::os::unix::fs::chown(path, Some(user.uid), Some(user.gid))
            .doing(|| format!("giving {} to {}", path.display(), user.name)),
        None => Ok(()),
    }
}
