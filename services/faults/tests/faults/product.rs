//! A running product for a test to break.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{BufRead as _, BufReader};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::str::FromStr;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use sqlx::postgres::PgConnectOptions;
use sqlx::{ConnectOptions as _, Executor as _, PgConnection, Row as _};

/// Limit for the product to recover from a fault.
pub(crate) const RECOVERY: Duration = Duration::from_secs(5);
/// Pause between two checks of a condition.
const POLL_PERIOD: Duration = Duration::from_millis(20);

/// A running product. Dropping it stops it.
pub(crate) struct Product {
    state: PathBuf,
    running: Child,
    /// The origin that a browser opens.
    pub(crate) origin: String,
}

/// A process of the product.
pub(crate) struct Process {
    pid: Pid,
    /// The address that it listens on.
    pub(crate) address: String,
    is_ready: bool,
}

impl Product {
    /// Starts PostgreSQL, the services and the gateway. Most tests need no pages of the site.
    pub(crate) fn start() -> Self {
        Self::start_with(&["--no-web"])
    }

    /// Starts a product with options for `cargo dev up`.
    pub(crate) fn start_with(options: &[&str]) -> Self {
        let states = PathBuf::from(setting("FAULTS_STATE").expect("cargo dev test faults sets FAULTS_STATE"));
        // Each test that runs at the same time has its own slot.
        let state = states.join(setting("NEXTEST_TEST_GLOBAL_SLOT").unwrap_or_else(|| "0".into()));
        fs::create_dir_all(&state).expect("the state folder can be created");
        // Products start one at a time. Otherwise another one could take a free port between the
        // search for it and its use.
        let starting = File::create(states.join("starting")).expect("the state folder can be written");
        starting.lock().expect("the file can be locked");
        let port = TcpListener::bind(("127.0.0.1", 0))
            .and_then(|listener| listener.local_addr())
            .expect("a port is free")
            .port();
        let mut running = Command::new(faults::find_program("dev"))
            .args([
                "up",
                "--no-build",
                "--set",
                "AUTH_LOGINS_BURST=1000000",
                "--set",
                "AUTH_SIGN_UP_MAILS_PER_ADDRESS_PER_HOUR=1000000",
                "--port",
                &port.to_string(),
                "--state",
            ])
            .arg(&state)
            .args(options)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .expect("cargo dev up runs");
        let said = BufReader::new(running.stdout.take().expect("its output is piped"));
        let mut lines = said.lines();
        let ready = lines.by_ref().find_map(|line| line.ok()?.strip_prefix("ready ").map(str::to_owned));
        let origin = ready.expect("the product starts");
        drop(starting);
        // Reads the rest of the output, so that the pipe does not fill up.
        std::thread::spawn(move || lines.for_each(drop));
        Self { state, running, origin }
    }

    /// The state folder.
    pub(crate) fn state(&self) -> &Path {
        &self.state
    }

    /// Finds the process of a service or of PostgreSQL. `None` while it does not run.
    pub(crate) fn process(&self, name: &str) -> Option<Process> {
        let table = self.run_command(&["status"]);
        let row = table.lines().find(|row| row.split_whitespace().next() == Some(name))?;
        let mut words = row.split_whitespace().skip(1);
        let pid = Pid::from_raw(words.next()?.parse().ok()?)?;
        Some(Process { pid, address: words.next()?.to_owned(), is_ready: !row.ends_with("not ready") })
    }

    /// Sends a signal to a service. Returns the process that got it.
    pub(crate) fn signal(&self, name: &str, signal: Signal) -> Pid {
        let pid = self.process(name).unwrap_or_else(|| panic!("{name} runs")).pid;
        kill_process(pid, signal).expect("the process can be signalled");
        pid
    }

    /// Whether a ready process other than `old` runs as `name`.
    pub(crate) fn is_replaced(&self, name: &str, old: Pid) -> bool {
        self.process(name).is_some_and(|process| process.is_ready && process.pid != old)
    }

    /// Runs a command of `cargo dev` on this product. Returns its output.
    pub(crate) fn run_command(&self, arguments: &[&str]) -> String {
        let mut command = Command::new(faults::find_program("dev"));
        let output =
            command.args(arguments).arg("--state").arg(&self.state).output().expect("cargo dev runs");
        String::from_utf8(output.stdout).expect("the output is UTF-8")
    }

    /// Adds learners with typical data. Returns the email address and the password of each.
    pub(crate) fn add_learners(&self, count: usize) -> Vec<(String, String)> {
        let list = self.state.join("learners.csv");
        let path = list.to_str().expect("the path is UTF-8");
        self.run_command(&["fill", "--learners", &count.to_string(), "--csv", path]);
        let list = fs::read_to_string(&list).expect("the list of learners can be read");
        let rows =
            list.lines().skip(1).map(|row| row.split_once(',').expect("a row has an address and a password"));
        rows.map(|(email, password)| (email.to_owned(), password.to_owned())).collect()
    }

    /// Locks a table against all others. Returns the connection, which holds the lock until it
    /// rolls back.
    pub(crate) async fn lock_table(&self, service: &str, table: &str) -> PgConnection {
        let mut connection = self.database(service).await;
        let lock = format!("BEGIN; LOCK TABLE {table} IN ACCESS EXCLUSIVE MODE");
        connection.execute(sqlx::raw_sql(sqlx::AssertSqlSafe(lock))).await.expect("the table is locked");
        connection
    }

    /// Connects to the database of `service` as the administrator of the server.
    pub(crate) async fn database(&self, service: &str) -> PgConnection {
        connect(&self.database_url(service).await).await
    }

    /// Returns the URL of the database of `service` for the administrator of the server.
    pub(crate) async fn database_url(&self, service: &str) -> String {
        let port = &self.read_state()["ports"]["postgres"];
        let server = format!("postgres://postgres:{}@127.0.0.1:{port}", self.secret("postgres admin"));
        let mut connection = connect(&format!("{server}/postgres")).await;
        let databases = connection
            .fetch_all("SELECT datname FROM pg_database")
            .await
            .expect("the databases can be listed");
        let mut names = databases.iter().map(|row| row.get::<String, _>("datname"));
        let name = names.find(|name| name.starts_with(&format!("konomana_{service}_")));
        format!("{server}/{}", name.expect("the service has a database"))
    }

    /// Returns a secret of the product by its purpose, e.g. `provider key`.
    pub(crate) fn secret(&self, purpose: &str) -> String {
        let state = self.read_state();
        state["secrets"][purpose]
            .as_str()
            .unwrap_or_else(|| panic!("there is no secret '{purpose}'"))
            .to_owned()
    }

    fn read_state(&self) -> serde_json::Value {
        let state = fs::read(self.state.join("state.json")).expect("the state can be read");
        serde_json::from_slice(&state).expect("the state is JSON")
    }
}

async fn connect(url: &str) -> PgConnection {
    let options = PgConnectOptions::from_str(url).expect("the URL is valid");
    options.connect().await.expect("PostgreSQL answers")
}

#[expect(clippy::disallowed_methods, reason = "a test has no config.rs")]
pub(crate) fn setting(name: &str) -> Option<OsString> {
    std::env::var_os(name)
}

impl Drop for Product {
    fn drop(&mut self) {
        self.run_command(&["down"]);
        let _ = self.running.wait();
    }
}

/// Waits until `check` returns true, at most `limit`. Returns the time that it took.
pub(crate) async fn until(limit: Duration, what: &str, mut check: impl AsyncFnMut() -> bool) -> Duration {
    let begun = Instant::now();
    while !check().await {
        assert!(begun.elapsed() < limit, "{what} within {limit:?}");
        tokio::time::sleep(POLL_PERIOD).await;
    }
    begun.elapsed()
}
