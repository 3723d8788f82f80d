//! The services: ports, settings and start.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use rustix::process::Signal;
use tooling::failure::{Doing as _, Failure, Outcome};

use super::{MAINTENANCE_FILE, Product, site_root};
use crate::callers;
use crate::child::LastSignal;
use crate::places;
use crate::services::{SANDBOX, WITH_DATABASE};
use crate::supervisor::{Launch, Ready};

/// The services behind the site and the API, in the order in which their readiness is awaited.
const BACK_END: [&str; 8] = ["auth", "commerce", "desk", "exam", "lms", "maintenance", SANDBOX, "edge"];

/// How long a replica keeps serving after it was asked to stop, in milliseconds. The gateway notices within a tenth of
/// this.
const DRAIN_DELAY_MS: &str = "1000";

impl Product {
    /// Starts auth, commerce, desk, exam, lms, maintenance, the stand-in for the payment provider, the edge and maildev
    /// at once, and waits until all but maildev are ready. Returns the edges' addresses.
    pub(crate) async fn start_services(&mut self) -> Outcome<Vec<SocketAddr>> {
        self.steps.say("services: auth, commerce, desk, exam, lms, maintenance, sandbox, edge; maildev");
        let otlp = self.listen("otlp")?;
        let launches: Vec<Vec<Launch>> =
            BACK_END.iter().map(|service| self.launches(service)).collect::<Outcome<_>>()?;
        let mail = self.mail_catcher()?;
        // All ports are bound before the first process starts: a new process briefly inherits every open socket of this
        // one, including sockets that only test whether a port is free.
        for launch in launches.into_iter().flatten().chain([mail]) {
            self.supervisor.start(launch);
        }
        for service in BACK_END {
            self.wait_for(service).await?;
        }
        let control = self.listen("control")?;
        self.serve_tools(otlp, control)?;
        self.addresses("edge")
    }

    /// Starts the site and waits until it is ready. Returns its address.
    pub(crate) async fn start_site(&mut self) -> Outcome<SocketAddr> {
        self.steps.say("site");
        for launch in self.launches("site")? {
            self.supervisor.start(launch);
        }
        self.wait_for("site").await?;
        self.address("site")
    }

    /// The commands that start the processes of a service. Binds their ports.
    fn launches(&mut self, service: &str) -> Outcome<Vec<Launch>> {
        let replicas = self.replicas(service);
        // The socket of a replica closes with its process, because callers can use another replica, as in a cluster.
        let is_alone = replicas.len() == 1;
        replicas.into_iter().map(|name| self.launch(service, name, is_alone)).collect()
    }

    fn launch(&mut self, service: &str, name: String, keeps_socket: bool) -> Outcome<Launch> {
        let address = self.address(&name)?;
        let environment = self.environment_of_replica(service, &name)?;
        let socket = keeps_socket.then(|| self.listen(&name)).transpose()?;
        Ok(Launch {
            name,
            program: places::binary(service, self.options.release),
            arguments: vec!["serve".into()],
            environment,
            socket: socket.map(Arc::new),
            user: None,
            stop: Signal::TERM,
            last_signal: LastSignal::Terminate,
            ready: Ready::Http(address),
        })
    }

    pub(super) async fn wait_for(&mut self, service: &str) -> Outcome {
        for name in self.replicas(service) {
            let took: Duration = self.supervisor.ready(&name).await?;
            self.ready_times.push((name, took));
        }
        Ok(())
    }

    /// The addresses of the processes of a service.
    pub fn addresses(&mut self, service: &str) -> Outcome<Vec<SocketAddr>> {
        self.replicas(service).iter().map(|name| self.address(name)).collect()
    }

    /// The address of a process.
    pub fn address(&mut self, name: &str) -> Outcome<SocketAddr> {
        let port = if let Some(port) = self.addresses.get(name) {
            *port
        } else {
            let port = self.state.port(name)?;
            self.addresses.insert(name.to_owned(), port);
            port
        };
        Ok(SocketAddr::from(([127, 0, 0, 1], port)))
    }

    /// The settings of a service, as environment variables.
    pub(crate) fn environment_of(&mut self, service: &str) -> Outcome<Vec<(String, String)>> {
        self.environment_of_replica(service, service)
    }

    /// The settings of the process `replica` of the service `name`.
    fn environment_of_replica(&mut self, name: &str, replica: &str) -> Outcome<Vec<(String, String)>> {
        let url = |product: &mut Self, of: &str| {
            let urls = product.addresses(of)?.into_iter().map(|address| format!("http://{address}"));
            Ok::<_, Failure>(urls.collect::<Vec<_>>().join(","))
        };
        // A single process has no load balancer that must notice first.
        let drain_delay = if self.replicas(name).len() == 1 { "0" } else { DRAIN_DELAY_MS };
        let mut settings = vec![
            (format!("{}_LISTEN", name.to_uppercase()), self.address(replica)?.to_string()),
            ("METRICS_LISTEN".into(), self.address(&format!("{replica} metrics"))?.to_string()),
            ("DRAIN_DELAY_MS".into(), drain_delay.into()),
        ];
        if self.options.traced {
            settings.push(("OTEL_EXPORTER_OTLP_ENDPOINT".into(), url(self, "otlp")?));
        }
        if WITH_DATABASE.contains(&name) {
            let password = self.state.secret(&format!("{name} database"))?;
            let database = self.database_name(name);
            settings.push((
                format!("{}_DATABASE_URL", name.to_uppercase()),
                self.server()?.url(&database, &password),
            ));
        }
        settings.extend(callers::settings(name, |caller, receiver| {
            self.state.secret(&format!("{caller} to {receiver}"))
        })?);
        match name {
            "auth" => settings.extend([
                ("AUTH_SECRET".into(), self.state.secret("auth")?),
                ("AUTH_PUBLIC_ORIGIN".into(), self.named_origin()),
                ("AUTH_DESK_URL".into(), url(self, "desk")?),
                ("AUTH_LMS_URL".into(), url(self, "lms")?),
                ("AUTH_COMMERCE_URL".into(), url(self, "commerce")?),
                ("AUTH_EXAM_URL".into(), url(self, "exam")?),
            ]),
            "commerce" => settings.extend([
                ("COMMERCE_SECRET".into(), self.state.secret("commerce")?),
                ("COMMERCE_LMS_URL".into(), url(self, "lms")?),
                ("COMMERCE_DESK_URL".into(), url(self, "desk")?),
                ("COMMERCE_EXAM_URL".into(), url(self, "exam")?),
                ("COMMERCE_SITE_URL".into(), self.origin()),
                ("COMMERCE_FONTS".into(), places::fonts().display().to_string()),
                ("COMMERCE_PROVIDER_URL".into(), self.payments()?),
                ("COMMERCE_PROVIDER_KEY".into(), self.provider_key()?),
                ("COMMERCE_PROVIDER_WEBHOOK_SECRET".into(), self.provider_webhook_secret()?),
            ]),
            "desk" => settings.extend([
                ("DESK_SECRET".into(), self.state.secret("desk")?),
                ("DESK_PUSH_SECRET".into(), self.state.secret("push")?),
                ("DESK_PUBLIC_ORIGIN".into(), self.origin()),
                ("DESK_MAIL_FROM".into(), "no-reply@konomana.example".into()),
                ("DESK_CONTACT_TO".into(), "support@konomana.example".into()),
                ("DESK_SMTP_URL".into(), format!("smtp://{}", self.address("smtp")?)),
            ]),
            "lms" => {
                settings.push(("LMS_FONTS".into(), places::fonts().display().to_string()));
            }
            "exam" => settings.extend([
                ("EXAM_SECRET".into(), self.state.secret("exam")?),
                ("EXAM_AUTH_URL".into(), url(self, "auth")?),
                ("EXAM_LMS_URL".into(), url(self, "lms")?),
                ("EXAM_RECEIPT_KEY".into(), self.state.secret("exam receipts")?),
                ("EXAM_FONTS".into(), places::fonts().display().to_string()),
            ]),
            "maintenance" => {
                settings.push((
                    "MAINTENANCE_FILE".into(),
                    self.state.path(MAINTENANCE_FILE).display().to_string(),
                ));
            }
            "edge" => settings.extend([
                ("EDGE_AUTH_URL".into(), url(self, "auth")?),
                ("EDGE_LMS_URL".into(), url(self, "lms")?),
                ("EDGE_DESK_URL".into(), url(self, "desk")?),
                ("EDGE_COMMERCE_URL".into(), url(self, "commerce")?),
                ("EDGE_EXAM_URL".into(), url(self, "exam")?),
                ("EDGE_MAINTENANCE_URL".into(), url(self, "maintenance")?),
                ("EDGE_CSRF_SECRET".into(), self.state.secret("edge csrf")?),
                ("EDGE_MEDIA_STORE".into(), media_store()?),
                ("EDGE_MEDIA_KEY".into(), self.state.secret("edge media")?),
                ("EDGE_PUBLIC_ORIGIN".into(), self.origin()),
                ("EDGE_FURTHER_ORIGINS".into(), self.named_origin()),
                ("EDGE_TRUSTED_PROXIES".into(), "1".into()),
                // All requests on a laptop, including those of the benchmark, come from one address.
                ("EDGE_REQUESTS_PER_ADDRESS".into(), "4096".into()),
            ]),
            SANDBOX => settings.extend(self.sandbox_settings()?),
            "site" => settings.push(("SITE_ROOT".into(), site_root().display().to_string())),
            _ => {}
        }
        if name == "auth" && self.options.replicas > 1 {
            // Replicas share one machine: together they hash about as much as a single process would.
            settings.push(("AUTH_HASHES_AT_ONCE".into(), "1".into()));
        }
        settings.extend(self.options.settings.iter().cloned());
        Ok(settings)
    }
}

/// The folder with the files of lessons. It must exist when the edge starts.
fn media_store() -> Outcome<String> {
    let folder = places::media();
    std::fs::create_dir_all(&folder).doing(|| format!("making {}", folder.display()))?;
    Ok(format!("file://{}", folder.display()))
}
