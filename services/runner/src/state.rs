//! The state folder: the data that a product keeps between runs, and the lock of the current run.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::hash::{BuildHasher as _, DefaultHasher, Hash as _, Hasher as _, RandomState};
use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::ops::Range;
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tooling::failure::{Doing as _, Outcome, fail};

use crate::random::create_secret;

/// Below the ephemeral ports: the system could give one of those to an outgoing connection before it is bound here.
const PORTS: Range<u16> = 20_000..32_000;

/// The content of `state.json`.
#[derive(Default, Serialize, Deserialize)]
struct Content {
    /// Ports by the name of their process, e.g. `edge`.
    ports: BTreeMap<String, u16>,
    /// Secrets by purpose, e.g. `auth database`.
    secrets: BTreeMap<String, String>,
    /// The folder of PostgreSQL's files, if its user cannot access the state folder.
    outside: Option<PathBuf>,
    /// The last server named by `DATABASE_URL`, without its password.
    given_server: Option<String>,
}

/// An open state folder.
pub struct State {
    root: PathBuf,
    content: Content,
}

/// Held while a product runs. The file contains the process id.
pub struct Lock {
    _file: File,
}

impl State {
    /// Opens the folder at `root`, or creates it.
    pub fn open(root: &Path) -> Outcome<Self> {
        fs::create_dir_all(root).doing(|| format!("making the state folder {}", root.display()))?;
        let root = root.canonicalize()?;
        for folder in ["logs", "stamps"] {
            fs::create_dir_all(root.join(folder))
                .doing(|| format!("making {folder} in {}", root.display()))?;
        }
        let file = root.join("state.json");
        let is_new = !file.exists();
        let content = match fs::read(&file) {
            Ok(text) => serde_json::from_slice(&text)
                .doing(|| format!("{} is damaged: delete the folder with cargo dev reset", file.display()))?,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Content::default(),
            Err(error) => return Err(error).doing(|| format!("reading {}", file.display())),
        };
        let state = Self { root, content };
        if is_new {
            // Marks the folder as a state folder, which `delete` requires.
            state.save()?;
        }
        Ok(state)
    }

    /// Opens the folder at `root` if it exists.
    pub fn existing(root: &Path) -> Outcome<Option<Self>> {
        if root.join("state.json").exists() { Self::open(root).map(Some) } else { Ok(None) }
    }

    /// The folder.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The path of a file or folder in it.
    #[must_use]
    pub fn path(&self, name: &str) -> PathBuf {
        self.root.join(name)
    }

    /// The path of a service's log.
    #[must_use]
    pub fn log(&self, service: &str) -> PathBuf {
        self.root.join("logs").join(format!("{service}.log"))
    }

    /// Locks the folder for a run. The error names the process that holds the lock.
    pub fn lock(&self) -> Outcome<Lock> {
        let path = self.path("lock");
        let mut file = OpenOptions::new()
            .create(true)
            .truncate(false)
            .read(true)
            .write(true)
            .open(&path)
            .doing(|| format!("opening {}", path.display()))?;
        if file.try_lock().is_err() {
            let pid = self.runner().map_or(String::new(), |pid| format!(" as process {pid}"));
            return fail(format!(
                "a product already runs{pid} with the state in {}: stop it with cargo dev down, or run a second one with --state DIR --port N",
                self.root.display()
            ));
        }
        file.set_len(0)?;
        writeln!(file, "{}", std::process::id())?;
        Ok(Lock { _file: file })
    }

    /// The process that runs this product, if any.
    #[must_use]
    pub fn runner(&self) -> Option<u32> {
        let mut file = File::open(self.path("lock")).ok()?;
        if file.try_lock_shared().is_ok() {
            return None;
        }
        let mut pid = String::new();
        file.read_to_string(&mut pid).ok()?;
        pid.trim().parse().ok()
    }

    /// The port of `what`: the same as last time if it is free, otherwise a new one.
    pub fn port(&mut self, what: &str) -> Outcome<u16> {
        if let Some(port) = self.content.ports.get(what).copied()
            && TcpListener::bind(("127.0.0.1", port)).is_ok()
        {
            return Ok(port);
        }
        // Starts at a random port of the range, so that two products that start at the same time rarely collide.
        let from = usize::try_from(RandomState::new().hash_one(what) % PORTS.len() as u64)?;
        let free = PORTS.cycle().skip(from).take(PORTS.len()).find(|port| {
            !self.content.ports.values().any(|kept| kept == port)
                && TcpListener::bind(("127.0.0.1", *port)).is_ok()
        });
        let Some(port) = free else {
            return fail(format!("no port of 127.0.0.1 from {} to {} is free", PORTS.start, PORTS.end - 1));
        };
        self.set_port(what, port)?;
        Ok(port)
    }

    /// Stores the port of `what`.
    pub fn set_port(&mut self, what: &str, port: u16) -> Outcome {
        if self.content.ports.insert(what.to_owned(), port) == Some(port) {
            return Ok(());
        }
        self.save()
    }

    /// The stored port of `what`.
    #[must_use]
    pub fn kept_port(&self, what: &str) -> Option<u16> {
        self.content.ports.get(what).copied()
    }

    /// The secret for `what`, 32 random bytes in hex; created at the first use.
    pub fn secret(&mut self, what: &str) -> Outcome<String> {
        if let Some(secret) = self.content.secrets.get(what) {
            return Ok(secret.clone());
        }
        let secret = create_secret()?;
        self.content.secrets.insert(what.to_owned(), secret.clone());
        self.save()?;
        Ok(secret)
    }

    /// The secret for `what`, if it was created.
    pub fn kept_secret(&self, what: &str) -> Option<&str> {
        self.content.secrets.get(what).map(String::as_str)
    }

    /// The folder of PostgreSQL's files outside the state folder, if there is one.
    #[must_use]
    pub fn outside(&self) -> Option<&Path> {
        self.content.outside.as_deref()
    }

    /// Stores the folder of PostgreSQL's files.
    pub fn set_outside(&mut self, path: PathBuf) -> Outcome {
        self.content.outside = Some(path);
        self.save()
    }

    /// The external server, if it has the databases.
    #[must_use]
    pub fn given_server(&self) -> Option<&str> {
        self.content.given_server.as_deref()
    }

    /// Stores the external server.
    pub fn set_given_server(&mut self, place: Option<String>) -> Outcome {
        if self.content.given_server == place {
            return Ok(());
        }
        self.content.given_server = place;
        self.save()
    }

    /// A short name that is unique to this folder and the same in every run, for objects outside it that several states
    /// share.
    #[must_use]
    pub fn tag(&self) -> String {
        let mut hasher = DefaultHasher::new();
        self.root.hash(&mut hasher);
        format!("{:08x}", hasher.finish() >> 32)
    }

    /// Deletes the folder, and PostgreSQL's files outside it.
    pub fn delete(self) -> Outcome {
        for folder in self.folders() {
            fs::remove_dir_all(&folder).doing(|| format!("deleting {}", folder.display()))?;
        }
        Ok(())
    }

    /// All folders of this state.
    pub fn folders(&self) -> Vec<PathBuf> {
        let both = [Some(self.root.as_path()), self.outside()];
        both.into_iter().flatten().filter(|folder| folder.exists()).map(Path::to_owned).collect()
    }

    /// Whether the step `name` last finished with `stamp`.
    #[must_use]
    pub fn done(&self, name: &str, stamp: u64) -> bool {
        fs::read_to_string(self.stamp(name)).is_ok_and(|text| text == stamp.to_string())
    }

    /// Records that the step `name` finished with `stamp`.
    pub fn set_done(&self, name: &str, stamp: u64) -> Outcome {
        fs::write(self.stamp(name), stamp.to_string()).doing(|| "writing a stamp")
    }

    fn stamp(&self, name: &str) -> PathBuf {
        self.root.join("stamps").join(name)
    }

    /// Writes the file atomically, readable by its owner only.
    fn save(&self) -> Outcome {
        let path = self.path("state.json");
        let next = self.path("state.json.next");
        let mut file = OpenOptions::new()
            .create(true)
            .truncate(true)
            .write(true)
            .mode(0o600)
            .open(&next)
            .doing(|| format!("writing {}", path.display()))?;
        file.set_permissions(fs::Permissions::from_mode(0o600))?;
        file.write_all(&serde_json::to_vec_pretty(&self.content)?)
            .and_then(|()| file.sync_all())
            .and_then(|()| fs::rename(&next, &path))
            .doing(|| format!("writing {}", path.display()))
    }
}

#[cfg(test)]
mod tests {
    use tooling::scratch::Scratch;

    use super::*;

    #[test]
    fn ports_and_secrets_stay_the_same_between_runs() {
        let folder = Scratch::new();
        let mut first = State::open(folder.path()).expect("open the state");
        let port = first.port("edge").expect("a port is free");
        let secret = first.secret("auth").expect("create a secret");
        assert!(super::PORTS.contains(&port), "{port}");
        assert_eq!(secret.len(), 64);
        drop(first);

        let mut second = State::open(folder.path()).expect("open the state again");
        assert_eq!(second.port("edge").expect("the port is still free"), port);
        assert_eq!(second.secret("auth").expect("read the secret"), secret);
        assert_ne!(second.secret("csrf").expect("create a secret"), secret);
    }

    #[test]
    fn a_port_that_is_in_use_is_replaced() {
        let folder = Scratch::new();
        let mut state = State::open(folder.path()).expect("open the state");
        let port = state.port("edge").expect("a port is free");
        let _taken = TcpListener::bind(("127.0.0.1", port)).expect("bind the port");
        assert_ne!(state.port("edge").expect("another is free"), port);
    }

    #[test]
    fn a_second_run_on_one_folder_is_refused_with_advice() {
        let folder = Scratch::new();
        let state = State::open(folder.path()).expect("open the state");
        assert_eq!(state.runner(), None);
        let lock = state.lock().expect("the folder is not locked");
        let refused =
            State::open(folder.path()).expect("open the state").lock().err().expect("the folder is locked");
        assert!(refused.to_string().contains("cargo dev down"), "{refused}");
        assert_eq!(state.runner(), Some(std::process::id()));
        drop(lock);
        assert_eq!(state.runner(), None);
    }

    #[test]
    fn secrets_are_readable_by_their_owner_only() {
        let folder = Scratch::new();
        let mut state = State::open(folder.path()).expect("open the state");
        state.secret("auth").expect("create a secret");
        let mode = fs::metadata(state.path("state.json")).expect("the file exists").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
}
