//! The REST edge: converts between JSON and gRPC, authenticates callers and enforces limits. Business rules
//! are in the services.

#![expect(
    deprecated,
    reason = "the account of the caller stands in messages too, for services of the release before: they read it there"
)]

mod access;
mod accounts;
mod answer;
mod audience;
mod bulkhead;
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
mod page;
mod postal;
mod route;
mod routes;
mod search;
mod session;
mod timestamp;
mod uploads;

use std::io::Write as _;
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
use proto::auth::entry_service_client::EntryServiceClient;
use proto::auth::guardian_service_client::GuardianServiceClient;
use proto::auth::passkey_service_client::PasskeyServiceClient;
use proto::auth::profile_service_client::ProfileServiceClient;
use proto::commerce::card_service_client::CardServiceClient;
use proto::commerce::cart_service_client::CartServiceClient;
use proto::commerce::coupon_service_client::CouponServiceClient;
use proto::commerce::order_service_client::OrderServiceClient;
use proto::commerce::product_service_client::ProductServiceClient;
use proto::commerce::provider_service_client::ProviderServiceClient;
use proto::commerce::refund_service_client::RefundServiceClient;
use proto::commerce::subscription_service_client::SubscriptionServiceClient;
use proto::desk::contact_service_client::ContactServiceClient;
use proto::desk::entry_exam_service_client::EntryExamServiceClient;
use proto::desk::faq_service_client::FaqServiceClient;
use proto::desk::mail_service_client::MailServiceClient;
use proto::desk::notice_service_client::NoticeServiceClient;
use proto::desk::postal_service_client::PostalServiceClient;
use proto::desk::search_service_client as desk_search;
use proto::desk::success_service_client::SuccessServiceClient;
use proto::exam::application_service_client::ApplicationServiceClient;
use proto::exam::check_service_client::CheckServiceClient;
use proto::exam::exam_service_client::ExamServiceClient;
use proto::exam::result_service_client::ResultServiceClient;
use proto::exam::school_service_client::SchoolServiceClient;
use proto::exam::sitting_service_client::SittingServiceClient;
use proto::lms::catalogue_service_client::CatalogueServiceClient;
use proto::lms::inventory_service_client::InventoryServiceClient;
use proto::lms::learner_service_client::LearnerServiceClient;
use proto::lms::lesson_service_client::LessonServiceClient;
use proto::lms::mark_service_client::MarkServiceClient;
use proto::lms::note_service_client::NoteServiceClient;
use proto::lms::question_service_client::QuestionServiceClient;
use proto::lms::search_service_client as lms_search;
use proto::lms::teacher_service_client::TeacherServiceClient;
use proto::lms::watch_service_client::WatchServiceClient;

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
use crate::session::{OnBehalf, Sessions};
use crate::uploads::Uploads;

#[doc(hidden)]
pub use audience::Audience;
#[doc(hidden)]
pub use routes::declared_routes;
pub use routes::schema;

/// All metrics of the process.
pub const METRICS: &[&[Metric]] = &[PROCESS, HTTP_SERVER, RPC_CLIENT, metrics::OWN];

/// Runs a command.
pub async fn run(command: Command) -> Result<(), Failure> {
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
            url_signer: UrlSigner::new(&settings.media.key, settings.media.link_time, clock),
            ended_streams,
            origin: settings.public_origin.clone(),
            trusted_proxies: settings.trusted_proxies,
            public_max_age: settings.public_max_age,
            time_limit: settings.limits.time,
        })))
    }

    fn auth(&self, who: &impl OnBehalf) -> AuthServiceClient<Channel> {
        AuthServiceClient::new(on_behalf(&self.0.auth, who))
    }

    fn entry(&self, who: &impl OnBehalf) -> EntryServiceClient<Channel> {
        EntryServiceClient::new(on_behalf(&self.0.auth, who))
    }

    fn passkeys(&self, who: &impl OnBehalf) -> PasskeyServiceClient<Channel> {
        PasskeyServiceClient::new(on_behalf(&self.0.auth, who))
    }

    fn profiles(&self, who: &impl OnBehalf) -> ProfileServiceClient<Channel> {
        ProfileServiceClient::new(on_behalf(&self.0.auth, who))
    }

    fn guardians(&self, who: &impl OnBehalf) -> GuardianServiceClient<Channel> {
        GuardianServiceClient::new(on_behalf(&self.0.auth, who))
    }

    fn learners(&self, who: &impl OnBehalf) -> LearnerServiceClient<Channel> {
        LearnerServiceClient::new(on_behalf(&self.0.lms, who))
    }

    fn catalogue(&self) -> CatalogueServiceClient<Channel> {
        CatalogueServiceClient::new(self.0.lms.clone())
    }

    fn inventory(&self, who: &impl OnBehalf) -> InventoryServiceClient<Channel> {
        InventoryServiceClient::new(on_behalf(&self.0.lms, who))
    }

    fn lessons(&self, who: &impl OnBehalf) -> LessonServiceClient<Channel> {
        LessonServiceClient::new(on_behalf(&self.0.lms, who))
    }

    fn marks(&self, who: &impl OnBehalf) -> MarkServiceClient<Channel> {
        MarkServiceClient::new(on_behalf(&self.0.lms, who))
    }

    fn notes(&self, who: &impl OnBehalf) -> NoteServiceClient<Channel> {
        NoteServiceClient::new(on_behalf(&self.0.lms, who))
    }

    fn watching(&self, who: &impl OnBehalf) -> WatchServiceClient<Channel> {
        WatchServiceClient::new(on_behalf(&self.0.lms, who))
    }

    fn questions(&self, who: &impl OnBehalf) -> QuestionServiceClient<Channel> {
        QuestionServiceClient::new(on_behalf(&self.0.lms, who))
    }

    fn teachers(&self) -> TeacherServiceClient<Channel> {
        TeacherServiceClient::new(self.0.lms.clone())
    }

    fn taught_search(&self) -> lms_search::SearchServiceClient<Channel> {
        lms_search::SearchServiceClient::new(self.0.lms.clone())
    }

    fn told_search(&self) -> desk_search::SearchServiceClient<Channel> {
        desk_search::SearchServiceClient::new(self.0.desk.clone())
    }

    fn mails(&self, who: &impl OnBehalf) -> MailServiceClient<Channel> {
        MailServiceClient::new(on_behalf(&self.0.desk, who))
    }

    fn notices(&self) -> NoticeServiceClient<Channel> {
        NoticeServiceClient::new(self.0.desk.clone())
    }

    fn faqs(&self) -> FaqServiceClient<Channel> {
        FaqServiceClient::new(self.0.desk.clone())
    }

    fn success(&self) -> SuccessServiceClient<Channel> {
        SuccessServiceClient::new(self.0.desk.clone())
    }

    fn entry_exams(&self) -> EntryExamServiceClient<Channel> {
        EntryExamServiceClient::new(self.0.desk.clone())
    }

    fn contacts(&self) -> ContactServiceClient<Channel> {
        ContactServiceClient::new(self.0.desk.clone())
    }

    fn postal(&self) -> PostalServiceClient<Channel> {
        PostalServiceClient::new(self.0.desk.clone())
    }

    fn carts(&self, who: &impl OnBehalf) -> CartServiceClient<Channel> {
        CartServiceClient::new(on_behalf(&self.0.commerce, who))
    }

    fn coupons(&self, who: &impl OnBehalf) -> CouponServiceClient<Channel> {
        CouponServiceClient::new(on_behalf(&self.0.commerce, who))
    }

    fn orders(&self, who: &impl OnBehalf) -> OrderServiceClient<Channel> {
        OrderServiceClient::new(on_behalf(&self.0.commerce, who))
    }

    fn refunds(&self, who: &impl OnBehalf) -> RefundServiceClient<Channel> {
        RefundServiceClient::new(on_behalf(&self.0.commerce, who))
    }

    fn cards(&self, who: &impl OnBehalf) -> CardServiceClient<Channel> {
        CardServiceClient::new(on_behalf(&self.0.commerce, who))
    }

    fn subscriptions(&self, who: &impl OnBehalf) -> SubscriptionServiceClient<Channel> {
        SubscriptionServiceClient::new(on_behalf(&self.0.commerce, who))
    }

    fn applications(&self, who: &impl OnBehalf) -> ApplicationServiceClient<Channel> {
        ApplicationServiceClient::new(on_behalf(&self.0.exam, who))
    }

    fn checks(&self) -> CheckServiceClient<Channel> {
        CheckServiceClient::new(self.0.exam.clone())
    }

    fn exams(&self) -> ExamServiceClient<Channel> {
        ExamServiceClient::new(self.0.exam.clone())
    }

    fn schools(&self) -> SchoolServiceClient<Channel> {
        SchoolServiceClient::new(self.0.exam.clone())
    }

    fn exam_results(&self, who: &impl OnBehalf) -> ResultServiceClient<Channel> {
        ResultServiceClient::new(on_behalf(&self.0.exam, who))
    }

    fn sittings(&self, who: &impl OnBehalf) -> SittingServiceClient<Channel> {
        SittingServiceClient::new(on_behalf(&self.0.exam, who))
    }

    fn providers(&self) -> ProviderServiceClient<Channel> {
        ProviderServiceClient::new(self.0.commerce.clone())
    }

    fn products(&self) -> ProductServiceClient<Channel> {
        ProductServiceClient::new(self.0.commerce.clone())
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

fn on_behalf(channel: &Channel, who: &impl OnBehalf) -> Channel {
    who.person().map_or_else(|| channel.clone(), |person| channel.on_behalf_of(person))
}

fn base64url(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}
