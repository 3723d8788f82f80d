//! auth and desk alone: real processes, each with its own database, and a mail server whose replies
//! the test sets.

use std::io;
use std::net::{SocketAddr, TcpListener};
use std::os::fd::OwnedFd;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use kit::test::{CALLER_SECRET, MailServer, caller_keys};
use kit_db::Transaction;
use kit_db::test::TestDatabase;
use sqlx::migrate::Migrator;
use sqlx::{Executor as _, Row as _};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::product::until;

/// Used only in tests.
const SECRET: &str = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";
/// Limit for a process to become ready, and for a statement to wait for a test's lock.
const SOON: Duration = Duration::from_secs(30);
/// Timeout of a readiness probe. A killed process does not answer, because the test keeps its
/// socket open.
const PROBE_LIMIT: Duration = Duration::from_secs(1);

async fn probe_readiness(address: SocketAddr) -> io::Result<String> {
    let mut stream = TcpStream::connect(address).await?;
    stream.write_all(b"GET /readyz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n").await?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await?;
    Ok(answer)
}

/// auth, which signs people up, and desk, which sends them mails.
pub(crate) struct Couple {
    pub(crate) auth: Service,
    pub(crate) desk: Service,
    pub(crate) mail: MailServer,
}

impl Couple {
    pub(crate) async fn start() -> Self {
        let mail = MailServer::start().await;
        let mut desk = Service::prepare("desk", &desk::MIGRATIONS).await;
        desk.set("PUBLIC_ORIGIN", "https://www.konomana.test");
        desk.set("MAIL_FROM", "no-reply@konomana.test");
        desk.set("CONTACT_TO", "support@konomana.test");
        desk.set("SMTP_URL", &mail.url());
        // desk retries the mail of a killed process after twice this time.
        desk.set("SMTP_SECONDS", "5");
        let mut auth = Service::prepare("auth", &auth::MIGRATIONS).await;
        auth.set("DESK_URL", &format!("http://{}", desk.address));
        auth.set("DESK_KEY", CALLER_SECRET);
        // A sign-up publishes no events to commerce, exam and lms.
        for receiver in ["COMMERCE", "EXAM", "LMS"] {
            auth.set(&format!("{receiver}_KEY"), CALLER_SECRET);
            auth.set(&format!("{receiver}_URL"), "http://127.0.0.1:1");
        }
        let signs = auth.command(&["keys", "add", "--sign"]).output().expect("auth runs");
        assert!(signs.status.success(), "{signs:?}");
        auth.spawn_process();
        desk.spawn_process();
        auth.wait_until_ready().await;
        desk.wait_until_ready().await;
        Self { auth, desk, mail }
    }
}

/// A process that can be killed, with its database.
pub(crate) struct Service {
    name: &'static str,
    /// Its address. It stays bound while the process is dead, so callers wait.
    pub(crate) address: SocketAddr,
    socket: TcpListener,
    database: TestDatabase,
    settings: Vec<(String, String)>,
    process: Option<Child>,
}

impl Service {
    /// Prepares a service without starting it.
    async fn prepare(name: &'static str, migrations: &Migrator) -> Self {
        let socket = TcpListener::bind(("127.0.0.1", 0)).expect("a port is free");
        let address = socket.local_addr().expect("the socket has an address");
        let database = TestDatabase::new(migrations).await;
        let mut service = Self { name, address, socket, database, settings: Vec::new(), process: None };
        let url = service.database.url.clone();
        service.set("DATABASE_URL", &url);
        service.set("SECRET", SECRET);
        service.settings.push(("CALLER_KEYS".to_owned(), caller_keys()));
        service
    }

    fn set(&mut self, name: &str, value: &str) {
        self.settings.push((format!("{}_{name}", self.name.to_uppercase()), value.to_owned()));
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(faults::find_program(self.name));
        let settings = self.settings.iter().map(|(name, value)| (name, value));
        command.args(arguments).env_clear().envs(settings).stdout(Stdio::null());
        command
    }

    fn spawn_process(&mut self) {
        let socket = self.socket.try_clone().expect("a socket can be shared");
        let child =
            self.command(&["serve"]).stdin(OwnedFd::from(socket)).spawn().expect("the service starts");
        self.process = Some(child);
    }

    /// Kills the process (SIGKILL). Also ends its database connections that wait for a lock, so
    /// their statements are not executed.
    pub(crate) async fn kill(&mut self) {
        let mut process = self.process.take().expect("the service runs");
        process.kill().expect("the process can be killed");
        process.wait().expect("the process ends");
        self.count(
            "SELECT count(pg_terminate_backend(pid, 5000)) FROM pg_stat_activity \
             WHERE datname = current_database() AND wait_event_type = 'Lock'",
        )
        .await;
    }

    /// Checks what the killed process left in the database, starts it again, and waits until it is
    /// ready.
    pub(crate) async fn restart(&mut self) {
        self.assert_consistent().await;
        self.spawn_process();
        self.wait_until_ready().await;
    }

    async fn wait_until_ready(&self) {
        let address = self.address;
        until(SOON, &format!("{} is ready", self.name), async || {
            let answer = timeout(PROBE_LIMIT, probe_readiness(address)).await;
            answer.is_ok_and(|answer| answer.is_ok_and(|answer| answer.starts_with("HTTP/1.1 200 ")))
        })
        .await;
    }

    /// Runs a locking statement. Other statements wait until the lock ends.
    pub(crate) async fn lock(&self, sql: &str) -> Lock {
        let mut transaction = self.database.pool.begin().await.expect("the database answers");
        let lock = sqlx::raw_sql(sqlx::AssertSqlSafe(sql.to_owned()));
        transaction.execute(lock).await.expect("the lock is granted");
        Lock(transaction)
    }

    /// Waits until a statement with this beginning waits for a lock.
    pub(crate) async fn wait_for_lock_of(&self, statement: &str) {
        let waiting = format!(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() \
             AND wait_event_type = 'Lock' AND query LIKE '{statement}%'"
        );
        let what = format!("{} is about to {statement}", self.name);
        until(SOON, &what, async || self.count(&waiting).await > 0).await;
    }

    /// Returns the number that a query selects.
    pub(crate) async fn count(&self, sql: &str) -> i64 {
        let mut connection = self.database.pool.acquire().await.expect("the database answers");
        let sql = sqlx::raw_sql(sqlx::AssertSqlSafe(sql.to_owned()));
        connection.fetch_one(sql).await.expect("the query succeeds").get(0)
    }

    /// Checks that no row lacks the rows of the same transaction.
    pub(crate) async fn assert_consistent(&self) {
        let halves: &[&str] = match self.name {
            "auth" => &[
                "SELECT count(*) FROM sign_up WHERE NOT EXISTS (SELECT FROM link WHERE subject = sign_up.id)",
                "SELECT count(*) FROM sign_up \
                 WHERE NOT EXISTS (SELECT FROM sign_up_handle WHERE sign_up = sign_up.id)",
                "SELECT count(*) FROM sign_up \
                 WHERE (completed_at IS NULL) = EXISTS (SELECT FROM account WHERE email = sign_up.email)",
                "SELECT count(*) FROM account WHERE NOT EXISTS (SELECT FROM session WHERE account = account.id)",
            ],
            _ => {
                &["SELECT count(*) FROM inbox FULL JOIN mail ON event = id WHERE event IS NULL OR id IS NULL"]
            }
        };
        for half in halves {
            assert_eq!(self.count(half).await, 0, "{half}");
        }
    }
}

/// A transaction that holds locks.
pub(crate) struct Lock(Transaction);

impl Lock {
    pub(crate) async fn end(self) {
        self.0.rollback().await.expect("the database answers");
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        if let Some(process) = &mut self.process {
            let _ = process.kill();
            let _ = process.wait();
        }
    }
}
