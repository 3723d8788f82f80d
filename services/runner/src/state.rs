//! The state folder: what one product keeps between its runs, and who runs it now.

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

/// Below those that systems lend to outgoing connections: one of those, free now, may be lent before we listen on it.
const PORTS: Range<u16> = 20_000..32_000;

/// The content of `state.json`.
#[derive(Default, Serialize, Deserialize)]
struct Content {
    /// By what listens there, e.g. `edge`.
    ports: BTreeMap<String, u16>,
    /// By what they are for, e.g. `auth database`.
    secrets: BTreeMap<String, String>,
    /// Where PostgreSQL keeps its files when its user can't reach the state folder.
    outside: Option<PathBuf>,
    /// The last server given with `DATABASE_URL`, without its password.
    given_server: Option<String>,
}

/// An open state folder.
pub struct State {
    root: PathBuf,
    content: Content,
}

/// Held while a product runs; the file names the process.
pub struct Lock {
    _file: File,
}

impl State {
    /// Opens the folder at `root`, made where it is not there yet.
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
                .doing(|| format!("{} is damaged; delete the folder with cargo dev reset", file.display()))?,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Content::default(),
            Err(error) => return Err(error).doing(|| format!("reading {}", file.display())),
        };
        let state = Self { root, content };
        if is_new {
            // From now on it is known for what it is, and may be deleted as such.
            state.save()?;
        }
        Ok(state)
    }

    /// Opens the folder at `root` only where there is one.
    pub fn existing(root: &Path) -> Outcome<Option<Self>> {
        if root.join("state.json").exists() { Self::open(root).map(Some) } else { Ok(None) }
    }

    /// The folder.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// A file or folder in it.
    #[must_use]
    pub fn path(&self, name: &str) -> PathBuf {
        self.root.join(name)
    }

    /// The log of a service.
    #[must_use]
    pub fn log(&self, service: &str) -> PathBuf {
        self.root.join("logs").join(format!("{service}.log"))
    }

    /// Locks the folder for a run, or names the process that holds it.
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
                "it already runs{pid} with the state in {}; stop it with cargo dev down, or run a second one with --state DIR --port N",
                self.root.display()
            ));
        }
        file.set_len(0)?;
        writeln!(file, "{}", std::process::id())?;
        Ok(Lock { _file: file })
    }

    /// The process that runs this product now, if any.
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

    /// The port for `what`: the one of last time while it is free, else a new one.
    pub fn port(&mut self, what: &str) -> Outcome<u16> {
        if let Some(port) = self.content.ports.get(what).copied()
            && TcpListener::bind(("127.0.0.1", port)).is_ok()
        {
            return Ok(port);
        }
        // From anywhere in the range, so that two products that start at once seldom meet.
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

    /// Keeps the port for `what`.
    pub fn set_port(&mut self, what: &str, port: u16) -> Outcome {
        if self.content.ports.insert(what.to_owned(), port) == Some(port) {
            return Ok(());
        }
        self.save()
    }

    /// The port that `what` has had.
    #[must_use]
    pub fn kept_port(&self, what: &str) -> Option<u16> {
        self.content.ports.get(what).copied()
    }

    /// The secret for `what`, 32 random bytes in hex, made at its first use.
    pub fn secret(&mut self, what: &str) -> Outcome<String> {
        if let Some(secret) = self.content.secrets.get(what) {
            return Ok(secret.clone());
        }
        let secret = create_secret()?;
        self.content.secrets.insert(what.to_owned(), secret.clone());
        self.save()?;
        Ok(secret)
    }

    /// The secret for `what`, if there is one.
    pub fn kept_secret(&self, what: &str) -> Option<&str> {
        self.content.secrets.get(what).map(String::as_str)
    }

    /// Where PostgreSQL keeps its files outside the state folder, if it does.
    #[must_use]
    pub fn outside(&self) -> Option<&Path> {
        self.content.outside.as_deref()
    }

    /// Keeps where PostgreSQL's files are.
    pub fn set_outside(&mut self, path: PathBuf) -> Outcome {
        self.content.outside = Some(path);
        self.save()
    }

    /// The server that was given, if the databases are there.
    #[must_use]
    pub fn given_server(&self) -> Option<&str> {
        self.content.given_server.as_deref()
    }

    /// Keeps which server was given.
    pub fn set_given_server(&mut self, place: Option<String>) -> Outcome {
        if self.content.given_server == place {
            return Ok(());
        }
        self.content.given_server = place;
        self.save()
    }

    /// A short name of this folder's own, the same at every run, for what must not clash with another state's.
    #[must_use]
    pub fn tag(&self) -> String {
        let mut hasher = DefaultHasher::new();
        self.root.hash(&mut hasher);
        format!("{:08x}", hasher.finish() >> 32)
    }

    /// Deletes the folder, and what PostgreSQL keeps outside of it.
    pub fn delete(self) -> Outcome {
        for folder in self.folders() {
            fs::remove_dir_all(&folder).doing(|| format!("deleting {}", folder.display()))?;
        }
        Ok(())
    }

    /// All folders that belong to it.
    pub fn folders(&self) -> Vec<PathBuf> {
        let both = [Some(self.root.as_path()), self.outside()];
        both.into_iter().flatten().filter(|folder| folder.exists()).map(Path::to_owned).collect()
    }

    /// Whether the step `name` was last done with `stamp`.
    #[must_use]
    pub fn done(&self, name: &str, stamp: u64) -> bool {
        fs::read_to_string(self.stamp(name)).is_ok_and(|text| text == stamp.to_string())
    }

    /// Remembers that the step `name` was done with `stamp`.
    pub fn set_done(&self, name: &str, stamp: u64) -> Outcome {
        fs::write(self.stamp(name), stamp.to_string()).doing(|| "writing a stamp")
    }

    fn stamp(&self, name: &str) -> PathBuf {
        self.root.join("stamps").join(name)
    }

    /// Written whole or not at all, for its owner's eyes only.
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
        let mut first = State::open(folder.path()).expect("it opens");
        let port = first.port("edge").expect("a port is free");
        let secret = first.secret("auth").expect("there is randomness");
        assert!(super::PORTS.contains(&port), "{port}");
        assert_eq!(secret.len(), 64);
        drop(first);

        let mut second = State::open(folder.path()).expect("it opens again");
        assert_eq!(second.port("edge").expect("the port is still free"), port);
        assert_eq!(second.secret("auth").expect("it is kept"), secret);
        assert_ne!(second.secret("csrf").expect("there is randomness"), secret);
    }

    #[test]
    fn a_port_that_somebody_took_is_replaced() {
        let folder = Scratch::new();
        let mut state = State::open(folder.path()).expect("it opens");
        let port = state.port("edge").expect("a port is free");
        let _taken = TcpListener::bind(("127.0.0.1", port)).expect("it is free");
        assert_ne!(state.port("edge").expect("another is free"), port);
    }

    #[test]
    fn two_runs_on_one_folder_are_refused_with_what_to_do() {
        let folder = Scratch::new();
        let state = State::open(folder.path()).expect("it opens");
        assert_eq!(state.runner(), None);
        let lock = state.lock().expect("nobody has it");
        let refused = State::open(folder.path()).expect("it opens").lock().err().expect("it is taken");
        assert!(refused.to_string().contains("cargo dev down"), "{refused}");
        assert_eq!(state.runner(), Some(std::process::id()));
        drop(lock);
        assert_eq!(state.runner(), None);
    }

    #[test]
    fn secrets_are_for_their_owner_alone() {
        let folder = Scratch::new();
        let mut state = State::open(folder.path()).expect("it opens");
        state.secret("auth").expect("there is randomness");
        let mode = fs::metadata(state.path("state.json")).expect("it is written").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
}
