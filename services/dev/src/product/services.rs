//! The services: their ports, their settings, their start.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use rustix::process::Signal;

use super::{Product, site_root};
use crate::child::LastSignal;
use crate::failure::Outcome;
use crate::maintenance::FILE;
use crate::places;
use crate::supervisor::{Launch, Ready};

/// Everything the site and the API stand on, in the order in which it is waited for.
const BACK_END: [&str; 4] = ["auth", "lms", "maintenance", "edge"];

impl Product {
    /// Starts auth, lms, maintenance and the edge at once, and waits until all are ready. Gives the edge's address.
    pub(super) async fn start_services(&mut self) -> Outcome<SocketAddr> {
        self.steps.say("services: auth, lms, maintenance, edge");
        let otlp = self.listen("otlp")?;
        for name in BACK_END {
            self.start_service(name)?;
        }
        for name in BACK_END {
            self.wait_for(name).await?;
        }
        let control = self.listen("control")?;
        self.serve_tools(otlp, control)?;
        self.address("edge")
    }

    /// Starts the site and waits until it is ready. Gives its address.
    pub(super) async fn start_site(&mut self) -> Outcome<SocketAddr> {
        self.steps.say("site");
        self.start_service("site")?;
        self.wait_for("site").await?;
        self.address("site")
    }

    fn start_service(&mut self, name: &'static str) -> Outcome {
        let address = self.address(name)?;
        let socket = self.listen(name)?;
        let launch = Launch {
            name,
            program: places::binary(name, self.options.release),
            arguments: vec!["serve".into()],
            environment: self.environment_of(name)?,
            socket: Some(Arc::new(socket)),
            user: None,
            stop: Signal::TERM,
            last_signal: LastSignal::Terminate,
            ready: Ready::Http(address),
        };
        self.supervisor.start(launch);
        Ok(())
    }

    async fn wait_for(&mut self, name: &'static str) -> Outcome {
        let took: Duration = self.supervisor.ready(name).await?;
        self.ready_times.push((name, took));
        Ok(())
    }

    /// Where a service listens.
    pub(crate) fn address(&mut self, name: &str) -> Outcome<SocketAddr> {
        let port = if let Some(port) = self.addresses.get(name) {
            *port
        } else {
            let port = self.state.port(name)?;
            self.addresses.insert(name.to_owned(), port);
            port
        };
        Ok(SocketAddr::from(([127, 0, 0, 1], port)))
    }

    /// The settings of a service, by their environment names.
    pub(super) fn environment_of(&mut self, name: &str) -> Outcome<Vec<(String, String)>> {
        let address = |product: &mut Self, of: &str| product.address(of).map(|address| address.to_string());
        let url =
            |product: &mut Self, of: &str| product.address(of).map(|address| format!("http://{address}"));
        let mut settings = vec![
            (format!("{}_LISTEN", name.to_uppercase()), address(self, name)?),
            ("METRICS_LISTEN".into(), address(self, &format!("{name} metrics"))?),
            // There is no balancer here that would have to look away first.
            ("DRAIN_DELAY_MS".into(), "0".into()),
        ];
        if self.options.traced {
            settings.push(("OTEL_EXPORTER_OTLP_ENDPOINT".into(), url(self, "otlp")?));
        }
        if super::WITH_DATABASE.contains(&name) {
            let password = self.state.secret(&format!("{name} database"))?;
            let database = self.database_name(name);
            settings.push((
                format!("{}_DATABASE_URL", name.to_uppercase()),
                self.server()?.url(&database, &password),
            ));
        }
        match name {
            "auth" => settings.push(("AUTH_SECRET".into(), self.state.secret("auth")?)),
            "maintenance" => {
                settings.push(("MAINTENANCE_FILE".into(), self.state.path(FILE).display().to_string()));
            }
            "edge" => settings.extend([
                ("EDGE_AUTH_URL".into(), url(self, "auth")?),
                ("EDGE_LMS_URL".into(), url(self, "lms")?),
                ("EDGE_MAINTENANCE_URL".into(), url(self, "maintenance")?),
                ("EDGE_CSRF_SECRET".into(), self.state.secret("edge csrf")?),
                ("EDGE_PUBLIC_ORIGIN".into(), self.origin()),
                ("EDGE_TRUSTED_PROXIES".into(), "1".into()),
            ]),
            "site" => settings.push(("SITE_ROOT".into(), site_root().display().to_string())),
            _ => {}
        }
        settings.extend(self.options.settings.iter().cloned());
        Ok(settings)
    }
}
