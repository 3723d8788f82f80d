//! The whole product on one machine: PostgreSQL, the services, the site, the gateway and the receiver of spans.

mod build;
mod mail;
mod payments;
mod services;

pub use build::build;
use build::build_programs;
pub use payments::TEST_CARD;

use std::collections::HashMap;
use std::fs;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::process::Command;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;
use tooling::command::run_or_fail;
use tooling::failure::{Doing as _, Outcome, fail};
use tooling::steps::Steps;

use crate::control::{self, RunningProduct};
use crate::databases::Server;
use crate::gateway::{self, Upstreams};
use crate::inputs::{all, build_stamp, stamp};
use crate::postgres::{Cluster, Durability, copy_tree};
use crate::services::{SANDBOX, WITH_DATABASE};
use crate::spans::Spans;
use crate::state::{Lock, State};
use crate::supervisor::{ProcessTable, Supervisor};
use crate::{npm, otlp, places, postal, videos, web};

/// The file of maintenance windows, in the state folder. The maintenance service follows it.
pub const MAINTENANCE_FILE: &str = "maintenance.yaml";
/// The services that may run as several replicas, as in a cluster.
const REPLICATED: [&str; 3] = ["auth", "lms", "edge"];
/// Stop order: callers before the services that they call.
const STOPPING: [&str; 11] =
    ["site", "edge", "maintenance", "commerce", SANDBOX, "lms", "exam", "auth", "desk", "mail", "postgres"];

/// How long requests in the gateway may take to finish at shutdown.
const GATEWAY_LIMIT: Duration = Duration::from_secs(5);

/// Options of a run.
#[derive(Clone)]
#[expect(clippy::struct_excessive_bools, reason = "the switches are independent")]
pub struct Options {
    /// The gateway's port.
    pub port: u16,
    /// The URL of an external PostgreSQL; `None` starts one.
    pub database_url: Option<String>,
    /// Whether the site runs, or only the API.
    pub site: bool,
    /// Whether the binaries are already built.
    pub is_built: bool,
    /// Whether to use the release build.
    pub release: bool,
    /// Number of replicas of each service in `REPLICATED`.
    pub replicas: u8,
    /// Whether spans are exported.
    pub traced: bool,
    /// Whether the stand-in of the payment provider stores its state in a file, which it writes again at each change.
    pub stores_payments: bool,
    /// Additional settings of services, as environment variables.
    pub settings: Vec<(String, String)>,
}

/// A product that runs or is about to start.
pub struct Product {
    /// The options.
    pub options: Options,
    state: State,
    steps: Steps,
    supervisor: Supervisor,
    spans: Spans,
    server: Option<Server>,
    tasks: JoinSet<()>,
    gateway: JoinSet<()>,
    gateway_stop: CancellationToken,
    ready_times: Vec<(String, Duration)>,
    /// The ports of this run. They are chosen once, because afterwards they are in use by this run.
    addresses: HashMap<String, u16>,
    _lock: Lock,
}

impl Product {
    /// Locks the state folder. Starts nothing yet.
    pub fn new(options: Options, state: State, steps: Steps) -> Outcome<Self> {
        let lock = state.lock()?;
        let supervisor = Supervisor::new(&state.path("logs"), steps);
        Ok(Self {
            options,
            state,
            steps,
            supervisor,
            spans: Spans::default(),
            server: None,
            tasks: JoinSet::new(),
            gateway: JoinSet::new(),
            gateway_stop: CancellationToken::new(),
            ready_times: Vec::new(),
            addresses: HashMap::new(),
            _lock: lock,
        })
    }

    /// Sets up what is missing and starts everything. Call `stop` afterwards, also after a failure.
    pub async fn start(&mut self) -> Outcome {
        let steps = self.steps;
        // Bound first, so that a port in use is reported before minutes of building.
        let gateway = bind_gateway(self.options.port).await?;
        self.build_and_start_postgres().await?;
        steps.step("databases: roles, migrations, keys, demo content", self.prepare_databases()).await?;
        let edges = self.start_services().await?;
        let edge = edges[0];
        let mut upstreams = Upstreams { edges, site: None, limit: Upstreams::LIMIT };
        if self.options.site {
            let site = web::build(&self.state, edge);
            let lessons = videos::draw_lessons(&self.state);
            tokio::try_join!(
                steps.step("web: content and build", site),
                steps.step("videos of the demo's lessons", lessons)
            )?;
            upstreams.site = Some(self.start_site().await?);
        }
        // Last, because it takes longest and no earlier step needs it.
        self.wait_for("mail").await?;
        self.gateway.spawn(gateway::serve(gateway, upstreams, self.gateway_stop.clone()));
        Ok(())
    }

    /// Builds the programs, and at the same time installs the npm packages and starts PostgreSQL, which is one of them.
    async fn build_and_start_postgres(&mut self) -> Outcome {
        let steps = self.steps;
        let Options { release, site, is_built, .. } = self.options;
        let programs = async { if is_built { Ok(()) } else { build_programs(release, site, steps).await } };
        let postgres = async {
            let (tools, web) = (places::tools(), places::web());
            let tools = npm::install(&tools, &self.state);
            steps.step("tools: PostgreSQL, buf and maildev from npm", tools).await?;
            // Installed even without the site, because commerce needs the font.
            steps.step("web: packages from npm", npm::install(&web, &self.state)).await?;
            self.start_postgres().await
        };
        tokio::try_join!(programs, postgres)?;
        // Later restarts use the same build.
        self.options.is_built = true;
        Ok(())
    }

    /// The URL to open in a browser.
    #[must_use]
    pub fn origin(&self) -> String {
        format!("http://127.0.0.1:{}", self.options.port)
    }

    /// The same URL with a host name, because browsers create no passkeys for an IP address.
    fn named_origin(&self) -> String {
        format!("http://localhost:{}", self.options.port)
    }

    /// The state folder.
    #[must_use]
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The processes.
    #[must_use]
    pub fn watch(&self) -> ProcessTable {
        self.supervisor.watch()
    }

    /// The spans that the processes exported.
    #[must_use]
    pub fn spans(&self) -> &Spans {
        &self.spans
    }

    /// The time from start to readiness of each process.
    #[must_use]
    pub fn ready_times(&self) -> &[(String, Duration)] {
        &self.ready_times
    }

    /// The database server, once it is started.
    pub fn server(&self) -> Outcome<&Server> {
        match &self.server {
            Some(server) => Ok(server),
            None => fail("PostgreSQL is not started yet"),
        }
    }

    /// The name of a service's database and role.
    #[must_use]
    pub fn database_name(&self, service: &str) -> String {
        database_name(&self.state, service)
    }

    /// Stops all processes in order, PostgreSQL last.
    pub async fn stop(&mut self) {
        self.gateway_stop.cancel();
        // Running requests finish while all services still run.
        let finish = async { while self.gateway.join_next().await.is_some() {} };
        let _ = tokio::time::timeout(GATEWAY_LIMIT, finish).await;
        self.gateway.shutdown().await;
        for service in STOPPING {
            for name in self.replicas(service) {
                self.supervisor.stop(&name).await;
            }
        }
        self.tasks.shutdown().await;
    }

    /// Stops everything and starts it again, with or without tracing.
    pub async fn restart(&mut self, traced: bool) -> Outcome {
        self.stop().await;
        self.gateway_stop = CancellationToken::new();
        self.options.traced = traced;
        self.addresses.clear();
        self.ready_times.clear();
        self.start().await
    }

    async fn start_postgres(&mut self) -> Outcome {
        let steps = self.steps;
        let url = if let Some(url) = self.options.database_url.clone() {
            url
        } else {
            let prepared = Cluster::prepare(&mut self.state, Durability::Durable, &steps);
            let cluster = steps.step("PostgreSQL", prepared).await?;
            self.supervisor.start(cluster.launch());
            self.supervisor.ready("postgres").await?;
            cluster.admin_url()
        };
        let server = Server::connect(&url).await?;
        let place = self.options.database_url.is_some().then(|| server.place());
        if let Some(place) = &place {
            steps.say(&format!("PostgreSQL: the one at {place}, as DATABASE_URL says"));
        }
        self.state.set_given_server(place)?;
        self.server = Some(server);
        Ok(())
    }

    async fn prepare_databases(&mut self) -> Outcome {
        for service in WITH_DATABASE {
            let password = self.state.secret(&format!("{service} database"))?;
            let name = self.database_name(service);
            self.server()?.ensure(&name, &password).await?;
        }
        let auth = self.environment_of("auth")?;
        let lms = self.environment_of("lms")?;
        let desk = self.environment_of("desk")?;
        let commerce = self.environment_of("commerce")?;
        let exam = self.environment_of("exam")?;
        let migrate = |name: &'static str, environment| self.task(name, &["migrate"], environment);
        tokio::try_join!(
            migrate("auth", &auth),
            migrate("commerce", &commerce),
            migrate("desk", &desk),
            migrate("exam", &exam),
            migrate("lms", &lms)
        )?;
        self.task("auth", &["keys", "add", "--sign", "--if-none"], &auth).await?;
        for (service, environment) in
            [("auth", &auth), ("commerce", &commerce), ("desk", &desk), ("exam", &exam), ("lms", &lms)]
        {
            let content = places::service(service).join("demo");
            // A new version of the importer may import the same content differently.
            let program = places::binary(service, self.options.release);
            let now = stamp(&[&content], &all)? ^ build_stamp(&program)?;
            let step = format!("import-{service}");
            // An external server may have lost its data.
            if self.options.database_url.is_some() || !self.state.done(&step, now) {
                let folder = content.display().to_string();
                self.task(service, &["import", &folder], environment).await?;
                self.state.set_done(&step, now)?;
            }
        }
        self.import_postal_codes(&desk).await
    }

    /// Imports the demo catalogue with an additional course while the product runs.
    pub async fn publish(&mut self, id: u32, course: &str) -> Outcome {
        let folder = self.state.path("published");
        copy_tree(&places::service("lms").join("demo"), &folder).doing(|| "copying the demo catalogue")?;
        let file = folder.join(format!("courses/{id}.yaml"));
        fs::write(&file, course).doing(|| format!("writing {}", file.display()))?;
        let environment = self.environment_of("lms")?;
        self.task("lms", &["import", &folder.display().to_string()], &environment).await
    }

    /// Postal codes, if they could be downloaded. Forms fill in addresses from them.
    async fn import_postal_codes(&self, desk: &[(String, String)]) -> Outcome {
        let Some(file) = postal::fetched(&self.state, self.steps).await? else {
            return Ok(());
        };
        let now = stamp(&[&file], &all)?;
        if self.options.database_url.is_some() || !self.state.done("import-postal", now) {
            self.task("desk", &["import-postal", &file.display().to_string()], desk).await?;
            self.state.set_done("import-postal", now)?;
        }
        Ok(())
    }

    /// Runs a command of a service's binary to its end.
    async fn task(&self, service: &str, arguments: &[&str], environment: &[(String, String)]) -> Outcome {
        let log = self.state.log(&format!("{service}-{}", arguments[0]));
        let mut command = Command::new(places::binary(service, self.options.release));
        command
            .args(arguments)
            .envs(environment.iter().map(|(name, value)| (name, value)))
            .env_remove("OTEL_EXPORTER_OTLP_ENDPOINT");
        run_or_fail(&mut command, &log).await?;
        Ok(())
    }
}

impl Product {
    /// The names of a service's processes: the service's name, with a number for further replicas.
    fn replicas(&self, service: &str) -> Vec<String> {
        let count = if REPLICATED.contains(&service) { self.options.replicas } else { 1 };
        let more = (2..=count).map(|number| format!("{service}-{number}"));
        [service.to_owned()].into_iter().chain(more).collect()
    }
}

/// The name of a service's database and role.
#[must_use]
pub fn database_name(state: &State, service: &str) -> String {
    // One server may hold the databases of several states.
    format!("konomana_{service}_{}", state.tag())
}

async fn bind_gateway(port: u16) -> Outcome<TcpListener> {
    let address = SocketAddr::from(([127, 0, 0, 1], port));
    TcpListener::bind(address).await.map_err(|error| match error.kind() {
        std::io::ErrorKind::AddrInUse => format!(
            "port {port} is in use by another program: stop it or pass another port, e.g. --port {}",
            port.checked_add(1).unwrap_or(8081)
        )
        .into(),
        std::io::ErrorKind::PermissionDenied => {
            format!("port {port} needs root: pass a port above 1023, e.g. --port 8080").into()
        }
        _ => format!("cannot listen on {address}: {error}; pass another port with --port").into(),
    })
}

/// The folder of the site's files.
fn site_root() -> PathBuf {
    places::web().join("apps/site/dist/client")
}

impl Product {
    /// Starts the receiver of spans and the control interface.
    fn serve_tools(&mut self, otlp: std::net::TcpListener, control: std::net::TcpListener) -> Outcome {
        for listener in [&otlp, &control] {
            listener.set_nonblocking(true)?;
        }
        let spans = self.spans.clone();
        let (otlp, control) = (TcpListener::from_std(otlp)?, TcpListener::from_std(control)?);
        self.tasks.spawn(async move {
            // The task ends with the product. Before that, only a single connection can fail, which affects only its
            // client.
            let _ = otlp::serve(otlp, spans).await;
        });
        let known = RunningProduct {
            watch: self.supervisor.watch(),
            spans: self.spans.clone(),
            token: self.state.secret("control")?,
        };
        self.tasks.spawn(control::serve(control, known));
        Ok(())
    }

    /// Listens on the port reserved for `what`.
    fn listen(&mut self, what: &str) -> Outcome<std::net::TcpListener> {
        let address = self.address(what)?;
        std::net::TcpListener::bind(address).doing(|| format!("listening on {address}"))
    }
}
