//! The REST edge: converts between JSON and gRPC, authenticates callers and enforces limits. Business rules
//! are in the services.

#![expect(
    deprecated,
    reason = "messages also carry the account of the caller, because services of the previous release read it there"
)]

mod access;
mod accounts;
mod answer;
mod audience;
mod bulkhead;
mod calendar;
mod child_link;
mod client;
mod closure;
mod commerce;
pub mod config;
mod csrf;
mod desk;
mod device_cookie;
mod ended_streams;
mod error;
mod error_code;
mod exam;
mod follow;
#[doc(hidden)]
pub mod fuzzing;
mod in_flight;
mod input;
mod links;
mod lms;
mod maintenance;
mod media;
mod metrics;
mod middleware;
mod overview;
mod own_account;
mod page;
mod part;
mod postal;
mod route;
mod routes;
mod search;
mod session;
mod timestamp;
mod uploads;
mod upstreams;

use std::io::Write as _;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use kit::Failure;
use kit::caller::{Service, Signer};
use kit::client::{Channel, channel};
use kit::clock::Clock;
use kit::metrics::{HTTP_SERVER, Metric, PROCESS, RPC_CLIENT};
use kit::shutdown::Shutdown;
use proto::auth::auth_service_client::AuthServiceClient;
use proto::commerce::product_service_client::ProductServiceClient;
use proto::lms::lesson_service_client::LessonServiceClient;

use crate::access::Access;
use crate::bulkhead::Bulkheads;
use crate::commerce::offers::Offers;
use crate::config::{Command, Settings};
use crate::csrf::Csrf;
use crate::ended_streams::EndedStreams;
use crate::in_flight::InFlight;
use crate::lms::course_cache::CourseCache;
use crate::maintenance::Maintenance;
use crate::media::{Store, UrlSigner};
use crate::route::Policies;
use crate::session::Sessions;
use crate::uploads::Uploads;

#[doc(hidden)]
pub use audience::Audience;
#[doc(hidden)]
pub use routes::declared_routes;
pub use routes::schema;

/// All metrics of the process.
pub const METRICS: &[&[Metric]] = &[PROCESS, HTTP_SERVER, RPC_CLIENT, metrics::OWN];

/// Runs the `edge` command and returns its exit code. See [`kit::run`].
#[must_use]
pub fn main() -> ExitCode {
    kit::run("edge", METRICS, run)
}

/// Runs a command.
async fn run(command: Command) -> Result<(), Failure> {
    match command {
        Command::Serve(serve) => {
            let shutdown = Shutdown::on_signals()?;
            let app = app(&serve.settings, Clock::system(), &shutdown)?;
            let listener = kit::config::bind(serve.listen).await?;
            kit::serve::http(&serve.server, listener, app, shutdown).await
        }
        Command::Schema => Ok(std::io::stdout().write_all(schema().as_bytes())?),
    }
}

/// Builds the router of the edge. It follows auth, lms and maintenance until `shutdown`.
pub fn app(settings: &Settings, clock: Clock, shutdown: &Shutdown) -> Result<Router, Failure> {
    metrics::register_metrics();
    let routes = routes::all_routes();
    let edge = Edge::new(settings, Policies::new(&routes), clock, shutdown)?;
    Ok(routes::build_router(edge, routes))
}

/// The state of every handler. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Edge(Arc<Parts>);

struct Parts {
    auth: Channel,
    lms: Channel,
    desk: Channel,
    commerce: Channel,
    exam: Channel,
    sessions: Sessions,
    maintenance: Maintenance,
    csrf: Csrf,
    bulkheads: Bulkheads,
    policies: Policies,
    in_flight: InFlight,
    uploads: Uploads,
    course_cache: CourseCache,
    offers: Offers,
    store: Store,
    url_signer: UrlSigner,
    ended_streams: EndedStreams,
    clock: Clock,
    origin: String,
    trusted_proxies: usize,
    public_max_age: u32,
    time_limit: Duration,
}

impl Edge {
    fn new(
        settings: &Settings,
        policies: Policies,
        clock: Clock,
        shutdown: &Shutdown,
    ) -> Result<Self, Failure> {
        let auth = dial(&settings.auth_url, Service::Auth, &settings.keys.auth)?;
        let origins =
            [&settings.public_origin].into_iter().chain(&settings.further_origins).cloned().collect();
        let signer = sign(Service::Maintenance, &settings.keys.maintenance)?;
        let retry_after = settings.maintenance_retry_after.get();
        let maintenance = Maintenance::follow(
            &settings.maintenance_url,
            signer,
            clock.clone(),
            retry_after,
            shutdown.clone(),
        )?;
        let access = Access::follow(AuthServiceClient::new(auth.clone()), shutdown.clone());
        let (issuer, audience) = (&settings.token_issuer, &settings.token_audience);
        let sessions = Sessions::new(access, issuer, audience, clock.clone());
        let commerce = dial(&settings.commerce_url, Service::Commerce, &settings.keys.commerce)?;
        let lms = dial(&settings.lms_url, Service::Lms, &settings.keys.lms)?;
        let ended_streams = EndedStreams::follow(LessonServiceClient::new(lms.clone()), shutdown.clone());
        Ok(Self(Arc::new(Parts {
            auth,
            lms,
            desk: dial(&settings.desk_url, Service::Desk, &settings.keys.desk)?,
            commerce: commerce.clone(),
            exam: dial(&settings.exam_url, Service::Exam, &settings.keys.exam)?,
            sessions,
            maintenance,
            csrf: Csrf::new(&settings.csrf_secret, origins),
            bulkheads: Bulkheads::new(&settings.limits),
            policies,
            in_flight: InFlight::new(settings.limits.requests_per_address),
            uploads: Uploads::new(&settings.limits),
            course_cache: CourseCache::new(u64::from(settings.course_cache_mib) * 1024 * 1024),
            offers: Offers::new(ProductServiceClient::new(commerce), clock.clone()),
            store: Store::new(&settings.media)?,
            url_signer: UrlSigner::new(&settings.media.key, settings.media.link_time, clock.clone()),
            ended_streams,
            clock,
            origin: settings.public_origin.clone(),
            trusted_proxies: settings.trusted_proxies,
            public_max_age: settings.public_max_age,
            time_limit: settings.limits.time,
        })))
    }

    fn sessions(&self) -> &Sessions {
        &self.0.sessions
    }

    fn maintenance(&self) -> &Maintenance {
        &self.0.maintenance
    }

    fn csrf(&self) -> &Csrf {
        &self.0.csrf
    }

    fn bulkheads(&self) -> &Bulkheads {
        &self.0.bulkheads
    }

    fn policies(&self) -> &Policies {
        &self.0.policies
    }

    fn in_flight(&self) -> &InFlight {
        &self.0.in_flight
    }

    fn uploads(&self) -> &Uploads {
        &self.0.uploads
    }

    fn course_cache(&self) -> &CourseCache {
        &self.0.course_cache
    }

    fn offers(&self) -> &Offers {
        &self.0.offers
    }

    fn store(&self) -> &Store {
        &self.0.store
    }

    fn url_signer(&self) -> &UrlSigner {
        &self.0.url_signer
    }

    fn ended_streams(&self) -> &EndedStreams {
        &self.0.ended_streams
    }

    fn clock(&self) -> &Clock {
        &self.0.clock
    }

    /// Public origin, for links.
    fn origin(&self) -> &str {
        &self.0.origin
    }

    fn trusted_proxies(&self) -> usize {
        self.0.trusted_proxies
    }

    /// Time limit of a request.
    fn time_limit(&self) -> Duration {
        self.0.time_limit
    }

    /// `max-age` of public responses in seconds.
    fn public_max_age(&self) -> u32 {
        self.0.public_max_age
    }
}

/// Creates a channel whose calls the edge signs.
fn dial(urls: &str, receiver: Service, key: &str) -> Result<Channel, Failure> {
    Ok(channel(urls)?.signed(sign(receiver, key)?))
}

fn sign(receiver: Service, key: &str) -> Result<Signer, Failure> {
    Signer::new(Service::Edge, receiver, key, Clock::system())
}

fn base64url(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}
