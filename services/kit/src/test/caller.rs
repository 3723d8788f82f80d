//! Callers for tests, and a test of the callers of all rpcs that each service runs.

use http::{HeaderValue, Request};
use http_body_util::Full;
use hyper::body::Bytes;
use prost::Message as _;
use prost_types::FileDescriptorSet;
use time::Duration;
use tonic::Code;
use tonic::body::Body;
use tower::ServiceExt as _;
use uuid::Uuid;

use super::TestServer;
use crate::caller::{Allowed, Caller, CallerError, Callers, HEADER, Person, Row, Scope, Service, Signer};
use crate::client::{Channel, channel};
use crate::clock::Clock;
use crate::error::ServiceError;

/// The secret of every pair of services in tests. The key of a pair is derived from it and the two names.
pub const CALLER_SECRET: &str = "f0e1d2c3b4a5968778695a4b3c2d1e0f00112233445566778899aabbccddeeff";

/// `CALLER_KEYS` of every service in tests: every service is a caller.
#[must_use]
pub fn caller_keys() -> String {
    Service::ALL.map(|service| format!("{}={CALLER_SECRET}", service.name())).join(",")
}

/// Signs calls from `caller` to `receiver` in tests.
#[must_use]
pub fn signer(caller: Service, receiver: Service, clock: Clock) -> Signer {
    Signer::new(caller, receiver, CALLER_SECRET, clock).expect("the secret is valid")
}

/// A channel to the `receiver` at `url`, with calls signed by this caller.
#[must_use]
pub fn channel_as(url: &str, receiver: Service, caller: Caller) -> Channel {
    let channel = channel(url).expect("the URL is valid");
    let channel = channel.signed(signer(caller.service, receiver, Clock::system()));
    caller.person.map_or(channel.clone(), |person| channel.on_behalf_of(person))
}

/// Disables caller checks, for a server without rpcs of the product.
#[must_use]
pub fn open_to_all() -> Callers {
    Callers::open()
}

/// The edge, for a visitor who is not signed in.
#[must_use]
pub fn anyone() -> Caller {
    Caller::service(Service::Edge)
}

/// The edge, for a signed-in account with these scopes, in a session whose id is the account's.
#[must_use]
pub fn account(id: Uuid, scopes: &[Scope]) -> Caller {
    let person = Person::new(id, id, scopes.iter().copied().collect());
    Caller { service: Service::Edge, person: Some(person) }
}

/// The edge, for a signed-in learner.
#[must_use]
pub fn learner(id: Uuid) -> Caller {
    account(id, &[Scope::Learner])
}

/// The edge, for a signed-in guardian.
#[must_use]
pub fn guardian(id: Uuid) -> Caller {
    account(id, &[Scope::Guardian])
}

/// The edge, for a signed-in guardian who acts for a child.
#[must_use]
pub fn guardian_of(id: Uuid, child: Uuid) -> Caller {
    let caller = guardian(id);
    Caller { person: caller.person.map(|person| person.acting_for(child)), ..caller }
}

/// The same caller in another session.
#[must_use]
pub fn in_session(caller: Caller, session: Uuid) -> Caller {
    Caller { person: caller.person.map(|person| Person { session, ..person }), ..caller }
}

/// Every rpc of these proto packages, e.g. `lms.v1`, as a path.
#[must_use]
pub fn rpcs(packages: &[&str]) -> Vec<String> {
    let files = FileDescriptorSet::decode(proto::DESCRIPTORS).expect("decode the descriptors").file;
    let files = files.iter().filter(|file| packages.contains(&file.package()));
    let services = files.flat_map(|file| file.service.iter().map(|service| (file.package(), service)));
    services
        .flat_map(|(package, service)| {
            let name = service.name();
            service.method.iter().map(move |rpc| format!("/{package}.{name}/{}", rpc.name()))
        })
        .collect()
}

/// Calls every rpc of `packages` at `server`: without an assertion, with forged, expired and misdirected ones, and as
/// each kind of caller. The test fails unless exactly the callers in the rpc's row of `table` are allowed, and each rpc
/// has a row. The rpcs are called with empty messages; answers of allowed calls are ignored.
///
/// # Panics
/// If a call is wrongly allowed or refused.
pub async fn every_rpc_admits_only_its_callers(
    server: &TestServer,
    receiver: Service,
    table: &[Row],
    packages: &[&str],
) {
    let mut rows: Vec<_> = table.iter().map(|(path, _)| (*path).to_owned()).collect();
    let mut rpcs = rpcs(packages);
    rows.sort();
    rpcs.sort();
    assert!(!rpcs.is_empty(), "{packages:?} have no rpc");
    assert_eq!(rows, rpcs, "the table has one row for each rpc");
    for (path, allowed) in table {
        for (how, headers, wanted) in bad_assertions(receiver, path) {
            assert_eq!(call(server, path, &headers).await, Some(wanted), "{path} {how}");
        }
        for (who, caller) in kinds() {
            let signer = signer(caller.service, receiver, Clock::system());
            let header = signer.sign(caller.person.as_ref(), path);
            let wanted = if admitted(*allowed).contains(&who) { None } else { Some(CallerError::NotAllowed) };
            assert_eq!(call(server, path, &[header]).await, wanted, "{path} called as {who}");
        }
    }
}

/// One caller of each kind, by name. Other services have no person.
fn kinds() -> Vec<(&'static str, Caller)> {
    let (one, two) = (Uuid::from_u128(1), Uuid::from_u128(2));
    let impostor = |service| Caller { service, ..learner(one) };
    vec![
        ("edge", anyone()),
        ("account", account(one, &[])),
        ("learner", learner(one)),
        ("guardian", guardian(one)),
        ("guardian of a child", guardian_of(one, two)),
        (
            "learner for another",
            Caller { person: learner(one).person.map(|it| it.acting_for(two)), ..anyone() },
        ),
        ("staff:content", account(one, &[Scope::StaffContent])),
        ("staff:support", account(one, &[Scope::StaffSupport])),
        ("staff:commerce", account(one, &[Scope::StaffCommerce])),
        ("auth", Caller::service(Service::Auth)),
        ("lms", Caller::service(Service::Lms)),
        ("desk", Caller::service(Service::Desk)),
        ("commerce", Caller::service(Service::Commerce)),
        ("exam", Caller::service(Service::Exam)),
        ("maintenance", Caller::service(Service::Maintenance)),
        ("auth for a learner", impostor(Service::Auth)),
        ("commerce for a learner", impostor(Service::Commerce)),
    ]
}

/// The callers of [`kinds`] that a row admits.
fn admitted(allowed: Allowed) -> Vec<&'static str> {
    let people = ["account", "learner", "guardian", "staff:content", "staff:support", "staff:commerce"];
    match allowed {
        Allowed::Anyone => [&["edge"], &people[..]].concat(),
        Allowed::SignedIn => people.to_vec(),
        Allowed::Learner => vec!["learner"],
        Allowed::Guardian => vec!["guardian"],
        Allowed::LearnerOrGuardian => vec!["learner", "guardian"],
        Allowed::GuardianOf => vec!["guardian of a child"],
        Allowed::LearnerOrGuardianOf => vec!["learner", "guardian of a child"],
        Allowed::Staff(scope) => vec![scope.name()],
        Allowed::Services(services) => services.iter().map(|service| service.name()).collect(),
    }
}

/// Invalid assertions: description, header lines, and the expected error.
fn bad_assertions(receiver: Service, path: &str) -> Vec<(&'static str, Vec<HeaderValue>, CallerError)> {
    let person = learner(Uuid::from_u128(1)).person;
    let sign = |signer: Signer, path: &str| signer.sign(person.as_ref(), path);
    let good = sign(signer(Service::Edge, receiver, Clock::system()), path);
    let mut forged = good.as_bytes().to_vec();
    forged[40] = if forged[40] == b'A' { b'B' } else { b'A' };
    let forged = HeaderValue::from_bytes(&forged).expect("base64url is a valid header");
    let late = Clock::new(|| Clock::system().now() - Duration::seconds(31));
    let other = if receiver == Service::Desk { Service::Lms } else { Service::Desk };
    // Claims to be the edge, but is signed with the key of `other` for this receiver.
    let pretending = relabelled(&sign(signer(other, receiver, Clock::system()), path), Service::Edge);
    let strange = Signer::new(Service::Edge, receiver, &"5a".repeat(32), Clock::system());
    vec![
        ("without an assertion", vec![], CallerError::Missing),
        ("with a changed one", vec![forged], CallerError::Invalid),
        (
            "with an expired one",
            vec![sign(signer(Service::Edge, receiver, late), path)],
            CallerError::Expired,
        ),
        ("with an unknown key", vec![sign(strange.expect("a key"), path)], CallerError::Invalid),
        ("with the key of another service", vec![pretending], CallerError::Invalid),
        (
            "with one for another receiver",
            vec![sign(signer(Service::Edge, other, Clock::system()), path)],
            CallerError::Invalid,
        ),
        (
            "with one for another rpc",
            vec![sign(signer(Service::Edge, receiver, Clock::system()), "/other.v1.Service/Rpc")],
            CallerError::Invalid,
        ),
        ("with two", vec![good.clone(), good], CallerError::Invalid),
        ("with junk", vec![HeaderValue::from_static("junk")], CallerError::Invalid),
    ]
}

/// Replaces the caller's name in an assertion.
fn relabelled(header: &HeaderValue, caller: Service) -> HeaderValue {
    use base64::Engine as _;
    use base64::engine::general_purpose::URL_SAFE_NO_PAD;
    let mut bytes = URL_SAFE_NO_PAD.decode(header).expect("base64url is a valid header");
    bytes[1] = caller as u8;
    URL_SAFE_NO_PAD.encode(bytes).parse().expect("base64url is a valid header")
}

/// Calls an rpc with an empty message. Returns why the caller was refused; `None` if it was admitted.
async fn call(server: &TestServer, path: &str, headers: &[HeaderValue]) -> Option<CallerError> {
    let empty = Body::new(Full::new(Bytes::from_static(&[0; 5])));
    let mut request = Request::post(path).header("content-type", "application/grpc").header("te", "trailers");
    for header in headers {
        request = request.header(HEADER, header);
    }
    let request = request.body(empty).expect("build a request");
    let answer = server.channel().oneshot(request).await.expect("a channel answers with a status");
    // A refused caller gets the status in the head; later errors come from the rpc.
    let status = tonic::Status::from_header_map(answer.headers())?;
    let problem = ServiceError::from_status(&status);
    let errors = [CallerError::Missing, CallerError::Invalid, CallerError::Expired, CallerError::NotAllowed];
    let error = errors.into_iter().find(|error| error.reason() == problem.reason)?;
    let code = if error == CallerError::NotAllowed { Code::PermissionDenied } else { Code::Unauthenticated };
    assert_eq!(status.code(), code, "{path}");
    Some(error)
}
